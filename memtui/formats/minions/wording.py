"""Every sentence about minions stores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from memtui.errors import NotSaved, Refused

RECOGNISED_BY = "a folder of <hh>/<hh>/<uuid>.json files with id, minionTypeId memory-… and fields"
# What an agent does at the start of a session.
AT_START = "No text is loaded at session start; agents search their minions when they need something."

# What an action does: each completes "Dismiss …".
ADDS_FILE = "adds a file and its index minion"
CONFIRMS = "raises its confidence, updates its confirmation time and adds a reinforcement minion"
DISMISSES = "marks its file as deleted, without removing it"
RESTORES = "removes the deletion mark from its file"
EXPIRES = "marks its file as deleted and adds an expiry minion"
DELETES = "removes its file and its index minion"
FORGETS = "removes its file and its index minion, and adds an expiry minion"
SUPERSEDES = "marks its file as deleted, resolves their contradiction and adds an expiry minion"
ADDS_CONTRADICTION = "adds an unresolved contradiction minion"
REMOVES_CONTRADICTION = "marks their unresolved contradiction minion as deleted, without removing its file"
CHANGES_TEXT = "changes the text in its file and updates its index minion"
CHANGES_FIELD = "changes the {field} in its file"
ONLY_KIND = "kept in memtui: minions stores support only “{kind}”"
KEPT_IN_MEMTUI = "kept in memtui: minions stores have no {field}"

# Why a file cannot be decoded.
EMPTY_FILE = "the file is empty"
BAD_JSON_FROM = "invalid JSON at line {line}"
TOO_DEEP = "nested too deeply, or a number is too long"

# Findings.
BAD_JSON = "Can't be read: {reason}."
NO_OBJECT = "Can't be read: not a JSON object."
NO_MINION = "This JSON file is not a minion."
UNKNOWN_TYPE = "“{type}” is not a type of memory."
NO_FIELDS = "The minion has no fields."
DOUBLE_KEY = "A key appears more than once; the last value counts."
NO_ID = "No ID; the file name is used instead."
OTHER_ID = "Its id, {id}, does not match the file name."
OTHER_PLACE = "The file belongs at {file}."
NAME_IS_NO_ID = "The file name is not an ID."
NO_TEXT = "The {member} is not text."
BAD_TAGS = "The tags are not a list of words; they won't be changed."
BAD_TIME = "{member} is “{value}”, not a valid time."
CONFIDENCE_NO_NUMBER = "Confidence “{value}” is not a number."
CONFIDENCE_OUTSIDE = "Confidence {value} is outside 0–1; shown as the nearest bound."
CONFIDENCE_IS_TEXT = "Confidence “{value}” is stored as text."
LEFTOVER = "Leftover temporary file from an interrupted write."
DANGLING_INDEX = "Index of {id}, which no longer exists."
DANGLING = "{kind} of {id}, which no longer exists."
NO_INDEX = "No index minion."
STALE_INDEX = "The index minion is older than the memory."
DOUBLED_KEY = "Another memory of the same owner has the same key, “{key}”."

# Why a memory breaks a scope policy.
SCOPE_NOT_ALLOWED = "scope {scope} is not allowed"
KEY_NOT_ALLOWED = "key {key} is not allowed"
TOO_MANY_IN_SCOPE = "{count:,} memories in scope {scope}, at most {limit:,} allowed"

# Titles and texts of new minions; stores keep them.
INDEX_TITLE = "Index of {memory}"
REINFORCEMENT_TITLE = "Reinforcement of {memory}"
EXPIRY_TITLE = "Expiry of {memory}"
QUERY_TITLE = "Query: {question}"
CONTRADICTION_TITLE = "Contradiction of {memory}"
SUPERSEDED = "One memory replaced the other."

# How a contradiction was resolved, as shown with its first memory and with its second.
_RESOLUTIONS = {
    "keep-a": ("this one was kept", "the other one was kept"),
    "keep-b": ("the other one was kept", "this one was kept"),
    "merge": ("they were merged", "they were merged"),
    "discard-both": ("both were discarded", "both were discarded"),
}

NOTHING_CHANGED = "Nothing was changed."
_PLURALS = {"item": "items", "lesson": "lessons", "summary": "summaries"}


# -- findings


def for_files(text: str, count: int) -> str:
    """The text of a finding that stands for `count` files."""
    return f"{text} Found in {count:,} files." if count > 1 else text


def and_more(text: str, count: int) -> str:
    """The text of the last finding of a code, after which `count` more were left out."""
    return f"{text} {count:,} more like this."


# -- side records


def keywords(words: Sequence[str]) -> str:
    return f"keywords: {', '.join(words) or 'none'}"


def reinforcement(before: str, after: str, who: str, reason: str) -> str:
    return f"{before} → {after}{_by(who)}{_because(reason)}"


def expiry(reason: str, who: str) -> str:
    return f"{reason or 'expired'}{_by(who)}"


def contradiction(description: str, resolution: str, side: int) -> str:
    """A contradiction as shown with its first memory (`side` 0) or its second; `resolution` is "" while it
    is unresolved."""
    state = _RESOLUTIONS[resolution][side] if resolution else "unresolved"
    return f"contradicted{_because(description)} ({state})"


def query(text: str, strategy: str) -> str:
    return f"searched for: {text} ({strategy})" if strategy else f"searched for: {text}"


def policy(scopes: str, most: str, expiry: str, patterns: str) -> str:
    parts = [f"allowed scopes: {scopes or 'none'}"]
    if most:
        parts.append(f"at most {most} per scope")
    if expiry:
        parts.append(f"expiry: {expiry}")
    if patterns:
        parts.append(f"forbidden keys: {patterns}")
    return "; ".join(parts)


def _by(who: str) -> str:
    return f", by {who}" if who else ""


def _because(reason: str) -> str:
    return f": {reason}" if reason else ""


# -- refusals


def holds_something_else(path: Path) -> Refused:
    return Refused("exists", f"{path} already contains something else.", "Nothing was created.")


def uses_not_noted(reason: str) -> Refused:
    return Refused("read-only", reason, "Nothing was noted.")


def empty_memory() -> NotSaved:
    return NotSaved("empty", "a memory needs text.")


def empty_field(field: str) -> NotSaved:
    return NotSaved("empty", f"the {field} can't be empty.", "Dismiss the memory instead.")


def unknown_kind(kind: str, known: Iterable[str]) -> NotSaved:
    return NotSaved("kind", f"minions stores support {', '.join(known)}, but not {kind}.")


def unknown_action(action: str) -> NotSaved:
    return NotSaved("no-field", f"minions stores can't {action} a memory.")


def no_field(field: str, kind: str) -> NotSaved:
    return NotSaved("no-field", f"minions stores have no {field} for {_PLURALS[kind]}.")


def double_key(file: str) -> NotSaved:
    return NotSaved("double-key", f"a key appears more than once in {file}.", "Fix the file first.")


def no_fields(file: str) -> NotSaved:
    return NotSaved("no-fields", f"{file} has no fields.", NOTHING_CHANGED)


def time_out_of_range() -> NotSaved:
    return NotSaved("time", "the time is out of range.")


def not_dismissed() -> Refused:
    return Refused("not-dismissed", "Nothing to restore: the memory is not dismissed.")


def only_kind(kind: str) -> NotSaved:
    return NotSaved("kind", f"minions stores support only “{kind}” between memories.")


def already_related() -> Refused:
    return Refused("exists", "They already have this relation.", NOTHING_CHANGED)


def no_relation(kind: str) -> NotSaved:
    return NotSaved("no-relation", f"they have no “{kind}” relation.")


def no_other_memory() -> NotSaved:
    return NotSaved("no-relation", "the other memory was not specified.")
