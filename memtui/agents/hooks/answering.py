"""Answering a request of `memtui hook`: the event, in the workspace, as JSON for the agent's program."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.agents.hooks import place
from memtui.agents.hooks.block import blocks, without_repeats
from memtui.agents.hooks.desk import Desk
from memtui.agents.hooks.events import EVENTS
from memtui.agents.hooks.names import NAMES, SILENT
from memtui.agents.hooks.payload import Payload
from memtui.agents.hooks.requests import UNAVAILABLE
from memtui.agents.wording import DATA
from memtui.errors import PolicyRefused, Refused
from memtui.memory.policies.policy import agent_name

if TYPE_CHECKING:
    from memtui.agents.hooks.event import Event
    from memtui.workspace.workspace import Workspace

_LONGEST_READ = 5.0  # seconds
_LONGEST_NAME = 200  # characters of the name of a folder
_MOST_LATE, _LONGEST_LATE = 32, 8_000  # sessions, and characters for one of them


class Answering:
    """Answers requests about one workspace, one after the other."""

    def __init__(self, opened: Workspace, folder: Path) -> None:
        self.opened = opened
        self.folder = folder
        self._late: dict[tuple[str, str], str] = {}  # by agent and session, answers that missed their event

    def answer(
        self,
        texts: list[str],
        given: bytes,
        is_waiting: Callable[[], bool],
        reply: Callable[[bytes], None],
        accept: Callable[[], None] = lambda: None,
    ) -> None:
        """Answer a request by one call of `reply`, once what it gives is kept; `accept` it before where there
        is nothing to tell, so that nobody waits for that. Where nobody is waiting any more, what writes is
        still done, and an answer that is of use later is given at the next event of the session."""
        try:
            _, name, agent, store, project = texts
            event, payload, agent = EVENTS[name], Payload.read(given), agent_name(agent)
        except (Refused, ValueError, KeyError):
            reply(UNAVAILABLE)
            return
        if event.name in SILENT:
            accept()
        answer = UNAVAILABLE
        try:
            answer = self._answer(event, payload, agent, store, project, is_waiting)
        except PolicyRefused:  # the journal has it; to the agent it is as if nothing were known
            answer = b""
        except Exception as error:
            if os.environ.get("MEMTUI_DEBUG") and not isinstance(error, Refused):
                raise
        reply(answer)

    def warm_up(self) -> None:
        """Load what the first write needs, which takes longer than a hook may."""
        from memtui.memory.contradictions.language.lexicon import lexicon
        from memtui.workspace.remember import amending, chain  # noqa: F401

        lexicon()

    def _answer(
        self,
        event: Event,
        payload: Payload,
        agent: str,
        store: str,
        project: str,
        is_waiting: Callable[[], bool],
    ) -> bytes:
        if not (event.writes or event.late or is_waiting()):
            return b""
        subject = os.path.basename((project or payload.text("cwd")).rstrip("/"))[:_LONGEST_NAME]
        desk = Desk(self.opened, agent, store, subject, payload, self.folder / place.SESSIONS)
        with self.opened.calling(f"hook:{event.name}", desk.session):
            text = self._run(event, desk)
        if event.name in SILENT:
            return b""
        whose = agent, desk.session  # a session may have hooks of several agents
        waits = is_waiting()
        text = text if waits or event.late else ""
        text = blocks(without_repeats(self._late.pop(whose, ""), text), text)
        if not waits:
            self._keep_late(whose, text)
            return b""
        return _as_json(event, text)

    def _run(self, event: Event, desk: Desk) -> str:
        if event.writes:
            return event.answer(desk)
        end = time.monotonic() + _LONGEST_READ
        with self.opened.interruptible(lambda: time.monotonic() > end):
            return event.answer(desk)

    def _keep_late(self, whose: tuple[str, str], text: str) -> None:
        if all(whose) and text:
            self._late[whose] = text[-_LONGEST_LATE:]
            while len(self._late) > _MOST_LATE:
                del self._late[next(iter(self._late))]


def _as_json(event: Event, text: str) -> bytes:
    if not text:
        return b""
    told = {"hookEventName": NAMES[event.name], "additionalContext": blocks(DATA, text)}
    return json.dumps({"hookSpecificOutput": told}).encode("ascii") + b"\n"
