"""What a project's file may hold: somebody else wrote it, so it can only be stricter (S-63)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath

from memtui.errors import Refused
from memtui.memory.policies.policy import WEAKEST, Limit
from memtui.memory.rules.file import wording_project as wording
from memtui.memory.rules.rule import ACTIONS, Action

PLACE = (".memtui", "rules.toml")  # of the file, in the project's folder
# Whole actions, or their kinds: nothing that takes a memory out of use or shows it to more agents.
STRICTER = ("pin", "tag", "inbox", "refuse", "scope=private")


def is_place(path: PurePath) -> bool:
    """Return whether a file is where a project has its rules."""
    return path.parts[-2:] == PLACE


def folder_of(path: str) -> str:
    """Return the name of the project's folder."""
    return PurePath(path).parent.parent.name


def require_stricter(action: Action) -> None:
    """Raise Refused for an action that a project's file must not have."""
    if action.kind not in STRICTER and action.text not in STRICTER:
        allowed = [each for each in STRICTER if each.partition("=")[0] in ACTIONS]
        raise wording.not_stricter(action.text, allowed)


def no_store() -> Refused:
    """Return why a project's file cannot say where an agent writes."""
    return wording.no_store()


def require_no_leaving(limits: Iterable[Limit]) -> None:
    """Raise Refused for a limit beyond which memories would leave."""
    for limit in limits:
        if limit.beyond == WEAKEST:
            raise wording.no_leaving(limit.text)
