"""Running the steps of a batch in a draft, and proving that they change what they should and nothing else
(S-4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from memtui.errors import Refused
from memtui.formats.contract.plans import Plan, Write
from memtui.formats.contract.records import Reading, Record, clean
from memtui.formats.media.files import wording
from memtui.formats.media.files.draft import Draft
from memtui.formats.media.files.position_map import PositionMap
from memtui.formats.media.files.record_matching import changed_by_accident, content_digest, match_records
from memtui.memory.encoding import plain
from memtui.values import FieldValue

MakeChange = Callable[[Draft], Plan]
Answers = list[Plan | Refused]


@dataclass(slots=True)
class Step:
    """One step of a batch: `run` makes its change in the draft.

    `preferred`, if any, is tried first; with `for_batch` it stands for the whole batch and is only tried if
    no earlier step was refused. `fallback` leads to the same result where `run` is refused as changed since.
    """

    run: MakeChange
    fallback: MakeChange | None = None
    requested: Mapping[str, FieldValue] = field(default_factory=dict)  # values that the write sets
    # All that a restored record must contain, where its old place had to be searched for.
    expected: Mapping[str, FieldValue] | None = None
    preferred: MakeChange | None = None
    detached: bool = False  # changes nothing in the record itself, which may be gone by now
    for_batch: bool = False
    entity: str = ""  # the record is the placeholder of this entity: it exists only while that is empty
    # Refs or anchors of records that go back to known bytes together with what undone changes left in them.
    reverted_refs: frozenset[str] = frozenset()

    def alternatives(self) -> Iterator[Step]:
        """Yield the step without the ways that were tried already."""
        if self.preferred is not None:
            yield Step(self.run, self.fallback, self.requested)
        if self.fallback is not None:
            yield Step(self.fallback)


def write_step(
    write: Write,
    by_ref: Mapping[str, Record],
    on_top: Callable[[Draft, Mapping[str, Record], Write], Write],
    plan: Callable[[Draft, Mapping[str, Record], Write], Plan],
) -> Step:
    """Return the step of a write; `on_top` adapts it to the earlier writes of its batch, `plan` makes it."""

    def run(draft: Draft) -> Plan:
        current = on_top(draft, by_ref, write)
        step.requested = current.fields
        return plan(draft, by_ref, current)

    step = Step(run, requested=write.fields)
    return step


class Batch:
    """Runs steps, each on top of those before it, and reads the result back.

    `parse` returns the content of files, `check` (before, after, anchors restored) a problem with the store
    as a whole, or "". A step that cannot be proved right is refused with `code`.
    """

    def __init__(
        self,
        before: Reading,
        draft: Draft,
        steps: Sequence[Step],
        code: str,
        parse: Callable[[Mapping[str, bytes]], Reading],
        check: Callable[[Reading, Reading, set[str]], str],
    ) -> None:
        self._before = before
        self._draft = draft
        self._steps = steps
        self._code = code
        self._parse = parse
        self._check = check
        self._done: Answers = []

    def run(self) -> Answers:
        """Return for each step its plan or the refusal."""
        verified = self._run(self._steps) if self._steps else None
        return verified if verified is not None else self._verify(self._done)[0]

    def _run(self, steps: Sequence[Step]) -> Answers | None:
        """Run some steps; return all verified answers so far, where they are known.

        If the result is wrong, halves of the steps are tried, down to the step that is to blame.
        """
        draft, savepoint = self._draft, self._draft.savepoint()
        answers = _run_all(draft, steps, self._done)
        verified, problem = self._verify(self._done + answers)
        if problem:
            draft.roll_back(savepoint)
        if problem and len(steps) > 1:
            self._run(steps[: len(steps) // 2])
            return self._run(steps[len(steps) // 2 :])
        for step in steps[0].alternatives() if problem else ():
            answer = run_step(draft, step)
            if isinstance(answer, Refused) and answer.code == "changed-since":
                continue  # the problem of the first way explains more
            answers = [answer]
            verified, problem = self._verify(self._done + answers)
            if not problem:
                break
            draft.roll_back(savepoint)
        self._done.extend([wording.not_reproducible(self._code, problem)] if problem else answers)
        return None if problem else verified

    def _verify(self, answers: Answers) -> tuple[Answers, str]:
        after = self._parse(self._draft.files)
        out, problem = verify(self._before, after, self._draft.position_map, answers, self._steps)
        restored = {
            anchor
            for plan in out
            if isinstance(plan, Plan) and plan.ref is None
            for anchor in plan.affected_anchors
        }
        if any(step.reverted_refs for step in self._steps[: len(answers)]):  # the store was like that before
            return out, problem
        return out, problem or self._check(self._before, after, restored)


def _run_all(draft: Draft, steps: Sequence[Step], before: Answers) -> Answers:
    """Run steps one after the other; `before` are the answers of earlier steps of the batch."""
    out: Answers = []
    complete = not any(isinstance(answer, Refused) for answer in before)
    for step in steps:
        out.append(run_step(draft, step, complete=complete))
        complete = complete and not isinstance(out[-1], Refused)
    return out


def run_step(draft: Draft, step: Step, *, complete: bool = True) -> Plan | Refused:
    """Run a step; a refusal leaves the draft unchanged. `complete` tells that no earlier step was refused."""
    if step.preferred is not None and (complete or not step.for_batch):
        try:
            return step.preferred(draft)
        except Refused:
            draft.drop_edits()
    try:
        return step.run(draft)
    except Refused as refusal:
        draft.drop_edits()
        if step.fallback is None or refusal.code != "changed-since":
            return refusal
    return run_step(draft, Step(step.fallback))


def verify(
    before: Reading,
    after: Reading,
    positions: PositionMap,
    answers: Sequence[Plan | Refused],
    steps: Sequence[Step],
) -> tuple[Answers, str]:
    """Return the answers with `ref_after` and `digest_after` as the files read now, and what is wrong with
    the result ("" if nothing is)."""
    matched = match_records(before, after, positions, [p for p in answers if isinstance(p, Plan)])
    now = {record.ref: record for record in after.records}
    kept = set(matched.values())
    added = {ref: record for ref, record in now.items() if ref not in kept}
    added_by = _added_by(added.values(), positions, answers)
    out: Answers = []
    problem = ""
    for index, plan in enumerate(answers):
        if isinstance(plan, Plan) and plan.removed_fields is None:
            ref = matched.get(plan.ref or "")
            if ref is None:
                ref = plan.ref_after if plan.ref_after in added else added_by.get(index)
            step, later = steps[index], answers[index + 1 :]
            missing = ref is None and not _is_changed_again(plan, later) and not step.detached
            if missing and not _has_observations(after, step.entity):
                problem = wording.NOT_THE_MEMORY
            plan = replace(plan, ref_after=ref or plan.ref_after)
            if ref is not None and ref in now:
                plan = replace(plan, digest_after=content_digest(now[ref]))
                restored = step.expected is None or _is_changed_again(plan, later)
                if not restored and plain(dict(now[ref].fields)) != plain(dict(step.expected or {})):
                    problem = wording.OLD_PLACE_UNKNOWN
            added.pop(ref or "", None)
        out.append(plan)
    plans = [plan for plan in out if isinstance(plan, Plan)]
    reverted = frozenset().union(*(step.reverted_refs for step in steps[: len(answers)]))
    places = changed_by_accident(before, now, matched, plans, reverted)
    places += [r.place or r.ref for r in added.values() if not r.placeholder]
    if places:
        problem = wording.OTHERS_CHANGED.format(places=", ".join(places[:3]))
    return out, _unfulfilled(out, steps, now) or problem


def _added_by(
    added: Iterable[Record], positions: PositionMap, answers: Sequence[Plan | Refused]
) -> dict[int, str]:
    """Return the ref of the first added record whose bytes a plan wrote, by the plan's index."""
    index_of = {id(e): i for i, p in enumerate(answers) if isinstance(p, Plan) for e in p.edits}
    out: dict[int, str] = {}
    for record in added:
        edit = positions.edit_at(record.position)
        if edit is not None and id(edit) in index_of:
            out.setdefault(index_of[id(edit)], record.ref)
    return out


def _unfulfilled(answers: Answers, steps: Sequence[Step], now: Mapping[str, Record]) -> str:
    """Return a problem if a record does not have the values that were requested for it."""
    problem = ""
    overwritten: dict[str | None, set[str]] = {}  # fields that later plans set again, by ref
    for_all: set[str] = set()  # likewise of all records of an anchor
    for index, plan in reversed(list(enumerate(answers))):
        if not isinstance(plan, Plan) or not steps[index].requested:
            continue
        ignored = for_all | overwritten.get(plan.ref, set()) | overwritten.get(plan.ref_after, set())
        requested = {n: value for n, value in steps[index].requested.items() if n not in ignored}
        record = now.get(plan.ref_after or "")
        if record is not None and not _has_values(record, requested):
            problem = wording.NOT_AS_ASKED
        for_all |= set(plan.changed_fields) if plan.affected_anchors else set()
        overwritten.setdefault(plan.ref, set()).update(plan.changed_fields)
    return problem


def _has_observations(after: Reading, entity: str) -> bool:
    """Return whether an entity has memories of its own, so that it has no placeholder."""
    return bool(entity) and any(
        not record.placeholder and record.fields.get("subject") == entity for record in after.records
    )


def _is_changed_again(plan: Plan, later: Sequence[Plan | Refused]) -> bool:
    """Return whether a later plan of the batch changes the same record."""
    own = {plan.ref, plan.ref_after} - {None}
    return any(isinstance(other, Plan) and other.ref in own for other in later)


def _has_values(record: Record, requested: Mapping[str, FieldValue]) -> bool:
    """Return whether a record has the requested texts, apart from spaces, where its store has these
    fields."""
    return all(
        _words(record.fields[name]) == _words(value)
        for name, value in requested.items()
        if isinstance(value, str) and value and name in record.fields
    )


def _words(value: FieldValue) -> list[str]:
    return clean(str(value or "")).split()
