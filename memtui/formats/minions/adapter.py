"""minions-memory (FORMATS 2): a folder of shards in which each file is one minion.

Items, lessons and summaries are memories; indexes, reinforcements, expiries, contradictions, queries and
policies stand beside them. Every change is a patch of the file's own text.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from memtui.errors import Refused
from memtui.formats.contract.adapter import (
    REPEATS,
    Fitted,
    How,
    Planned,
    Reading,
    Record,
    Support,
    Write,
    clean,
)
from memtui.formats.media.files import atomic_write
from memtui.formats.media.files.draft import Draft, FileEdit
from memtui.formats.media.files.rename_undo import take_back
from memtui.formats.media.files.tree import TreeStore, walk
from memtui.formats.minions import add, checks, index_records, paths, reader, survey
from memtui.formats.minions.finding_help import GRAVE, MEANINGS
from memtui.formats.minions.schema import HIGHEST, MEMBERS, REMADE, SET, fields_of
from memtui.formats.minions.side_records import CONTRADICTS
from memtui.formats.minions.writer import Change, seen_as
from memtui.memory.stores import Finding

_CUT_OFF = 10  # seconds after which a temporary file of another program is a leftover


class Minions(TreeStore):
    """A minions store, attached; `root` is its folder."""

    format = "minions"
    title = "minions"
    looked_for = "a folder with <hh>/<hh>/<uuid>.json of id, minionTypeId memory-… and fields"
    inside = (paths.FOLDER,)
    known_places = ("$MINIONS_STORE", "./.minions", "~/.minions")
    lifecycle = "minions"
    expiry: ClassVar[Mapping[str, Any]] = {"status": "dismissed"}
    suffixes = (".json",)
    fields = SET
    restorable_fields = REMADE
    relation_kinds = (CONTRADICTS,)
    relation_says = frozenset({"context"})
    meanings = MEANINGS
    grave = GRAVE

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
            raise Refused("exists", f"{path} holds something else already.", "Nothing was made.")
        return path

    # -- read

    def part(self, name: str, data: bytes, files: Mapping[str, bytes]) -> Reading:
        return reader.part(name, data)

    def survey(self, files: Mapping[str, bytes], out: Reading) -> None:
        survey.survey(files, out)

    def read(self) -> Reading:
        out = super().read()
        for name, entry, _ in walk(self.root, (".json.tmp",), self.depth):
            if time.time() - entry.stat(follow_symlinks=False).st_mtime > _CUT_OFF:
                out.odd("leftover", clean(name), "A temporary file that no write took up.")
        return out

    def checkup(self, reading: Reading, now: float) -> Iterator[Finding]:
        yield from super().checkup(reading, now)
        yield from checks.look(self.load()[0], reading)

    def identity(self, name: str, data: bytes) -> str:
        return index_records.identity(data)

    # -- write

    def revise(self, draft: Draft, record: Record | None, write: Write) -> None:
        if record is None:
            add.add(draft, write)
        else:
            Change(draft, self.folder, record, write).make()

    def fields_of(self, kind: str) -> frozenset[str]:
        """What a change may set in a memory of this kind."""
        return fields_of(kind)

    def plan(self, writes: Sequence[Write]) -> list[Planned | Refused]:
        return super().plan([seen_as(write) for write in writes])

    def take_back(self, draft: Draft, plan: Planned) -> None:
        own = [edit for edit in plan.edits if not index_records.is_index(edit)]
        before = self._memories_in(draft, own)
        changed = {edit.name: draft.files[edit.name] for edit in own if self._is_other_since(draft, edit)}
        take_back(draft, own)
        after = self._memories_in(draft, own)
        for name in changed.keys() & draft.files.keys():
            index_records.follow_back(draft, self.folder, name, changed[name])
        said = {anchor: (before[anchor], after[anchor]) for anchor in before.keys() & after.keys()}
        for edit in reversed(plan.edits):
            if index_records.is_index(edit):
                index_records.take_back(draft, self.folder, edit, said)

    @staticmethod
    def _is_other_since(draft: Draft, edit: FileEdit) -> bool:
        """Whether a file that an edit changed was changed again."""
        return None not in (edit.before, edit.after) and edit.name in draft.files and not draft.holds(edit)

    def _memories_in(self, draft: Draft, edits: Sequence[FileEdit]) -> dict[str, Mapping[str, Any]]:
        """What the memories say whose files these edits touch."""
        files = {edit.name: draft.files[edit.name] for edit in edits if edit.name in draft.files}
        return {each.anchor: each.fields for name in files for each in reader.part(name, files[name]).records}

    def fit(self, fields: Mapping[str, Any]) -> Fitted:
        out = super().fit(fields)
        out.fields.pop("extra", None)  # of another format: no members of this one
        kind = str(fields.get("kind") or "item")
        if kind not in MEMBERS:
            out.fields["kind"] = "item"
            out.changed["kind"] = (kind, "item")
        kind = str(out.fields.setdefault("kind", "item"))
        members = {"ref", "kind", "title", "tags", "content", *MEMBERS[kind]}
        for name in out.fields.keys() - members:
            del out.fields[name]
        if kind == "item" and not fields.get("key"):
            out.fields["key"] = add.key_of(fields)
            out.changed["key"] = (None, out.fields["key"])
        confidence = out.fields.get("confidence")
        if confidence is not None and confidence > HIGHEST:
            out.fields["confidence"] = HIGHEST
            out.changed["confidence"] = (confidence, HIGHEST)
        return out

    # -- in words

    def supports(self, action: str, name: str = "") -> Support:
        native = {
            "add": "adds a file and its index minion",
            "confirm": "raises its confidence, renews lastReinforcedAt and writes a reinforcement minion",
            "dismiss": "marks its file as deleted; it stays where it is",
            "restore": "takes the mark off its file",
            "expire": "marks its file as deleted and writes an expiry minion",
            "delete": "removes its file and its index minion",
            "supersede": "marks its file as deleted, resolves their contradiction and writes an expiry",
        }
        if action in ("supersede", "dismiss") and name:  # of a pair that says the same, or contradicts
            action = "expire" if name == REPEATS else "supersede"
        if action in native:
            return Support(How.NATIVE, native[action])
        if action in ("relate", "unrelate"):
            if name == CONTRADICTS:
                made = "writes an unresolved contradiction minion"
                taken = "marks their unresolved contradiction minion as deleted; its file stays where it is"
                return Support(How.NATIVE, made if action == "relate" else taken)
            return Support(How.WORKSPACE, f"is kept in memtui: minions knows only “{CONTRADICTS}”")
        if action == "edit" and name in ("", "content"):
            return Support(How.NATIVE, "changes the text in its file and renews its index minion")
        if action == "edit" and name in SET:
            return Support(How.NATIVE, f"changes its {name.replace('_', ' ')} in its file")
        field = name or {"unpin": "pin"}.get(action, action)
        return Support(How.WORKSPACE, f"is kept in memtui: minions has no {field.replace('_', ' ')}")
