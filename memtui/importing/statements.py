"""What readers of lists share: the marks and dates that a line begins with, and headings."""

from __future__ import annotations

import re

from memtui.export.bullets import DATE, MARK, TASK, unescaped
from memtui.export.inert_text import decoded, encoded
from memtui.export.wording import OTHER_HEADING, PINNED_HEADING
from memtui.importing.fields import moment
from memtui.values import Fields

BULLET = re.compile(r"(?:[-*+•–]|\d{1,4}[.)])[ \t]+")
FENCE = re.compile(r"[ \t]*(?:```|~~~)")
RULE = re.compile(r"[ \t]*([-*_=])(?:[ \t]*\1){2,}[ \t]*")
LEAD_IN = 120  # characters of a line that only introduces a list
_HEADING = re.compile(r"#{1,6}[ \t]+(?P<marked>.*?)[ \t]*#*|\*\*(?P<bold>[^*]{1,80}?):?\*\*:?")


def heading_of(line: str) -> str:
    """Return the text of a heading ("## Deploys", or "**Deploys:**" alone in a line), "" for other lines."""
    match = _HEADING.fullmatch(line.strip())
    text = "" if match is None else match["marked"] or match["bold"] or ""
    return text.strip(" *") or text


def under_heading(heading: str) -> Fields:
    """Return the fields of memories below a heading, as `memtui export` writes it; others are a category."""
    if heading == PINNED_HEADING:
        return {"pinned": True}
    if not heading or heading == OTHER_HEADING:
        return {}
    lower = heading[1:2].islower() or len(heading) == 1
    return {"category": (heading[0].lower() + heading[1:] if lower else heading)[:200]}


def statement_fields(text: str) -> Fields:
    """Return the fields of a memory that a line or paragraph states, without its mark and date.

    >>> sorted(statement_fields("- [2026-01-31] - Prefers tea").items())
    [('content', 'Prefers tea'), ('created_at', 1769817600.0)]
    """
    match = BULLET.match(text)
    text = text[match.end() :] if match is not None else text
    task = TASK.match(text)
    text = text[task.end() :] if task is not None else text
    fields: Fields = {}
    if (date := DATE.match(text)) is not None:
        text = text[date.end() :]
        if (at := moment((date["bracketed"] or date["bare"]).strip("[]")[:10])) is not None:
            fields["created_at"] = at
    fields["content"] = decoded_text(unescaped(MARK.sub("", text.strip())))
    return fields


def decoded_text(text: str) -> str:
    """Return a text as it was before an export escaped it; other texts may have escapes of their own, of
    characters that an export would not escape."""
    plain = decoded(text)
    return plain if encoded(plain) == text else text
