"""Stores made of files: byte-exact changes, atomic replacement, undo (S-4, S-6, S-7, S-51).

A format says what its bytes mean (`load`, `parse`) and how one change looks in them
(`revise`, on a Draft). Everything else is here, once: working plans out (proved by `batch.py`),
writing, judging a cut-off write (`edits.py`), taking one back, keeping plans (`plans.py`).
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memtui.errors import Conflict, NotSaved, Refused
from memtui.formats.contract.adapter import (
    Adapter,
    How,
    Planned,
    PriorWrites,
    Reading,
    Receipt,
    Record,
    Standing,
    Write,
    clean,
    unlike,
)
from memtui.formats.media.files import atomic_write, batch, folders, raw_checks
from memtui.formats.media.files import exact_undo as past
from memtui.formats.media.files.batch import Step, mark_of, moves, take, take_all, touched
from memtui.formats.media.files.draft import Draft, FileEdit, PositionMap, changed_since, undo_edit
from memtui.formats.media.files.edit_application import (
    applied,
    by_file,
    completed,
    digest_of,
    made_in,
    modes_of,
)
from memtui.formats.media.files.plan_codec import dumped, loaded
from memtui.formats.media.files.rename_undo import take_back
from memtui.memory.stores import Finding

if TYPE_CHECKING:
    from memtui.formats.slips import Slip

NEW = 0o600  # permission bits of a file that nothing else is known of
_KEPT = 3  # readings of one store: before a change, after it, and one that was tried between


class FileStore(Adapter):
    """An adapter over files. A format adds load, parse, revise, recognise and supports."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self._readings: list[tuple[dict[str, bytes], Reading, bool]] = []

    @abstractmethod
    def load(self) -> tuple[dict[str, bytes], dict[str, int]]:
        """All files of the store by name, and their permission bits."""

    @abstractmethod
    def parse(self, files: Mapping[str, bytes]) -> Reading:
        """What the bytes say. Pure."""

    def parse_records(self, files: Mapping[str, bytes]) -> Reading:
        """The same where nothing but the records is asked for."""
        return self.parse(files)

    @abstractmethod
    def revise(self, draft: Draft, record: Record | None, write: Write) -> None:
        """Make one change in the draft; `record` is None for add. Raises Refused.

        Adds to `draft.also` the anchors whose other records change with this one."""

    def put_anew(self, draft: Draft, plan: Planned) -> None:
        """Add again what a dismissal took out, where its old place cannot be told. Raises Refused."""
        self.revise(draft, None, Write("restore", "", plan.removed or {}, {}, 0.0))

    def take_back(self, draft: Draft, plan: Planned) -> None:
        """Undo in the draft what carried-out `plan` did. Raises Refused, with code
        "changed-since" where the memory may still be put back in another way."""
        take_back(draft, plan.edits)

    def take_back_by_text(self, draft: Draft, plan: Planned, came: Record | None) -> None:
        """Undo a plan whose byte offsets no longer match, by searching for the text that it wrote: only what
        still reads as the plan left it is removed. `came` is the record that the plan had added, or made of
        one that stood for its entity, if it is still in the store. Raises Refused."""
        raise changed_since(plan.edits[-1].name if plan.edits else self.root.name)

    def identity(self, name: str, data: bytes) -> str:
        """What the format calls a file whatever its name is; "" where it has nothing but that."""
        return ""

    def slips(self, files: Mapping[str, bytes], reading: Reading) -> Iterator[Slip]:
        """Links to nobody that differ in little from a name that is there."""
        yield from ()

    def follow(self, draft: Draft, before: Mapping[str, bytes]) -> None:
        """Have what is derived from the files go along with a change of the draft."""

    def stands_for(self, ref: str) -> str:
        """The entity for which the record of this ref stands where nothing else does; "" for all others."""
        return ""

    @property
    def folder(self) -> Path:
        """The folder in which the store's files have their names."""
        return self.root if self.root.is_dir() else self.root.parent

    # -- reading

    def read(self) -> Reading:
        return self.parse(self.load()[0])

    def read_refs(self, refs: Sequence[str]) -> dict[str, Record]:
        wanted = set(refs)
        return {r.ref: r for r in self._parsed(self.load()[0]).records if r.ref in wanted}

    def _parsed(self, files: Mapping[str, bytes], *, whole: bool = False) -> Reading:
        """What the bytes say, or its records alone, worked out once: one change looks at the same files again
        and again. Nothing may be added to it."""
        for known, reading, was_whole in self._readings:
            if known == files and (was_whole or not whole):
                return reading
        reading = self.parse(files) if whole else self.parse_records(files)
        self._readings = [(dict(files), reading, whole), *self._readings[: _KEPT - 1]]
        return reading

    def checkup(self, reading: Reading, now: float) -> Iterator[Finding]:
        yield from super().checkup(reading, now)
        for name, data in sorted(self.load()[0].items()):
            if name.endswith(".md"):
                yield from raw_checks.markdown(clean(name), data)

    def texts(self, reading: Reading) -> Iterator[tuple[str, str]]:
        for name, data in sorted(self.load()[0].items()):
            yield clean(name), data.decode(errors="replace")

    # -- planning

    def plan(self, writes: Sequence[Write]) -> list[Planned | Refused]:
        reason = self.locked()
        if reason:
            return [Refused("read-only", reason, "Nothing was changed.") for _ in writes]
        files, modes = self.load()
        before = self._parsed(files)
        by_ref = {record.ref: record for record in before.records}

        def step(write: Write) -> Step:
            return Step(lambda draft: self._plan_one(draft, by_ref, write), asked=write.fields)

        draft = Draft(files, modes, self.identity)
        answers = self._work_out(before, draft, [step(write) for write in writes])
        root = self.folder
        return [folders.told(root, a) if isinstance(a, Planned) else a for a in answers]

    def _plan_one(self, draft: Draft, by_ref: Mapping[str, Record], write: Write) -> Planned:
        self.check(write)
        record = None
        if write.action != "add":
            record = by_ref.get(write.ref)
            if record is None:
                raise Conflict(
                    "the memory is no longer in the store as it was read.",
                    dict(write.fields),
                    {},
                )
            theirs = unlike(record, write.seen)
            if theirs:
                raise Conflict(
                    "the memory changed in the store since it was read.",
                    {k: write.fields.get(k) for k in theirs},
                    theirs,
                )
            at = draft.shifts.where(record.at)
            if at is None:
                raise Refused("gone", "Another change in this batch took it away.")
            record = replace(record, at=at)
        self.revise(draft, record, write)
        leaves = write.action == "delete" or (
            write.action == "dismiss" and self.supports("dismiss").how is How.MOVED
        )
        removed = dict(record.fields) if record is not None and leaves else None
        ref, also = record.ref if record is not None else None, tuple(sorted(draft.also))
        changes = tuple(sorted(write.fields))
        edits, words = draft.take_edits(), self.afterword(write)
        return Planned(ref, None, edits, words, removed=removed, also=also, changes=changes)

    def clash(self, before: Reading, after: Reading, back: Set[str]) -> str:
        """What the store may not say, though each memory in it says what was asked; "" where nothing is.

        `back` are the anchors that may come back beside another of the same, since they stood so."""
        return ""

    # -- taking back

    def without(self, plan: Planned, since: tuple[PriorWrites, ...]) -> Planned:
        """What left and came back counts as nothing only where both were in the same files, but for those of
        the plan: what one of them wrote elsewhere (a note of why, a time) is theirs."""
        own = _names(past for past in since if past.mine)
        pairs = [past for past in since if past.returning]

        def stays(past: PriorWrites) -> bool:
            other = (each for each in pairs if each.unit == past.back or each.back == past.unit)
            return past.returning and not _names([past]) <= own | _names(other)

        return super().without(plan, tuple(replace(p, dead=False) if stays(p) else p for p in since))

    def reverse(self, plans: Sequence[Planned]) -> list[Planned | Refused]:
        reason = self.locked()
        if reason:
            return [Refused("read-only", reason, "Nothing was changed.") for _ in plans]
        files, modes = self.load()
        before = self._parsed(files)
        here = {record.ref: record for record in before.records}
        brought = {plan.ref for plan in plans}
        steps = [self._way_back(before, here, plan, brought) for plan in plans]
        for step in steps[:-1]:
            step.first = None  # the batch goes to the known bytes at its end
        steps[-1].closes = len(steps) > 1
        draft = Draft(files, modes, self.identity)
        answers = self._work_out(before, draft, steps, "changed-since")
        return [
            folders.told(self.folder, answer, _gone_with(plan)) if isinstance(answer, Planned) else answer
            for answer, plan in zip(answers, plans, strict=True)
        ]

    def _way_back(
        self, before: Reading, here: Mapping[str, Record], plan: Planned, brought: set[str | None]
    ) -> Step:
        now = here.get(plan.ref_after or "")
        removed = (dict(now.fields) if now is not None else {}) if plan.ref is None else None
        # A relation, and what an entity is, outlive the memory by which they were changed.
        stays = plan.removed is None and None not in (plan.ref, plan.ref_after)
        apart = stays and set(plan.changes) <= set(self.entity)

        def reversed_plan(draft: Draft) -> Planned:
            ref = plan.ref_after
            if ref is not None and now is None and ref not in brought:
                # Equal texts were renumbered, perhaps: then it says all that it was left to say.
                found = touched(before, draft)
                if found is not None and mark_of(here[found]) == plan.left:
                    ref = found
                elif not apart:
                    raise Refused(
                        "changed-since",
                        "The memory is no longer where the change left it.",
                        "Nothing was written.",
                    )
            edits = draft.take_edits()
            return Planned(ref, plan.ref, edits, removed=removed, also=plan.also, changes=plan.changes)

        def directly(draft: Draft) -> Planned:
            step.older = frozenset()
            exact = all(draft.holds(edit) or None in (edit.before, edit.after) for edit in plan.edits)
            restorable_fields = any(edit.after is None for edit in plan.edits)
            step.whole = None if exact or restorable_fields else self._as_its_entity_is(before, plan.removed)
            self.take_back(draft, plan)
            return reversed_plan(draft)

        def exactly(draft: Draft) -> Planned:
            step.whole, step.older = None, _meant(plan)
            past.take_back(draft, plan, self.take_back)
            return reversed_plan(draft)

        def anew(draft: Draft) -> Planned:
            step.whole, step.older = None, frozenset()
            self.put_anew(draft, plan)
            return reversed_plan(draft)

        def by_text(draft: Draft) -> Planned:
            step.whole, step.older = None, frozenset()
            came = now if plan.ref is None or step.entity else None
            at = draft.shifts.where(came.at) if came is not None else None
            self.take_back_by_text(draft, plan, replace(came, at=at) if came and at else None)
            return reversed_plan(draft)

        step = Step(directly, by_text if plan.removed is None else anew, apart=apart)
        step.entity = self.stands_for(plan.ref or "")
        step.first = exactly if plan.since else None
        return step

    def _as_its_entity_is(
        self, before: Reading, removed: Mapping[str, Any] | None
    ) -> Mapping[str, Any] | None:
        """What a record says that comes back to its entity, which may have been changed since."""
        if removed is None or not self.entity:
            return removed
        same = (r.fields for r in before.records if r.fields.get("subject") == removed.get("subject"))
        now = next(same, {})
        return {**removed, **{name: now[name] for name in self.entity if name in now}}

    # -- working out

    def _work_out(
        self, before: Reading, draft: Draft, steps: Sequence[Step], code: str = "unsure"
    ) -> list[Planned | Refused]:
        """Take the steps, each on top of those before it.

        The outcome is read back; where it is not what the plans say and nothing else, halves of
        the batch are tried, down to the step that is to blame, and that one is refused with `code`."""
        out: list[Planned | Refused] = []

        def settled(plans: Sequence[Planned | Refused]) -> tuple[list[Planned | Refused], str]:
            after = self._parsed(draft.files)
            out, trouble = batch.settled(before, after, draft.shifts, plans, steps)
            came = [plan for plan in out if isinstance(plan, Planned) and plan.ref is None]
            back = {anchor for plan in came for anchor in plan.also}
            if any(step.older for step in steps[: len(plans)]):  # it has stood so before
                return out, trouble
            return out, trouble or self.clash(before, after, back)

        def run(some: Sequence[Step]) -> list[Planned | Refused] | None:
            """Add what came of some steps to `out`; returns all of that, settled, where it is known."""
            mark = draft.mark()
            answers = take_all(draft, some, out)
            told, trouble = settled(out + answers)
            if trouble:
                draft.back_to(mark)
            if trouble and len(some) > 1:
                run(some[: len(some) // 2])
                return run(some[len(some) // 2 :])
            for step in some[0].less() if trouble else ():
                answer = take(draft, step)
                if isinstance(answer, Refused) and answer.code == "changed-since":
                    continue  # why the first way could not be gone tells more
                answers = [answer]
                told, trouble = settled(out + answers)
                if not trouble:
                    break
                draft.back_to(mark)
            unsure = NotSaved(code, f"{trouble}.", "Nothing was changed.")
            out.extend([unsure] if trouble else answers)
            return None if trouble else told

        told = run(steps) if steps else None
        return told if told is not None else settled(out)[0]

    # -- carrying out

    def carry_out(self, plans: Sequence[Planned], token: str) -> Receipt:
        with atomic_write.alone(self.folder), self._folders(plans):
            return self._carry_out(plans, token)

    def _folders(self, plans: Sequence[Planned]) -> AbstractContextManager[None]:
        return folders.made(self.folder, [edit for plan in plans for edit in plan.edits])

    def _carry_out(self, plans: Sequence[Planned], token: str) -> Receipt:
        (files, _), root = self.load(), self.folder
        edits = [edit for plan in plans for edit in plan.edits]
        after = applied(files, edits)
        names = [name for name in dict.fromkeys(e.name for e in edits) if files.get(name) != after.get(name)]
        modes = modes_of(edits)
        tried: list[str] = []
        try:
            for name in names:
                tried.append(name)
                old, new, mode = files.get(name), after.get(name), modes.get(name, NEW)
                atomic_write.change(root, name, old, new, token, mode, sync=False)
            for folder in {(root / name).parent for name in names}:  # each once, for all its files
                atomic_write.sync_folder(folder)
        except (Refused, OSError) as trouble:
            refusal = atomic_write.refusal(trouble) if isinstance(trouble, OSError) else trouble
            stuck: list[str] = []
            for name in reversed(tried):
                try:
                    if name == tried[-1] and atomic_write.read(root, name) != after.get(name):
                        continue
                    old, new, mode = after.get(name), files.get(name), modes.get(name, NEW)
                    atomic_write.change(root, name, old, new, token, mode)
                except (Refused, OSError):
                    if name != tried[-1] and not self._holds(name, files.get(name)):
                        stuck.append(name)
            if stuck:
                said = f"{refusal.message} {', '.join(stuck)} could not be put back."
                refusal = Refused("partly", said)
            raise refusal from trouble
        return self._receipt(files, after, plans)

    def _holds(self, name: str, data: bytes | None) -> bool:
        try:
            return atomic_write.read(self.folder, name) == data
        except OSError:
            return False

    def standing(self, plans: Sequence[Planned], token: str) -> Standing:
        files = by_file(plans)
        tidied = [
            atomic_write.tidy(self.folder, name, token, edits[0].before, edits[-1].after)
            for name, edits in files.items()
        ]
        try:
            now = {name: atomic_write.read(self.folder, name) for name in files}
        except OSError:  # a link or a folder stands there now
            return Standing.OTHER
        marks = {name: digest_of(data) for name, data in now.items()}
        if all(marks[name] == edits[-1].after for name, edits in files.items()):
            return Standing.AFTER
        if all(marks[name] == edits[0].before for name, edits in files.items()):
            folders.tidy(self.folder, [edit for edits in files.values() for edit in edits])
            return Standing.BEFORE
        stands = {made_in(now[name], edits) for name, edits in files.items()}
        if None in stands or not all(tidied):
            return Standing.OTHER
        if len(stands) == 1:
            return Standing.AFTER if True in stands else Standing.BEFORE
        try:
            for name, edits in files.items():
                completed(now[name], edits)
        except Refused:
            return Standing.OTHER
        return Standing.PARTLY

    def finish(self, plans: Sequence[Planned], token: str) -> Receipt:
        with atomic_write.alone(self.folder), self._folders(plans):
            return self._finish(plans, token)

    def _finish(self, plans: Sequence[Planned], token: str) -> Receipt:
        files, _ = self.load()
        for name, edits in by_file(plans).items():
            data = files.get(name)
            new = completed(data, edits)
            if new != data:
                atomic_write.change(self.folder, name, data, new, token, modes_of(edits).get(name, NEW))
        after, modes = self.load()
        draft = Draft(after, modes)
        for plan in reversed(plans):
            for edit in reversed(plan.edits):
                try:
                    undo_edit(draft, edit)
                except Refused:  # changed again since: the next reading finds that out
                    continue
                draft.take_edits()
        back = moves(self._parsed(after), self._parsed(draft.files), draft.shifts, _turned(plans))
        return self._receipt(draft.files, after, plans, {old: new for new, old in back.items()})

    def _receipt(
        self,
        before: Mapping[str, bytes],
        after: Mapping[str, bytes],
        plans: Sequence[Planned],
        moved: dict[str, str] | None = None,
    ) -> Receipt:
        old, new = self._parsed(before), self._parsed(after, whole=True)
        if moved is None:
            moved = moves(old, new, PositionMap(edit for plan in plans for edit in plan.edits), plans)
        here = {record.ref for record in new.records}
        for plan in plans:  # an entity's stand-in that became an observation
            if plan.ref is not None and plan.ref not in moved and plan.ref_after in here:
                moved[plan.ref] = plan.ref_after or ""
        by_ref = {record.ref: record for record in old.records}
        back = {v: k for k, v in moved.items()}
        planned = {plan.ref_after for plan in plans}  # reported even where their text did not change
        changed = [
            record
            for record in new.records
            if record.ref in planned
            or (
                (was := by_ref.get(back.get(record.ref, ""))) is not record
                and (was is None or not record.is_as(was))
            )
        ]
        return Receipt(
            records=changed,
            before=[by_ref[ref] for record in changed if (ref := back.get(record.ref, "")) in by_ref],
            stood=by_ref.keys(),
            gone=[r.ref for r in old.records if r.ref not in moved],
            renamed={k: v for k, v in moved.items() if k != v},
            links=new.links,
            asides=new.asides,
        )

    def written(self, plans: Sequence[Planned]) -> str:
        return ", ".join(dict.fromkeys(edit.name for plan in plans for edit in plan.edits))

    # -- keeping plans

    def dump(self, planned: Planned) -> dict[str, Any]:
        return dumped(planned)

    def load_plan(self, data: Mapping[str, Any]) -> Planned:
        return loaded(data)


def _turned(plans: Sequence[Planned]) -> list[Planned]:
    """The plans as seen from behind."""
    return [replace(plan, ref=plan.ref_after, ref_after=plan.ref) for plan in plans]


def _names(some: Iterable[PriorWrites]) -> set[str]:
    """The files in which these wrote."""
    return {edit.name for past in some for edit in past.plan.edits}


def _gone_with(plan: Planned) -> list[FileEdit]:
    """The edits that are of no effect once a plan is taken back."""
    return [*plan.edits, *(edit for past in plan.since if past.dead for edit in past.plan.edits)]


def _meant(plan: Planned) -> frozenset[str]:
    """The records that changes meant which are of no effect once a plan is taken back, by ref or anchor."""
    dead = [past.plan for past in plan.since if past.dead]
    refs = {ref for each in dead for ref in (each.ref, each.ref_after, *each.also)}
    files = {edit.of for each in dead for edit in each.edits}
    return frozenset({ref for ref in refs if ref} | (files - {""}))


def numbered(ref: str, seen: Counter[str]) -> str:
    """A ref of its own for each of several that would be equal; no text can forge the number."""
    ref = ref.replace("\x1f", "\ufffd")
    seen[ref] += 1
    return ref if seen[ref] == 1 else f"{ref}\x1f{seen[ref]}"
