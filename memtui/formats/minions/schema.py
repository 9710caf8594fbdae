"""The nine types of minions-memory and what their members are called (FORMATS 2)."""

from __future__ import annotations

from collections.abc import Mapping

SLUGS = tuple(
    f"memory-{name}"
    for name in "item summary lesson index query reinforcement scope-policy expiry contradiction".split()
)
KINDS = {"memory-item": "item", "memory-lesson": "lesson", "memory-summary": "summary"}
SLUG_OF_KIND = {kind: slug for slug, kind in KINDS.items()}
_PREFIX = "memory-"  # toolbox, then slug: memory-memory-item

# What a memory says, by kind: our name for it, and that of the member of its `fields`.
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
# Members that change with what we do, or only say again what others say: no part of `extra`.
ASIDE = frozenset({"deletedAt", "deletedBy", "searchableText"})

# What a change may set in a file, and what an add can set beside these.
SET = frozenset(
    "content title tags key category owner scope expires_at confidence times_confirmed"
    " last_confirmed_at key_facts tone".split()
)
REMADE = frozenset(
    "ref kind session_id source_type source_ref created_at last_used_at token_count extra".split()
)
INDEXED = frozenset({"content", "title", "key", "category", "tags", "key_facts"})
HIGHEST = 0.95  # confidence that a person or an agent may set
START = {"item": 0.7, "lesson": 0.6}  # confidence where none is given


def slug_of(type_id: object) -> str:
    """The slug of a type of memory however it is named; "" for any other."""
    if not isinstance(type_id, str):
        return ""
    slug = type_id.removeprefix(_PREFIX) if type_id.startswith(_PREFIX * 2) else type_id
    return slug if slug in SLUGS else ""


def type_id(slug: str, like: str) -> str:
    """How a new minion of this slug is named beside one whose type is named `like`."""
    return slug if like in SLUGS else _PREFIX + slug


def fields_of(kind: str) -> frozenset[str]:
    """What a change may set in a memory of this kind."""
    return SET & {"title", "tags", *MEMBERS.get(kind, ())}
