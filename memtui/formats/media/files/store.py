"""Stores made of files: byte-exact changes, atomic replacement, undo (S-4, S-6, S-7, S-51).

A format defines what its bytes mean (`load`, `parse`) and how one change looks in them (`revise`, on a
Draft). Everything else is here, once: working plans out (proved by `batch.py`), writing them (`commit.py`),
judging an interrupted write (`edit_application.py`), undoing one, storing plans (`plan_codec.py`).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.errors import Conflict, Refused
from memtui.formats.contract.adapter import Adapter, SupportKind
from memtui.formats.contract.plans import (
    PastWrite,
    Plan,
    PriorWrite,
    Receipt,
    Write,
    WriteState,
    differing_fields,
)
from memtui.formats.contract.records import Reading, Record, clean
from memtui.formats.contract.redaction import redacting
from memtui.formats.contract.session_view import Content
from memtui.formats.media.files import atomic_write, exact_undo, folders, raw_checks, wording
from memtui.formats.media.files.batch import Batch, Step, write_step
from memtui.formats.media.files.commit import NEW_MODE, write_files
from memtui.formats.media.files.digests import digest_of
from memtui.formats.media.files.draft import Draft, undo_edit
from memtui.formats.media.files.edit_application import (
    apply_edits,
    complete,
    edits_by_file,
    has_edits,
    modes_of,
)
from memtui.formats.media.files.hunks import Hunk
from memtui.formats.media.files.plan_codec import dump_plan, load_plan
from memtui.formats.media.files.position_map import PositionMap
from memtui.formats.media.files.receipts import receipt_of
from memtui.formats.media.files.record_matching import match_records
from memtui.formats.media.files.redact_history import History
from memtui.formats.media.files.rename_undo import undo_edits
from memtui.formats.media.files.undo_step import undo_step
from memtui.formats.media.files.wording import changed_at_place
from memtui.memory.secrets.redaction import Replacements
from memtui.memory.stores import Finding
from memtui.values import JsonObject

if TYPE_CHECKING:
    from memtui.formats.misspellings import Misspelling

_READINGS = 3  # kept of a store: before a change, after it, and one that was tried between


class FileStore(Adapter):
    """An adapter over files. A format adds load, parse, revise, recognise and support_for."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self._readings: list[tuple[dict[str, bytes], Reading, bool]] = []

    @abstractmethod
    def load(self) -> tuple[dict[str, bytes], dict[str, int]]:
        """Return all files of the store by name, and their permission bits."""

    @abstractmethod
    def parse(self, files: Mapping[str, bytes]) -> Reading:
        """Return the content of these files. A pure function."""

    def parse_records(self, files: Mapping[str, bytes]) -> Reading:
        """Return the content as far as the records; the rest may be missing."""
        return self.parse(files)

    @abstractmethod
    def revise(self, draft: Draft, record: Record | None, write: Write) -> None:
        """Make one change in the draft; `record` is None for add. Raises Refused.

        Adds to `draft.affected_anchors` the anchors whose other records change with this one.
        """

    def with_renames(self, draft: Draft, by_ref: Mapping[str, Record], write: Write) -> Write:
        """Return a write whose text names files as earlier writes of its batch have renamed them."""
        return write

    def recreate(self, draft: Draft, plan: Plan) -> None:
        """Add again what a dismissal removed, where its old place is unknown. Raises Refused."""
        self.revise(draft, None, Write("restore", "", plan.removed_fields or {}, {}, 0.0))

    def undo(self, draft: Draft, plan: Plan) -> None:
        """Undo in the draft what carried-out `plan` did. Raises Refused, with code "changed-since" where the
        memory may still be restored in another way."""
        undo_edits(draft, plan.edits)

    def undo_by_text(self, draft: Draft, plan: Plan, added: Record | None) -> None:
        """Undo a plan whose byte offsets no longer match, by searching for the text that it wrote: only what
        still reads as the plan left it is removed. Raises Refused.

        `added` is the record that the plan added, or made from the placeholder of its entity, if it is still
        in the store.
        """
        changed = [edit.name for edit in plan.edits if not draft.matches(edit)]
        raise changed_at_place(changed[0] if changed else self.root.name)

    def identity(self, name: str, data: bytes) -> str:
        """Return what identifies a file whatever its name is; "" if only the name does."""
        return ""

    def misspellings(self, files: Mapping[str, bytes], reading: Reading) -> Iterator[Misspelling]:
        """Yield dangling links whose target differs little from an existing name."""
        yield from ()

    def update_derived(self, draft: Draft) -> None:
        """Update what is derived from the files (an index) after the pending change in the draft."""

    def placeholder_entity(self, ref: str) -> str:
        """Return the entity for which the record of this ref is the placeholder; "" if it is none."""
        return ""

    def conflict_in(self, before: Reading, after: Reading, restored: Set[str]) -> str:
        """Return what is wrong with the store as a whole although each memory is as requested, or "".

        `restored` are the anchors that may appear twice, since they did so before.
        """
        return ""

    @property
    def folder(self) -> Path:
        """The folder that the names of the store's files are relative to."""
        return self.root if self.root.is_dir() else self.root.parent

    # -- reading

    def read(self) -> Reading:
        return self.parse(self.load()[0])

    def content(self) -> Content:
        return self.load()[0]

    def content_after(
        self, content: Content, plans: Sequence[Plan], records: Mapping[str, Record | None]
    ) -> Content:
        assert isinstance(content, Mapping)
        return apply_edits(content, [edit for plan in plans for edit in plan.edits])

    def read_refs(self, refs: Sequence[str]) -> dict[str, Record]:
        wanted = set(refs)
        return {r.ref: r for r in self._parsed(self.load()[0]).records if r.ref in wanted}

    def _parsed(self, files: Mapping[str, bytes], *, complete: bool = False) -> Reading:
        """Return the content of the files, or its records alone, parsed once: one change needs the same
        files several times. The result must not be modified."""
        for known, reading, was_complete in self._readings:
            if known == files and (was_complete or not complete):
                return reading
        complete = complete or type(self).parse_records is FileStore.parse_records
        reading = self.parse(files) if complete else self.parse_records(files)
        self._readings = [(dict(files), reading, complete), *self._readings[: _READINGS - 1]]
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

    def plan(self, writes: Sequence[Write]) -> list[Plan | Refused]:
        if reason := self.locked_reason():
            return [wording.read_only(reason) for _ in writes]
        answers = self._plan_on(*self.load(), writes)
        root = self.folder
        return [folders.with_folder_counts(root, a) if isinstance(a, Plan) else a for a in answers]

    def added_record(self, plan: Plan) -> Record:
        files = apply_edits(self.load()[0], plan.edits)
        return next(each for each in self._parsed(files).records if each.ref == plan.ref_after)

    def _plan_on(
        self, files: Mapping[str, bytes], modes: Mapping[str, int], writes: Sequence[Write]
    ) -> list[Plan | Refused]:
        before = self._parsed(files)
        by_ref = {record.ref: record for record in before.records}
        steps = [write_step(write, by_ref, self.with_renames, self._plan_one) for write in writes]
        return self.work_out(before, Draft(files, modes, self.identity), steps)

    def _plan_one(self, draft: Draft, by_ref: Mapping[str, Record], write: Write) -> Plan:
        self.on_step()
        self.check(write)
        record = None
        if write.action != "add":
            record = by_ref.get(write.ref)
            if record is None:
                raise Conflict(wording.NO_LONGER_AS_READ, dict(write.fields), {})
            stored = differing_fields(record, write.seen)
            if stored:
                requested = {name: write.fields.get(name) for name in stored}
                raise Conflict(wording.CHANGED_SINCE_READ, requested, stored)
            position = draft.position_map.locate(record.position)
            if position is None:
                raise wording.removed_in_batch()
            record = replace(record, position=position)
        self.revise(draft, record, write)
        leaves = write.action in ("delete", "forget") or (
            write.action == "dismiss" and self.support_for("dismiss").kind is SupportKind.MOVED
        )
        affected = tuple(sorted(draft.affected_anchors))
        return Plan(
            record.ref if record is not None else None,
            None,
            draft.take_edits(),
            self.notice_after(write),
            affected,
            tuple(sorted(write.fields)),
            removed_fields=dict(record.fields) if record is not None and leaves else None,
        )

    def work_out(
        self, before: Reading, draft: Draft, steps: Sequence[Step], code: str = "unsure"
    ) -> list[Plan | Refused]:
        """Run the steps, each on top of those before it; refuse with `code` what cannot be proved right."""
        return Batch(before, draft, steps, code, self._parsed, self.conflict_in).run()

    # -- undoing

    def with_prior_writes(self, plan: Plan, prior: tuple[PriorWrite, ...]) -> Plan:
        """Return a carried-out plan with the newest writes to the store.

        A round trip only cancels itself out if both of its writes were in the same files, apart from those of
        the plan: what one of them wrote elsewhere (a note of why, a time) has to stay.
        """
        own = exact_undo.file_names(past for past in prior if past.own)
        round_trips = [past for past in prior if past.round_trip]

        def stays(past: PriorWrite) -> bool:
            other = (each for each in round_trips if each.unit == past.undoes or each.undoes == past.unit)
            return past.round_trip and not exact_undo.file_names([past]) <= own | exact_undo.file_names(other)

        return super().with_prior_writes(
            plan, tuple(replace(past, reverted=False) if stays(past) else past for past in prior)
        )

    def reverse(self, plans: Sequence[Plan]) -> list[Plan | Refused]:
        if reason := self.locked_reason():
            return [wording.read_only(reason) for _ in plans]
        files, modes = self.load()
        before = self._parsed(files)
        by_ref = {record.ref: record for record in before.records}
        restored = {plan.ref for plan in plans}
        steps = [self._undo_step(before, by_ref, plan, restored) for plan in plans]
        for step in steps[:-1]:
            step.preferred = None  # the last step of a batch restores the known bytes
        steps[-1].for_batch = len(steps) > 1
        draft = Draft(files, modes, self.identity)
        answers = self.work_out(before, draft, steps, "changed-since")
        return [
            folders.with_folder_counts(self.folder, answer, exact_undo.reverted_edits(plan))
            if isinstance(answer, Plan)
            else answer
            for answer, plan in zip(answers, plans, strict=True)
        ]

    def _undo_step(
        self, before: Reading, by_ref: Mapping[str, Record], plan: Plan, restored: set[str | None]
    ) -> Step:
        return undo_step(self, before, by_ref, plan, restored)

    # -- redacting

    def redact_history(self, writes: Sequence[PastWrite], redacted: Replacements) -> list[Plan | None]:
        files, _ = self.load()
        history = History(files, redacted, lambda state: self._redacted(state, redacted))
        out: list[Plan | None] = []
        for write in writes:
            if write.is_redaction:
                history.skip(write.plan)
            elif write.holds:
                history.keep(write.plan)
            out.append(None if write.is_redaction else history.rewritten(write.plan, write.holds))
        return out

    def _redacted(
        self, files: Mapping[str, bytes], redacted: Replacements
    ) -> Mapping[str, Sequence[Hunk]] | None:
        """Return the hunks that redact all records of these files, by the names that the files have; None
        where one cannot be."""
        names = self.redactable_fields or frozenset()
        writes = [redacting(record, names, redacted, 0.0) for record in self._parsed(files).records]
        hunks: dict[str, list[Hunk]] = {}
        name_of: dict[str, str] = {}  # of files that are renamed
        for answer in self._plan_on(files, {}, [write for write in writes if write is not None]):
            if isinstance(answer, Refused):
                return None
            name_of |= {e.moved_to: name_of.get(e.name, e.name) for e in answer.edits if e.moved_to}
            for edit in answer.edits:
                hunks.setdefault(name_of.get(edit.name, edit.name), []).extend(edit.hunks)
        return hunks

    # -- writing

    def apply(self, plans: Sequence[Plan], token: str) -> Receipt:
        with atomic_write.lock_folder(self.folder), self._folders(plans):
            files, _ = self.load()
            edits = [edit for plan in plans for edit in plan.edits]
            after = apply_edits(files, edits)
            names = [n for n in dict.fromkeys(e.name for e in edits) if files.get(n) != after.get(n)]
            write_files(self.folder, files, after, names, modes_of(edits), token, self.on_step)
            return self._receipt(files, after, plans)

    def _folders(self, plans: Sequence[Plan]) -> AbstractContextManager[None]:
        return folders.prepared(self.folder, [edit for plan in plans for edit in plan.edits])

    def write_state(self, plans: Sequence[Plan], token: str) -> WriteState:
        files = edits_by_file(plans)
        tidied = [
            atomic_write.tidy(self.folder, name, token, edits[0].before, edits[-1].after)
            for name, edits in files.items()
        ]
        try:
            now = {name: atomic_write.read(self.folder, name) for name in files}
        except OSError:  # a link or a folder has the name now
            return WriteState.OTHER
        digests = {name: digest_of(data) for name, data in now.items()}
        if all(digests[name] == edits[-1].after for name, edits in files.items()):
            return WriteState.AFTER
        if all(digests[name] == edits[0].before for name, edits in files.items()):
            folders.tidy(self.folder, [edit for edits in files.values() for edit in edits])
            return WriteState.BEFORE
        applied = {has_edits(now[name], edits) for name, edits in files.items()}
        if None in applied or not all(tidied):
            return WriteState.OTHER
        if len(applied) == 1:
            return WriteState.AFTER if True in applied else WriteState.BEFORE
        try:
            for name, edits in files.items():
                complete(now[name], edits)
        except Refused:
            return WriteState.OTHER
        return WriteState.PARTLY

    def finish(self, plans: Sequence[Plan], token: str) -> Receipt:
        with atomic_write.lock_folder(self.folder), self._folders(plans):
            files, _ = self.load()
            for name, edits in edits_by_file(plans).items():
                data = files.get(name)
                new = complete(data, edits)
                if new != data:
                    mode = modes_of(edits).get(name, NEW_MODE)
                    atomic_write.change(self.folder, name, data, new, token, mode)
            after, modes = self.load()
            draft = Draft(after, modes)
            for plan in reversed(plans):
                for edit in reversed(plan.edits):
                    try:
                        undo_edit(draft, edit)
                    except Refused:  # changed again since: the next pull finds that
                        continue
                    draft.take_edits()
            back = match_records(
                self._parsed(after),
                self._parsed(draft.files),
                draft.position_map,
                [replace(plan, ref=plan.ref_after, ref_after=plan.ref) for plan in plans],
            )
            return self._receipt(draft.files, after, plans, {old: new for new, old in back.items()})

    def _receipt(
        self,
        before: Mapping[str, bytes],
        after: Mapping[str, bytes],
        plans: Sequence[Plan],
        matched: Mapping[str, str] | None = None,
    ) -> Receipt:
        old, new = self._parsed(before), self._parsed(after, complete=True)
        if matched is None:
            positions = PositionMap(edit for plan in plans for edit in plan.edits)
            matched = match_records(old, new, positions, plans)
        return receipt_of(old, new, plans, matched)

    def target_names(self, plans: Sequence[Plan]) -> str:
        return ", ".join(dict.fromkeys(edit.name for plan in plans for edit in plan.edits))

    # -- storing plans

    def dump_plan(self, plan: Plan) -> JsonObject:
        return dump_plan(plan)

    def load_plan(self, data: JsonObject) -> Plan:
        return load_plan(data)
