"""Cognitive Memory trees: how they read, and what each action makes of their files."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from memtui.errors import Conflict, Refused
from memtui.formats.cognitive import Cognitive
from memtui.formats.contract.adapter import How, Link, Planned, Reading, Standing, Write
from tests.support.sizes import share, turn
from tests.support.stores.cognitive import (
    DAY_AT,
    DAY_FILE,
    DEPLOY,
    DROPS,
    DROPS_AT,
    DROPS_FILE,
    EDGE_AT,
    FILES,
    INDEX,
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
from tests.support.stores.files import NOW, do, the, tree, undo, write


@pytest.fixture
def store(tmp_path: Path) -> Cognitive:
    return make(tmp_path / "memory")


def changed(store: Cognitive, before: Mapping[str, str | bytes] = FILES) -> dict[str, str]:
    """The files that are no longer as they were; "" for one that is gone."""
    now = {name: data.decode() for name, data in tree(store.root).items()}
    names = now.keys() | before.keys()
    return {name: now.get(name, "") for name in names if now.get(name) != before.get(name)}


def reading(tmp_path: Path, files: Mapping[str, str | bytes]) -> Reading:
    return make(tmp_path / "odd", files).read()


def codes(found: Reading) -> set[tuple[str, str]]:
    return {(finding.code, finding.place) for finding in found.findings}


def by(store: Cognitive, ref: str, action: str, **fields: object) -> Write:
    """A change to the memory of an id."""
    record = next(each for each in store.read().records if each.ref == ref)
    return write(action, record, **fields)


def related(source: str, kind: str, target: str, action: str = "relate", body: str = "") -> Write:
    return Write(action, source, {}, {}, NOW, Link(source, kind, target, 0.6, "so", body))


def entries(store: Cognitive) -> dict[str, dict[str, object]]:
    said: dict[str, dict[str, object]] = json.loads((store.root / "_index.json").read_text())["entries"]
    return said


# -- recognise


def test_a_tree_is_recognised_by_a_memory_in_a_types_folder(tmp_path: Path) -> None:
    root = make(tmp_path / "m", {REDIS_AT: REDIS_FILE}).root
    assert Cognitive.recognise(root) == root
    assert Cognitive.recognise(root / REDIS_AT) is None


@pytest.mark.parametrize(
    "files",
    [
        {"graph/notes/a.md": REDIS_FILE},
        {"graph/fixes/a.md": "# A note\n"},
        {"graph/fixes/a.md": "---\ntitle: a\ntype: note\npermalink: a\n---\n\ntext\n"},
        {"MEMORY.md": "- [a](a.md) — b\n", "a.md": REDIS_FILE},
        {},
    ],
)
def test_other_folders_are_none(tmp_path: Path, files: dict[str, str]) -> None:
    assert Cognitive.recognise(make(tmp_path / "m", files).root) is None


NEW_INDEX = {"version": 2, "updated": "", "count": 0, "edges": {}, "entries": {}}


@pytest.mark.parametrize(
    ("folder", "index", "is_one"),
    [
        ("graph/solutions", NEW_INDEX, True),
        ("graph/code-patterns", {**NEW_INDEX, "entries": 0, "edges": 0}, True),
        ("graph/solutions", {**NEW_INDEX, "version": 1}, False),
        ("graph/solutions", {"version": 2, "entries": []}, False),
        ("graph/solutions", [2], False),
        ("graph/nodes", NEW_INDEX, False),
        ("solutions", NEW_INDEX, False),
    ],
)
def test_an_empty_tree_of_its_own_client_is_known_by_its_index(
    tmp_path: Path, folder: str, index: object, is_one: bool
) -> None:
    root = make(tmp_path / "m", {"_index.json": json.dumps(index)}).root
    (root / folder).mkdir(parents=True)
    assert Cognitive.recognise(root) == (root if is_one else None)
    (root / "graph/solutions").mkdir(exist_ok=True)
    (root / "graph/solutions/a.md").write_text("# A note\n")
    assert Cognitive.recognise(root) is None


def test_an_empty_tree_is_made_for_its_owner_alone_and_known_again(tmp_path: Path) -> None:
    root = Cognitive.create(tmp_path / "deep" / "m")
    assert Cognitive.recognise(root) == root
    assert (root / "graph/code-patterns").stat().st_mode & 0o777 == 0o700
    store = Cognitive(root)
    (plan,) = do(store, write("add", content="The first memory of all."))
    assert [record.ref for record in store.read().records] == [plan.ref_after]
    undo(store, [plan])
    assert tree(root) == {}
    assert Cognitive.recognise(root) == root


# -- read


def test_a_file_is_a_memory(store: Cognitive) -> None:
    record = the(store, "socket_keepalive")
    told = dict(record.fields)
    assert (record.ref, record.anchor, record.place) == (REDIS, REDIS, REDIS_AT)
    assert told["title"] == "Fixed Redis connection timeouts"
    assert (told["kind"], told["category"], told["pinned"]) == ("item", "solution", False)
    assert told["tags"] == ("redis", "timeout", "production", "homelab")
    assert (told["importance"], told["confidence"]) == (0.8, 0.9)
    assert told["created_at"] == 1765038358.0
    assert (told["times_used"], told["last_used_at"]) == (5, 1765620900.0)
    assert told["extra"] == {"x_source": "session 12"}


def test_what_the_head_leaves_out_is_as_the_format_says(store: Cognitive) -> None:
    assert the(store, "Idle sockets").fields["confidence"] == 0.8


def test_a_procedure_has_steps_and_the_vault_is_pinned(store: Cognitive) -> None:
    deploy = the(store, "deploy workflow").fields
    assert (deploy["kind"], deploy["steps"]) == ("procedure", ("Run tests", "Build: docker image"))
    assert (deploy["preconditions"], deploy["postconditions"]) == (("All tests pass",), ("Service healthy",))
    assert the(store, "Lower latency; see").fields["pinned"]


def test_a_relation_that_both_ends_tell_is_one_with_its_description(store: Cognitive) -> None:
    (link,) = [link for link in store.read().links if link.kind == "SOLVES"]
    assert (link.source, link.target, link.strength) == (REDIS, DROPS, 0.8)
    assert link.context == "Keepalive prevents idle disconnections"
    assert link.body.startswith("The keepalive fix")


def test_an_incoming_relation_alone_is_told_too(tmp_path: Path) -> None:
    found = reading(tmp_path, {**FILES, REDIS_AT: REDIS_FILE.split("relations:")[0] + "---\n\nText.\n"})
    (link,) = [link for link in found.links if link.kind == "SOLVES"]
    assert (link.source, link.target) == (REDIS, DROPS)
    assert ("one-sided", DROPS_AT) in codes(found)


def test_an_edge_file_alone_is_a_relation(tmp_path: Path) -> None:
    files = {EDGE_AT: FILES[EDGE_AT], INSIGHT_AT: FILES[INSIGHT_AT]}
    found = reading(tmp_path, files)
    assert [(link.source, link.kind, link.target) for link in found.links] == [(REDIS, "SOLVES", DROPS)]
    assert ("dangling-edge", EDGE_AT) in codes(found)


def test_episodes_are_memories_of_their_own_and_stand_beside_others(store: Cognitive) -> None:
    found = store.read()
    first, second = (record for record in found.records if record.fields["kind"] == "episode")
    assert first.ref == f"{DAY_AT}#10:30 Fixed Redis"
    assert (first.fields["title"], first.fields["category"]) == ("Fixed Redis", "solution")
    assert first.fields["tags"] == ("major-domo", "redis")
    assert first.fields["event_time"] == 1765621800.0
    assert "Keepalive is on" in str(first.fields["content"])
    assert [(a.kind, a.about, a.words) for a in found.asides] == [
        ("episode", REDIS, "2025-12-13 10:30 Fixed Redis"),
        ("episode", SOCKETS, "2025-12-13 11:15 Chose websocket over polling"),  # it was moved since
    ]
    assert Link(second.ref, "episode_of", SOCKETS) in found.links


def test_equal_episodes_stay_two(tmp_path: Path) -> None:
    found = reading(tmp_path, {**FILES, DAY_AT: DAY_FILE + "\n## 10:30 - Fixed Redis\n- **Type:** fix\n"})
    refs = [record.ref for record in found.records if record.fields["kind"] == "episode"]
    assert refs[2] == f"{DAY_AT}#10:30 Fixed Redis (2)"


def test_the_settings_with_their_key_are_never_opened(
    store: Cognitive, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = store.root / "_config.json"
    secret.chmod(0)
    loaded, _ = store.load()
    assert not {"_config.json", "_embeddings.json"} & loaded.keys()
    assert not any("sk-" in data.decode() for data in loaded.values())


def test_a_look_leaves_every_byte(store: Cognitive) -> None:
    before = tree(store.root)
    store.read()
    with store.look() as look:
        list(look.read(look.marks.keys()))
    assert tree(store.root) == before


# -- oddities


ODD: dict[str, tuple[str | bytes, str]] = {
    "graph/fixes/no-head-aaaaaa.md": ("# Just text\n", "no-head"),
    "graph/fixes/no-id-bbbbbb.md": ("---\ntype: fix\ntitle: t\n---\n\nx\n", "no-id"),
    "graph/fixes/no-type-aa0001.md": ("---\nid: aa0001-1\ntitle: t\n---\n\nx\n", "no-type"),
    "graph/fixes/no-title-aa0002.md": ("---\nid: aa0002-1\ntype: fix\n---\n\nx\n", "no-title"),
    "graph/fixes/odd-type-aa0003.md": (memory("aa0003-1", "t", type="dream"), "odd-type"),
    "graph/fixes/odd-folder-aa0004.md": (memory("aa0004-1", "t", type="error"), "odd-folder"),
    "graph/fixes/odd-name.md": (memory("aa0005-1", "t"), "odd-name"),
    "graph/fixes/cut-aa0006.md": ("---\nid: aa0006-1\ntype: fix\ntitle: t\ntags: [a", "unclosed-head"),
    "graph/fixes/tabs-aa0007.md": (memory("aa0007-1", "t", head="x:\n\ty: 1"), "tabs"),
    "graph/fixes/twice-aa0008.md": (memory("aa0008-1", "t", head="type: fix"), "double-key"),
    "graph/fixes/list-aa0009.md": ("---\n- id: aa0009-1\n---\n\nx\n", "list-head"),
    "graph/fixes/alias-aa000a.md": (memory("aa000a-1", "t", head="x: *all"), "alias"),
    "graph/fixes/sure-aa000b.md": (memory("aa000b-1", "t", head="confidence: 1.3"), "odd-number"),
    "graph/fixes/word-aa000c.md": (memory("aa000c-1", "t", head="confidence: high"), "odd-number"),
    "graph/fixes/when-aa000d.md": (memory("aa000d-1", "t", head="updated: yesterday"), "odd-time"),
    "graph/fixes/lost-aa000e.md": (
        memory(
            "aa000e-1", "t", head="relations:\n  - target: gone\n    type: SOLVES\n    direction: outgoing"
        ),
        "dangling",
    ),
    "graph/fixes/kind-aa000f.md": (
        memory(
            "aa000f-1", "t", head="relations:\n  - target: aa000b-1\n    type: LOVES\n    direction: outgoing"
        ),
        "odd-relation",
    ),
    "graph/fixes/nul-aa0012.md": (memory("aa0012-1", "t", "a\0b"), "nul"),
    "graph/fixes/plain-aa0013.md": (
        memory("aa0013-1", "t").replace('title: "t"', "title: Fix: redis # timeouts"),
        "unquoted",
    ),
    "graph/fixes/link-aa0010.md": (memory("aa0010-1", "t", "[x](../errors/none-000000.md)"), "dangling-link"),
    "graph/fixes/bytes-aa0011.md": (memory("aa0011-1", "t").encode() + b"\xff\xfe", "read-only"),
    "episodes/2025-01-01.md": (DAY_FILE.replace("a1b2c3.md", "999999.md"), "dangling-link"),
    "_index.json": ('{"version": 2', "broken-index"),
    "_state.json": ("[]", "broken-state"),
}


@pytest.mark.parametrize("name", ODD)
def test_what_is_odd_is_read_noted_and_left(tmp_path: Path, name: str) -> None:
    files: dict[str, str | bytes] = {name: ODD[name][0], INSIGHT_AT: FILES[INSIGHT_AT]}
    store = make(tmp_path / "m", files)
    before = tree(store.root)
    found = store.read()
    assert (ODD[name][1], name) in {(code, place.partition(",")[0]) for code, place in codes(found)}
    assert tree(store.root) == before
    assert {finding.code for finding in found.findings} - {"read-only"} <= set(Cognitive.meanings)


def test_a_confidence_beyond_one_counts_as_one(tmp_path: Path) -> None:
    store = make(tmp_path / "m", {"graph/fixes/t-aa000b.md": ODD["graph/fixes/sure-aa000b.md"][0]})
    assert store.read().records[0].fields["confidence"] == 1.0


def test_an_episode_is_of_no_other_memory_that_ends_in_the_same_digits(tmp_path: Path) -> None:
    other = {"graph/fixes/something-else-a1b2c3.md": memory(REDIS, "Something else")}
    found = reading(tmp_path, {DAY_AT: DAY_FILE, **other})
    assert found.asides == []
    assert not any("now" in finding.text for finding in found.findings)
    titled = {"graph/fixes/something-else-a1b2c3.md": memory(REDIS, "Redis")}  # as the link says
    assert [aside.about for aside in make(tmp_path / "odd", titled).read().asides] == [REDIS]


def test_a_file_says_the_same_while_those_that_it_names_do(store: Cognitive) -> None:
    def links(kind: str) -> list[Link]:
        return [link for link in store.parse(store.load()[0]).links if link.kind == kind]

    (before,) = links("SOLVES")
    (store.root / EDGE_AT).unlink()
    assert (before.body != "", [link.body for link in links("SOLVES")]) == (True, [""])
    (store.root / REDIS_AT).unlink()  # the other end tells it now
    assert [link.unit for link in links("SOLVES")] == [DROPS_AT]
    assert {link.target for link in links("episode_of")} == {REDIS_AT, SOCKETS}


def test_an_unchanged_tree_is_not_read_again(store: Cognitive, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    part = Cognitive.part

    def counting(self: Cognitive, name: str, data: bytes, files: Mapping[str, bytes]) -> Reading:
        asked.append(name)
        return part(self, name, data, files)

    monkeypatch.setattr(Cognitive, "part", counting)
    store.read()
    assert sorted(asked) == sorted(name for name in FILES if name.endswith(".md"))
    asked.clear()
    state = json.loads(str(FILES["_state.json"]))
    state["entries"][REDIS]["access_count"] = 9
    (store.root / "_state.json").write_text(json.dumps(state))
    assert store.read_refs([REDIS])[REDIS].fields["times_used"] == 9
    assert asked == [REDIS_AT]


def test_two_files_of_one_id_are_two_memories(tmp_path: Path) -> None:
    found = reading(tmp_path, {REDIS_AT: REDIS_FILE, "vault/again-a1b2c3.md": REDIS_FILE})
    assert [record.ref for record in found.records] == [REDIS, f"{REDIS}\x1f2"]
    assert ("doubled", "vault/again-a1b2c3.md") in codes(found)


def test_the_sample_is_sound(store: Cognitive) -> None:
    assert {code for code, _ in codes(store.read())} <= {"dangling-link", "stale-core"}


def test_an_index_that_says_otherwise_is_stale(tmp_path: Path) -> None:
    said = json.loads(str(FILES["_index.json"]))
    said["entries"][REDIS]["title"] = "Of old"
    del said["entries"][DROPS]
    found = reading(tmp_path, {**FILES, "_index.json": json.dumps(said)})
    assert ("stale-index", "_index.json") in codes(found)


# -- what each action makes of the files


def test_an_edit_touches_its_line_and_the_time_of_change(store: Cognitive) -> None:
    do(store, by(store, DROPS, "edit", importance=0.9))
    now = changed(store)
    assert now.keys() == {DROPS_AT, "_index.json"}
    expected = DROPS_FILE.replace("importance: 0.5", "importance: 0.9")
    assert now[DROPS_AT] == expected.replace("updated: 2025-12-05T10:00:00", "updated: 2027-01-15T08:00:00")
    assert entries(store)[DROPS]["importance"] == 0.9


def test_tags_keep_their_manner(store: Cognitive) -> None:
    do(store, by(store, REDIS, "edit", tags=("redis", "a, b", "no")))
    assert 'tags: [redis, "a, b", "no"]\n' in changed(store)[REDIS_AT]
    assert the(store, "socket_keepalive").fields["tags"] == ("redis", "a, b", "no")


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_line_ends_and_a_bom_stay(tmp_path: Path, newline: str, bom: str) -> None:
    said = (bom + REDIS_FILE.replace("\n", newline)).encode()
    store = make(tmp_path / "m", {REDIS_AT: said, DROPS_AT: DROPS_FILE})
    plans = do(store, by(store, REDIS, "edit", content="One\n\ntwo", tags=("x",), confidence=0.1))
    plans += do(store, related(REDIS, "FOLLOWS", DROPS))
    data = (store.root / REDIS_AT).read_bytes()
    assert data.count(b"\n") == data.count(newline.encode())
    assert data.startswith(bom.encode() + b"---")
    assert the(store, "One").fields["content"] == "One\n\ntwo"
    undo(store, plans)
    assert (store.root / REDIS_AT).read_bytes() == said


@pytest.mark.parametrize("title", ['Say "hello" 🚀', "a: b # c", "日本語", "It's [fine](x.md)", "x" * 300])
def test_a_title_may_say_anything(store: Cognitive, title: str) -> None:
    (plan,) = do(store, by(store, REDIS, "edit", title=title))
    record = the(store, "socket_keepalive")
    assert record.fields["title"] == title
    assert record.place.endswith("-a1b2c3.md")
    assert entries(store)[REDIS]["path"] == record.place
    assert not (store.root / REDIS_AT).exists()
    undo(store, [plan])
    assert changed(store) == {}


def test_a_new_title_renames_the_file_and_mends_what_leads_to_it(store: Cognitive) -> None:
    do(store, by(store, REDIS, "edit", title="Redis keepalive: on"))
    now = changed(store)
    assert "](../solutions/redis-keepalive-on-a1b2c3.md#fix)" in now[DROPS_AT]
    assert "](../graph/solutions/redis-keepalive-on-a1b2c3.md)" in now[SOCKETS_AT]
    assert "[Redis keepalive: on](graph/solutions/redis-keepalive-on-a1b2c3.md)" in now["CORE.md"]
    edge = "graph/edges/redis-keepalive-on--SOLVES--redis-connection-drops-77aa88.md"
    assert 'from_title: "Redis keepalive: on"' in now[edge]
    assert now[EDGE_AT] == ""
    assert DAY_AT not in now  # append-only
    found = store.read()
    assert ("dangling-link", f"{DAY_AT}, line 6") in codes(found)
    assert "stale-index" not in {code for code, _ in codes(found)}


def test_a_pin_moves_to_the_vault_and_back(store: Cognitive) -> None:
    do(store, by(store, REDIS, "pin", pinned=True))
    record = the(store, "socket_keepalive")
    assert (record.fields["pinned"], record.place) == (
        True,
        "vault/fixed-redis-connection-timeouts-a1b2c3.md",
    )
    assert "](../graph/problems/redis-connection" in str(record.fields["content"])  # its own link leads on
    assert "`[code](../problems/" in str(record.fields["content"])
    assert "](../../vault/fixed-redis" in changed(store)[DROPS_AT]
    do(store, by(store, REDIS, "unpin", pinned=False))
    assert changed(store) == {}


def test_a_pin_from_the_vault_goes_to_its_types_folder(store: Cognitive) -> None:
    do(store, by(store, SOCKETS, "unpin", pinned=False))
    assert the(store, "Lower latency; see").place == "graph/decisions/chose-websocket-over-polling-d4e5f6.md"


def test_another_type_is_another_folder(store: Cognitive) -> None:
    do(store, by(store, REDIS, "edit", category="code_pattern"))
    assert the(store, "socket_keepalive").place.startswith("graph/code-patterns/")
    (refused,) = store.plan([by(store, REDIS, "edit", category="dream")])
    assert isinstance(refused, Refused)
    assert refused.message.startswith("Invalid category: must be one of solution, fix")


@pytest.mark.parametrize("action", ["dismiss", "delete"])
def test_what_is_dismissed_leaves_with_the_relations_to_it(store: Cognitive, action: str) -> None:
    (plan,) = do(store, by(store, REDIS, action))
    now = changed(store)
    assert now[REDIS_AT] == now[EDGE_AT] == ""
    assert "relations" not in now[DROPS_AT]
    said = json.loads(now["_index.json"])
    assert (said["count"], REDIS in said["entries"], said["edges"]) == (4, False, {})
    assert said["entries"][DROPS]["relations"] == []
    undo(store, [plan])
    assert changed(store) == {}


def test_a_relation_is_told_by_both_ends_and_described(store: Cognitive) -> None:
    (plan,) = do(store, related(DEPLOY, "follows", INSIGHT, body="Because.\n\nReally."))
    link = next(link for link in store.read().links if link.kind == "FOLLOWS")
    assert (link.source, link.target, link.strength, link.context) == (DEPLOY, INSIGHT, 0.6, "so")
    assert link.body == "Because.\n\nReally."
    told = changed(store)[INSIGHT_AT]
    assert (
        f"relations:\n  - target: {DEPLOY}\n    type: FOLLOWS\n    direction: incoming\n    strength: 0.6\n"
        in told
    )
    assert "stale-index" not in {code for code, _ in codes(store.read())}
    do(store, related(DEPLOY, "FOLLOWS", INSIGHT, "unrelate"))
    assert changed(store) == {}
    assert isinstance(plan, Planned)


def test_a_relation_of_another_kind_is_memtuis_own(store: Cognitive) -> None:
    assert store.supports("relate", "loves").how is How.WORKSPACE
    assert store.supports("relate", "builds on").how is How.NATIVE
    assert store.supports("supersede").how is How.WORKSPACE
    (refused,) = store.plan([related(DEPLOY, "LOVES", INSIGHT)])
    assert isinstance(refused, Refused)


@pytest.mark.parametrize(
    "head",
    ["relations: []", "relations:", "relations:\n- target: zz\n  type: CAUSES\n  direction: outgoing"],
)
def test_a_list_of_relations_grows_as_it_is_written(tmp_path: Path, head: str) -> None:
    files = {
        "graph/fixes/one-aa0001.md": memory("aa0001-1", "One", head=head),
        "graph/fixes/two-aa0002.md": memory("aa0002-1", "Two"),
    }
    store = make(tmp_path / "m", files)
    (plan,) = do(store, related("aa0001-1", "SOLVES", "aa0002-1"))
    assert Link("aa0001-1", "SOLVES", "aa0002-1", 0.6, "so") in store.read().links
    assert {code for code, _ in codes(store.read())} <= {"dangling"}
    undo(store, [plan])
    assert changed(store, files) == {}


def test_episodes_are_append_only(store: Cognitive) -> None:
    ref = f"{DAY_AT}#10:30 Fixed Redis"
    for each in (by(store, ref, "edit", title="x"), by(store, ref, "dismiss"), related(ref, "SOLVES", REDIS)):
        (refused,) = store.plan([each])
        assert isinstance(refused, Refused)
        assert "append-only" in refused.message


def test_what_an_episode_cannot_is_said_before(store: Cognitive) -> None:
    said = Cognitive.refuses("edit", "episode")
    assert said == "Not saved: episodes are append-only. Copy the episode, and change the copy."
    assert not Cognitive.refuses("pin", "episode")
    assert not Cognitive.refuses("edit", "item")


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
    do(store, added)
    record = the(store, "Do it so.")
    assert (record.ref, record.place) == (id, "vault/how-to-do-it-123456.md")
    assert (record.fields["kind"], record.fields["steps"]) == ("procedure", ("one: x",))
    assert (record.fields["importance"], record.fields["confidence"]) == (0.7, 0.8)
    assert entries(store)[id]["path"] == record.place


def test_a_ref_that_is_free_is_honoured(store: Cognitive) -> None:
    do(store, write("add", content="Back again.", ref="abcdef12-0000-4000-8000-00000000000a"))
    assert the(store, "Back again.").ref == "abcdef12-0000-4000-8000-00000000000a"
    do(store, write("add", content="Another.", ref=REDIS))
    assert the(store, "Another.").ref != REDIS


@pytest.mark.parametrize("told_by", ["the other end", "the edge file"])
def test_a_memory_that_an_agent_took_out_comes_back_with_its_relations(tmp_path: Path, told_by: str) -> None:
    files = dict(FILES)
    if told_by == "the edge file":
        files[DROPS_AT] = DROPS_FILE.replace(DROPS_FILE[DROPS_FILE.index("relations:") :], "---\n\nText.\n")
    store = make(tmp_path / "m", files)
    (store.root / REDIS_AT).unlink()
    before = tree(store.root)
    (plan,) = do(store, write("add", content="Back.", title="Fixed Redis connection timeouts", ref=REDIS))
    (link,) = [link for link in store.read().links if link.kind == "SOLVES"]
    assert (link.source, link.target, link.strength, link.unit) == (REDIS, DROPS, 0.8, plan.edits[0].name)
    assert link.body.startswith("The keepalive fix")
    assert f"target: {DROPS}\n" in (store.root / plan.edits[0].name).read_text()
    assert "updated: 2027-01-15" in (store.root / plan.edits[0].name).read_text()
    undo(store, [plan])
    assert tree(store.root) == before


def test_a_memory_of_another_store_is_made_to_fit(store: Cognitive) -> None:
    fitted = store.fit({"content": "First words. More.", "category": "preference", "key": "", "owner": "x"})
    assert fitted.fields == {
        "content": "First words. More.",
        "category": "general",
        "title": "First words. More.",
    }
    assert set(fitted.changed) == {"category", "title"}


def test_an_agents_change_of_the_same_field_is_a_conflict(store: Cognitive) -> None:
    asked = by(store, REDIS, "edit", title="Mine")
    path = store.root / REDIS_AT
    path.write_text(path.read_text().replace("Fixed Redis connection timeouts", "Theirs"))
    (refused,) = store.plan([asked])
    assert isinstance(refused, Conflict)
    assert refused.theirs == {"title": "Theirs"}


@pytest.mark.parametrize("harm", ["head", "bytes", "link"])
def test_a_file_that_cannot_be_written_safely_stays(tmp_path: Path, harm: str) -> None:
    name = "graph/fixes/one-aa0001.md"
    said = memory("aa0001-1", "One", head="x: *all" if harm == "head" else "").encode()
    store = make(tmp_path / "m", {name: said + b"\xff" * (harm == "bytes"), INSIGHT_AT: FILES[INSIGHT_AT]})
    if harm == "link":
        (store.root / "graph/errors").mkdir()
        (store.root / name).rename(store.root / "graph/errors/one-aa0001.md")
        os.symlink("../errors/one-aa0001.md", store.root / name)
    before = tree(store.root)
    record = next(each for each in store.read().records if each.place == name)
    (refused,) = store.plan([write("edit", record, tags=("x",))])
    assert isinstance(refused, Refused)
    assert tree(store.root) == before


# -- taking back in any order

ACTIONS = {
    "pin": lambda store: by(store, REDIS, "pin", pinned=True),
    "rename": lambda store: by(store, REDIS, "edit", title="Redis keepalive: on"),
    "edit": lambda store: by(store, REDIS, "edit", content="Another text.", tags=("x",)),
    "type": lambda store: by(store, REDIS, "edit", category="fix"),
    "relate": lambda store: related(REDIS, "FOLLOWS", INSIGHT, body="A description."),
    "relate back": lambda store: related(DEPLOY, "CAUSES", INSIGHT),
    "relate more": lambda store: related(INSIGHT, "CAUSES", DROPS),
    "rename the other": lambda store: by(store, DROPS, "edit", title="Drops"),
    "pin the other": lambda store: by(store, DROPS, "pin", pinned=True),
    "rename the insight": lambda store: by(store, INSIGHT, "edit", title="Look at defaults"),
    "pin the insight": lambda store: by(store, INSIGHT, "pin", pinned=True),
    "dismiss another": lambda store: by(store, SOCKETS, "dismiss"),
    "add": lambda store: write("add", content="New."),
}


# A pin and another type change the folder both: always among those that are tried.
PAIRS = [
    *(("type", "pin"), ("pin", "type")),
    *share([pair for pair in itertools.permutations(ACTIONS, 2) if {*pair} != {"pin", "type"}], 22),
]


@pytest.mark.parametrize(
    ("number", "first", "second"), [(number, *pair) for number, pair in enumerate(PAIRS)]
)
def test_two_changes_are_taken_back_in_either_order(
    tmp_path: Path, number: int, first: str, second: str
) -> None:
    for order in turn((1, -1), number, 2) if number > 1 else (1, -1):
        store = make(tmp_path / f"m{order}")
        plans = [do(store, ACTIONS[each](store)) for each in (first, second)]
        for each in plans[::order]:
            undo(store, each)
        assert changed(store) == {}, order


@pytest.mark.parametrize("first", [REDIS, DROPS])
def test_both_ends_of_a_relation_come_back_in_either_order(store: Cognitive, first: str) -> None:
    plans = [do(store, by(store, each, "dismiss")) for each in (REDIS, DROPS)]
    for each in plans if first == REDIS else reversed(plans):
        undo(store, each)
    assert {name: text for name, text in changed(store).items() if name != "_index.json"} == {}
    (link,) = [link for link in store.read().links if link.kind == "SOLVES"]
    assert link.body


def test_an_index_that_was_rebuilt_meanwhile_stands_in_no_way(store: Cognitive) -> None:
    (plan,) = do(store, by(store, REDIS, "edit", title="Redis keepalive: on"))
    index = store.root / "_index.json"
    index.write_text(json.dumps(json.loads(index.read_text()), sort_keys=True))
    (store.root / "CORE.md").write_text("# Memory Core (auto-generated)\n")
    undo(store, [plan])
    now = changed(store)
    assert now.keys() == {"_index.json", "CORE.md"}
    assert json.loads(now["_index.json"]) == INDEX


def test_a_stale_entry_and_a_missing_index_are_left(tmp_path: Path) -> None:
    said = json.loads(str(FILES["_index.json"]))
    said["entries"][REDIS]["tags"] = ["of old"]
    stale = json.dumps(said, indent=2)
    store = make(tmp_path / "m", {**FILES, "_index.json": stale})
    do(store, by(store, REDIS, "pin", pinned=True))
    assert (store.root / "_index.json").read_text() == stale
    (store.root / "_index.json").unlink()
    do(store, by(store, REDIS, "unpin", pinned=False))
    assert not (store.root / "_index.json").exists()


def test_a_batch_is_worked_out_one_on_top_of_the_other(store: Cognitive) -> None:
    writes = [by(store, each, "pin", pinned=True) for each in (REDIS, DROPS, INSIGHT)]
    plans = do(store, *writes)
    assert sum(bool(record.fields.get("pinned")) for record in store.read().records) == 4
    assert "stale-index" not in {code for code, _ in codes(store.read())}
    undo(store, plans)
    assert changed(store) == {}


def test_uses_are_counted_where_the_format_counts_them(store: Cognitive) -> None:
    store.count_uses([REDIS, DEPLOY, f"{DAY_AT}#10:30 Fixed Redis", "gone"], NOW)
    now = changed(store)
    assert now.keys() == {"_state.json"}
    said = json.loads(now["_state.json"])["entries"]
    assert said[REDIS] == {
        "access_count": 6,
        "last_accessed": "2027-01-15T08:00:00+00:00",
        "decay_score": 0.75,
    }
    assert said[DEPLOY] == {"access_count": 1, "last_accessed": "2027-01-15T08:00:00+00:00"}
    assert now["_state.json"].count("\n") == str(FILES["_state.json"]).count("\n") + 4
    (store.root / "_state.json").unlink()
    store.count_uses([REDIS], NOW)
    assert the(store, "socket_keepalive").fields["times_used"] == 1


@pytest.mark.parametrize(
    "said", ['{"entries":{}}', '{"entries": {"a": {"x": 1}}}', '{"entries":\n{"a": {}}\n}']
)
def test_uses_are_counted_in_any_spelling(tmp_path: Path, said: str) -> None:
    store = make(tmp_path / "m", {REDIS_AT: REDIS_FILE, "_state.json": said})
    for count in (1, 2):
        store.count_uses([REDIS], NOW)
        assert the(store, "socket_keepalive").fields["times_used"] == count
    kept_so = json.loads((store.root / "_state.json").read_text())["entries"]
    assert kept_so.get("a") == json.loads(said)["entries"].get("a")


@pytest.mark.parametrize("action", ["rename", "pin", "type", "relate", "add"])
def test_a_write_that_was_cut_off_is_completed(tmp_path: Path, action: str) -> None:
    store = make(tmp_path / "whole")
    (plan,) = do(store, ACTIONS[action](store))
    after = tree(store.root)
    names = list(dict.fromkeys(edit.name for edit in plan.edits))
    for count in range(len(names) + 1):
        cut = make(tmp_path / f"cut-{count}")
        for name in names[:count]:
            (cut.root / name).parent.mkdir(parents=True, exist_ok=True)
            if name in after:
                (cut.root / name).write_bytes(after[name])
            else:
                (cut.root / name).unlink()
        stands = {0: Standing.BEFORE, len(names): Standing.AFTER}.get(count, Standing.PARTLY)
        assert cut.standing([plan], "token") is stands
        cut.finish([plan], "token")
        assert changed(cut) == changed(store), count
        undo(cut, [plan])
        assert changed(cut) == {}
