"""Every sentence about what is known of a memory, and about the values of a change."""

from __future__ import annotations

# The values of a change.
PURGED_MEMORY = "a purged memory"
FIELD_NAMES = {"beside": "kept in memtui", "superseded_by": "replaced by", "relations": "relations"}
RELATION_VALUES = {"strength": "strength", "context": "reason", "body": "text"}
VERDICTS = {
    "keep-a": "kept A",
    "keep-b": "kept B",
    "merge": "merged into A",
    "both-true": "both true",
    "later": "snoozed",
    "discard-both": "discarded both",
    "not-so": "false positive",
}

# Relations.
LINEAGE = {
    "superseded-by": "» replaced by",
    "supersedes": "» replaces",
    "based-on": "∴ based on",
    "basis-for": "∴ basis for",
}
MISSING_MEMORY = "a memory that no longer exists"
KEPT_IN_MEMTUI = "(kept in memtui)"
NOT_IN_STORE = "(not in this store)"


def actor_name(actor: str) -> str:
    """Return the actor of a journal entry for display: you, agent NAME, …"""
    kind, _, name = actor.partition(":")
    named = {"person": "you", "agent": f"agent {name}", "rule": f"rule {name}", "sync": f"sync {name}"}
    named["policy"] = f"policy {name}"
    return named.get(kind, actor)


def caller(actor: str, tool: str, session: str) -> str:
    """Return the actor of a journal entry with the call that made it, as far as it is known: agent NAME by
    TOOL, session 3f2a91c0…"""
    known = call(tool, session)
    return f"{actor_name(actor)}{' ' if tool else ', ' if known else ''}{known}"


def call(tool: str, session: str) -> str:
    """Return an agent's call: by TOOL, session 3f2a91c0…; "" if nothing is known of it."""
    parts = (f"by {tool}" if tool else "", f"session {short_session(session)}" if session else "")
    return ", ".join(part for part in parts if part)


def short_session(session: str) -> str:
    """Return as much of the id of a session as tells it from others."""
    return session if len(session) <= _SHOWN + 1 else f"{session[:_SHOWN]}…"


_SHOWN = 8  # characters


def pinner(by: str) -> str:
    """Return who pinned a memory, as the store has it, but for a rule."""
    kind, _, name = by.partition(":")
    return f"the rule “{name}”" if kind == "rule" else by


def quoted(name: str) -> str:
    return f"“{name}”"


def relation(source: str, kind: str, target: str) -> str:
    return f"{quoted(source)} {kind} → {quoted(target)}"


def until(moment: str) -> str:
    return f"until {moment}"


def partly_kept_in_memtui(names: str) -> str:
    return f"({names} kept in memtui)"


def times(count: int) -> str:
    return "" if count <= 0 else "once" if count == 1 else f"{count:,} times"


def last(text: str, moment: str) -> str:
    return f"{text}, last {moment}"


def more_times(count: int) -> str:
    return "and once more" if count == 1 else f"and {count:,} more times"
