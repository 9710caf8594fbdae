"""Founder OS: how databases are recognised and their rows are read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memtui.errors import Refused
from memtui.formats.contract.records import Record
from memtui.formats.founder_os import FounderOs
from memtui.memory.memory import RECORD_FIELDS
from tests.support.stores.databases import execute
from tests.support.stores.founder_os import (
    ACME,
    FRIDAY,
    JOHN,
    MEMORIES,
    NEWS,
    REVIEW,
    SEED_COLUMNS,
    SHIPPED_COLUMNS,
    UNTYPED_COLUMNS,
    make,
)
from tests.support.stores.row_changes import apply_change


def read_row(tmp_path: Path, **values: Any) -> tuple[Record, dict[str, str]]:
    """Read a store with a single row of these values; return the record and its findings (code → place)."""
    row = {**MEMORIES[0], **values}
    columns = UNTYPED_COLUMNS | dict.fromkeys(row, "")
    path = make(tmp_path / "memory.db", [row], columns=columns, adaptations=())
    reading = FounderOs(path).read()
    assert len(reading.records) == 1
    return reading.records[0], {finding.code: finding.place for finding in reading.findings}


# -- recognise


@pytest.mark.parametrize("columns", [SEED_COLUMNS, SHIPPED_COLUMNS], ids=["seed", "shipped"])
def test_both_schemas_are_recognised_under_any_file_name(tmp_path: Path, columns: Any) -> None:
    path = make(tmp_path / "whatever.bin", columns=columns)
    assert FounderOs.recognise(path) == path


def test_a_store_without_side_tables_is_recognised(tmp_path: Path) -> None:
    assert FounderOs.recognise(make(tmp_path / "memory.db", side_tables=False))


def test_memories_tables_of_other_formats_are_not_recognised(tmp_path: Path) -> None:
    base_coat = (
        "CREATE TABLE memories (id, category, subject, content, source, confidence, tier, heat, pinned)"
    )
    service = "CREATE TABLE memories (id, content_hash, content, tags, memory_type, metadata, confidence)"
    notes = "CREATE TABLE notes (id, body)"
    for number, table in enumerate((base_coat, service, notes)):
        path = tmp_path / str(number) / "memory.db"
        path.parent.mkdir()
        execute(path, table)
        assert FounderOs.recognise(path) is None


# -- read


def test_a_row_reads_as_a_memory(store: FounderOs) -> None:
    record = store.read_refs([ACME])[ACME]
    assert dict(record.fields) == {
        "key": "acme-payment-terms",
        "category": "fact",
        "content": "Acme Corp pays invoices on net-30 terms.",
        "confidence": 0.85,
        "status": "applied",
        "company_id": "notion-acme",
        "tags": ("invoices", "payment"),
        "source_type": "plugin",
        "source_ref": "P11",
        "times_used": 7,
        "times_confirmed": 3,
        "created_at": 1_760_000_000.0,
        "updated_at": 1_761_000_000.0,
        "last_used_at": 1_762_000_000.0,
        "expires_at": None,
    }
    assert (record.anchor, record.place, record.removed_at) == (
        "acme-payment-terms",
        "row acme-payment-terms",
        None,
    )


@pytest.mark.parametrize("columns", [SEED_COLUMNS, SHIPPED_COLUMNS], ids=["seed", "shipped"])
def test_a_healthy_store_reads_without_a_finding(tmp_path: Path, columns: Any) -> None:
    reading = FounderOs(make(tmp_path / "memory.db", columns=columns)).read()
    assert {record.ref for record in reading.records} == {ACME, NEWS, FRIDAY, JOHN, REVIEW}
    assert all(set(record.fields) <= RECORD_FIELDS for record in reading.records)
    assert reading.findings == []
    assert reading.links == []


def test_read_refs_reads_only_the_requested_records(store: FounderOs) -> None:
    assert set(store.read_refs([JOHN, "gone", NEWS])) == {JOHN, NEWS}
    assert store.read_refs([]) == {}


@pytest.mark.parametrize(
    ("plugin", "kind"),
    [
        ("User", "user"),
        ("user", "user"),
        ("System", "system"),
        ("pattern-detection", "system"),
        ("P07", "plugin"),
        ("my-tool", "plugin"),
        (None, None),
    ],
)
def test_the_source_plugin_gives_source_type_and_ref(
    tmp_path: Path, plugin: str | None, kind: str | None
) -> None:
    record, _ = read_row(tmp_path, source_plugin=plugin)
    assert (record.fields["source_type"], record.fields["source_ref"]) == (kind, plugin)


@pytest.mark.parametrize(
    ("raw", "read", "invalid"),
    [
        (0, 0.0, False),
        (100, 1.0, False),
        (None, None, False),
        ("80", 0.8, False),
        (72.5, 0.725, False),
        (150, 1.0, True),
        (-3, 0.0, True),
        (0.8, 0.008, True),
        ("high", None, True),
        (b"80", 0.8, False),
    ],
)
def test_a_confidence_is_clamped_and_an_invalid_one_is_a_finding(
    tmp_path: Path, raw: Any, read: float | None, invalid: bool
) -> None:
    record, findings = read_row(tmp_path, confidence=raw)
    assert record.fields["confidence"] == read
    assert ("odd-confidence" in findings) is invalid


@pytest.mark.parametrize("status", ["archived", None, 3, b"x"])
def test_an_unknown_status_shows_as_candidate_and_is_kept(tmp_path: Path, status: Any) -> None:
    record, findings = read_row(tmp_path, status=status)
    assert record.fields["status"] == "candidate"
    assert record.fields.get("extra", {}).get("status") == status
    assert findings["odd-status"] == "row acme-payment-terms"


def test_an_unknown_category_is_shown_as_it_is(tmp_path: Path) -> None:
    record, findings = read_row(tmp_path, category="rumour")
    assert record.fields["category"] == "rumour"
    assert "odd-category" in findings


@pytest.mark.parametrize(
    ("raw", "read", "invalid"),
    [
        (None, (), False),
        ("[]", (), False),
        ("", (), False),
        ("null", (), False),
        ('["a","b"]', ("a", "b"), False),
        ("email, archiving ,", ("email", "archiving"), False),
        ('"email"', ("email",), False),
        ('["a", 1]', (), True),
        ('["a"', (), True),
        ("{}", (), True),
        ("[" * 100_000, (), True),
        (7, (), True),
    ],
)
def test_invalid_tags_are_read_as_far_as_possible(
    tmp_path: Path, raw: Any, read: tuple[str, ...], invalid: bool
) -> None:
    record, findings = read_row(tmp_path, tags=raw)
    assert record.fields["tags"] == read
    assert ("odd-tags" in findings) is invalid
    assert record.fields.get("extra", {}).get("tags") == (raw if invalid else None)


@pytest.mark.parametrize(
    "raw",
    [
        1_760_000_000,
        1_760_000_000.0,
        1_760_000_000_000,
        "1760000000",
        "2025-10-09 08:53:20",
        "2025-10-09T08:53:20Z",
        "2025-10-09T10:53:20+02:00",
    ],
)
def test_times_are_read_in_every_form(tmp_path: Path, raw: Any) -> None:
    record, findings = read_row(tmp_path, created_at=raw, expires_at=raw)
    assert record.fields["created_at"] == record.fields["expires_at"] == 1_760_000_000.0
    assert findings == {}


def test_an_unreadable_time_is_none_and_a_finding(tmp_path: Path) -> None:
    record, findings = read_row(tmp_path, last_used_at="last tuesday")
    assert record.fields["last_used_at"] is None
    assert "odd-time" in findings


@pytest.mark.parametrize(
    ("raw", "text"),
    [(b"from a blob", "from a blob"), (42, "42"), (None, ""), ("a\0b", "a\ufffdb")],
)
def test_content_that_is_not_text_is_shown_as_far_as_possible(tmp_path: Path, raw: Any, text: str) -> None:
    record, findings = read_row(tmp_path, content=raw)
    assert record.fields["content"] == text
    assert "odd-content" in findings


def test_text_that_is_not_utf8_is_read_with_a_finding(store: FounderOs) -> None:
    execute(store.root, f"UPDATE memories SET content = CAST(x'41ff42' AS TEXT) WHERE id = '{NEWS}'")
    reading = store.read()
    assert {r.ref: r.fields["content"] for r in reading.records}[NEWS] == "A\ufffdB"
    assert [(f.code, f.place) for f in reading.findings] == [("bad-utf8", "row user-pref-newsletter-archive")]


def test_the_embedding_is_not_shown_and_its_change_is_not_a_change_of_the_memory(store: FounderOs) -> None:
    before = store.read_refs([ACME])[ACME]
    execute(store.root, f"UPDATE memories SET embedding = '[9.0]' WHERE id = '{ACME}'")
    after = store.read_refs([ACME])[ACME]
    assert "embedding" not in str(before.fields)
    assert before.digest == after.digest


def test_unknown_columns_are_kept_in_extra(tmp_path: Path) -> None:
    record, _ = read_row(
        tmp_path, mood="calm", vector=b"\x00\x01", notion_page_id="n-1", last_synced_at="2026-01-01"
    )
    assert record.fields["extra"] == {
        "mood": "calm",
        "vector": b"\x00\x01",
        "notion_page_id": "n-1",
        "last_synced_at": "2026-01-01",
    }


@pytest.mark.parametrize(
    ("raw", "removed"),
    [(1_762_000_000, 1_762_000_000.0), ("2025-11-01 12:26:40", 1_762_000_000.0), ("yes", 1_761_000_000.0)],
)
def test_a_row_deleted_by_founder_os_is_removed(tmp_path: Path, raw: Any, removed: float) -> None:
    record, _ = read_row(tmp_path, deleted_at=raw)
    assert record.removed_at == removed


def test_missing_and_duplicate_keys_are_read_with_a_finding(tmp_path: Path) -> None:
    rows = [
        {**MEMORIES[0], "id": f"id-{n}", "key": key} for n, key in enumerate(["same", "same", None, None])
    ]
    reading = FounderOs(make(tmp_path / "memory.db", rows, columns=UNTYPED_COLUMNS, adaptations=())).read()
    assert [record.ref for record in reading.records] == ["id-0", "id-1", "id-2", "id-3"]
    assert [finding.code for finding in reading.findings] == ["no-key", "no-key", "doubled-key"]
    assert [finding.place for finding in reading.findings] == ["row id-2", "row id-3", "row same"]


def test_every_row_has_its_own_ref_even_without_a_unique_id(tmp_path: Path) -> None:
    ids = ["twice", "twice", None, None, 12, "12", b"blob", "rowid:1", "", "fine"]
    rows = [{**MEMORIES[0], "id": id_, "key": f"k-{n}"} for n, id_ in enumerate(ids)]
    store = FounderOs(make(tmp_path / "memory.db", rows, columns=UNTYPED_COLUMNS, adaptations=()))
    refs = [record.ref for record in store.read().records]
    assert refs == [*(f"rowid:{n}" for n in range(1, 10)), "fine"]
    assert set(store.read_refs(refs)) == set(refs)
    apply_change(store, "edit", "rowid:2", content="Only this one.")
    assert [r.fields["content"] for r in store.read().records].count("Only this one.") == 1


def test_integer_ids_are_read_and_changed(tmp_path: Path) -> None:
    columns = SHIPPED_COLUMNS | {"id": "INTEGER PRIMARY KEY"}
    rows = [{**MEMORIES[0], "id": 5}, {**MEMORIES[1], "id": 6}]
    store = FounderOs(make(tmp_path / "memory.db", rows, columns=columns, adaptations=()))
    assert set(store.read_refs(["5", "6"])) == {"5", "6"}
    apply_change(store, "dismiss", "6")
    assert store.read_refs(["6"])["6"].fields["status"] == "dismissed"


def test_a_dangling_adaptation_is_a_finding(tmp_path: Path) -> None:
    lost = {"id": "ad02", "memory_id": "gone", "plugin": "P1", "description": "x", "applied_at": 1}
    path = make(tmp_path / "memory.db", adaptations=(lost, {**lost, "id": "ad03"}))
    findings = FounderOs(path).read().findings
    assert [finding.code for finding in findings] == ["dangling"]
    assert "gone" in findings[0].text
    assert findings[0].text.endswith("(gone): 2.")


def test_missing_side_tables_are_findings_and_memories_are_read(tmp_path: Path) -> None:
    store = FounderOs(make(tmp_path / "memory.db", side_tables=False))
    reading = store.read()
    assert len(reading.records) == len(MEMORIES)
    assert [finding.code for finding in reading.findings] == ["missing-table", "missing-table"]
    assert store.locked_reason() == ""


def test_a_missing_table_of_memories_is_an_error_and_not_an_empty_store(store: FounderOs) -> None:
    execute(store.root, "ALTER TABLE memories RENAME TO old_memories")
    with pytest.raises(Refused, match="no longer a Founder OS store") as refusal:
        store.read()
    assert refusal.value.code == "unknown-schema"
