"""minions: what each action writes."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memtui.errors import Refused
from memtui.formats.contract.plans import Plan, Write
from memtui.formats.contract.records import Link
from memtui.formats.minions import Minions
from tests.formats.minions.support import (
    WHEN,
    changed_files,
    changed_lines,
    codes,
    read_json,
    record_of,
    store_with,
    superseding,
)
from tests.support.stores.files import NOW, apply, apply_plans, read_tree, record_with, undo, write
from tests.support.stores.minions import (
    AT,
    DELETED,
    DETAIL,
    EMOJI,
    LESSON,
    PROPOSALS,
    SUMMARY,
    encode,
    item,
    make,
    of_type,
    read_minion,
    relative_path,
    uid,
)


def related(source: int, target: int, kind: str = "contradicts", **more: Any) -> Write:
    link = Link(uid(source), kind, uid(target), **more)
    return Write("relate", uid(source), {}, {}, NOW, link)


def test_reading_changes_nothing(store: Minions) -> None:
    before = read_tree(store.root)
    store.read()
    store.fingerprint()
    with store.snapshot() as snapshot:
        list(snapshot.read(snapshot.fingerprints))
    assert read_tree(store.root) == before


def test_an_edited_text_is_written_to_its_file_and_its_index(store: Minions) -> None:
    before = read_tree(store.root)
    plans = apply(
        store, write("edit", record_of(store, PROPOSALS), content="Client xyz prefers long letters.")
    )
    after = read_tree(store.root)
    own, index_path = relative_path(uid(PROPOSALS)), relative_path(uid(101))
    assert changed_files(before, after) == {own, index_path}
    assert changed_lines(before[own], after[own]) == [
        '"value": "Client xyz prefers long letters."',
        f'"updatedAt": "{WHEN}"',
        '"searchableText": "client:xyz:proposals scout private client:xyz:proposals client xyz prefers '
        'long letters. agent-run run-7"',
    ]
    assert changed_lines(before[index_path], after[index_path]) == [
        '"keywords": "client, xyz, proposals, terse reader, long, letters"',
        '"embedding": ""',
        f'"indexedAt": "{WHEN}"',
        f'"updatedAt": "{WHEN}"',
    ]
    undo(store, plans)
    assert read_tree(store.root) == before


def test_an_edit_creates_a_missing_index(store: Minions) -> None:
    (store.root / relative_path(uid(101))).unlink()
    before = read_tree(store.root)
    plans = apply(store, write("edit", record_of(store, PROPOSALS), key="client:xyz:letters"))
    (new,) = (name for name in changed_files(before, read_tree(store.root)) if name not in before)
    added = read_json(store.root / new)
    assert new == relative_path(added["id"])
    assert added["minionTypeId"] == "memory-memory-index"
    assert added["fields"]["memoryId"] == uid(PROPOSALS)
    assert added["fields"]["memoryType"] == "memory-item"
    assert added["fields"]["keywords"].startswith("client, xyz, letters")
    assert added["fields"]["embedding"] == ""
    assert read_tree(store.root)[new] == encode(added)
    assert codes(store) == []
    undo(store, plans)
    assert read_tree(store.root) == before


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
def test_an_edit_changes_only_the_lines_of_its_fields(
    store: Minions, number: int, fields: dict[str, Any], lines: list[str]
) -> None:
    before = read_tree(store.root)
    plans = apply(store, write("edit", record_of(store, number), **fields))
    name = relative_path(uid(number))
    written = changed_lines(before[name], read_tree(store.root)[name])
    assert [line for line in written if not line.startswith(('"updatedAt"', '"searchableText"'))] == lines
    undo(store, plans)
    assert read_tree(store.root) == before


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
def test_fields_that_the_format_lacks_are_refused(
    store: Minions, number: int, fields: dict[str, Any]
) -> None:
    (refusal,) = store.plan([write("edit", record_of(store, number), **fields)])
    assert isinstance(refusal, Refused)


def test_confirming_an_item_adds_a_reinforcement(store: Minions) -> None:
    before = read_tree(store.root)
    fields = {"confidence": 0.8, "last_confirmed_at": NOW, "times_confirmed": 1}
    expected = {"confidence": 0.7, "times_confirmed": 0}
    plans = apply(store, Write("confirm", uid(PROPOSALS), fields, expected, NOW))
    own = relative_path(uid(PROPOSALS))
    assert changed_lines(before[own], read_tree(store.root)[own]) == [
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
    changes = changed_lines(before[relative_path(uid(101))], read_tree(store.root)[relative_path(uid(101))])
    assert [line.split(":")[0] for line in changes] == ['"indexedAt"', '"updatedAt"']
    undo(store, plans)
    assert read_tree(store.root) == before


def test_confirming_a_lesson_raises_its_count(store: Minions) -> None:
    apply(
        store,
        write("confirm", record_of(store, LESSON), confidence=0.7, times_confirmed=3, last_confirmed_at=NOW),
    )
    fields = read_minion(store.root, LESSON)["fields"]
    assert (fields["confidence"], fields["reinforcedCount"], fields["lastReinforcedAt"]) == (0.7, 3, WHEN)


@pytest.mark.parametrize(
    ("before", "requested", "after"),
    [
        ("0.9", 1.0, "0.95"),
        ("0.98", 1.0, "0.98"),
        ("1.3", 1.0, "1.3"),
        ('"0.70"', 0.8, '"0.8"'),
        ("7e-1", 0.7, "7e-1"),
    ],
)
def test_confirming_caps_the_confidence_and_never_lowers_it(
    tmp_path: Path, before: str, requested: float, after: str
) -> None:
    store = store_with(tmp_path, encode(item(1, "k", "text")).replace(b"0.7", before.encode()))
    apply(store, write("confirm", record_of(store, 1), confidence=requested, last_confirmed_at=NOW))
    assert f'"confidence": {after},' in (store.root / relative_path(uid(1))).read_text()


def test_dismissing_marks_only_the_file_as_deleted(store: Minions) -> None:
    before = read_tree(store.root)
    plans = apply(store, write("dismiss", record_of(store, DETAIL), status="dismissed"))
    own = relative_path(uid(DETAIL))
    assert changed_files(before, read_tree(store.root)) == {own}
    assert read_tree(store.root)[own] == before[own].replace(
        f'"updatedAt": "{AT}"\n'.encode(),
        f'"updatedAt": "{WHEN}",\n  "deletedAt": "{WHEN}",\n  "deletedBy": "person"\n'.encode(),
    )
    assert plans[0].removed_fields is None
    assert plans[0].ref_after == uid(DETAIL)
    redone = undo(store, plans)
    assert read_tree(store.root) == before
    undo(store, redone)
    assert record_of(store, DETAIL).fields["status"] == "dismissed"


def test_restoring_removes_the_deletion_marks_of_any_program(store: Minions) -> None:
    before = read_tree(store.root)
    plans = apply(store, write("restore", record_of(store, DELETED), status="candidate"))
    stored = read_minion(store.root, DELETED)
    assert "deletedAt" not in stored
    assert "deletedBy" not in stored
    assert record_of(store, DELETED).fields["status"] == "confirmed"
    undo(store, plans)
    assert read_tree(store.root) == before


@pytest.mark.parametrize(
    "head",
    [
        b'{"deletedAt":"2026-02-01T00:00:00Z","deletedBy":"x",',
        b'{ "deletedBy" : "x" , "deletedAt" : true ,\n',
        b'{"a":1,"deletedAt":{"b":"}"},"c\\"deletedAt":2,',
    ],
)
def test_deletion_marks_are_removed_at_any_position(tmp_path: Path, head: bytes) -> None:
    data = head + encode(item(1, "k", "text"))[1:]
    store = store_with(tmp_path, data)
    before = json.loads(data)
    plans = apply(store, write("restore", record_of(store, 1), status="confirmed"))
    after = read_minion(store.root, 1)
    assert after.pop("updatedAt") == WHEN
    assert after == {k: v for k, v in before.items() if k not in ("deletedAt", "deletedBy", "updatedAt")}
    undo(store, plans)
    assert (store.root / relative_path(uid(1))).read_bytes() == data


def test_superseding_resolves_the_contradiction_and_records_an_expiry(store: Minions) -> None:
    before = read_tree(store.root)
    plans = apply(store, superseding(PROPOSALS, DETAIL))
    assert record_of(store, DETAIL).fields["status"] == "dismissed"
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
    assert read_tree(store.root) == before


def test_the_second_memory_of_a_contradiction_can_win(store: Minions) -> None:
    apply(store, superseding(DETAIL, PROPOSALS))
    assert of_type(store.root, "contradiction")[0]["fields"]["resolution"] == "keep-b"


def test_superseding_without_a_contradiction_adds_a_resolved_one(store: Minions) -> None:
    before = read_tree(store.root)
    plans = apply(store, superseding(EMOJI, LESSON))
    added = next(m["fields"] for m in of_type(store.root, "contradiction") if m["id"] != uid(202))
    assert (added["memoryIdA"], added["memoryIdB"], added["resolution"]) == (
        uid(EMOJI),
        uid(LESSON),
        "keep-a",
    )
    undo(store, plans)
    assert read_tree(store.root) == before


def test_a_contradiction_can_be_added_and_removed(store: Minions) -> None:
    before = read_tree(store.root)
    plans = apply(store, related(EMOJI, LESSON, context="jokes or not"))
    link = next(link for link in store.read().links if link.source == uid(EMOJI))
    assert (link.target, link.context) == (uid(LESSON), "jokes or not")
    removal = Write(
        "unrelate", uid(EMOJI), {}, {}, NOW, Link(link.source, link.kind, link.target, None, link.context)
    )
    said_so = read_tree(store.root)
    removed = apply(store, removal)
    (name,) = changed_files(said_so, read_tree(store.root))
    assert changed_lines(said_so[name], read_tree(store.root)[name]) == [
        f'"deletedAt": "{WHEN}"',
        '"deletedBy": "person"',
    ]
    assert [link.source for link in store.read().links] == [uid(PROPOSALS)]
    assert uid(EMOJI) not in {x.about for x in store.read().side_records if x.kind == "contradiction"}
    assert store.read().findings == []
    undo(store, removed)
    assert read_tree(store.root) == said_so
    undo(store, plans)
    assert read_tree(store.root) == before


def test_a_removed_contradiction_can_be_added_again_and_is_removed_once(store: Minions) -> None:
    removal = Write(
        "unrelate", uid(DETAIL), {}, {}, NOW + 60, Link(uid(DETAIL), "contradicts", uid(PROPOSALS))
    )
    plans = store.plan([removal, removal, related(DETAIL, PROPOSALS, context="again")])
    assert [isinstance(plan, Plan) for plan in plans] == [True, False, True]
    before = read_tree(store.root)
    applied = [plan for plan in plans if isinstance(plan, Plan)]
    apply_plans(store, applied)
    old, new = of_type(store.root, "contradiction")
    old, new = (old, new) if old["id"] == uid(202) else (new, old)
    assert (old["deletedBy"], old["updatedAt"]) == ("person", "2027-01-15T08:01:00.000Z")
    assert (old["fields"]["description"], old["fields"]["resolution"]) == ("short or detailed", "unresolved")
    assert (new["fields"]["description"], new.get("deletedAt")) == ("again", None)
    undo(store, applied)
    assert read_tree(store.root) == before


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
    data = encode(item(1, "k", "text", tags=["#"])).decode()
    plain = json.dumps(["#"], indent=2).replace("\n", "\n  ")
    assert data.count(plain) == 1
    store = store_with(tmp_path, data.replace(plain, shape).encode())
    before = read_tree(store.root)
    record = record_of(store, 1)
    plans = apply(store, write("edit", record, tags=(*record.fields["tags"], "z")))
    assert f'"tags": {after}' in (store.root / relative_path(uid(1))).read_bytes().decode()
    undo(store, plans)
    assert read_tree(store.root) == before


@pytest.mark.parametrize("make_it", [os.mkfifo, os.mkdir])
def test_a_pipe_or_folder_does_not_block_reading(tmp_path: Path, make_it: Callable[[Path], None]) -> None:
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
    "change",
    [
        related(PROPOSALS, DETAIL),
        related(DETAIL, PROPOSALS),
        related(EMOJI, LESSON, "supports"),
        Write("unrelate", uid(EMOJI), {}, {}, NOW, Link(uid(EMOJI), "contradicts", uid(LESSON))),
        Write("relate", uid(EMOJI), {}, {}, NOW),
    ],
)
def test_impossible_relations_are_refused(store: Minions, change: Write) -> None:
    (refusal,) = store.plan([change])
    assert isinstance(refusal, Refused)


def test_deleting_a_memory_deletes_its_index(store: Minions) -> None:
    before = read_tree(store.root)
    record = record_of(store, PROPOSALS)
    plans = apply(store, Write("delete", record.ref, {}, {"content": record.fields["content"]}, NOW))
    assert changed_files(before, read_tree(store.root)) == {
        relative_path(uid(PROPOSALS)),
        relative_path(uid(101)),
    }
    assert plans[0].ref_after is None
    undo(store, plans)
    assert read_tree(store.root) == before


def test_a_memory_is_added_with_its_index(store: Minions) -> None:
    before = read_tree(store.root)
    plans = apply(store, Write("add", "", {"content": "Bo likes tea.\nGreen.", "tags": ("bo",)}, {}, NOW))
    record = record_with(store, "Bo likes tea")
    name = relative_path(record.ref)
    assert name in read_tree(store.root)
    assert record.ref == plans[0].ref_after
    added = read_json(store.root / name)
    assert read_tree(store.root)[name] == encode(added)
    members = ["id", "title", "minionTypeId", "fields", "createdAt", "updatedAt", "tags", "searchableText"]
    assert list(added) == members
    assert added["fields"] == {
        "agentId": "scout",
        "scope": "private",
        "key": "bo_likes_tea",
        "value": "Bo likes tea.\nGreen.",
        "confidence": 0.7,
        "createdAt": WHEN,
        "expiresAt": None,
    }
    assert len(changed_files(before, read_tree(store.root))) == 2
    assert codes(store) == []
    undo(store, plans)
    assert read_tree(store.root) == before


@pytest.mark.parametrize(
    ("fields", "kind", "stored"),
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
def test_an_added_memory_takes_the_given_fields(
    store: Minions, fields: dict[str, Any], kind: str, stored: dict[str, Any]
) -> None:
    apply(store, Write("add", "", {"content": "Something quite new.", **fields}, {}, NOW))
    record = record_with(store, "quite new")
    added = read_json(store.root / relative_path(record.ref))
    assert record.fields["kind"] == kind
    assert added["fields"] | stored == added["fields"]
    assert fields.get("ref", "..").startswith("..") or record.ref == fields["ref"]
    assert added.get("priority") == fields.get("extra", {}).get("priority")


def test_an_empty_store_takes_its_first_memory(tmp_path: Path) -> None:
    store = Minions(Minions.create(tmp_path))
    apply(store, Write("add", "", {"content": "First."}, {}, NOW, who="agent:scout"))
    record = record_with(store, "First")
    assert record.fields["owner"] == "scout"
    folder = store.root / record.ref[:2]
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (store.root / relative_path(record.ref)).stat().st_mode & 0o777 == 0o600


def test_fit_adapts_a_memory_of_another_store(store: Minions) -> None:
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
