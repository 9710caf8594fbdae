"""The steps of a batch, and the proof that they change what they mean and nothing else (S-4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any

from memtui.errors import Refused
from memtui.formats.contract.adapter import Planned, Reading, Record, clean
from memtui.formats.media.files.draft import Draft, PositionMap
from memtui.memory.encoding import plain

_SOFT = {"created_at", "updated_at", "key"}  # what a change may take along


@dataclass(slots=True)
class Step:
    """One step of a batch: `go` makes its change in the draft; `first`, if any, is tried before it, and
    `other` is another way to the same end, for where that cannot be gone. `asked` are the values that
    a write sets, `whole` all that a record must say that came back to a place that was searched for. One that
    is `apart` changes nothing of its record's own, so that may stand nowhere by now. The `first` way of one
    that `closes` its batch is for all of it: it is gone only where none before it was refused. A record that
    stands for the `entity` of this name stands only where the entity has nothing else. What changes that were
    taken back before had left in `older` records, by ref or anchor, goes along to the known bytes."""

    go: Callable[[Draft], Planned]
    other: Callable[[Draft], Planned] | None = None
    asked: Mapping[str, Any] = field(default_factory=dict)
    whole: Mapping[str, Any] | None = None
    first: Callable[[Draft], Planned] | None = None
    apart: bool = False
    closes: bool = False
    entity: str = ""
    older: frozenset[str] = frozenset()

    def less(self) -> Iterator[Step]:
        """The step again without the ways that were tried."""
        if self.first is not None:
            yield Step(self.go, self.other, self.asked)
        if self.other is not None:
            yield Step(self.other)


def take_all(
    draft: Draft, steps: Sequence[Step], before: Sequence[Planned | Refused]
) -> list[Planned | Refused]:
    """Take steps one after the other; `before` is what came of those before them."""
    out: list[Planned | Refused] = []
    whole = not any(isinstance(answer, Refused) for answer in before)
    for step in steps:
        out.append(take(draft, step, whole=whole))
        whole = whole and not isinstance(out[-1], Refused)
    return out


def take(draft: Draft, step: Step, *, whole: bool = True) -> Planned | Refused:
    """Take a step, the other way where the first is gone; a refusal leaves the draft as it was. `whole`
    tells whether all of the batch before it went."""
    if step.first is not None and (whole or not step.closes):
        try:
            return step.first(draft)
        except Refused:
            draft.drop_edits()
    try:
        return step.go(draft)
    except Refused as refusal:
        draft.drop_edits()
        if step.other is None or refusal.code != "changed-since":
            return refusal
    return take(draft, Step(step.other))


def settled(
    before: Reading,
    after: Reading,
    shifts: PositionMap,
    plans: Sequence[Planned | Refused],
    steps: Sequence[Step],
) -> tuple[list[Planned | Refused], str]:
    """The plans with their `ref_after` as the files read `after` them, and what is wrong with that."""
    moved = moves(before, after, shifts, [plan for plan in plans if isinstance(plan, Planned)])
    kept = set(moved.values())
    fresh = {record.ref: record for record in after.records if record.ref not in kept}
    makers = {id(e): i for i, p in enumerate(plans) if isinstance(p, Planned) for e in p.edits}
    made: dict[int, str] = {}
    for record in fresh.values():
        edit = shifts.maker(record.at)
        if edit is not None and id(edit) in makers:
            made.setdefault(makers[id(edit)], record.ref)
    now = {record.ref: record for record in after.records}
    out: list[Planned | Refused] = []
    trouble = ""
    for index, plan in enumerate(plans):
        if isinstance(plan, Planned) and plan.removed is None:
            ref = moved.get(plan.ref or "")
            if ref is None:
                ref = plan.ref_after if plan.ref_after in fresh else made.get(index)
            missing = ref is None and not _goes_on(plan, plans[index + 1 :])
            if missing and not steps[index].apart and not _stands_otherwise(after, steps[index].entity):
                trouble = "it would not read back as the memory that it is"
            plan = replace(plan, ref_after=ref or plan.ref_after)
            if ref is not None and ref in now:
                plan = replace(plan, left=mark_of(now[ref]))
                whole = steps[index].whole
                came = whole is None or _goes_on(plan, plans[index + 1 :])
                if not came and plain(dict(now[ref].fields)) != plain(dict(whole or {})):
                    trouble = "its old place cannot be told"
            fresh.pop(ref or "", None)
        out.append(plan)
    good = [plan for plan in out if isinstance(plan, Planned)]
    older = frozenset().union(*(step.older for step in steps[: len(plans)]))
    strays = _strays(before, now, moved, good, older)
    strays += [r.place or r.ref for r in fresh.values() if not r.bare]
    if strays:
        trouble = f"it would also have changed {', '.join(strays[:3])}"
    again: dict[str | None, set[str]] = {}  # what later plans set again, by record
    wide: set[str] = set()
    for index, plan in reversed(list(enumerate(out))):
        if not isinstance(plan, Planned) or not steps[index].asked:
            continue
        over = wide | again.get(plan.ref, set()) | again.get(plan.ref_after, set())
        asked = {name: value for name, value in steps[index].asked.items() if name not in over}
        if plan.ref_after in now and not _says(now[plan.ref_after], asked):
            trouble = "it would not read back as what was asked"
        wide |= set(plan.changes) if plan.also else set()
        again.setdefault(plan.ref, set()).update(plan.changes)
    return out, trouble


def _stands_otherwise(after: Reading, entity: str) -> bool:
    """Whether an entity has memories of its own, so that no record stands for it."""
    return bool(entity) and any(
        not record.bare and record.fields.get("subject") == entity for record in after.records
    )


def moves(before: Reading, after: Reading, shifts: PositionMap, plans: Sequence[Planned]) -> dict[str, str]:
    """Which record of `before` is which of `after`: by where its first byte went. Where that would have
    changed records that no plan means, bytes went past each other: then those are what they said."""
    standing = {record.at: record for record in after.records}
    named = {plan.ref for plan in plans}
    beside: dict[str, set[str]] = {}
    for plan in plans:
        for anchor in plan.also:
            beside.setdefault(anchor, set()).update(plan.changes)
    moved: dict[str, str] = {}
    wrong: list[Record] = []
    for record in before.records:
        at = shifts.where(record.at)
        now = standing.get(at) if at is not None else None
        if now is not None:
            moved[record.ref] = now.ref
        if record.ref in named or (now is not None and now.fields == record.fields):
            continue
        may = beside.get(record.anchor, set())
        if now is None or any(
            name not in may and record.fields.get(name) != now.fields.get(name)
            for name in record.fields.keys() | now.fields.keys()
        ):
            wrong.append(record)
    return _by_what_they_say(before, after, moved, wrong, plans, beside) if wrong else moved


def _by_what_they_say(
    before: Reading,
    after: Reading,
    moved: dict[str, str],
    wrong: Sequence[Record],
    plans: Sequence[Planned],
    beside: Mapping[str, Set[str]],
) -> dict[str, str]:
    """The same, where the `wrong` records are those that say what these said, but for what plans change of
    all that is `beside` theirs, by anchor."""

    def said(record: Record) -> str:
        own = record.fields.keys() - beside.get(record.anchor, set())
        return mark_of(replace(record, fields={name: record.fields[name] for name in own}))

    lost = {record.ref for record in wrong} | {plan.ref for plan in plans}
    taken = {ref for old, ref in moved.items() if old not in lost}
    free = {record.ref: record for record in after.records if record.ref not in taken}
    out = {old: ref for old, ref in moved.items() if old not in lost}
    by_mark: dict[str, list[str]] = {}
    for record in free.values():
        by_mark.setdefault(said(record), []).append(record.ref)
    for record in wrong:
        same = by_mark.get(said(record), [])
        if same:
            ref = record.ref if record.ref in same else same[0]
            same.remove(ref)
            out[record.ref] = ref
            del free[ref]
    # What plans mean, and what is really another now: where the bytes went, or what the plan calls it, or
    # the text itself, where only what it shares with others changes.
    meant = {record.ref: said(record) for record in before.records if record.ref in lost}
    for plan in plans:
        same = by_mark.get(meant.get(plan.ref or "", ""), [])
        places = (moved.get(plan.ref or ""), plan.ref_after, *same)
        place = next((each for each in places if each is not None and each in free), None)
        if plan.ref is not None and place is not None:
            out[plan.ref] = place
            del free[place]
    for record in wrong:
        if record.ref not in out and moved.get(record.ref) in free:
            out[record.ref] = moved[record.ref]
            del free[moved[record.ref]]
    return out


def _strays(
    before: Reading,
    now: Mapping[str, Record],
    moved: Mapping[str, str],
    plans: Sequence[Planned],
    older: Set[str],
) -> list[str]:
    """The records that are not as they were, beyond what the plans say; but for `older` ones."""
    leave = {plan.ref for plan in plans if plan.removed is not None}
    named: dict[str | None, set[str]] = {}
    beside: dict[str, set[str]] = {}
    for plan in plans:
        named.setdefault(plan.ref, set()).update(plan.changes)
        for anchor in plan.also:
            beside.setdefault(anchor, set()).update(plan.changes)
    strays = []
    for record in before.records:
        left = now.get(moved.get(record.ref, ""))
        if record.ref in older or record.anchor in older:
            continue
        if left is None:
            if record.ref not in named and record.ref not in leave and not record.bare:
                strays.append(record.place or record.ref)
            continue
        if left.fields == record.fields:
            continue
        may = beside.get(record.anchor, set()) | beside.get(left.anchor, set())
        if record.ref in named:
            may = may | named[record.ref] | _SOFT
        names = record.fields.keys() | left.fields.keys()
        if any(name not in may and record.fields.get(name) != left.fields.get(name) for name in names):
            strays.append(record.place or record.ref)
    return strays


def _goes_on(plan: Planned, later: Sequence[Planned | Refused]) -> bool:
    """Whether a later plan of the batch changes the same record again."""
    mine = {plan.ref, plan.ref_after} - {None}
    return any(isinstance(other, Planned) and other.ref in mine for other in later)


def _says(record: Record, asked: Mapping[str, Any]) -> bool:
    """Whether a record says what was asked, but for spaces, where its store has these fields."""
    return all(
        _words(record.fields[name]) == _words(value)
        for name, value in asked.items()
        if isinstance(value, str) and value and name in record.fields
    )


def _words(value: Any) -> list[str]:
    return clean(str(value or "")).split()


def mark_of(record: Record) -> str:
    """A mark of what a record says, whatever its number among equal ones."""
    return replace(record, ref="", anchor="").digest


def touched(before: Reading, draft: Draft) -> str | None:
    """The record in whose line the draft's pending change lies, the last that begins before it."""
    best: tuple[int, str] | None = None
    for name, start in draft.pending():
        line = draft.files[name].rfind(b"\n", 0, start) + 1
        for record in before.records:
            at = draft.shifts.where(record.at) if record.at[0] == name else None
            if at is not None and line <= at[1] <= start and (best is None or at[1] >= best[0]):
                best = at[1], record.ref
    return best[1] if best else None
