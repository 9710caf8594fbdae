"""list, show, journal and stores: what they print, with and without --json (S-31, S-82)."""

from __future__ import annotations

import re
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memtui.memory.memory import STATUSES
from memtui.memory.wording import LINEAGE
from memtui.workspace.workspace import Workspace
from tests.cli.conftest import insert_memories
from tests.support.command_line import CLAUDE, FOUNDER, MCP, Cli

# Every key of SPEC section 3.
KEYS = set(
    "uid store ref owner scope session_id kind category key subject title content value note snoozed_until "
    "tags importance confidence status pinned pinned_by pinned_why tier heat times_used times_confirmed "
    "promotion_count source_type source_ref source_excerpt company_id event_time valid_from valid_to "
    "expires_at created_at updated_at last_used_at last_confirmed_at superseded_by steps preconditions "
    "postconditions key_facts tone token_count extra".split()
)
TIMES = {name for name in KEYS if name.endswith("_at") or name.startswith("valid_")} | {
    "event_time",
    "snoozed_until",
}


def is_utc(text: str) -> bool:
    return text.endswith("Z") and datetime.fromisoformat(text).tzinfo == UTC


def test_list_json_has_all_keys_of_every_memory(cli: Cli) -> None:
    memories = cli.json("list")
    assert {store["name"] for store in cli.json("stores")} == {"native", FOUNDER, CLAUDE, MCP}
    assert {memory["store"] for memory in memories} == {"native", FOUNDER, CLAUDE, MCP}
    for memory in memories:
        assert set(memory) == KEYS
        assert memory["status"] in STATUSES
        assert memory["confidence"] is None or 0 <= memory["confidence"] <= 1
        assert all(memory[name] is None or is_utc(memory[name]) for name in TIMES)
        assert isinstance(memory["tags"], list)
        assert isinstance(memory["pinned"], bool)


def test_list_has_every_status_and_no_limit(cli: Cli, demo_database: Path) -> None:
    insert_memories(demo_database, [f"number {number}" for number in range(600)])
    memories = cli.json("list")
    assert len(memories) == 600 + 38
    assert "dismissed" in {memory["status"] for memory in memories}


def test_list_with_words_has_no_limit_either(
    cli: Cli, opened: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memtui.workspace.search import lexical

    monkeypatch.setattr(lexical, "MAX_RANKED", 5)
    for number in range(12):
        opened.add({"content": f"walnut {number}", "tags": ("old",) if number < 3 else ()})
    assert len(cli.json("list", "walnut")) == 12
    assert len(cli.json("list", "walnut", "tag:old")) == 3
    assert cli.json("list", "walnut", "--sort", "oldest")[0]["content"] == "walnut 0"


def test_removed_memories_are_listed_on_request(cli: Cli, demo_database: Path) -> None:
    file = demo_database.parents[1] / "assistant" / "memory.jsonl"
    uid = cli.uid("nuts")
    file.write_text(file.read_text("utf-8").replace('"Is allergic to nuts",', ""), "utf-8")
    assert cli.json("list", "nuts") == []
    (removed,) = cli.json("list", "is:removed")
    assert removed["uid"] == uid
    assert cli.memory(uid)["removed_at"] is not None


def test_list_prints_a_line_for_each_memory(cli: Cli) -> None:
    result = cli("list", "tagline")
    assert result.code == 0
    uid, store, category, status, label = result.out.rstrip("\n").split("\t")
    assert (store, category, status, label) == (
        FOUNDER,
        "fact",
        "dismissed",
        "The tagline is “Birds of a feather”.",
    )
    assert cli.memory(uid)["content"] == label


def test_a_pinned_memory_is_marked(cli: Cli) -> None:
    assert cli("list", "is:pinned").out.split("\t")[-1].startswith("* ")
    for command in ("list", "search"):
        assert "* before a label means pinned" in " ".join(cli(command, "--help").out.split())


def test_every_sort_order_lists_the_same_memories(cli: Cli) -> None:
    everything = {memory["uid"] for memory in cli.json("list")}
    for sort in ("relevance", "newest", "oldest", "confidence", "used", "title", "store"):
        assert {memory["uid"] for memory in cli.json("list", "--sort", sort)} == everything, sort


def test_sort_orders(cli: Cli) -> None:
    confidences = [m["confidence"] for m in cli.json("list", f"store:{FOUNDER}", "--sort", "confidence")]
    assert confidences == sorted(confidences, reverse=True)
    used = [m["times_used"] for m in cli.json("list", "--sort=used")]
    assert used == sorted(used, reverse=True)
    newest = [m["uid"] for m in cli.json("list", f"store:{FOUNDER}", "--sort", "newest")]
    assert newest == [m["uid"] for m in cli.json("list", f"store:{FOUNDER}", "--sort", "oldest")][::-1]


def test_limit(cli: Cli) -> None:
    everything = cli.json("list")
    assert cli.json("list", "--limit", "3") == everything[:3]
    assert cli.json("list", "--limit=3") == everything[:3]
    assert len(cli("list", "--limit", "3").out.splitlines()) == 3


@pytest.mark.parametrize(
    ("query", "contents"),
    [
        (["larkin", "-tea"], {"Lives in Utrecht", "Speaks Dutch, English and some Frisian"}),
        (["-tea", "larkin"], {"Lives in Utrecht", "Speaks Dutch, English and some Frisian"}),
        (['larkin -"Dutch, English"', "-tea"], {"Lives in Utrecht"}),
        (['"net 30"'], {"Brightwater pays invoices net 30; reminders go to Ines in accounts."}),
        (
            ["category:contact", "-signal"],
            {"Tomas leads hiring; he wants two references before a second interview."},
        ),
        (["status:dismissed"], {"The tagline is “Birds of a feather”."}),
        (["tag:staging"], {"The staging host is db-2; db-1 was switched off."}),
        (["key:old-*"], {"Parcels are picked up at the Dock Street warehouse."}),
        (["store:mcp*", "-category:person", "shelves"], {"Bo decides on the shelves"}),
        (["--", "larkin", "-tea", "-dutch"], {"Lives in Utrecht"}),
        (["10:30"], set()),
        (["nothing-has-this-word"], set()),
    ],
)
def test_queries(cli: Cli, query: list[str], contents: set[str]) -> None:
    assert {memory["content"] for memory in cli.json("list", *query)} == contents


def test_options_can_stand_between_words(cli: Cli) -> None:
    expected = cli.json("list", "larkin", "-tea", "--limit", "1")
    assert len(expected) == 1
    assert cli.json("list", "--limit", "1", "larkin", "-tea") == expected
    assert cli.json("list", "larkin", "--limit", "1", "-tea", "--sort", "relevance") == expected
    assert cli.json("list", "larkin", "-tea", "--limit=1") == expected


def test_an_empty_result_is_noted_on_stderr(cli: Cli) -> None:
    result = cli("list", "no-such-word")
    assert (result.code, result.out) == (0, "")
    assert result.err == "No memories match “no-such-word”.\n"
    assert cli("list", "no-such-word", "--json").out == "[]\n"


def test_an_empty_workspace_says_so(cli: Cli, tmp_path: Path) -> None:
    cli("stores", "--workspace", str(tmp_path / "new.db"))
    result = cli("list", "--workspace", str(tmp_path / "new.db"))
    assert (result.code, result.out, result.err) == (0, "", "No memories yet.\n")
    result = cli("journal", "--workspace", str(tmp_path / "new.db"))
    assert (result.code, result.out, result.err) == (0, "", "No changes yet.\n")


def test_show(cli: Cli) -> None:
    uid = cli.uid("net 30")
    result = cli("show", uid)
    assert result.code == 0
    lines = result.out.splitlines()
    assert lines[0] == "Brightwater pays invoices net 30; reminders go to Ines in accounts."
    assert f"uid\t{uid}" in lines
    assert "confidence\t0.86" in lines
    assert "tags\tinvoices, brightwater" in lines
    assert "Effect of each change" in lines
    assert any(line.startswith("  dismiss\t") for line in lines)
    assert result.out.count("Brightwater pays invoices net 30") == 1


def test_show_json(cli: Cli) -> None:
    memory = cli.memory(cli.uid("shelves is:live store:mcp*"))
    detail_keys = {
        "place",
        "path",
        "removed_at",
        "consequences",
        "blocked",
        "relations",
        "lineage",
        "wrong",
        "history",
        "beside",
        "decay",
    }
    assert set(memory) == KEYS | detail_keys
    assert set(memory["consequences"]) >= {"pin", "unpin", "confirm", "edit", "dismiss", "restore"}
    assert set(memory["blocked"]) == {"unpin", "restore"}
    assert [(r["source"], r["kind"], r["target"]) for r in memory["relations"]] == [
        ("Bo Janssen", "leads", "Warehouse move")
    ]
    assert memory["path"].endswith("memory.jsonl")


def test_show_prints_relations_and_history(cli: Cli) -> None:
    uid = cli.uid("shelves is:live store:mcp*")
    cli("pin", uid)
    out = cli("show", uid).out
    assert "Relations\n  ← leads Bo Janssen\n" in out
    assert "Pinned 1 memory, kept in memtui\tdone" in out


def test_show_prints_relations_and_provenance(cli: Cli) -> None:
    loser, winner = cli.uid("net 30"), cli.uid("staging host")
    cli("relate", winner, "supersedes", loser)
    lines = cli("show", loser).out.splitlines()
    start = lines.index("Provenance")
    assert "  confirmed\t4 times" in lines[start:]
    assert lines[lines.index("Relations") + 1].startswith("  » replaced by The staging host is db-2")
    memory = cli.memory(loser)
    assert [(each["kind"], each["uid"]) for each in memory["lineage"]] == [("superseded-by", winner)]
    assert memory["superseded_by"] == winner


def test_show_json_has_both_ends_and_the_origin_of_a_relation(cli: Cli) -> None:
    bo, host = cli.uid("nuts"), cli.uid("staging host")
    cli("relate", host, "supports", bo)
    found = {relation["kind"]: relation for relation in cli.memory(bo)["relations"]}
    assert (found["leads"]["source_uid"], found["leads"]["origin"]) == (bo, "store")
    assert found["leads"]["target_uid"] in {each["uid"] for each in cli.json("list", "warehouse")}
    kept = found["supports"]
    assert (kept["source_uid"], kept["target_uid"], kept["origin"]) == (host, bo, "memtui")


def test_show_json_of_a_dangling_relation(cli: Cli, demo_database: Path) -> None:
    file = demo_database.parents[1] / "assistant" / "memory.jsonl"
    line = '\n{"type":"relation","from":"Bo Janssen","to":"Nobody","relationType":"knows"}'
    file.write_text(file.read_text("utf-8") + line, "utf-8")
    memory = cli.memory(cli.uid("nuts"))
    assert [each["target_uid"] for each in memory["relations"] if each["kind"] == "knows"] == [None]
    assert [(each["code"], each["other_uid"]) for each in memory["wrong"]] == [("dangling", None)]
    assert "Nobody" in memory["wrong"][0]["words"]


def test_show_prints_problems_but_no_secret(cli: Cli) -> None:
    secret = "ghp_" + "abcdefghij0123456789abcdefghij012345"
    uid = cli.json("add", f"The token is {secret}.")["uids"][0]
    lines = cli("show", uid).out.splitlines()
    assert lines[lines.index("Findings") + 1] == "  Possible secret: GitHub token."
    assert secret not in str(cli.memory(uid)["wrong"])


def test_show_prints_the_changed_words(cli: Cli) -> None:
    uid = cli.uid("net 30")
    old = cli.memory(uid)["content"]
    cli("edit", uid, "--content", old.replace("net 30", "net 60"))
    lines = cli("show", uid).out.splitlines()
    history = lines[lines.index("History") :]
    assert "[30]; reminders go to" in history[2]
    assert "[60]; reminders go to" in history[3]
    edited = cli.memory(uid)["history"][0]
    assert (edited["before"]["content"], edited["after"]["content"]) == (old, old.replace("30", "60"))
    cli("confirm", uid)
    assert is_utc(cli.memory(uid)["history"][0]["after"]["last_confirmed_at"])


def test_a_uid_can_be_abbreviated(cli: Cli) -> None:
    uid = cli.uid("net 30")
    assert cli.memory(uid[:6])["uid"] == uid


def test_an_ambiguous_uid_is_refused(cli: Cli, opened: Workspace) -> None:
    for number in range(40):
        opened.add({"content": f"number {number}"})
    uids = [memory["uid"] for memory in cli.json("list")]
    prefix = next(uid[0] for uid in uids if sum(other[0] == uid[0] for other in uids) > 1)
    result = cli("show", prefix, "--json")
    assert (result.code, result.error["code"]) == (1, "ambiguous")


@pytest.mark.parametrize("uid", ["zzzzzzzzzzzz", "", "ü", "..", "a b", "%", "\udcff"])
def test_an_unknown_uid_is_refused(cli: Cli, uid: str) -> None:
    for command in ("show", "pin", "edit"):
        result = cli(command, *(["--title", "x"] if command == "edit" else []), "--json", "--", uid)
        assert (result.code, result.error["code"]) == (1, "no-memory")


def test_journal(cli: Cli) -> None:
    uid = cli.uid("net 30")
    cli("pin", uid, "--why", "it pays")
    cli("confirm", uid)
    newest, older, *_ = cli.json("journal")
    assert newest["kind"] == "confirmed"
    assert set(newest) == set(
        "id at actor tool session kind summary state why undoes count store undoable items".split()
    )
    assert is_utc(newest["at"])
    (item,) = older["items"]
    assert set(item) == {"uid", "store", "state", "why", "before", "after"}
    assert (item["uid"], item["after"]["pinned"], item["after"]["pinned_why"]) == (uid, True, "it pays")
    first = cli("journal", "--limit", "1").out
    id, when, actor, about, summary = first.rstrip("\n").split("\t")
    assert (int(id), actor, about) == (newest["id"], "you", uid)
    assert summary.startswith(f"{newest['summary']}: ")
    assert summary.startswith(f"Confirmed 1 memory in {FOUNDER}")
    assert datetime.fromisoformat(when)
    assert len(cli.json("journal", "--limit", "2")) == 2


def test_stores(cli: Cli, demo_database: Path) -> None:
    stores = cli.json("stores", "list")
    now = {"pulled_at": ""}  # both pull first
    assert [each | now for each in stores] == [each | now for each in cli.json("stores")]
    assert [store["name"] for store in stores] == ["native", FOUNDER, CLAUDE, MCP]
    assert [store["count"] for store in stores] == [5, 11, 8, 14]
    for store in stores:
        keys = {"name", "format", "path", "count", "read_only", "pulled_at", "error", "findings"}
        assert set(store) == keys | {"locked", "changed_at", "attached_at"}
        assert is_utc(store["pulled_at"])
    name, kind, count, path = cli("stores").out.splitlines()[1].split("\t")
    assert (name, kind, count) == (FOUNDER, "founder-os", "11")
    assert path == str(demo_database.parents[1] / "larkfield" / ".memory" / "memory.db")


def test_stores_prints_findings(cli: Cli, demo_database: Path) -> None:
    file = demo_database.parents[1] / "assistant" / "memory.jsonl"
    file.write_text(file.read_text("utf-8") + "\n{torn", "utf-8")
    cli("list")
    (mcp,) = [store for store in cli.json("stores") if store["name"] == MCP]
    assert mcp["findings"]
    assert {key for each in mcp["findings"] for key in each} == {"code", "place", "words", "about"}
    assert f"{MCP}: " in cli("stores").out


def test_a_missing_store_is_reported_and_shown_as_last_read(cli: Cli, demo_database: Path) -> None:
    (demo_database.parents[1] / "assistant" / "memory.jsonl").unlink()
    result = cli("list", "nuts")
    assert result.code == 0
    assert "Is allergic to nuts" in result.out
    assert result.err.startswith(
        f"Could not load changes from {MCP}; showing what was last read: The store {MCP} is no longer at "
    )
    result = cli("pin", "-", stdin=result.out.encode())
    assert result.code in (0, 1)
    assert result.err == "" if result.code == 0 else "no longer at" in result.err


def test_list_includes_what_agents_have_written_since(cli: Cli, demo_database: Path) -> None:
    index = demo_database.parents[1] / "order-service" / "memory" / "MEMORY.md"
    index.write_text(index.read_text("utf-8") + "- The freezer hums in B flat.\n", "utf-8")
    (found,) = cli.json("list", "freezer hums")
    assert found["store"] == CLAUDE


def test_a_store_that_another_memtui_is_changing_is_shown_as_last_read(
    cli: Cli, opened: Workspace, demo_database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memtui.workspace.sync.pull.RETRY_SECONDS", 0.001)
    reached, resume = threading.Event(), threading.Event()

    def wait_inside_write(name: str) -> None:
        if name == "after the foreign write":
            reached.set()
            resume.wait(20)

    id = opened.search("allergic").ids[0]
    opened._ctx.on_step = wait_inside_write
    writer = threading.Thread(target=lambda: opened.edit([id], {"content": "Is allergic to zebras"}))
    writer.start()
    try:
        assert reached.wait(20)
        result = cli("list", "allergic")
    finally:
        resume.set()
        writer.join()
    assert result.code == 0
    assert "Is allergic to nuts" in result.out
    assert result.err == (
        f"Could not load changes from {MCP}; showing what was last read: "
        "another memtui process is writing to it.\n"
    )
    assert "zebras" in cli("list", "allergic").out


def test_help_names_every_kind_of_lineage(cli: Cli) -> None:
    out = cli("show", "--help").out
    assert all(f'"{kind}"' in out for kind in LINEAGE)


def test_the_journal_says_you_and_names_the_memory(cli: Cli) -> None:
    added = cli.json("add", "Zebras are striped.")
    entry = cli("journal", "--limit", "1").out.rstrip("\n").split("\t")
    assert entry[2:] == ["you", added["uids"][0], "Added 1 memory in native: Zebras are striped."]
    assert cli.json("journal", "--limit", "1")[0]["actor"] == "person"
    cli("stores", "read-only", FOUNDER)
    entry = cli("journal", "--limit", "1").out.rstrip("\n").split("\t")
    assert entry[2:] == ["you", "", f"Made {FOUNDER} read-only"]


def test_an_attached_store_is_said_to_be_attached(cli: Cli) -> None:
    path = next(each["path"] for each in cli.json("stores", "list") if each["name"] == FOUNDER)
    result = cli("stores", "attach", path)
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(f"{FOUNDER} is already attached: ")


def test_a_read_only_store_names_the_command_that_allows_changes(cli: Cli) -> None:
    cli("stores", "read-only", FOUNDER)
    result = cli("add", "x", "--store", FOUNDER)
    assert result.code == 1
    assert f"memtui stores read-only {FOUNDER} --off" in result.err


def test_sizes_have_the_same_units_everywhere(cli: Cli) -> None:
    cli("add", "x", "--store", FOUNDER)
    units = r"\t(?:\d\.\d|\d{2,3}) [kM]?B\n"
    assert re.search(units, cli("stats").out)
    assert re.search(units, cli("backup", "list").out)
