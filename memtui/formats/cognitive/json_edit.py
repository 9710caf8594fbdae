"""Members of a JSON object put in and taken out where they stand, in the manner of those beside them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from memtui.formats.syntax.json_spans import Span

Patch = tuple[int, int, str]  # text[start:end] becomes this


def unit(text: str) -> int:
    """By how many blanks the text is indented."""
    second = text.partition("\n")[2]
    return max(1, len(second) - len(second.lstrip(" ")))


def cut(text: str, start: int, spans: Mapping[str, Span], id: str) -> Patch:
    """Take a member out, with the comma that it no longer needs."""
    ordered = sorted(spans.values(), key=lambda span: span.start)
    at = ordered.index(spans[id])
    if at:
        return ordered[at - 1].end, spans[id].end, ""
    if len(ordered) > 1:
        behind = _key_start(text, ordered[0].end, ordered[1].start)
        return _key_start(text, start + 1, spans[id].start), behind, ""
    return start + 1, text.index("}", spans[id].end), ""


def _key_start(text: str, after: int, value: int) -> int:
    """Where the key of the value begins that is the first behind `after`."""
    return text.index('"', after, value)


def added(text: str, part: Span, spans: Mapping[str, Span], id: str, value: Any) -> Patch:
    """Put a member behind the last one."""
    ascii_only = text.isascii() and "\\u" in text
    if not spans:
        inner = json.dumps({id: value}, ensure_ascii=ascii_only, indent=unit(text) if "\n" in text else None)
        line = text[text.rfind("\n", 0, part.start) + 1 : part.start]
        return part.start, part.end, inner.replace("\n", "\n" + line[: len(line) - len(line.lstrip())])
    last = max(spans.values(), key=lambda span: span.end)
    if "\n" not in text:
        gap = " " if ", " in text else ""
        dumped = json.dumps({id: value}, ensure_ascii=ascii_only)[1:-1]
        return last.end, last.end, f",{gap}{dumped}"
    start = text.rfind("\n", 0, last.end) + 1
    line = text[start : last.end]
    indent = line[: len(line) - len(line.lstrip())] if line.strip().startswith(("}", '"')) else ""
    inner = json.dumps({id: value}, ensure_ascii=ascii_only, indent=unit(text))
    body = "\n".join(inner.split("\n")[1:-1])
    body = "\n".join(indent + each[unit(text) :] for each in body.split("\n"))
    return last.end, last.end, ",\n" + body
