"""A session of an agent whose program asks at its events, answered in this process."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memtui.agents.hooks.answering import Answering
from memtui.agents.hooks.names import NAMES
from memtui.agents.wording import DATA
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import NOW
from tests.support.empty_workspace import create_empty


class Session:
    """The hooks of a session in a project; `told` is what its agent is told at an event, "" if nothing."""

    def __init__(self, work: Workspace, folder: Path, project: str = "/home/me/tea") -> None:
        self.work = work
        self.answering = Answering(work, folder)
        self.given: dict[str, Any] = {"session_id": "s1", "cwd": project}

    def answer(
        self, event: str, agent: str = "scout", *, waits: bool | Iterator[bool] = True, **given: Any
    ) -> bytes:
        texts = ["1", event, agent, given.pop("store", ""), given.pop("project", "")]
        return self.reply_to(texts, json.dumps(self.given | given).encode(), waits=waits)

    def reply_to(self, texts: list[str], given: bytes, *, waits: bool | Iterator[bool] = True) -> bytes:
        replies: list[bytes] = []
        is_waiting = (lambda: waits) if isinstance(waits, bool) else waits.__next__
        self.answering.answer(texts, given, is_waiting, replies.append)
        (reply,) = replies
        return reply

    def told(
        self, event: str, agent: str = "scout", *, waits: bool | Iterator[bool] = True, **given: Any
    ) -> str:
        answer = self.answer(event, agent, waits=waits, **given)
        if not answer:
            return ""
        told = json.loads(answer)["hookSpecificOutput"]
        assert told.pop("hookEventName") == NAMES[event]
        text = str(told.pop("additionalContext"))
        assert (told, text.split("\n")[0]) == ({}, DATA)
        return text.removeprefix(f"{DATA}\n\n")

    def fails(self, command: str, error: str, **given: Any) -> str:
        return self.told("post-tool-use-failure", **bash(command), error=error, **given)

    def succeeds(self, command: str) -> str:
        return self.told("post-tool-use", **bash(command), tool_response={"stdout": "", "stderr": ""})

    def edits(self, file: str, **given: str) -> str:
        given = {"file_path": f"{self.given['cwd']}/{file}", **given}
        return self.told("post-tool-use", tool_name="Edit", tool_input=given, tool_response={})

    def kept(self) -> list[str]:
        return [each.content for each in self.work.memories(self.work.ids_in(store="native"))]


def bash(command: str) -> dict[str, Any]:
    return {"tool_name": "Bash", "tool_input": {"command": command}}


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    work = Workspace.open(create_empty(tmp_path / "own" / "w.db"), clock=lambda: NOW)
    (tmp_path / "hooks").mkdir()
    yield Session(work, tmp_path / "hooks")
    work.close()
