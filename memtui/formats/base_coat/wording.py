"""Every sentence about Base Coat's database."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.errors import NotSaved, Refused
from memtui.text import counted

RECOGNISED_BY = "an SQLite database with a “memories” table (category, subject, content, access_count)"
# What an agent does at the start of a session.
AT_START = "Its session hook asks for what fits the project; no text is loaded from the database as a whole."

# What an action does: each completes "Dismiss …".
ADDS_ROW = "adds a row to {file}"
DELETES_ROW = "deletes its row and its relations from {file}"
DISMISSES = "sets its confidence to 0 in {file}, so agents skip it"
RESTORES = "raises its confidence above 0 in {file}, so agents see it again"
CONFIRMS = "raises its confidence in {file}"
SUPERSEDES = "sets its confidence to 0 in {file}"
SUPERSEDES_WITH_RELATION = f"{SUPERSEDES} and records there that the other memory contradicts it"
PINS = "pins it in {file}, so it neither decays nor gets demoted"
UNPINS = "unpins it in {file}"
CHANGES_TEXT = "changes the text in {file} and clears its embedding"
CHANGES_FIELD = "changes its {field} in {file}"
ADDS_RELATION = "adds the relation to {file}"
REMOVES_RELATION = "removes the relation from {file}"
CHANGES_RELATION = "changes the relation in {file}"
NO_PIN = "kept in memtui: {file} has an older schema without pins"
NO_COLUMN = "kept in memtui: {file} has an older schema without {field}"
NO_FIELD = "kept in memtui: Base Coat has no {field}"
NO_RELATIONS = "kept in memtui: this {file} has no relations table"
ONLY_KINDS = "kept in memtui: Base Coat's only relations are {kinds}"

# Findings.
NO_ID = "The row has no ID; memtui identifies it by its position."
DOUBLED_ID = "Another row has the same ID; both are shown as separate memories."
CONTENT_NO_TEXT = "The content is not plain text; showing what could be read."
UNKNOWN_CATEGORY = "“{category}” is not a Base Coat category."
UNKNOWN_TIER = "“{tier}” is not a Base Coat tier."
UNKNOWN_HEAT = "“{heat}” is not a Base Coat heat level."
BAD_TIME = "{name}: “{value}” is not a valid time."
BAD_PINNED = "pinned is “{value}”, not 0 or 1; treated as pinned."
DANGLING = "Relations {end} a memory that no longer exists ({id}): {count}."
SELF_RELATION = "Memory {id} has a relation to itself."

NOTHING_CHANGED = "Nothing was changed."


def wrong_heat(heat: str, uses: int, expected: str) -> str:
    return f"Heat is {heat}, but after {counted(uses, 'use')} it should be {expected}."


def unknown_relations(kind: str | None, count: int) -> str:
    which = "without a kind" if kind is None else f"of a kind unknown to Base Coat (“{kind}”)"
    return f"Relations {which}: {count}."


def no_link() -> NotSaved:
    return NotSaved("gone", "no relation was specified.", NOTHING_CHANGED)


def no_column(file: str, field: str) -> NotSaved:
    return NotSaved("no-field", f"{file} has an older schema without {field}.")


def related_in_batch() -> NotSaved:
    return NotSaved("exists", "another change in this batch already relates the two memories.")


def row_gone() -> NotSaved:
    return NotSaved("gone", "the row is no longer in the store.")


def empty_content() -> NotSaved:
    return NotSaved("empty", "the content can't be empty.", "Dismiss the memory instead.")


def zero_dismisses() -> NotSaved:
    return NotSaved(
        "confidence", "Base Coat treats confidence 0 as dismissed.", "Dismiss the memory instead."
    )


def restore_before_confidence() -> NotSaved:
    return NotSaved("confidence", "the memory is dismissed.", "Restore it first.")


def empty_subject() -> NotSaved:
    return NotSaved("empty", "the subject can't be empty.", NOTHING_CHANGED)


def bad_tier(allowed: Iterable[str]) -> Refused:
    return Refused("tier", f"Invalid tier: must be one of {', '.join(allowed)}", NOTHING_CHANGED)


def bad_kind(allowed: Iterable[str]) -> Refused:
    return Refused("kind", f"Invalid relation kind: must be one of {', '.join(allowed)}", NOTHING_CHANGED)


def relation_to_itself() -> NotSaved:
    return NotSaved("self", "a memory can't be related to itself.")


def pair_taken(kind: str, wanted: str) -> NotSaved:
    """The pair has a relation of `kind` already where one of the kind `wanted` was to be added."""
    return NotSaved(
        "exists",
        f"the two already have a relation (“{kind}”), and Base Coat allows one relation per pair.",
        "Remove that relation first." if kind != wanted else NOTHING_CHANGED,
        kind=kind,
    )


def already_related(kind: str, wanted: str) -> Refused:
    """The pair has a relation of `kind` already where one was to become of the kind `wanted`."""
    if kind == wanted:
        reason = "They already have this relation."
    else:
        reason = f"They already have a relation (“{kind}”), and Base Coat allows one relation per pair."
    return Refused("exists", reason, NOTHING_CHANGED, kind=kind)


def relation_gone() -> NotSaved:
    return NotSaved("gone", "the relation is no longer in the store.", NOTHING_CHANGED)


def other_memory_missing() -> NotSaved:
    return NotSaved("missing", "the other memory is not in this store.", NOTHING_CHANGED)


def no_relations_table() -> NotSaved:
    return NotSaved("no-field", "this file has no relations table.", NOTHING_CHANGED)
