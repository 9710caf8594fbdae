"""Every sentence about mem-skill's database."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.errors import NotSaved, Refused

RECOGNISED_BY = "an SQLite database with a table “facts” (fact_id, user_id, key, value_text, status)"

# What an action does: each completes "Dismiss …". {audit} is one of the clauses below.
ADDS_FACT = "adds a fact to {file}"
DISMISSES = "sets it to expired, valid until now, in {file}{audit}"
EXPIRES = "sets it to expired in {file}{audit}"
SUPERSEDES = "sets it to superseded, valid until now, in {file}{audit}"
RESTORES = "sets it to active again in {file}, without an end that has passed{audit}"
CONFIRMS = "sets it to active with more confidence in {file}{audit}"
DELETES = "takes its row out of {file}; {history} keeps what it said before"
CHANGES_TEXT = "changes the text in {file}{audit}; {notice} until they are synced"
CHANGES_FIELD = "changes its {field} in {file}{audit}"
KEPT_IN_MEMTUI = "kept in memtui: mem-skill has no {field}"

# Clauses on the audit.
AUDITED_BY_TRIGGER = "; its own trigger notes that in {history}, where it stays on undo"
AUDITED = ", with a line in {history}"
AUDITED_FOR_GOOD = ", with a line in {history} that stays on undo"

# What still holds the old text after an edit.
VECTORS_BEHIND = "the agent's vectors hold the old text"
SEARCH_AND_VECTORS_BEHIND = "the store's own search and the agent's vectors hold the old text"

# Findings.
NO_UTF8 = "Some of its text is no UTF-8; it is left as it is."
BAD_TIME = "{name} says “{value}”, which is no time."
NO_TEXT = "The fact has no text; its value is shown instead."
NOT_PLAIN_TEXT = "The text is no plain text; it is shown as far as it can be."
NO_KEY = "The fact has no key."
UNKNOWN_CATEGORY = "“{category}” is no category of mem-skill."
UNKNOWN_STATUS = "“{status}” is no status of mem-skill."
REVERSED_VALIDITY = "Its validity ends before it begins."
VALUE_NO_JSON = "value_json is no JSON; it is left as it is."
DOUBLED_ID = "Another fact has the same id; both are shown."
NO_ID = "The fact has no id of its own."
NO_HISTORY = "The table “{history}” is missing."
DANGLING_HISTORY = "Facts of which only {history} still speaks: {count}."
NO_SEARCH = "There is no full-text table over the facts."
BREAKING_TRIGGER = "The trigger “{trigger}” would break {table} as a text changes."
OTHER_WORDS = "{table} holds other words than the facts."

# Side records.
IN_ARCHIVE = "In {table}: {text}"
CHANGED = "changed"
NOTHING = "nothing"

# Reasons that are written into the audit; stores keep them.
UNDONE = "taken back in memtui"
_DONE = {
    "edit": "edited",
    "confirm": "confirmed",
    "dismiss": "expired",
    "expire": "its validity ended: expired",
    "restore": "restored",
    "supersede": "superseded",
    "delete": "taken out",
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
    return f"Active facts of {owner or 'nobody'} give “{key}” several values."


def search_behind(table: str, outdated: int, surplus: int) -> str:
    """`outdated` facts are missing or different in the full-text table, `surplus` rows have no fact."""
    parts = []
    if outdated:
        parts.append(f"{outdated} not as the facts say")
    if surplus:
        parts.append(f"{surplus} of no fact")
    return f"{table} is out of step: {', '.join(parts)}."


def no_longer_a_store(file: str) -> Refused:
    reason = f"{file} is no mem-skill memory any more: its “facts” are gone or others."
    return Refused("unknown-schema", reason, "It was left as it is.")


def archived() -> NotSaved:
    return NotSaved(
        "archived",
        "the fact stands in the archive, which is history.",
        f"{NOTHING_CHANGED} Add it anew to have it back among the facts.",
    )


def row_gone() -> NotSaved:
    return NotSaved("gone", "the row is no longer where it was.")


def empty_content() -> NotSaved:
    return NotSaved("empty", "a memory cannot be empty.", "Dismiss it instead.")


def no_key() -> NotSaved:
    return NotSaved("key", "a fact needs a key.", "A key looks like favourite_editor.")


def bad_status(allowed: Iterable[str]) -> Refused:
    return Refused("status", f"Invalid status: must be one of {', '.join(allowed)}", NOTHING_CHANGED)


def time_out_of_range() -> NotSaved:
    return NotSaved("time", "a time lies outside the years 1 to 9999.")


def trigger_breaks_search(trigger: str, table: str) -> NotSaved:
    return NotSaved(
        "search-trap",
        f"the store's own trigger “{trigger}” would break its search {table}.",
        f"{NOTHING_CHANGED} Dismiss it and add it anew instead.",
    )


def audit_refuses(history: str, reason: str) -> NotSaved:
    return NotSaved(
        "history",
        f"{history} takes no line of this change ({reason}).",
        "Nothing was changed; the store notes each change there.",
    )
