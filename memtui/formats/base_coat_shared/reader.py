"""Reading one file of Base Coat's shared memory, whatever it holds."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path, PurePosixPath

from memtui.formats.base_coat.schema import CATEGORIES as DATABASE_CATEGORIES
from memtui.formats.base_coat_shared import wording
from memtui.formats.base_coat_shared.document import EVIDENCE, PATTERN, Document
from memtui.formats.contract.records import Reading, Record, clean
from memtui.formats.media.files.tree import bytes_of, unit_of, walk
from memtui.formats.syntax.timestamps import seconds_of
from memtui.formats.syntax.yaml_scalars import Style
from memtui.text import capitalized
from memtui.values import Fields

CATEGORIES = (*DATABASE_CATEGORIES, "pattern", "anti-pattern")
MAX_PATTERN = 200  # characters
FRESH_SECONDS = 180 * 86_400  # after a validation; then a memory is stale
MIN_CONFIDENCE = 0.75  # from which Base Coat shares a memory
README = "README.md"
README_MARK = b"<!-- Base Coat shared memories -->"  # in the README of a store that memtui made
_KNOWN = ("subject", "category", "confidence", "created", "last_validated")
_SINGLE_STYLES = (Style.EMPTY, Style.PLAIN, Style.SINGLE, Style.DOUBLE)
_SAMPLE_FILES, _SAMPLE_BYTES = (
    200,
    1 << 14,
)  # files, and bytes of each, that decide what a folder is


def is_store(folder: Path) -> bool:
    """Return whether a folder is such a store, judged by the beginnings of its files."""
    sampled, shared, is_marked = 0, 0, False
    for name, entry, error in walk(folder, (".md",), 1):
        if sampled == _SAMPLE_FILES:
            break
        if not error and ("/" in name or name == README):
            data = bytes_of(entry, _SAMPLE_BYTES) or b""
            is_marked |= name == README and README_MARK in data
            sampled += "/" in name
            shared += "/" in name and Document(data).is_shared
    return shared * 2 > sampled or (is_marked and not sampled)


def read_file(name: str, data: bytes) -> Reading:
    """Return the memory in a file, with findings about it."""
    out = Reading()
    document, place = Document(data), clean(name)
    is_in_domain = "/" in name
    has_memory_parts = document.head is not None or document.section(PATTERN)
    if not (document.is_shared or (is_in_domain and has_memory_parts)):
        if is_in_domain:
            out.add_finding("no-memory", place, wording.NO_MEMORY)
        return out

    def time_of(key: str) -> float | None:
        value = document.head_text(key)
        seconds = seconds_of(value) if value else None
        if value and seconds is None:
            out.add_finding("odd-time", place, wording.BAD_TIME.format(key=key, value=value))
        return seconds

    for code, problem in document.head.problems if document.head is not None else ():
        out.add_finding(code, place, wording.BAD_HEAD.format(problem=capitalized(problem)))
    subject, category = document.head_text("subject"), document.head_text("category")
    if not subject:
        out.add_finding("no-subject", place, wording.NO_SUBJECT)
    elif not matches_place(subject, name):
        out.add_finding("odd-subject", place, wording.SUBJECT_ELSEWHERE.format(subject=subject))
    if category not in CATEGORIES:
        out.add_finding("odd-category", place, wording.UNKNOWN_CATEGORY.format(category=category))
    content = document.text(PATTERN)
    if not content:
        out.add_finding("no-pattern", place, wording.NO_PATTERN)
    elif len(content) > MAX_PATTERN:
        text = wording.LONG_PATTERN.format(length=len(content), longest=MAX_PATTERN)
        out.add_finding("long-pattern", place, text)
    fields: Fields = {
        "title": document.title or None,
        "subject": subject or None,
        "category": category or None,
        "content": content,
        "confidence": _confidence(document.head_text("confidence"), out, place),
        "source_excerpt": document.text(EVIDENCE) or None,
        "created_at": time_of("created"),
        "last_confirmed_at": time_of("last_validated"),
    }
    tags = _tags(document)
    if tags:
        fields["tags"] = tags
    if extra := _extra(document, *(("tags",) if tags is not None else ())):
        fields["extra"] = extra
    out.records.append(Record(place, fields, place, place, (name, -1), unit=unit_of(name)))
    return out


def matches_place(subject: str, name: str) -> bool:
    """Return whether a subject (domain:subject) belongs into the file of this name (domain/subject.md)."""
    path = PurePosixPath(name)
    domain, _, rest = subject.partition(":")
    slugs = slug(domain), slug(rest)
    return slugs == (slug(str(path.parent)), slug(path.stem)) and all(slugs)


def slug(text: str) -> str:
    """Return a text as part of a file name: lower case, with hyphens between words."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return re.sub(r"[^\w]+|_+", "-", plain).strip("-")


def _tags(document: Document) -> tuple[str, ...] | None:
    """Return the tags in the head, a list or separated by commas; None where there are none of either
    form."""
    value = document.head.values.get("tags") if document.head is not None else None
    if value is None or value.style not in (Style.LIST, *_SINGLE_STYLES):
        return None
    words = value.items if value.style is Style.LIST else value.text.split(",")
    return tuple(dict.fromkeys(tag for word in words if (tag := clean(word).strip())))


def _extra(document: Document, *read: str) -> Fields:
    """Return the head's other values, lists as lists; keys in `read` are in fields already."""
    values = document.head.values if document.head is not None else {}
    return {
        clean(key): [clean(item) for item in value.items] if value.style is Style.LIST else clean(value.text)
        for key, value in values.items()
        if key not in _KNOWN and key not in read
    }


def _confidence(value: str, out: Reading, place: str) -> float | None:
    """Return a confidence of 0–1; None if it cannot be read."""
    try:
        number = float(value)
    except ValueError:
        number = float("nan")
    if number != number:
        out.add_finding("odd-confidence", place, wording.CONFIDENCE_NO_NUMBER.format(value=value))
        return None
    if not 0 <= number <= 1:
        out.add_finding("odd-confidence", place, wording.CONFIDENCE_OUTSIDE.format(value=value))
    elif number < MIN_CONFIDENCE:
        text = wording.LOW_CONFIDENCE.format(value=value, least=MIN_CONFIDENCE)
        out.add_finding("low-confidence", place, text)
    return max(0.0, min(1.0, number))
