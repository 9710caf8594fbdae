"""Every sentence about minions stores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from memtui.errors import NotSaved, Refused

RECOGNISED_BY = "a folder with <hh>/<hh>/<uuid>.json of id, minionTypeId memory-… and fields"

# What an action does: each completes "Dismiss …".
ADDS_FILE = "adds a file and its index minion"
CONFIRMS = "raises its confidence, renews lastReinforcedAt and writes a reinforcement minion"
DISMISSES = "marks its file as deleted; it stays where it is"
RESTORES = "takes the mark off its file"
EXPIRES = "marks its file as deleted and writes an expiry minion"
DELETES = "removes its file and its index minion"
SUPERSEDES = "marks its file as deleted, resolves their contradiction and writes an expiry"
ADDS_CONTRADICTION = "writes an unresolved contradiction minion"
REMOVES_CONTRADICTION = "marks their unresolved contradiction minion as deleted; its file stays where it is"
CHANGES_TEXT = "changes the text in its file and renews its index minion"
CHANGES_FIELD = "changes its {field} in its file"
ONLY_KIND = "kept in memtui: minions knows only “{kind}”"
KEPT_IN_MEMTUI = "kept in memtui: minions has no {field}"

# Why a file cannot be decoded.
EMPTY_FILE = "it is empty"
BAD_JSON_FROM = "no JSON from line {line} on"
TOO_DEEP = "nested or long beyond sense"

# Findings.
BAD_JSON = "Left as it is: {reason}."
NO_OBJECT = "Left as it is: it is no JSON object."
NO_MINION = "A JSON file that is no minion."
UNKNOWN_TYPE = "“{type}” is no type of memory."
NO_FIELDS = "It has no fields."
DOUBLE_KEY = "A key stands twice in it; the last one counts."
NO_ID = "It has no id of its own; its name stands for that."
OTHER_ID = "Its id is {id}, which is not its name."
OTHER_PLACE = "It belongs at {file}."
NAME_IS_NO_ID = "Its name is no id."
NO_TEXT = "Its {member} is no text."
BAD_TAGS = "The tags are no list of words; they are left as they are."
BAD_TIME = "{member} says “{value}”, which is no time."
CONFIDENCE_NO_NUMBER = "The confidence “{value}” is no number."
CONFIDENCE_OUTSIDE = "The confidence {value} is outside 0–1; shown as the nearest bound."
CONFIDENCE_IS_TEXT = "The confidence “{value}” is a text."
LEFTOVER = "A temporary file that no write took up."
DANGLING_INDEX = "It indexes {id}, which is gone."
DANGLING = "{kind} of {id}, which is gone."
NO_INDEX = "It has no index minion."
STALE_INDEX = "Its index is older than it."
DOUBLED_KEY = "Another memory of its owner says “{key}”, too."

# Why a memory breaks a scope policy.
SCOPE_NOT_ALLOWED = "scope {scope} is not allowed"
KEY_NOT_ALLOWED = "key {key} is not allowed"
TOO_MANY_IN_SCOPE = "{count:,} memories in scope {scope}, at most {limit:,} allowed"

# Titles and texts of new minions; stores keep them.
INDEX_TITLE = "Index of {memory}"
REINFORCEMENT_TITLE = "Reinforcement of {memory}"
EXPIRY_TITLE = "Expiry of {memory}"
CONTRADICTION_TITLE = "Contradiction of {memory}"
SUPERSEDED = "One memory gave way to the other."

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
    return f"{text} Files like it: {count:,}." if count > 1 else text


def and_more(text: str, count: int) -> str:
    """The text of the last finding of a code, after which `count` more were left out."""
    return f"{text} {count:,} more like it."


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
    return f"asked: {text} ({strategy})" if strategy else f"asked: {text}"


def policy(scopes: str, most: str, expiry: str, patterns: str) -> str:
    parts = [f"may use {scopes or 'no scopes'}"]
    if most:
        parts.append(f"at most {most} a scope")
    if expiry:
        parts.append(f"expires: {expiry}")
    if patterns:
        parts.append(f"never keys like {patterns}")
    return "; ".join(parts)


def _by(who: str) -> str:
    return f", by {who}" if who else ""


def _because(reason: str) -> str:
    return f": {reason}" if reason else ""


# -- refusals


def holds_something_else(path: Path) -> Refused:
    return Refused("exists", f"{path} holds something else already.", "Nothing was made.")


def empty_memory() -> NotSaved:
    return NotSaved("empty", "a memory without a text is none.")


def empty_field(field: str) -> NotSaved:
    return NotSaved("empty", f"the {field} cannot be empty.", "Dismiss the memory instead.")


def unknown_kind(kind: str, known: Iterable[str]) -> NotSaved:
    return NotSaved("kind", f"minions has {', '.join(known)}, and no {kind}.")


def unknown_action(action: str) -> NotSaved:
    return NotSaved("no-field", f"minions has nothing to {action} a memory with.")


def no_field(field: str, kind: str) -> NotSaved:
    return NotSaved("no-field", f"minions keeps no {field} of {_PLURALS[kind]}.")


def double_key(file: str) -> NotSaved:
    return NotSaved("double-key", f"in {file} a key stands twice.", "Mend the file first.")


def no_fields(file: str) -> NotSaved:
    return NotSaved("no-fields", f"{file} has no fields.", NOTHING_CHANGED)


def time_out_of_range() -> NotSaved:
    return NotSaved("time", "the time is beyond all calendars.")


def not_dismissed() -> Refused:
    return Refused("not-dismissed", "Nothing to restore: it is not dismissed.")


def only_kind(kind: str) -> NotSaved:
    return NotSaved("kind", f"minions knows only “{kind}” between memories.")


def already_related() -> Refused:
    return Refused("exists", "They are related so already.", NOTHING_CHANGED)


def no_relation(kind: str) -> NotSaved:
    return NotSaved("no-relation", f"there is no relation “{kind}” between them.")


def no_other_memory() -> NotSaved:
    return NotSaved("no-relation", "it was not said with which memory.")
