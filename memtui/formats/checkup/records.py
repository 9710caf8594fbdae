"""What is odd about memories whatever their format: no text, a secret, times that cannot be so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from memtui.formats.checkup.findings import found
from memtui.memory.encoding import iso
from memtui.memory.memory import LIVE
from memtui.memory.stores import Finding

if TYPE_CHECKING:
    from memtui.formats.contract.adapter import Reading, Record

_DAY = 86_400
_AHEAD = 366 * _DAY  # clocks and time zones explain less
_FIRST = 946_684_800  # the year 2000
_WAS = ("created_at", "updated_at", "last_used_at", "last_confirmed_at")  # of what has happened
_TEXTS = ("content", "title", "value", "note", "source_excerpt", "subject", "key", "tags", "source_ref")
_LONG = 100_000  # characters of a text
_SEARCHED = 200_000  # characters of a memory that are searched for secrets
_BATCH = 1 << 16  # characters that are asked at once whether there is a secret among them


def look(reading: Reading, now: float) -> Iterator[Finding]:
    """What is odd about each memory by itself."""
    for record in reading.records:
        if _is_blank(record):
            yield found("blank", record.place)
        if (length := len(record.fields.get("content") or "")) > _LONG:
            yield found("long-text", record.place, count=length)
        yield from _times(record, now)


def texts(reading: Reading) -> Iterator[tuple[str, str]]:
    """The place of each memory, and all that it says; likewise what stands beside memories."""
    for record in reading.records:
        said = [str(each) for name in _TEXTS if (each := record.fields.get(name))]
        said += map(str, (record.fields.get("extra") or {}).values())
        yield record.place, "\n".join(said)
    for link in reading.links:
        if link.context or link.body:
            yield f"{link.source} {link.kind} {link.target}", f"{link.context}\n{link.body}"
    for aside in reading.asides:
        yield f"{aside.kind} of {aside.about}", aside.words


def _is_blank(record: Record) -> bool:
    fields = record.fields
    live = record.removed_at is None and fields.get("status", "confirmed") in LIVE
    told = any(fields.get(name) not in (None, (), "") for name in ("value", "steps", "key_facts"))
    return (
        live
        and not record.bare
        and not told
        and not str(fields.get("content") or "").strip("\0 \t\r\n\ufeff\ufffd")
    )


def _times(record: Record, now: float) -> Iterator[Finding]:
    fields = record.fields
    made = fields.get("created_at")
    for name in _WAS:
        at = fields.get(name)
        if at is None:
            continue
        if at > now + _AHEAD:
            yield found("future-time", record.place, name=_called(name), day=_day(at))
        elif at < _FIRST:
            yield found("old-time", record.place, name=_called(name), day=_day(at))
        elif made is not None and at < made - _DAY:
            yield found("odd-order", record.place, name=_called(name), day=_day(at), made=_day(made))
    until = fields.get("expires_at")
    if until is not None and made is not None and until < made:
        yield found("odd-validity", record.place, day=_day(until), made=_day(made))


def secrets_in(texts: Iterable[tuple[str, str]]) -> Iterator[Finding]:
    """The texts, by place, that seem to hold a secret. Many are asked at once, since most hold none."""
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
    from memtui.memory import secrets  # its many patterns are read where they are wanted

    if not secrets.holds("\n\n".join(text for _, text in texts)):
        return
    for place, text in texts:
        if kinds := dict.fromkeys(secret.what for secret in secrets.find(text)):
            yield found("secret", place, what=", ".join(kinds))


def _called(name: str) -> str:
    return name.removesuffix("_at").replace("_", " ").capitalize()


def _day(at: Any) -> str:
    return (iso(at) or "a day beyond all calendars")[:10]
