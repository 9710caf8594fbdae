"""Tags for a prompt: a `<memory>` each, in which no stored text can end a tag."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memtui.export import wording
from memtui.export.exporter import Entry, Exporter, Rendered
from memtui.export.gathered import gathered
from memtui.export.inert_text import encoded
from memtui.export.statement import statement

_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_ATTRIBUTE = _TEXT | str.maketrans({'"': "&quot;", "\n": "&#10;", "\t": "&#9;"})


def render(entries: Sequence[Entry]) -> Rendered:
    """Return the element `<memories>`, which is well-formed XML; nothing without memories."""
    lines = [_element(each) for each in gathered(entries)]
    return Rendered("\n".join(["<memories>", *lines, "</memories>\n"]) if lines else "")


def _element(entry: Entry) -> str:
    attributes = "".join(
        f' {name}="{encoded(value).translate(_ATTRIBUTE)}"' for name, value in _attributes(entry)
    )
    return f"<memory{attributes}>{statement(entry.candidate.memory).translate(_TEXT)}</memory>"


def _attributes(entry: Entry) -> Iterator[tuple[str, str]]:
    memory = entry.candidate.memory
    if entry.contradicts:  # so that the others can be found by their uid
        yield "uid", memory.uid
        yield "contradicted-by", " ".join(entry.contradicts)
    if memory.category:
        yield "category", memory.category
    if memory.pinned:
        yield "pinned", "true"
    if memory.confidence is not None:
        yield "confidence", f"{memory.confidence:.2f}"


EXPORTER = Exporter("xml", wording.XML, "application/xml", ".xml", render)
