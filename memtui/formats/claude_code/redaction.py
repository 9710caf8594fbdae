"""Taking secrets out of what repeats a memory: the head of its file, its line in MEMORY.md, and names that
were made of them: that of the file, and that by which links go (S-62)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from posixpath import normpath
from urllib.parse import quote, unquote

from memtui.formats.claude_code import document, memory_index
from memtui.formats.claude_code.memory_index import INDEX_FILE
from memtui.formats.contract.plans import Write
from memtui.formats.contract.records import Record
from memtui.formats.media.files import redacted_regions
from memtui.formats.media.files.draft import Draft
from memtui.formats.media.files.redact_text import ensure_gone, redact_comments, redact_head, redact_part
from memtui.formats.media.files.tree import ensure_writable
from memtui.memory.secrets.redaction import Replacements

_LINK = re.compile(
    rb"\[\[[ \t]*(?P<name>[^\[\]|#\n]+?)[ \t]*(?=[\]|#])"
    rb"|\]\(<?(?:(?P<folder>[^()<>#\n]*/))?(?P<stem>[^()<>#\n/]+)(?=\.md[)>#])"
)


def redact(draft: Draft, folder: Path, name: str, redacted: Replacements) -> str:
    """Replace the values in the file, and in what repeats it; return the name that it has then. Raise Refused
    where that cannot be written."""
    note = document.read(draft.files[name])
    redact_part(draft, name, note.start, note.end, redacted)
    names = _redact_head(draft, name, redacted)
    ensure_gone(draft, name, redacted)
    new = redacted.path(name)
    if new != name:
        names[PurePosixPath(name).stem] = PurePosixPath(new).stem
    _redact_index(draft, name, names, redacted)
    if names:
        _update_links(draft, folder, name, names)
    if new != name:
        draft.move(name, new)
    return new


def with_renames(draft: Draft, record: Record | None, write: Write) -> Write:
    """Return a redaction whose text has links as earlier ones of its batch have updated them."""
    if record is None or write.redacted is None or "content" not in write.fields or not draft.renamed:
        return write
    content = document.read(draft.files[record.position[0]]).content
    return Write(
        write.action,
        write.ref,
        {**write.fields, "content": write.redacted.text(content)},
        write.seen,
        write.now,
        who=write.who,
        redacted=write.redacted,
    )


def _redact_head(draft: Draft, name: str, redacted: Replacements) -> dict[str, str]:
    """Replace the values in the description and all other texts of the head. Return the name by which links
    go, where it changes, with the new one. Raise Refused where the head cannot be written."""
    note = document.read(draft.files[name])
    link_name = note.text("name") if document.KEBAB.fullmatch(note.text("name")) else ""

    def new_text(key: str, text: str) -> str:
        return (
            redacted.slug(text) if key == note.key_of("name") and text == link_name else redacted.text(text)
        )

    redact_head(draft, name, new_text)
    redact_comments(draft, name, redacted)
    new = redacted.slug(link_name)
    return {link_name: new} if new != link_name else {}


def _redact_index(draft: Draft, name: str, names: Mapping[str, str], redacted: Replacements) -> None:
    """Replace the values in the lines of MEMORY.md that point to the file, and its names there."""
    data = draft.files.get(INDEX_FILE, b"")
    for entry in reversed(memory_index.read(data).entries_for(name)):
        line, (first, last) = data[entry.start : entry.end], (at - entry.start for at in entry.label)
        links = [each for each in _links_to(name, INDEX_FILE, line, names) if each[0] >= last]
        for start, end, new in reversed(links):
            line = line[:start] + new + line[end:]
        label = line[first:last]
        if redacted.found_in(entry.title):
            label = memory_index.escape_title(redacted.text(entry.title)).encode()
        line = _text(line[:first], redacted) + label + _text(line[last:], redacted)
        # No more than what differs, so that what is redacted in the next line does not touch it.
        change = redacted_regions.whole_difference(data[entry.start : entry.end], line)
        start = entry.start + change.start
        draft.splice(INDEX_FILE, start, start + len(change.old), change.new)


def _text(data: bytes, redacted: Replacements) -> bytes:
    return redacted.text(data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")


def _update_links(draft: Draft, folder: Path, name: str, names: Mapping[str, str]) -> None:
    """Have the links to the file in all files go by its new names."""
    for other in list(draft.files):
        found = [*_links_to(name, other, draft.files[other], names)]
        if not found:
            continue
        ensure_writable(folder, draft, other)
        note = document.read(draft.files[other])
        for start, end, new in reversed(found):
            if other == INDEX_FILE or start >= note.start:
                draft.splice(other, start, end, new)
        if other != name:  # a text in the index has no anchor
            draft.affected_anchors.add("" if other == INDEX_FILE else note.anchor(other))


def _links_to(
    name: str, other: str, data: bytes, names: Mapping[str, str]
) -> Iterator[tuple[int, int, bytes]]:
    """Yield the parts of the links in the file `other` that name the file, each with what takes its place."""
    by_name = {old.casefold(): new for old, new in names.items()}
    stem = PurePosixPath(name).stem
    for match in _LINK.finditer(data):
        if match["name"] is not None:
            text = match["name"].decode(errors="replace")
            if new := by_name.get(text.casefold()):
                yield *match.span("name"), new.encode()
        elif stem in names:
            path = unquote(b"".join((match["folder"] or b"", match["stem"], b".md")).decode(errors="replace"))
            if normpath(str(PurePosixPath(other).parent / path.strip())) == name:
                new = quote(names[stem]) if b"%" in match["stem"] else names[stem]
                yield *match.span("stem"), new.encode()
