"""list, show, journal and stores: what they print, with and without --json (S-31, S-82)."""

from __future__ import annotations

import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memtui.memory.memory import STATUSES
from memtui.workspace.workspace import Workspace
from tests.cli.conftest import fill
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
    fill(demo_database, [f"number {number}" for number in range(600)])
    memories = cli.json("list")
    assert len(memories) == 600 + 38
    assert "dismissed" in {memory["status"] for memory in memories}


def test_list_of_words_has_no_limit_either(
    cli: Cli, opened: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memtui.workspace.search import lexical

    monkeypatch.setattr(lexical, "CAP", 5)
    for number in range(12):
        opened.add({"content": f"walnut {number}", "tags": ("old",) if number < 3 else ()})
    assert len(cli.json("list", "walnut")) == 12
    assert len(cli.json("list", "walnut", "tag:old")) == 3
    assert cli.json("list", "walnut", "--sort", "oldest")[0]["content"] == "walnut 0"


def test_a_removed_memory_is_listed_only_if_asked_for(cli: Cli, demo_database: Path) -> None:
    file = demo_database.parents[1] / "assistant" / "memory.jsonl"
    uid = cli.uid("nuts")
    file.write_text(file.read_text("utf-8").replace('"Is allergic to nuts",', ""), "utf-8")
    assert cli.json("list", "nuts") == []
    (removed,) = cli.json("list", "is:removed")
    assert removed["uid"] == uid
    assert cli.memory(uid)["removed_at"] is not None


def test_list_prints_one_line_a_memory(cli: Cli) -> None:
    ran = cli("list", "tagline")
    assert ran.code == 0
    uid, store, category, status, label = ran.out.rstrip("\n").split("\t")
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
        assert "* before a label means pinned" in cli(command, "--help").out


def test_every_order_lists_the_same(cli: Cli) -> None:
    everything = {memory["uid"] for memory in cli.json("list")}
    for sort in ("relevance", "newest", "oldest", "confidence", "used", "title", "store"):
        assert {memory["uid"] for memory in cli.json("list", "--sort", sort)} == everything, sort


def test_orders_are_what_they_say(cli: Cli) -> None:
    sure = [m["confidence"] for m in cli.json("list", f"store:{FOUNDER}", "--sort", "confidence")]
    assert sure == sorted(sure, reverse=True)
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


def test_options_may_stand_among_the_words(cli: Cli) -> None:
    wanted = cli.json("list", "larkin", "-tea", "--limit", "1")
    assert len(wanted) == 1
    assert cli.json("list", "--limit", "1", "larkin", "-tea") == wanted
    assert cli.json("list", "larkin", "--limit", "1", "-tea", "--sort", "relevance") == wanted
    assert cli.json("list", "larkin", "-tea", "--limit=1") == wanted


def test_nothing_found_is_said_beside_the_result(cli: Cli) -> None:
    ran = cli("list", "no-such-word")
    assert (ran.code, ran.out) == (0, "")
    assert ran.err == "No memory matches “no-such-word”.\n"
    assert cli("list", "no-such-word", "--json").out == "[]\n"


def test_an_empty_workspace_says_so(cli: Cli, tmp_path: Path) -> None:
    cli("stores", "--workspace", str(tmp_path / "new.db"))
    ran = cli("list", "--workspace", str(tmp_path / "new.db"))
    assert (ran.code, ran.out, ran.err) == (0, "", "There are no memories yet.\n")
    ran = cli("journal", "--workspace", str(tmp_path / "new.db"))
    assert (ran.code, ran.out, ran.err) == (0, "", "Nothing was changed yet.\n")


def test_show(cli: Cli) -> None:
    uid = cli.uid("net 30")
    ran = cli("show", uid)
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[0] == "Brightwater pays invoices net 30; reminders go to Ines in accounts."
    assert f"uid\t{uid}" in lines
    assert "confidence\t0.86" in lines
    assert "tags\tinvoices, brightwater" in lines
    assert "What a change does" in lines
    assert any(line.startswith("  dismiss\t") for line in lines)
    assert ran.out.count("Brightwater pays invoices net 30") == 1


def test_show_json(cli: Cli) -> None:
    told = cli.memory(cli.uid("shelves is:live store:mcp*"))
    more = {
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
    assert set(told) == KEYS | more
    assert set(told["consequences"]) >= {"pin", "unpin", "confirm", "edit", "dismiss", "restore"}
    assert set(told["blocked"]) == {"unpin", "restore"}
    assert [(r["source"], r["kind"], r["target"]) for r in told["relations"]] == [
        ("Bo Janssen", "leads", "Warehouse move")
    ]
    assert told["path"].endswith("memory.jsonl")


def test_show_prints_relations_and_history(cli: Cli) -> None:
    uid = cli.uid("shelves is:live store:mcp*")
    cli("pin", uid)
    out = cli("show", uid).out
    assert "What it is tied to\n  ← Bo Janssen leads it\n" in out
    assert "Pinned 1 memory, kept in memtui\tdone" in out


def test_show_tells_what_a_memory_is_tied_to_and_why_it_is_believed(cli: Cli) -> None:
    loser, winner = cli.uid("net 30"), cli.uid("staging host")
    cli("relate", winner, "supersedes", loser)
    lines = cli("show", loser).out.splitlines()
    believed = lines.index("Why it is believed")
    assert "  confirmed\t4 times" in lines[believed:]
    assert lines[lines.index("What it is tied to") + 1].startswith(
        "  » superseded by The staging host is db-2"
    )
    told = cli.memory(loser)
    assert [(each["kind"], each["uid"]) for each in told["lineage"]] == [("superseded-by", winner)]
    assert told["superseded_by"] == winner


def test_show_json_names_both_ends_of_a_relation_and_who_tells_it(cli: Cli) -> None:
    bo, ours = cli.uid("nuts"), cli.uid("staging host")
    cli("relate", ours, "supports", bo)
    found = {relation["kind"]: relation for relation in cli.memory(bo)["relations"]}
    assert (found["leads"]["source_uid"], found["leads"]["origin"]) == (bo, "store")
    assert found["leads"]["target_uid"] in {each["uid"] for each in cli.json("list", "warehouse")}
    kept = found["supports"]
    assert (kept["source_uid"], kept["target_uid"], kept["origin"]) == (ours, bo, "memtui")


def test_show_json_of_a_relation_that_leads_nowhere(cli: Cli, demo_database: Path) -> None:
    file = demo_database.parents[1] / "assistant" / "memory.jsonl"
    line = '\n{"type":"relation","from":"Bo Janssen","to":"Nobody","relationType":"knows"}'
    file.write_text(file.read_text("utf-8") + line, "utf-8")
    told = cli.memory(cli.uid("nuts"))
    assert [each["target_uid"] for each in told["relations"] if each["kind"] == "knows"] == [None]
    assert [(each["code"], each["other_uid"]) for each in told["wrong"]] == [("dangling", None)]
    assert "Nobody" in told["wrong"][0]["words"]


def test_show_tells_what_is_wrong_but_no_secret(cli: Cli) -> None:
    secret = "ghp_abcdefghij0123456789abcdefghij012345"
    one = cli.json("add", f"The token is {secret}.")["uids"][0]
    lines = cli("show", one).out.splitlines()
    assert lines[lines.index("What is wrong with it") + 1] == "  It seems to hold a secret: GitHub token."
    assert secret not in str(cli.memory(one)["wrong"])


def test_show_tells_the_words_that_a_change_took_and_brought(cli: Cli) -> None:
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


def test_a_uid_may_be_cut_to_its_beginning(cli: Cli) -> None:
    uid = cli.uid("net 30")
    assert cli.memory(uid[:6])["uid"] == uid


def test_a_uid_that_fits_several_memories_is_refused(cli: Cli, opened: Workspace) -> None:
    for number in range(40):
        opened.add({"content": f"number {number}"})
    uids = [memory["uid"] for memory in cli.json("list")]
    twice = next(uid[0] for uid in uids if sum(other[0] == uid[0] for other in uids) > 1)
    ran = cli("show", twice, "--json")
    assert (ran.code, ran.error["code"]) == (1, "ambiguous")


@pytest.mark.parametrize("uid", ["zzzzzzzzzzzz", "", "ü", "..", "a b", "%", "\udcff"])
def test_a_uid_that_is_none(cli: Cli, uid: str) -> None:
    for command in ("show", "pin", "edit"):
        ran = cli(command, *(["--title", "x"] if command == "edit" else []), "--json", "--", uid)
        assert (ran.code, ran.error["code"]) == (1, "no-memory")


def test_journal(cli: Cli) -> None:
    uid = cli.uid("net 30")
    cli("pin", uid, "--why", "it pays")
    cli("confirm", uid)
    newest, older, *_ = cli.json("journal")
    assert newest["kind"] == "confirmed"
    assert set(newest) == set("id at actor kind summary state why undoes count store undoable items".split())
    assert is_utc(newest["at"])
    (item,) = older["items"]
    assert set(item) == {"uid", "store", "state", "why", "before", "after"}
    assert (item["uid"], item["after"]["pinned"], item["after"]["pinned_why"]) == (uid, True, "it pays")
    first = cli("journal", "--limit", "1").out
    id, when, actor, summary = first.rstrip("\n").split("\t")
    assert (int(id), actor, summary) == (newest["id"], "person", newest["summary"])
    assert summary.startswith(f"Confirmed 1 memory in {FOUNDER}")
    assert datetime.fromisoformat(when)
    assert len(cli.json("journal", "--limit", "2")) == 2


def test_stores(cli: Cli, demo_database: Path) -> None:
    stores = cli.json("stores", "list")
    now = {"pulled_at": ""}  # both read the stores first
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


def test_what_is_odd_in_a_store_is_told(cli: Cli, demo_database: Path) -> None:
    file = demo_database.parents[1] / "assistant" / "memory.jsonl"
    file.write_text(file.read_text("utf-8") + "\n{torn", "utf-8")
    cli("list")
    (mcp,) = [store for store in cli.json("stores") if store["name"] == MCP]
    assert mcp["findings"]
    assert f"{MCP}: " in cli("stores").out


def test_a_store_that_is_gone_is_told_and_the_rest_is_shown(cli: Cli, demo_database: Path) -> None:
    (demo_database.parents[1] / "assistant" / "memory.jsonl").unlink()
    ran = cli("list", "nuts")
    assert ran.code == 0
    assert "Is allergic to nuts" in ran.out
    assert ran.err.startswith(f"{MCP} is shown as last read: The store {MCP} is no longer at ")
    ran = cli("pin", "-", put=ran.out.encode())
    assert ran.code in (0, 1)
    assert ran.err == "" if ran.code == 0 else "no longer at" in ran.err


def test_what_an_agent_wrote_meanwhile_is_there(cli: Cli, demo_database: Path) -> None:
    note = demo_database.parents[1] / "order-service" / "memory" / "MEMORY.md"
    note.write_text(note.read_text("utf-8") + "- The freezer hums in B flat.\n", "utf-8")
    (found,) = cli.json("list", "freezer hums")
    assert found["store"] == CLAUDE


def test_a_store_that_another_memtui_is_changing_is_told(
    cli: Cli, opened: Workspace, demo_database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memtui.workspace.sync.pull.PAUSE", 0.001)
    reached, go_on = threading.Event(), threading.Event()

    def stop(name: str) -> None:
        if name == "after the foreign write":
            reached.set()
            go_on.wait(20)

    id = opened.search("allergic").ids[0]
    opened._ctx.on_step = stop
    writer = threading.Thread(target=lambda: opened.edit([id], {"content": "Is allergic to zebras"}))
    writer.start()
    try:
        assert reached.wait(20)
        ran = cli("list", "allergic")
    finally:
        go_on.set()
        writer.join()
    assert ran.code == 0
    assert "Is allergic to nuts" in ran.out
    assert ran.err == f"{MCP} is shown as last read: it is being changed by another memtui just now.\n"
    assert "zebras" in cli("list", "allergic").out
