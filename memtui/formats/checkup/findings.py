"""The sentences of a checkup's findings, by code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from memtui.memory.secrets.masking import shortened
from memtui.memory.stores import Finding

MOST = 20  # findings of one code that are reported one by one
_LENGTH = 80  # characters of what is quoted
FAR_DAY = "an out-of-range date"  # for a time that has no date
_TEXTS = {
    "alias": "Front matter uses a YAML anchor or alias: {value}.",
    "blank": "The text is empty.",
    "bom": "The file starts with a byte order mark (BOM).",
    "deep-head": "Front matter is nested more than {depth} levels deep.",
    "double-entity": "Entity “{name}” appears on {count} lines.",
    "double-fact": "{name} is stored {count} times with the same value.",
    "double-index": "{count} index minions point to it.",
    "double-key": "Duplicate key “{name}”.",
    "double-line": "{count} index lines point to {name}.",
    "double-observation": "“{name}” has the same observation {count} times.",
    "double-section": "{count} “{name}” sections; only the first is read.",
    "double-title": "{count} memories have the title “{name}”.",
    "future-time": "{name} on {day}, more than a year in the future.",
    "high-confidence": "Confidence {value} is above {limit}, the maximum.",
    "long-hook": "The index line is {count:,} characters long.",
    "long-line": "The longest line is {count:,} bytes.",
    "long-text": "The text is {count:,} characters long.",
    "mixed-newlines": "Mixed line endings: {some:,} of {count:,} lines use CRLF.",
    "mixed-times": "{name}: {kinds}.",
    "near-entity": "“{name}” and “{other}” look like the same entity.",
    "no-description": "No description in the front matter.",
    "no-end": "The status is {status}, but valid_to is empty.",
    "no-evidence": "No “Evidence” section.",
    "no-head": "No front matter.",
    "no-name": "No name.",
    "no-number": "Contains {value}, which is not valid JSON.",
    "no-owner": "No user_id.",
    "no-plain-number": "{name} is stored as text (“{value}”).",
    "no-subject": "No subject.",
    "no-type": "No type.",
    "nul": "NUL characters in the text: {count:,}.",
    "odd-confidence": "{name} is “{value}”, not a number from 0 to 1.",
    "odd-count": "{name} is “{value}”, not a valid count.",
    "odd-embedding": "The embedding is unreadable: {why}.",
    "odd-json": "{name} is not valid JSON.",
    "odd-key": "Key “{name}” should be lower case with hyphens, at most 60 characters.",
    "odd-list": "{name} should be a list.",
    "odd-number": "{name} is “{value}”, not a number from 0 to 1.",
    "odd-observation": "The observations are not a list.",
    "odd-order": "{name} on {day}, before it was created ({created}).",
    "odd-resolution": "Unknown resolution “{value}”.",
    "odd-scope": "Unknown scope “{value}”.",
    "odd-slug": "The file name does not match the title “{name}”.",
    "odd-status": "Unknown status “{value}”.",
    "odd-time": "{name}: “{value}” is not a valid time.",
    "odd-validity": "Expires on {day}, before it was created ({created}).",
    "old-time": "{name} on {day}, implausibly long ago.",
    "other-dimension": "The embedding has {count} dimensions; most here have {most}.",
    "outside": "The index line points outside the store: {name}.",
    "policy": "Violates the scope policy of {name}: {why}.",
    "search-behind": "Search index {name} is stale ({rows}).",
    "secret": "May contain a secret: {what}.",
    "stale-edge": "It says “{name}”, but that memory is now called “{other}”.",
    "stale-index": "It says it has {value} memories, but lists {count}.",
    "stray-vectors": "Embeddings of memories that no longer exist: {count:,}.",
    "surrogate": "Contains an invalid character (a lone surrogate).",
    "tag": "Front matter uses a YAML tag: {value}.",
}


def unlike_most(kind: str, most: str) -> str:
    """The kinds in a "mixed-times" finding about one time."""
    return f"{kind}, but most timestamps here are {most}"


def mixed_kinds(kinds: Iterable[str]) -> str:
    """The kinds in a "mixed-times" finding about a column."""
    return f"mixes {' and '.join(kinds)}"


def make_finding(code: str, place: str, **data: object) -> Finding:
    """Return a finding of this code, its sentence filled with the data."""
    short = {
        name: shortened(value, _LENGTH) if isinstance(value, str) else value for name, value in data.items()
    }
    return Finding(code, place, _TEXTS[code].format(**short))


def capped(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield at most MOST findings of each code, then one that counts the rest."""
    seen: Counter[str] = Counter()
    for each in findings:
        seen[each.code] += 1
        if seen[each.code] <= MOST:
            yield each
    for code, count in seen.items():
        if count > MOST:
            yield Finding(code, "", f"{count - MOST:,} more like this.")
