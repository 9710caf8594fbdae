"""Every sentence about MCP memory files."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.errors import NotSaved, Refused

RECOGNISED_BY = "a file of JSON lines with entities (name, entityType, observations) or relations"
# What an agent does at the start of a session.
AT_START = (
    "The server loads nothing at session start; agents call read_graph, search_nodes and "
    "open_nodes when they need something."
)

# What an action does: each completes "Dismiss …".
ADDS_OBSERVATION = "adds an observation to {file}"
REMOVES = "removes it from {file} and keeps it in memtui"
PUTS_BACK = "restores it to its original place in {file}"
CHANGES_OBSERVATION = "changes the observation in {file}"
CHANGES_ENTITY = "changes the entity in {file} for all its observations"
ADDS_RELATION = "adds a relation between the entities to {file}"
REMOVES_RELATION = "removes the relation between the entities from {file}"
CHANGES_RELATION = "changes the relation between the entities in {file}"
KEPT_IN_MEMTUI = "kept in memtui: MCP memory files have no {field}"

# Findings.
DOUBLE_KEY = "Duplicate key; the last value counts."
DANGLING = "A relation names “{name}”, but there is no such entity."
OBSERVATION_IS_NO_TEXT = "An observation is not text; memtui won't change it."

NO_REGULAR_FILE = "Not a regular file"
NOT_WRITABLE = "No write permission for {file}."
ALREADY_RELATED = "they already have this relation"
NOTHING_CHANGED = "Nothing was changed."


_LINE_ERRORS = {
    "not-utf8": "not valid UTF-8",
    "no-json": "not valid JSON",
    "too-deep": "nested too deeply",
    "unknown-kind": "neither entity nor relation",
}


def bad_line(error: str, *, torn: bool) -> str:
    reason = "the last line is incomplete" if torn else _LINE_ERRORS[error]
    return f"The server can't read this line ({reason}); memtui won't change it."


def bad_empty_name(allowed: Iterable[str]) -> Refused:
    return Refused(
        "name", f"A new MCP memory store must be named {' or '.join(allowed)}.", "Nothing was created."
    )


def being_written(file: str) -> Refused:
    return Refused("busy", f"Another program is writing to {file}.", "Try again in a moment.")


def entity_exists(name: str) -> str:
    return f"an entity named “{name}” already exists"


def entity_taken(name: str) -> NotSaved:
    return NotSaved("exists", f"{entity_exists(name)}.")


def entity_has_other_type(name: str, type: str) -> Refused:
    reason = f"The entity “{name}” has the type {type}; adding an observation can't change that."
    return Refused("category", reason, NOTHING_CHANGED)


def no_entity_named() -> NotSaved:
    return NotSaved(
        "no-subject", "an observation needs an entity.", "Name one as the subject (--subject NAME)."
    )


def no_entity_name() -> NotSaved:
    return NotSaved("empty", "an entity needs a name.")


def no_entity_type() -> NotSaved:
    return NotSaved("empty", "an entity needs a type.")


def no_type_member() -> NotSaved:
    return NotSaved("no-field", "this entity's line has no entityType.")


def no_observations_member() -> NotSaved:
    return NotSaved("no-field", "this entity's line has no list of observations.")


def empty_observation() -> NotSaved:
    return NotSaved("empty", "an observation can't be empty.", "Dismiss it instead.")


def observation_gone() -> NotSaved:
    return NotSaved("gone", "the observation is no longer in the file.")


def relation_gone() -> NotSaved:
    return NotSaved("gone", "the relation is no longer in the file.")


def relation_exists() -> Refused:
    return Refused("exists", "They already have this relation.", NOTHING_CHANGED)


def relation_to_itself() -> Refused:
    return Refused("same", "Both are observations of the same entity, which can't be related to itself.")
