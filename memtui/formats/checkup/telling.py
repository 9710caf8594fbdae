"""The findings of a checkup in words: each is a code and what it is about, and its sentence stands here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from memtui.memory.records import Finding

MOST = 20  # findings of one code that are told one by one
_LENGTH = 80  # characters of what is quoted
_WORDS = {
    "alias": "Its head has an anchor or an alias, {said}.",
    "blank": "Its text is empty.",
    "bom": "The file begins with a byte order mark.",
    "deep-head": "Its head is nested more than {depth} levels deep.",
    "double-entity": "The entity “{name}” stands on {count} lines.",
    "double-index": "It has {count} index minions.",
    "double-key": "“{name}” stands twice; readers take one of the two.",
    "double-line": "{count} lines lead to {name}.",
    "double-observation": "“{name}” says one thing {count} times.",
    "double-section": "It has {count} sections “{name}”; only the first is read.",
    "doubled-id": "Another row has the same id; each is shown as a memory of its own.",
    "future-time": "{name} is {day}, more than a year from now.",
    "high-confidence": "Its confidence is {said}; only what is proven may go beyond {limit}.",
    "long-hook": "The line has {count:,} characters.",
    "long-line": "A line in it is {count:,} bytes long.",
    "mixed-newlines": "{some:,} of {count:,} lines end in CRLF, the rest in LF.",
    "mixed-times": "{name} holds {kinds}.",
    "near-entity": "“{name}” and “{other}” may be one entity.",
    "newer-schema": "{said}",
    "no-description": "Its head has no description.",
    "no-end": "It is {status} and its validity has no end.",
    "no-evidence": "It has no section “Evidence”.",
    "no-head": "The file has no head.",
    "no-name": "It has no name.",
    "no-number": "It holds {said}, which is no JSON.",
    "no-owner": "It does not say whom it is about.",
    "no-plain-number": "{name} is “{said}”, a text in place of a number.",
    "no-subject": "It has no subject.",
    "no-type": "It has no type.",
    "nul": "It holds {count:,} NUL characters.",
    "odd-confidence": "{name} is “{said}”, not a number from 0 to 1.",
    "odd-count": "{name} is “{said}”, not a number of times.",
    "odd-embedding": "Its vector cannot be read: {why}.",
    "odd-json": "{name} is no JSON.",
    "odd-key": "The key “{name}” is not of lower-case words with hyphens, 60 characters at most.",
    "odd-list": "Its {name} are no list.",
    "odd-number": "{name} is “{said}”, not a number from 0 to 1.",
    "odd-observation": "Its observations are no list.",
    "odd-order": "{name} is {day}, before it was made ({made}).",
    "odd-resolution": "Its resolution “{said}” is none that the format knows.",
    "odd-scope": "“{said}” is no scope that the format knows.",
    "odd-slug": "Its file is not named for its title “{name}”.",
    "odd-status": "“{said}” is no status that the format knows.",
    "odd-time": "{name} says “{said}”, which is no time.",
    "odd-validity": "It expires on {day}, before it was made ({made}).",
    "old-time": "{name} is {day}, before there were such stores.",
    "other-dimension": "Its vector has {count} numbers; most here have {most}.",
    "outside": "The line leads to {name}, outside of the store.",
    "policy": "The policy of {name} {why}.",
    "search-behind": "{name} is out of step: {count:,} memories are missing or too many in it.",
    "secret": "It seems to hold a secret: {what}.",
    "stale-edge": "It says “{name}”, and that memory is called “{other}” by now.",
    "stale-index": "It counts {said} memories, and lists {count}.",
    "stray-vectors": "It holds vectors of {count:,} memories that are not there.",
    "surrogate": "It holds half a character (a lone surrogate).",
    "tag": "Its head has a YAML tag, {said}.",
}


def found(code: str, place: str, **data: Any) -> Finding:
    """A finding of this code, its sentence made of the data."""
    short = {name: _short(value) if isinstance(value, str) else value for name, value in data.items()}
    return Finding(code, place, _WORDS[code].format(**short))


def told(findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings, of each code so many; then one that counts the rest of it."""
    seen: Counter[str] = Counter()
    for each in findings:
        seen[each.code] += 1
        if seen[each.code] <= MOST:
            yield each
    for code, count in seen.items():
        if count > MOST:
            yield Finding(code, "", f"{count - MOST:,} more like it.")


def _short(text: str) -> str:
    return text if len(text) <= _LENGTH else f"{text[: _LENGTH - 1]}…"
