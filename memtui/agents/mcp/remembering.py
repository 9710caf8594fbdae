"""memory_store: how an agent writes, with the arguments of both seeds (S-85, S-100, S-101)."""

from __future__ import annotations

from memtui.agents.mcp.answers import Other, Stored
from memtui.agents.mcp.arguments import (
    Category,
    Company,
    Confidence,
    Content,
    Importance,
    Plugin,
    Scope,
    SomeKey,
    Source,
    Subject,
    Tags,
    Time,
    Title,
    moment,
    require_one,
    share,
    source_of,
)
from memtui.agents.mcp.desk import Desk
from memtui.agents.mcp.effects import ADDS
from memtui.memory.policies.remembered import ADDED, PENDING, Remembered
from memtui.values import Fields


class Remembering:
    """Storing memories."""

    TOOLS = {"memory_store": ADDS}

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def memory_store(
        self,
        content: Content,
        category: Category,
        key: SomeKey = "",
        subject: Subject = "",
        title: Title = "",
        source: Source = "",
        source_plugin: Plugin = "",
        company_id: Company = "",
        tags: Tags = None,
        scope: Scope = "",
        confidence: Confidence = None,
        importance: Importance = None,
        expires: Time = "",
        valid_from: Time = "",
        valid_to: Time = "",
    ) -> Stored:
        """Store a memory; the agent is its owner."""
        require_one(key=key, subject=subject)
        now = self._desk.opened.now()
        fields: Fields = {
            "content": content,
            "category": category,
            "key": key,
            "subject": subject,
            "title": title,
            "source_ref": source_of(source, source_plugin),
            "company_id": company_id,
            "tags": tuple(tags or ()),
            "scope": scope,
            "confidence": share(confidence),
            "importance": importance,
            "expires_at": moment("expires", expires, now),
            "valid_from": moment("valid_from", valid_from, now),
            "valid_to": moment("valid_to", valid_to, now),
        }
        return remembered(self._desk, fields, self._desk.store)


def remembered(desk: Desk, fields: Fields, store: str) -> Stored:
    """Store a memory of the agent in a store, and return what became of it. Raise Refused where it cannot be
    written, PolicyRefused where it may not."""
    given = {name: value for name, value in fields.items() if value not in (None, "", ())}
    held = desk.target(store).fields.get(str(given.get("kind", "item")), frozenset())
    done = desk.opened.remember(desk.agent, given, store)
    is_new = done.outcome in (ADDED, PENDING)  # else nothing was taken but, at most, the text
    return _stored(desk, done, sorted({*given, "owner"} - held - {"kind", "content"}) if is_new else [])


def _stored(desk: Desk, done: Remembered, kept: list[str]) -> Stored:
    (memory,) = desk.opened.memories([done.id])
    other = Other(id=done.other, family=done.family, why=done.reason) if done.other else None
    return Stored(
        outcome=done.outcome,
        id=memory.uid,
        summary=done.change.summary,
        journal=done.change.journal_id or None,
        kept_in_memtui=kept,
        other=other,
        left=[each.uid for each in desk.opened.memories(done.left)],
    )
