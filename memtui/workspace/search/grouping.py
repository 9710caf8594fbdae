"""Reading the groups of a list, and how the list of these stores was grouped last (S-31)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from posixpath import dirname

from memtui.formats import registry
from memtui.memory.groups import CATEGORY, ENTITY, FLAT, FOLDER, GROUPINGS, STORE, Grouped, grouped
from memtui.values import SqlRow
from memtui.workspace.context import NATIVE, Context
from memtui.workspace.db.pair_status import states
from memtui.workspace.search import view_state

_SHARED = 0.5  # of the memories share their subject with another one: then they are listed by entity
_MEMBERS = (
    "SELECT m.id, {name}, s.name, coalesce(m.category, ''), coalesce(m.updated_at, m.created_at) "
    "FROM json_each(?) e JOIN memories m ON m.id = e.value JOIN stores s ON s.id = m.store_id"
)
# The name of the group of a memory, in SQL: a list has a hundred thousand. A folder is worked out of a ref.
_NAMES = {
    ENTITY: "coalesce(nullif(m.subject, ''), nullif(m.owner, ''), s.name)",
    FOLDER: "coalesce(m.ref, '')",
    CATEGORY: "coalesce(m.category, '')",
    STORE: "s.name",
}
_OPEN = f"SELECT a, b, family FROM ({states()}) WHERE state = 'open'"
_SUBJECTS = (
    "SELECT sum(n), sum(CASE WHEN n > 1 THEN n END) FROM (SELECT count(*) AS n FROM memories "
    "WHERE live = 1 GROUP BY store_id, CASE WHEN subject <> '' THEN subject ELSE 'm' || id END)"
)
_VIEW = "grouping"


def groups_of(ctx: Context, ids: Sequence[int], by: str) -> Grouped:
    """Return a list in groups; `by` is one of GROUPINGS. The order within a group stays."""
    contradicted, duplicate = _paired(ctx)
    rows = ctx.db.rows(_MEMBERS.format(name=_NAMES[by]), (json.dumps(list(ids)),))
    members = _in_folders(rows, _with_folders(ctx)) if by == FOLDER else rows
    return grouped(members, across_stores=by == CATEGORY, contradicted=contradicted, duplicate=duplicate)


def _in_folders(members: Iterable[SqlRow], folders: set[str]) -> Iterator[SqlRow]:
    """Yield members, whose names are refs, with those of their folders; of their stores where the format has
    no folders."""
    for id, ref, store, category, changed_at in members:
        name = dirname(ref.partition("#")[0]) or store if store in folders else store
        yield id, name, store, category, changed_at


def _with_folders(ctx: Context) -> set[str]:
    """Return the names of the stores whose format has folders."""
    stores = ctx.db.rows("SELECT name, format FROM stores")
    return {name for name, format in stores if format != NATIVE and registry.by_name(format).has_folders}


def _paired(ctx: Context) -> tuple[frozenset[int], frozenset[int]]:
    """Return the memories with an open contradiction, and those with an open duplicate."""
    contradicted: set[int] = set()
    duplicate: set[int] = set()
    for a, b, family in ctx.db.rows(_OPEN, (ctx.clock(),)):
        (contradicted if family == "contradiction" else duplicate).update((a, b))
    return frozenset(contradicted), frozenset(duplicate)


def grouping(ctx: Context) -> str:
    """Return how the list of the attached stores was grouped last; at first by entity, where most memories
    share theirs."""
    saved = view_state.saved(ctx, _VIEW)
    if saved is not None and saved in (FLAT, *GROUPINGS):
        return saved
    all_of, sharing = ctx.db.rows(_SUBJECTS)[0]
    return ENTITY if sharing and sharing >= all_of * _SHARED else FLAT


def save_grouping(ctx: Context, by: str) -> None:
    """Remember how the list of the attached stores is grouped."""
    view_state.save(ctx, _VIEW, by)
