"""A profile of the user as JSON with fixed keys; sensitive topics are named and never spelled out (S-70)."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.export import wording
from memtui.export.exporter import Entry, Exporter, Rendered
from memtui.export.json_text import json_text
from memtui.export.sensitive import topic_of
from memtui.memory.encoding import iso
from memtui.memory.memory import Memory
from memtui.memory.selection.candidate import DAY, Candidate, Priority
from memtui.values import JsonObject

STATUSES = ("confirmed", "applied")
RECENT = 7.0  # days before the newest memory
MAX_RECENT = 10
_SECTION_OF = {
    Priority.CONSTRAINT: "hard_preferences",
    Priority.PREFERENCE: "soft_preferences",
    Priority.TASK: "current_tasks",
}


def render(entries: Sequence[Entry]) -> Rendered:
    """Return the profile. A change is recent in the last week before the newest memory: there is no clock."""
    maps: dict[str, JsonObject] = {"identity": {}, "hard_preferences": {}, "soft_preferences": {}}
    tasks: list[JsonObject] = []
    topics: dict[str, None] = {}
    others: list[Entry] = []
    dropped: dict[str, str] = {}
    for entry in entries:
        memory = entry.candidate.memory
        section = _section(entry.candidate)
        if topic := topic_of(memory):
            topics[topic] = None
            dropped[memory.uid] = wording.sensitive(topic)
        elif section in maps:
            maps[section][_free(_name(memory), maps[section])] = _value(entry)
        elif section:
            tasks.append({"name": _name(memory), **_value(entry)})
        else:
            others.append(entry)
    times = [each.candidate.touched_at or 0.0 for each in entries]
    since = max(times, default=0.0) - RECENT * DAY
    recent = sorted(
        (each for each in others if (each.candidate.touched_at or 0.0) >= max(since, 1.0)),
        key=lambda each: -(each.candidate.touched_at or 0.0),
    )[:MAX_RECENT]
    changes: list[JsonObject] = [{"name": _name(each.candidate.memory), **_value(each)} for each in recent]
    listed = {each.candidate.memory.uid for each in recent}
    dropped |= {
        uid: wording.NO_SECTION for each in others if (uid := each.candidate.memory.uid) not in listed
    }
    profile: JsonObject = {
        **maps,
        "current_tasks": tasks,
        "recent_changes": changes,
        "sensitive_topics": sorted(topics),
    }
    return Rendered(f"{json_text(profile, indent=True)}\n", dropped)


def refuse(candidate: Candidate) -> str:
    """Return why a memory is not an active fact, "" if it is."""
    status = candidate.memory.status
    return "" if status in STATUSES else wording.only_statuses(status, STATUSES)


def _section(candidate: Candidate) -> str:
    """Return the section of a memory by its category, whether it is pinned or not; "" if it has none."""
    if (candidate.memory.category or "").casefold() == "identity":
        return "identity"
    return _SECTION_OF.get(candidate.category_class, "")


def _name(memory: Memory) -> str:
    return memory.key or memory.subject or memory.title or memory.uid


def _free(name: str, taken: JsonObject) -> str:
    """Return a name that is not taken: with a number if it is."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}_{number}"
    return free


def _value(entry: Entry) -> JsonObject:
    candidate = entry.candidate
    out: JsonObject = {
        "value": candidate.memory.content,
        "confidence": candidate.memory.confidence,
        "updated_at": iso(candidate.touched_at),
    }
    return {**out, "contradicted_by": list(entry.contradicts)} if entry.contradicts else out


EXPORTER = Exporter(
    "profile",
    wording.PROFILE,
    "application/json",
    ".json",
    render,
    wording.PROFILE_LIMITS,
    refuse,
)
