"""The nine types of minions-memory, and their members (FORMATS 2)."""

from __future__ import annotations

from collections.abc import Mapping

from memtui.memory.lifecycles.minions import HIGHEST

SLUGS = tuple(
    f"memory-{name}"
    for name in "item summary lesson index query reinforcement scope-policy expiry contradiction".split()
)
KINDS = {"memory-item": "item", "memory-lesson": "lesson", "memory-summary": "summary"}
SLUG_OF_KIND = {kind: slug for slug, kind in KINDS.items()}
_PREFIX = "memory-"  # toolbox, then slug: memory-memory-item

# Field → member of the minion's `fields`, by kind of memory.
MEMBERS: Mapping[str, Mapping[str, str]] = {
    "item": {
        "owner": "agentId",
        "scope": "scope",
        "key": "key",
        "content": "value",
        "confidence": "confidence",
        "source_type": "sourceRefType",
        "source_ref": "sourceRefId",
        "created_at": "createdAt",
        "last_used_at": "lastAccessedAt",
        "last_confirmed_at": "lastReinforcedAt",
        "expires_at": "expiresAt",
    },
    "lesson": {
        "source_type": "sourceType",
        "source_ref": "sourceId",
        "content": "lesson",
        "category": "domain",
        "confidence": "confidence",
        "times_confirmed": "reinforcedCount",
        "created_at": "createdAt",
        "last_confirmed_at": "lastReinforcedAt",
    },
    "summary": {
        "owner": "agentId",
        "session_id": "sessionId",
        "content": "summary",
        "key_facts": "keyFacts",
        "tone": "emotionalContext",
        "created_at": "createdAt",
        "token_count": "tokenCount",
    },
}
ENVELOPE = frozenset({"id", "title", "minionTypeId", "fields", "createdAt", "updatedAt", "tags"})
# Members that memtui's changes set, or that repeat others: no part of `extra`.
DERIVED_MEMBERS = frozenset({"deletedAt", "deletedBy", "searchableText"})

# What a change may set in a file, and what else an add can set.
WRITABLE = frozenset(
    "content title tags key category owner scope expires_at confidence times_confirmed"
    " last_confirmed_at key_facts tone".split()
)
RESTORABLE = frozenset(
    "ref kind session_id source_type source_ref created_at last_used_at token_count extra".split()
)
REDACTABLE = frozenset("content title tags key category source_ref key_facts tone extra".split())
INDEXED = frozenset({"content", "title", "key", "category", "tags", "key_facts"})
MAX_CONFIDENCE = HIGHEST  # that a user or an agent may set
INITIAL_CONFIDENCE = {"item": 0.7, "lesson": 0.6}
DELETED = "manual-delete"  # the reason of an expiry whose memory was deleted on purpose
RESOLUTIONS = ("keep-a", "keep-b", "merge", "discard-both")  # of contradictions


def slug_of(type_id: object) -> str:
    """Return the slug of a memory's type in any spelling; "" for other types."""
    if not isinstance(type_id, str):
        return ""
    slug = type_id.removeprefix(_PREFIX) if type_id.startswith(_PREFIX * 2) else type_id
    return slug if slug in SLUGS else ""


def type_id(slug: str, like: str) -> str:
    """Return the type id of a slug in the spelling of another minion's type id, `like`."""
    return slug if like in SLUGS else _PREFIX + slug


def fields_of(kind: str) -> frozenset[str]:
    """Return what a change may set in a memory of this kind."""
    return WRITABLE & {"title", "tags", *MEMBERS.get(kind, ())}
