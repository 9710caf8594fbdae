"""Cognitive Memory: what each action writes."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from memtui.errors import Conflict, Refused
from memtui.formats.cognitive import Cognitive
from memtui.formats.contract.adapter import SupportKind
from memtui.formats.contract.plans import Plan
from memtui.formats.contract.records import Link
from tests.formats.cognitive.support import change_of, changed_files, codes, entries, related
from tests.support.stores.cognitive import (
    DAY_AT,
    DEPLOY,
    DROPS,
    DROPS_AT,
    DROPS_FILE,
    EDGE_AT,
    FILES,
    INSIGHT,
    INSIGHT_AT,
    REDIS,
    REDIS_AT,
    REDIS_FILE,
    SOCKETS,
    SOCKETS_AT,
    make,
    memory,
)
from tests.support.stores.files import apply, read_tree, record_with, undo, write


def test_an_edit_changes_its_line_and_the_modification_time(store: Cognitive) -> None:
    apply(store, change_of(store, DROPS, "edit", importance=0.9))
    after = changed_files(store)
    assert after.keys() == {DROPS_AT, "_index.json"}
    expected = DROPS_FILE.replace("importance: 0.5", "importance: 0.9")
    assert after[DROPS_AT] == expected.replace("updated: 2025-12-05T10:00:00", "updated: 2027-01-15T08:00:00")
    assert entries(store)[DROPS]["importance"] == 0.9


def test_edited_tags_keep_their_notation(store: Cognitive) -> None:
    apply(store, change_of(store, REDIS, "edit", tags=("redis", "a, b", "no")))
    assert 'tags: [redis, "a, b", "no"]\n' in changed_files(store)[REDIS_AT]
    assert record_with(store, "socket_keepalive").fields["tags"] == ("redis", "a, b", "no")


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_an_edit_keeps_line_endings_and_bom(tmp_path: Path, newline: str, bom: str) -> None:
    data = (bom + REDIS_FILE.replace("\n", newline)).encode()
    store = make(tmp_path / "m", {REDIS_AT: data, DROPS_AT: DROPS_FILE})
    plans = apply(store, change_of(store, REDIS, "edit", content="One\n\ntwo", tags=("x",), confidence=0.1))
    plans += apply(store, related(REDIS, "FOLLOWS", DROPS))
    edited = (store.root / REDIS_AT).read_bytes()
    assert edited.count(b"\n") == edited.count(newline.encode())
    assert edited.startswith(bom.encode() + b"---")
    assert record_with(store, "One").fields["content"] == "One\n\ntwo"
    undo(store, plans)
    assert (store.root / REDIS_AT).read_bytes() == data


@pytest.mark.parametrize("title", ['Say "hello" 🚀', "a: b # c", "日本語", "It's [fine](x.md)", "x" * 300])
def test_a_title_may_be_any_text(store: Cognitive, title: str) -> None:
    (plan,) = apply(store, change_of(store, REDIS, "edit", title=title))
    record = record_with(store, "socket_keepalive")
    assert record.fields["title"] == title
    assert record.place.endswith("-a1b2c3.md")
    assert entries(store)[REDIS]["path"] == record.place
    assert not (store.root / REDIS_AT).exists()
    undo(store, [plan])
    assert changed_files(store) == {}


def test_a_new_title_renames_the_file_and_updates_links_to_it(store: Cognitive) -> None:
    apply(store, change_of(store, REDIS, "edit", title="Redis keepalive: on"))
    after = changed_files(store)
    assert "](../solutions/redis-keepalive-on-a1b2c3.md#fix)" in after[DROPS_AT]
    assert "](../graph/solutions/redis-keepalive-on-a1b2c3.md)" in after[SOCKETS_AT]
    assert "[Redis keepalive: on](graph/solutions/redis-keepalive-on-a1b2c3.md)" in after["CORE.md"]
    edge = "graph/edges/redis-keepalive-on--SOLVES--redis-connection-drops-77aa88.md"
    assert 'from_title: "Redis keepalive: on"' in after[edge]
    assert after[EDGE_AT] == ""
    assert DAY_AT not in after  # append-only
    reading = store.read()
    assert ("dangling-link", f"{DAY_AT}, line 6") in codes(reading)
    assert "stale-index" not in {code for code, _ in codes(reading)}


def test_a_new_text_links_to_a_file_that_its_batch_renames(store: Cognitive) -> None:
    text = str(record_with(store, "Idle sockets").fields["content"])
    renaming = change_of(store, REDIS, "edit", title="Redis keepalive: on")
    plans = apply(store, renaming, change_of(store, DROPS, "edit", content=text.replace("Idle", "Quiet")))
    after = changed_files(store)[DROPS_AT]
    assert "Quiet sockets die." in after
    assert "](../solutions/redis-keepalive-on-a1b2c3.md#fix)" in after
    undo(store, plans)
    assert changed_files(store) == {}


def test_a_pin_moves_to_the_vault_and_back(store: Cognitive) -> None:
    apply(store, change_of(store, REDIS, "pin", pinned=True))
    record = record_with(store, "socket_keepalive")
    assert (record.fields["pinned"], record.place) == (
        True,
        "vault/fixed-redis-connection-timeouts-a1b2c3.md",
    )
    assert "](../graph/problems/redis-connection" in str(record.fields["content"])  # its own link is adjusted
    assert "`[code](../problems/" in str(record.fields["content"])
    assert "](../../vault/fixed-redis" in changed_files(store)[DROPS_AT]
    apply(store, change_of(store, REDIS, "unpin", pinned=False))
    assert changed_files(store) == {}


def test_unpinning_moves_a_file_to_the_folder_of_its_type(store: Cognitive) -> None:
    apply(store, change_of(store, SOCKETS, "unpin", pinned=False))
    assert (
        record_with(store, "Lower latency; see").place
        == "graph/decisions/chose-websocket-over-polling-d4e5f6.md"
    )


def test_a_new_type_moves_the_file_to_its_folder(store: Cognitive) -> None:
    apply(store, change_of(store, REDIS, "edit", category="code_pattern"))
    assert record_with(store, "socket_keepalive").place.startswith("graph/code-patterns/")
    (refused,) = store.plan([change_of(store, REDIS, "edit", category="dream")])
    assert isinstance(refused, Refused)
    assert refused.message.startswith("Invalid category “dream”: Cognitive Memory has only solution, fix")


@pytest.mark.parametrize("action", ["dismiss", "delete"])
def test_dismissing_a_memory_removes_the_relations_to_it(store: Cognitive, action: str) -> None:
    (plan,) = apply(store, change_of(store, REDIS, action))
    after = changed_files(store)
    assert after[REDIS_AT] == after[EDGE_AT] == ""
    assert "relations" not in after[DROPS_AT]
    index = json.loads(after["_index.json"])
    assert (index["count"], REDIS in index["entries"], index["edges"]) == (4, False, {})
    assert index["entries"][DROPS]["relations"] == []
    undo(store, [plan])
    assert changed_files(store) == {}


def test_a_new_relation_is_written_to_both_ends_and_an_edge_file(store: Cognitive) -> None:
    (plan,) = apply(store, related(DEPLOY, "follows", INSIGHT, body="Because.\n\nReally."))
    link = next(link for link in store.read().links if link.kind == "FOLLOWS")
    assert (link.source, link.target, link.strength, link.context) == (DEPLOY, INSIGHT, 0.6, "so")
    assert link.body == "Because.\n\nReally."
    written = changed_files(store)[INSIGHT_AT]
    assert (
        f"relations:\n  - target: {DEPLOY}\n    type: FOLLOWS\n    direction: incoming\n    strength: 0.6\n"
        in written
    )
    assert "stale-index" not in {code for code, _ in codes(store.read())}
    apply(store, related(DEPLOY, "FOLLOWS", INSIGHT, "unrelate"))
    assert changed_files(store) == {}
    assert isinstance(plan, Plan)


def test_a_relation_of_an_unknown_kind_is_kept_by_memtui(store: Cognitive) -> None:
    assert store.support_for("relate", "loves").kind is SupportKind.WORKSPACE
    assert store.support_for("relate", "builds on").kind is SupportKind.NATIVE
    assert store.support_for("supersede").kind is SupportKind.WORKSPACE
    (refused,) = store.plan([related(DEPLOY, "LOVES", INSIGHT)])
    assert isinstance(refused, Refused)


@pytest.mark.parametrize(
    "head",
    ["relations: []", "relations:", "relations:\n- target: zz\n  type: CAUSES\n  direction: outgoing"],
)
def test_a_list_of_relations_grows_in_its_notation(tmp_path: Path, head: str) -> None:
    files = {
        "graph/fixes/one-aa0001.md": memory("aa0001-1", "One", head=head),
        "graph/fixes/two-aa0002.md": memory("aa0002-1", "Two"),
    }
    store = make(tmp_path / "m", files)
    (plan,) = apply(store, related("aa0001-1", "SOLVES", "aa0002-1"))
    assert Link("aa0001-1", "SOLVES", "aa0002-1", 0.6, "so") in store.read().links
    assert {code for code, _ in codes(store.read())} <= {"dangling"}
    undo(store, [plan])
    assert changed_files(store, files) == {}


def test_episodes_are_append_only(store: Cognitive) -> None:
    ref = f"{DAY_AT}#10:30 Fixed Redis"
    for change in (
        change_of(store, ref, "edit", title="x"),
        change_of(store, ref, "dismiss"),
        related(ref, "SOLVES", REDIS),
    ):
        (refusal,) = store.plan([change])
        assert isinstance(refusal, Refused)
        assert "append-only" in refusal.message


def test_the_actions_that_episodes_refuse_are_known_in_advance(store: Cognitive) -> None:
    reason = Cognitive.refusal_reason("edit", "episode")
    assert reason == "Not saved: episodes are append-only. Copy the episode and edit the copy."
    assert not Cognitive.refusal_reason("pin", "episode")
    assert not Cognitive.refusal_reason("edit", "item")


def test_an_added_memory_reads_back(store: Cognitive, monkeypatch: pytest.MonkeyPatch) -> None:
    id = "12345678-0000-4000-8000-000000000000"
    monkeypatch.setattr(Cognitive, "new_id", staticmethod(lambda: id))
    added = write(
        "add",
        content="Do it so.",
        subject="How to do it",
        category="procedure",
        steps=("one: x",),
        tags=("a",),
        importance=0.7,
        pinned=True,
    )
    apply(store, added)
    record = record_with(store, "Do it so.")
    assert (record.ref, record.place) == (id, "vault/how-to-do-it-123456.md")
    assert (record.fields["kind"], record.fields["steps"]) == ("procedure", ("one: x",))
    assert (record.fields["importance"], record.fields["confidence"]) == (0.7, 0.8)
    assert entries(store)[id]["path"] == record.place


def test_an_added_memory_keeps_a_free_ref(store: Cognitive) -> None:
    apply(store, write("add", content="Back again.", ref="abcdef12-0000-4000-8000-00000000000a"))
    assert record_with(store, "Back again.").ref == "abcdef12-0000-4000-8000-00000000000a"
    apply(store, write("add", content="Another.", ref=REDIS))
    assert record_with(store, "Another.").ref != REDIS


@pytest.mark.parametrize("source", ["the other end", "the edge file"])
def test_a_memory_deleted_by_an_agent_is_added_again_with_its_relations(tmp_path: Path, source: str) -> None:
    files = dict(FILES)
    if source == "the edge file":
        files[DROPS_AT] = DROPS_FILE.replace(DROPS_FILE[DROPS_FILE.index("relations:") :], "---\n\nText.\n")
    store = make(tmp_path / "m", files)
    (store.root / REDIS_AT).unlink()
    before = read_tree(store.root)
    (plan,) = apply(store, write("add", content="Back.", title="Fixed Redis connection timeouts", ref=REDIS))
    (link,) = [link for link in store.read().links if link.kind == "SOLVES"]
    assert (link.source, link.target, link.strength, link.unit) == (REDIS, DROPS, 0.8, plan.edits[0].name)
    assert link.body.startswith("The keepalive fix")
    assert f"target: {DROPS}\n" in (store.root / plan.edits[0].name).read_text()
    assert "updated: 2027-01-15" in (store.root / plan.edits[0].name).read_text()
    undo(store, [plan])
    assert read_tree(store.root) == before


def test_fit_adapts_a_memory_of_another_store(store: Cognitive) -> None:
    fitted = store.fit({"content": "First words. More.", "category": "preference", "key": "", "owner": "x"})
    assert fitted.fields == {
        "content": "First words. More.",
        "category": "general",
        "title": "First words. More.",
    }
    assert set(fitted.changed) == {"category", "title"}


def test_a_field_changed_by_an_agent_is_a_conflict(store: Cognitive) -> None:
    change = change_of(store, REDIS, "edit", title="Mine")
    path = store.root / REDIS_AT
    path.write_text(path.read_text().replace("Fixed Redis connection timeouts", "Theirs"))
    (conflict,) = store.plan([change])
    assert isinstance(conflict, Conflict)
    assert conflict.stored == {"title": "Theirs"}


@pytest.mark.parametrize("problem", ["head", "bytes", "link"])
def test_a_file_that_cannot_be_written_safely_stays_unchanged(tmp_path: Path, problem: str) -> None:
    name = "graph/fixes/one-aa0001.md"
    data = memory("aa0001-1", "One", head="x: *all" if problem == "head" else "").encode()
    store = make(tmp_path / "m", {name: data + b"\xff" * (problem == "bytes"), INSIGHT_AT: FILES[INSIGHT_AT]})
    if problem == "link":
        (store.root / "graph/errors").mkdir()
        (store.root / name).rename(store.root / "graph/errors/one-aa0001.md")
        os.symlink("../errors/one-aa0001.md", store.root / name)
    before = read_tree(store.root)
    record = next(found for found in store.read().records if found.place == name)
    (refused,) = store.plan([write("edit", record, tags=("x",))])
    assert isinstance(refused, Refused)
    assert read_tree(store.root) == before
