"""add, edit, confirm, pin, unpin, dismiss, restore, undo and redo (S-50, S-51, S-82)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memtui.formats.media.files.store import FileStore
from tests.support.command_line import MCP, Cli
from tests.support.sizes import shard

CHANGE = {"kind", "summary", "journal", "uids", "skipped"}


def mcp_text(demo_database: Path) -> str:
    return (demo_database.parents[1] / "assistant" / "memory.jsonl").read_text("utf-8")


def test_add(cli: Cli) -> None:
    result = cli("add", "The kettle is new.", "--category", "fact", "--tag", "kitchen", "--title=Kettle")
    assert result.code == 0
    change, named = result.out.splitlines()
    assert change.startswith("Added 1 memory in native.  To undo: memtui undo ")
    memory = cli.memory(named.removeprefix("uid "))
    names = ("content", "category", "tags", "title", "status", "confidence")
    assert {name: memory[name] for name in names} == {
        "content": "The kettle is new.",
        "category": "fact",
        "tags": ["kitchen"],
        "title": "Kettle",
        "status": "confirmed",
        "confidence": 0.5,
    }


def test_add_json(cli: Cli) -> None:
    change = cli.json("add", "--content", "The kettle is new.")
    assert set(change) == CHANGE
    assert (change["kind"], change["skipped"]) == ("added", [])
    assert cli.memory(change["uids"][0])["content"] == "The kettle is new."


def test_add_from_standard_input(cli: Cli) -> None:
    change = cli.json("add", "-", stdin="Two lines,\nünïcode ☕.\n".encode())
    assert cli.memory(change["uids"][0])["content"] == "Two lines,\nünïcode ☕."
    change = cli.json("add", "--content", "-", stdin=b"not \xff text\n")
    assert cli.memory(change["uids"][0])["content"] == "not \N{REPLACEMENT CHARACTER} text"


def test_add_to_the_store_of_an_agent(cli: Cli, demo_database: Path) -> None:
    change = cli.json("add", "Likes quiet mornings", "--store", MCP, "--subject", "Ana Larkin")
    assert "Likes quiet mornings" in mcp_text(demo_database)
    assert cli.memory(change["uids"][0])["store"] == MCP


@pytest.mark.parametrize("text", ["- a list item", "-5 degrees", "-x", "--json", "--", "-"])
def test_a_text_may_begin_with_a_dash(cli: Cli, text: str) -> None:
    if text != "-":
        assert cli.memory(cli.json("add", "--", text)["uids"][0])["content"] == text
    if text not in ("-", "--json", "--"):
        assert cli.memory(cli.json("add", "--content", text)["uids"][0])["content"] == text
    if text != "--":
        assert cli.memory(cli.json("add", "x", f"--title={text}")["uids"][0])["title"] == text


@pytest.mark.parametrize("query", shard(["nuts", "net 30", "db-2", "mocked migration"], 2, 2))
def test_edit_undo_and_redo_in_every_kind_of_store(cli: Cli, query: str) -> None:
    uid = cli.uid(query)
    before = cli.memory(uid)["content"]
    result = cli("edit", uid, "--content", "Another text.")
    assert result.code == 0
    assert result.out.startswith("Edited 1 memory in ")
    assert cli.memory(uid)["content"] == "Another text."
    assert cli("undo").out.startswith("Undone: Edited 1 memory in ")
    assert cli.memory(uid)["content"] == before
    assert cli("redo").out.startswith("Redone: Edited 1 memory in ")
    assert cli.memory(uid)["content"] == "Another text."


def test_edit_from_standard_input(cli: Cli) -> None:
    uid = cli.uid("db-2")
    assert cli("edit", uid, "--content", "-", stdin=b"From a pipe\n").code == 0
    assert cli.memory(uid)["content"] == "From a pipe"


def test_edit_of_several_fields(cli: Cli) -> None:
    uid = cli.uid("db-2")
    change = cli.json(
        "edit", uid, "--title", "Staging", "--category=place", "--key", "staging.host", "--subject", "db"
    )
    assert (change["kind"], change["uids"]) == ("edited", [uid])
    memory = cli.memory(uid)
    assert [memory[n] for n in ("title", "category", "key", "subject")] == [
        "Staging",
        "place",
        "staging.host",
        "db",
    ]
    cli.json("edit", uid, "--title", "")
    assert cli.memory(uid)["title"] is None


@pytest.mark.parametrize(
    ("options", "tags"),
    [
        (["--tag", "x"], ["x"]),
        (["--tag", "x", "--tag", "y"], ["x", "y"]),
        (["--tag", "+x"], ["staging", "x"]),
        (["--tag", "-staging"], []),
        (["--tag", "-staging", "--tag", "+x"], ["x"]),
        (["--tag=-staging"], []),
        (["--tag", "x", "--tag", "+y", "--tag", "-x"], ["y"]),
        (["--tag", ""], []),
    ],
)
def test_edit_tags(cli: Cli, options: list[str], tags: list[str]) -> None:
    uid = cli.uid("db-2")
    cli.json("edit", uid, *options)
    assert cli.memory(uid)["tags"] == tags


def test_signed_tags_change_each_memorys_own_tags(cli: Cli) -> None:
    staging, deploys = cli.uid("db-2"), cli.uid("tag:deploy")
    cli.json("edit", staging, deploys, "--tag", "+new")
    tags = cli.memory(staging)["tags"], cli.memory(deploys)["tags"]
    assert tags == (["staging", "new"], ["deploy", "new"])
    assert cli("undo").code == 0, "one undo for both"
    assert (cli.memory(staging)["tags"], cli.memory(deploys)["tags"]) == (["staging"], ["deploy"])
    cli.json("edit", staging, deploys, "--tag", "both")
    cli.json("edit", staging, deploys, "--tag", "+new")
    assert cli.memory(staging)["tags"] == cli.memory(deploys)["tags"] == ["both", "new"]


def test_confirm(cli: Cli) -> None:
    uid = cli.uid("Dock Street")
    assert cli.json("confirm", uid)["kind"] == "confirmed"
    memory = cli.memory(uid)
    assert (memory["status"], memory["confidence"], memory["times_confirmed"]) == ("confirmed", 0.6, 1)


def test_pin_and_unpin(cli: Cli) -> None:
    uid = cli.uid("Dock Street")
    cli.json("pin", uid, "--why", "Bo asked")
    memory = cli.memory(uid)
    assert (memory["pinned"], memory["pinned_by"], memory["pinned_why"]) == (True, "person", "Bo asked")
    cli.json("unpin", uid)
    memory = cli.memory(uid)
    assert (memory["pinned"], memory["pinned_by"], memory["pinned_why"]) == (False, None, None)


@pytest.mark.parametrize("query", shard(["nuts", "net 30", "db-2", "mocked migration"], 1, 2))
def test_dismiss_and_restore(cli: Cli, query: str) -> None:
    uid = cli.uid(query)
    status = cli.memory(uid)["status"]
    assert cli.json("dismiss", uid)["kind"] == "dismissed"
    assert cli.memory(uid)["status"] == "dismissed"
    assert cli.json("restore", uid)["kind"] == "restored"
    assert cli.memory(uid)["status"] == status


def test_uids_come_from_a_pipe(cli: Cli) -> None:
    uids = [memory["uid"] for memory in cli.json("list", "store:mcp*")]
    assert set(cli.json("pin", "-", stdin="\n".join(uids[:3]).encode())["uids"]) == set(uids[:3])
    assert set(cli.json("pin", "-", stdin=" ".join(uids[3:6]).encode())["uids"]) == set(uids[3:6])
    listed = cli("list", "store:mcp*", "-is:pinned").out
    assert set(cli.json("pin", "-", stdin=listed.encode())["uids"]) == set(uids[6:])


def test_a_partial_change_lists_what_was_skipped(cli: Cli) -> None:
    pinned, free = cli.uid("is:pinned"), cli.uid("db-2")
    result = cli("pin", pinned, free)
    assert result.code == 0
    assert result.out.startswith("Pinned 1 of 2 memories in native.")
    assert result.err == f"Not changed: {pinned}  Ana, founder: already pinned.\n"
    cli("unpin", free)
    change = cli.json("pin", pinned, free)
    assert change["uids"] == [free]
    assert change["skipped"] == [
        {"uid": pinned, "label": "Ana, founder", "code": "blocked", "why": "Already pinned."}
    ]


def test_a_change_of_nothing_is_refused(cli: Cli) -> None:
    result = cli("pin", cli.uid("is:pinned"))
    assert (result.code, result.out) == (1, "")
    assert result.err == "memtui: Already pinned.\nNothing was changed.\n"


def test_undo_of_an_entry_and_of_an_undo(cli: Cli) -> None:
    uid, other = cli.uid("db-2"), cli.uid("net 30")
    entry_id = cli.json("pin", uid)["journal"]
    cli.json("pin", other)
    change = cli.json("undo", str(entry_id))
    assert (change["kind"], change["uids"]) == ("undone", [uid])
    assert (cli.memory(uid)["pinned"], cli.memory(other)["pinned"]) == (False, True)
    again = cli("undo", str(entry_id), "--json")
    assert (again.code, again.error["code"]) == (1, "undone")
    cli.json("undo", str(change["journal"]))
    assert cli.memory(uid)["pinned"]


def test_nothing_to_redo(cli: Cli) -> None:
    result = cli("redo", "--json")
    assert (result.code, result.error["message"]) == (1, "Nothing to redo.")


def test_undo_of_an_unknown_entry(cli: Cli) -> None:
    result = cli("undo", "4000", "--json")
    assert (result.code, result.error["code"]) == (1, "no-line")
    (attached,) = [
        entry for entry in cli.json("journal") if entry["kind"] == "attached" and "mcp" in entry["summary"]
    ]
    result = cli("undo", str(attached["id"]), "--json")
    assert (result.code, result.error["code"]) == (1, "not-undoable")


def test_a_conflict_shows_both_texts(cli: Cli, demo_database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The agent writes after memtui has read the store and before it writes."""
    file = demo_database.parents[1] / "assistant" / "memory.jsonl"
    uid = cli.uid("nuts")
    plan = FileStore.plan

    def agent_first(self: FileStore, writes: object) -> object:
        file.write_text(
            mcp_text(demo_database).replace("Is allergic to nuts", "Is allergic to wasps"), "utf-8"
        )
        return plan(self, writes)  # type: ignore[arg-type]

    monkeypatch.setattr(FileStore, "plan", agent_first)
    result = cli("edit", uid, "--content", "Is allergic to cashews")
    assert result.code == 1
    assert "content (yours): Is allergic to cashews" in result.err
    assert "content (in the store): Is allergic to wasps" in result.err
    assert "cashews" not in mcp_text(demo_database)


def test_a_conflict_as_json(cli: Cli, demo_database: Path) -> None:
    """A text that another program has changed since it was read is not overwritten."""
    uid = cli.uid("net 30")
    other = demo_database.parents[1] / "larkfield" / ".memory" / "memory.db"
    import apsw

    connection = apsw.Connection(str(other))
    connection.execute("UPDATE memories SET content = 'Net 60.' WHERE key = 'invoice-terms-brightwater'")
    connection.close()
    result = cli("edit", uid, "--content", "Net 45.", "--json")
    assert (result.code, result.error["code"]) == (1, "conflict")
    assert result.error["yours"] == {"content": "Net 45."}
    assert result.error["theirs"] == {"content": "Net 60."}
    assert cli.memory(uid)["content"] == "Net 60."


def test_read_only_refuses_every_change(cli: Cli, demo_database: Path) -> None:
    uid, before = cli.uid("db-2"), mcp_text(demo_database)
    for words in (
        ["add", "x"],
        ["edit", uid, "--title", "x"],
        ["pin", uid],
        ["unpin", uid],
        ["confirm", uid],
        ["dismiss", uid],
        ["restore", uid],
        ["undo"],
        ["redo"],
        ["stores", "attach", str(demo_database.parents[1] / "assistant")],
        ["stores", "detach", MCP],
    ):
        for result in (cli("--read-only", *words), cli(*words, "--read-only")):
            assert (result.code, result.out) == (1, "")
            assert "--read-only" in result.err
    assert mcp_text(demo_database) == before
    assert cli("--read-only", "list", "db-2").code == 0
    assert cli("--read-only", "show", uid).code == 0
    assert cli("--read-only", "journal").code == 0
    assert cli("--read-only", "stores").code == 0


def test_a_category_that_the_format_lacks_is_refused(cli: Cli) -> None:
    result = cli("edit", cli.uid("net 30"), "--category", "gossip", "--json")
    assert (result.code, result.error["code"]) == (1, "category")
    assert result.error["message"].startswith("Invalid category “gossip”: Founder OS has only ")


def test_attach_and_detach(cli: Cli, demo_database: Path, tmp_path: Path) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    entity = {"type": "entity", "name": "Ida", "entityType": "person", "observations": ["Collects stamps"]}
    (folder / "memory.jsonl").write_text(json.dumps(entity) + "\n", "utf-8")
    result = cli("stores", "attach", str(folder / "memory.jsonl"), "--name", "stamps")
    assert result.code == 0
    assert result.out == f"Attached stamps: 1 memory in {folder / 'memory.jsonl'}\n"
    assert cli.memory(cli.uid("stamps"))["store"] == "stamps"
    assert cli("stores", "detach", "stamps").out.startswith("Detached stamps. Its files were not changed;")
    assert cli.json("list", "stamps") == []
    (again,) = cli.json("stores", "attach", str(folder))
    assert (again["name"], again["count"]) == ("stamps", 1)
    assert cli.json("stores", "detach", "stamps")["name"] == "stamps"


def test_stores_list_pulls_first(cli: Cli, tmp_path: Path) -> None:
    """The agent may have written since; a finding is counted in the singular."""
    file = tmp_path / "memory.jsonl"
    entity = {"type": "entity", "name": "Ida", "entityType": "person", "observations": ["Collects stamps"]}
    torn = '{"type": "enti'
    file.write_text(f"{json.dumps(entity)}\n{torn}", "utf-8")
    output = cli("stores", "attach", str(file), "--name", "stamps").out
    assert output.endswith("\n  1 warning. To list them: memtui stores list\n")
    entity["observations"] = ["Collects stamps", "Sings"]
    file.write_text(json.dumps(entity) + "\n", "utf-8")
    output = cli("stores", "list").out
    assert f"stamps\tmcp-memory\t2\t{file}\n" in output
    assert "incomplete" not in output
    file.unlink()
    output = cli("stores", "list").out
    assert output.count(f"is no longer at {file}") == 1


def test_attach_continues_after_a_path_without_a_store(cli: Cli, demo_database: Path, tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_text("milk")
    good = str(demo_database.parents[1] / "assistant")
    cli("stores", "detach", MCP)
    result = cli("stores", "attach", "nope", good)
    assert result.code == 1
    assert result.out.startswith(f"Attached {MCP}: 14 memories in ")
    assert result.err == f"memtui: {tmp_path / 'here' / 'nope'} does not exist.\n"
    cli("stores", "detach", MCP)
    result = cli("stores", "attach", good, str(note), "nope", "--json")
    assert (result.code, result.error["code"], result.error["hint"]) == (1, "unknown-file", "")
    assert [info["name"] for info in result.error["attached"]] == [MCP]
    assert [(each["path"], each["code"]) for each in result.error["refused"]] == [
        (str(note), "unknown-file"),
        ("nope", "missing"),
    ]
    assert MCP in {store["name"] for store in cli.json("stores")}
    assert note.read_text() == "milk"


@pytest.mark.parametrize("name", ["native", "nope", "\udcff", "%"])
def test_detach_of_an_unknown_or_the_native_store(cli: Cli, name: str) -> None:
    result = cli("stores", "detach", name, "--json")
    assert (result.code, result.error["code"]) == (1, "native" if name == "native" else "no-store")


def test_a_partial_undo_names_the_fields_it_left(cli: Cli, demo_database: Path) -> None:
    uid = cli.uid("Ana founder")
    file = demo_database.parents[1] / "order-service" / "memory" / "user_ana.md"
    text = file.read_text("utf-8")
    changed = text.replace("---\n", "---\nauthor: Bo\n", 1).replace("over a coffee", "over a tea")
    file.write_text(changed, "utf-8")
    assert cli.memory(uid)["content"].count("tea")
    result = cli("undo", str(cli.json("journal")[0]["id"]))
    assert result.code == 0
    assert file.read_text("utf-8") == changed.replace("over a tea", "over a coffee")
    assert result.err == f"Partly changed: {uid}  Ana, founder: the agent's changes to extra were kept.\n"
