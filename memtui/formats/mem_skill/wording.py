"""Every sentence about mem-skill's database."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.errors import NotSaved, Refused
from memtui.text import counted

RECOGNISED_BY = "an SQLite database with a “facts” table (fact_id, user_id, key, value_text, status)"
# What an agent does at the start of a session.
AT_START = (
    "No text is loaded at session start; for each prompt the skill searches the facts that are valid then."
)

# What an action does: each completes "Dismiss …". {audit} is one of the clauses below.
ADDS_FACT = "adds a fact to {file}"
DISMISSES = "marks it expired as of now in {file}{audit}"
EXPIRES = "marks it expired in {file}{audit}"
SUPERSEDES = "marks it superseded as of now in {file}{audit}"
RESTORES = "makes it active again in {file} and clears any past end date{audit}"
CONFIRMS = "makes it active with higher confidence in {file}{audit}"
DELETES = "deletes its row from {file}; {history} keeps its earlier text"
CHANGES_TEXT = "changes the text in {file}{audit}; {notice} until they are synced"
CHANGES_FIELD = "changes its {field} in {file}{audit}"
KEPT_IN_MEMTUI = "kept in memtui: mem-skill has no {field}"

# Clauses on the audit.
AUDITED_BY_TRIGGER = "; the store's own trigger logs it in {history}, and undo keeps that entry"
AUDITED = ", with an entry in {history}"
AUDITED_FOR_GOOD = ", with an entry in {history} that undo keeps"

# What still holds the old text after an edit.
VECTORS_BEHIND = "the agent's vectors keep the old text"
SEARCH_AND_VECTORS_BEHIND = "the store's own search and the agent's vectors keep the old text"

# Findings.
NO_UTF8 = "Some of its text is not valid UTF-8; memtui won't change it."
BAD_TIME = "{name}: “{value}” is not a valid time."
NO_TEXT = "The fact has no text; its value is shown instead."
NOT_PLAIN_TEXT = "The text is not stored as plain text; showing what could be read."
NO_KEY = "The fact has no key."
UNKNOWN_CATEGORY = "“{category}” is not a mem-skill category."
UNKNOWN_STATUS = "“{status}” is not a mem-skill status."
REVERSED_VALIDITY = "Its validity ends before it starts."
VALUE_NO_JSON = "value_json is not valid JSON; memtui won't change it."
DOUBLED_ID = "Another fact has the same ID; both are shown."
NO_ID = "The fact has no ID."
NO_HISTORY = "The “{history}” table is missing."
DANGLING_HISTORY = "Facts that remain only in {history}: {count}."
NO_SEARCH = "There is no full-text index of the facts."
BREAKING_TRIGGER = "Trigger “{trigger}” would break {table} when a fact's text changes."
OTHER_WORDS = "Search index {table} is stale: its words differ from the facts."

# Side records.
IN_ARCHIVE = "In {table}: {text}"
CHANGED = "changed"
NOTHING = "nothing"

# Reasons that are written into the audit; stores keep them.
UNDONE = "undone in memtui"
_DONE = {
    "edit": "edited",
    "redact": "secret redacted",
    "confirm": "confirmed",
    "dismiss": "expired",
    "expire": "validity ended; expired",
    "restore": "restored",
    "supersede": "superseded",
    "delete": "deleted",
}

NOTHING_CHANGED = "Nothing was changed."


def audit_reason(action: str, who: str, winner: str = "") -> str:
    """The reason of an audit entry; `who` is person, agent:NAME or rule:NAME, `winner` the id of the fact
    that supersedes this one."""
    by = "a person" if who == "person" else who
    if winner:
        return f"superseded by {winner}, by {by} in memtui"
    return f"{_DONE[action]} by {by} in memtui"


def several_values(owner: str, key: str) -> str:
    whose = f"of {owner}" if owner else "without an owner"
    return f"Active facts {whose} have conflicting values for “{key}”."


def search_behind(table: str, outdated: int, surplus: int) -> str:
    """`outdated` facts are missing or different in the full-text table, `surplus` rows have no fact."""
    parts = []
    if outdated:
        parts.append(f"{counted(outdated, 'row differs', 'rows differ')}")
    if surplus:
        parts.append(f"{counted(surplus, 'row has no fact', 'rows have no fact')}")
    return f"Search index {table} is stale ({', '.join(parts)})."


def no_longer_a_store(file: str) -> Refused:
    reason = f"{file} is no longer a mem-skill store: its “facts” table is missing or different."
    return Refused("unknown-schema", reason, NOTHING_CHANGED)


def archived() -> NotSaved:
    return NotSaved(
        "archived",
        "the fact is archived, and memtui doesn't change archived facts.",
        f"{NOTHING_CHANGED} Add it again to make it a current fact.",
    )


def row_gone() -> NotSaved:
    return NotSaved("gone", "the row is no longer in the store.")


def empty_content() -> NotSaved:
    return NotSaved("empty", "a memory can't be empty.", "Dismiss it instead.")


def no_key() -> NotSaved:
    return NotSaved("key", "a fact needs a key.", "Example: favorite_editor.")


def bad_status(allowed: Iterable[str]) -> Refused:
    return Refused("status", f"Invalid status: must be one of {', '.join(allowed)}", NOTHING_CHANGED)


def time_out_of_range() -> NotSaved:
    return NotSaved("time", "a date is outside the years 1 to 9999.")


def trigger_breaks_search(trigger: str, table: str) -> NotSaved:
    return NotSaved(
        "search-trap",
        f"the store's own trigger “{trigger}” would break its search index {table}.",
        f"{NOTHING_CHANGED} Dismiss the fact and add it again instead.",
    )


def audit_refuses(history: str, reason: str) -> NotSaved:
    return NotSaved(
        "history",
        f"{history} rejects the entry for this change ({reason}).",
        "Nothing was changed: the store must log every change there.",
    )
