"""mem-skill: how databases are recognised and their rows are read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memtui.errors import Refused
from memtui.formats.contract.plans import Plan, Write
from memtui.formats.contract.records import Record
from memtui.formats.mem_skill import MemSkill
from memtui.memory.memory import RECORD_FIELDS
from tests.formats.mem_skill.support import codes, value
from tests.support.stores import file_hashes
from tests.support.stores.databases import execute, query
from tests.support.stores.mem_skill import (
    CITY,
    COLUMNS,
    FACTS,
    GONE,
    HISTORY_ROW,
    LANGUAGE,
    NUTS,
    OLD_CITY,
    TABS,
    TASK,
    UNTYPED_COLUMNS,
    fact,
    fts_keys,
    make,
    rows_in,
)
from tests.support.stores.row_changes import NOW, apply_change, plan_change, undo


def read_row(tmp_path: Path, **values: Any) -> tuple[Record, set[str]]:
    """Read a store with a single fact of these values; return the record and the codes of its findings."""
    row = {**FACTS[0], **values}
    columns = UNTYPED_COLUMNS | dict.fromkeys(row, "")
    path = make(tmp_path / "mem.db", [row], columns=columns, history_rows=(), archived=())
    reading = MemSkill(path).read()
    assert len(reading.records) == 1
    return reading.records[0], {finding.code for finding in reading.findings}


# -- recognise


def test_a_store_is_recognised_by_its_table_of_facts(tmp_path: Path) -> None:
    path = make(tmp_path / "whatever.bin", search=(), history="", archive="")
    assert MemSkill.recognise(path) == path


def test_facts_tables_of_other_programs_are_not_recognised(tmp_path: Path) -> None:
    execute(tmp_path / "mem.db", "CREATE TABLE facts (id, subject, predicate, object, confidence, status)")
    assert MemSkill.recognise(tmp_path / "mem.db") is None


def test_a_created_store_is_recognised_and_usable(tmp_path: Path) -> None:
    store = MemSkill(MemSkill.create(tmp_path / "new" / "mem.db"))
    assert MemSkill.recognise(store.root) == store.root
    assert store.root.stat().st_mode & 0o777 == 0o600
    assert store.read().findings == []
    before = rows_in(store.root)
    added = apply_change(store, "add", content="Lives by the sea.", key="home")
    edited = apply_change(store, "edit", str(added.ref_after), content="Lives in the hills.")
    assert fts_keys(store.root, "hills") == {"home"}
    assert fts_keys(store.root, "sea") == set()
    undo(store, edited)
    undo(store, added)
    assert {t: r for t, r in rows_in(store.root).items() if "fts" not in t} == {
        t: r for t, r in before.items() if "fts" not in t
    }
    assert store.read().findings == []


# -- read


def test_a_row_reads_as_a_memory(store: MemSkill) -> None:
    record = store.read_refs([CITY])[CITY]
    assert dict(record.fields) == {
        "owner": "mira",
        "key": "home_city",
        "category": "identity",
        "content": "Lives in Lisbon since the spring.",
        "value": {"city": "Lisbon", "since": 2025},
        "confidence": 0.92,
        "status": "confirmed",
        "source_ref": "turn-7",
        "source_excerpt": "I moved to Lisbon \U0001f1f5\U0001f1f9 in \u201cMarch\u201d",
        "event_time": 1_741_996_800.0,
        "valid_from": 1_759_305_600.0,
        "valid_to": None,
        "created_at": 1_759_305_600.0,
        "updated_at": 1_759_305_600.0,
        "extra": {"embedding_id": "emb-1"},
    }
    assert (record.anchor, record.place, record.removed_at) == (CITY, "fact home_city", None)


def test_a_healthy_store_is_read_completely_and_without_a_finding(store: MemSkill) -> None:
    reading = store.read()
    assert reading.findings == []
    assert {record.ref: record.fields["status"] for record in reading.records} == {
        CITY: "confirmed",
        OLD_CITY: "superseded",
        NUTS: "confirmed",
        TABS: "confirmed",
        TASK: "pending",
        LANGUAGE: "expired",
        GONE: "superseded",
    }
    assert all(set(record.fields) <= RECORD_FIELDS for record in reading.records)
    side_records = {(record.kind, record.about, record.text) for record in reading.side_records}
    assert side_records == {
        (
            "history",
            OLD_CITY,
            "supersede: “Lives in Porto.” → “Lives in Lisbon since the spring.” (moved)",
        ),
        ("archived", OLD_CITY, "In facts_archive: Lived in Porto once."),
    }


def test_reading_changes_no_byte(store: MemSkill) -> None:
    before = file_hashes(store.root)
    store.read()
    with store.snapshot() as snapshot:
        list(snapshot.read(snapshot.fingerprints))
    store.support_for("edit", "content")
    assert file_hashes(store.root) == before


@pytest.mark.parametrize("archive", ["archive", "archived_facts", "long_gone"])
def test_an_archive_is_recognised_by_its_columns(tmp_path: Path, archive: str) -> None:
    store = MemSkill(make(tmp_path / "mem.db", archive=archive))
    record = store.read_refs([GONE])[GONE]
    assert record.fields["content"] == "Used Emacs."
    assert record.anchor == GONE
    for action in ("edit", "dismiss", "confirm", "delete", "restore"):
        with pytest.raises(Refused, match="the fact is archived") as refusal:
            plan_change(store, action, record.ref, content="x")
        assert refusal.value.code == "archived"


def test_an_archived_version_counts_once_and_the_last_is_shown(tmp_path: Path) -> None:
    rows = [fact(GONE, "editor", text, status=status) for text, status in (("ed.", "active"), ("vi.", None))]
    reading = MemSkill(make(tmp_path / "mem.db", archived=rows)).read()
    (record,) = [record for record in reading.records if record.ref == GONE]
    assert (record.fields["content"], record.fields["status"]) == ("vi.", "superseded")
    assert [a.text for a in reading.side_records if a.about == GONE] == ["In facts_archive: ed."]
    assert reading.findings == []


@pytest.mark.parametrize(
    ("raw", "read", "invalid"),
    [
        (0, 0.0, False),
        (1, 1.0, False),
        (None, None, False),
        ("0.8", 0.8, False),
        (1.3, 1.0, True),
        (-0.1, 0.0, True),
        ("sure", None, True),
        (b"0.5", 0.5, False),
    ],
)
def test_a_confidence_is_clamped_and_an_invalid_one_is_a_finding(
    tmp_path: Path, raw: Any, read: float | None, invalid: bool
) -> None:
    record, findings = read_row(tmp_path, confidence=raw)
    assert record.fields["confidence"] == read
    assert ("odd-confidence" in findings) is invalid


@pytest.mark.parametrize("status", ["archived", "Active", None, 3, b"active"])
def test_an_unknown_status_shows_as_pending_and_is_kept(tmp_path: Path, status: Any) -> None:
    record, findings = read_row(tmp_path, status=status)
    assert record.fields["status"] == "pending"
    assert record.fields["extra"].get("status") == status
    assert "odd-status" in findings


@pytest.mark.parametrize(
    ("raw", "read", "invalid"),
    [
        (None, None, False),
        ("", None, False),
        ("null", None, False),
        ("[1, 2.5]", [1, 2.5], False),
        ('"a \\ud800"', "a \ufffd", False),
        (7, 7, False),
        (b'{"a": 1}', {"a": 1}, False),
        ("{'a': 1}", None, True),
        ("[" * 100_000, None, True),
    ],
)
def test_a_value_is_read_as_json_or_as_extra_text(tmp_path: Path, raw: Any, read: Any, invalid: bool) -> None:
    record, findings = read_row(tmp_path, value_json=raw)
    assert record.fields["value"] == read
    assert ("odd-json" in findings) is invalid
    assert record.fields["extra"].get("value_json") == (raw if invalid else None)


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"category": "preference"}, "odd-category"),
        ({"valid_from": "once"}, "odd-time"),
        ({"valid_to": "2020-01-01T00:00:00Z"}, "odd-validity"),
        ({"key": ""}, "no-key"),
        ({"key": None}, "no-key"),
        ({"value_text": b"blob"}, "odd-content"),
        ({"value_text": None}, "odd-content"),
        ({"value_text": "a\0b"}, "odd-content"),
        ({"fact_id": None}, "no-id"),
    ],
)
def test_invalid_values_are_findings(tmp_path: Path, values: dict[str, Any], code: str) -> None:
    _, findings = read_row(tmp_path, **values)
    assert findings == {code}


def test_an_expired_validity_does_not_change_the_status(tmp_path: Path) -> None:
    record, findings = read_row(tmp_path, valid_from="2001-01-01", valid_to="2002-01-01")
    assert record.fields["status"] == "confirmed"
    assert findings == set()


def test_a_fact_without_text_shows_its_value(tmp_path: Path) -> None:
    record, findings = read_row(tmp_path, value_text="", value_json='{"a": 1}')
    assert record.fields["content"] == '{"a": 1}'
    assert findings == {"odd-content"}


def test_unknown_columns_survive_a_change(tmp_path: Path) -> None:
    columns = COLUMNS | {"mood": "", "vector": "BLOB"}
    row = {**FACTS[0], "mood": "calm", "vector": b"\0\1"}
    store = MemSkill(make(tmp_path / "mem.db", [row], columns=columns))
    assert store.read_refs([CITY])[CITY].fields["extra"] == {
        "embedding_id": "emb-1",
        "mood": "calm",
        "vector": b"\0\1",
    }
    before = rows_in(store.root)
    plan = apply_change(store, "delete", CITY)
    undo(store, plan)
    assert rows_in(store.root)["facts"] == before["facts"]


def test_columns_may_be_missing(tmp_path: Path) -> None:
    columns = {
        name: COLUMNS[name]
        for name in ("fact_id", "user_id", "key", "value_text", "category", "confidence", "status")
    }
    rows = [{name: row[name] for name in columns} for row in FACTS]
    store = MemSkill(make(tmp_path / "mem.db", rows, columns=columns, search=(), archive=""))
    assert store.read_refs([CITY])[CITY].fields["updated_at"] is None
    before = rows_in(store.root)
    plans = [
        apply_change(store, "edit", CITY, content="Other.", valid_to=NOW),
        apply_change(store, "dismiss", NUTS),
    ]
    assert value(store, NUTS, "status") == "expired"
    undo(store, *plans[::-1])
    assert rows_in(store.root) == before
    apply_change(store, "add", content="New.")


def test_every_row_has_its_own_ref_even_without_a_unique_id(tmp_path: Path) -> None:
    ids = ["twice", "twice", None, 12, "12", b"blob", "rowid:1", "archive:x", "a\0b", "", "fine"]
    rows = [{**FACTS[0], "fact_id": id_, "key": f"k-{n}"} for n, id_ in enumerate(ids)]
    store = MemSkill(make(tmp_path / "mem.db", rows, columns=UNTYPED_COLUMNS, archived=()))
    refs = [record.ref for record in store.read().records]
    assert refs == [*(f"rowid:{n}" for n in range(1, 11)), "fine"]
    assert set(store.read_refs(refs)) == set(refs)
    before = rows_in(store.root)
    plan = apply_change(store, "edit", "rowid:2", content="Only this one.")
    assert [r.fields["content"] for r in store.read().records].count("Only this one.") == 1
    deleted = apply_change(store, "delete", "rowid:3")
    undo(store, deleted, plan)
    assert rows_in(store.root)["facts"] == before["facts"]


def test_integer_ids_are_read_added_and_changed(tmp_path: Path) -> None:
    columns = COLUMNS | {"fact_id": "INTEGER PRIMARY KEY"}
    rows = [{**row, "fact_id": n} for n, row in enumerate(FACTS, 5)]
    store = MemSkill(make(tmp_path / "mem.db", rows, columns=columns, archived=()))
    assert set(store.read_refs(["5", "6"])) == {"5", "6"}
    before = rows_in(store.root)
    plans = store.plan([Write("add", "", {"content": text}, {}, NOW) for text in ("One.", "Two.")])
    added = [plan for plan in plans if isinstance(plan, Plan)]
    store.apply(added, "t")
    assert [plan.ref_after for plan in added] == ["11", "12"]
    deleted = apply_change(store, "delete", "7")
    undo(store, deleted)
    undo(store, *added[::-1])
    assert rows_in(store.root)["facts"] == before["facts"]


def test_text_that_is_not_utf8_is_read_with_a_finding_and_kept(tmp_path: Path) -> None:
    store = MemSkill(make(tmp_path / "mem.db", search=()))
    execute(store.root, f"UPDATE facts SET value_text = CAST(x'41ff42' AS TEXT) WHERE fact_id = '{NUTS}'")
    assert store.read_refs([NUTS])[NUTS].fields["content"] == "A\ufffdB"
    assert "bad-utf8" in codes(store)
    with pytest.raises(Refused, match="not valid UTF-8"):
        plan_change(store, "edit", NUTS, content="Clean.")
    sql = "SELECT fact_id, CAST(value_text AS BLOB), status, valid_to, updated_at FROM facts"
    before = query(store.root, sql)
    undo(store, apply_change(store, "dismiss", NUTS))
    assert query(store.root, sql) == before


def test_double_dangling_and_missing_facts_are_findings(tmp_path: Path) -> None:
    rows = [*FACTS, fact("other", "home_city", "Lives in Rome.")]
    dangling = {**HISTORY_ROW, "fact_id": "nobody"}
    store = MemSkill(make(tmp_path / "mem.db", rows, history_rows=(HISTORY_ROW, dangling, dangling)))
    assert codes(store) == {
        "two-values": "Active facts of mira have conflicting values for “home_city”.",
        "dangling-history": "Facts that remain only in fact_history: 1.",
    }
    bare = MemSkill(make(tmp_path / "bare.db", search=(), history="", archive=""))
    assert codes(bare).keys() == {"no-search", "no-history"}


def test_a_missing_table_of_facts_is_an_error_and_not_an_empty_store(tmp_path: Path) -> None:
    store = MemSkill(
        make(tmp_path / "mem.db", search=(), statements=("ALTER TABLE facts RENAME TO old_facts",))
    )
    with pytest.raises(Refused, match="no longer a mem-skill store") as refusal:
        store.read()
    assert refusal.value.code == "unknown-schema"
