"""The tags that `memtui export --as xml` writes: a `<memory>` each. No document type, entity or other tag is
read, so that nothing of a file is expanded or fetched."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import unescape

from memtui.importing import wording
from memtui.importing.fields import WrongValue, fields_of_cells
from memtui.importing.reader import Found, Reader
from memtui.importing.statements import decoded_text
from memtui.memory.imported import Imported, Unreadable

_BEGIN = re.compile(r"<memory(?=[\s>])")
_MEMORY = re.compile(r'<memory((?:\s+[\w-]+="[^"<]*")*)\s*>([^<]*)</memory\s*>')
_ATTRIBUTE = re.compile(r'([\w-]+)="([^"<]*)"')
_READ = ("category", "pinned", "confidence")
_ENTITIES = {"&quot;": '"', "&apos;": "'", "&#10;": "\n", "&#9;": "\t"}


def recognise(path: Path, head: str) -> bool:
    """Return whether it has the suffix, or begins with the tag of all memories."""
    return path.suffix.lower() == ".xml" or head.lstrip().startswith("<memories>")


def read(text: str) -> Iterator[Found]:
    """Yield a memory for each tag."""
    number, counted, found = 1, 0, False
    for begin in _BEGIN.finditer(text):
        number, counted = number + text.count("\n", counted, begin.start()), begin.start()
        match, found = _MEMORY.match(text, begin.start()), True
        if match is None:
            yield Unreadable(number, "not-xml", wording.BAD_XML)
        else:
            yield _memory(number, match[1], match[2])
    if not found and text.replace("<memories>", "").replace("</memories>", "").strip():
        yield Unreadable(1, "not-xml", wording.NO_MEMORIES)


def _memory(number: int, attributes: str, text: str) -> Found:
    cells = {name: _plain(value) for name, value in _ATTRIBUTE.findall(attributes) if name in _READ}
    try:
        fields, ignored = fields_of_cells(cells)
    except WrongValue as wrong:
        return Unreadable(number, "wrong-value", wrong.reason)
    return Imported(number, {**fields, "content": _plain(text)}, ignored)


def _plain(text: str) -> str:
    return decoded_text(unescape(text, _ENTITIES))


READER = Reader("xml", "XML", recognise, read)
