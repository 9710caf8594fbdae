"""minions stores: how each type reads, and what each action makes of the bytes."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.errors import Conflict, Refused
from memtui.formats import registry
from memtui.formats.contract.adapter import How, Link, Planned, Reading, Record, SideRecord, Standing, Write
from memtui.formats.media.files.edit_application import applied
from memtui.formats.minions import Minions
from memtui.formats.minions import paths as places
from memtui.memory.memory import MEMORY_FIELDS
from memtui.memory.stores import Finding
from tests.support.sizes import examples, turn
from tests.support.stores.files import NOW, carry, do, kept, said, the, tree, undo, write
from tests.support.stores.minions import (
    AT,
    DELETED,
    DETAIL,
    EMOJI,
    LESSON,
    OFFICE,
    PROPOSALS,
    SUMMARY,
    index,
    item,
    make,
    minion,
    of_type,
    place,
    put,
    spelled,
    told,
    uid,
)

WHEN = "2027-01-15T08:00:00.000Z"  # NOW, as the format spells it


@pytest.fixture
def store(tmp_path: Path) -> Minions:
    return make(tmp_path)


@pytest.fixture(autouse=True)
def ids(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ids of new minions come in order."""
    numbers = count(9001)
    monkeypatch.setattr(places, "fresh_id", lambda: uid(next(numbers)))


def of(store: Minions, number: int) -> Record:
    return next(record for record in store.read().records if record.ref == uid(number))


def one(tmp_path: Path, data: bytes, number: int = 1) -> Minions:
    store = make(tmp_path, item(number, "k", "text"))
    (store.root / place(uid(number))).write_bytes(data)
    return store


def codes(store: Minions) -> list[str]:
    return sorted(finding.code for finding in store.read().findings)


def changed(before: dict[str, bytes], after: dict[str, bytes]) -> set[str]:
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


def lines_changed(before: bytes, after: bytes) -> list[str]:
    """The lines of a file that are new or other, trimmed."""
    old, new = ([line.rstrip(b",") for line in data.splitlines()] for data in (before, after))
    return [line.decode().strip() for line in new if line not in old]


def related(source: int, target: int, kind: str = "contradicts", **more: Any) -> Write:
    link = Link(uid(source), kind, uid(target), **more)
    return Write("relate", uid(source), {}, {}, NOW, link)


def superseding(winner: int, loser: int) -> Write:
    link = Link(uid(winner), "supersedes", uid(loser))
    seen = {"status": "confirmed"}
    return Write("supersede", uid(loser), {"status": "dismissed"}, seen, NOW, link)


# -- recognise


def test_a_folder_of_minions_is_known_whatever_its_name(store: Minions, tmp_path: Path) -> None:
    other = tmp_path / "brain"
    store.root.rename(other)
    assert Minions.recognise(other) == other
    assert registry.find(other) == [(Minions, other)]


def test_it_is_found_in_its_usual_place(store: Minions, tmp_path: Path) -> None:
    assert registry.find(tmp_path) == [(Minions, store.root)]


def test_an_empty_folder_is_one_by_its_name_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_other_json_in_shards_is_none(tmp_path: Path, data: bytes) -> None:
    assert Minions.recognise(one(tmp_path, data).root) is None


def test_json_elsewhere_is_none(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / f"{uid(1)}.json").write_bytes(spelled(item(1, "k", "v")))
    assert Minions.recognise(tmp_path / "notes") is None
    assert Minions.recognise(tmp_path / "nothing") is None
    assert Minions.recognise(tmp_path / "notes" / f"{uid(1)}.json") is None


@pytest.mark.parametrize("name", ["new", ".minions"])
def test_a_new_store_is_an_empty_folder_that_is_known(tmp_path: Path, name: str) -> None:
    root = Minions.create(tmp_path / name)
    assert root.name == ".minions"
    assert root.stat().st_mode & 0o777 == 0o700
    assert Minions.recognise(root) == root
    assert tree(root) == {}


# -- read


def test_items_lessons_and_summaries_are_memories(store: Minions) -> None:
    found = {record.ref: dict(record.fields) for record in store.read().records}
    assert found.keys() == {uid(n) for n in (PROPOSALS, DETAIL, LESSON, SUMMARY, DELETED, EMOJI)}
    first = found[uid(PROPOSALS)]
    assert (first["kind"], first["owner"], first["scope"], first["key"], first["tags"]) == (
        *("item", "scout", "private", "client:xyz:proposals"),
        ("client", "xyz"),
    )
    assert (first["source_type"], first["source_ref"], first["confidence"]) == ("agent-run", "run-7", 0.7)
    assert first["last_used_at"] == first["last_confirmed_at"] == first["updated_at"] == 1767323045.0
    lesson = found[uid(LESSON)]
    assert (lesson["kind"], lesson["category"], lesson["times_confirmed"]) == ("lesson", "applications", 2)
    summary = found[uid(SUMMARY)]
    assert (summary["kind"], summary["session_id"], summary["tone"]) == ("summary", "run-7", "relaxed")
    assert summary["key_facts"] == ("- offer is 4,000", "- due on Friday")
    assert summary["token_count"] == 412
    assert all(fields.keys() <= set(MEMORY_FIELDS) for fields in found.values())


def test_a_soft_deleted_one_reads_as_dismissed(store: Minions) -> None:
    assert {n: of(store, n).fields["status"] for n in (DELETED, DETAIL)} == {
        DELETED: "dismissed",
        DETAIL: "confirmed",
    }


def test_what_memtui_does_not_know_is_extra(store: Minions) -> None:
    extra = of(store, EMOJI).fields["extra"]
    assert extra == {
        "priority": "high",
        "status": "active",
        "_legacy": {"rank": 7},
        "fields": {"mood": "sunny"},
    }


def test_the_other_types_stand_beside_their_memories(store: Minions) -> None:
    reading = store.read()
    words = {(aside.kind, aside.about): aside.words for aside in reading.asides}
    assert words["index", uid(LESSON)] == "keywords: monday, applications"
    assert words["reinforcement", uid(PROPOSALS)] == "0.60 → 0.70, by run-8: seen again"
    assert words["expiry", uid(DELETED)] == "ttl-elapsed, by janitor"
    assert words["contradiction", uid(DETAIL)] == "contradicted: short or detailed (unresolved)"
    assert words["contradiction", uid(PROPOSALS)] == words["contradiction", uid(DETAIL)]
    assert words["query", uid(DETAIL)] == "asked: how does xyz like proposals? (hybrid)"
    assert words["policy", "scout"].startswith("may use private, fleet; at most 100 a scope; expires: 30d")
    assert [aside.via for aside in reading.asides if aside.kind == "policy"] == ["owner"]
    assert all(aside.unit in tree(store.root) for aside in reading.asides)
    link = (reading.links[0].source, reading.links[0].kind, reading.links[0].target, reading.links[0].context)
    assert link == (uid(PROPOSALS), "contradicts", uid(DETAIL), "short or detailed")
    assert reading.findings == []


@pytest.mark.parametrize(
    ("resolution", "a", "b"), [("keep-a", "this", "the other"), ("keep-b", "the other", "this")]
)
def test_a_resolved_contradiction_is_history(store: Minions, resolution: str, a: str, b: str) -> None:
    (found,) = of_type(store.root, "contradiction")
    found["fields"]["resolution"] = resolution
    put(store.root, found)
    reading = store.read()
    assert reading.links == []
    words = {x.about: x.words for x in reading.asides if x.kind == "contradiction"}
    assert words[uid(PROPOSALS)] == f"contradicted: short or detailed ({a} one was kept)"
    assert words[uid(DETAIL)] == f"contradicted: short or detailed ({b} one was kept)"


def test_soft_deleted_asides_say_nothing(store: Minions) -> None:
    for kind in ("contradiction", "reinforcement", "index", "expiry", "query", "scope-policy"):
        for found in of_type(store.root, kind):
            put(store.root, found | {"deletedAt": AT})
    reading = store.read()
    assert reading.asides == []
    assert reading.links == []


def test_types_may_be_named_by_their_slug(store: Minions) -> None:
    before = said(store)
    asides = store.read().asides
    for path in sorted(store.root.rglob("*.json")):
        path.write_bytes(path.read_bytes().replace(b'"memory-memory-', b'"memory-'))
    assert said(store) == before
    assert store.read().asides == asides


# -- odd


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
def test_what_is_odd_is_noted_and_left(
    tmp_path: Path, make_data: Callable[[bytes], bytes], code: str
) -> None:
    data = make_data(spelled(item(1, "k", "text")))
    store = one(tmp_path, data)
    found = codes(store)
    assert code in found
    assert all(store.meanings.get(each) or each == "read-only" for each in found)
    assert (store.root / place(uid(1))).read_bytes() == data


@pytest.mark.parametrize(
    ("raw", "value"),
    [("1.3", 1.0), ("-2", 0.0), ("1e999", 1.0), ('"0.4"', 0.4), ("null", None), ("{}", None), ("1", 1.0)],
)
def test_confidence_is_clamped_as_it_is_shown(tmp_path: Path, raw: str, value: float | None) -> None:
    store = one(tmp_path, spelled(item(1, "k", "text")).replace(b"0.7", raw.encode()))
    assert of(store, 1).fields["confidence"] == value


@pytest.mark.parametrize(
    "raw",
    ["1767323045", "1767323045000", "1767323045.0", '"2026-01-02T03:04:05+00:00"', '"2026-01-02 03:04:05"'],
)
def test_times_of_all_kinds_are_read(tmp_path: Path, raw: str) -> None:
    data = spelled(item(1, "k", "text")).replace(b'"expiresAt": null', f'"expiresAt": {raw}'.encode())
    store = one(tmp_path, data)
    assert of(store, 1).fields["expires_at"] == 1767323045.0
    do(store, write("edit", of(store, 1), expires_at=1767323046.0))
    stood = json.loads(raw)
    now = told(store.root, 1)["fields"]["expiresAt"]
    assert (type(now), len(str(now))) == (type(stood), len(str(stood)))
    assert of(store, 1).fields["expires_at"] == 1767323046.0


def test_half_characters_and_nul_are_shown_as_far_as_they_can_be(tmp_path: Path) -> None:
    store = one(tmp_path, spelled(item(1, "k", "text")).replace(b'"text"', b'"a\\ud800b\\u0000c"'))
    assert of(store, 1).fields["content"] == "a\ufffdb\ufffdc"
    before = tree(store.root)
    do(store, write("confirm", of(store, 1), confidence=0.8))
    name = place(uid(1))
    assert b'"a\\ud800b\\u0000c"' in tree(store.root)[name]
    assert lines_changed(before[name], tree(store.root)[name]) == [
        '"confidence": 0.8',
        f'"updatedAt": "{WHEN}"',
    ]


def test_a_file_elsewhere_is_read_and_named(store: Minions) -> None:
    path = store.root / place(uid(PROPOSALS))
    path.rename(store.root / path.name)
    findings = store.read().findings
    assert [(f.code, f.text) for f in findings] == [("odd-place", f"It belongs at {place(uid(PROPOSALS))}.")]
    do(store, write("edit", of(store, PROPOSALS), content="Longer ones."))
    assert told_at(store.root / path.name)["fields"]["value"] == "Longer ones."


def told_at(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def test_one_id_in_two_files_stays_two(store: Minions) -> None:
    data = (store.root / place(uid(PROPOSALS))).read_bytes()
    (store.root / f"{uid(PROPOSALS)}.json").write_bytes(data)
    found = [record.ref for record in store.read().records if uid(PROPOSALS) in record.ref]
    assert len(found) == len(set(found)) == 2
    assert "doubled" in codes(store)


def test_links_are_read_and_never_written(store: Minions, tmp_path: Path) -> None:
    path = store.root / place(uid(PROPOSALS))
    real = store.root / "kept.json"
    path.rename(real)
    path.symlink_to(real)
    (store.root / "out.json").symlink_to(tmp_path / "elsewhere.json")
    assert codes(store).count("link") == 2
    linked = next(r for r in store.read().records if r.at[0] == place(uid(PROPOSALS)))
    (answer,) = store.plan([write("edit", linked, content="other")])
    assert isinstance(answer, Refused)
    assert answer.code == "link"


def test_the_doctor_hears_of_the_store_as_a_whole(store: Minions) -> None:
    gone = uid(77)
    for number, kind, fields in (
        (301, "reinforcement", {"memoryId": gone}),
        (302, "expiry", {"memoryId": gone}),
        (303, "contradiction", {"memoryIdA": gone, "memoryIdB": uid(DETAIL)}),
        (304, "query", {"topResultIds": [gone, uid(DETAIL)]}),
    ):
        put(store.root, minion(number, kind, fields))
    put(store.root, index(305, 77, "nobody"))
    put(store.root, item(11, "client:xyz:detail", "Client xyz hates detail."))
    put(store.root, item(12, "client:xyz:detail", "Client xyz hates detail.", agentId="other"))
    old = told(store.root, DETAIL)
    put(store.root, old | {"updatedAt": "2026-05-05T00:00:00Z"})
    leftover = store.root / "aa.json.tmp"
    leftover.write_text("{")
    os.utime(leftover, (0, 0))
    found = codes(store)
    assert found == sorted(
        [*["dangling"] * 4, "dangling-index", *["no-index"] * 2, "stale-index", "doubled-key", "leftover"]
    )
    assert store.grave <= store.meanings.keys()


def test_minions_of_other_toolboxes_are_told_of_once(store: Minions) -> None:
    for number in range(400, 440):
        put(store.root, minion(number, "x", {}) | {"minionTypeId": "jobs-job-signal"})
    (found,) = store.read().findings
    assert found.text == "“jobs-job-signal” is no type of memory. Files like it: 40."


def test_times_of_another_kind_are_told_in_the_order_of_the_file(store: Minions) -> None:
    """Not in one that differs from run to run: of many findings only the first are told."""
    names = ["expiresAt", "lastReinforcedAt", "createdAt", "lastAccessedAt", "indexedAt", "reinforcedAt"]
    said = minion(306, "item", {"key": "k", "value": "v"} | dict.fromkeys(names, 1_767_323_045_000))
    put(store.root, said)
    reading = store.read()
    told = [each for each in store.checkup(reading, NOW) if each.code == "mixed-times"]
    assert [each.text.partition(" ")[0] for each in told if each.place == place(uid(306))] == names


def test_many_without_an_index_do_not_hide_the_rest(tmp_path: Path) -> None:
    store = make(tmp_path, *(item(n, f"k{n}", f"text {n}") for n in range(1, 60)))
    findings = store.read().findings
    assert len(findings) == 3
    assert findings[-1].text.endswith("56 more like it.")


# -- each action touches only what it must


def test_reading_changes_nothing(store: Minions) -> None:
    before = tree(store.root)
    store.read()
    store.stamp()
    with store.look() as look:
        list(look.read(look.marks))
    assert tree(store.root) == before


def test_a_new_text_goes_to_its_file_and_its_index(store: Minions) -> None:
    before = tree(store.root)
    plans = do(store, write("edit", of(store, PROPOSALS), content="Client xyz prefers long letters."))
    after = tree(store.root)
    own, beside = place(uid(PROPOSALS)), place(uid(101))
    assert changed(before, after) == {own, beside}
    assert lines_changed(before[own], after[own]) == [
        '"value": "Client xyz prefers long letters."',
        f'"updatedAt": "{WHEN}"',
        '"searchableText": "client:xyz:proposals scout private client:xyz:proposals client xyz prefers '
        'long letters. agent-run run-7"',
    ]
    assert lines_changed(before[beside], after[beside]) == [
        '"keywords": "client, xyz, proposals, terse reader, long, letters"',
        '"embedding": ""',
        f'"indexedAt": "{WHEN}"',
        f'"updatedAt": "{WHEN}"',
    ]
    undo(store, plans)
    assert tree(store.root) == before


def test_an_index_is_made_where_there_is_none(store: Minions) -> None:
    (store.root / place(uid(101))).unlink()
    before = tree(store.root)
    plans = do(store, write("edit", of(store, PROPOSALS), key="client:xyz:letters"))
    (new,) = (name for name in changed(before, tree(store.root)) if name not in before)
    made = told_at(store.root / new)
    assert new == place(made["id"])
    assert made["minionTypeId"] == "memory-memory-index"
    assert made["fields"]["memoryId"] == uid(PROPOSALS)
    assert made["fields"]["memoryType"] == "memory-item"
    assert made["fields"]["keywords"].startswith("client, xyz, letters")
    assert made["fields"]["embedding"] == ""
    assert tree(store.root)[new] == spelled(made)
    assert codes(store) == []
    undo(store, plans)
    assert tree(store.root) == before


@pytest.mark.parametrize(
    ("number", "fields", "lines"),
    [
        (PROPOSALS, {"title": 'A "new" ✨ title\\'}, ['"title": "A \\"new\\" ✨ title\\\\"']),
        (PROPOSALS, {"scope": "fleet"}, ['"scope": "fleet"']),
        (PROPOSALS, {"owner": "clerk"}, ['"agentId": "clerk"']),
        (PROPOSALS, {"expires_at": NOW}, [f'"expiresAt": "{WHEN}"']),
        (PROPOSALS, {"confidence": 0.99}, ['"confidence": 0.95']),
        (DETAIL, {"tags": ("a", "b")}, ['"tags": ["a", "b"]']),
        (LESSON, {"category": "jobs"}, ['"domain": "jobs"']),
        (SUMMARY, {"key_facts": ("one", "two")}, ['"keyFacts": "one\\ntwo"']),
        (SUMMARY, {"tone": "tense"}, ['"emotionalContext": "tense"']),
    ],
)
def test_a_field_is_set_and_nothing_beside_it(
    store: Minions, number: int, fields: dict[str, Any], lines: list[str]
) -> None:
    before = tree(store.root)
    plans = do(store, write("edit", of(store, number), **fields))
    name = place(uid(number))
    got = lines_changed(before[name], tree(store.root)[name])
    assert [line for line in got if not line.startswith(('"updatedAt"', '"searchableText"'))] == lines
    undo(store, plans)
    assert tree(store.root) == before


@pytest.mark.parametrize(
    ("number", "fields"),
    [
        (PROPOSALS, {"category": "x"}),
        (SUMMARY, {"key": "x"}),
        (LESSON, {"owner": "x"}),
        (PROPOSALS, {"content": "  "}),
        (PROPOSALS, {"title": None}),
        (PROPOSALS, {"content": "a\0b"}),
    ],
)
def test_what_the_format_has_no_place_for_is_refused(
    store: Minions, number: int, fields: dict[str, Any]
) -> None:
    (answer,) = store.plan([write("edit", of(store, number), **fields)])
    assert isinstance(answer, Refused)


def test_confirming_an_item_leaves_a_reinforcement(store: Minions) -> None:
    before = tree(store.root)
    asked = {"confidence": 0.8, "last_confirmed_at": NOW, "times_confirmed": 1}
    seen = {"confidence": 0.7, "times_confirmed": 0}
    plans = do(store, Write("confirm", uid(PROPOSALS), asked, seen, NOW))
    own = place(uid(PROPOSALS))
    assert lines_changed(before[own], tree(store.root)[own]) == [
        '"confidence": 0.8',
        f'"lastReinforcedAt": "{WHEN}"',
        f'"updatedAt": "{WHEN}"',
    ]
    new = next(
        m["fields"] for m in of_type(store.root, "reinforcement") if m["fields"]["reason"] == "confirmed"
    )
    assert new == {
        "memoryId": uid(PROPOSALS),
        "memoryType": "memory-item",
        "reinforcedBy": "person",
        "previousConfidence": 0.7,
        "newConfidence": 0.8,
        "reinforcedAt": WHEN,
        "reason": "confirmed",
    }
    changes = lines_changed(before[place(uid(101))], tree(store.root)[place(uid(101))])
    assert [line.split(":")[0] for line in changes] == ['"indexedAt"', '"updatedAt"']
    undo(store, plans)
    assert tree(store.root) == before


def test_confirming_a_lesson_counts(store: Minions) -> None:
    do(store, write("confirm", of(store, LESSON), confidence=0.7, times_confirmed=3, last_confirmed_at=NOW))
    fields = told(store.root, LESSON)["fields"]
    assert (fields["confidence"], fields["reinforcedCount"], fields["lastReinforcedAt"]) == (0.7, 3, WHEN)


@pytest.mark.parametrize(
    ("stood", "asked", "stands"),
    [
        ("0.9", 1.0, "0.95"),
        ("0.98", 1.0, "0.98"),
        ("1.3", 1.0, "1.3"),
        ('"0.70"', 0.8, '"0.8"'),
        ("7e-1", 0.7, "7e-1"),
    ],
)
def test_a_person_leaves_room_for_doubt_and_takes_none_away(
    tmp_path: Path, stood: str, asked: float, stands: str
) -> None:
    store = one(tmp_path, spelled(item(1, "k", "text")).replace(b"0.7", stood.encode()))
    do(store, write("confirm", of(store, 1), confidence=asked, last_confirmed_at=NOW))
    assert f'"confidence": {stands},' in (store.root / place(uid(1))).read_text()


def test_dismissing_marks_the_file_and_nothing_else(store: Minions) -> None:
    before = tree(store.root)
    plans = do(store, write("dismiss", of(store, DETAIL), status="dismissed"))
    own = place(uid(DETAIL))
    assert changed(before, tree(store.root)) == {own}
    assert tree(store.root)[own] == before[own].replace(
        f'"updatedAt": "{AT}"\n'.encode(),
        f'"updatedAt": "{WHEN}",\n  "deletedAt": "{WHEN}",\n  "deletedBy": "person"\n'.encode(),
    )
    assert plans[0].removed is None
    assert plans[0].ref_after == uid(DETAIL)
    again = undo(store, plans)
    assert tree(store.root) == before
    undo(store, again)
    assert of(store, DETAIL).fields["status"] == "dismissed"


def test_restoring_takes_the_marks_of_any_hand_off(store: Minions) -> None:
    before = tree(store.root)
    plans = do(store, write("restore", of(store, DELETED), status="candidate"))
    found = told(store.root, DELETED)
    assert "deletedAt" not in found
    assert "deletedBy" not in found
    assert of(store, DELETED).fields["status"] == "confirmed"
    undo(store, plans)
    assert tree(store.root) == before


@pytest.mark.parametrize(
    "head",
    [
        b'{"deletedAt":"2026-02-01T00:00:00Z","deletedBy":"x",',
        b'{ "deletedBy" : "x" , "deletedAt" : true ,\n',
        b'{"a":1,"deletedAt":{"b":"}"},"c\\"deletedAt":2,',
    ],
)
def test_marks_are_taken_off_wherever_they_stand(tmp_path: Path, head: bytes) -> None:
    data = head + spelled(item(1, "k", "text"))[1:]
    store = one(tmp_path, data)
    stood = json.loads(data)
    plans = do(store, write("restore", of(store, 1), status="confirmed"))
    now = told(store.root, 1)
    assert now.pop("updatedAt") == WHEN
    assert now == {k: v for k, v in stood.items() if k not in ("deletedAt", "deletedBy", "updatedAt")}
    undo(store, plans)
    assert (store.root / place(uid(1))).read_bytes() == data


def test_one_that_gives_way_leaves_its_trace(store: Minions) -> None:
    before = tree(store.root)
    plans = do(store, superseding(PROPOSALS, DETAIL))
    assert of(store, DETAIL).fields["status"] == "dismissed"
    (resolved,) = of_type(store.root, "contradiction")
    assert resolved["fields"]["resolution"] == "keep-a"
    assert resolved["fields"]["resolvedAt"] == WHEN
    expiry = next(m for m in of_type(store.root, "expiry") if m["fields"]["memoryId"] == uid(DETAIL))
    assert expiry["fields"] == {
        "memoryId": uid(DETAIL),
        "memoryType": "memory-item",
        "reason": "contradiction-detected",
        "expiredAt": WHEN,
        "expiredBy": "person",
    }
    assert store.read().links == []
    undo(store, plans)
    assert tree(store.root) == before


def test_the_second_of_a_contradiction_may_win(store: Minions) -> None:
    do(store, superseding(DETAIL, PROPOSALS))
    assert of_type(store.root, "contradiction")[0]["fields"]["resolution"] == "keep-b"


def test_giving_way_without_a_contradiction_makes_one(store: Minions) -> None:
    before = tree(store.root)
    plans = do(store, superseding(EMOJI, LESSON))
    made = next(m["fields"] for m in of_type(store.root, "contradiction") if m["id"] != uid(202))
    assert (made["memoryIdA"], made["memoryIdB"], made["resolution"]) == (uid(EMOJI), uid(LESSON), "keep-a")
    undo(store, plans)
    assert tree(store.root) == before


def test_a_contradiction_can_be_said_and_unsaid(store: Minions) -> None:
    before = tree(store.root)
    plans = do(store, related(EMOJI, LESSON, context="jokes or not"))
    link = next(link for link in store.read().links if link.source == uid(EMOJI))
    assert (link.target, link.context) == (uid(LESSON), "jokes or not")
    back = Write(
        "unrelate", uid(EMOJI), {}, {}, NOW, Link(link.source, link.kind, link.target, None, link.context)
    )
    said_so = tree(store.root)
    gone = do(store, back)
    (name,) = changed(said_so, tree(store.root))
    assert lines_changed(said_so[name], tree(store.root)[name]) == [
        f'"deletedAt": "{WHEN}"',
        '"deletedBy": "person"',
    ]
    assert [link.source for link in store.read().links] == [uid(PROPOSALS)]
    assert uid(EMOJI) not in {x.about for x in store.read().asides if x.kind == "contradiction"}
    assert store.read().findings == []
    undo(store, gone)
    assert tree(store.root) == said_so
    undo(store, plans)
    assert tree(store.root) == before


def test_what_was_unsaid_can_be_said_anew_and_is_unsaid_once(store: Minions) -> None:
    unsaid = Write(
        "unrelate", uid(DETAIL), {}, {}, NOW + 60, Link(uid(DETAIL), "contradicts", uid(PROPOSALS))
    )
    plans = store.plan([unsaid, unsaid, related(DETAIL, PROPOSALS, context="again")])
    assert [isinstance(plan, Planned) for plan in plans] == [True, False, True]
    before = tree(store.root)
    good = [plan for plan in plans if isinstance(plan, Planned)]
    carry(store, good)
    old, new = of_type(store.root, "contradiction")
    old, new = (old, new) if old["id"] == uid(202) else (new, old)
    assert (old["deletedBy"], old["updatedAt"]) == ("person", "2027-01-15T08:01:00.000Z")
    assert (old["fields"]["description"], old["fields"]["resolution"]) == ("short or detailed", "unresolved")
    assert (new["fields"]["description"], new.get("deletedAt")) == ("again", None)
    undo(store, good)
    assert tree(store.root) == before


@pytest.mark.parametrize(
    ("shape", "after"),
    [
        ('[\n    "a",\n    "caf\\u00e9"\n  ]', '[\n    "a",\n    "caf\\u00e9",\n    "z"\n  ]'),
        ('[\n    "a"\n  ]', '[\n    "a",\n    "z"\n  ]'),
        ('["a","b"]', '["a","b","z"]'),
        ('[ "a" ]', '[ "a", "z" ]'),
        ('[\r\n\t"a",\r\n\t"a"]', '[\r\n\t"a",\r\n\t"a",\r\n\t"z"]'),
        ("[ ]", '["z"]'),
    ],
)
def test_a_list_keeps_its_shape(tmp_path: Path, shape: str, after: str) -> None:
    data = spelled(item(1, "k", "text", tags=["#"])).decode()
    plain = json.dumps(["#"], indent=2).replace("\n", "\n  ")
    assert data.count(plain) == 1
    store = one(tmp_path, data.replace(plain, shape).encode())
    before = tree(store.root)
    record = of(store, 1)
    plans = do(store, write("edit", record, tags=(*record.fields["tags"], "z")))
    assert f'"tags": {after}' in (store.root / place(uid(1))).read_bytes().decode()
    undo(store, plans)
    assert tree(store.root) == before


@pytest.mark.parametrize("make_it", [os.mkfifo, os.mkdir])
def test_what_is_no_regular_file_holds_nobody_up(tmp_path: Path, make_it: Callable[[Path], None]) -> None:
    folder = tmp_path / "brain" / "aa" / "bb"
    folder.mkdir(parents=True)
    make_it(folder / f"aabb{uid(1)[4:]}.json")
    assert Minions.recognise(tmp_path / "brain") is None
    store = make(tmp_path)
    (store.root / "aa" / "bb").mkdir(parents=True)
    make_it(store.root / "aa" / "bb" / f"aabb{uid(1)[4:]}.json")
    assert Minions.recognise(store.root) == store.root
    assert len(store.read().records) == 6


@pytest.mark.parametrize(
    "asked",
    [
        related(PROPOSALS, DETAIL),
        related(DETAIL, PROPOSALS),
        related(EMOJI, LESSON, "supports"),
        Write("unrelate", uid(EMOJI), {}, {}, NOW, Link(uid(EMOJI), "contradicts", uid(LESSON))),
        Write("relate", uid(EMOJI), {}, {}, NOW),
    ],
)
def test_relations_that_cannot_be_are_refused(store: Minions, asked: Write) -> None:
    (answer,) = store.plan([asked])
    assert isinstance(answer, Refused)


def test_deleting_takes_the_index_along(store: Minions) -> None:
    before = tree(store.root)
    record = of(store, PROPOSALS)
    plans = do(store, Write("delete", record.ref, {}, {"content": record.fields["content"]}, NOW))
    assert changed(before, tree(store.root)) == {place(uid(PROPOSALS)), place(uid(101))}
    assert plans[0].ref_after is None
    undo(store, plans)
    assert tree(store.root) == before


def test_a_memory_is_added_with_its_index(store: Minions) -> None:
    before = tree(store.root)
    plans = do(store, Write("add", "", {"content": "Bo likes tea.\nGreen.", "tags": ("bo",)}, {}, NOW))
    record = the(store, "Bo likes tea")
    name = place(record.ref)
    assert name in tree(store.root)
    assert record.ref == plans[0].ref_after
    found = told_at(store.root / name)
    assert tree(store.root)[name] == spelled(found)
    members = ["id", "title", "minionTypeId", "fields", "createdAt", "updatedAt", "tags", "searchableText"]
    assert list(found) == members
    assert found["fields"] == {
        "agentId": "scout",
        "scope": "private",
        "key": "bo_likes_tea",
        "value": "Bo likes tea.\nGreen.",
        "confidence": 0.7,
        "createdAt": WHEN,
        "expiresAt": None,
    }
    assert len(changed(before, tree(store.root))) == 2
    assert codes(store) == []
    undo(store, plans)
    assert tree(store.root) == before


@pytest.mark.parametrize(
    ("fields", "kind", "said_there"),
    [
        (
            {"kind": "lesson", "category": "jobs"},
            "lesson",
            {"confidence": 0.6, "domain": "jobs", "reinforcedCount": 0},
        ),
        ({"kind": "summary", "key_facts": ("a", "b"), "tone": "calm"}, "summary", {"keyFacts": "a\nb"}),
        (
            {"confidence": 1.0, "owner": "clerk", "key": "k:x"},
            "item",
            {"confidence": 0.95, "agentId": "clerk"},
        ),
        (
            {"ref": uid(555), "confidence": 0.98, "created_at": 1767323045.0},
            "item",
            {"confidence": 0.98, "createdAt": AT},
        ),
        ({"ref": "../../evil", "extra": {"priority": "low", "fields": {"mood": "x"}}}, "item", {"mood": "x"}),
    ],
)
def test_what_an_add_can_say(
    store: Minions, fields: dict[str, Any], kind: str, said_there: dict[str, Any]
) -> None:
    do(store, Write("add", "", {"content": "Something quite new.", **fields}, {}, NOW))
    record = the(store, "quite new")
    found = told_at(store.root / place(record.ref))
    assert record.fields["kind"] == kind
    assert found["fields"] | said_there == found["fields"]
    assert fields.get("ref", "..").startswith("..") or record.ref == fields["ref"]
    assert found.get("priority") == fields.get("extra", {}).get("priority")


def test_an_empty_store_takes_its_first_memory(tmp_path: Path) -> None:
    store = Minions(Minions.create(tmp_path))
    do(store, Write("add", "", {"content": "First."}, {}, NOW, who="agent:scout"))
    record = the(store, "First")
    assert record.fields["owner"] == "scout"
    shard = store.root / record.ref[:2]
    assert shard.stat().st_mode & 0o777 == 0o700
    assert (store.root / place(record.ref)).stat().st_mode & 0o777 == 0o600


def test_a_copy_is_fitted(store: Minions) -> None:
    fitted = store.fit(
        {
            "content": "x y",
            "kind": "procedure",
            "category": "fact",
            "subject": "Ada Lövelace",
            "confidence": 1.0,
            "extra": {"notion_page_id": 1},
        }
    )
    assert fitted.fields == {"content": "x y", "kind": "item", "key": "ada_lövelace", "confidence": 0.95}
    assert fitted.changed == {
        "kind": ("procedure", "item"),
        "key": (None, "ada_lövelace"),
        "confidence": (1.0, 0.95),
    }
    keyed = store.fit({"content": "x y", "kind": "item", "key": "its own"})
    assert (keyed.fields, keyed.changed) == ({"content": "x y", "kind": "item", "key": "its own"}, {})


# -- bytes


def _forms() -> Iterator[tuple[str, Callable[[bytes], bytes]]]:
    yield "CRLF", lambda data: data.replace(b"\n", b"\r\n")
    yield "BOM", lambda data: b"\xef\xbb\xbf" + data
    yield "final newline", lambda data: data + b"\n"
    yield "tabs", lambda data: data.replace(b"  ", b"\t")
    yield "one line", lambda data: json.dumps(json.loads(data)).encode()
    yield "tight", lambda data: json.dumps(json.loads(data), separators=(",", ":")).encode()
    yield "sorted", lambda data: json.dumps(json.loads(data), indent=4, sort_keys=True).encode()
    yield (
        "odd numbers",
        lambda data: data.replace(b'"key"', b'"big": 1e5, "small": 0.1000, "url": "a\\/b", "key"'),
    )
    yield "unwonted spaces", lambda data: data.replace(b'": ', b'" :\t')


FORMS = dict(_forms())


@pytest.mark.parametrize("form", FORMS)
def test_every_other_byte_stays_as_it_was(store: Minions, form: str) -> None:
    for path in sorted(store.root.rglob("*.json")):
        path.write_bytes(FORMS[form](path.read_bytes()))
    before = tree(store.root)
    meant = {name: json.loads(data.decode("utf-8-sig")) for name, data in before.items()}
    record = of(store, PROPOSALS)
    plans = [
        *do(store, write("edit", record, content='Now "this" ✨\tor\nthat')),
        *do(store, write("confirm", of(store, PROPOSALS), confidence=0.8, last_confirmed_at=NOW + 5)),
        *do(store, write("dismiss", of(store, PROPOSALS), status="dismissed")),
    ]
    name = place(uid(PROPOSALS))
    now = tree(store.root)[name]
    want = meant[name] | {"updatedAt": WHEN, "deletedAt": WHEN, "deletedBy": "person"}
    want["fields"] |= {"value": 'Now "this" ✨\tor\nthat', "confidence": 0.8}
    found = json.loads(now.decode("utf-8-sig"))
    assert 'now "this" ✨\tor\nthat' in found.pop("searchableText")
    assert found["fields"].pop("lastReinforcedAt") != want["fields"].pop("lastReinforcedAt")
    assert found == want
    assert list(found)[-2:] == ["deletedAt", "deletedBy"]
    for sign in (b"\r\n", b"\xef\xbb\xbf", b"\t", b"0.1000", b"a\\/b", b'":"'):
        assert (sign in now) == (sign in before[name])
    if form == "CRLF":
        assert now.count(b"\n") == now.count(b"\r\n")
    for plan in reversed(plans):
        undo(store, [plan])
    assert tree(store.root) == before


def test_what_says_the_text_again_follows(tmp_path: Path) -> None:
    store = make(tmp_path, item(1, "k", "Likes Tea", searchableText="k likes tea", title="k"))
    before = tree(store.root)
    plans = do(store, write("edit", of(store, 1), content="Likes Coffee"))
    assert told(store.root, 1)["searchableText"] == "k likes coffee"
    undo(store, plans)
    assert tree(store.root) == before


def test_a_file_with_a_doubled_key_is_never_rewritten(tmp_path: Path) -> None:
    store = one(tmp_path, spelled(item(1, "k", "text")).replace(b'"key": "k"', b'"key": "j", "key": "k"'))
    assert of(store, 1).fields["key"] == "k"
    (answer,) = store.plan([write("edit", of(store, 1), content="other")])
    assert isinstance(answer, Refused)
    assert answer.code == "double-key"


def test_an_index_that_must_stay_as_it_is_does_not_stop_an_edit(store: Minions) -> None:
    path = store.root / place(uid(101))
    path.write_bytes(path.read_bytes().replace(b'"keywords"', b'"keywords": 1, "keywords"'))
    stood = path.read_bytes()
    do(store, write("edit", of(store, PROPOSALS), content="Client xyz prefers long letters."))
    assert told(store.root, PROPOSALS)["fields"]["value"] == "Client xyz prefers long letters."
    assert path.read_bytes() == stood


@pytest.mark.parametrize(
    ("keywords", "after"),
    [
        ("client xyz short proposals", "client xyz long letters"),
        ("short, proposals", "long, letters"),
        ("short;client;proposals", "client;long;letters"),
        (["short", "own"], ["own", "long", "letters"]),
        ("", "long, letters"),
        ('say "short", tea', 'say "short", tea, long, letters'),
        (None, "long, letters"),
        ("own\nshort", "own\nlong\nletters"),
    ],
)
def test_keywords_keep_their_form(tmp_path: Path, keywords: Any, after: Any) -> None:
    store = make(tmp_path, item(1, "client", "Client xyz: short proposals"), index(2, 1, keywords))
    before = tree(store.root)
    plans = do(store, write("edit", of(store, 1), content="Client xyz: long letters"))
    assert told(store.root, 2)["fields"]["keywords"] == after
    undo(store, plans)
    assert tree(store.root) == before


# -- undo among other writers


def test_two_changes_of_one_memory_go_back_in_either_order(store: Minions) -> None:
    before = tree(store.root)
    for order in (0, 1), (1, 0):
        plans = [
            do(store, write("edit", of(store, PROPOSALS), content="Client xyz prefers long letters.")),
            do(store, write("confirm", of(store, PROPOSALS), confidence=0.8, last_confirmed_at=NOW)),
        ]
        for which in order:
            undo(store, plans[which])
        assert {k: v for k, v in said(store)[uid(PROPOSALS)].items() if k != "updated_at"} == {
            k: v for k, v in said_of(before, store)[uid(PROPOSALS)].items() if k != "updated_at"
        }
        for name in changed(before, tree(store.root)):  # only times of change are others
            assert all("edAt" in line for line in lines_changed(before[name], tree(store.root)[name]))
            (store.root / name).write_bytes(before[name])
        assert tree(store.root) == before


def said_of(files: dict[str, bytes], store: Minions) -> dict[str, Any]:
    return {record.ref: dict(record.fields) for record in store.parse(files).records}


def test_text_and_key_go_back_in_either_order(store: Minions) -> None:
    before = tree(store.root)
    one = do(store, write("edit", of(store, PROPOSALS), content="Client xyz prefers long letters."))
    two = do(store, write("edit", of(store, PROPOSALS), key="client:xyz:habits"))
    undo(store, one)
    undo(store, two)
    index_now = told(store.root, 101)["fields"]
    assert index_now["keywords"] == "client, xyz, short, proposals, terse reader"
    assert index_now["embedding"] == "[0.25, -0.5, 1e-3]"
    searched = told(store.root, PROPOSALS)["searchableText"]
    assert searched.endswith("client:xyz:proposals client xyz prefers short proposals. agent-run run-7")
    for name in changed(before, tree(store.root)):
        left = lines_changed(before[name], tree(store.root)[name])
        assert all("edAt" in line or "searchableText" in line for line in left)


def test_two_memories_go_back_in_either_order(store: Minions) -> None:
    before = tree(store.root)
    one = do(store, write("edit", of(store, PROPOSALS), content="Other."))
    two = do(store, superseding(EMOJI, DETAIL))
    undo(store, one)
    undo(store, two)
    assert tree(store.root) == before


def test_an_agents_new_vector_does_not_stand_in_the_way(store: Minions) -> None:
    plans = do(store, write("edit", of(store, PROPOSALS), content="Client xyz prefers long letters."))
    found = told(store.root, 101)
    found["fields"]["embedding"] = "[9, 9, 9]"
    put(store.root, found)
    undo(store, plans)
    assert of(store, PROPOSALS).fields["content"] == "Client xyz prefers short proposals."
    assert told(store.root, 101)["fields"]["embedding"] == ""  # it was of the other text


def test_an_index_that_an_agent_renewed_goes_with_its_memory(store: Minions) -> None:
    before = tree(store.root)
    plans = do(store, Write("add", "", {"content": "Something quite new."}, {}, NOW))
    made = next(m for m in of_type(store.root, "index") if m["fields"]["keywords"].startswith("something"))
    made["fields"]["embedding"] = "[1]"
    put(store.root, made)
    undo(store, plans)
    assert tree(store.root) == before


def test_an_agents_use_goes_past_an_undo(store: Minions) -> None:
    plans = do(store, write("edit", of(store, PROPOSALS), content="Client xyz prefers long letters."))
    found = told(store.root, PROPOSALS)
    found["fields"]["lastAccessedAt"] = found["updatedAt"] = "2027-03-03T00:00:00.000Z"
    put(store.root, found)
    undo(store, plans)
    now = told(store.root, PROPOSALS)
    assert now["fields"]["value"] == "Client xyz prefers short proposals."
    assert now["fields"]["lastAccessedAt"] == now["updatedAt"] == "2027-03-03T00:00:00.000Z"


def test_what_changed_meanwhile_is_a_conflict(store: Minions) -> None:
    asked = write("edit", of(store, PROPOSALS), content="Mine.")
    found = told(store.root, PROPOSALS)
    found["fields"]["value"] = "Theirs."
    put(store.root, found)
    (answer,) = store.plan([asked])
    assert isinstance(answer, Conflict)
    assert answer.theirs == {"content": "Theirs."}


def test_a_batch_stands_or_falls_memory_by_memory(store: Minions) -> None:
    before = tree(store.root)
    writes = [write("edit", of(store, n), content=f"Text {n}") for n in (PROPOSALS, DETAIL, LESSON, SUMMARY)]
    writes.insert(1, write("edit", of(store, EMOJI), category="x"))
    answers = store.plan(writes)
    assert [isinstance(answer, Planned) for answer in answers] == [True, False, True, True, True]
    plans, _ = carry(store, [answer for answer in answers if isinstance(answer, Planned)])
    undo(store, plans)
    assert tree(store.root) == before


def test_a_refused_write_leaves_no_folder(store: Minions) -> None:
    (answer,) = store.plan([Write("add", "", {"content": "New one."}, {}, NOW)])
    plan = kept(store, answer)
    folders = {path for path in store.root.rglob("*") if path.is_dir()}
    (store.root / plan.edits[0].name).parent.mkdir(parents=True)
    (store.root / plan.edits[0].name).write_bytes(b"an agent was here first")
    with pytest.raises(Refused):
        store.carry_out([plan], "token")
    now = {path for path in store.root.rglob("*") if path.is_dir()}
    own = (store.root / plan.edits[0].name).parent
    assert now == folders | {own, own.parent}


def test_how_each_action_is_told() -> None:
    store = Minions(Path())
    for action in ("add", "confirm", "dismiss", "restore", "delete", "supersede"):
        assert store.supports(action).how is How.NATIVE
    assert store.supports("relate", "contradicts").how is How.NATIVE
    assert store.supports("relate", "supports").how is How.WORKSPACE
    assert store.supports("relate").how is How.WORKSPACE
    assert store.supports("pin").words == "is kept in memtui: minions has no pin"
    assert store.supports("edit", "subject").how is How.WORKSPACE


def test_only_what_changed_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = make(tmp_path, *(item(n, f"k{n}", f"text {n}") for n in range(1, 320)))
    read: list[str] = []
    part = store.part

    def counting(name: str, data: bytes, files: Any) -> Reading:
        read.append(name)
        return part(name, data, files)

    monkeypatch.setattr(store, "part", counting)
    with store.look() as look:
        list(look.read({place(uid(7))}))
    assert read == [place(uid(7))]


WEIRD: tuple[Any, ...] = (
    *(None, True, 0, -1, 1.3, 1e300, 10**400, float("inf"), float("nan"), "", " ", "\ud800\0\x1b[31m"),
    *([], {}, [None, 1, {}], ["a", "b"], {"a": {"b": []}}, "2026", "1e400", "9999-12-31T23:59:59-14:00"),
)


def test_nothing_that_stands_in_a_member_stops_the_reader() -> None:
    store = Minions(Path())
    for whole in OFFICE:
        for nth, member in enumerate((*whole, *(("fields", name) for name in whole["fields"]))):
            for value in turn(WEIRD, nth, 2):
                changed = json.loads(json.dumps(whole))
                if isinstance(member, tuple):
                    changed["fields"][member[1]] = value
                else:
                    changed[member] = value
                reading = store.parse({place(whole["id"]): json.dumps(changed).encode()})
                json.dumps([record.digest for record in reading.records])
                noted: list[SideRecord | Finding] = [*reading.asides, *reading.findings]
                told = " ".join(x.text if isinstance(x, Finding) else x.words for x in noted)
                assert "\0" not in told
                told.encode()


@pytest.mark.parametrize("number", [PROPOSALS, LESSON, SUMMARY])
def test_nothing_that_stands_in_a_member_stops_an_edit(tmp_path: Path, number: int) -> None:
    whole = next(each for each in OFFICE if each["id"] == uid(number))
    for value in turn(WEIRD, number, 2):
        changed = whole | {"fields": dict.fromkeys(whole["fields"], value)}
        store = one(tmp_path, json.dumps(changed, indent=1).encode(), number)
        before = tree(store.root)
        plans = do(store, write("edit", of(store, number), content="quite new", title="as well"))
        plans += do(
            store, Write("confirm", uid(number), {"last_confirmed_at": NOW, "confidence": 0.8}, {}, NOW)
        )
        plans += do(store, write("dismiss", of(store, number), status="dismissed"))
        for plan in reversed(plans):
            undo(store, [plan])
        assert tree(store.root) == before


# -- any form of JSON

_NAMES = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=5)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9**9) | st.floats(-9, 9) | _NAMES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_NAMES, inner, max_size=3),
    max_leaves=6,
)


@examples(15)
@given(
    st.dictionaries(_NAMES, _JSON, max_size=3),
    st.dictionaries(_NAMES, _JSON, max_size=3),
    st.sampled_from([None, 0, 1, 2, "\t"]),
    st.booleans(),
    st.sampled_from([(",", ":"), (", ", ": "), (" ,", " : ")]),
    _NAMES.filter(str.strip),
)
def test_any_members_of_others_survive_every_change(
    tmp_path: Path,
    around: dict[str, Any],
    among: dict[str, Any],
    indent: Any,
    ascii: bool,
    between: tuple[str, str],
    text: str,
) -> None:
    whole = around | item(1, "k", "text")
    whole["fields"] = {"agentId": "x", "value": "text"} | {
        name: value for name, value in among.items() if name not in ("agentId", "value")
    }
    data = json.dumps(whole, indent=indent, ensure_ascii=ascii, separators=between).encode()
    store = one(tmp_path, data)
    plans = [do(store, write("dismiss", of(store, 1), status="dismissed"))]
    plans.append(do(store, write("restore", of(store, 1), status="confirmed")))
    assert told(store.root, 1) == whole | {"updatedAt": WHEN}
    plans.append(do(store, write("edit", of(store, 1), content=text, tags=("a",))))
    now = told(store.root, 1)
    searched = now.pop("searchableText")
    assert now == whole | {"updatedAt": WHEN, "tags": ["a"], "fields": whole["fields"] | {"value": text}}
    assert text.lower() in searched
    assert [name for name in now if name in whole] == list(whole)
    for plan in reversed(plans):
        undo(store, plan)
    assert (store.root / place(uid(1))).read_bytes() == data


# -- cut off


@pytest.mark.parametrize("done", [0, 1, 2, 3])
def test_a_write_that_was_cut_off_is_told_and_completed(store: Minions, done: int) -> None:
    before = tree(store.root)
    (answer,) = store.plan([superseding(PROPOSALS, DETAIL)])
    plan = kept(store, answer)
    assert len(plan.edits) == 3
    whole = applied(before, plan.edits)
    for edit in plan.edits[:done]:
        path = store.root / edit.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(whole[edit.name])
    stands = {0: Standing.BEFORE, 3: Standing.AFTER}.get(done, Standing.PARTLY)
    assert store.standing([plan], "token") is stands
    if done:
        store.finish([plan], "token")
        assert tree(store.root) == whole
        undo(store, [plan])
    assert tree(store.root) == before
