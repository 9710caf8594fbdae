"""Claude Code's auto memory (FORMATS 6): Markdown files and the index MEMORY.md.

A memory file is one memory, and so is each bullet or paragraph of free text in the index.
"""

from __future__ import annotations

import os
import re
import stat
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from posixpath import basename
from types import MappingProxyType

from memtui.errors import NotSaved, Refused
from memtui.formats.claude_code import checks, document, memory_index, reader, spelling, writer
from memtui.formats.claude_code.document import Note
from memtui.formats.claude_code.finding_help import MEANINGS
from memtui.formats.claude_code.incremental import FolderLook, marks_in
from memtui.formats.claude_code.memory_index import NAME
from memtui.formats.contract.adapter import How, Planned, Reading, Record, RelationFate, Support, Write, clean
from memtui.formats.contract.incremental import Look, stamp_of
from memtui.formats.media.files import atomic_write
from memtui.formats.media.files.draft import Draft, FileEdit, undo_edit
from memtui.formats.media.files.store import FileStore, numbered
from memtui.formats.media.files.tree import LIMIT, ODD, Held, damage, may_write, note_oddities, walk
from memtui.formats.slips import Slip
from memtui.formats.syntax.timestamps import in_the_form_of
from memtui.memory.records import Finding

_FILE = re.compile(r"[\w-][\w.-]*\.md")  # a name that is a file of the folder itself
_NEEDS_LINE = "its name is what links go by, and it has no line in MEMORY.md that could hold a title."


class ClaudeCode(FileStore):
    """A Claude Code memory folder, attached; `root` is the folder."""

    format = "claude-code"
    title = "Claude Code memory"
    looked_for = (
        "a MEMORY.md with lines to .md files, or .md files with name, description and type at their head"
    )
    inside = ("memory", ".claude/memory")
    known_places = (
        "~/.claude/projects/*/memory",
        "~/.claude/agent-memory/*",
        "./.claude/memory",
        "./.claude/agent-memory/*",
        "./.claude/agent-memory-local/*",
        "./memory",
    )
    fields = frozenset({"content", "title", "category"})
    restorable_fields = frozenset({"ref", "session_id", "extra"})
    in_passing = frozenset({"session_id", "source_ref", "updated_at"})
    categories = reader.CATEGORIES
    plain_category = "project"
    meanings = MEANINGS
    _marks: Mapping[str, str] = MappingProxyType({})  # the files as stamp() last saw them

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self._held = Held()
        self._notes: dict[str, Note] = {}  # as they were read last
        self._records: dict[str, tuple[Note, str, str, Record]] = {}  # and what was made of them
        self._newest: tuple[dict[str, bytes], Reading, dict[str, Note]] = ({}, Reading(), {})

    # -- recognise

    @classmethod
    def recognise(cls, path: Path) -> Path | None:
        try:
            folder = path.parent if path.name == NAME and path.is_file() else path
            return folder if folder.is_dir() and reader.is_store(folder) else None
        except OSError:
            return None

    @classmethod
    def create(cls, path: Path) -> Path:
        path = path if reader.is_own(path) else path / "memory"
        atomic_write.make_file(path / NAME)
        return path

    # -- read

    def load(self) -> tuple[dict[str, bytes], dict[str, int]]:
        files: dict[str, bytes] = {}
        modes: dict[str, int] = {}
        for name, path, trouble in reader.walk(self.root):
            if trouble in ("elsewhere", ODD):
                continue
            try:
                status = path.stat()
            except OSError:  # it went meanwhile
                continue
            data = self._held.bytes_of(name, path, status)
            if data is not None:
                files[name], modes[name] = data, stat.S_IMODE(status.st_mode)
        return files, modes

    def read(self) -> Reading:
        out = super().read()
        note_oddities(walk(self.root, (".md",), reader.DEPTH), out)
        return out

    def stamp(self) -> str:
        self._marks = marks_in(self.root)
        return stamp_of(self._marks.items())

    @classmethod
    def named_by_text(cls, ref: str) -> bool:
        return ref.startswith(f"{NAME}#")

    @contextmanager
    def look(self) -> Iterator[Look]:
        # As they were before the files are read: what changes meanwhile is another mark next time.
        yield FolderLook(self.root, self._marks or marks_in(self.root), self.read)

    def parse(self, files: Mapping[str, bytes]) -> Reading:
        out, notes = self._memories(files)
        lines = memory_index.read(files.get(NAME, b""))
        out.links += reader.links(notes, out)
        reader.doctor(files, notes, lines, out)
        return out

    def parse_records(self, files: Mapping[str, bytes]) -> Reading:
        return self._memories(files)[0]

    def _memories(self, files: Mapping[str, bytes]) -> tuple[Reading, dict[str, Note]]:
        """The records of all files, and the files as notes."""
        known, told, notes = self._newest
        if not known or known != files:
            told, notes = self._read_all(files)
            self._newest = dict(files), told, notes
        return Reading(records=[*told.records], findings=[*told.findings]), notes

    def _read_all(self, files: Mapping[str, bytes]) -> tuple[Reading, dict[str, Note]]:
        out = Reading()
        lines = memory_index.read(files.get(NAME, b""))
        notes: dict[str, Note] = {}
        seen: Counter[str] = Counter()
        for name, data in sorted(files.items()):
            harm = damage(data)
            if harm:
                out.odd("read-only", name, f"{clean(name)} {harm}; it is left as it is.")
            if len(data) > LIMIT or name == NAME:
                continue
            if basename(name) == NAME:
                out.odd("other-index", name, "An index of its own: attach its folder as a store.")
                continue
            notes[name] = self._note(name, data)
            ref = numbered(clean(name), seen)
            out.records.append(self._record(name, notes[name], lines, ref))
        if len(files.get(NAME, b"")) <= LIMIT:
            out.records += reader.free_text(lines)
        return out, notes

    def checkup(self, reading: Reading, now: float) -> Iterator[Finding]:
        yield from super().checkup(reading, now)
        yield from checks.look(self.root, self.load()[0])

    def slips(self, files: Mapping[str, bytes], reading: Reading) -> Iterator[Slip]:
        yield from spelling.slips(files, reading)

    def _note(self, name: str, data: bytes) -> Note:
        known = self._notes.get(name)
        if known is None or known.data != data:
            known = self._notes[name] = document.read(data)
        return known

    def _record(self, name: str, found: Note, lines: memory_index.Index, ref: str) -> Record:
        line = next(iter(lines.to(name)), None)
        title = "" if line is None else line.title
        known = self._records.get(name)
        if known is None or known[0] is not found or known[1:3] != (title, ref):
            made = reader.record(name, found, lines, ref)
            known = self._records[name] = found, title, ref, made
        return known[3]

    # -- write

    def revise(self, draft: Draft, record: Record | None, write: Write) -> None:
        if record is None:
            self._add(draft, write)
        elif record.at[1] >= 0:
            self._revise_text(draft, record.at[1], write)
        elif write.action == "dismiss":
            self._dismiss(draft, record.at[0])
        else:
            self._edit(draft, record.at[0], write)

    def _edit(self, draft: Draft, name: str, write: Write) -> None:
        self._may_write(draft, name)
        before = draft.files[name]
        for each, value in write.fields.items():
            text = str(value or "")
            if each not in ("content", "title", "category"):
                raise NotSaved("no-field", f"a memory file has no {each}.")
            if not text.strip():
                raise NotSaved("empty", f"the {each} cannot be empty.", "Dismiss the memory instead.")
            if each == "content":
                writer.set_body(draft, name, document.bare(text))
            elif each == "title":
                self._set_title(draft, name, " ".join(text.split()))
            else:
                draft.splice(name, *document.patched(document.read(draft.files[name]), "type", text))
        found = document.read(draft.files[name])
        stamp = found.says("modified")
        if stamp and draft.files[name] != before and found.head is not None and not found.head.odd:
            new = str(in_the_form_of(write.now, stamp))
            draft.splice(name, *document.patched(found, "modified", new), soft=True)
        lines = memory_index.read(draft.files.get(NAME, b""))
        said = reader.record(name, document.read(draft.files[name]), lines).fields
        for each, value in write.fields.items():
            asked = document.bare(str(value)) if each == "content" else " ".join(str(value).split())
            if said[each] != clean(asked):
                raise NotSaved("unsure", "the file could not be read back as it was to be.")

    def _set_title(self, draft: Draft, name: str, title: str) -> None:
        found = document.read(draft.files[name])
        lines = memory_index.read(draft.files.get(NAME, b"")).to(name)
        rename = bool(found.says("name")) and not found.named_for_links
        if not lines and not rename:
            raise NotSaved("no-line", _NEEDS_LINE if found.says("name") else "the file has no name.")
        if rename:
            draft.splice(name, *document.patched(found, "name", title))
        for line in reversed(lines):
            if line.title == lines[0].title and line.title != title:
                self._may_write(draft, NAME)
                draft.splice(NAME, *line.label, memory_index.label(title).encode(), soft=rename)

    def _dismiss(self, draft: Draft, name: str) -> None:
        self._may_write(draft, name)
        lines = writer.lines_of(draft)
        found = lines.to(name)
        draft.remove(name)
        if found and draft.counted[1] is not lines:  # else lines were cut out of it before
            self._may_write(draft, NAME)
        for line in reversed(found):
            writer.cut_line(draft, lines, line)

    def _revise_text(self, draft: Draft, at: int, write: Write) -> None:
        self._may_write(draft, NAME)
        before = memory_index.read(draft.files[NAME])
        block = next((block for block in before.blocks if block.start == at), None)
        if block is None:
            raise NotSaved("gone", "the text is no longer where it was in MEMORY.md.")
        if write.action == "dismiss":
            writer.cut(draft, block.start, block.end)
            return
        other = next((each for each in write.fields if each != "content"), None)
        if other is not None:
            raise NotSaved("no-field", f"free text in MEMORY.md has no {other}.")
        text = document.bare(str(write.fields["content"] or ""))
        if not text:
            raise NotSaved("empty", "the content cannot be empty.", "Dismiss the memory instead.")
        newline = b"\r\n" if b"\r\n" in draft.files[NAME] else b"\n"
        writer.put_lines(draft, NAME, block.spans, block.text, text, block.hang, newline)
        after = memory_index.read(draft.files[NAME])
        now = next((block.text for block in after.blocks if block.start == at), None)
        if (
            now != text
            or len(after.blocks) != len(before.blocks)
            or len(after.entries) != len(before.entries)
        ):
            raise NotSaved(
                "shape",
                "in MEMORY.md this would be read as more than one memory, or as something else.",
                "Leave out empty lines, headings and lines that begin with a bullet.",
            )

    def _add(self, draft: Draft, write: Write) -> None:
        text = document.bare(str(write.fields.get("content") or ""))
        if not text:
            raise NotSaved("empty", "a memory without a text is none.")
        category = str(write.fields.get("category") or "project")
        title = " ".join(str(write.fields.get("title") or "").split()) or writer.first_words(text)
        extra = write.fields.get("extra")
        said = str(extra.get("description") or "") if isinstance(extra, Mapping) else ""
        description = " ".join(said.split()) or writer.first_words(text, 150)
        taken = {each.casefold() for each in draft.files}
        words = writer.slug(title) or writer.slug(text) or reader.mark(text)
        ref = str(write.fields.get("ref") or "")
        free = _FILE.fullmatch(ref) and ref.casefold() not in taken and not os.path.lexists(self.folder / ref)
        name = ref if free else self._free_name(taken, f"{category}_{words}")
        notes = [document.read(data) for each, data in draft.files.items() if each != NAME]
        nested = sum(each.nested for each in notes) * 2 > sum(bool(each.says("type")) for each in notes)
        session = str(write.fields.get("session_id") or "")
        slug = name.removesuffix(".md").replace("_", "-")
        whole = document.new(title, category, description, session, text, nested, slug)
        modes = Counter(draft.modes.get(each, 0o600) for each in draft.files)
        mode = modes.most_common(1)[0][0] if modes else 0o600
        draft.create(name, whole.encode(), mode)
        if document.read(whole.encode()).content != clean(text):
            raise NotSaved("unsure", "the text could not be read back as it was to be.")
        if not memory_index.read(draft.files.get(NAME, b"")).to(name):  # an agent may have left its line
            self._may_write(draft, NAME)
            writer.put_line(draft, f"- [{memory_index.label(title)}]({name}) — {description}", mode)

    def _free_name(self, taken: set[str], stem: str) -> str:
        number = 1
        while True:
            name = f"{stem}.md" if number == 1 else f"{stem}_{number}.md"
            if name.casefold() not in taken and not os.path.lexists(self.folder / name):
                return name
            number += 1

    def _may_write(self, draft: Draft, name: str) -> None:
        may_write(self.folder, draft, name)

    # -- take back

    def take_back(self, draft: Draft, plan: Planned) -> None:
        """Files first; then the lines of MEMORY.md, put right by what they say where their old
        place is gone."""
        files = [edit for edit in plan.edits if edit.name != NAME]
        if not files:
            self._take_back_text(draft, plan)
            return
        edit = files[0]
        name = edit.name
        taken = name in draft.files or (self.folder / name).is_symlink()
        if edit.after is None and taken:  # something else took its name meanwhile
            if draft.files.get(name) == edit.whole:
                raise Refused("exists", f"{name} is there again already.", "Nothing was changed.")
            names = {each.casefold() for each in draft.files}
            name = self._free_name(names, edit.name.removesuffix(".md"))
            draft.create(name, edit.whole, edit.mode)
        else:
            undo_edit(draft, edit)
        for lines in plan.edits:
            if lines.name == NAME:
                self._take_back_lines(draft, lines, edit, name)

    def _take_back_text(self, draft: Draft, plan: Planned) -> None:
        self._may_write(draft, NAME)
        super().take_back(draft, plan)

    def put_anew(self, draft: Draft, plan: Planned) -> None:
        if any(edit.name != NAME for edit in plan.edits):
            super().put_anew(draft, plan)
            return
        self._may_write(draft, NAME)
        cut = b"".join(hunk.old for edit in plan.edits for hunk in edit.hunks)
        writer.put_text(draft, cut.strip(b"\r\n"))

    def _take_back_lines(self, draft: Draft, lines: FileEdit, edit: FileEdit, name: str) -> None:
        self._may_write(draft, NAME)
        if name == edit.name:
            try:
                undo_edit(draft, lines)
                return
            except Refused:
                pass  # MEMORY.md changed since, at this very place
        now = memory_index.read(draft.files.get(NAME, b""))
        if edit.before is None:
            for line in reversed(now.to(name)):
                writer.cut(draft, line.start, line.end)
        elif edit.after is None and not now.to(name):
            old = b"".join(hunk.old for hunk in lines.hunks).decode(errors="replace")
            told = next(
                (line for line in old.splitlines() if f"]({edit.name})" in line), f"- [{name}]({edit.name})"
            )
            text = told.strip().replace(f"]({edit.name})", f"]({name})")
            self._may_write(draft, NAME)
            writer.put_line(draft, text, edit.mode)

    # -- in words

    def parts_with(self, content: str) -> RelationFate:
        return RelationFate.DANGLE

    def supports(self, action: str, name: str = "") -> Support:
        if action == "add":
            return Support(How.NATIVE, "adds a file and its line in MEMORY.md")
        if action == "dismiss":
            return Support(How.MOVED, "removes its file and its line in MEMORY.md, and keeps both in memtui")
        if action == "restore":
            return Support(How.MOVED, "puts its file and its line in MEMORY.md back at their old place")
        if action == "edit" and name == "title":
            return Support(How.NATIVE, "changes the name in its file and the title of its line in MEMORY.md")
        if action == "edit" and name in ("", "content"):
            return Support(How.NATIVE, "changes the text in its file")
        if action == "edit" and name == "category":
            return Support(How.NATIVE, "changes the type in its file")
        if action in ("relate", "unrelate"):
            return Support(
                How.WORKSPACE, "is kept in memtui: Claude Code's memory has no relations of its own"
            )
        field = name or {"pin": "pin", "unpin": "pin", "confirm": "confirmation"}.get(action, "such field")
        return Support(How.WORKSPACE, f"is kept in memtui: Claude Code's memory has no {field}")

    def locked(self) -> str:
        for path in (self.root, self.root / NAME):
            if path.exists() and not os.access(path, os.W_OK):
                return f"{path.name} may not be written by this user."
        return "" if self.root.is_dir() else f"{self.root.name} is no longer there."
