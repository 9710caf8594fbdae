"""Read a Claude Code memory folder: which folders are one, the records, links and findings of its files."""

from __future__ import annotations

import hashlib
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from posixpath import normpath

from memtui.formats.claude_code import document, memory_index, session_start, wording
from memtui.formats.claude_code.document import Note
from memtui.formats.claude_code.memory_index import INDEX_FILE, Index
from memtui.formats.contract.records import Link, Reading, Record, clean, numbered
from memtui.formats.media.files import tree
from memtui.formats.media.files.tree import bytes_of, is_file, unit_of
from memtui.formats.syntax.markdown import with_lf
from memtui.formats.syntax.timestamps import seconds_of
from memtui.text import capitalized

CATEGORIES = ("user", "feedback", "project", "reference")
DEPTH = 3  # levels of folders below the store's own that are read
_MAX_FILES, _MAX_BYTES = 200, 1 << 14  # files, and bytes of each, that are read to recognise a folder
_KNOWN_KEYS = ("name", "description", "type", "originSessionId", "modified", "node_type", "metadata")


def is_store(folder: Path) -> bool:
    """Return whether a folder's content is such a memory; only the beginnings of files are read."""
    names = sorted(
        each.name for each in _first_entries(folder) if each.name.endswith(".md") and is_file(each)
    )
    beginnings = {name: bytes_of(folder / name, _MAX_BYTES) or b"" for name in names[:_MAX_FILES]}
    if INDEX_FILE in names:
        beginnings[INDEX_FILE] = bytes_of(folder / INDEX_FILE, 4 * _MAX_BYTES) or b""
    text = with_lf(beginnings.get(INDEX_FILE, b"").decode(errors="replace"))
    if "\n§\n" in text or re.search(r"^# Task Group:", text, re.MULTILINE):
        return False  # Hermes, Codex
    if beginnings.get("memory_summary.md", b"").split(b"\n")[0].strip() == b"v1":
        return False
    index = memory_index.read(text.encode())
    if index.entries or (names == [INDEX_FILE] and not beginnings[INDEX_FILE]):
        return True
    notes = [document.read(data) for name, data in beginnings.items() if name != INDEX_FILE]
    with_head = [note for note in notes if note.head is not None]
    memories = [note for note in with_head if _is_memory(note, strict=INDEX_FILE not in names)]
    if memories and len(memories) * 2 >= len(with_head):
        return True
    return bool(index.blocks) and is_memory_path(folder)


def is_memory_path(folder: Path) -> bool:
    """Return whether Claude Code keeps memories at such a path."""
    return folder.name == "memory" or ".claude" in folder.absolute().parts


def _is_memory(note: Note, strict: bool) -> bool:
    if not (note.text("name") and note.text("description")):
        return False
    return note.text("node_type") == "memory" or note.text("type") in CATEGORIES or not strict


def _first_entries(folder: Path) -> Iterator[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        for _, each in zip(range(10 * _MAX_FILES), entries, strict=False):
            yield each


def walk(root: Path) -> Iterator[tuple[str, os.DirEntry[str], str]]:
    """Yield the .md files of a folder, and links, as tree.walk does."""
    return (each for each in tree.walk(root, (".md",), DEPTH) if each[2] != tree.UNREADABLE)


def record(name: str, note: Note, index: Index, ref: str = "") -> Record:
    """Return the file `name` as a record; its title is that of its line in `index`, else its own name."""
    line = next(iter(index.entries_for(name)), None)
    head_name = note.text("name")
    key = head_name if document.KEBAB.fullmatch(head_name) else document.stem(name)
    session = note.text("originSessionId") or None
    values = note.head.values if note.head is not None else {}
    extra = {
        clean(key): clean(value.text)
        for key, value in values.items()
        if key.removeprefix("metadata.") not in _KNOWN_KEYS
    }
    if note.text("description"):
        extra["description"] = note.text("description")
    fields = {
        "title": clean(line.title if line is not None and line.title else head_name) or None,
        "key": clean(key),
        "category": note.text("type") or None,
        "content": note.content,
        "session_id": session,
        "source_ref": session,
        "source_type": "claude-code",
        "updated_at": seconds_of(note.text("modified")),
        "extra": extra,
    }
    return Record(ref or clean(name), fields, note.anchor(name), clean(name), (name, -1), unit=unit_of(name))


def free_text(index: Index) -> list[Record]:
    """Return the blocks of free text in MEMORY.md as records."""
    seen: Counter[str] = Counter()
    records = []
    for block in index.blocks:
        text = clean(block.text)
        ref = numbered(f"{INDEX_FILE}#{text_digest(text)}", seen)
        fields = {"content": text, "source_type": "claude-code"}
        place = f"{INDEX_FILE}, line {block.number}"
        records.append(Record(ref, fields, "", place, (INDEX_FILE, block.start), unit=INDEX_FILE))
    return records


def links(
    notes: Mapping[str, Note],
    out: Reading,
    anchor_by_name: Callable[[str], str | None] | None = None,
    anchor_by_file: Callable[[str], str | None] | None = None,
) -> Iterator[Link]:
    """Yield the links of these files to memories, by name or by file, and add dangling ones to `out`.

    A dangling link by name is yielded too, with that name as its target. The two functions return the anchor
    of a memory, and are given where the folder has more files than `notes`."""
    anchors = {name: note.anchor(name) for name, note in notes.items()}
    if anchor_by_name is None or anchor_by_file is None:
        names = anchors_by_name((name, anchors[name], note.text("name")) for name, note in notes.items())
        anchor_by_name, anchor_by_file = _in_any_case(names), anchors.get
    for name, note in notes.items():
        link_names, link_files = note.mentions
        targets: dict[str, None] = {}
        for link_name in link_names:
            target = anchor_by_name(link_name)
            targets[target or link_name] = None
            if target is None:
                text = wording.LINK_TO_NOTHING.format(name=link_name)
                out.add_finding("dangling", clean(name), text, link_name)
        for link_file in link_files:
            file = normpath(str(PurePosixPath(name).parent / link_file))
            if target := anchor_by_file(file):
                targets[target] = None
            elif PurePosixPath(file).name.partition("_")[0] in CATEGORIES:  # others are a project's own files
                text = wording.LINK_TO_NOTHING.format(name=clean(file))
                out.add_finding("dangling", clean(name), text, file, clean(file))
        for target in targets:
            if target != anchors[name]:
                yield Link(anchors[name], "links_to", target, unit=unit_of(name))


def anchors_by_name(files: Iterable[tuple[str, str, str]]) -> dict[str, str]:
    """Return the anchor that each name in a link means, from (file, anchor, name in its head) of all files.

    Names are matched as they are spelled, else whatever their case; of several files the first one counts."""
    out: dict[str, str] = {}
    files = list(files)
    for fold in (str, str.casefold):
        for file, anchor, head_name in files:
            for name in (head_name, clean(document.stem(file)), clean(file)):
                out.setdefault(fold(name), anchor)
    return out


def _in_any_case(anchors: Mapping[str, str]) -> Callable[[str], str | None]:
    return lambda name: anchors.get(name) or anchors.get(name.casefold())


def add_findings(files: Mapping[str, bytes], notes: Mapping[str, Note], index: Index, out: Reading) -> None:
    """Add the findings about the store as a whole to `out`."""
    if session_start.is_cut(files.get(INDEX_FILE, b"")):
        out.add_finding("long-index", INDEX_FILE, wording.INDEX_TOO_LONG)
    for entry in index.entries:
        if entry.target not in files:
            text = wording.LINE_TO_NOTHING.format(name=clean(entry.target))
            out.add_finding("dangling-line", f"{INDEX_FILE}, line {entry.number}", text, entry.target)
    name_counts = Counter(note.text("name") for note in notes.values())
    listed = {entry.target for entry in index.entries}
    for file, note in notes.items():
        place, name, type = clean(file), note.text("name"), note.text("type")
        if file not in listed:
            out.add_finding("no-line", place, wording.NO_LINE)
        if not type:
            out.add_finding("no-type", place, wording.NO_TYPE)
        elif type not in CATEGORIES:
            out.add_finding("odd-type", place, wording.UNKNOWN_TYPE.format(type=type))
        if name and name_counts[name] > 1:
            out.add_finding("double-name", place, wording.DUPLICATE_NAME.format(name=name))
        for code, problem in note.head.problems if note.head is not None else ():
            out.add_finding(code, place, wording.MALFORMED_HEAD.format(problem=capitalized(problem)))


def text_digest(text: str) -> str:
    """Return twelve hex digits for a text."""
    return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()
