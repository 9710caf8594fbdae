"""Checks of memories in any format: no text, a secret, impossible times."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from memtui.formats.checkup.findings import FAR_DAY, make_finding
from memtui.memory.encoding import iso
from memtui.memory.memory import LIVE
from memtui.memory.stores import Finding

if TYPE_CHECKING:
    from memtui.formats.contract.records import Reading, Record

_DAY = 86_400
_MOST_AHEAD = 366 * _DAY  # wrong clocks and time zones explain less
_EARLIEST = 946_684_800  # the year 2000
_PAST_TIMES = ("created_at", "updated_at", "last_used_at", "last_confirmed_at")
_TEXTS = ("content", "title", "value", "note", "source_excerpt", "subject", "key", "tags", "source_ref")
_LONGEST = 100_000  # characters of a text
_SEARCHED = 200_000  # characters of a memory that are searched for secrets
_BATCH = 1 << 16  # characters that are searched at once


def check(reading: Reading, now: float) -> Iterator[Finding]:
    """Yield findings about each memory on its own."""
    for record in reading.records:
        if _is_blank(record):
            yield make_finding("blank", record.place)
        if (length := len(record.fields.get("content") or "")) > _LONGEST:
            yield make_finding("long-text", record.place, count=length)
        yield from _times(record, now)


def texts(reading: Reading) -> Iterator[tuple[str, str]]:
    """Yield (place, text) of each memory, relation and side record."""
    for record in reading.records:
        values = [str(each) for name in _TEXTS if (each := record.fields.get(name))]
        values += map(str, (record.fields.get("extra") or {}).values())
        yield record.place, "\n".join(values)
    for link in reading.links:
        if link.context or link.body:
            yield f"{link.source} {link.kind} {link.target}", f"{link.context}\n{link.body}"
    for side_record in reading.side_records:
        yield f"{side_record.kind} of {side_record.about}", side_record.text


def _is_blank(record: Record) -> bool:
    fields = record.fields
    live = record.removed_at is None and fields.get("status", "confirmed") in LIVE
    has_other = any(fields.get(name) not in (None, (), "") for name in ("value", "steps", "key_facts"))
    return (
        live
        and not record.placeholder
        and not has_other
        and not str(fields.get("content") or "").strip("\0 \t\r\n\ufeff\ufffd")
    )


def _times(record: Record, now: float) -> Iterator[Finding]:
    fields = record.fields
    created = fields.get("created_at")
    for name in _PAST_TIMES:
        at = fields.get(name)
        if at is None:
            continue
        if at > now + _MOST_AHEAD:
            yield make_finding("future-time", record.place, name=_label(name), day=_day(at))
        elif at < _EARLIEST:
            yield make_finding("old-time", record.place, name=_label(name), day=_day(at))
        elif created is not None and at < created - _DAY:
            yield make_finding(
                "odd-order", record.place, name=_label(name), day=_day(at), created=_day(created)
            )
    until = fields.get("expires_at")
    if until is not None and created is not None and until < created:
        yield make_finding("odd-validity", record.place, day=_day(until), created=_day(created))


def secrets_in(texts: Iterable[tuple[str, str]]) -> Iterator[Finding]:
    """Yield a finding for each text that seems to contain a secret. Texts are searched in batches, since most
    contain none."""
    batch: list[tuple[str, str]] = []
    size = 0
    for place, text in texts:
        batch.append((place, text[:_SEARCHED]))
        size += len(text)
        if size >= _BATCH:
            yield from _secrets(batch)
            batch, size = [], 0
    yield from _secrets(batch)


def _secrets(texts: Sequence[tuple[str, str]]) -> Iterator[Finding]:
    from memtui.memory import secrets  # compiling its many patterns takes time
    from memtui.memory.secrets.wording import name_of

    if not secrets.contains_secret("\n\n".join(text for _, text in texts)):
        return
    for place, text in texts:
        if kinds := dict.fromkeys(name_of(secret.kind) for secret in secrets.find(text)):
            yield make_finding("secret", place, what=", ".join(kinds))


def _label(name: str) -> str:
    return name.removesuffix("_at").replace("_", " ").capitalize()


def _day(at: float) -> str:
    return (iso(at) or FAR_DAY)[:10]
