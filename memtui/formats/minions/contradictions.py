"""New contradiction minions: which two memories, who found it, and how it was resolved (FORMATS 2)."""

from __future__ import annotations

from memtui.formats.contract.plans import Write
from memtui.formats.media.files.draft import Draft
from memtui.formats.minions import factory, wording
from memtui.formats.minions.schema import type_id
from memtui.values import JsonObject

SLUG, UNRESOLVED = "memory-contradiction", "unresolved"


def create(
    draft: Draft,
    write: Write,
    ends: tuple[str, str],
    description: str,
    name: str,
    type_like: str,
    resolution: str = UNRESOLVED,
) -> None:
    """Add a contradiction of the memories A and B, whose ids are `ends`; it is titled for the memory of this
    `name`, and its type id is spelled like `type_like`."""
    at = factory.format_time(write.now)
    fields: JsonObject = {
        "memoryIdA": ends[0],
        "memoryIdB": ends[1],
        "description": description,
        "detectedAt": at,
        "detectedBy": write.who,
        "resolution": resolution,
    }
    if resolution != UNRESOLVED:
        fields["resolvedAt"] = at
    title = wording.CONTRADICTION_TITLE.format(memory=name)
    factory.create_file(draft, factory.new_minion(type_id(SLUG, type_like), title, fields, write.now))
