"""What an agent's write meets in its store: a memory that says the same, and those of its key."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memtui.formats.contract.incoming import Effect
from memtui.memory.contradictions.pairs import CONTRADICTION, DUPLICATE
from memtui.memory.memory import LIVE
from memtui.memory.policies import judging
from memtui.memory.policies import wording as policy_wording
from memtui.memory.policies.policy import scope_of
from memtui.values import Fields
from memtui.workspace.contradictions.compared import fingerprint
from memtui.workspace.contradictions.incoming import Clash, Incoming
from memtui.workspace.mirror import memory_rows
from memtui.workspace.policies import reading
from memtui.workspace.remember import wording
from memtui.workspace.remember.asked import Asked

if TYPE_CHECKING:
    from memtui.workspace.context import Context
    from memtui.workspace.mirror.memory_rows import MirrorRow

_KEY = "key"  # the kind of a contradiction between two values of one key
_IN_STORE = "m.store_id = ? AND m.removed_at IS NULL AND m.kind = ?"
_OWN = "(m.owner = ? OR (? AND coalesce(m.owner, '') = ''))"
# What nobody owns is everybody's, in whatever scope an agent says it.
_IN_SCOPE = f"(coalesce(m.owner, '') = '' OR {reading.COUNTS_IN})"
_SAME = (
    f"SELECT m.id FROM memories m WHERE {_IN_STORE} AND m.live = 1 AND {_OWN} AND m.content = ? "
    f"AND {_IN_SCOPE} ORDER BY m.id"
)
_KEYED = (
    f"SELECT m.id, m.key FROM memories m WHERE {_IN_STORE} AND m.live = 1 AND {_OWN} "
    "AND m.key <> '' AND (? OR m.key = ?)"
)
_SHARED = f"SELECT m.id, m.key FROM memories m WHERE {_IN_STORE} AND m.key = ?"


@dataclass(frozen=True, slots=True)
class Meeting:
    """What a write does, and to which memories of its store: those that it reinforces, replaces or
    supersedes, else those whose key it has. `clashes` are what it contradicts or nearly repeats anywhere, of
    what the agent may read: as a whole, and for a summary with each of its facts."""

    effect: Effect
    there: tuple[MirrorRow, ...] = ()
    clashes: tuple[Clash, ...] = ()

    @property
    def clash(self) -> Clash | None:
        """The first of them, of which the agent is told."""
        return next(iter(self.clashes), None)

    @property
    def changes(self) -> MirrorRow | None:
        """The memory that is changed instead of one that is added."""
        return self.there[0] if self.effect in (Effect.REINFORCES, Effect.REPLACES) else None


def meeting(ctx: Context, write: Asked) -> Meeting:
    """Return what a write meets. Raise PolicyRefused for a key whose one memory is out of use, another
    agent's, or in a scope that this one may not write."""
    if write.rules.shared_keys and write.text("key"):
        return _at_shared_key(ctx, write)
    keyed = _of_key(ctx, write)
    if same := _same(ctx, write, keyed):
        return Meeting(Effect.REINFORCES, (same,))
    keyed = [row for row in keyed if row.memory.status not in write.rules.waiting]
    effect = write.rules.effect_on(write.fields, [row.memory for row in keyed]) if keyed else Effect.ADDS
    near = _near(ctx, write, set())
    if near is not None and near.family == DUPLICATE and (repeated := _repeated(ctx, write, near)):
        return Meeting(Effect.REINFORCES, (repeated,))
    if effect is Effect.REPLACES and near is not None and near.id == keyed[0].id:
        near = None
    if near is None and keyed and (effect is not Effect.REPLACES) and write.rules.records_contradictions:
        near = Clash(keyed[-1].id, CONTRADICTION, _KEY, wording.OTHER_VALUE)
    clashes = [near] if near is not None else []
    return Meeting(effect, tuple(keyed), (*clashes, *_of_facts(ctx, write, clashes)))


def told(ctx: Context, clash: Clash | None) -> tuple[str, str, str]:
    """Return what an agent is told of that: the uid, "contradiction" or "duplicate", and why."""
    if clash is None:
        return "", "", ""
    return memory_rows.load(ctx.db, [clash.id])[0].memory.uid, clash.family, clash.reason


def _at_shared_key(ctx: Context, write: Asked) -> Meeting:
    found = ctx.db.rows(_SHARED, (write.store.id, write.kind, write.text("key")))
    rows = memory_rows.load(ctx.db, [int(id) for id, _ in found])
    if not rows:
        near = _near(ctx, write, set())
        return Meeting(Effect.ADDS, (), (near,) if near is not None else ())
    memory = rows[0].memory
    if not reading.may_read(ctx, write.agent, rows[0].id):
        return Meeting(Effect.ADDS)  # the store says that the key is taken, and nothing else is told
    if memory.owner and memory.owner != write.agent:
        raise policy_wording.others_memory(write.agent)
    scope = scope_of(memory.scope, memory.owner)
    if policy := judging.against_scope(write.policies, scope):
        raise policy_wording.scope_refused(policy.name, write.agent, scope, policy.write or ())
    if memory.status not in LIVE:
        raise policy_wording.out_of_use(write.agent, memory.status)
    near = _near(ctx, write, set())
    if near is not None and near.id == rows[0].id and near.family == DUPLICATE:
        near = _near(ctx, write, {near.id})
    return Meeting(Effect.REPLACES, tuple(rows[:1]), (near,) if near is not None else ())


def _of_key(ctx: Context, write: Asked) -> list[MirrorRow]:
    """Return the agent's own live memories of the key that it names, as far as it may read them."""
    key = write.text("key")
    if not key:
        return []
    where = (write.store.id, write.kind, write.agent, write.kind not in write.rules.owned_kinds)
    found = ctx.db.rows(_KEYED, (*where, write.rules.similar_keys, key))
    ids = [int(id) for id, other in found if write.rules.is_same_key(key, str(other))]
    return _changeable(ctx, write, ids)


def _changeable(ctx: Context, write: Asked, ids: Sequence[int]) -> list[MirrorRow]:
    """Return those of these memories that the agent may read, in scopes that it may write."""
    rows = memory_rows.load(ctx.db, sorted(reading.readable(ctx, write.agent, ids)))
    scopes = [scope_of(row.memory.scope, row.memory.owner) for row in rows]
    allowed = [judging.against_scope(write.policies, scope) is None for scope in scopes]
    return [row for row, may in zip(rows, allowed, strict=True) if may]


def _same(ctx: Context, write: Asked, keyed: list[MirrorRow]) -> MirrorRow | None:
    """Return the agent's own memory that says this already: under this key, if it names one, and in this
    scope."""
    content = write.text("content")
    where = (write.store.id, write.kind, write.agent, write.kind not in write.rules.owned_kinds)
    if write.text("key"):
        mark = fingerprint(content)
        equal = [row.id for row in keyed if row.memory.content == content or _says(row, mark)]
        sql = f"SELECT m.id FROM memories m WHERE m.id = ? AND {_IN_SCOPE}"
        ids = [id for id in equal if ctx.db.rows(sql, (id, write.scope))]
    else:
        ids = [int(id) for (id,) in ctx.db.rows(_SAME, (*where, content, write.scope))]
    return next(iter(_changeable(ctx, write, ids)), None)


def _says(row: MirrorRow, mark: int | None) -> bool:
    return mark is not None and fingerprint(row.memory.content) == mark


def _of_facts(ctx: Context, write: Asked, known: Sequence[Clash]) -> list[Clash]:
    """Return what the facts of a summary contradict, each once, beside what is known already."""
    found: list[Clash] = []
    about = {name: write.fields.get(name) for name in ("owner", "subject")}
    for fact in write.fields.get("key_facts") or ():
        ids = {each.id for each in (*known, *found)}
        clash = _near(ctx, write, ids, {**about, "content": fact})
        if clash is not None and clash.family == CONTRADICTION:
            found.append(clash)
    return found


def _near(ctx: Context, write: Asked, hidden: Set[int], fields: Fields | None = None) -> Clash | None:
    """Return what it contradicts or nearly repeats, of what the agent may read: both are kept, and Review
    offers to merge them. `fields` are those of a part of it."""
    incoming, skipped = Incoming(ctx), set(hidden)
    while clash := incoming.clash(fields or write.fields, skipped):
        if reading.may_read(ctx, write.agent, clash.id):
            return clash
        skipped.add(clash.id)
    return None


def _repeated(ctx: Context, write: Asked, near: Clash) -> MirrorRow | None:
    """Return the memory that it nearly repeats, where the format takes it for that memory again."""
    (row,) = memory_rows.load(ctx.db, [near.id])
    if row.store_id != write.store.id or row.memory.kind != write.kind:
        return None
    is_own = not row.memory.owner or row.memory.owner == write.agent
    repeats = is_own and write.kind in write.rules.kinds_that_repeat
    return row if repeats and _changeable(ctx, write, [row.id]) else None
