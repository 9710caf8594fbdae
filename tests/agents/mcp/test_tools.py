"""Every tool, resource and prompt of the server, as a client of the SDK sees it (S-80, S-100)."""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path

import pytest
from mcp.shared.exceptions import MCPError
from mcp_types import TextContent

from memtui.agents.mcp import wording
from memtui.agents.mcp.desk import Desk
from memtui.agents.mcp.server import MemoryServer
from memtui.agents.wording import DATA
from memtui.errors import Refused
from memtui.workspace.workspace import Workspace
from tests.agents.mcp.calling import served
from tests.support.stores import base_coat, founder_os

TOOLS = {
    *("memory_store", "memory_recall", "memory_forget", "memory_update", "memory_list", "memory_query"),
    *("memory_get", "memory_by_company", "memory_by_plugin", "memory_delete", "memory_contradictions"),
    *("memory_summarize_session", "memory_reinforce"),
}
READING = TOOLS - {
    *("memory_store", "memory_forget", "memory_update", "memory_delete"),
    *("memory_summarize_session", "memory_reinforce"),
}


async def test_tools_say_what_they_take_give_and_do(work: Workspace) -> None:
    async with served(work, "scout") as call:
        tools = {each.name: each for each in (await call.client.list_tools()).tools}
        assert tools.keys() == TOOLS == wording.TITLES.keys()
        for name, tool in tools.items():
            assert tool.input_schema["additionalProperties"] is False
            assert all("description" in each for each in tool.input_schema["properties"].values()), name
            assert tool.output_schema is not None
            assert tool.annotations is not None
            assert tool.annotations.read_only_hint is (name in READING)
            assert tool.title == wording.TITLES[name]
            assert tool.description
        assert {n for n, t in tools.items() if t.annotations and t.annotations.destructive_hint} == {
            *("memory_forget", "memory_update", "memory_delete"),
        }
        assert tools["memory_store"].input_schema["required"] == ["content", "category"]
        assert "scout" in (call.client.instructions or "")
        unknown = await call.refused("memory_store", content="Tea.", category="fact", owner="bob")
        assert "no argument “owner”" in unknown
        assert "company_id" in unknown
        assert await call.refused("memory_get") == (
            "Wrong arguments: key: Field required. Correct them and call again."
        )
        assert "memory_recall" in await call.refused("memory_drop")
        for prompt, arguments in (("begin", {}), ("session_start", {"owner": "bob"})):
            with pytest.raises(MCPError, match="session_start"):
                await call.client.get_prompt(prompt, arguments)
        assert "key and subject" in await call.refused("memory_store", content="Tea.", category="fact")
    nowhere = Desk(nullcontext(work), "scout", "nowhere")
    with pytest.raises(Refused, match="attached"):
        await MemoryServer(nowhere).begin()
    assert nowhere.close()


async def test_what_is_stored_is_recalled_edited_confirmed_and_forgotten(work: Workspace) -> None:
    async with served(work, "scout") as call:
        fact = {"content": "The port is 8080.", "category": "fact", "key": "port"}
        more = {"company_id": "acme", "source_plugin": "P11", "tags": ["net"], "confidence": 80}
        first = await call("memory_store", **fact, **more)
        assert (first["outcome"], first["kept_in_memtui"]) == ("added", [])
        assert (await call("memory_store", **fact))["outcome"] == "known"
        second = await call("memory_store", **(fact | {"content": "The port is 9090.", "subject": "port"}))
        assert second["other"]["id"] == first["id"]
        assert [each.family for each in work.pairs()] == ["contradiction"], "it waits in Review at once"
        for tool, arguments in {
            "memory_recall": {"query": "which port", "category": "fact"},
            "memory_list": {"category": "fact"},
            "memory_query": {"text": "port"},
        }.items():
            answer = await call(tool, **arguments)
            assert {each["id"] for each in answer["memories"]} == {first["id"], second["id"]}, tool
            assert answer["notice"] == DATA
        assert (await call("memory_recall", subject="port"))["memories"][0]["id"] == second["id"]
        for tool, arguments in {
            "memory_by_company": {"company_id": "acme"},
            "memory_by_plugin": {"plugin": "P11"},
        }.items():
            (found,) = (await call(tool, **arguments))["memories"]
            assert (found["id"], found["confidence"], found["company_id"]) == (first["id"], 95, "acme")
        assert "2 memories have this key" in await call.refused("memory_delete", key="port")
        pairs = await call("memory_contradictions")
        assert {side["id"] for pair in pairs["pairs"] for side in (pair["a"], pair["b"])} == {
            *(first["id"], second["id"]),
        }
        assert (pairs["total"], pairs["compared"]) == (1, True)

        edited = await call("memory_update", id=second["id"], content="The host is blue.")
        await call("memory_reinforce", id=second["id"])
        forgotten = await call("memory_forget", id=first["id"])
        assert (await call("memory_get", key="port"))["memory"]["content"] == "The host is blue."
        deleted = await call("memory_delete", key="port")
        assert (await call("memory_get", key="port"))["memory"] is None
        assert (await call("memory_list"))["memories"] == []

        kinds = {each.id: (each.actor, each.kind) for each in work.journal()}
        assert kinds[edited["journal"]] == ("agent:scout", "edited")
        assert kinds[forgotten["journal"]] == kinds[deleted["journal"]] == ("agent:scout", "forgotten")
        for entry in (deleted["journal"], forgotten["journal"], edited["journal"]):  # by a person
            work.undo(entry)
        told = await call("memory_list")
        assert {each["content"] for each in told["memories"]} == {fact["content"], "The port is 9090."}


async def test_a_session_ends_with_a_summary_and_begins_with_what_is_known(work: Workspace) -> None:
    async with served(work, "scout") as call:
        done = await call(
            "memory_summarize_session", narrative="We moved the port.", key_facts=["The port is 7070."],
            tone="calm", token_count=900, session_id="s1", subject="deploy",
        )  # fmt: skip
        (memory,) = work.memories([work.find(done["id"])])
        assert (memory.kind, memory.key_facts, memory.tone) == ("summary", ("The port is 7070.",), "calm")
        assert (memory.token_count, memory.session_id, memory.owner) == (900, "s1", "scout")
        long = work.add({"subject": "log", "content": "All of it. " * 9_000})
        context = await call.read("memory://context")
        assert context.startswith(DATA)
        assert ("The port is 7070." in context, "All of it." in context) == (True, False)
        work.dismiss(long.ids)
        assert work.overtaken("scout") == [], "what did not fit was not given"
        (message,) = (await call.client.get_prompt("session_start", {"project": "deploy"})).messages
        assert isinstance(message.content, TextContent)
        assert done["id"] in message.content.text
        read = json.loads(await call.read(f"memory://{done['id']}"))
        assert (read["notice"], read["memory"]["content"]) == (DATA, memory.content)
        about = {"subject": "deploy", "owner": "bob"}
        work.add({**about, "content": "The port is 8080.", "scope": "fleet"})
        work.add({**about, "content": "The port is 9090.", "scope": "private"})
        work.scan()
        items = json.loads(await call.read("memory://inbox"))["items"]
        assert [each["kind"] for each in items] == ["contradiction"]
        assert "9090" not in str(items)


async def test_stores_keep_their_own_ways(work: Workspace, tmp_path: Path) -> None:
    work.attach(founder_os.make(tmp_path / ".memory" / "memory.db"), "founder")
    work.attach(base_coat.make(tmp_path / "base.db"), "coat")
    fact = {"content": "Larks sing at dawn.", "category": "fact", "key": "larks"}
    async with served(work, "P11", "founder") as call:
        bad = await call.refused("memory_store", **(fact | {"key": "Two Larks"}))
        assert "at most 60 characters. Nothing was changed." in bad
        work.lock_store("founder", True)
        bad = await call.refused("memory_store", **fact)
        assert ("Tell the user" in bad, "--off" in bad) == (True, False), (
            "an agent is not told how to lift it"
        )
        work.lock_store("founder", False)
        bad = await call.refused("memory_store", **(fact | {"category": "song"}))
        assert "preference, pattern, fact, contact, workflow" in bad
        done = await call("memory_store", **fact, subject="birds")
        assert done["kept_in_memtui"] == ["owner", "subject"]
        assert (await call("memory_get", key="larks"))["memory"]["status"] == "candidate"
        assert (await call("memory_query", text="larks"))["memories"] == []
        again = await call("memory_store", **(fact | {"content": "Larks sing at noon."}), subject="fowl")
        assert (again["outcome"], again["id"], again["kept_in_memtui"]) == ("replaced", done["id"], [])
        await call("memory_reinforce", id=done["id"])
        told = (await call("memory_get", key="larks"))["memory"]
        assert (told["content"], told["confidence"]) == ("Larks sing at noon.", 80)
        assert (told["status"], told["times_confirmed"]) == ("confirmed", 2)
        for given, kept in ((150, 100), (-3, 0)):
            owl = fact | {"key": f"owl{kept}", "content": f"Owl {kept} hoots.", "confidence": given}
            await call("memory_store", **owl)
            assert (await call("memory_get", key=owl["key"]))["memory"]["confidence"] == kept
    async with served(work, "coder", "coat") as call:
        done = await call("memory_store", **fact, subject="birds", confidence=0.5)
        await call("memory_update", id=done["id"], content="Larks sing at noon.")
        (told,) = (await call("memory_recall", subject="birds", query="larks"))["memories"]
        assert (told["content"], told["confidence"]) == ("Larks sing at noon.", 0.6)
        summary = await call("memory_summarize_session", narrative="Larks.")
        assert work.memories([work.find(summary["id"])])[0].store == "native"
