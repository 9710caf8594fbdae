"""Every sentence about a Founder OS store."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.errors import NotSaved, Refused

NOTHING_CHANGED = "Nothing was changed."
RECOGNISED_BY = "an SQLite database with a “memories” table (key, category, content, source_plugin, status)"

# Findings.
NOT_PLAIN_TEXT = "The content is not plain text; showing what could be read."
DUPLICATE_ID = "Another row has the same ID; both are shown."
DUPLICATE_KEY = "Another row has the same key."
NO_KEY = "The row has no key."
UNKNOWN_CATEGORY = "“{category}” is not a Founder OS category."
UNKNOWN_STATUS = "“{status}” is not a Founder OS status; shown as candidate."
TAGS_UNREADABLE = "The tags are not a list of words; memtui won't change them."
NOT_A_TIME = "{column}: “{value}” is not a valid time."
CONFIDENCE_NOT_A_NUMBER = "Confidence “{value}” is not a number."
CONFIDENCE_OUT_OF_RANGE = "Confidence {value} is outside 0–100; shown as the nearest bound."
CONFIDENCE_TINY = "Confidence {value} is almost zero on Founder OS's scale of 0–100."
TABLE_MISSING = "The “{table}” table is missing; Founder OS creates it when it runs."
ORPHANED_ADAPTATIONS = "Adaptations of a memory that no longer exists ({memory}): {count}."
CONTEXTS = "Context of {observations}"

# Changes.
NO_EMBEDDING = "has no embedding: Founder OS finds it by key, company and plugin alone"

# Side records.
REVERTED = "{text} (reverted)"

# What an action does.
ADDS_ROW = "adds a row to {file}"
DISMISSED_IN = "dismissed in {file}"
RESTORES_STATUS = "restores its status in {file}"
DELETES_ROW = "deletes its row from {file} and reverts its adaptations"
RAISES_CONFIDENCE = "raises its confidence by 15, to at least 60, in {file}"
CHANGES_CONTENT = "changes the text in {file} and clears its embedding"
CHANGES_FIELD = "changes its {field} in {file}"
NO_RELATIONS = "kept in memtui: Founder OS has no relations"
NO_SUCH_FIELD = "kept in memtui: Founder OS has no {field}"


def no_expiry_column(file: str) -> NotSaved:
    return NotSaved("no-field", f"{file} has an older schema without expiry dates.")


def removed_by_program() -> NotSaved:
    return NotSaved("removed", "Founder OS removed this memory.", "Restore it first.")


def key_taken(key: str) -> NotSaved:
    return NotSaved("exists", f"another memory already has the key “{key}”.", key=key)


def row_gone() -> NotSaved:
    return NotSaved("gone", "the row is no longer in the store.")


def empty() -> NotSaved:
    return NotSaved("empty", "a memory can't be empty.", "Dismiss it instead.")


def not_allowed(field: str, allowed: Iterable[str]) -> Refused:
    return Refused(field, f"Invalid {field}: must be one of {', '.join(allowed)}", NOTHING_CHANGED)


def invalid_key(longest: int) -> Refused:
    return Refused(
        "key",
        f"Invalid key: must be lowercase a–z, 0–9 and hyphens, at most {longest} characters",
        f"{NOTHING_CHANGED} Example: acme-payment-terms.",
    )


def unknown_trigger(trigger: str) -> Refused:
    reason = f"Unknown trigger “{trigger}” on adaptations; a change could fire it."
    return Refused("read-only", reason, NOTHING_CHANGED)
