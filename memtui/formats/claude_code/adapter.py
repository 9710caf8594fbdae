"""Claude Code's auto memory (FORMATS 6): Markdown files and the index MEMORY.md.

A memory file is one memory, and so is each bullet or paragraph of free text in the index.
"""

from __future__ import annotations

import os
import re
import stat
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from posixpath import basename
from types import MappingProxyType

from memtui.errors import Refused
from memtui.formats.claude_code import (
    checks,
    document,
    growing_index,
    memory_index,
    new_file,
    reader,
    redaction,
    session_view,
    spelling,
    wording,
    writer,
)
from memtui.formats.claude_code.document import Note
from memtui.formats.claude_code.finding_help import MEANINGS
from memtui.formats.claude_code.incremental import FolderSnapshot, fingerprints_in
from memtui.formats.claude_code.memory_index import INDEX_FILE
from memtui.formats.contract.adapter import RelationFate, Support, SupportKind
from memtui.formats.contract.incremental import Snapshot, combine_fingerprints
from memtui.formats.contract.plans import Plan, Write
from memtui.formats.contract.records import Reading, Record, clean, numbered
from memtui.formats.contract.session_view import NO_TASK, Content, SessionView, Task
from memtui.formats.media.files import atomic_write
from memtui.formats.media.files.draft import Draft, undo_edit
from memtui.formats.media.files.hunks import FileEdit
from memtui.formats.media.files.store import FileStore
from memtui.formats.media.files.tree import (
    LIMIT,
    NOT_A_FILE,
    FileCache,
    add_entry_findings,
    add_too_large,
    damage,
    ensure_writable,
    walk,
)
from memtui.formats.misspellings import Misspelling
from memtui.formats.syntax.markdown import first_words, strip_blank_lines
from memtui.formats.syntax.timestamps import format_like
from memtui.memory.stores import Finding

_FILE = re.compile(r"[\w-][\w.-]*\.md")  # the name of a file in the folder itself


class ClaudeCode(FileStore):
    """A Claude Code memory folder, attached; `root` is the folder."""

    format = "claude-code"
    title = "Claude Code memory"
    has_folders = True
    recognised_by = wording.RECOGNISED_BY
    usual_paths = ("memory", ".claude/memory")
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
    redactable_fields = frozenset({"content", "title", "key", "extra"})
    redacts_names = True
    incidental_fields = frozenset({"session_id", "source_ref", "updated_at"})
    categories = reader.CATEGORIES
    fallback_category = "project"
    finding_help = MEANINGS
    clients = (session_view.CLIENT,)
    agent_title = "Claude Code"
    _fingerprints: Mapping[str, str] = MappingProxyType({})  # of the files, at the last fingerprint()

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self._held = FileCache()
        # What was read last: notes by file, records with the note, title and ref of each, and all files.
        self._notes: dict[str, Note] = {}
        self._records: dict[str, tuple[Note, str, str, Record]] = {}
        self._last_read: tuple[dict[str, bytes], Reading, dict[str, Note]] = ({}, Reading(), {})

    # -- recognise

    @classmethod
    def recognise(cls, path: Path) -> Path | None:
        try:
            folder = path.parent if path.name == INDEX_FILE and path.is_file() else path
            return folder if folder.is_dir() and reader.is_store(folder) else None
        except OSError:
            return None

    @classmethod
    def create(cls, path: Path) -> Path:
        path = path if reader.is_memory_path(path) else path / "memory"
        atomic_write.make_file(path / INDEX_FILE)
        return path

    # -- read

    def load(self) -> tuple[dict[str, bytes], dict[str, int]]:
        files: dict[str, bytes] = {}
        modes: dict[str, int] = {}
        for name, path, problem in reader.walk(self.root):
            if problem in ("elsewhere", NOT_A_FILE):
                continue
            try:
                status = path.stat()
            except OSError:  # it was removed meanwhile
                continue
            data = self._held.bytes_of(name, path, status)
            if data is not None:
                files[name], modes[name] = data, stat.S_IMODE(status.st_mode)
        return files, modes

    def read(self) -> Reading:
        out = super().read()
        add_entry_findings(walk(self.root, (".md",), reader.DEPTH), out)
        return out

    def fingerprint(self) -> str:
        self._fingerprints = fingerprints_in(self.root)
        return combine_fingerprints(self._fingerprints.items())

    @classmethod
    def ref_depends_on_text(cls, ref: str) -> bool:
        return ref.startswith(f"{INDEX_FILE}#")

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        # Fingerprints from before the files are read, so that what changes meanwhile is read next time.
        yield FolderSnapshot(self.root, self._fingerprints or fingerprints_in(self.root), self.read)

    def parse(self, files: Mapping[str, bytes]) -> Reading:
        out, notes = self._memories(files)
        index = memory_index.read(files.get(INDEX_FILE, b""))
        out.links += reader.links(notes, out)
        reader.add_findings(files, notes, index, out)
        return out

    def parse_records(self, files: Mapping[str, bytes]) -> Reading:
        return self._memories(files)[0]

    def _memories(self, files: Mapping[str, bytes]) -> tuple[Reading, dict[str, Note]]:
        """Return the records of all files, and the files as notes."""
        last_files, reading, notes = self._last_read
        if not last_files or last_files != files:
            reading, notes = self._read_all(files)
            self._last_read = dict(files), reading, notes
        return replace(
            reading,
            records=[*reading.records],
            findings=[*reading.findings],
            unread=[*reading.unread],
        ), notes

    def _read_all(self, files: Mapping[str, bytes]) -> tuple[Reading, dict[str, Note]]:
        out = Reading()
        index = memory_index.read(files.get(INDEX_FILE, b""))
        notes: dict[str, Note] = {}
        seen: Counter[str] = Counter()
        for name, data in sorted(files.items()):
            if len(data) > LIMIT:
                add_too_large(name, out)
            elif harm := damage(data):
                out.add_finding("read-only", name, wording.READ_ONLY.format(name=clean(name), harm=harm))
            if len(data) > LIMIT or name == INDEX_FILE:
                continue
            if basename(name) == INDEX_FILE:
                out.add_finding("other-index", name, wording.OTHER_INDEX)
                continue
            notes[name] = self._note(name, data)
            ref = numbered(clean(name), seen)
            out.records.append(self._record(name, notes[name], index, ref))
        if len(files.get(INDEX_FILE, b"")) <= LIMIT:
            out.records += reader.free_text(index)
        return out, notes

    def session_view(self, content: Content, now: float, task: Task = NO_TASK) -> SessionView:
        assert isinstance(content, Mapping)
        return session_view.session_view(content, self.parse_records(content).records)

    def checkup(self, reading: Reading, now: float) -> Iterator[Finding]:
        yield from super().checkup(reading, now)
        yield from checks.check(self.root, self.load()[0])

    def misspellings(self, files: Mapping[str, bytes], reading: Reading) -> Iterator[Misspelling]:
        yield from spelling.misspellings(files, reading)

    def _note(self, name: str, data: bytes) -> Note:
        known = self._notes.get(name)
        if known is None or known.data != data:
            known = self._notes[name] = document.read(data)
        return known

    def _record(self, name: str, note: Note, index: memory_index.Index, ref: str) -> Record:
        line = next(iter(index.entries_for(name)), None)
        title = "" if line is None else line.title
        known = self._records.get(name)
        if known is None or known[0] is not note or known[1:3] != (title, ref):
            known = self._records[name] = note, title, ref, reader.record(name, note, index, ref)
        return known[3]

    # -- write

    def with_renames(self, draft: Draft, by_ref: Mapping[str, Record], write: Write) -> Write:
        return redaction.with_renames(draft, by_ref.get(write.ref), write)

    def _plan_one(self, draft: Draft, by_ref: Mapping[str, Record], write: Write) -> Plan:
        plan = super()._plan_one(draft, by_ref, write)
        if plan.affected_anchors:  # with the names of a memory, links in the texts of others are updated
            plan = replace(plan, changed_fields=(*plan.changed_fields, "content"))
        return plan

    def plan(self, writes: Sequence[Write]) -> list[Plan | Refused]:
        return super().plan([_with_own_key(write) for write in writes])

    def revise(self, draft: Draft, record: Record | None, write: Write) -> None:
        if record is None:
            self._add(draft, write)
        elif record.position[1] >= 0:
            self._revise_text(draft, record.position[1], write)
        elif write.action == "dismiss":
            self._dismiss(draft, record.position[0])
        else:
            self._edit(draft, record.position[0], write)

    def _edit(self, draft: Draft, name: str, write: Write) -> None:
        self._may_write(draft, name)
        before = draft.files[name]
        if write.redacted is not None:
            name = redaction.redact(draft, self.folder, name, write.redacted)
        for field, value in write.fields.items():
            if field != "content" and write.redacted is not None:
                continue
            text = str(value or "")
            if field not in ("content", "title", "category"):
                raise wording.no_such_field(field)
            if not text.strip():
                raise wording.field_empty(field)
            if field == "content":
                writer.set_body(draft, name, strip_blank_lines(text))
            elif field == "title":
                self._set_title(draft, name, " ".join(text.split()))
            else:
                draft.splice(name, *document.set_key(document.read(draft.files[name]), "type", text))
        note = document.read(draft.files[name])
        modified = note.text("modified")
        if modified and draft.files[name] != before and note.head is not None and not note.head.problems:
            now = str(format_like(write.now, modified))
            draft.splice(name, *document.set_key(note, "modified", now), best_effort=True)
        index = memory_index.read(draft.files.get(INDEX_FILE, b""))
        stored = reader.record(name, document.read(draft.files[name]), index).fields
        for field, value in write.fields.items():
            if field == "extra":
                continue
            text = strip_blank_lines(str(value)) if field == "content" else " ".join(str(value).split())
            if stored[field] != clean(text):
                raise wording.file_read_back_differs()

    def _set_title(self, draft: Draft, name: str, title: str) -> None:
        note = document.read(draft.files[name])
        lines = memory_index.read(draft.files.get(INDEX_FILE, b"")).entries_for(name)
        rename = bool(note.text("name")) and not note.has_link_name
        if not lines and not rename:
            raise wording.title_needs_line() if note.text("name") else wording.no_name()
        if rename:
            draft.splice(name, *document.set_key(note, "name", title))
        for line in reversed(lines):
            if line.title == lines[0].title and line.title != title:
                self._may_write(draft, INDEX_FILE)
                label = memory_index.escape_title(title).encode()
                draft.splice(INDEX_FILE, *line.label, label, best_effort=rename)

    def _dismiss(self, draft: Draft, name: str) -> None:
        self._may_write(draft, name)
        index = writer.shrinking_index(draft)
        entries = index.entries_for(name)
        draft.remove(name)
        is_checked = draft.caches.get(writer.SHRINKING, (b"", None))[1] is index  # by an earlier removal
        if entries and not is_checked:
            self._may_write(draft, INDEX_FILE)
        for entry in reversed(entries):
            writer.remove_entry(draft, index, entry)

    def _revise_text(self, draft: Draft, at: int, write: Write) -> None:
        self._may_write(draft, INDEX_FILE)
        before = memory_index.read(draft.files[INDEX_FILE])
        block = next((block for block in before.blocks if block.start == at), None)
        if block is None:
            raise wording.text_moved()
        if write.action == "dismiss":
            writer.remove_lines(draft, block.start, block.end)
            return
        unknown = next((field for field in write.fields if field != "content"), None)
        if unknown is not None:
            raise wording.no_such_field_in_text(unknown)
        text = strip_blank_lines(str(write.fields["content"] or ""))
        if not text:
            raise wording.field_empty("content")
        newline = b"\r\n" if b"\r\n" in draft.files[INDEX_FILE] else b"\n"
        writer.replace_lines(draft, INDEX_FILE, block.spans, block.text, text, block.hanging_indent, newline)
        after = memory_index.read(draft.files[INDEX_FILE])
        now = next((block.text for block in after.blocks if block.start == at), None)
        if (
            now != text
            or len(after.blocks) != len(before.blocks)
            or len(after.entries) != len(before.entries)
        ):
            raise wording.shape_changed()

    def _add(self, draft: Draft, write: Write) -> None:
        text = strip_blank_lines(str(write.fields.get("content") or ""))
        if not text:
            raise wording.memory_empty()
        category = str(write.fields.get("category") or "project")
        title = " ".join(str(write.fields.get("title") or "").split()) or first_words(text)
        extra = write.fields.get("extra")
        given = str(extra.get("description") or "") if isinstance(extra, Mapping) else ""
        description = " ".join(given.split()) or first_words(text, 150)
        name = new_file.name_for(self.folder, draft, write, category, title, text)
        nested = new_file.is_mostly_nested(draft)
        session = str(write.fields.get("session_id") or "")
        slug = name.removesuffix(".md").replace("_", "-")
        whole = document.new_text(title, category, description, session, text, nested, slug)
        mode = new_file.usual_mode(draft)
        draft.create(name, whole.encode(), mode)
        if document.read(whole.encode()).content != clean(text):
            raise wording.text_read_back_differs()
        if name not in growing_index.of(draft).targets:  # an agent may have left its line
            if not growing_index.is_known(draft) or len(draft.files[INDEX_FILE]) > LIMIT:
                self._may_write(draft, INDEX_FILE)
            growing_index.add_line(
                draft, f"- [{memory_index.escape_title(title)}]({name}) — {description}", mode
            )

    def _may_write(self, draft: Draft, name: str) -> None:
        ensure_writable(self.folder, draft, name)

    # -- undo

    def undo(self, draft: Draft, plan: Plan) -> None:
        """Undo the change of the file, then those of its lines in MEMORY.md, which are found by their target
        where their old place is gone."""
        files = [edit for edit in plan.edits if edit.name != INDEX_FILE]
        if not files:
            self._undo_text(draft, plan)
            return
        edit = files[0]
        name = edit.name
        taken = name in draft.files or (self.folder / name).is_symlink()
        if edit.after is None and taken:  # another file has its name now
            if draft.files.get(name) == edit.content:
                raise wording.exists_again(name)
            name = new_file.free_name(self.folder, draft, edit.name.removesuffix(".md"))
            draft.create(name, edit.content, edit.mode)
        else:
            undo_edit(draft, edit)
        for index_edit in plan.edits:
            if index_edit.name == INDEX_FILE:
                self._undo_lines(draft, index_edit, edit, name)

    def _undo_text(self, draft: Draft, plan: Plan) -> None:
        self._may_write(draft, INDEX_FILE)
        super().undo(draft, plan)

    def recreate(self, draft: Draft, plan: Plan) -> None:
        if any(edit.name != INDEX_FILE for edit in plan.edits):
            super().recreate(draft, plan)
            return
        self._may_write(draft, INDEX_FILE)
        removed = b"".join(hunk.old for edit in plan.edits for hunk in edit.hunks)
        writer.append_text(draft, removed.strip(b"\r\n"))

    def _undo_lines(self, draft: Draft, index_edit: FileEdit, edit: FileEdit, name: str) -> None:
        """Undo the change of MEMORY.md that came with `edit`, whose file is called `name` now."""
        self._may_write(draft, INDEX_FILE)
        if name == edit.name:
            try:
                undo_edit(draft, index_edit)
                return
            except Refused:
                pass  # MEMORY.md was changed at this place since
        now = memory_index.read(draft.files.get(INDEX_FILE, b""))
        if edit.before is None:
            for entry in reversed(now.entries_for(name)):
                writer.remove_lines(draft, entry.start, entry.end)
        elif edit.after is None and not now.entries_for(name):
            old = b"".join(hunk.old for hunk in index_edit.hunks).decode(errors="replace")
            target = f"]({edit.name})"
            line = next((line for line in old.splitlines() if target in line), f"- [{name}]({edit.name})")
            self._may_write(draft, INDEX_FILE)
            growing_index.add_line(draft, line.strip().replace(target, f"]({name})"), edit.mode)

    # -- describe

    def relation_fate(self, content: str) -> RelationFate:
        return RelationFate.DANGLE

    def support_for(self, action: str, name: str = "") -> Support:
        if action == "add":
            return Support(SupportKind.NATIVE, wording.ADDS_FILE)
        if action == "dismiss":
            return Support(SupportKind.MOVED, wording.REMOVES_FILE)
        if action == "restore":
            return Support(SupportKind.MOVED, wording.RESTORES_FILE)
        if action == "edit" and name == "title":
            return Support(SupportKind.NATIVE, wording.CHANGES_TITLE)
        if action == "edit" and name in ("", "content"):
            return Support(SupportKind.NATIVE, wording.CHANGES_CONTENT)
        if action == "edit" and name == "category":
            return Support(SupportKind.NATIVE, wording.CHANGES_TYPE)
        if action in ("relate", "unrelate"):
            return Support.by_memtui(wording.NO_RELATIONS)
        named = {"pin": "pins", "unpin": "pins", "confirm": "confirmations"}
        field = name or named.get(action, wording.SUCH_FIELD)
        return Support.by_memtui(wording.NO_SUCH_FIELD.format(field=field))

    def locked_reason(self) -> str:
        for path in (self.root, self.root / INDEX_FILE):
            if path.exists() and not os.access(path, os.W_OK):
                return wording.NOT_WRITABLE.format(name=path.name)
        return "" if self.root.is_dir() else wording.FOLDER_GONE.format(name=self.root.name)


def _with_own_key(write: Write) -> Write:
    """Return a write without a key of a new memory: here that follows from its name, and memtui keeps
    another."""
    if write.action != "add" or "key" not in write.fields:
        return write
    return replace(write, fields={name: value for name, value in write.fields.items() if name != "key"})
