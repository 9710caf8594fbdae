"""minions-memory (FORMATS 2): a folder of shards in which each file is one minion.

Items, lessons and summaries are memories; indexes, reinforcements, expiries, contradictions, queries and
policies are side records. Every change is a patch of the file's own text.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from memtui.errors import Refused
from memtui.formats.contract.adapter import Support, SupportKind
from memtui.formats.contract.plans import REPEATS, Fitted, Plan, Write
from memtui.formats.contract.recalling import Asked, Recalling
from memtui.formats.contract.records import Reading, Record, clean
from memtui.formats.media.files import atomic_write
from memtui.formats.media.files.draft import Draft
from memtui.formats.media.files.hunks import FileEdit
from memtui.formats.media.files.rename_undo import undo_edits
from memtui.formats.media.files.tree import TreeStore, bytes_of, walk
from memtui.formats.minions import (
    add,
    checks,
    index_records,
    paths,
    reader,
    redaction,
    searchable_text,
    survey,
    uses,
    wording,
)
from memtui.formats.minions.finding_help import GRAVE, MEANINGS
from memtui.formats.minions.incoming import MinionsIncoming
from memtui.formats.minions.json_decode import decode
from memtui.formats.minions.schema import MAX_CONFIDENCE, MEMBERS, REDACTABLE, RESTORABLE, WRITABLE, fields_of
from memtui.formats.minions.side_records import CONTRADICTS
from memtui.formats.minions.writer import Change, with_stored_status
from memtui.memory.ranking import RecallWeights
from memtui.memory.secrets.redaction import Replacements
from memtui.memory.stores import Finding
from memtui.values import FieldValue, Json

_LEFTOVER_AFTER = 10  # seconds for which another program may still need a temporary file


class Minions(TreeStore):
    """A minions store, attached; `root` is its folder."""

    format = "minions"
    title = "minions"
    recognised_by = wording.RECOGNISED_BY
    at_start = wording.AT_START
    usual_paths = (paths.FOLDER,)
    known_places = ("$MINIONS_STORE", "./.minions", "~/.minions")
    lifecycle = "minions"
    incoming = MinionsIncoming()
    records_deletions = True
    notes_uses = True
    # By confidence × recency × reinforcedCount.
    recalling = Recalling(weights=RecallWeights(1.0, 1.0, 1.0))
    expiry: ClassVar[Mapping[str, FieldValue]] = {"status": "dismissed"}
    suffixes = (".json",)
    fields = WRITABLE
    restorable_fields = RESTORABLE
    redactable_fields = REDACTABLE
    kinds = tuple(MEMBERS)
    required_fields = frozenset({"confidence", "scope"})
    user_source: ClassVar[Mapping[str, FieldValue]] = {"source_type": "user"}
    unique_keys = True
    relation_kinds = (CONTRADICTS,)
    relation_fields = frozenset({"context"})
    finding_help = MEANINGS
    severe_findings = GRAVE

    # -- recognise

    @classmethod
    def recognise(cls, path: Path) -> Path | None:
        try:
            return path if paths.is_store(path) else None
        except OSError:
            return None

    @classmethod
    def create(cls, path: Path) -> Path:
        path = path if path.name == paths.FOLDER else path / paths.FOLDER
        atomic_write.make_folders(path)
        if not paths.is_store(path):
            raise wording.holds_something_else(path)
        return path

    # -- read

    def parse_file(self, name: str, data: bytes, files: Mapping[str, bytes]) -> Reading:
        return reader.read_file(name, data)

    def survey(self, files: Mapping[str, bytes], out: Reading) -> None:
        survey.survey(files, out)

    def read(self) -> Reading:
        out = super().read()
        for name, entry, _ in walk(self.root, (".json.tmp",), self.depth):
            if time.time() - entry.stat(follow_symlinks=False).st_mtime > _LEFTOVER_AFTER:
                out.add_finding("leftover", clean(name), wording.LEFTOVER)
        return out

    def checkup(self, reading: Reading, now: float) -> Iterator[Finding]:
        yield from super().checkup(reading, now)
        yield from checks.check(self.load()[0], reading)

    def stored_values(self, place: str) -> Mapping[str, Json]:
        minion = decode(bytes_of(self.folder / place) or b"")[0]
        return reader.stored_values(minion) if isinstance(minion, dict) else {}

    def identity(self, name: str, data: bytes) -> str:
        return reader.identity(data)

    # -- write

    def count_uses(self, refs: Sequence[str], now: float, asked: Asked | None = None) -> Mapping[str, int]:
        if reason := self.locked_reason():
            raise wording.uses_not_noted(reason)
        if refs:
            uses.note(self.root, refs, asked or Asked(""), now)
        return {}

    @classmethod
    def derived_from_secret(cls, value: str, new: str) -> Mapping[str, str]:
        return {**super().derived_from_secret(value, new), **redaction.spellings(value, new)}

    def repeats(self, ref: str, redacted: Replacements) -> bool:
        return any(redaction.repeats(data, ref, redacted) for data in self.load()[0].values())

    def fields_of(self, kind: str) -> frozenset[str]:
        return fields_of(kind)

    def addable_fields(self, kind: str) -> frozenset[str]:
        return frozenset({"ref", "kind", "title", "tags", *MEMBERS[kind]})

    def plan(self, writes: Sequence[Write]) -> list[Plan | Refused]:
        return super().plan([with_stored_status(write) for write in writes])

    def revise(self, draft: Draft, record: Record | None, write: Write) -> None:
        if record is None:
            add.add(draft, write)
        else:
            Change(draft, self.folder, record, write).make()

    @staticmethod
    def key_for(fields: Mapping[str, FieldValue]) -> str:
        return add.key_of(fields)

    def fit(self, fields: Mapping[str, FieldValue]) -> Fitted:
        out = super().fit(fields)
        out.fields.pop("extra", None)  # members of another format
        kind = str(fields.get("kind") or "item")
        if kind not in MEMBERS:
            out.fields["kind"] = "item"
            out.changed["kind"] = (kind, "item")
        kind = str(out.fields.setdefault("kind", "item"))
        storable = {"ref", "kind", "title", "tags", "content", *MEMBERS[kind]}
        for name in out.fields.keys() - storable:
            del out.fields[name]
        if kind == "item" and not fields.get("key"):
            out.fields["key"] = add.key_of(fields)
            out.changed["key"] = (None, out.fields["key"])
        confidence = out.fields.get("confidence")
        if confidence is not None and confidence > MAX_CONFIDENCE:
            out.fields["confidence"] = MAX_CONFIDENCE
            out.changed["confidence"] = (confidence, MAX_CONFIDENCE)
        return out

    # -- undo

    def undo(self, draft: Draft, plan: Plan) -> None:
        own = [uses.as_recalled(each, draft) for each in plan.edits if not index_records.is_index(each)]
        before = self._memories_in(draft, own)
        changed = {edit.name: draft.files[edit.name] for edit in own if self._has_changed_since(draft, edit)}
        undo_edits(draft, own)
        after = self._memories_in(draft, own)
        for name in changed.keys() & draft.files.keys():
            searchable_text.update_after_undo(draft, self.folder, name, changed[name])
        memories = {anchor: (before[anchor], after[anchor]) for anchor in before.keys() & after.keys()}
        for edit in reversed(plan.edits):
            if index_records.is_index(edit):
                index_records.undo_index(draft, self.folder, edit, memories)

    @staticmethod
    def _has_changed_since(draft: Draft, edit: FileEdit) -> bool:
        """Return whether a file that an edit changed was changed again."""
        return None not in (edit.before, edit.after) and edit.name in draft.files and not draft.matches(edit)

    @staticmethod
    def _memories_in(draft: Draft, edits: Sequence[FileEdit]) -> dict[str, Mapping[str, FieldValue]]:
        """Return the fields of the memories whose files these edits change, by anchor."""
        files = {edit.name: draft.files[edit.name] for edit in edits if edit.name in draft.files}
        readings = (reader.read_file(name, data) for name, data in files.items())
        return {record.anchor: record.fields for reading in readings for record in reading.records}

    # -- what actions do

    def support_for(self, action: str, name: str = "") -> Support:
        if action in ("supersede", "dismiss") and name:  # of a pair, by the kind of its link
            action = "expire" if name == REPEATS else "supersede"
        if action in _ACTIONS:
            return Support(SupportKind.NATIVE, _ACTIONS[action])
        if action in ("relate", "unrelate"):
            if name != CONTRADICTS:
                return Support.by_memtui(wording.ONLY_KIND.format(kind=CONTRADICTS))
            text = wording.ADDS_CONTRADICTION if action == "relate" else wording.REMOVES_CONTRADICTION
            return Support(SupportKind.NATIVE, text)
        if action == "edit" and name in ("", "content"):
            return Support(SupportKind.NATIVE, wording.CHANGES_TEXT)
        if action == "edit" and name in WRITABLE:
            return Support(SupportKind.NATIVE, wording.CHANGES_FIELD.format(field=name.replace("_", " ")))
        field = name or {"unpin": "pin"}.get(action, action)
        return Support.by_memtui(wording.KEPT_IN_MEMTUI.format(field=field.replace("_", " ")))


_ACTIONS = {
    "add": wording.ADDS_FILE,
    "confirm": wording.CONFIRMS,
    "dismiss": wording.DISMISSES,
    "restore": wording.RESTORES,
    "expire": wording.EXPIRES,
    "delete": wording.DELETES,
    "forget": wording.FORGETS,
    "supersede": wording.SUPERSEDES,
}
