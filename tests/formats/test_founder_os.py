"""Founder OS's memory.db: how its rows read, and what each action makes of them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.errors import Conflict, Refused
from memtui.formats.contract.adapter import How, Planned, Record, Write
from memtui.formats.founder_os import FounderOs
from memtui.formats.founder_os.writer import slug
from memtui.memory.memory import RECORD_FIELDS
from tests.support.sizes import examples, turn
from tests.support.stores import bytes_of, changes, rows_in
from tests.support.stores.databases import alter, asked
from tests.support.stores.founder_os import (
    ACME,
    FRIDAY,
    JOHN,
    MEMORIES,
    NEWS,
    ODD_COLUMNS,
    REVIEW,
    SEED_COLUMNS,
    SHIPPED_COLUMNS,
    make,
)

NOW = 1_800_000_000.75


@pytest.fixture
def store(tmp_path: Path) -> FounderOs:
    return FounderOs(make(tmp_path / ".memory" / "memory.db"))


def one(tmp_path: Path, **odd: Any) -> tuple[Record, dict[str, str]]:
    """A single row with these values, as it reads, and what was found odd (code → place)."""
    row = {**MEMORIES[0], **odd}
    columns = ODD_COLUMNS | dict.fromkeys(row, "")
    path = make(tmp_path / "memory.db", [row], columns=columns, adaptations=())
    reading = FounderOs(path).read()
    assert len(reading.records) == 1
    return reading.records[0], {finding.code: finding.place for finding in reading.findings}


def planned(store: FounderOs, action: str, ref: str = "", **fields: Any) -> Planned:
    """The plan of one change, or the refusal raised."""
    plan = store.plan([Write(action, ref, fields, {}, NOW)])[0]
    if isinstance(plan, Refused):
        raise plan
    return plan


def done(store: FounderOs, action: str, ref: str = "", **fields: Any) -> Planned:
    """One change, carried out."""
    plan = planned(store, action, ref, **fields)
    store.carry_out([plan], "t")
    return plan


def undone(store: FounderOs, plan: Planned) -> Planned:
    """The change taken back."""
    back = store.reverse([plan])[0]
    if isinstance(back, Refused):
        raise back
    store.carry_out([back], "t")
    return back


def value(store: FounderOs, ref: str, column: str) -> Any:
    return next(row[column][1] for row in rows_in(store.root)["memories"].values() if row["id"][1] == ref)


# -- recognise


@pytest.mark.parametrize("columns", [SEED_COLUMNS, SHIPPED_COLUMNS], ids=["seed", "shipped"])
def test_both_schemas_are_recognised_whatever_the_file_is_called(tmp_path: Path, columns: Any) -> None:
    path = make(tmp_path / "whatever.bin", columns=columns)
    assert FounderOs.recognise(path) == path


def test_it_is_recognised_without_the_tables_beside_memories(tmp_path: Path) -> None:
    assert FounderOs.recognise(make(tmp_path / "memory.db", beside=False))


def test_other_memories_are_not_taken_for_founder_os(tmp_path: Path) -> None:
    base_coat = (
        "CREATE TABLE memories (id, category, subject, content, source, confidence, tier, heat, pinned)"
    )
    service = "CREATE TABLE memories (id, content_hash, content, tags, memory_type, metadata, confidence)"
    notes = "CREATE TABLE notes (id, body)"
    for number, table in enumerate((base_coat, service, notes)):
        path = tmp_path / str(number) / "memory.db"
        path.parent.mkdir()
        alter(path, table)
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


def test_only_the_asked_records_are_read(store: FounderOs) -> None:
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
def test_who_made_it_is_told(tmp_path: Path, plugin: str | None, kind: str | None) -> None:
    record, _ = one(tmp_path, source_plugin=plugin)
    assert (record.fields["source_type"], record.fields["source_ref"]) == (kind, plugin)


@pytest.mark.parametrize(
    ("raw", "read", "odd"),
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
def test_a_confidence_is_clamped_and_what_is_odd_is_told(
    tmp_path: Path, raw: Any, read: float | None, odd: bool
) -> None:
    record, findings = one(tmp_path, confidence=raw)
    assert record.fields["confidence"] == read
    assert ("odd-confidence" in findings) is odd


@pytest.mark.parametrize("status", ["archived", None, 3, b"x"])
def test_an_unknown_status_shows_as_candidate_and_is_kept(tmp_path: Path, status: Any) -> None:
    record, findings = one(tmp_path, status=status)
    assert record.fields["status"] == "candidate"
    assert record.fields.get("extra", {}).get("status") == status
    assert findings["odd-status"] == "row acme-payment-terms"


def test_an_unknown_category_is_shown_as_it_is(tmp_path: Path) -> None:
    record, findings = one(tmp_path, category="rumour")
    assert record.fields["category"] == "rumour"
    assert "odd-category" in findings


@pytest.mark.parametrize(
    ("raw", "read", "odd"),
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
def test_tags_are_read_tolerantly(tmp_path: Path, raw: Any, read: tuple[str, ...], odd: bool) -> None:
    record, findings = one(tmp_path, tags=raw)
    assert record.fields["tags"] == read
    assert ("odd-tags" in findings) is odd
    assert record.fields.get("extra", {}).get("tags") == (raw if odd else None)


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
    record, findings = one(tmp_path, created_at=raw, expires_at=raw)
    assert record.fields["created_at"] == record.fields["expires_at"] == 1_760_000_000.0
    assert findings == {}


def test_a_time_that_cannot_be_read_is_none_and_told(tmp_path: Path) -> None:
    record, findings = one(tmp_path, last_used_at="last tuesday")
    assert record.fields["last_used_at"] is None
    assert "odd-time" in findings


@pytest.mark.parametrize(
    ("raw", "text"),
    [(b"from a blob", "from a blob"), (42, "42"), (None, ""), ("a\0b", "a\ufffdb")],
)
def test_content_that_is_no_plain_text_is_shown_as_far_as_it_goes(
    tmp_path: Path, raw: Any, text: str
) -> None:
    record, findings = one(tmp_path, content=raw)
    assert record.fields["content"] == text
    assert "odd-content" in findings


def test_text_that_is_no_utf8_is_read_and_told(store: FounderOs) -> None:
    alter(store.root, f"UPDATE memories SET content = CAST(x'41ff42' AS TEXT) WHERE id = '{NEWS}'")
    reading = store.read()
    assert {r.ref: r.fields["content"] for r in reading.records}[NEWS] == "A\ufffdB"
    assert [(f.code, f.place) for f in reading.findings] == [("bad-utf8", "row user-pref-newsletter-archive")]


def test_the_embedding_is_never_told_and_its_change_is_no_news(store: FounderOs) -> None:
    before = store.read_refs([ACME])[ACME]
    alter(store.root, f"UPDATE memories SET embedding = '[9.0]' WHERE id = '{ACME}'")
    after = store.read_refs([ACME])[ACME]
    assert "embedding" not in str(before.fields)
    assert before.digest == after.digest


def test_unknown_columns_are_kept_in_extra(tmp_path: Path) -> None:
    record, _ = one(
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
def test_a_row_that_founder_os_deleted_is_removed(tmp_path: Path, raw: Any, removed: float) -> None:
    record, _ = one(tmp_path, deleted_at=raw)
    assert record.removed_at == removed


def test_rows_without_a_key_or_with_a_doubled_one_are_read_and_told(tmp_path: Path) -> None:
    rows = [
        {**MEMORIES[0], "id": f"id-{n}", "key": key} for n, key in enumerate(["same", "same", None, None])
    ]
    reading = FounderOs(make(tmp_path / "memory.db", rows, columns=ODD_COLUMNS, adaptations=())).read()
    assert [record.ref for record in reading.records] == ["id-0", "id-1", "id-2", "id-3"]
    assert [finding.code for finding in reading.findings] == ["no-key", "no-key", "doubled-key"]
    assert [finding.place for finding in reading.findings] == ["row id-2", "row id-3", "row same"]


def test_every_row_has_a_ref_of_its_own_even_where_ids_fail(tmp_path: Path) -> None:
    ids = ["twice", "twice", None, None, 12, "12", b"blob", "rowid:1", "", "fine"]
    rows = [{**MEMORIES[0], "id": id_, "key": f"k-{n}"} for n, id_ in enumerate(ids)]
    store = FounderOs(make(tmp_path / "memory.db", rows, columns=ODD_COLUMNS, adaptations=()))
    refs = [record.ref for record in store.read().records]
    assert refs == [*(f"rowid:{n}" for n in range(1, 10)), "fine"]
    assert set(store.read_refs(refs)) == set(refs)
    done(store, "edit", "rowid:2", content="Only this one.")
    assert [r.fields["content"] for r in store.read().records].count("Only this one.") == 1


def test_whole_numbers_as_ids_are_read_and_changed(tmp_path: Path) -> None:
    columns = SHIPPED_COLUMNS | {"id": "INTEGER PRIMARY KEY"}
    rows = [{**MEMORIES[0], "id": 5}, {**MEMORIES[1], "id": 6}]
    store = FounderOs(make(tmp_path / "memory.db", rows, columns=columns, adaptations=()))
    assert set(store.read_refs(["5", "6"])) == {"5", "6"}
    done(store, "dismiss", "6")
    assert store.read_refs(["6"])["6"].fields["status"] == "dismissed"


def test_a_dangling_adaptation_is_a_finding(tmp_path: Path) -> None:
    lost = {"id": "ad02", "memory_id": "gone", "plugin": "P1", "description": "x", "applied_at": 1}
    path = make(tmp_path / "memory.db", adaptations=(lost, {**lost, "id": "ad03"}))
    findings = FounderOs(path).read().findings
    assert [finding.code for finding in findings] == ["dangling"]
    assert "gone" in findings[0].text
    assert findings[0].text.endswith("(gone): 2.")


def test_missing_tables_beside_memories_are_findings_and_reading_goes_on(tmp_path: Path) -> None:
    store = FounderOs(make(tmp_path / "memory.db", beside=False))
    reading = store.read()
    assert len(reading.records) == len(MEMORIES)
    assert [finding.code for finding in reading.findings] == ["missing-table", "missing-table"]
    assert store.locked() == ""


def test_memories_that_are_gone_are_an_error_and_not_an_empty_store(store: FounderOs) -> None:
    alter(store.root, "ALTER TABLE memories RENAME TO old_memories")
    with pytest.raises(Refused, match="no Founder OS memory any more") as refusal:
        store.read()
    assert refusal.value.code == "unknown-schema"


# -- write: what each action sets, and that it can be taken back

ACTIONS: list[Any] = [
    pytest.param(
        "edit",
        ACME,
        {"content": "Acme pays on net-45 terms."},
        {"content": "Acme pays on net-45 terms.", "embedding": None},
        id="edit the text",
    ),
    pytest.param("edit", ACME, {"category": "contact"}, {"category": "contact"}, id="edit the category"),
    pytest.param("edit", ACME, {"key": "acme-terms-2"}, {"key": "acme-terms-2"}, id="edit the key"),
    pytest.param("edit", ACME, {"tags": ("a", "é")}, {"tags": '["a","é"]'}, id="edit tags"),
    pytest.param("edit", FRIDAY, {"tags": ("a", "b")}, {"tags": '["a", "b"]'}, id="tags in their manner"),
    pytest.param("edit", ACME, {"tags": ()}, {"tags": "[]"}, id="take all tags off"),
    pytest.param("edit", NEWS, {"tags": ("new",)}, {"tags": '["new"]'}, id="first tag"),
    pytest.param("edit", NEWS, {"company_id": "notion-9"}, {"company_id": "notion-9"}, id="give a company"),
    pytest.param("edit", ACME, {"company_id": None}, {"company_id": None}, id="take the company off"),
    pytest.param("edit", NEWS, {"expires_at": NOW}, {"expires_at": 1_800_000_000}, id="let it expire"),
    pytest.param("edit", NEWS, {"confidence": 0.425}, {"confidence": 42}, id="set the confidence"),
    pytest.param("edit", NEWS, {"confidence": 7.0}, {"confidence": 100}, id="too much confidence"),
    pytest.param(
        "confirm",
        NEWS,
        {"confidence": 0.65, "times_confirmed": 1, "status": "confirmed"},
        {"confidence": 65, "times_confirmed": 1, "status": "confirmed"},
        id="confirm",
    ),
    pytest.param(
        "confirm",
        ACME,
        {"confidence": 1.0, "times_confirmed": 4, "status": "applied"},
        {"confidence": 100, "times_confirmed": 4},
        id="confirm what is applied",
    ),
    pytest.param("dismiss", ACME, {}, {"status": "dismissed"}, id="dismiss"),
    pytest.param("restore", JOHN, {"status": "confirmed"}, {"status": "confirmed"}, id="restore"),
]


EITHER_JOURNAL = [
    pytest.param(*each.values, journal, id=f"{each.id}-{journal}")
    for number, each in enumerate(ACTIONS)
    for journal in turn(("wal", "delete"), number, 2)
]


@pytest.mark.parametrize(("action", "ref", "fields", "columns", "journal"), EITHER_JOURNAL)
def test_an_action_sets_its_columns_and_undo_puts_every_value_back(
    tmp_path: Path, action: str, ref: str, fields: dict[str, Any], columns: dict[str, Any], journal: str
) -> None:
    store = FounderOs(make(tmp_path / "memory.db", journal=journal))
    before = rows_in(store.root)
    plan = done(store, action, ref, **fields)
    after = rows_in(store.root)
    assert changes(before, after) == {("memories", name) for name in (*columns, "updated_at")}
    assert {name: value(store, ref, name) for name in columns} == columns
    assert value(store, ref, "updated_at") == int(NOW)
    back = undone(store, plan)
    assert rows_in(store.root) == before
    undone(store, back)
    assert rows_in(store.root) == after


def test_a_receipt_tells_what_stands_there_now(store: FounderOs) -> None:
    plan = planned(store, "dismiss", ACME)
    receipt = store.carry_out([plan], "t")
    assert [(r.ref, r.fields["status"]) for r in receipt.records] == [(ACME, "dismissed")]
    assert receipt.gone == []


def test_what_is_as_asked_already_is_not_written(store: FounderOs) -> None:
    before = bytes_of(store.root)
    done(
        store, "edit", ACME, content="Acme Corp pays invoices on net-30 terms.", tags=("invoices", "payment")
    )
    done(store, "dismiss", JOHN)
    assert bytes_of(store.root) == before


def test_fields_that_founder_os_lacks_are_left_alone(store: FounderOs) -> None:
    before = rows_in(store.root)
    done(store, "edit", ACME, title="Terms", note="Ask Sarah", pinned=True, subject="Acme")
    assert rows_in(store.root) == before


def test_a_change_keeps_the_form_of_the_times_that_stand_there(tmp_path: Path) -> None:
    row = {**MEMORIES[0], "updated_at": "2025-10-09T08:53:20Z", "expires_at": "2025-12-01 00:00:00"}
    store = FounderOs(make(tmp_path / "memory.db", [row]))
    done(store, "edit", ACME, expires_at=1_800_000_000.0)
    assert value(store, ACME, "updated_at") == "2027-01-15T08:00:00Z"
    assert value(store, ACME, "expires_at") == "2027-01-15 08:00:00"


@pytest.mark.parametrize("stamp", ["garbage", "nan", "", b"\x01", None, 1e300])
def test_a_change_goes_through_whatever_stands_as_its_time(tmp_path: Path, stamp: Any) -> None:
    path = make(tmp_path / "memory.db", [{**MEMORIES[0], "updated_at": stamp}], columns=ODD_COLUMNS)
    store, before = FounderOs(path), rows_in(path)
    undone(store, done(store, "edit", ACME, content="Changed."))
    assert rows_in(path) == before


def test_odd_values_come_back_as_they_were(tmp_path: Path) -> None:
    row = {**MEMORIES[0], "content": b"\x00blob", "confidence": "80", "tags": "a,b", "embedding": b"\x01\x02"}
    path = make(tmp_path / "memory.db", [row], columns=ODD_COLUMNS)
    store, before = FounderOs(path), rows_in(path)
    plan = done(store, "edit", ACME, content="Text.", confidence=0.9, tags=("a",))
    assert value(store, ACME, "confidence") == "90"
    undone(store, plan)
    assert rows_in(path) == before


def test_a_row_that_holds_bad_utf8_can_change_elsewhere_only(store: FounderOs) -> None:
    alter(store.root, f"UPDATE memories SET content = CAST(x'41ff42' AS TEXT) WHERE id = '{NEWS}'")
    before = rows_in_as_bytes(store.root)
    with pytest.raises(Refused, match="no UTF-8"):
        planned(store, "edit", NEWS, content="Clean.")
    undone(store, done(store, "dismiss", NEWS))
    assert rows_in_as_bytes(store.root) == before


def rows_in_as_bytes(path: Path) -> list[Any]:
    import apsw

    connection = apsw.Connection(str(path))
    try:
        return connection.execute(
            "SELECT id, CAST(content AS BLOB), status, updated_at FROM memories"
        ).fetchall()
    finally:
        connection.close()


@pytest.mark.parametrize("text", ["a\0b", "half \ud800"])
def test_text_that_no_database_holds_is_refused(store: FounderOs, text: str) -> None:
    with pytest.raises(Refused) as refusal:
        planned(store, "edit", NEWS, content=text)
    assert refusal.value.code == "text"


def test_a_category_of_another_kind_is_refused_in_the_words_of_the_original(store: FounderOs) -> None:
    with pytest.raises(Refused) as refusal:
        planned(store, "edit", ACME, category="rumour")
    assert refusal.value.message == (
        "Invalid category: must be one of preference, pattern, fact, contact, workflow"
    )


def test_a_status_of_another_kind_is_refused(store: FounderOs) -> None:
    with pytest.raises(Refused, match="Invalid status: must be one of candidate, confirmed"):
        planned(store, "edit", ACME, status="superseded")


@pytest.mark.parametrize("key", ["Acme", "acme terms", "acme_terms", "-acme", "acme-", "", None, "x" * 61])
def test_a_key_that_breaks_the_rules_is_refused(store: FounderOs, key: Any) -> None:
    with pytest.raises(Refused, match="Invalid key") as refusal:
        planned(store, "edit", ACME, key=key)
    assert refusal.value.code == "key"


def test_an_odd_key_that_stays_stops_no_other_change(tmp_path: Path) -> None:
    store = FounderOs(make(tmp_path / "memory.db", [{**MEMORIES[0], "key": "Old Key_1"}]))
    done(store, "edit", ACME, key="Old Key_1", content="Changed.")
    assert value(store, ACME, "key") == "Old Key_1"


def test_a_key_that_another_memory_has_is_refused_with_its_name(store: FounderOs) -> None:
    with pytest.raises(Refused, match="“weekly-review”") as refusal:
        planned(store, "edit", ACME, key="weekly-review")
    assert refusal.value.code == "exists"


def test_a_key_may_be_long_and_short(store: FounderOs) -> None:
    done(store, "edit", ACME, key="x" * 60)
    done(store, "edit", NEWS, key="a")


@pytest.mark.parametrize("text", ["", "  \n"])
def test_an_empty_text_is_refused(store: FounderOs, text: str) -> None:
    with pytest.raises(Refused) as refusal:
        planned(store, "edit", ACME, content=text)
    assert refusal.value.code == "empty"


def test_the_older_schema_has_no_expiry_and_says_so(tmp_path: Path) -> None:
    store = FounderOs(make(tmp_path / "memory.db", columns=SEED_COLUMNS))
    with pytest.raises(Refused, match="no expiry"):
        planned(store, "edit", ACME, expires_at=NOW)
    undone(store, done(store, "edit", ACME, content="Other.", expires_at=None))


def test_a_table_without_embeddings_is_edited_all_the_same(tmp_path: Path) -> None:
    columns = {name: kind for name, kind in SEED_COLUMNS.items() if name not in ("embedding", "updated_at")}
    rows = [{name: value for name, value in row.items() if name in columns} for row in MEMORIES]
    store = FounderOs(make(tmp_path / "memory.db", rows, columns=columns))
    before = rows_in(store.root)
    plan = done(store, "edit", ACME, content="Other.")
    assert changes(before, rows_in(store.root)) == {("memories", "content")}
    undone(store, plan)
    assert rows_in(store.root) == before


def test_what_founder_os_removed_is_restored_before_anything_else(tmp_path: Path) -> None:
    store = FounderOs(make(tmp_path / "memory.db", [{**MEMORIES[0], "deleted_at": "2026-01-01"}]))
    before = rows_in(store.root)
    for action in ("edit", "dismiss", "confirm"):
        with pytest.raises(Refused, match="has removed this memory"):
            planned(store, action, ACME, content="x", confidence=0.6)
    plan = done(store, "restore", ACME, status="applied")
    assert store.read_refs([ACME])[ACME].removed_at is None
    undone(store, plan)
    assert rows_in(store.root) == before


VALUES = st.fixed_dictionaries(
    {},
    optional={
        "content": st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1).filter(
            str.strip
        ),
        "tags": st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0"))).map(tuple),
        "category": st.sampled_from(FounderOs.categories),
        "company_id": st.none() | st.text("abc-", min_size=1),
        "confidence": st.floats(0, 1),
        "status": st.sampled_from(["candidate", "confirmed", "applied", "dismissed"]),
        "expires_at": st.none() | st.floats(0, 4e9),
    },
)


@examples(30)
@given(batch=st.lists(st.tuples(st.sampled_from([ACME, NEWS, FRIDAY, JOHN, REVIEW]), VALUES), max_size=6))
def test_any_batch_reads_back_as_it_was_asked_and_comes_off_whole(batch: list[Any]) -> None:
    with TemporaryDirectory() as folder:
        store = FounderOs(make(Path(folder, "memory.db"), journal="memory"))
        before = rows_in(store.root)
        plans = store.plan([Write("edit", ref, fields, {}, NOW + n) for n, (ref, fields) in enumerate(batch)])
        made = [
            store.load_plan(json.loads(json.dumps(store.dump(p)))) for p in plans if isinstance(p, Planned)
        ]
        assert len(made) == len(batch)
        store.carry_out(made, "t")
        asked: dict[str, dict[str, Any]] = {}
        for ref, fields in batch:
            asked.setdefault(ref, {}).update(fields)
        for ref, record in store.read_refs(list(asked)).items():
            for name, wanted in asked[ref].items():
                said = record.fields[name]
                exact = not isinstance(wanted, float)
                assert (
                    said == wanted if exact else abs(said - wanted) <= (1 if name == "expires_at" else 0.0051)
                )
        back = [plan for plan in store.reverse(made[::-1]) if isinstance(plan, Planned)]
        store.carry_out(back, "t")
        assert rows_in(store.root) == before


# -- add


@pytest.mark.parametrize("columns", [SEED_COLUMNS, SHIPPED_COLUMNS], ids=["seed", "shipped"])
def test_a_new_memory_is_a_row_as_founder_os_would_make_it(tmp_path: Path, columns: Any) -> None:
    store = FounderOs(make(tmp_path / "memory.db", columns=columns))
    before = rows_in(store.root)
    plan = done(store, "add", content="Übersetzt: Kunde zahlt bar!")
    row = next(row for row in rows_in(store.root)["memories"].values() if row["id"][1] == plan.ref_after)
    assert re.fullmatch("[0-9a-f]{32}", str(plan.ref_after))
    said = {name: value for name, (_, value) in row.items() if name != "id" and value is not None}
    assert said == {
        "key": "ubersetzt-kunde-zahlt-bar",
        "category": "fact",
        "content": "Übersetzt: Kunde zahlt bar!",
        "source_plugin": "User",
        "confidence": 50,
        "status": "candidate",
        "times_used": 0,
        "times_confirmed": 0,
        "created_at": int(NOW),
        "updated_at": int(NOW),
    }
    assert (plan.ref, list(row)) == (None, list(columns))
    back = undone(store, plan)
    assert back.ref_after is None
    assert rows_in(store.root) == before


def test_a_new_memory_takes_what_it_is_given(store: FounderOs) -> None:
    given = {
        "ref": "ab" * 16,
        "key": "taught",
        "content": "Taught.",
        "category": "workflow",
        "tags": ("x", "y"),
        "confidence": 1.0,
        "status": "confirmed",
        "times_confirmed": 1,
        "expires_at": NOW + 60,
        "company_id": "c-1",
    }
    plan = store.plan([Write("add", "", given, {}, NOW)])[0]
    assert isinstance(plan, Planned)
    store.carry_out([plan], "t")
    fields = store.read_refs(["ab" * 16])["ab" * 16].fields
    assert plan.ref_after == "ab" * 16
    assert (fields["key"], fields["category"], fields["tags"]) == ("taught", "workflow", ("x", "y"))
    assert (fields["confidence"], fields["status"], fields["times_confirmed"]) == (1.0, "confirmed", 1)
    assert (fields["expires_at"], fields["company_id"]) == (1_800_000_060.0, "c-1")


def test_a_key_made_from_the_text_is_numbered_where_it_is_taken(store: FounderOs) -> None:
    adds = [Write("add", "", {"content": "Weekly review!"}, {}, NOW) for _ in range(3)]
    plans = store.plan(adds)
    store.carry_out([plan for plan in plans if isinstance(plan, Planned)], "t")
    keys = sorted(str(record.fields["key"]) for record in store.read().records)
    assert [key for key in keys if key.startswith("weekly")] == [
        "weekly-review",
        "weekly-review-2",
        "weekly-review-3",
        "weekly-review-4",
    ]


def test_a_given_key_is_never_changed_but_refused(store: FounderOs) -> None:
    with pytest.raises(Refused, match="“weekly-review”"):
        planned(store, "add", content="x", key="weekly-review")
    twice = [Write("add", "", {"content": "x", "key": "twice"}, {}, NOW) for _ in range(2)]
    first, second = store.plan(twice)
    assert isinstance(first, Planned)
    assert isinstance(second, Refused)
    assert second.code == "exists"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Acme Corp pays net-30", "acme-corp-pays-net-30"),
        ("  Ünïcode, naïvely!  ", "unicode-naively"),
        ("word " * 40, "-".join(["word"] * 12)),
        ("x" * 200, "x" * 60),
        ("顧客は現金で払う", ""),
    ],
)
def test_a_key_is_made_of_the_first_words(text: str, key: str) -> None:
    assert slug(text) == key


def test_a_text_without_latin_letters_still_gets_a_key(store: FounderOs) -> None:
    plan = done(store, "add", content="顧客は現金で払う")
    key = store.read_refs([str(plan.ref_after)])[str(plan.ref_after)].fields["key"]
    assert key == f"memory-{str(plan.ref_after)[:8]}"


# -- agents beside us


def test_use_counts_that_an_agent_raises_block_nothing(store: FounderOs) -> None:
    seen = store.read_refs([ACME])[ACME].fields
    used = f"UPDATE memories SET times_used = times_used + 1, last_used_at = 1790000000 WHERE id = '{ACME}'"
    alter(store.root, used)
    write = Write("edit", ACME, {"content": "New."}, {"content": seen["content"]}, NOW)
    plan = store.plan([write])[0]
    assert isinstance(plan, Planned)
    alter(store.root, used)
    store.carry_out([plan], "t")
    alter(store.root, used)
    undone(store, plan)
    fields = store.read_refs([ACME])[ACME].fields
    assert (fields["times_used"], fields["content"]) == (10, seen["content"])


def test_a_text_that_an_agent_changed_since_it_was_read_is_a_conflict_with_both(store: FounderOs) -> None:
    seen = store.read_refs([ACME])[ACME].fields
    alter(store.root, f"UPDATE memories SET content = 'Theirs.' WHERE id = '{ACME}'")
    plan = store.plan([Write("edit", ACME, {"content": "Ours."}, {"content": seen["content"]}, NOW)])[0]
    assert isinstance(plan, Conflict)
    assert (plan.yours, plan.theirs) == ({"content": "Ours."}, {"content": "Theirs."})


def test_a_memory_that_an_agent_deleted_is_a_conflict(store: FounderOs) -> None:
    alter(store.root, f"DELETE FROM memories WHERE id = '{NEWS}'")
    plan = store.plan([Write("dismiss", NEWS, {}, {"content": "Always archive newsletters."}, NOW)])[0]
    assert isinstance(plan, Conflict)
    assert plan.theirs == {}


def test_a_new_memory_that_agents_used_can_still_be_taken_back(store: FounderOs) -> None:
    before = rows_in(store.root)
    plan = done(store, "add", content="Short-lived.")
    alter(
        store.root,
        "UPDATE memories SET times_used = 3, last_used_at = 1790000000, embedding = '[1.0]'"
        f" WHERE id = '{plan.ref_after}'",
    )
    used = rows_in(store.root)
    back = undone(store, plan)
    assert rows_in(store.root) == before
    undone(store, back)
    assert [*rows_in(store.root)["memories"].values()] == [*used["memories"].values()]


def test_a_new_memory_that_an_agent_rewrote_stays(store: FounderOs) -> None:
    plan = done(store, "add", content="Short-lived.")
    alter(store.root, f"UPDATE memories SET content = 'Theirs.' WHERE id = '{plan.ref_after}'")
    back = store.reverse([plan])[0]
    assert isinstance(back, Refused)
    assert back.code == "changed-since"


# -- in words


@pytest.mark.parametrize(
    ("action", "field", "how", "words"),
    [
        ("dismiss", "", How.NATIVE, "sets its status to dismissed in memory.db"),
        ("confirm", "", How.NATIVE, "raises its confidence by 15, to 60 at least, in memory.db"),
        ("restore", "", How.NATIVE, "gives it its status back in memory.db"),
        ("add", "", How.NATIVE, "adds a row to memory.db"),
        ("edit", "content", How.NATIVE, "changes the text in memory.db and clears its embedding there"),
        ("edit", "company_id", How.NATIVE, "changes its company id in memory.db"),
        ("pin", "", How.WORKSPACE, "is kept in memtui: Founder OS has no pin"),
        ("unpin", "", How.WORKSPACE, "is kept in memtui: Founder OS has no pin"),
        ("edit", "note", How.WORKSPACE, "is kept in memtui: Founder OS has no note"),
        ("edit", "snoozed_until", How.WORKSPACE, "is kept in memtui: Founder OS has no snoozed until"),
    ],
)
def test_each_action_says_what_it_does_where(
    store: FounderOs, action: str, field: str, how: How, words: str
) -> None:
    support = store.supports(action, field)
    assert (support.how, support.words) == (how, words)


def test_a_store_that_memtui_makes_takes_what_founder_os_writes(tmp_path: Path) -> None:
    """Its plugins leave columns out, and apply its own SQL again whenever a table seems to be missing."""
    place = FounderOs.create(tmp_path / "memory.db")
    alter(
        place,
        "INSERT INTO memories (id, key, category, content, created_at, updated_at)"
        " VALUES ('a1', 'net-30', 'fact', 'Acme pays in thirty days.', 1760000000, 1760000000)",
        "INSERT INTO memories (id, key, category, content, source_plugin, confidence, status, times_used,"
        " times_confirmed, created_at, updated_at)"
        " VALUES ('b2', 'tea', 'preference', 'Tea.', NULL, NULL, NULL, NULL, NULL, 1760000000, 1760000000)",
        "INSERT INTO adaptations (id, plugin, description, applied_at) VALUES ('c3', 'P01', 'x', 1760000000)",
    )
    one, other = FounderOs(place).read().records
    assert (one.fields["status"], one.fields["confidence"]) == ("candidate", 0)
    assert other.fields["content"] == "Tea."
    tables = "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name"
    before = asked(place, tables)
    indexes = [name for name, _ in before if name.startswith("idx_")]
    alter(place, *(f"CREATE INDEX IF NOT EXISTS {name} ON memories (id)" for name in indexes))
    assert (asked(place, tables), len(indexes)) == (before, 11)
