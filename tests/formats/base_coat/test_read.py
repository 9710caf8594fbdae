"""Base Coat: how databases are recognised and their rows are read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memtui.errors import Refused
from memtui.formats import registry
from memtui.formats.base_coat import BaseCoat
from memtui.formats.contract.adapter import SupportKind
from memtui.formats.contract.records import Link
from memtui.formats.founder_os import FounderOs
from memtui.memory.memory import RECORD_FIELDS
from tests.formats.base_coat.support import (
    add,
    codes,
    links,
    read_row,
    record,
    record_texts,
    refusal_of,
)
from tests.support.stores import file_hashes, rows_in
from tests.support.stores import founder_os as founder
from tests.support.stores.base_coat import (
    COLUMNS,
    EMBEDDED_COLUMNS,
    FEED,
    MEMORIES,
    OLD,
    OLD_COLUMNS,
    SQLITE,
    TABS,
    TESTS,
    UNTYPED_COLUMNS,
    make,
)
from tests.support.stores.databases import execute
from tests.support.stores.row_changes import apply_change, undo

# -- recognise


@pytest.mark.parametrize("columns", [OLD_COLUMNS, COLUMNS, EMBEDDED_COLUMNS, UNTYPED_COLUMNS])
def test_every_version_of_the_schema_is_recognised_under_any_file_name(tmp_path: Path, columns: Any) -> None:
    path = make(tmp_path / "whatever.bin", columns=columns, relations=None)
    assert BaseCoat.recognise(path) == path
    assert [kind for kind, _ in registry.find(path)] == [BaseCoat]


def test_base_coat_and_other_formats_are_not_confused(tmp_path: Path) -> None:
    assert BaseCoat.recognise(founder.make(tmp_path / "founder.db")) is None
    mixed = dict.fromkeys((*founder.SHIPPED_COLUMNS, "subject", "access_count"), "")
    assert BaseCoat.recognise(founder.make(tmp_path / "mixed.db", (), columns=mixed)) is None
    assert FounderOs.recognise(make(tmp_path / "base.db")) is None
    service = tmp_path / "service.db"
    execute(service, "CREATE TABLE memories (id, content_hash, content, tags, memory_type, created_at)")
    assert BaseCoat.recognise(service) is None
    text = tmp_path / "memory.db"
    text.write_text("no database")
    assert BaseCoat.recognise(text) is None
    assert BaseCoat.recognise(tmp_path) is None


def test_a_store_is_found_at_the_usual_paths_of_a_folder(tmp_path: Path) -> None:
    path = make(tmp_path / ".basecoat" / "memory.db")
    assert registry.find(tmp_path) == [(BaseCoat, path)]


def test_a_new_store_is_private_empty_and_recognised(tmp_path: Path) -> None:
    root = BaseCoat.create(tmp_path / ".basecoat" / "memory.db")
    assert BaseCoat.recognise(root) == root
    assert (root.stat().st_mode & 0o777, root.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    store = BaseCoat(root)
    reading = store.read()
    assert (reading.records, reading.links, reading.findings) == ([], [], [])
    plan = add(store, content="Hello there.", subject="greeting")
    assert store.read().records[0].fields["tier"] == "l4"
    undo(store, plan)
    assert store.read().records == []


# -- read


def test_a_row_reads_as_a_memory(store: BaseCoat) -> None:
    found = record(store, TESTS)
    assert dict(found.fields) == {
        "category": "convention",
        "subject": "testing",
        "content": "Run pwsh tests/run-tests.ps1 before merge.",
        "confidence": 0.9,
        "status": "confirmed",
        "source_ref": "docs/CONTRIBUTING.md",
        "tier": "l1",
        "heat": "hot",
        "pinned": True,
        "promotion_count": 2,
        "times_used": 12,
        "created_at": 1768032000.0,
        "updated_at": None,
        "last_used_at": 1772357400.0,
        "expires_at": None,
        "extra": {"last_promoted_at": "2026-02-20T10:00:00Z"},
    }
    assert (found.anchor, found.place, found.removed_at) == (TESTS, f"row {TESTS}", None)


def test_a_healthy_store_reads_without_a_finding(store: BaseCoat, older: BaseCoat) -> None:
    for adapter in (store, older):
        reading = adapter.read()
        assert {found.ref for found in reading.records} == {row["id"] for row in MEMORIES}
        assert all(set(found.fields) <= RECORD_FIELDS for found in reading.records)
        assert reading.findings == []
    assert links(store) == {
        (TESTS, "supports", FEED),
        (SQLITE, "refines", TESTS),
        (TABS, "contradicts", OLD),
    }
    assert links(older) == set()


def test_a_confidence_of_zero_reads_as_dismissed(store: BaseCoat) -> None:
    assert record(store, OLD).fields["status"] == "dismissed"
    assert record(store, TABS).fields["status"] == "confirmed"


def test_reading_changes_no_byte_and_leaves_no_file(store: BaseCoat) -> None:
    before, files = file_hashes(store.root), set(store.root.parent.iterdir())
    with store.snapshot() as snapshot:
        list(snapshot.read(snapshot.fingerprints.keys()))
    store.read()
    store.fingerprint()
    store.locked_reason()
    assert store.support_for("pin").kind is SupportKind.NATIVE
    assert (file_hashes(store.root), set(store.root.parent.iterdir())) == (before, files)


@pytest.mark.parametrize(
    ("confidence", "read", "status", "invalid"),
    [
        (1.3, 1.0, "confirmed", True),
        (-0.5, 0.0, "dismissed", True),
        (85, 1.0, "confirmed", True),
        ("0.8", 0.8, "confirmed", False),
        ("high", None, "confirmed", True),
        ("nan", None, "confirmed", True),
        (b"\xff", None, "confirmed", True),
        (None, None, "confirmed", False),
        (0, 0.0, "dismissed", False),
    ],
)
def test_a_confidence_is_clamped_and_an_invalid_one_is_a_finding(
    tmp_path: Path, confidence: Any, read: float | None, status: str, invalid: bool
) -> None:
    found, findings = read_row(tmp_path, confidence=confidence)
    assert (found.fields["confidence"], found.fields["status"]) == (read, status)
    assert ("odd-confidence" in findings) == invalid


@pytest.mark.parametrize(
    ("column", "raw", "field", "read", "code"),
    [
        ("category", "pattern", "category", "pattern", "odd-category"),
        ("category", None, "category", None, "odd-category"),
        ("tier", "L2", "tier", "L2", "odd-tier"),
        ("tier", 7, "tier", "7", "odd-tier"),
        ("heat", "boiling", "heat", "boiling", "odd-heat"),
        ("heat", "cold", "heat", "cold", "odd-heat"),
        ("pinned", "yes", "pinned", True, "odd-pinned"),
        ("content", b"caf\xc3\xa9\x00", "content", "café\ufffd", "odd-content"),
        ("content", 42, "content", "42", "odd-content"),
        ("created_at", "yesterday", "created_at", None, "odd-time"),
        ("last_accessed", b"\xff\xfe", "last_used_at", None, "odd-time"),
        ("created_at", 1768032000, "created_at", 1768032000.0, ""),
        ("created_at", 1768032000123, "created_at", 1768032000.123, ""),
        ("created_at", "2026-01-10 08:00:00", "created_at", 1768032000.0, ""),
        ("created_at", "2026-01-10T09:00:00+01:00", "created_at", 1768032000.0, ""),
        ("tier", None, "tier", None, ""),
        ("heat", None, "heat", None, ""),
        ("promotion_count", "many", "promotion_count", 0, ""),
    ],
)
def test_invalid_values_are_read_as_far_as_possible_with_a_finding(
    tmp_path: Path, column: str, raw: Any, field: str, read: Any, code: str
) -> None:
    found, findings = read_row(tmp_path, **{column: raw})
    assert found.fields[field] == read
    assert findings == ({code: f"row {TESTS}"} if code else {})


@pytest.mark.parametrize(
    ("uses", "heat"), [(0, "cold"), (2, "cold"), (3, "warm"), (9, "warm"), (10, "hot"), (900, "hot")]
)
def test_heat_follows_the_use_count(tmp_path: Path, uses: int, heat: str) -> None:
    assert read_row(tmp_path, access_count=uses, heat=heat)[1] == {}


def test_text_that_is_not_utf8_is_read_with_a_finding(store: BaseCoat) -> None:
    execute(store.root, f"UPDATE memories SET content = CAST(x'41ff42' AS TEXT) WHERE id = '{TABS}'")
    assert record(store, TABS).fields["content"] == "A\ufffdB"
    assert codes(store) == ["bad-utf8"]
    assert refusal_of(store, "edit", TABS, content="AB").code == "not-utf8"


def test_the_embedding_is_not_shown_and_its_change_is_not_a_change_of_the_memory(store: BaseCoat) -> None:
    with store.snapshot() as snapshot:
        before = dict(snapshot.fingerprints)
    execute(store.root, "UPDATE memories SET embedding = zeroblob(3072)")
    with store.snapshot() as snapshot:
        assert snapshot.fingerprints == before
    assert "embedding" not in record(store, TESTS).fields["extra"]


def test_unknown_columns_are_read_as_extra_and_survive_changes(tmp_path: Path) -> None:
    unknown = {"team": "Ünïcode ☕", "sha": b"\x01\x02", "sp ace": 3.5, "none": None}
    found, _ = read_row(tmp_path, **unknown)
    extra = {"team": "Ünïcode ☕", "sha": b"\x01\x02", "sp ace": 3.5}
    assert found.fields["extra"] == extra | {"last_promoted_at": "2026-02-20T10:00:00Z"}
    store = BaseCoat(tmp_path / "memory.db")
    before = rows_in(store.root)
    for action in ("edit", "delete"):
        plan = apply_change(store, action, TESTS, content="Other.")
        undo(store, plan)
        assert list(rows_in(store.root)["memories"].values()) == list(before["memories"].values())


def test_every_row_has_its_own_ref_even_without_a_unique_id(tmp_path: Path) -> None:
    rows = [
        {**MEMORIES[0], "id": id, "content": f"Text {n}."} for n, id in enumerate(("a", "a", None, 7, b"b"))
    ]
    store = BaseCoat(
        make(tmp_path / "memory.db", rows, columns=UNTYPED_COLUMNS, relations=[("a", "7", "supports")])
    )
    assert [(found.ref, found.anchor) for found in store.read().records] == [
        ("rowid:1", "a"),
        ("rowid:2", "a"),
        ("rowid:3", ""),
        ("7", "7"),
        ("rowid:5", ""),
    ]
    assert codes(store) == ["doubled-id", "doubled-id", "no-id", "no-id"]
    for number, ref in enumerate(("rowid:2", "rowid:3", "7", "rowid:5")):
        before = rows_in(store.root)
        edited, deleted = (
            apply_change(store, "edit", ref, content=f"New {number}."),
            apply_change(store, "delete", ref),
        )
        assert record_texts(store).count(f"New {number}.") == 0
        undo(store, deleted)
        assert record(store, ref).fields["content"] == f"New {number}."
        undo(store, edited)
        assert rows_in(store.root) == before


def test_invalid_relations_are_shown_with_a_finding(tmp_path: Path) -> None:
    relations = [
        (TESTS, "gone", "supports"),
        ("gone", FEED, "refines"),
        (FEED, FEED, "contradicts"),
        (FEED, TABS, "relates_to"),
        (TABS, FEED, None),
    ]
    store = BaseCoat(make(tmp_path / "memory.db", relations=relations))
    assert (FEED, "relates_to", TABS) in links(store)
    assert (TABS, "related", FEED) in links(store)
    assert codes(store) == ["dangling", "dangling", "odd-relation", "odd-relation", "self-relation"]
    texts = {finding.text for finding in store.read().findings}
    assert "Relations of a kind unknown to Base Coat (“relates_to”): 1." in texts
    for source, kind, target in sorted(link for link in links(store) if link[0] != "gone"):
        plan = apply_change(store, "unrelate", source, Link(source, kind, target))
        assert (source, kind, target) not in links(store)
        undo(store, plan)
        assert (source, kind, target) in links(store)


def test_a_missing_table_of_memories_is_an_error_and_not_an_empty_store(store: BaseCoat) -> None:
    execute(store.root, "DROP TABLE memories")
    with pytest.raises(Refused) as refusal:
        store.read()
    assert refusal.value.code == "unknown-schema"


def test_a_table_without_rowids_is_read_and_changed(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    described = ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())
    execute(path, f"CREATE TABLE memories ({described}) WITHOUT ROWID")
    execute(
        path,
        "INSERT INTO memories (id, category, subject, content, created_at)"
        " VALUES ('a', 'fact', 's', 'T', '2026-01-01')",
    )
    store = BaseCoat(path)
    with store.snapshot() as snapshot:
        (reading,) = snapshot.read(snapshot.fingerprints.keys())
    assert [found.ref for found in reading.records] == ["a"]
    undo(store, apply_change(store, "edit", "a", content="U"))
    assert record(store, "a").fields["content"] == "T"
