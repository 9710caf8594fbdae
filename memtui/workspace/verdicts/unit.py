"""Combining the steps of a verdict into one change: one item per memory, one plan per item (S-42).

The journal, undo and recovery work on items, so all that happens to one memory is one item.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from memtui.errors import Refused
from memtui.formats.contract.adapter import Adapter
from memtui.formats.contract.plans import Plan, Write
from memtui.formats.contract.records import Link
from memtui.formats.media.files import atomic_write
from memtui.values import Fields, FieldValue
from memtui.workspace.changes import planning
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.changes.combined_plan import combined
from memtui.workspace.context import NATIVE, Context
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.journal.items import PSEUDO_FIELDS, RELATION
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.stores import catalog
from memtui.workspace.verdicts import wording

KEEP = "keep"  # the action of a step that memtui alone keeps
TEXTS = ("title", "subject", "key", "content")  # of a memory, on which the verdict is given
_BY_TEXT = ("edit", "supersede", "dismiss")  # actions that depend on a memory's text


@dataclass(slots=True, eq=False)
class Step:
    """One thing that a verdict does to a memory.

    `before` has the former values of `fields`, where they are not the memory's own. If the store refuses the
    step, the `fallback` is done in its place, or nothing if it is `optional`.
    """

    row: MirrorRow
    store: StoreRow
    action: str
    fields: Fields
    before: Fields | None = None
    link: Link | None = None
    verdict: str = ""  # for the store: keep, merge, discard-both
    fallback: Step | None = None
    optional: bool = False
    store_fields: frozenset[str] = frozenset()  # the names of those that go to the store
    result: Plan | Refused | None = None


class Unit:
    """The change items of some steps, in their order."""

    def __init__(self, ctx: Context, steps: Sequence[Step], judged: Collection[int]) -> None:
        """Plan the steps; `judged` are the memories whose text must still be the same when it is done."""
        self._ctx = ctx
        self._judged = judged
        self.left_out: list[Step] = []  # refused, and replaced or omitted
        self.steps = list(steps)
        self._adapters: dict[int, Adapter | None] = {}
        while True:
            for group in _by_store(self.steps):
                self._plan(group)
            replaceable = [
                step
                for step in self.steps
                if isinstance(step.result, Refused) and (step.fallback or step.optional)
            ]
            if not replaceable:
                break
            self.left_out += replaceable
            self.steps = [each for step in self.steps if (each := _replaced(step, replaceable)) is not None]
        self.items = [self._item(group) for group in _by_memory(self.steps)]

    def replan(self, group: Sequence[ChangeItem]) -> None:
        """Plan one store's items again."""
        ids = {item.memory_id or (item.row.id if item.row else 0) for item in group}
        self._plan([step for step in self.steps if step.row.id in ids])
        for item in group:
            assert item.row is not None
            _set_result(item, [step for step in self.steps if step.row.id == item.row.id])

    def _plan(self, steps: Sequence[Step]) -> None:
        """Split the fields of one store's steps into the store's own and those that memtui keeps, and plan
        the store's."""
        store = steps[0].store
        for step in steps:
            step.result = None
        asked = [step for step in steps if step.action != KEEP]
        refused: Refused | None = None
        adapter: Adapter | None = None
        try:
            adapter = self._ctx.adapter(store)
            writes = [(step, write) for step in asked if (write := self._write(adapter, step)) is not None]
            if writes and (locked := catalog.locked_reason(store)):
                raise wording.locked(locked)
            if writes and store.detached_at is not None:
                raise wording.detached(store.name)
            if writes and adapter is not None:
                results = adapter.plan([write for _, write in writes])
                for (step, _), result in zip(writes, results, strict=True):
                    step.result = result
        except Refused as refusal:
            refused = refusal
        except OSError as error:
            refused = atomic_write.refusal(error)
        self._adapters[store.id] = adapter
        for step in asked if refused is not None else ():
            step.result = refused

    def _write(self, adapter: Adapter | None, step: Step) -> Write | None:
        step.store_fields = frozenset()
        if adapter is None:
            return None
        before = dict(_before(step))
        item = ChangeItem(step.row, step.store, before, dict(step.fields), adapter=adapter, link=step.link)
        action = planning.effective_action(adapter, step.action, item)
        in_store = planning.store_fields(adapter, action, item)
        if step.action == "edit" and "times_used" in adapter.restorable_fields:
            in_store |= step.fields.keys() & {"times_used"}
        step.store_fields = frozenset(in_store)
        if not in_store:
            return None
        item.local_fields = {name: value for name, value in step.fields.items() if name not in in_store}
        write = planning.build_write(self._ctx, adapter, action, item, {})
        seen = {name: value for name, value in write.seen.items() if name != "times_used"}
        if step.action in _BY_TEXT:
            names = adapter.fields & set(TEXTS) - step.row.kept.keys()
            seen = {name: getattr(step.row.memory, name) for name in names} | seen
        return replace(write, seen=seen, verdict=step.verdict)

    def _item(self, steps: Sequence[Step]) -> ChangeItem:
        row, store = steps[0].row, steps[0].store
        item = ChangeItem(row, store, {}, {}, adapter=self._adapters.get(store.id), all_or_nothing=True)
        item.depends_on_fields = TEXTS if row.id in self._judged else ()
        for step in steps:
            before = _before(step)
            for name, value in step.fields.items():
                if name == RELATION and name in item.after:
                    item.before[name] = [*_as_list(item.before[name]), *_as_list(before[name])]
                    item.after[name] = [*_as_list(item.after[name]), *_as_list(value)]
                elif name in PSEUDO_FIELDS and name in item.after:
                    item.before[name] = [*(item.before[name] or ()), *(before[name] or ())]
                    item.after[name] = [*(item.after[name] or ()), *(value or ())]
                else:
                    item.before[name], item.after[name] = before[name], value
            item.local_fields |= {n: item.after[n] for n in step.fields if n not in step.store_fields}
        _set_result(item, steps)
        return item


def _set_result(item: ChangeItem, steps: Iterable[Step]) -> None:
    """Give an item the plans of its steps as one, or the first refusal."""
    results = [step.result for step in steps if step.result is not None]
    item.refused = next((result for result in results if isinstance(result, Refused)), None)
    plans = [result for result in results if isinstance(result, Plan)]
    item.plan = combined(plans) if plans and item.refused is None else None


def _before(step: Step) -> Fields:
    if step.before is not None:
        return step.before
    return {name: getattr(step.row.memory, name) for name in step.fields}


def _as_list(value: FieldValue) -> list[FieldValue]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _replaced(step: Step, replaceable: Sequence[Step]) -> Step | None:
    return step.fallback if any(step is each for each in replaceable) else step


def _by_store(steps: Iterable[Step]) -> list[list[Step]]:
    groups: dict[int, list[Step]] = {}
    for step in steps:
        groups.setdefault(step.store.id, []).append(step)
    return list(groups.values())


def _by_memory(steps: Iterable[Step]) -> list[list[Step]]:
    groups: dict[int, list[Step]] = {}
    for step in steps:
        groups.setdefault(step.row.id, []).append(step)
    return list(groups.values())


def is_native(store: StoreRow) -> bool:
    """Return whether a store is memtui's own."""
    return bool(store.format == NATIVE)
