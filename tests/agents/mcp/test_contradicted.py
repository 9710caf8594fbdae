"""A client is told what openly contradicts an answer, as far as its agent may read it (S-34)."""

from __future__ import annotations

import json

from mcp_types import TextContent

from memtui.agents.mcp import wording
from memtui.agents.wording import CONTRADICTED_HEADING
from memtui.workspace.workspace import Workspace
from tests.agents.mcp.calling import Calls, served

SHARED = {"scope": "fleet", "company_id": "acme", "source_ref": "P11", "subject": "staging"}
ASKED = {
    "memory_recall": {"query": "staging port"},
    "memory_query": {"text": "staging port"},
    "memory_list": {},
    "memory_by_company": {"company_id": "acme"},
    "memory_by_plugin": {"plugin": "P11"},
}


def add(work: Workspace, content: str, **fields: str) -> str:
    (memory,) = work.memories(work.add({"content": content, **SHARED, **fields}).ids)
    return memory.uid


async def marks(call: Calls, key: str) -> list[dict[str, list[str]]]:
    """Return what each tool says of the contradictions of the memories that it gives, by id."""
    found = [(await call(tool, **arguments))["memories"] for tool, arguments in ASKED.items()]
    found.append([(await call("memory_get", key=key))["memory"]])
    return [{each["id"]: each["contradicted_by"] for each in memories} for memories in found]


async def session_start(call: Calls) -> str:
    (message,) = (await call.client.get_prompt("session_start", {"project": "staging"})).messages
    assert isinstance(message.content, TextContent)
    return message.content.text


async def test_what_is_contradicted_is_marked_everywhere(work: Workspace) -> None:
    port = add(work, "The staging port is 8080.", key="port")
    other = add(work, "The staging port is 9090.", key="other")
    quiet = add(work, "The staging host is blue.", key="host")
    async with served(work, "ada") as call:
        assert all(not any(each.values()) for each in await marks(call, "port"))
        assert CONTRADICTED_HEADING not in await call.read("memory://context")
        work.scan()
        for told in await marks(call, "port"):
            assert told[port] == [other]
            assert told.get(other, [port]) == [port]
            assert told.get(quiet, []) == []
        read = json.loads(await call.read(f"memory://{port}"))["memory"]
        assert read["contradicted_by"] == [other]
        context = await call.read("memory://context")
        listed = context.split(CONTRADICTED_HEADING)[1]
        assert f"(id: {port}, contradicted by {other})" in listed
        assert quiet not in listed
        assert (
            f"{port}, contradicted by {other})"
            in (await session_start(call)).split(wording.PROJECT_HEADING)[1]
        )
        (pair,) = work.pairs()
        work.settle(pair.id, "both-true")
        assert all(not any(each.values()) for each in await marks(call, "port"))


async def test_a_hidden_side_leaves_no_mark(work: Workspace) -> None:
    port = add(work, "The staging port is 8080.", key="port", owner="bob")
    other = add(work, "The staging port is 9090.", key="other", owner="bob", scope="private")
    work.scan()
    async with served(work, "bob") as call:
        assert all(told[port] == [other] for told in await marks(call, "port"))
    async with served(work, "ada") as call:
        assert all(told == {port: []} for told in await marks(call, "port"))
        everything = await call.read("memory://context") + await call.read(f"memory://{port}")
        assert other not in everything + await session_start(call)
        assert "9090" not in everything
