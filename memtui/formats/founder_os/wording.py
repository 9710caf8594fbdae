"""Every sentence about a Founder OS store."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.errors import NotSaved, Refused

NOTHING_CHANGED = "Nothing was changed."
RECOGNISED_BY = "an SQLite database with a table “memories” (key, category, content, source_plugin, status)"

# Findings.
NOT_PLAIN_TEXT = "The content is no plain text; it is shown as far as it can be."
DUPLICATE_ID = "Another row has the same id; both are shown."
DUPLICATE_KEY = "Another row has the same key."
NO_KEY = "The row has no key."
UNKNOWN_CATEGORY = "“{category}” is no category of Founder OS."
UNKNOWN_STATUS = "“{status}” is no status of Founder OS; shown as candidate."
TAGS_UNREADABLE = "The tags are no list of words; they are left as they are."
NOT_A_TIME = "{column} says “{value}”, which is no time."
CONFIDENCE_NOT_A_NUMBER = "The confidence “{value}” is no number."
CONFIDENCE_OUT_OF_RANGE = "The confidence {value} is outside 0–100; shown as the nearest bound."
CONFIDENCE_TINY = "The confidence {value} is on a scale of 0–100, where it is next to nothing."
TABLE_MISSING = "The table “{table}” is missing; Founder OS makes it when it runs."
ORPHANED_ADAPTATIONS = "Adaptations of a memory that is gone ({memory}): {count}."
CONTEXTS = "Context of {observations}"

# Side records.
REVERTED = "{text} (reverted)"

# What an action does.
ADDS_ROW = "adds a row to {file}"
DISMISSED_IN = "dismissed in {file}"
RESTORES_STATUS = "gives it its status back in {file}"
DELETES_ROW = "deletes its row in {file} and reverts its adaptations"
RAISES_CONFIDENCE = "raises its confidence by 15, to 60 at least, in {file}"
CHANGES_CONTENT = "changes the text in {file} and clears its embedding there"
CHANGES_FIELD = "changes its {field} in {file}"
NO_RELATIONS = "kept in memtui: Founder OS has no relations of its own"
NO_SUCH_FIELD = "kept in memtui: Founder OS has no {field}"


def no_expiry_column(file: str) -> NotSaved:
    return NotSaved("no-field", f"this {file} is older and has no expiry.")


def removed_by_program() -> NotSaved:
    return NotSaved("removed", "Founder OS has removed this memory.", "Restore it first.")


def key_taken(key: str) -> NotSaved:
    return NotSaved("exists", f"another memory has the key “{key}” already.", key=key)


def row_gone() -> NotSaved:
    return NotSaved("gone", "the row is no longer where it was.")


def empty() -> NotSaved:
    return NotSaved("empty", "a memory cannot be empty.", "Dismiss it instead.")


def not_allowed(field: str, allowed: Iterable[str]) -> Refused:
    return Refused(field, f"Invalid {field}: must be one of {', '.join(allowed)}", NOTHING_CHANGED)


def invalid_key(longest: int) -> Refused:
    return Refused(
        "key",
        f"Invalid key: must be lower-case a–z, 0–9 and hyphens, at most {longest} characters",
        f"{NOTHING_CHANGED} A key looks like acme-payment-terms.",
    )


def unknown_trigger(trigger: str) -> Refused:
    reason = f"The trigger “{trigger}” on adaptations is unknown; a change could set it off."
    return Refused("read-only", reason, NOTHING_CHANGED)
