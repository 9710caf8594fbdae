"""What a rule may be: its name, note and actions, each as it is kept (S-60)."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.memory.rules import wording
from memtui.memory.rules.rule import MAX_NAME, MAX_NOTE, Action, parse_action
from memtui.memory.secrets import contains_secret
from memtui.text import is_clean


def checked_name(text: str) -> str:
    """Return a name as it is kept; raise Refused for one that no rule can have."""
    name = " ".join(text.split())
    if not 0 < len(name) <= MAX_NAME or not is_clean(name) or contains_secret(name):  # the journal names it
        raise wording.bad_name(MAX_NAME)
    return name


def checked_note(text: str) -> str:
    """Return a note as it is kept; raise Refused for one that no rule can have."""
    note = " ".join(text.split())
    if len(note) > MAX_NOTE or not is_clean(note):
        raise wording.bad_note(MAX_NOTE)
    return note


def checked_actions(texts: Sequence[str]) -> tuple[Action, ...]:
    """Return the actions that texts such as "tag=security" name; raise Refused for others, for none, and for
    a kind that is there twice."""
    actions = tuple(parse_action(text) for text in texts if text.strip())
    if not actions:
        raise wording.no_action()
    if len({each.kind for each in actions}) < len(actions):
        raise wording.action_twice()
    return actions
