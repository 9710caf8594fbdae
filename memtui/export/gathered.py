"""Memories on the same subject stand together in a text for agents or people (S-70)."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.export.exporter import Entry


def gathered(entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries with those on the same subject together, where the first of them is.

    Only within a class and a category: pinned memories stay first, and sections stay whole. The observations
    of an entity would else be spread over the text by their worth, which they mostly share.
    """
    places: dict[tuple[object, ...], int] = {}
    for entry in entries:
        places.setdefault(_topic(entry), len(places))
    return sorted(entries, key=lambda entry: places[_topic(entry)])


def _topic(entry: Entry) -> tuple[object, ...]:
    memory = entry.candidate.memory
    subject = " ".join((memory.subject or "").casefold().split())
    about = ("subject", subject) if subject else ("uid", memory.uid)
    return (entry.candidate.priority, memory.category, *about)
