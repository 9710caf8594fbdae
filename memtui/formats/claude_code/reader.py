"""What a Claude Code memory folder says: which files count, their records, links and oddities."""

from __future__ import annotations

import hashlib
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from posixpath import normpath

from memtui.formats.claude_code import document, memory_index
from memtui.formats.claude_code.document import Note
from memtui.formats.claude_code.memory_index import NAME, Index
from memtui.formats.contract.adapter import Link, Reading, Record, clean
from memtui.formats.media.files import tree
from memtui.formats.media.files.store import numbered
from memtui.formats.media.files.tree import bytes_of, is_file, unit_of
from memtui.formats.syntax.timestamps import seconds_of

CATEGORIES = ("user", "feedback", "project", "reference")
DEPTH = 3  # folders below the store's own that are read
_LOOK_AT, _BEGINNING = 200, 1 << 14  # files, and bytes of each, that tell whether a folder is of this format
_KNOWN = ("name", "description", "type", "originSessionId", "modified", "node_type", "metadata")


def is_store(folder: Path) -> bool:
    """Whether a folder's content is such a store; only the beginnings of files are read."""
    names = sorted(each.name for each in _first(folder) if each.name.endswith(".md") and is_file(each))
    begins = {name: bytes_of(folder / name, _BEGINNING) or b"" for name in names[:_LOOK_AT]}
    if NAME in names:
        begins[NAME] = bytes_of(folder / NAME, 4 * _BEGINNING) or b""
    text = document.plain_lines(begins.get(NAME, b"").decode(errors="replace"))
    if "\n§\n" in text or re.search(r"^# Task Group:", text, re.MULTILINE):
        return False  # Hermes, Codex
    if begins.get("memory_summary.md", b"").split(b"\n")[0].strip() == b"v1":
        return False
    found = memory_index.read(text.encode())
    if found.entries or (names == [NAME] and not begins[NAME]):
        return True
    heads = [document.read(data) for name, data in begins.items() if name != NAME]
    with_head = [each for each in heads if each.head is not None]
    memories = [each for each in with_head if _is_memory(each, strict=NAME not in names)]
    if memories and len(memories) * 2 >= len(with_head):
        return True
    return bool(found.blocks) and is_own(folder)


def is_own(folder: Path) -> bool:
    """Whether a folder's place is one where Claude Code keeps memories."""
    return folder.name == "memory" or ".claude" in folder.absolute().parts


def _is_memory(found: Note, strict: bool) -> bool:
    if not (found.says("name") and found.says("description")):
        return False
    return found.says("node_type") == "memory" or found.says("type") in CATEGORIES or not strict


def _first(folder: Path) -> Iterator[os.DirEntry[str]]:
    with os.scandir(folder) as found:
        for _, each in zip(range(10 * _LOOK_AT), found, strict=False):
            yield each


def walk(root: Path) -> Iterator[tuple[str, os.DirEntry[str], str]]:
    """The .md files of a folder, and links (tree.walk)."""
    return (each for each in tree.walk(root, (".md",), DEPTH) if each[2] != tree.CLOSED)


def record(name: str, found: Note, lines: Index, ref: str = "") -> Record:
    """One memory file as a record."""
    line = next(iter(lines.to(name)), None)
    said = found.says("name")
    key = said if document.KEBAB.fullmatch(said) else document.stem(name)
    session = found.says("originSessionId") or None
    values = found.head.values if found.head is not None else {}
    extra = {clean(k): clean(v.text) for k, v in values.items() if k.removeprefix("metadata.") not in _KNOWN}
    if found.says("description"):
        extra["description"] = found.says("description")
    fields = {
        "title": clean(line.title if line is not None and line.title else said) or None,
        "key": clean(key),
        "category": found.says("type") or None,
        "content": found.content,
        "session_id": session,
        "source_ref": session,
        "source_type": "claude-code",
        "updated_at": seconds_of(found.says("modified")),
        "extra": extra,
    }
    return Record(ref or clean(name), fields, found.anchor(name), clean(name), (name, -1), unit=unit_of(name))


def free_text(lines: Index) -> list[Record]:
    """The free text of MEMORY.md as records."""
    seen: Counter[str] = Counter()
    records = []
    for block in lines.blocks:
        text = clean(block.text)
        ref = numbered(f"{NAME}#{mark(text)}", seen)
        fields = {"content": text, "source_type": "claude-code"}
        place = f"{NAME}, line {block.number}"
        records.append(Record(ref, fields, "", place, (NAME, block.start), unit=NAME))
    return records


def links(
    notes: Mapping[str, Note],
    out: Reading,
    called: Callable[[str], str | None] | None = None,
    filed: Callable[[str], str | None] | None = None,
) -> Iterator[Link]:
    """The links between memory files, by name or by file; a dangling one keeps what it says.

    `called` and `filed` tell the anchor of a memory by what a link calls it, and by its file, where
    there are more than `notes`."""
    anchors = {name: found.anchor(name) for name, found in notes.items()}
    if called is None or filed is None:
        names = calls((name, anchors[name], found.says("name")) for name, found in notes.items())
        called, filed = (lambda said: names.get(said) or names.get(said.casefold())), anchors.get
    for name, found in notes.items():
        named, files = found.mentions
        targets: dict[str, None] = {}
        for said in named:
            target = called(said)
            targets[target or said] = None
            if target is None:
                out.odd("dangling", clean(name), f"A link names “{said}”, and there is no such memory.", said)
        for said in files:
            file = normpath(str(PurePosixPath(name).parent / said))
            if target := filed(file):
                targets[target] = None
            elif PurePosixPath(file).name.partition("_")[0] in CATEGORIES:  # others: a project's own files
                words = f"A link names “{clean(file)}”, and there is no such memory."
                out.odd("dangling", clean(name), words, file, clean(file))
        for target in targets:
            if target != anchors[name]:
                yield Link(anchors[name], "links_to", target, unit=unit_of(name))


def calls(files: Iterable[tuple[str, str, str]]) -> dict[str, str]:
    """What links may call each file, of (name, anchor, name in its head), and the anchor meant: as it
    is spelled, or else whatever its case; the first one wins."""
    out: dict[str, str] = {}
    files = list(files)
    for fold in (str, str.casefold):
        for name, anchor, said in files:
            for call in (said, clean(document.stem(name)), clean(name)):
                out.setdefault(fold(call), anchor)
    return out


def doctor(files: Mapping[str, bytes], notes: Mapping[str, Note], lines: Index, out: Reading) -> None:
    """What is odd about the store as a whole."""
    if memory_index.is_long(files.get(NAME, b"")):
        words = "Longer than 200 lines or 25,000 characters: agents read no further than that."
        out.odd("long-index", NAME, words)
    for entry in lines.entries:
        if entry.target not in files:
            out.odd(
                "dangling-line",
                f"{NAME}, line {entry.number}",
                f"There is no file {clean(entry.target)}.",
                entry.target,
            )
    named = Counter(found.says("name") for found in notes.values())
    listed = {entry.target for entry in lines.entries}
    for name, found in notes.items():
        place = clean(name)
        if name not in listed:
            out.odd("no-line", place, "MEMORY.md has no line for it, so agents do not see it at start.")
        if not found.says("type"):
            out.odd("no-type", place, "Its head names no type.")
        elif found.says("type") not in CATEGORIES:
            out.odd("odd-type", place, f"“{found.says('type')}” is no type that Claude Code knows.")
        if found.says("name") and named[found.says("name")] > 1:
            out.odd("double-name", place, f"Another file is named “{found.says('name')}” too.")
        for code, words in found.head.odd if found.head is not None else ():
            out.odd(code, place, f"Read as well as can be, its head is never written: {words}.")


def mark(text: str) -> str:
    """Twelve hex digits for a text."""
    return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()
