"""What one file of Base Coat's shared memory says, as a memory, whatever stands in it."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path, PurePosixPath
from typing import Any

from memtui.formats.base_coat.schema import CATEGORIES as OWN
from memtui.formats.base_coat_shared.document import EVIDENCE, PATTERN, Sheet
from memtui.formats.contract.adapter import Reading, Record, clean
from memtui.formats.media.files.tree import bytes_of, unit_of, walk
from memtui.formats.syntax.frontmatter import Style
from memtui.formats.syntax.timestamps import seconds_of

CATEGORIES = (*OWN, "pattern", "anti-pattern")
LENGTH = 200  # characters of a pattern
FRESH = 180 * 86_400  # seconds for which a memory holds without being validated
ENOUGH = 0.75  # the confidence from which a memory is shared
README = "README.md"
MARK = b"<!-- Base Coat shared memories -->"  # in the README of a store that memtui made
_KNOWN = ("subject", "category", "confidence", "created", "last_validated")
_SIMPLE = (Style.EMPTY, Style.PLAIN, Style.SINGLE, Style.DOUBLE)
_LOOK_AT, _BEGINNING = 200, 1 << 14  # files, and bytes of each, that tell whether a folder is of this format
# What each finding of the reader means.
MEANINGS = {
    "no-memory": "It is no memory, and agents that look through the folder pass over it.",
    "no-pattern": "Agents are given the pattern alone, so they get nothing of this memory.",
    "long-pattern": "Base Coat takes patterns of 200 characters at most, so agents may get it cut off.",
    "no-subject": "Agents look shared memories up by subject and do not find this one.",
    "odd-subject": "Agents that go by its subject look for it in another place.",
    "doubled-subject": "Agents that go by this subject find only one of them.",
    "odd-category": "Agents that ask by category do not find it.",
    "low-confidence": "Base Coat shares memories from a confidence of 0.75; a sync may leave this one out.",
    "odd-confidence": "Base Coat cannot tell whether it is sure enough to be shared.",
    "odd-time": "Its age is not known, so nobody is told when it gets stale.",
    "too-deep": "Agents look for domain/subject.md and pass over it; memtui neither shows nor changes it.",
    "stale": "Base Coat takes what nobody validated for 180 days as stale; confirming it here says that it"
    " still holds.",
    "link": "memtui reads what it leads to at most, and writes nothing there.",
    "unreadable": "Neither you nor agents that run as you are told what it says.",
    "read-only": "memtui shows it and changes nothing in it; agents may fail to read it.",
    "doubled": "memtui tells them apart by number; agents may take the one for the other.",
    "unclosed-head": "Agents take the whole file for its head, or for its text.",
    "big-head": "Agents may not read the head, and so not know what the memory is about.",
    "tabs": "YAML knows no tabs, so agents may not read the head at all.",
    "list-head": "Agents find no subject, category or confidence in it.",
    "odd-head": "Agents may not read the head at all.",
    "double-key": "Agents take the one or the other of the two values.",
    "alias": "Agents may read another value than you see here.",
}


def is_store(folder: Path) -> bool:
    """Whether a folder's content is such a store; only the beginnings of files are read."""
    looked, shared, marked = 0, 0, False
    for name, entry, trouble in walk(folder, (".md",), 1):
        if looked == _LOOK_AT:
            break
        if not trouble and ("/" in name or name == README):
            data = bytes_of(entry, _BEGINNING) or b""
            marked |= name == README and MARK in data
            looked += "/" in name
            shared += "/" in name and Sheet(data).is_shared
    return shared * 2 > looked or (marked and not looked)


def tell(name: str, data: bytes, out: Reading) -> None:
    """One file, told to `out`."""
    sheet, place = Sheet(data), clean(name)
    inside = "/" in name
    if not (sheet.is_shared or (inside and (sheet.head is not None or sheet.section(PATTERN)))):
        if inside:
            out.odd("no-memory", place, "It has neither a head nor a pattern; it is left out.")
        return

    def odd(code: str, words: str) -> None:
        out.odd(code, place, words)

    def at(key: str) -> float | None:
        said = sheet.says(key)
        seconds = seconds_of(said) if said else None
        if said and seconds is None:
            odd("odd-time", f"{key} says “{said}”, which is no time.")
        return seconds

    for code, words in sheet.head.odd if sheet.head is not None else ():
        out.odd(code, place, f"Read as well as can be, its head is never written: {words}.")
    subject, category = sheet.says("subject"), sheet.says("category")
    if not subject:
        odd("no-subject", "Its head names no subject.")
    elif not fits(subject, name):
        odd("odd-subject", f"Its subject “{subject}” does not fit its place.")
    if category not in CATEGORIES:
        odd("odd-category", f"“{category}” is no category that Base Coat knows.")
    content = sheet.text(PATTERN)
    if not content:
        odd("no-pattern", "It has no section “Pattern”, or an empty one.")
    elif len(content) > LENGTH:
        odd("long-pattern", f"Its pattern has {len(content)} characters; Base Coat takes {LENGTH}.")
    fields: dict[str, Any] = {
        "title": sheet.title or None,
        "subject": subject or None,
        "category": category or None,
        "content": content,
        "confidence": _share(sheet.says("confidence"), out, place),
        "source_excerpt": sheet.text(EVIDENCE) or None,
        "created_at": at("created"),
        "last_confirmed_at": at("last_validated"),
    }
    tags = _tags(sheet)
    if tags:
        fields["tags"] = tags
    if extra := _extra(sheet, *(("tags",) if tags is not None else ())):
        fields["extra"] = extra
    out.records.append(Record(place, fields, place, place, (name, -1), unit=unit_of(name)))


def fits(subject: str, name: str) -> bool:
    """Whether a subject is that of the place where its file stands."""
    path = PurePosixPath(name)
    domain, _, rest = subject.partition(":")
    there = (slug(domain), slug(rest))
    return there == (slug(str(path.parent)), slug(path.stem)) and all(there)


def slug(text: str) -> str:
    """Words as a file's name has them."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return re.sub(r"[^\w]+|_+", "-", plain).strip("-")


def _tags(sheet: Sheet) -> tuple[str, ...] | None:
    """The tags that the head names, in a list or between commas; None where it names none so."""
    value = sheet.head.values.get("tags") if sheet.head is not None else None
    if value is None or value.style not in (Style.LIST, *_SIMPLE):
        return None
    words = value.items if value.style is Style.LIST else value.text.split(",")
    return tuple(dict.fromkeys(tag for word in words if (tag := clean(word).strip())))


def _extra(sheet: Sheet, *told: str) -> dict[str, Any]:
    """What else the head says, lists as lists."""
    values = sheet.head.values if sheet.head is not None else {}
    return {
        clean(key): [clean(item) for item in value.items] if value.style is Style.LIST else clean(value.text)
        for key, value in values.items()
        if key not in _KNOWN and key not in told
    }


def _share(said: str, out: Reading, place: str) -> float | None:
    """A confidence of 0–1; None if there is none that can be read."""
    try:
        number = float(said)
    except ValueError:
        number = float("nan")
    if number != number:
        out.odd("odd-confidence", place, f"The confidence “{said}” is no number.")
        return None
    if not 0 <= number <= 1:
        out.odd("odd-confidence", place, f"The confidence {said} is outside 0–1; shown as the nearest bound.")
    elif number < ENOUGH:
        out.odd("low-confidence", place, f"Its confidence is {said}, less than {ENOUGH}.")
    return max(0.0, min(1.0, number))
