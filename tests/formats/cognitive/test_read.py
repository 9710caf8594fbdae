"""Cognitive Memory: how trees are recognised and read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from memtui.formats.cognitive import Cognitive
from memtui.formats.contract.records import Link, Reading
from tests.formats.cognitive.support import codes
from tests.support.stores.cognitive import (
    DAY_AT,
    DAY_FILE,
    DROPS,
    DROPS_AT,
    EDGE_AT,
    FILES,
    INSIGHT_AT,
    REDIS,
    REDIS_AT,
    REDIS_FILE,
    SOCKETS,
    make,
    memory,
)
from tests.support.stores.files import apply, read_tree, record_with, undo, write


def read_files(tmp_path: Path, files: Mapping[str, str | bytes]) -> Reading:
    return make(tmp_path / "odd", files).read()


# -- recognise


def test_a_tree_is_recognised_by_a_memory_in_the_folder_of_a_type(tmp_path: Path) -> None:
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
def test_other_folders_are_not_recognised(tmp_path: Path, files: dict[str, str]) -> None:
    assert Cognitive.recognise(make(tmp_path / "m", files).root) is None


NEW_INDEX = {"version": 2, "updated": "", "count": 0, "edges": {}, "entries": {}}


@pytest.mark.parametrize(
    ("folder", "index", "recognised"),
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
def test_an_empty_tree_of_its_own_client_is_recognised_by_its_index(
    tmp_path: Path, folder: str, index: object, recognised: bool
) -> None:
    root = make(tmp_path / "m", {"_index.json": json.dumps(index)}).root
    (root / folder).mkdir(parents=True)
    assert Cognitive.recognise(root) == (root if recognised else None)
    (root / "graph/solutions").mkdir(exist_ok=True)
    (root / "graph/solutions/a.md").write_text("# A note\n")
    assert Cognitive.recognise(root) is None


def test_a_new_tree_is_private_and_recognised(tmp_path: Path) -> None:
    root = Cognitive.create(tmp_path / "deep" / "m")
    assert Cognitive.recognise(root) == root
    assert (root / "graph/code-patterns").stat().st_mode & 0o777 == 0o700
    store = Cognitive(root)
    (plan,) = apply(store, write("add", content="The first memory of all."))
    assert [record.ref for record in store.read().records] == [plan.ref_after]
    undo(store, [plan])
    assert read_tree(root) == {}
    assert Cognitive.recognise(root) == root


# -- read


def test_a_file_is_a_memory(store: Cognitive) -> None:
    record = record_with(store, "socket_keepalive")
    fields = dict(record.fields)
    assert (record.ref, record.anchor, record.place) == (REDIS, REDIS, REDIS_AT)
    assert fields["title"] == "Fixed Redis connection timeouts"
    assert (fields["kind"], fields["category"], fields["pinned"]) == ("item", "solution", False)
    assert fields["tags"] == ("redis", "timeout", "production", "homelab")
    assert (fields["importance"], fields["confidence"]) == (0.8, 0.9)
    assert fields["created_at"] == 1765038358.0
    assert (fields["times_used"], fields["last_used_at"]) == (5, 1765620900.0)
    assert fields["extra"] == {"x_source": "session 12"}


def test_missing_front_matter_keys_have_the_defaults_of_the_format(store: Cognitive) -> None:
    assert record_with(store, "Idle sockets").fields["confidence"] == 0.8


def test_a_procedure_has_steps_and_the_vault_is_pinned(store: Cognitive) -> None:
    deploy = record_with(store, "deploy workflow").fields
    assert (deploy["kind"], deploy["steps"]) == ("procedure", ("Run tests", "Build: docker image"))
    assert (deploy["preconditions"], deploy["postconditions"]) == (("All tests pass",), ("Service healthy",))
    assert record_with(store, "Lower latency; see").fields["pinned"]


def test_a_relation_listed_at_both_ends_is_one_with_its_description(store: Cognitive) -> None:
    (link,) = [link for link in store.read().links if link.kind == "SOLVES"]
    assert (link.source, link.target, link.strength) == (REDIS, DROPS, 0.8)
    assert link.context == "Keepalive prevents idle disconnections"
    assert link.body.startswith("The keepalive fix")


def test_a_relation_listed_only_at_its_target_is_read(tmp_path: Path) -> None:
    result = read_files(tmp_path, {**FILES, REDIS_AT: REDIS_FILE.split("relations:")[0] + "---\n\nText.\n"})
    (link,) = [link for link in result.links if link.kind == "SOLVES"]
    assert (link.source, link.target) == (REDIS, DROPS)
    assert ("one-sided", DROPS_AT) in codes(result)


def test_an_edge_file_alone_is_a_relation(tmp_path: Path) -> None:
    files = {EDGE_AT: FILES[EDGE_AT], INSIGHT_AT: FILES[INSIGHT_AT]}
    result = read_files(tmp_path, files)
    assert [(link.source, link.kind, link.target) for link in result.links] == [(REDIS, "SOLVES", DROPS)]
    assert ("dangling-edge", EDGE_AT) in codes(result)


def test_episodes_are_memories_and_side_records_of_others(store: Cognitive) -> None:
    reading = store.read()
    first, second = (record for record in reading.records if record.fields["kind"] == "episode")
    assert first.ref == f"{DAY_AT}#10:30 Fixed Redis"
    assert (first.fields["title"], first.fields["category"]) == ("Fixed Redis", "solution")
    assert first.fields["tags"] == ("major-domo", "redis")
    assert first.fields["event_time"] == 1765621800.0
    assert "Keepalive is on" in str(first.fields["content"])
    assert [(a.kind, a.about, a.text) for a in reading.side_records] == [
        ("episode", REDIS, "2025-12-13 10:30 Fixed Redis"),
        ("episode", SOCKETS, "2025-12-13 11:15 Chose websocket over polling"),  # moved to the vault since
    ]
    assert Link(second.ref, "episode_of", SOCKETS) in reading.links


def test_equal_episodes_stay_two_memories(tmp_path: Path) -> None:
    result = read_files(tmp_path, {**FILES, DAY_AT: DAY_FILE + "\n## 10:30 - Fixed Redis\n- **Type:** fix\n"})
    refs = [record.ref for record in result.records if record.fields["kind"] == "episode"]
    assert refs[2] == f"{DAY_AT}#10:30 Fixed Redis (2)"


def test_the_config_file_with_its_api_key_is_never_opened(
    store: Cognitive, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = store.root / "_config.json"
    secret.chmod(0)
    loaded, _ = store.load()
    assert not {"_config.json", "_embeddings.json"} & loaded.keys()
    assert not any("sk-" in data.decode() for data in loaded.values())


def test_reading_changes_no_byte(store: Cognitive) -> None:
    before = read_tree(store.root)
    store.read()
    with store.snapshot() as snapshot:
        list(snapshot.read(snapshot.fingerprints.keys()))
    assert read_tree(store.root) == before


# -- invalid data

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
def test_invalid_files_are_read_with_a_finding_and_stay_unchanged(tmp_path: Path, name: str) -> None:
    files: dict[str, str | bytes] = {name: ODD[name][0], INSIGHT_AT: FILES[INSIGHT_AT]}
    store = make(tmp_path / "m", files)
    before = read_tree(store.root)
    result = store.read()
    assert (ODD[name][1], name) in {(code, place.partition(",")[0]) for code, place in codes(result)}
    assert read_tree(store.root) == before
    assert {finding.code for finding in result.findings} - {"read-only"} <= set(Cognitive.finding_help)


def test_a_confidence_above_1_reads_as_1(tmp_path: Path) -> None:
    store = make(tmp_path / "m", {"graph/fixes/t-aa000b.md": ODD["graph/fixes/sure-aa000b.md"][0]})
    assert store.read().records[0].fields["confidence"] == 1.0


def test_an_episode_does_not_belong_to_another_memory_with_the_same_digits(tmp_path: Path) -> None:
    other = {"graph/fixes/something-else-a1b2c3.md": memory(REDIS, "Something else")}
    result = read_files(tmp_path, {DAY_AT: DAY_FILE, **other})
    assert result.side_records == []
    assert not any("now" in finding.text for finding in result.findings)
    titled = {"graph/fixes/something-else-a1b2c3.md": memory(REDIS, "Redis")}  # as the link names it
    assert [side.about for side in make(tmp_path / "odd", titled).read().side_records] == [REDIS]


def test_the_links_of_a_file_follow_changes_of_the_files_it_names(store: Cognitive) -> None:
    def links(kind: str) -> list[Link]:
        return [link for link in store.parse(store.load()[0]).links if link.kind == kind]

    (before,) = links("SOLVES")
    (store.root / EDGE_AT).unlink()
    assert (before.body != "", [link.body for link in links("SOLVES")]) == (True, [""])
    (store.root / REDIS_AT).unlink()  # the other end still lists it
    assert [link.unit for link in links("SOLVES")] == [DROPS_AT]
    assert {link.target for link in links("episode_of")} == {REDIS_AT, SOCKETS}


def test_unchanged_files_are_not_parsed_again(store: Cognitive, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []
    parse_file = Cognitive.parse_file

    def counting(self: Cognitive, name: str, data: bytes, files: Mapping[str, bytes]) -> Reading:
        parsed.append(name)
        return parse_file(self, name, data, files)

    monkeypatch.setattr(Cognitive, "parse_file", counting)
    store.read()
    assert sorted(parsed) == sorted(name for name in FILES if name.endswith(".md"))
    parsed.clear()
    state = json.loads(str(FILES["_state.json"]))
    state["entries"][REDIS]["access_count"] = 9
    (store.root / "_state.json").write_text(json.dumps(state))
    assert store.read_refs([REDIS])[REDIS].fields["times_used"] == 9
    assert parsed == [REDIS_AT]


def test_two_files_with_one_id_are_two_memories(tmp_path: Path) -> None:
    result = read_files(tmp_path, {REDIS_AT: REDIS_FILE, "vault/again-a1b2c3.md": REDIS_FILE})
    assert [record.ref for record in result.records] == [REDIS, f"{REDIS}\x1f2"]
    assert ("doubled", "vault/again-a1b2c3.md") in codes(result)


def test_the_sample_has_no_findings(store: Cognitive) -> None:
    assert {code for code, _ in codes(store.read())} <= {"dangling-link", "stale-core"}


def test_an_index_that_differs_from_the_files_is_stale(tmp_path: Path) -> None:
    index = json.loads(str(FILES["_index.json"]))
    index["entries"][REDIS]["title"] = "Of old"
    del index["entries"][DROPS]
    result = read_files(tmp_path, {**FILES, "_index.json": json.dumps(index)})
    assert ("stale-index", "_index.json") in codes(result)
