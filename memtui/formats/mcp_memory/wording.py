"""Every sentence about MCP memory files."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.errors import NotSaved, Refused

RECOGNISED_BY = "lines of JSON with entities (name, entityType, observations) or relations"

# What an action does: each completes "Dismiss …".
ADDS_OBSERVATION = "adds an observation to {file}"
REMOVES = "takes it out of {file} and keeps it in memtui"
PUTS_BACK = "puts it back into {file} at its old place"
CHANGES_OBSERVATION = "changes the observation in {file}"
CHANGES_ENTITY = "changes the entity in {file}, for all its observations"
ADDS_RELATION = "adds a relation between the two entities in {file}"
REMOVES_RELATION = "takes away the relation of the two entities in {file}"
CHANGES_RELATION = "changes the relation of the two entities in {file}"
KEPT_IN_MEMTUI = "kept in memtui: an MCP memory file has no {field}"

# Findings.
DOUBLE_KEY = "A key stands twice in it; the last one counts."
DANGLING = "A relation names “{name}”, which is no entity."
OBSERVATION_IS_NO_TEXT = "An observation is no text; it is left as it is."

NO_REGULAR_FILE = "It is no regular file"
NOT_WRITABLE = "{file} may not be written by this user."
ALREADY_RELATED = "they are related so already"
NOTHING_CHANGED = "Nothing was changed."


_LINE_ERRORS = {
    "not-utf8": "not UTF-8",
    "no-json": "no JSON",
    "too-deep": "nested too deep",
    "unknown-kind": "neither entity nor relation",
}


def bad_line(error: str, *, torn: bool) -> str:
    reason = "the last line is torn" if torn else _LINE_ERRORS[error]
    return f"Left as it is: {reason}. The server cannot read it."


def bad_empty_name(allowed: Iterable[str]) -> Refused:
    return Refused("name", f"An empty MCP memory must be named {' or '.join(allowed)}.", "Nothing was made.")


def being_written(file: str) -> Refused:
    return Refused("busy", f"{file} is just being written.", "Try again in a moment.")


def entity_exists(name: str) -> str:
    return f"there is an entity “{name}” already"


def entity_taken(name: str) -> NotSaved:
    return NotSaved("exists", f"{entity_exists(name)}.")


def entity_has_other_type(name: str, type: str) -> Refused:
    reason = f"The entity “{name}” is a {type}; its category is not changed by adding."
    return Refused("category", reason, NOTHING_CHANGED)


def no_entity_named() -> NotSaved:
    return NotSaved(
        "no-subject", "an observation belongs to an entity.", "Say which with a subject (--subject NAME)."
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
    return NotSaved("empty", "an observation cannot be empty.", "Dismiss it instead.")


def observation_gone() -> NotSaved:
    return NotSaved("gone", "the observation is no longer where it was.")


def relation_gone() -> NotSaved:
    return NotSaved("gone", "the relation is no longer in the file.")


def relation_exists() -> Refused:
    return Refused("exists", "They are related so already.", NOTHING_CHANGED)


def relation_to_itself() -> Refused:
    return Refused("same", "Both are observations of one entity, which has no relation to itself.")
