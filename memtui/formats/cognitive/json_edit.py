"""Patches that add and remove members of a JSON object, in the formatting of their neighbors."""

from __future__ import annotations

import json
from collections.abc import Mapping

from memtui.formats.syntax.json_spans import Span
from memtui.values import Json

Patch = tuple[int, int, str]  # text[start:end] becomes this


def indent_width(text: str) -> int:
    """Return by how many blanks the text is indented per level, at least 1."""
    second = text.partition("\n")[2]
    return max(1, len(second) - len(second.lstrip(" ")))


def remove_member(text: str, start: int, spans: Mapping[str, Span], key: str) -> Patch:
    """Return the patch that removes a member with the comma that it no longer needs.

    The object begins at `start`; `spans` are its members."""
    ordered = sorted(spans.values(), key=lambda span: span.start)
    at = ordered.index(spans[key])
    if at:
        return ordered[at - 1].end, spans[key].end, ""
    if len(ordered) > 1:
        next_key = _key_start(text, ordered[0].end, ordered[1].start)
        return _key_start(text, start + 1, spans[key].start), next_key, ""
    return start + 1, text.index("}", spans[key].end), ""


def _key_start(text: str, after: int, value: int) -> int:
    """Return where the key of the value at `value` begins, which is the first one from `after`."""
    return text.index('"', after, value)


def add_member(text: str, part: Span, spans: Mapping[str, Span], key: str, value: Json) -> Patch:
    """Return the patch that adds a member at the end of the object `part`; `spans` are its members."""
    ascii_only = text.isascii() and "\\u" in text
    if not spans:
        indent = indent_width(text) if "\n" in text else None
        inner = json.dumps({key: value}, ensure_ascii=ascii_only, indent=indent)
        line = text[text.rfind("\n", 0, part.start) + 1 : part.start]
        return part.start, part.end, inner.replace("\n", "\n" + line[: len(line) - len(line.lstrip())])
    last = max(spans.values(), key=lambda span: span.end)
    if "\n" not in text:
        gap = " " if ", " in text else ""
        dumped = json.dumps({key: value}, ensure_ascii=ascii_only)[1:-1]
        return last.end, last.end, f",{gap}{dumped}"
    start = text.rfind("\n", 0, last.end) + 1
    line = text[start : last.end]
    margin = line[: len(line) - len(line.lstrip())] if line.strip().startswith(("}", '"')) else ""
    inner = json.dumps({key: value}, ensure_ascii=ascii_only, indent=indent_width(text))
    body = "\n".join(inner.split("\n")[1:-1])
    body = "\n".join(margin + each[indent_width(text) :] for each in body.split("\n"))
    return last.end, last.end, ",\n" + body
