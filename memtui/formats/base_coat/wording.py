"""Every sentence about Base Coat's database."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.errors import NotSaved, Refused
from memtui.text import counted

RECOGNISED_BY = "an SQLite database with a table “memories” (category, subject, content, access_count)"

# What an action does: each completes "Dismiss …".
ADDS_ROW = "adds a row to {file}"
DELETES_ROW = "deletes its row and its relations in {file}"
DISMISSES = "sets its confidence to 0 in {file}, so that agents pass over it"
RESTORES = "raises its confidence above 0 again in {file}, so that agents are given it"
CONFIRMS = "raises its confidence in {file}"
SUPERSEDES = "sets its confidence to 0 in {file}"
SUPERSEDES_WITH_RELATION = f"{SUPERSEDES} and says there that the other memory contradicts it"
PINS = "sets pinned in {file}, so that it neither decays nor is demoted"
UNPINS = "takes pinned off in {file}"
CHANGES_TEXT = "changes the text in {file} and clears its embedding there"
CHANGES_FIELD = "changes its {field} in {file}"
ADDS_RELATION = "adds the relation to {file}"
REMOVES_RELATION = "takes the relation out of {file}"
CHANGES_RELATION = "changes the relation in {file}"
NO_PIN = "kept in memtui: this {file} is older and has no pin"
NO_COLUMN = "kept in memtui: this {file} is older and has no {field}"
NO_FIELD = "kept in memtui: Base Coat has no {field}"
NO_RELATIONS = "kept in memtui: this {file} has no table of relations"
ONLY_KINDS = "kept in memtui: Base Coat knows only {kinds}"

# Findings.
NO_ID = "The row has no id; it is known by its place."
DOUBLED_ID = "Another row has the same id; each is shown as a memory of its own."
CONTENT_NO_TEXT = "The content is no plain text; it is shown as far as it goes."
UNKNOWN_CATEGORY = "“{category}” is no category that Base Coat knows."
UNKNOWN_TIER = "“{tier}” is no tier that Base Coat knows."
UNKNOWN_HEAT = "“{heat}” is no heat that Base Coat knows."
BAD_TIME = "{name} says “{value}”, which is no time."
BAD_PINNED = "pinned says “{value}”, where Base Coat has 0 or 1; taken for pinned."
DANGLING = "Relations {end} a memory that is gone ({id}): {count}."
SELF_RELATION = "A relation leads from a memory to itself ({id})."

NOTHING_CHANGED = "Nothing was changed."


def wrong_heat(heat: str, uses: int, expected: str) -> str:
    return f"It is {heat}, and used {counted(uses, 'time')} it should be {expected}."


def unknown_relations(kind: str | None, count: int) -> str:
    which = "without a kind" if kind is None else f"of the kind “{kind}”"
    return f"Relations {which}, which Base Coat does not know: {count}."


def no_link() -> NotSaved:
    return NotSaved("gone", "no relation was named.", NOTHING_CHANGED)


def no_column(file: str, field: str) -> NotSaved:
    return NotSaved("no-field", f"this {file} is older and has no {field}.")


def related_in_batch() -> NotSaved:
    return NotSaved("exists", "another change at once relates these two already.")


def row_gone() -> NotSaved:
    return NotSaved("gone", "the row is no longer where it was.")


def empty_content() -> NotSaved:
    return NotSaved("empty", "the content cannot be empty.", "Dismiss it instead.")


def empty_subject() -> NotSaved:
    return NotSaved("empty", "the subject cannot be empty.", NOTHING_CHANGED)


def bad_tier(allowed: Iterable[str]) -> Refused:
    return Refused("tier", f"Invalid tier: must be one of {', '.join(allowed)}", NOTHING_CHANGED)


def bad_kind(allowed: Iterable[str]) -> Refused:
    return Refused("kind", f"Invalid relation: must be one of {', '.join(allowed)}", NOTHING_CHANGED)


def relation_to_itself() -> NotSaved:
    return NotSaved("self", "a memory cannot be related to itself.")


def pair_taken(kind: str, wanted: str) -> NotSaved:
    """The pair has a relation of `kind` already where one of the kind `wanted` was to be added."""
    return NotSaved(
        "exists",
        f"it “{kind}” that memory already, and Base Coat keeps one relation a pair.",
        "Take that relation away first." if kind != wanted else NOTHING_CHANGED,
        kind=kind,
    )


def already_related(kind: str, wanted: str) -> Refused:
    """The pair has a relation of `kind` already where one was to become of the kind `wanted`."""
    more = "" if kind == wanted else f": it “{kind}” that memory, and Base Coat keeps one relation a pair"
    return Refused("exists", f"They are related so already{more}.", NOTHING_CHANGED, kind=kind)


def relation_gone() -> NotSaved:
    return NotSaved("gone", "the relation is no longer in the store.", NOTHING_CHANGED)


def other_memory_missing() -> NotSaved:
    return NotSaved("missing", "the other memory is not in this store.", NOTHING_CHANGED)


def no_relations_table() -> NotSaved:
    return NotSaved("no-field", "this file has no relations.", NOTHING_CHANGED)
