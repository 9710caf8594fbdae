"""What is known about the source of a memory, and why it is believed. The texts are raw."""

from __future__ import annotations

import re
from collections.abc import Callable

from memtui.memory import wording
from memtui.memory.detail import Detail
from memtui.memory.relations import RelatedRecord

TextRow = tuple[str, str]
FormatTime = Callable[[float], str]

REINFORCEMENT = "reinforcement"  # the kind of a related record: the memory was found right again
MAX_REINFORCEMENTS = 10


# What only a program can tell apart: a UUID, a ULID, a digest.
_IDENTIFIER = re.compile(r"[0-9a-fA-F]{8}-[0-9a-fA-F-]{8,}|[0-9a-fA-F]{12,}|[0-9A-Z]{26}")


def is_identifier(text: str) -> bool:
    """Return whether a text says nothing to a person."""
    return _IDENTIFIER.fullmatch(text) is not None


def origin_rows(detail: Detail, format_time: FormatTime, *, identifiers: bool = True) -> list[TextRow]:
    """Return pairs of name and value: the source, confirmations, uses and reinforcements of a memory.

    Without `identifiers` a source that says nothing to a person is left out."""
    memory = detail.memory
    # The memory it is based on is shown with the relations, by its label.
    based_on = any(each.kind == "based-on" for each in detail.lineage)
    origin = [memory.source_type, None if based_on else memory.source_ref, memory.session_id]
    origin = [part for part in origin if part and (identifiers or not is_identifier(part))]
    confirmed_at = memory.last_confirmed_at
    confirmed = wording.times(memory.times_confirmed)
    if confirmed_at is not None:
        moment = format_time(confirmed_at)
        confirmed = wording.last(confirmed, moment) if confirmed else moment
    used = wording.times(memory.times_used)
    if used and memory.last_used_at is not None:
        used = wording.last(used, format_time(memory.last_used_at))
    rows = [
        ("source", " · ".join({part.casefold(): part for part in origin if part}.values())),
        ("excerpt", wording.quoted(memory.source_excerpt) if memory.source_excerpt else ""),
        ("confidence", "" if memory.confidence is None else f"{memory.confidence:.2f}"),
        ("confirmed", confirmed),
        ("used", used),
        ("promoted", wording.times(memory.promotion_count)),
    ]
    reinforcements = [each for each in detail.related_records if each.kind == REINFORCEMENT]
    for each in reinforcements[:MAX_REINFORCEMENTS]:
        rows.append(
            ("reinforced", f"{format_time(each.at)}: {each.text}" if each.at is not None else each.text)
        )
    if len(reinforcements) > MAX_REINFORCEMENTS:
        rows.append(("", wording.more_times(len(reinforcements) - MAX_REINFORCEMENTS)))
    return [row for row in rows if row[1]]


def other_related_records(detail: Detail) -> tuple[RelatedRecord, ...]:
    """Return the related records that `origin_rows` does not show."""
    return tuple(each for each in detail.related_records if each.kind != REINFORCEMENT)
