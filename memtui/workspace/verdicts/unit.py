"""What a verdict does to each memory, put together to one unit: one piece a memory, one plan a piece (S-42).

A piece is what the journal, undo and recovery know; so all that happens to one memory is one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from memtui.errors import Refused
from memtui.formats.contract.adapter import Adapter, Link, Planned, Write
from memtui.formats.media.files import atomic_write
from memtui.workspace.changes import planning
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.context import NATIVE, Context
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.journal.items import NO_FIELDS, RELATION
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.stores import catalog

KEEP = "keep"  # the action of a step that is memtui's alone
SAYS = ("title", "subject", "key", "content")  # what a person read of a memory before the verdict
_JUDGED = ("edit", "supersede", "dismiss")  # done to a memory for what it says


@dataclass(slots=True, eq=False)
class Step:
    """One thing that happens to a memory. `before` is what its `fields` said where they are none of the
    memory's own; where its store refuses it, `instead` is done, or nothing if it is `optional`."""

    held: MirrorRow
    store: StoreRow
    action: str
    fields: dict[str, Any]
    before: dict[str, Any] | None = None
    link: Link | None = None
    verdict: str = ""
    instead: Step | None = None
    optional: bool = False
    theirs: frozenset[str] = frozenset()  # the fields that go to the store
    answer: Planned | Refused | None = None


class Unit:
    """The pieces of some steps, in their order, and how to plan them anew."""

    def __init__(self, ctx: Context, steps: Sequence[Step], judged: Collection[int]) -> None:
        """`judged` are the memories that must still say what was read when it is done."""
        self._ctx = ctx
        self._judged = judged
        self.left_out: list[Step] = []
        self.steps = list(steps)
        self._adapters: dict[int, Adapter | None] = {}
        while True:
            for group in _by_store(self.steps):
                self._plan(group)
            soft = [step for step in self.steps if _is_refused(step) and (step.instead or step.optional)]
            if not soft:
                break
            self.left_out += soft
            self.steps = [each for step in self.steps if (each := _otherwise(step, soft)) is not None]
        self.pieces = [self._piece(each) for each in _by_memory(self.steps)]

    def again(self, group: Sequence[ChangeItem]) -> None:
        """Plan one store's pieces anew."""
        ids = {piece.memory_id or (piece.held.id if piece.held else 0) for piece in group}
        self._plan([step for step in self.steps if step.held.id in ids])
        for piece in group:
            assert piece.held is not None
            self._answer(piece, [step for step in self.steps if step.held.id == piece.held.id])

    def _plan(self, steps: Sequence[Step]) -> None:
        """Part the fields of one store's steps into its own and ours, and plan the store's."""
        store = steps[0].store
        for step in steps:
            step.answer = None
        asked = [step for step in steps if step.action != KEEP]
        why: Refused | None = None
        adapter: Adapter | None = None
        try:
            adapter = self._ctx.adapter(store)
            writes = [(step, write) for step in asked if (write := self._write(adapter, step)) is not None]
            if writes and (locked := catalog.locked(store)):
                raise Refused("read-only", locked, "Nothing was changed.")
            if writes and store.detached_at is not None:
                raise Refused("detached", f"{store.name} is detached.", "Attach it again first.")
            if writes and adapter is not None:
                for (step, _), answer in zip(writes, adapter.plan([w for _, w in writes]), strict=True):
                    step.answer = answer
        except Refused as refusal:
            why = refusal
        except OSError as trouble:
            why = atomic_write.refusal(trouble)
        self._adapters[store.id] = adapter
        for step in asked if why is not None else ():
            step.answer = why

    def _write(self, adapter: Adapter | None, step: Step) -> Write | None:
        step.theirs = frozenset()
        if adapter is None:
            return None
        piece = _piece(step, adapter)
        action = planning._as_done(adapter, step.action, piece)
        theirs = planning._theirs(adapter, action, piece)
        if step.action == "edit" and "times_used" in adapter.restorable_fields:
            theirs |= step.fields.keys() & {"times_used"}
        step.theirs = frozenset(theirs)
        if not theirs:
            return None
        piece.ours = {name: value for name, value in step.fields.items() if name not in theirs}
        write = planning._write(self._ctx, adapter, action, piece, {})
        seen = {name: value for name, value in write.seen.items() if name != "times_used"}
        if step.action in _JUDGED:
            names = adapter.fields & set(SAYS) - step.held.kept.keys()
            seen = {name: getattr(step.held.memory, name) for name in names} | seen
        return replace(write, seen=seen, verdict=step.verdict)

    def _piece(self, steps: Sequence[Step]) -> ChangeItem:
        held, store = steps[0].held, steps[0].store
        piece = ChangeItem(held, store, {}, {}, adapter=self._adapters.get(store.id), whole=True)
        piece.depends_on_fields = SAYS if held.id in self._judged else ()
        for step in steps:
            before = _before(step)
            for name, value in step.fields.items():
                if name == RELATION and name in piece.after:
                    piece.before[name] = [*_listed(piece.before[name]), *_listed(before[name])]
                    piece.after[name] = [*_listed(piece.after[name]), *_listed(value)]
                elif name in NO_FIELDS and name in piece.after:
                    piece.before[name] = [*(piece.before[name] or ()), *(before[name] or ())]
                    piece.after[name] = [*(piece.after[name] or ()), *(value or ())]
                else:
                    piece.before[name], piece.after[name] = before[name], value
            piece.ours |= {n: piece.after[n] for n in step.fields if n not in step.theirs}
        self._answer(piece, steps)
        return piece

    def _answer(self, piece: ChangeItem, steps: Iterable[Step]) -> None:
        answers = [step.answer for step in steps if step.answer is not None]
        piece.refused = next((each for each in answers if isinstance(each, Refused)), None)
        plans = [each for each in answers if isinstance(each, Planned)]
        piece.plan = _one(plans) if plans and piece.refused is None else None


def _one(plans: Sequence[Planned]) -> Planned:
    """Plans for one memory, one after the other, as one."""
    last = plans[-1]
    return Planned(
        plans[0].ref,
        last.ref_after,
        tuple(edit for plan in plans for edit in plan.edits),
        "; ".join(dict.fromkeys(plan.words for plan in plans if plan.words)),
        tuple(dict.fromkeys(each for plan in plans for each in plan.also)),
        tuple(dict.fromkeys(each for plan in plans for each in plan.changes)),
        last.left,
        last.removed,
    )


def _piece(step: Step, adapter: Adapter | None) -> ChangeItem:
    return ChangeItem(
        step.held, step.store, _before(step), dict(step.fields), adapter=adapter, link=step.link
    )


def _before(step: Step) -> dict[str, Any]:
    if step.before is not None:
        return step.before
    return {name: getattr(step.held.memory, name) for name in step.fields}


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _is_refused(step: Step) -> bool:
    return isinstance(step.answer, Refused)


def _otherwise(step: Step, soft: Sequence[Step]) -> Step | None:
    return step.instead if any(step is each for each in soft) else step


def _by_store(steps: Iterable[Step]) -> list[list[Step]]:
    groups: dict[int, list[Step]] = {}
    for step in steps:
        groups.setdefault(step.store.id, []).append(step)
    return list(groups.values())


def _by_memory(steps: Iterable[Step]) -> list[list[Step]]:
    groups: dict[int, list[Step]] = {}
    for step in steps:
        groups.setdefault(step.held.id, []).append(step)
    return list(groups.values())


def is_native(store: StoreRow) -> bool:
    """Whether a store is our own."""
    return bool(store.format == NATIVE)
