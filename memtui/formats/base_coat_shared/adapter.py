"""Base Coat's shared memory (FORMATS 4): a folder for each domain, in it a Markdown file for each subject.

The file is the memory: its section “Pattern” is what agents are given, “Evidence” where that comes from.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from memtui.errors import NotSaved, Refused
from memtui.formats.base_coat_shared import writer
from memtui.formats.base_coat_shared.document import EVIDENCE, PATTERN, Sheet
from memtui.formats.base_coat_shared.reader import (
    CATEGORIES,
    FRESH,
    LENGTH,
    MARK,
    MEANINGS,
    README,
    is_store,
    tell,
)
from memtui.formats.checkup import found
from memtui.formats.contract.adapter import Fitted, How, Planned, Reading, Record, Support, Write, clean
from memtui.formats.media.files import atomic_write
from memtui.formats.media.files.draft import Draft
from memtui.formats.media.files.tree import TreeStore, may_write, walk
from memtui.memory.records import Finding, iso

_DEEPEST = 8  # folders below the root in which files are looked for that nobody reads
_README = f"""# Shared memories

{MARK.decode()}

One file for each memory: `domain/subject.md`, with a head (subject, category, confidence, created,
applies_to) and the sections `## Pattern`, of at most 200 characters, and `## Evidence`.
"""


class BaseCoatShared(TreeStore):
    """A folder of shared memories, attached; `root` is the folder with the domains."""

    format = "base-coat-shared"
    title = "Base Coat shared memory"
    looked_for = (
        "a folder of domain/subject.md files with “subject: domain:subject” at their head and a “## Pattern”"
    )
    inside = ("memories", ".memory/shared/memories")
    known_places = ("./memories", "./.memory/shared/memories")
    suffixes = (".md",)
    depth = 1
    fields = frozenset({"content", "category", "confidence", "last_confirmed_at"})
    restorable_fields = frozenset(
        {"ref", "subject", "title", "tags", "created_at", "source_excerpt", "extra"}
    )
    categories = CATEGORIES
    plain_category = "convention"
    lifecycle = "base-coat"
    meanings = MEANINGS
    grave = frozenset({"no-pattern", "unclosed-head"})

    # -- recognise

    @classmethod
    def recognise(cls, path: Path) -> Path | None:
        try:
            return path if path.is_dir() and is_store(path) else None
        except OSError:
            return None

    @classmethod
    def create(cls, path: Path) -> Path:
        atomic_write.make_file(path / README, _README.encode())
        return path

    # -- read

    def part(self, name: str, data: bytes, files: Mapping[str, bytes]) -> Reading:
        out = Reading()
        tell(name, data, out)
        return out

    def read(self) -> Reading:
        out = super().read()
        deep = (name for name, _, trouble in walk(self.root, self.suffixes, _DEEPEST) if not trouble)
        folders = Counter("/".join(name.split("/")[:2]) for name in deep if name.count("/") > self.depth)
        for folder, count in folders.items():
            what = "A file lies" if count == 1 else f"{count:,} files lie"
            out.odd("too-deep", clean(folder), f"{what} deeper than domain/subject.md, where nobody looks.")
        return out

    def aged(self, reading: Reading, now: float) -> Iterator[Finding]:
        yield from super().aged(reading, now)
        for record in reading.records:
            times = (record.fields.get(name) for name in ("created_at", "last_confirmed_at"))
            last = max((at for at in times if at is not None), default=now)
            if last < now - FRESH:
                day = (iso(last) or "")[:10]
                yield Finding("stale", record.place, f"Nobody has validated it since {day}.")

    def survey(self, files: Mapping[str, bytes], out: Reading) -> None:
        said = Counter(record.fields["subject"] for record in out.records)
        for record in out.records:
            subject = record.fields["subject"]
            if subject and said[subject] > 1:
                out.odd("doubled-subject", record.place, f"Another file has the subject “{subject}”, too.")

    def checkup(self, reading: Reading, now: float) -> Iterator[Finding]:
        yield from super().checkup(reading, now)
        files = self.load()[0]
        for record in reading.records:
            names = Counter(each.name.casefold() for each in Sheet(files.get(record.at[0], b"")).sections)
            if not names[EVIDENCE]:
                yield found("no-evidence", record.place)
            for name in (PATTERN, EVIDENCE):
                if names[name] > 1:
                    yield found("double-section", record.place, count=names[name], name=name.capitalize())

    # -- write

    def check(self, write: Write) -> None:
        super().check(write)
        if "content" in write.fields:
            writer.checked(str(write.fields["content"] or ""))

    def revise(self, draft: Draft, record: Record | None, write: Write) -> None:
        if record is None:
            self._add(draft, write)
            return
        name = record.at[0]
        may_write(self.folder, draft, name)
        if write.action in ("dismiss", "delete"):
            draft.remove(name)
            return
        for field, value in write.fields.items():
            if field not in self.fields:
                raise NotSaved("no-field", f"a shared memory has no {field.replace('_', ' ')}.")
            if field == "content":
                writer.set_pattern(draft, name, str(value or ""))
            elif field == "category":
                writer.set_category(draft, name, str(value or self.plain_category))
            elif field == "confidence" and value not in (None, record.fields["confidence"]):
                writer.set_confidence(draft, name, float(value))
            elif field == "last_confirmed_at" and value is not None:
                writer.set_validated(draft, name, float(value))

    def _add(self, draft: Draft, write: Write) -> None:
        fields = write.fields
        text = writer.checked(str(fields.get("content") or ""))
        subject = str(fields.get("subject") or "")
        ref = PurePosixPath(str(fields.get("ref") or ""))
        wished = str(ref) if _is_place(ref) else writer.placed(subject or writer.subject_of(fields))
        name = self._free(draft, wished)
        if name != wished and subject and not fields.get("ref"):
            raise NotSaved("exists", f"{wished} is there already.", "Give it another subject.")
        if not subject:
            subject = name.removesuffix(".md").replace("/", ":")
        modes = Counter(draft.modes.get(each, 0o600) for each in draft.files)
        mode = modes.most_common(1)[0][0] if modes else 0o600
        draft.create(name, writer.new_file(fields, subject, text, write.now), mode)
        sheet = Sheet(draft.files[name])
        if sheet.text(PATTERN) != clean(text):
            raise writer.misread()
        if sheet.says("subject") != clean(subject):
            raise NotSaved("unsure", "the text could not be read back as it was to be.")

    def _free(self, draft: Draft, wished: str) -> str:
        """The name, or the first of name-2, name-3 … that is not taken."""
        taken = {each.casefold() for each in draft.files}
        stem, number, name = wished.removesuffix(".md"), 1, wished
        while name.casefold() in taken or os.path.lexists(self.folder / name):
            number += 1
            name = f"{stem}-{number}.md"
        return name

    def put_anew(self, draft: Draft, plan: Planned) -> None:
        """Its own bytes, under another name where something else took its place."""
        edit = next(each for each in plan.edits if each.after is None)
        if draft.files.get(edit.name) == edit.whole:
            raise Refused("exists", f"{edit.name} is there again already.", "Nothing was changed.")
        draft.create(self._free(draft, edit.name), edit.whole, edit.mode)

    def fit(self, fields: Mapping[str, Any]) -> Fitted:
        out = super().fit(fields)
        for name in ("extra", "tags"):  # of another format: no lines of this one's head
            out.fields.pop(name, None)
        subject = writer.subject_of(fields)
        out.fields["subject"] = subject
        if subject != fields.get("subject"):
            out.changed["subject"] = (fields.get("subject"), subject)
        return out

    # -- in words

    def supports(self, action: str, name: str = "") -> Support:
        if action == "add":
            return Support(How.NATIVE, "adds a file in the folder of its domain")
        if action == "delete":
            return Support(How.NATIVE, "deletes its file")
        if action == "dismiss":
            return Support(How.MOVED, "takes its file out of the folder and keeps it in memtui")
        if action == "restore":
            return Support(How.MOVED, "puts its file back at its old place")
        if action == "confirm":
            return Support(How.NATIVE, "raises its confidence in its file and sets last_validated to today")
        if action == "edit" and name in ("", "content"):
            return Support(How.NATIVE, f"changes the pattern in its file, of at most {LENGTH} characters")
        if action == "edit" and name in self.fields:
            return Support(How.NATIVE, f"changes the {name.replace('_', ' ')} in its file")
        if name == "tags":
            return Support(
                How.WORKSPACE, "is kept in memtui: tags in the head of a shared memory are only read"
            )
        words = {"unpin": "pin", "relate": "relations", "unrelate": "relations"}.get(action, name or action)
        words = words.replace("_", " ")
        return Support(How.WORKSPACE, f"is kept in memtui: Base Coat's shared memory has no {words}")


def _is_place(ref: PurePosixPath) -> bool:
    """Whether a ref is the name of a file in a domain's folder."""
    parts = ref.parts
    plain = len(parts) == 2 and not any(part.startswith(".") for part in parts) and ref.suffix == ".md"
    return plain and all(clean(part) == part and len(part.encode()) < 200 for part in parts)
