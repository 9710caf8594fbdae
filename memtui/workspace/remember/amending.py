"""What an agent does to memories that are there: it forgets, edits and confirms those that it may write, as
itself, so that a person can undo each (S-61, S-85, S-106)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from memtui.errors import PolicyRefused
from memtui.memory.memory import LIVE, WRITTEN
from memtui.memory.policies import judging, wording
from memtui.memory.policies.policy import agent_name, scope_of
from memtui.memory.results import Change
from memtui.values import Fields
from memtui.workspace.changes import field_values, verbs
from memtui.workspace.db import store_rows
from memtui.workspace.mirror import memory_rows
from memtui.workspace.policies import breaches, holding, reading
from memtui.workspace.remember import guards
from memtui.workspace.remember.asked import Asked, rules_of
from memtui.workspace.remember.insert import acting, restate, reword
from memtui.workspace.rules import refusing

if TYPE_CHECKING:
    from memtui.memory.memory import Memory
    from memtui.workspace.context import Context
    from memtui.workspace.db.store_rows import StoreRow
    from memtui.workspace.mirror.memory_rows import MirrorRow


def forget(ctx: Context, agent: str, id: int) -> Change:
    """Take a memory out of its store."""
    with _writing(ctx, agent, id) as write:
        return verbs.take_out(acting(ctx, write.agent), "forget", [id])


def confirm(ctx: Context, agent: str, id: int) -> Change:
    """Make a memory surer, as its format does where an agent states one again; raise Refused for one that a
    person has to look at first."""
    with _writing(ctx, agent, id) as write:
        (row,) = memory_rows.load(ctx.db, [id])
        change = restate(ctx, write, row) if row.memory.status in LIVE else None
        if change is None:
            raise wording.needs_a_person(row.memory.status)
        return change


def edit(ctx: Context, agent: str, id: int, content: str) -> Change:
    """Replace what a memory says: whatever refuses a new memory of the agent refuses this one, too."""
    fields: Fields = field_values.cleaned({"content": content}, WRITTEN)
    if not fields["content"].strip():
        raise wording.says_nothing()
    with _writing(ctx, agent, id, fields) as write:
        guards.category(write)
        guards.pattern(write)
        guards.secret(write)
        rules = refusing.listed(ctx)
        if rules and (found := refusing.first_edited(ctx, rules, id, fields)):
            raise wording.by_rule(found.name, write.agent)
        (row,) = memory_rows.load(ctx.db, [id])
        return reword(ctx, write, row, fields["content"], surer=write.rules.edit_confirms)


def may_change(ctx: Context, agent: str, id: int) -> bool:
    """Return whether an agent may change a memory."""
    name = agent_name(agent)
    if not reading.may_read(ctx, name, id):
        return False
    (row,) = memory_rows.load(ctx.db, [id])
    try:
        _asked(ctx, name, row, store_rows.get(ctx.db, row.store_id), {})
    except PolicyRefused:
        return False
    return True


@contextmanager
def _writing(ctx: Context, agent: str, id: int, fields: Fields | None = None) -> Iterator[Asked]:
    """Give the memory as the agent would write it, with these `fields` in place of its own; what a policy
    refuses within is journaled. Raise Refused, as for one that is not there, if the agent may not read it."""
    ctx.writable()
    name = agent_name(agent)
    if not reading.may_read(ctx, name, id):
        raise wording.not_there()
    row = memory_rows.load(ctx.db, [id])[0]
    store = store_rows.get(ctx.db, row.store_id)
    with breaches.journaled(ctx, name, store.name):
        yield _asked(ctx, name, row, store, fields or {})


def _asked(ctx: Context, agent: str, row: MirrorRow, store: StoreRow, fields: Fields) -> Asked:
    if row.memory.owner and row.memory.owner != agent:
        raise wording.others_memory(agent)
    policies = judging.in_store(holding.of(ctx, agent), store.name)
    written = _as_written(row.memory, agent) | fields
    write = Asked(agent, store, written, tuple(policies), row.memory.key or "", rules_of(store))
    guards.scope(write)
    return write


def _as_written(memory: Memory, agent: str) -> Fields:
    given = {name: value for name in WRITTEN if (value := getattr(memory, name))}
    return given | {"owner": agent, "scope": scope_of(memory.scope, memory.owner)}
