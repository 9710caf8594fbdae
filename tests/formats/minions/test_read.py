"""minions: how stores are recognised and each type is read."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.errors import Refused
from memtui.formats import registry
from memtui.formats.minions import Minions
from memtui.memory.memory import MEMORY_FIELDS
from tests.formats.minions.support import WHEN, changed_lines, codes, read_json, record_of, store_with
from tests.support.stores.files import NOW, apply, fields_by_ref, read_tree, write
from tests.support.stores.minions import (
    AT,
    DELETED,
    DETAIL,
    EMOJI,
    LESSON,
    PROPOSALS,
    SUMMARY,
    encode,
    index,
    item,
    make,
    minion,
    of_type,
    put,
    read_minion,
    relative_path,
    uid,
)

# -- recognise


def test_a_folder_of_minions_is_recognised_under_any_name(store: Minions, tmp_path: Path) -> None:
    renamed = tmp_path / "brain"
    store.root.rename(renamed)
    assert Minions.recognise(renamed) == renamed
    assert registry.find(renamed) == [(Minions, renamed)]


def test_a_store_is_found_at_its_usual_path(store: Minions, tmp_path: Path) -> None:
    assert registry.find(tmp_path) == [(Minions, store.root)]


def test_an_empty_folder_is_recognised_only_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (".minions", "brain"):
        (tmp_path / name).mkdir()
    assert Minions.recognise(tmp_path / ".minions") == tmp_path / ".minions"
    assert Minions.recognise(tmp_path / "brain") is None
    monkeypatch.setenv("MINIONS_STORE", str(tmp_path / "brain"))
    assert Minions.recognise(tmp_path / "brain") == tmp_path / "brain"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b'{"id": "x", "fields": {}}',
        b'{"id": "x", "minionTypeId": "jobs-job-signal", "fields": {}}',
        b'{"id": "x", "minionTypeId": "memory-item", "fields": []}',
        b"[" * 9000,
    ],
)
def test_other_json_in_shards_is_not_recognised(tmp_path: Path, data: bytes) -> None:
    assert Minions.recognise(store_with(tmp_path, data).root) is None


def test_json_outside_of_shards_is_not_recognised(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / f"{uid(1)}.json").write_bytes(encode(item(1, "k", "v")))
    assert Minions.recognise(tmp_path / "notes") is None
    assert Minions.recognise(tmp_path / "nothing") is None
    assert Minions.recognise(tmp_path / "notes" / f"{uid(1)}.json") is None


@pytest.mark.parametrize("name", ["new", ".minions"])
def test_a_new_store_is_an_empty_folder_that_is_recognised(tmp_path: Path, name: str) -> None:
    root = Minions.create(tmp_path / name)
    assert root.name == ".minions"
    assert root.stat().st_mode & 0o777 == 0o700
    assert Minions.recognise(root) == root
    assert read_tree(root) == {}


# -- read


def test_items_lessons_and_summaries_are_memories(store: Minions) -> None:
    by_ref = {record.ref: dict(record.fields) for record in store.read().records}
    assert by_ref.keys() == {uid(n) for n in (PROPOSALS, DETAIL, LESSON, SUMMARY, DELETED, EMOJI)}
    first = by_ref[uid(PROPOSALS)]
    assert (first["kind"], first["owner"], first["scope"], first["key"], first["tags"]) == (
        *("item", "scout", "private", "client:xyz:proposals"),
        ("client", "xyz"),
    )
    assert (first["source_type"], first["source_ref"], first["confidence"]) == ("agent-run", "run-7", 0.7)
    assert first["last_used_at"] == first["last_confirmed_at"] == first["updated_at"] == 1767323045.0
    lesson = by_ref[uid(LESSON)]
    assert (lesson["kind"], lesson["category"], lesson["times_confirmed"]) == ("lesson", "applications", 2)
    summary = by_ref[uid(SUMMARY)]
    assert (summary["kind"], summary["session_id"], summary["tone"]) == ("summary", "run-7", "relaxed")
    assert summary["key_facts"] == ("- offer is 4,000", "- due on Friday")
    assert summary["token_count"] == 412
    assert all(fields.keys() <= set(MEMORY_FIELDS) for fields in by_ref.values())


def test_a_soft_deleted_memory_reads_as_dismissed(store: Minions) -> None:
    assert {n: record_of(store, n).fields["status"] for n in (DELETED, DETAIL)} == {
        DELETED: "dismissed",
        DETAIL: "confirmed",
    }


def test_unknown_members_are_read_as_extra(store: Minions) -> None:
    extra = record_of(store, EMOJI).fields["extra"]
    assert extra == {
        "priority": "high",
        "status": "active",
        "_legacy": {"rank": 7},
        "fields": {"mood": "sunny"},
    }


def test_the_other_types_are_side_records(store: Minions) -> None:
    reading = store.read()
    texts = {(record.kind, record.about): record.text for record in reading.side_records}
    assert texts["index", uid(LESSON)] == "keywords: monday, applications"
    assert texts["reinforcement", uid(PROPOSALS)] == "0.60 → 0.70, by run-8: seen again"
    assert texts["expiry", uid(DELETED)] == "ttl-elapsed, by janitor"
    assert texts["contradiction", uid(DETAIL)] == "contradicted: short or detailed (unresolved)"
    assert texts["contradiction", uid(PROPOSALS)] == texts["contradiction", uid(DETAIL)]
    assert texts["query", uid(DETAIL)] == "searched for: how does xyz like proposals? (hybrid)"
    assert texts["policy", "scout"].startswith(
        "allowed scopes: private, fleet; at most 100 per scope; expiry: 30d"
    )
    assert [record.via for record in reading.side_records if record.kind == "policy"] == ["owner"]
    assert all(record.unit in read_tree(store.root) for record in reading.side_records)
    link = (reading.links[0].source, reading.links[0].kind, reading.links[0].target, reading.links[0].context)
    assert link == (uid(PROPOSALS), "contradicts", uid(DETAIL), "short or detailed")
    assert reading.findings == []


@pytest.mark.parametrize(
    ("resolution", "a", "b"), [("keep-a", "this", "the other"), ("keep-b", "the other", "this")]
)
def test_a_resolved_contradiction_is_history(store: Minions, resolution: str, a: str, b: str) -> None:
    (contradiction,) = of_type(store.root, "contradiction")
    contradiction["fields"]["resolution"] = resolution
    put(store.root, contradiction)
    reading = store.read()
    assert reading.links == []
    texts = {record.about: record.text for record in reading.side_records if record.kind == "contradiction"}
    assert texts[uid(PROPOSALS)] == f"contradicted: short or detailed ({a} one was kept)"
    assert texts[uid(DETAIL)] == f"contradicted: short or detailed ({b} one was kept)"


def test_soft_deleted_side_records_are_not_read(store: Minions) -> None:
    for kind in ("contradiction", "reinforcement", "index", "expiry", "query", "scope-policy"):
        for stored in of_type(store.root, kind):
            put(store.root, stored | {"deletedAt": AT})
    reading = store.read()
    assert reading.side_records == []
    assert reading.links == []


def test_types_are_recognised_by_their_slug(store: Minions) -> None:
    before = fields_by_ref(store)
    asides = store.read().side_records
    for path in sorted(store.root.rglob("*.json")):
        path.write_bytes(path.read_bytes().replace(b'"memory-memory-', b'"memory-'))
    assert fields_by_ref(store) == before
    assert store.read().side_records == asides


# -- invalid data


@pytest.mark.parametrize(
    ("make_data", "code"),
    [
        (lambda text: text[:-40], "bad-json"),
        (lambda text: b"", "bad-json"),
        (lambda text: b"[" * 50_000, "bad-json"),
        (lambda text: b"[]", "no-object"),
        (lambda text: b'{"some": "config"}', "no-minion"),
        (lambda text: text.replace(b'"fields": {', b'"fields_": {'), "no-fields"),
        (lambda text: text.replace(b"memory-memory-item", b"jobs-job-signal"), "unknown-type"),
        (lambda text: text.replace(b'"memory-memory-item"', b"[1]"), "unknown-type"),
        (lambda text: text.replace(b"0.7", b"1.3"), "odd-confidence"),
        (lambda text: text.replace(b"0.7", b'"0.7"'), "odd-confidence"),
        (lambda text: text.replace(b"0.7", b"NaN"), "odd-confidence"),
        (lambda text: text.replace(b"0.7", b"true"), "odd-confidence"),
        (lambda text: text.replace(b'"createdAt": "2026', b'"createdAt": "some day 2026', 1), "odd-time"),
        (lambda text: text.replace(b'"text"', b"[1, 2]"), "odd-text"),
        (lambda text: text.replace(b'"text"', b"null"), "odd-text"),
        (lambda text: text.replace(b'"key": "k"', b'"key": 7'), "odd-text"),
        (lambda text: text.replace(b'"title": "k"', b'"tags": [1], "title": "k"'), "odd-tags"),
        (lambda text: text.replace(b'"key": "k"', b'"key": "j", "key": "k"'), "double-key"),
        (lambda text: text.replace(uid(1).encode(), uid(2).encode()), "odd-id"),
        (lambda text: text.replace(f'"{uid(1)}"'.encode(), b"12"), "odd-id"),
        (lambda text: text.replace(b'"text"', b'"\xff\xfe"'), "read-only"),
    ],
)
def test_invalid_files_are_findings_and_stay_unchanged(
    tmp_path: Path, make_data: Callable[[bytes], bytes], code: str
) -> None:
    data = make_data(encode(item(1, "k", "text")))
    store = store_with(tmp_path, data)
    found_codes = codes(store)
    assert code in found_codes
    assert all(store.finding_help.get(found_code) or found_code == "read-only" for found_code in found_codes)
    assert (store.root / relative_path(uid(1))).read_bytes() == data


@pytest.mark.parametrize(
    ("raw", "value"),
    [("1.3", 1.0), ("-2", 0.0), ("1e999", 1.0), ('"0.4"', 0.4), ("null", None), ("{}", None), ("1", 1.0)],
)
def test_the_shown_confidence_is_clamped(tmp_path: Path, raw: str, value: float | None) -> None:
    store = store_with(tmp_path, encode(item(1, "k", "text")).replace(b"0.7", raw.encode()))
    assert record_of(store, 1).fields["confidence"] == value


@pytest.mark.parametrize(
    "raw",
    ["1767323045", "1767323045000", "1767323045.0", '"2026-01-02T03:04:05+00:00"', '"2026-01-02 03:04:05"'],
)
def test_times_are_read_and_written_in_every_form(tmp_path: Path, raw: str) -> None:
    data = encode(item(1, "k", "text")).replace(b'"expiresAt": null', f'"expiresAt": {raw}'.encode())
    store = store_with(tmp_path, data)
    assert record_of(store, 1).fields["expires_at"] == 1767323045.0
    apply(store, write("edit", record_of(store, 1), expires_at=1767323046.0))
    before = json.loads(raw)
    after = read_minion(store.root, 1)["fields"]["expiresAt"]
    assert (type(after), len(str(after))) == (type(before), len(str(before)))
    assert record_of(store, 1).fields["expires_at"] == 1767323046.0


def test_lone_surrogates_and_nul_are_replaced(tmp_path: Path) -> None:
    store = store_with(tmp_path, encode(item(1, "k", "text")).replace(b'"text"', b'"a\\ud800b\\u0000c"'))
    assert record_of(store, 1).fields["content"] == "a\ufffdb\ufffdc"
    before = read_tree(store.root)
    apply(store, write("confirm", record_of(store, 1), confidence=0.8))
    name = relative_path(uid(1))
    assert b'"a\\ud800b\\u0000c"' in read_tree(store.root)[name]
    assert changed_lines(before[name], read_tree(store.root)[name]) == [
        '"confidence": 0.8',
        f'"updatedAt": "{WHEN}"',
    ]


def test_a_misplaced_file_is_read_with_a_finding(store: Minions) -> None:
    path = store.root / relative_path(uid(PROPOSALS))
    path.rename(store.root / path.name)
    findings = store.read().findings
    assert [(f.code, f.text) for f in findings] == [
        ("odd-place", f"The file belongs at {relative_path(uid(PROPOSALS))}.")
    ]
    apply(store, write("edit", record_of(store, PROPOSALS), content="Longer ones."))
    assert read_json(store.root / path.name)["fields"]["value"] == "Longer ones."


def test_two_files_with_one_id_are_two_memories(store: Minions) -> None:
    data = (store.root / relative_path(uid(PROPOSALS))).read_bytes()
    (store.root / f"{uid(PROPOSALS)}.json").write_bytes(data)
    refs = [record.ref for record in store.read().records if uid(PROPOSALS) in record.ref]
    assert len(refs) == len(set(refs)) == 2
    assert "doubled" in codes(store)


def test_symlinks_are_read_and_never_written(store: Minions, tmp_path: Path) -> None:
    path = store.root / relative_path(uid(PROPOSALS))
    real = store.root / "kept.json"
    path.rename(real)
    path.symlink_to(real)
    (store.root / "out.json").symlink_to(tmp_path / "elsewhere.json")
    assert codes(store).count("link") == 2
    linked = next(r for r in store.read().records if r.position[0] == relative_path(uid(PROPOSALS)))
    (refusal,) = store.plan([write("edit", linked, content="other")])
    assert isinstance(refusal, Refused)
    assert refusal.code == "link"


def test_findings_cover_references_between_files(store: Minions) -> None:
    missing = uid(77)
    for number, kind, fields in (
        (301, "reinforcement", {"memoryId": missing}),
        (302, "expiry", {"memoryId": missing}),
        (303, "contradiction", {"memoryIdA": missing, "memoryIdB": uid(DETAIL)}),
        (304, "query", {"topResultIds": [missing, uid(DETAIL)]}),
        (306, "expiry", {"memoryId": uid(78), "reason": "manual-delete"}),
        (307, "reinforcement", {"memoryId": uid(78)}),
    ):
        put(store.root, minion(number, kind, fields))
    put(store.root, index(305, 77, "nobody"))
    put(store.root, item(11, "client:xyz:detail", "Client xyz hates detail."))
    put(store.root, item(12, "client:xyz:detail", "Client xyz hates detail.", agentId="other"))
    old = read_minion(store.root, DETAIL)
    put(store.root, old | {"updatedAt": "2026-05-05T00:00:00Z"})
    leftover = store.root / "aa.json.tmp"
    leftover.write_text("{")
    os.utime(leftover, (0, 0))
    found_codes = codes(store)
    assert found_codes == sorted(
        [*["dangling"] * 3, "dangling-index", *["no-index"] * 2, "stale-index", "doubled-key", "leftover"]
    )
    assert store.severe_findings <= store.finding_help.keys()


def test_minions_of_other_toolboxes_are_one_finding(store: Minions) -> None:
    for number in range(400, 440):
        put(store.root, minion(number, "x", {}) | {"minionTypeId": "jobs-job-signal"})
    (finding,) = store.read().findings
    assert finding.text == "“jobs-job-signal” is not a type of memory. Found in 40 files."


def test_times_of_another_kind_are_reported_in_the_order_of_the_file(store: Minions) -> None:
    """A stable order matters: of many findings only the first are shown."""
    names = ["expiresAt", "lastReinforcedAt", "createdAt", "lastAccessedAt", "indexedAt", "reinforcedAt"]
    changed = minion(306, "item", {"key": "k", "value": "v"} | dict.fromkeys(names, 1_767_323_045_000))
    put(store.root, changed)
    reading = store.read()
    findings = [finding for finding in store.checkup(reading, NOW) if finding.code == "mixed-times"]
    assert [
        finding.text.partition(":")[0] for finding in findings if finding.place == relative_path(uid(306))
    ] == names


def test_many_memories_without_an_index_are_few_findings(tmp_path: Path) -> None:
    store = make(tmp_path, *(item(n, f"k{n}", f"text {n}") for n in range(1, 60)))
    findings = store.read().findings
    assert len(findings) == 3
    assert findings[-1].text.endswith("56 more like this.")
