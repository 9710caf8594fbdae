"""Base Coat's shared memory (FORMATS 4): a folder for each domain, in it a Markdown file for each subject.

A file is one memory: its section “Pattern” is what agents are given, “Evidence” where that comes from.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from memtui.formats.base_coat_shared import redaction, wording, writer
from memtui.formats.base_coat_shared.document import EVIDENCE, PATTERN, Document
from memtui.formats.base_coat_shared.finding_help import GRAVE, MEANINGS
from memtui.formats.base_coat_shared.reader import (
    CATEGORIES,
    FRESH_SECONDS,
    MAX_PATTERN,
    README,
    README_MARK,
    is_store,
    read_file,
)
from memtui.formats.checkup import make_finding
from memtui.formats.contract.adapter import Support, SupportKind
from memtui.formats.contract.plans import Fitted, Plan, Write
from memtui.formats.contract.records import Reading, Record, clean
from memtui.formats.media.files import atomic_write
from memtui.formats.media.files.commit import NEW_MODE
from memtui.formats.media.files.draft import Draft
from memtui.formats.media.files.tally import free_name, mode_of
from memtui.formats.media.files.tree import TreeStore, ensure_writable, walk
from memtui.memory.encoding import iso
from memtui.memory.stores import Finding
from memtui.values import FieldValue

_DEEPEST = 8  # folders below the root that are searched for files too deep to be read


class BaseCoatShared(TreeStore):
    """A folder of shared memories, attached; `root` is the folder with the domains."""

    format = "base-coat-shared"
    title = "Base Coat shared memory"
    has_folders = True
    recognised_by = wording.RECOGNISED_BY
    at_start = wording.AT_START
    usual_paths = ("memories", ".memory/shared/memories")
    known_places = ("./memories", "./.memory/shared/memories")
    suffixes = (".md",)
    depth = 1
    fields = frozenset({"content", "category", "confidence", "last_confirmed_at"})
    restorable_fields = frozenset(
        {"ref", "subject", "title", "tags", "created_at", "source_excerpt", "extra"}
    )
    redactable_fields = frozenset({"content", "title", "subject", "tags", "source_excerpt", "extra"})
    redacts_names = True
    unique_subjects = True
    categories = CATEGORIES
    fallback_category = "convention"
    lifecycle = "base-coat"
    finding_help = MEANINGS
    severe_findings = GRAVE

    # -- recognise

    @classmethod
    def recognise(cls, path: Path) -> Path | None:
        try:
            return path if path.is_dir() and is_store(path) else None
        except OSError:
            return None

    @classmethod
    def create(cls, path: Path) -> Path:
        readme = wording.README.format(mark=README_MARK.decode())
        atomic_write.make_file(path / README, readme.encode())
        return path

    # -- read

    def parse_file(self, name: str, data: bytes, files: Mapping[str, bytes]) -> Reading:
        return read_file(name, data)

    def read(self) -> Reading:
        out = super().read()
        deep = (name for name, _, error in walk(self.root, self.suffixes, _DEEPEST) if not error)
        folders = Counter("/".join(name.split("/")[:2]) for name in deep if name.count("/") > self.depth)
        for folder, count in folders.items():
            out.add_finding("too-deep", clean(folder), wording.too_deep(count))
        return out

    def age_findings(self, reading: Reading, now: float) -> Iterator[Finding]:
        yield from super().age_findings(reading, now)
        for record in reading.records:
            times = (record.fields.get(name) for name in ("created_at", "last_confirmed_at"))
            last = max((at for at in times if at is not None), default=now)
            if last < now - FRESH_SECONDS:
                day = (iso(last) or "")[:10]
                yield Finding("stale", record.place, wording.STALE.format(day=day))

    def survey(self, files: Mapping[str, bytes], out: Reading) -> None:
        subjects = Counter(record.fields["subject"] for record in out.records)
        for record in out.records:
            subject = record.fields["subject"]
            if subject and subjects[subject] > 1:
                text = wording.DOUBLED_SUBJECT.format(subject=subject)
                out.add_finding("doubled-subject", record.place, text)

    def checkup(self, reading: Reading, now: float) -> Iterator[Finding]:
        yield from super().checkup(reading, now)
        files = self.load()[0]
        for record in reading.records:
            document = Document(files.get(record.position[0], b""))
            names = Counter(section.name.casefold() for section in document.sections)
            if not names[EVIDENCE]:
                yield make_finding("no-evidence", record.place)
            for name in (PATTERN, EVIDENCE):
                if names[name] > 1:
                    yield make_finding(
                        "double-section", record.place, count=names[name], name=name.capitalize()
                    )

    # -- write

    def check(self, write: Write) -> None:
        super().check(write)
        if "content" in write.fields and write.redacted is None:
            writer.checked_pattern(str(write.fields["content"] or ""))

    def revise(self, draft: Draft, record: Record | None, write: Write) -> None:
        if record is None:
            self._add(draft, write)
            return
        name = record.position[0]
        ensure_writable(self.folder, draft, name)
        if write.action in ("dismiss", "delete"):
            draft.remove(name)
            return
        if write.action == "redact":
            redaction.redact(draft, record, write)
            return
        for field, value in write.fields.items():
            if field not in self.fields:
                raise wording.no_field(field.replace("_", " "))
            if field == "content":
                writer.set_pattern(draft, name, str(value or ""))
            elif field == "category":
                writer.set_category(draft, name, str(value or self.fallback_category))
            elif field == "confidence" and value not in (None, record.fields["confidence"]):
                writer.set_confidence(draft, name, float(value))
            elif field == "last_confirmed_at" and value is not None:
                writer.set_validated(draft, name, float(value))

    def _add(self, draft: Draft, write: Write) -> None:
        fields = write.fields
        text = writer.checked_pattern(str(fields.get("content") or ""))
        subject = str(fields.get("subject") or "")
        ref = PurePosixPath(str(fields.get("ref") or ""))
        wanted = str(ref) if _is_file_name(ref) else writer.file_name(subject or writer.subject_of(fields))
        name = self._free_name(draft, wanted)
        if name != wanted and subject and not fields.get("ref"):
            raise wording.subject_taken(wanted)
        if not subject:
            subject = name.removesuffix(".md").replace("/", ":")
        mode = draft.most_common(mode_of)
        data = writer.new_file(fields, subject, text, write.now)
        draft.create(name, data, mode if isinstance(mode, int) else NEW_MODE)
        document = Document(draft.files[name])
        if document.text(PATTERN) != clean(text):
            raise wording.not_one_section()
        if document.head_text("subject") != clean(subject):
            raise wording.not_read_back()

    def _free_name(self, draft: Draft, wanted: str) -> str:
        """Return the file name, or the first of name-2, name-3 … that is not taken."""
        stem = wanted.removesuffix(".md")
        return free_name(draft, self.folder, lambda n: wanted if n == 1 else f"{stem}-{n}.md")

    def recreate(self, draft: Draft, plan: Plan) -> None:
        """Create the file with its old bytes again, under another name where its own is taken."""
        edit = next(each for each in plan.edits if each.after is None)
        if draft.files.get(edit.name) == edit.content:
            raise wording.already_back(edit.name)
        draft.create(self._free_name(draft, edit.name), edit.content, edit.mode)

    def fit(self, fields: Mapping[str, FieldValue]) -> Fitted:
        out = super().fit(fields)
        for name in ("extra", "tags"):  # values of another format do not belong into this one's head
            out.fields.pop(name, None)
        subject = self._free_subject(writer.subject_of(fields))
        out.fields["subject"] = subject
        if subject != fields.get("subject"):
            out.changed["subject"] = (fields.get("subject"), subject)
        return out

    def _free_subject(self, wanted: str) -> str:
        """Return the subject, or the first of subject-2, subject-3 … that no file is named after."""
        subject, number = wanted, 1
        while os.path.lexists(self.folder / writer.file_name(subject)):
            number += 1
            subject = writer.numbered(wanted, number)
        return subject

    # -- what actions do

    def support_for(self, action: str, name: str = "") -> Support:
        if action in _ACTIONS:
            return _ACTIONS[action]
        if action == "edit" and name in ("", "content"):
            return Support(SupportKind.NATIVE, wording.CHANGES_PATTERN.format(longest=MAX_PATTERN))
        if action == "edit" and name in self.fields:
            return Support(SupportKind.NATIVE, wording.CHANGES_FIELD.format(field=name.replace("_", " ")))
        if name == "tags":
            return Support.by_memtui(wording.TAGS_KEPT_IN_MEMTUI)
        field = _NOT_IN_STORE.get(action, name or action)
        return Support.by_memtui(wording.KEPT_IN_MEMTUI.format(field=field.replace("_", " ")))


_NOT_IN_STORE = {"pin": "pins", "unpin": "pins", "relate": "relations", "unrelate": "relations"}
_ACTIONS = {
    "add": Support(SupportKind.NATIVE, wording.ADDS_FILE),
    "delete": Support(SupportKind.NATIVE, wording.DELETES_FILE),
    "dismiss": Support(SupportKind.MOVED, wording.REMOVES_FILE),
    "restore": Support(SupportKind.MOVED, wording.PUTS_FILE_BACK),
    "confirm": Support(SupportKind.NATIVE, wording.CONFIRMS),
}


def _is_file_name(ref: PurePosixPath) -> bool:
    """Return whether a ref is the name of a file in a domain's folder."""
    parts = ref.parts
    is_plain = len(parts) == 2 and not any(part.startswith(".") for part in parts) and ref.suffix == ".md"
    return is_plain and all(clean(part) == part and len(part.encode()) < 200 for part in parts)
