"""The person at the client is asked which of two memories holds, in both ways of the protocol; who cannot be
asked, or does not answer, finds the pair in Review."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import anyio
import pytest
from mcp.client import Client
from mcp_types import ElicitRequestParams, ElicitResult

from memtui.agents.mcp import asking
from memtui.agents.mcp.desk import Desk
from memtui.agents.mcp.server import MemoryServer
from memtui.workspace.workspace import Workspace
from tests.agents.mcp.calling import Calls

OLD = {"content": "The port is 8080.", "category": "fact", "key": "port", "subject": "net"}
NEW = OLD | {"content": "The port is 9090."}


class Person:
    """Answers questions, and remembers them."""

    def __init__(self, *answers: ElicitResult) -> None:
        self.answers = list(answers)
        self.asked: list[ElicitRequestParams] = []

    async def __call__(self, context: Any, params: ElicitRequestParams) -> ElicitResult:
        self.asked.append(params)
        return self.answers.pop(0)


def chosen(choice: str) -> ElicitResult:
    return ElicitResult(action="accept", content={"holds": choice})


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_the_person_says_which_holds(mode: str, work: Workspace) -> None:
    person = Person(ElicitResult(action="decline"), chosen("neither"), chosen("other"), chosen("new"))
    desk = Desk(nullcontext(work), "scout", "native")
    async with Client(MemoryServer(desk), mode=mode, elicitation_callback=person) as client:
        await client.list_tools()
        call = Calls(client)
        old = (await call("memory_store", **OLD))["id"]
        assert person.asked == []
        for answered in range(2):  # not answered: both are kept, and the pair is open
            new = await call("memory_store", **NEW)
            assert (new["outcome"], new["decided"], len(person.asked)) == ("added", None, answered + 1)
            assert [pair.state for pair in work.pairs()] == ["open"]
            work.undo(new["journal"])
        assert "The port is 9090.”, which contradicts" in person.asked[0].message

        loses = await call("memory_store", **NEW)
        assert "kept the other memory" in loses["decided"]
        (live,) = work.memories(work.search("").ids)
        assert live.uid == old
        entry = work.journal(1)[0]
        assert (entry.kind, entry.actor) == ("resolved", "person")
        work.undo(entry.id)
        work.undo(loses["journal"])

        wins = await call("memory_store", **NEW)
        (live,) = work.memories(work.search("").ids)
        assert live.uid == wins["id"]
        assert len(person.asked) == 4
    assert desk.close()


async def test_what_the_agent_may_not_change_is_left_to_review(work: Workspace) -> None:
    work.add({**OLD, "owner": "bob", "scope": "fleet"})
    work.add({**OLD, "content": "The lamp is red.", "key": "lamp", "scope": "fleet"})
    work.set_policy("scout", write=["private"])
    person = Person()
    desk = Desk(nullcontext(work), "scout", "native")
    async with Client(MemoryServer(desk), elicitation_callback=person) as client:
        await client.list_tools()
        call = Calls(client)
        for new in (NEW, NEW | {"content": "The lamp is green.", "key": "lamp"}):
            stored = await call("memory_store", **new)
            assert (stored["other"]["family"], stored["decided"]) == ("contradiction", None)
    assert desk.close()
    assert person.asked == []
    assert work.refused_today() == []  # it did not try


async def test_an_answer_about_another_text_settles_nothing(work: Workspace) -> None:
    async def late(context: Any, params: ElicitRequestParams) -> ElicitResult:
        work.edit(work.ids_in(key="port")[:1], {"content": "The port is 7070."})
        return chosen("new")

    desk = Desk(nullcontext(work), "scout", "native")
    async with Client(MemoryServer(desk), elicitation_callback=late) as client:
        await client.list_tools()
        call = Calls(client)
        await call("memory_store", **OLD)
        assert "changed" in (await call("memory_store", **NEW))["decided"]
    assert desk.close()
    assert {each.content for each in work.memories(work.search("").ids)} == {
        *("The port is 7070.", NEW["content"]),
    }


async def test_who_does_not_answer_is_not_waited_for(
    work: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "_PATIENCE", 0.1)

    async def nobody(context: Any, params: ElicitRequestParams) -> ElicitResult:
        await anyio.sleep_forever()
        raise AssertionError

    desk = Desk(nullcontext(work), "scout", "native")
    async with Client(MemoryServer(desk), mode="legacy", elicitation_callback=nobody) as client:
        await client.list_tools()
        call = Calls(client)
        await call("memory_store", **OLD)
        assert (await call("memory_store", **NEW))["decided"] is None
        assert len((await call("memory_list"))["memories"]) == 2
    assert desk.close()
    assert [pair.state for pair in work.pairs()] == ["open"]
