"""What an agent sees of a store now, and which memories in it contradict or repeat each other (S-72)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memtui.formats.contract.adapter import Adapter
from memtui.formats.contract.session_view import NO_TASK, Content, SessionView, Task
from memtui.memory.contradictions.pairs import Pair
from memtui.memory.memory import label_of
from memtui.workspace.context import Context
from memtui.workspace.contradictions import queue
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.search import lexical, retrieval

# Three columns of thousands of rows, without model instances.
_NAMED = (
    "SELECT ref, id, uid, title, subject, substr(content, 1, 300) FROM memories WHERE store_id = ? "
    "AND ref IN (SELECT value FROM json_each(?)) ORDER BY removed_at IS NULL"
)


@dataclass(frozen=True, slots=True)
class Named:
    """A memory of the workspace: its row, its uid and its label."""

    id: int
    uid: str
    label: str


@dataclass(frozen=True, slots=True)
class StoreView:
    """What an agent sees of one store.

    `view` is None if nothing is loaded at the start of a session; then `instead` says what an agent does.
    `memories` are those that the view names, by ref, as far as the workspace knows them; `pairs` are the open
    contradictions and duplicates of which both memories are in the text; `task_ignored` says that the text is
    the same whatever the agent is asked to do, although that was given.
    """

    store: str
    title: str
    view: SessionView | None
    instead: str
    memories: Mapping[str, Named]
    pairs: Sequence[Pair]
    task_ignored: bool = False


def store_view(ctx: Context, store: StoreRow, about: str = "") -> StoreView:
    """Return what an agent sees of a store now; `about` is what it is asked to do. Only reads."""
    adapter = adapter_of(ctx, store)
    if not adapter.clients:
        return StoreView(store.name, adapter.title, None, adapter.at_start, {}, ())
    view = view_of(ctx, store, adapter, adapter.content(), task_of(ctx, store, about))
    ignored = bool(about.strip()) and not adapter.view_depends_on_task
    memories = named(ctx, store, view)
    shown = {memories[each.ref].id for each in view.passages if each.ref in memories}
    found = queue.listed(ctx, memories=shown) if len(shown) > 1 else []
    pairs = [each for each in found if {each.a, each.b} <= shown]
    return StoreView(store.name, adapter.agent_title, view, "", memories, pairs, ignored)


def adapter_of(ctx: Context, store: StoreRow) -> Adapter:
    """Return the adapter of a store of a format; raise Refused if the store is gone."""
    adapter = ctx.adapter(store)
    assert adapter is not None  # memtui's own store is no agent's
    return adapter


def view_of(ctx: Context, store: StoreRow, adapter: Adapter, content: Content, task: Task) -> SessionView:
    """Return what the client of a store is given of this content."""
    view = adapter.session_view(content, ctx.clock(), task)
    assert view is not None  # the format has a client
    return view


def task_of(ctx: Context, store: StoreRow, about: str, changed: Mapping[int, str] | None = None) -> Task:
    """Return a task with the memories of a store that fit it; QueryError as of a search for `about`.

    `changed` are the refs of the memories of a change, by row: before it they may have been live, so all
    that fit answer, whatever their status. Those that left the store have no rank any more and come first.
    """
    if not about.strip():
        return NO_TASK
    name = store.name.replace('"', "*")  # a query cannot contain quotes
    query = f'{about} store:"{name}"'
    ids = _answers(ctx, query, live=changed is None)
    if changed is not None:
        gone = _answers(ctx, f"{query} is:removed", live=False)
        ids = [*(id for id in gone if id in changed and id not in ids), *ids]
    sql = (
        "SELECT m.id, m.ref FROM memories m JOIN json_each(?) e ON e.value = m.id "
        "WHERE m.store_id = ? ORDER BY e.key"
    )
    rows = ctx.db.rows(sql, (json.dumps(ids), store.id))
    return Task(about, tuple((changed or {}).get(id, ref) for id, ref in rows))


def _answers(ctx: Context, query: str, *, live: bool) -> list[int]:
    """Return the rows that answer a query, best first."""
    listed = lexical.search(ctx.db, query, live=live, now=ctx.clock()).ids
    hits = retrieval.fused(ctx, query, listed, live=live)
    if hits is None or not hits.ids:  # there is no model, or nothing is embedded yet
        hits = retrieval.fused(ctx, query, listed, live=live, by=retrieval.WORDS)
    return list(hits.ids if hits is not None else listed)


def named(ctx: Context, store: StoreRow, *views: SessionView) -> dict[str, Named]:
    """Return the memories that views name, by ref."""
    refs = {each.ref for view in views for each in view.passages}
    refs |= {ref for view in views for each in view.cut for ref in each.refs}
    rows = ctx.db.rows(_NAMED, (store.id, json.dumps(sorted(refs))))
    return {ref: Named(id, uid, label_of(*texts)) for ref, id, uid, *texts in rows}
