"""What an agent is given of a store when a session starts (S-72): the exact text, where each memory is in it,
and what was left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from memtui.formats.contract.records import Reading

Content: TypeAlias = Mapping[str, bytes] | Reading
"""All that a store holds at one moment: the bytes of its files by name, or what was read from a database."""


@dataclass(frozen=True, slots=True)
class Passage:
    """The part of the text that shows a memory, in characters: text[start:end]."""

    ref: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Cut:
    """Something that the agent is not given.

    `code` says why, `refs` are the memories it concerns. If it is a part of `file`, `text` is that part, and
    `lines` are its first and last line, from 1.
    """

    code: str
    refs: tuple[str, ...] = ()
    lines: tuple[int, int] | None = None
    file: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class SessionView:
    """What `client` is given: `text`, "" if nothing is loaded.

    `limits` are those of the client, by what they count; `stale` names files with the text that would change
    if they were rebuilt.
    """

    client: str
    text: str
    limits: Mapping[str, int]
    passages: tuple[Passage, ...] = ()
    cut: tuple[Cut, ...] = ()
    stale: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Task:
    """What the agent is asked to do, where the text depends on that.

    `answers` are the refs of the memories that fit `text`, best first.
    """

    text: str = ""
    answers: tuple[str, ...] = ()


NO_TASK = Task()
