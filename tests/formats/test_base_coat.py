"""Base Coat's database: how its rows read, and what each action makes of them."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from memtui.errors import Conflict, Refused
from memtui.formats import registry
from memtui.formats.base_coat import BaseCoat
from memtui.formats.base_coat.writer import subject_of
from memtui.formats.contract.adapter import How, Link, Planned, Record, Standing, Write
from memtui.formats.founder_os import FounderOs
from memtui.memory.memory import RECORD_FIELDS
from tests.support.sizes import rounds, share, turn
from tests.support.stores import Agent, bytes_of, changes, rows_in
from tests.support.stores import founder_os as founder
from tests.support.stores.base_coat import (
    COLUMNS,
    EMBEDDED_COLUMNS,
    FEED,
    MEMORIES,
    ODD_COLUMNS,
    OLD,
    OLD_COLUMNS,
    SQLITE,
    TABS,
    TESTS,
    make,
    many,
)
from tests.support.stores.databases import alter

NOW = 1_800_000_000.75
NOW_ISO = "2027-01-15T08:00:00Z"


@pytest.fixture
def store(tmp_path: Path) -> BaseCoat:
    rows = [{**row, "embedding": b"\x00\x01\x02\x03"} for row in MEMORIES]
    return BaseCoat(make(tmp_path / ".basecoat" / "memory.db", rows, columns=EMBEDDED_COLUMNS))


@pytest.fixture
def older(tmp_path: Path) -> BaseCoat:
    return BaseCoat(make(tmp_path / "older.db", columns=OLD_COLUMNS, relations=None))


def one(tmp_path: Path, **odd: Any) -> tuple[Record, dict[str, str]]:
    """A single row with these values, as it reads, and what was found odd (code → place)."""
    row = {**MEMORIES[0], **odd}
    path = make(tmp_path / "memory.db", [row], columns=ODD_COLUMNS | dict.fromkeys(row, ""), relations=())
    reading = BaseCoat(path).read()
    assert len(reading.records) == 1
    return reading.records[0], {finding.code: finding.place for finding in reading.findings}


def codes(store: BaseCoat) -> list[str]:
    return sorted(finding.code for finding in store.read().findings)


def links(store: BaseCoat) -> set[tuple[str, str, str]]:
    return {(link.source, link.kind, link.target) for link in store.read().links}


def record(store: BaseCoat, ref: str) -> Record:
    return store.read_refs([ref])[ref]


def planned(store: BaseCoat, action: str, ref: str = "", link: Link | None = None, **fields: Any) -> Planned:
    """The plan of one change as it comes back from where it was kept; a refusal is raised."""
    plan = store.plan([Write(action, ref, fields, {}, NOW, link)])[0]
    if isinstance(plan, Refused):
        raise plan
    return store.load_plan(json.loads(json.dumps(store.dump(plan))))


def done(store: BaseCoat, action: str, ref: str = "", link: Link | None = None, **fields: Any) -> Planned:
    """One change, carried out."""
    plan = planned(store, action, ref, link, **fields)
    store.carry_out([plan], "t")
    return plan


def added(store: BaseCoat, **fields: Any) -> Planned:
    """A new memory, put into the store."""
    (plan,) = store.plan([Write("add", "", fields, {}, NOW)])
    assert isinstance(plan, Planned)
    store.carry_out([plan], "t")
    return plan


def undone(store: BaseCoat, plan: Planned) -> Planned:
    """The change taken back."""
    back = store.reverse([plan])[0]
    if isinstance(back, Refused):
        raise back
    store.carry_out([back], "t")
    return back


def value(store: BaseCoat, ref: str, column: str) -> Any:
    return next(row[column][1] for row in rows_in(store.root)["memories"].values() if row["id"][1] == ref)


def refused(store: BaseCoat, action: str, ref: str, link: Link | None = None, **fields: Any) -> Refused:
    with pytest.raises(Refused) as refusal:
        planned(store, action, ref, link, **fields)
    return refusal.value


# -- recognise


@pytest.mark.parametrize("columns", [OLD_COLUMNS, COLUMNS, EMBEDDED_COLUMNS, ODD_COLUMNS])
def test_every_age_of_the_schema_is_recognised_whatever_the_file_is_called(
    tmp_path: Path, columns: Any
) -> None:
    path = make(tmp_path / "whatever.bin", columns=columns, relations=None)
    assert BaseCoat.recognise(path) == path
    assert [kind for kind, _ in registry.find(path)] == [BaseCoat]


def test_other_stores_are_not_taken_for_base_coat_nor_the_other_way_round(tmp_path: Path) -> None:
    assert BaseCoat.recognise(founder.make(tmp_path / "founder.db")) is None
    mixed = dict.fromkeys((*founder.SHIPPED_COLUMNS, "subject", "access_count"), "")
    assert BaseCoat.recognise(founder.make(tmp_path / "mixed.db", (), columns=mixed)) is None
    assert FounderOs.recognise(make(tmp_path / "base.db")) is None
    service = tmp_path / "service.db"
    alter(service, "CREATE TABLE memories (id, content_hash, content, tags, memory_type, created_at)")
    assert BaseCoat.recognise(service) is None
    text = tmp_path / "memory.db"
    text.write_text("no database")
    assert BaseCoat.recognise(text) is None
    assert BaseCoat.recognise(tmp_path) is None


def test_it_is_found_in_the_places_of_a_folder(tmp_path: Path) -> None:
    path = make(tmp_path / ".basecoat" / "memory.db")
    assert registry.find(tmp_path) == [(BaseCoat, path)]


def test_a_new_store_is_private_empty_and_known(tmp_path: Path) -> None:
    root = BaseCoat.create(tmp_path / ".basecoat" / "memory.db")
    assert BaseCoat.recognise(root) == root
    assert (root.stat().st_mode & 0o777, root.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    store = BaseCoat(root)
    reading = store.read()
    assert (reading.records, reading.links, reading.findings) == ([], [], [])
    plan = added(store, content="Hello there.", subject="greeting")
    assert store.read().records[0].fields["tier"] == "l4"
    undone(store, plan)
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
    for each in (store, older):
        reading = each.read()
        assert {found.ref for found in reading.records} == {row["id"] for row in MEMORIES}
        assert all(set(found.fields) <= RECORD_FIELDS for found in reading.records)
        assert reading.findings == []
    assert links(store) == {
        (TESTS, "supports", FEED),
        (SQLITE, "refines", TESTS),
        (TABS, "contradicts", OLD),
    }
    assert links(older) == set()


def test_no_confidence_left_reads_as_dismissed(store: BaseCoat) -> None:
    assert record(store, OLD).fields["status"] == "dismissed"
    assert record(store, TABS).fields["status"] == "confirmed"


def test_reading_leaves_every_byte_and_no_new_file(store: BaseCoat) -> None:
    before, files = bytes_of(store.root), set(store.root.parent.iterdir())
    with store.look() as look:
        list(look.read(look.marks.keys()))
    store.read()
    store.stamp()
    store.locked()
    assert store.supports("pin").how is How.NATIVE
    assert (bytes_of(store.root), set(store.root.parent.iterdir())) == (before, files)


@pytest.mark.parametrize(
    ("confidence", "read", "status", "odd"),
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
def test_a_confidence_is_clamped_and_what_is_odd_is_told(
    tmp_path: Path, confidence: Any, read: float | None, status: str, odd: bool
) -> None:
    found, told = one(tmp_path, confidence=confidence)
    assert (found.fields["confidence"], found.fields["status"]) == (read, status)
    assert ("odd-confidence" in told) == odd


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
def test_what_is_odd_is_read_as_far_as_it_goes_and_told(
    tmp_path: Path, column: str, raw: Any, field: str, read: Any, code: str
) -> None:
    found, told = one(tmp_path, **{column: raw})
    assert found.fields[field] == read
    assert told == ({code: f"row {TESTS}"} if code else {})


@pytest.mark.parametrize(
    ("uses", "heat"), [(0, "cold"), (2, "cold"), (3, "warm"), (9, "warm"), (10, "hot"), (900, "hot")]
)
def test_heat_is_how_often_it_was_used(tmp_path: Path, uses: int, heat: str) -> None:
    assert one(tmp_path, access_count=uses, heat=heat)[1] == {}


def test_text_that_is_no_utf8_is_read_and_told(store: BaseCoat) -> None:
    alter(store.root, f"UPDATE memories SET content = CAST(x'41ff42' AS TEXT) WHERE id = '{TABS}'")
    assert record(store, TABS).fields["content"] == "A\ufffdB"
    assert codes(store) == ["bad-utf8"]
    assert refused(store, "edit", TABS, content="AB").code == "not-utf8"


def test_the_embedding_is_never_told_and_its_change_is_no_news(store: BaseCoat) -> None:
    with store.look() as look:
        before = dict(look.marks)
    alter(store.root, "UPDATE memories SET embedding = zeroblob(3072)")
    with store.look() as look:
        assert look.marks == before
    assert "embedding" not in record(store, TESTS).fields["extra"]


def test_unknown_columns_are_kept_in_extra_and_survive(tmp_path: Path) -> None:
    odd = {"team": "Ünïcode ☕", "sha": b"\x01\x02", "sp ace": 3.5, "none": None}
    found, _ = one(tmp_path, **odd)
    extra = {"team": "Ünïcode ☕", "sha": b"\x01\x02", "sp ace": 3.5}
    assert found.fields["extra"] == extra | {"last_promoted_at": "2026-02-20T10:00:00Z"}
    store = BaseCoat(tmp_path / "memory.db")
    before = rows_in(store.root)
    for action in ("edit", "delete"):
        plan = done(store, action, TESTS, content="Other.")
        undone(store, plan)
        assert list(rows_in(store.root)["memories"].values()) == list(before["memories"].values())


def test_every_row_has_a_ref_of_its_own_even_where_ids_fail(tmp_path: Path) -> None:
    rows = [
        {**MEMORIES[0], "id": id, "content": f"Text {n}."} for n, id in enumerate(("a", "a", None, 7, b"b"))
    ]
    store = BaseCoat(
        make(tmp_path / "memory.db", rows, columns=ODD_COLUMNS, relations=[("a", "7", "supports")])
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
        edited, gone = done(store, "edit", ref, content=f"New {number}."), done(store, "delete", ref)
        assert record_texts(store).count(f"New {number}.") == 0
        undone(store, gone)
        assert record(store, ref).fields["content"] == f"New {number}."
        undone(store, edited)
        assert rows_in(store.root) == before


def record_texts(store: BaseCoat) -> list[str]:
    return [found.fields["content"] for found in store.read().records]


def test_relations_that_are_odd_are_shown_and_told(tmp_path: Path) -> None:
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
    words = {finding.text for finding in store.read().findings}
    assert "Relations of the kind “relates_to”, which Base Coat does not know: 1." in words
    for source, kind, target in sorted(link for link in links(store) if link[0] != "gone"):
        plan = done(store, "unrelate", source, Link(source, kind, target))
        assert (source, kind, target) not in links(store)
        undone(store, plan)
        assert (source, kind, target) in links(store)


def test_memories_that_are_gone_are_an_error_and_not_an_empty_store(store: BaseCoat) -> None:
    alter(store.root, "DROP TABLE memories")
    with pytest.raises(Refused) as refusal:
        store.read()
    assert refusal.value.code == "unknown-schema"


def test_a_table_without_row_numbers_is_read_and_changed(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    described = ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())
    alter(path, f"CREATE TABLE memories ({described}) WITHOUT ROWID")
    alter(
        path,
        "INSERT INTO memories (id, category, subject, content, created_at)"
        " VALUES ('a', 'fact', 's', 'T', '2026-01-01')",
    )
    store = BaseCoat(path)
    with store.look() as look:
        (reading,) = look.read(look.marks.keys())
    assert [found.ref for found in reading.records] == ["a"]
    undone(store, done(store, "edit", "a", content="U"))
    assert record(store, "a").fields["content"] == "T"


# -- write: what each action sets, and that it can be taken back

ACTIONS: list[Any] = [
    pytest.param(
        "edit",
        TESTS,
        {"content": "Run make test."},
        {"content": "Run make test.", "embedding": None},
        id="text",
    ),
    pytest.param("edit", TESTS, {"category": "fact"}, {"category": "fact"}, id="category"),
    pytest.param("edit", TESTS, {"subject": "merging"}, {"subject": "merging"}, id="subject"),
    pytest.param("edit", TESTS, {"confidence": 0.425}, {"confidence": 0.425}, id="confidence"),
    pytest.param("edit", TESTS, {"confidence": 7.0}, {"confidence": 1.0}, id="too much confidence"),
    pytest.param("edit", TESTS, {"tier": "l0"}, {"tier": "l0"}, id="tier"),
    pytest.param("edit", TESTS, {"expires_at": NOW}, {"expires_at": NOW_ISO}, id="let it expire"),
    pytest.param(
        "edit", FEED, {"expires_at": NOW}, {"expires_at": "2027-01-15T08:00:00+00:00"}, id="expire later"
    ),
    pytest.param("edit", FEED, {"expires_at": None}, {"expires_at": None}, id="never expire"),
    pytest.param("pin", TABS, {"pinned": True}, {"pinned": 1}, id="pin"),
    pytest.param("unpin", TESTS, {"pinned": False}, {"pinned": 0}, id="unpin"),
    pytest.param("confirm", TABS, {"confidence": 0.6}, {"confidence": 0.6}, id="confirm"),
    pytest.param("dismiss", TESTS, {}, {"confidence": 0.0}, id="dismiss"),
    pytest.param(
        "dismiss",
        TESTS,
        {"status": "dismissed", "confidence": 0.0},
        {"confidence": 0.0},
        id="dismiss in full",
    ),
    pytest.param("restore", OLD, {"status": "confirmed"}, {"confidence": 1.0}, id="restore"),
    pytest.param(
        "restore",
        OLD,
        {"status": "confirmed", "confidence": 0.7},
        {"confidence": 0.7},
        id="restore to before",
    ),
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
    rows = [{**row, "embedding": b"\x00\xff"} for row in MEMORIES]
    store = BaseCoat(make(tmp_path / "memory.db", rows, columns=EMBEDDED_COLUMNS, journal=journal))
    before = rows_in(store.root)
    plan = done(store, action, ref, **fields)
    after = rows_in(store.root)
    assert changes(before, after) == {("memories", name) for name in (*columns, "updated_at")}
    assert {name: value(store, ref, name) for name in columns} == columns
    back = undone(store, plan)
    assert rows_in(store.root) == before
    undone(store, back)
    assert rows_in(store.root) == after


def test_a_file_without_embeddings_and_updates_gets_neither(tmp_path: Path) -> None:
    store = BaseCoat(make(tmp_path / "memory.db"))
    before = rows_in(store.root)
    done(store, "edit", TESTS, content="Other.")
    assert changes(before, rows_in(store.root)) == {("memories", "content")}


def test_what_is_as_asked_already_is_not_written(store: BaseCoat) -> None:
    assert planned(store, "edit", TESTS, content=MEMORIES[0]["content"], confidence=0.9).edits == ()
    assert planned(store, "dismiss", OLD).edits == ()


def test_a_change_keeps_the_form_of_the_times_that_stand_there(tmp_path: Path) -> None:
    for number, (created, expires, written) in enumerate(
        [
            ("2026-01-10 08:00:00", None, "2027-01-15 08:00:00"),
            ("2026-01-10", None, NOW_ISO),
            ("2026-01-10", "2026-05-05", "2027-01-15"),
            (1768032000, None, 1800000000),
            ("soon", "never", NOW_ISO),
            (1768032000123, "2026-05-05T10:00:00.123Z", "2027-01-15T08:00:00.750Z"),
        ]
    ):
        row = {**MEMORIES[0], "created_at": created, "expires_at": expires}
        store = BaseCoat(make(tmp_path / f"{number}.db", [row], columns=ODD_COLUMNS))
        done(store, "edit", TESTS, expires_at=NOW)
        assert value(store, TESTS, "expires_at") == written


def test_odd_values_beside_a_change_stay_as_they_are(tmp_path: Path) -> None:
    odd = {"confidence": 1.3, "heat": "boiling", "tier": "L9", "pinned": "yes", "created_at": "soon"}
    one(tmp_path, **odd)
    store = BaseCoat(tmp_path / "memory.db")
    before = rows_in(store.root)
    plan = done(store, "edit", TESTS, content="Other.", confidence=1.0, pinned=True)
    assert changes(before, rows_in(store.root)) == {("memories", "content"), ("memories", "updated_at")}
    undone(store, plan)
    assert rows_in(store.root) == before
    plan = done(store, "dismiss", TESTS)
    undone(store, plan)
    assert rows_in(store.root) == before


@pytest.mark.parametrize(
    ("fields", "code", "words"),
    [
        (
            {"category": "pattern"},
            "category",
            "Invalid category: must be one of fact, preference, decision, convention",
        ),
        ({"tier": "l5"}, "tier", "Invalid tier: must be one of l0, l1, l2, l3, l4"),
        ({"content": " \n"}, "empty", "Not saved: the content cannot be empty."),
        ({"subject": None}, "empty", "Not saved: the subject cannot be empty."),
        ({"content": "a\0b"}, "text", "Not saved: the content holds a NUL or half a character."),
    ],
)
def test_what_the_format_forbids_is_refused(
    store: BaseCoat, fields: dict[str, Any], code: str, words: str
) -> None:
    before = rows_in(store.root)
    refusal = refused(store, "edit", TESTS, **fields)
    assert (refusal.code, refusal.message) == (code, words)
    assert rows_in(store.root) == before


# -- older files


def test_an_older_file_says_what_it_lacks(older: BaseCoat) -> None:
    assert older.fields == {"content", "category", "subject", "confidence", "expires_at"}
    assert "promotion_count" not in older.restorable_fields
    support = older.supports("pin")
    assert (support.how, support.words) == (
        How.WORKSPACE,
        "is kept in memtui: this older.db is older and has no pin",
    )
    assert older.supports("edit", "tier").how is How.WORKSPACE
    assert older.supports("relate", "supports").how is How.WORKSPACE
    assert refused(older, "pin", TESTS, pinned=True).code == "no-field"
    assert refused(older, "relate", TESTS, Link(TESTS, "supports", TABS)).code == "no-field"
    before = rows_in(older.root)
    plan = done(older, "supersede", TABS, Link(TESTS, "contradicts", TABS))
    assert changes(before, rows_in(older.root)) == {("memories", "confidence")}
    undone(older, plan)
    assert rows_in(older.root) == before
    plan = added(older, content="Deploy on Thursdays.", pinned=True, tier="l1")
    undone(older, plan)
    assert rows_in(older.root) == before


def test_a_missing_or_busy_file_stops_nobody_from_asking(tmp_path: Path) -> None:
    lost = BaseCoat(tmp_path / "gone.db")
    assert {"pinned", "tier"} <= lost.fields
    assert lost.supports("pin").how is How.NATIVE
    path = make(tmp_path / "memory.db", journal="delete")
    with Agent(path) as agent:
        agent.do("BEGIN EXCLUSIVE")
        assert "pinned" in BaseCoat(path).fields
        agent.do("COMMIT")


# -- relations


def test_a_relation_is_one_row_and_comes_off_again(store: BaseCoat) -> None:
    before = rows_in(store.root)
    plan = done(store, "relate", FEED, Link(FEED, "refines", SQLITE))
    assert changes(before, rows_in(store.root)) == {("memory_relations", "*")}
    assert (FEED, "refines", SQLITE) in links(store)
    back = undone(store, plan)
    assert rows_in(store.root) == before
    undone(store, back)
    gone = done(store, "unrelate", FEED, Link(FEED, "refines", SQLITE))
    assert rows_in(store.root) == before
    undone(store, gone)
    assert (FEED, "refines", SQLITE) in links(store)


def test_a_pair_has_one_relation_in_each_direction(store: BaseCoat) -> None:
    refusal = refused(store, "relate", TESTS, Link(TESTS, "refines", FEED))
    assert (refusal.code, refusal.detail) == ("exists", {"kind": "supports"})
    assert "supports" in refusal.message
    assert refused(store, "relate", TESTS, Link(TESTS, "supports", FEED)).code == "exists"
    done(store, "relate", FEED, Link(FEED, "refines", TESTS))
    assert {(TESTS, "supports", FEED), (FEED, "refines", TESTS)} <= links(store)
    twice = [Write("relate", TABS, {}, {}, NOW, Link(TABS, kind, TESTS)) for kind in ("refines", "supports")]
    first, second = store.plan(twice)
    assert isinstance(first, Planned)
    assert isinstance(second, Refused)


def test_what_is_no_relation_here_is_refused(store: BaseCoat) -> None:
    assert refused(store, "relate", TESTS, Link(TESTS, "causes", TABS)).code == "kind"
    assert refused(store, "relate", TESTS, Link(TESTS, "supports", TESTS)).code == "self"
    assert refused(store, "relate", TESTS, Link(TESTS, "supports", "nobody")).code == "missing"
    assert refused(store, "unrelate", TESTS, Link(TESTS, "refines", FEED)).code == "gone"
    assert store.relation_kinds == ("supports", "contradicts", "refines")


def test_a_relation_that_an_agent_made_stays(tmp_path: Path) -> None:
    """All columns of a relation come back, and one that was changed since is not taken away."""
    store = BaseCoat(make(tmp_path / "memory.db"))
    alter(
        store.root,
        "ALTER TABLE memory_relations ADD COLUMN why TEXT",
        "UPDATE memory_relations SET why = 'ci'",
    )
    before = rows_in(store.root)
    plan = done(store, "unrelate", TESTS, Link(TESTS, "supports", FEED))
    undone(store, plan)
    now = rows_in(store.root)["memory_relations"].values()
    assert sorted(map(str, now)) == sorted(map(str, before["memory_relations"].values()))
    plan = done(store, "relate", FEED, Link(FEED, "refines", SQLITE))
    alter(store.root, f"UPDATE memory_relations SET relation_type = 'supports' WHERE from_id = '{FEED}'")
    back = store.reverse([plan])[0]
    assert isinstance(back, Refused)
    assert back.code == "changed-since"


# -- superseding


def test_the_loser_loses_its_confidence_and_is_contradicted(store: BaseCoat) -> None:
    before = rows_in(store.root)
    fields = {"status": "dismissed", "confidence": 0.0}
    plan = done(store, "supersede", FEED, Link(SQLITE, "supersedes", FEED), **fields)
    assert (SQLITE, "contradicts", FEED) in links(store)
    assert record(store, FEED).fields["status"] == "dismissed"
    back = undone(store, plan)
    assert rows_in(store.root) == before
    undone(store, back)
    assert record(store, FEED).fields["confidence"] == 0.0


@pytest.mark.parametrize(
    ("winner", "loser", "stand", "made"),
    [
        (SQLITE, TABS, [(SQLITE, TABS, "contradicts")], set()),
        (SQLITE, TABS, [(TABS, SQLITE, "contradicts")], set()),
        (SQLITE, TABS, [(SQLITE, TABS, "supports")], {(TABS, "contradicts", SQLITE)}),
        (SQLITE, TABS, [(TABS, SQLITE, "supports")], {(SQLITE, "contradicts", TABS)}),
        (SQLITE, TABS, [(SQLITE, TABS, "supports"), (TABS, SQLITE, "refines")], set()),
        ("of another store", TABS, [], set()),
    ],
)
def test_what_stands_between_two_already_is_respected(
    tmp_path: Path, winner: str, loser: str, stand: list[Any], made: set[Any]
) -> None:
    store = BaseCoat(make(tmp_path / "memory.db", relations=stand))
    before, were = rows_in(store.root), links(store)
    plan = done(store, "supersede", loser, Link(winner, "supersedes", loser))
    assert links(store) - were == made
    assert record(store, loser).fields["status"] == "dismissed"
    undone(store, plan)
    assert rows_in(store.root) == before


# -- deleting


def test_a_deleted_memory_takes_its_relations_along_and_brings_them_back(store: BaseCoat) -> None:
    before = rows_in(store.root)
    plan = done(store, "delete", TESTS)
    assert TESTS not in store.read_refs([TESTS])
    assert links(store) == {(TABS, "contradicts", OLD)}
    assert codes(store) == []
    undone(store, plan)
    now = rows_in(store.root)
    assert {table: sorted(map(str, rows.values())) for table, rows in now.items()} == {
        table: sorted(map(str, rows.values())) for table, rows in before.items()
    }


def test_a_memory_with_thousands_of_relations_goes_and_comes_back(tmp_path: Path) -> None:
    count = rounds(2_001, 6_001)
    store = BaseCoat(make(tmp_path / "memory.db", many(count)))
    (hub, *others) = sorted(store.read_refs([row["id"] for row in many(count)]))
    pairs = ", ".join(f"('{hub}', '{other}', 'supports')" for other in others)
    alter(store.root, f"INSERT INTO memory_relations VALUES {pairs}")
    before = links(store)
    plan = done(store, "delete", hub)
    assert len(plan.edits) == count
    assert links(store) == before - {(hub, "supports", other) for other in others}
    undone(store, plan)
    assert links(store) == before


def test_a_confidence_beyond_all_bounds_comes_back_within_them(tmp_path: Path) -> None:
    store = BaseCoat(make(tmp_path / "memory.db", [{**MEMORIES[0], "confidence": 1.3}]))
    was = store.read_refs([TESTS])[TESTS].fields["confidence"]
    plan = done(store, "dismiss", TESTS)
    back = done(store, "restore", TESTS, status="confirmed", confidence=was)
    assert value(store, TESTS, "confidence") == 1.0
    undone(store, back)
    undone(store, plan)
    assert value(store, TESTS, "confidence") == 1.3


def test_both_ends_of_a_relation_go_in_one_batch(store: BaseCoat) -> None:
    plans = store.plan([Write("delete", ref, {}, {}, NOW) for ref in (TESTS, FEED, OLD, TABS)])
    good = [plan for plan in plans if isinstance(plan, Planned)]
    assert len(good) == 4
    store.carry_out(good, "t")
    assert links(store) == set()
    back = [plan for plan in store.reverse(list(reversed(good))) if isinstance(plan, Planned)]
    store.carry_out(back, "t")
    assert links(store) == {(TESTS, "supports", FEED), (SQLITE, "refines", TESTS), (TABS, "contradicts", OLD)}
    assert codes(store) == []


# -- adding


def test_a_new_memory_is_a_row_as_base_coat_would_make_it(store: BaseCoat) -> None:
    before = rows_in(store.root)
    plan = added(store, content="Deploy on Thursdays, never on Fridays.")
    ref = str(plan.ref_after)
    row = {name: value(store, ref, name) for name in EMBEDDED_COLUMNS}
    assert row == {
        "id": ref,
        "category": "fact",
        "subject": "deploy-on",
        "content": "Deploy on Thursdays, never on Fridays.",
        "source": None,
        "confidence": 1.0,
        "created_at": NOW_ISO,
        "last_accessed": None,
        "access_count": 0,
        "expires_at": None,
        "tier": "l4",
        "heat": "cold",
        "pinned": 0,
        "promotion_count": 0,
        "last_promoted_at": None,
        "embedding": None,
        "updated_at": NOW_ISO,
    }
    assert codes(store) == []
    undone(store, plan)
    assert rows_in(store.root) == before


def test_a_new_memory_takes_what_it_is_given(store: BaseCoat) -> None:
    given = {
        "ref": "my-own",
        "category": "decision",
        "subject": "deploys",
        "content": "Quote \"'; -- ☕",
        "confidence": 0.75,
        "source_ref": "P11",
        "tier": "l2",
        "pinned": True,
        "times_used": 4,
        "promotion_count": 1,
        "created_at": 1768032000.0,
        "last_used_at": 1772357400.0,
        "expires_at": NOW,
    }
    assert set(given) <= store.fields | store.restorable_fields
    added(store, **given)
    said = record(store, "my-own").fields
    wanted = given | {"expires_at": 1_800_000_000.0, "heat": "warm"}
    assert {name: said[name] for name in wanted if name != "ref"} == {
        name: value for name, value in wanted.items() if name != "ref"
    }
    assert codes(store) == []


def test_a_ref_that_is_taken_is_not_given_twice(store: BaseCoat) -> None:
    plan = added(store, ref=TESTS, content="Another.")
    assert plan.ref_after != TESTS
    writes = [Write("add", "", {"ref": "same", "content": text}, {}, NOW) for text in ("One.", "Two.")]
    plans = [plan for plan in store.plan(writes) if isinstance(plan, Planned)]
    store.carry_out(plans, "t")
    assert {"One.", "Two."} <= set(record_texts(store))
    assert plans[0].ref_after == "same"
    assert plans[1].ref_after != "same"


@pytest.mark.parametrize(
    ("fields", "subject"),
    [
        ({"subject": " own  one ", "key": "k"}, "own one"),
        ({"key": "acme-terms", "title": "T"}, "acme-terms"),
        ({"title": "A Title"}, "A Title"),
        ({"content": "Always archive newsletters."}, "always-archive"),
        ({"content": "Übung macht"}, "übung-macht"),
        ({"content": "— ☕ —"}, "general"),
        ({"title": "x" * 99}, "x" * 60),
    ],
)
def test_a_subject_is_found_for_every_memory(fields: dict[str, Any], subject: str) -> None:
    assert subject_of(fields) == subject


def test_a_memory_of_another_store_is_fitted(store: BaseCoat) -> None:
    fitted = store.fit(
        {
            "key": "k-1",
            "category": "workflow",
            "content": "Text.",
            "tags": ("a",),
            "tier": "gold",
            "confidence": 0.5,
        }
    )
    assert fitted.fields == {"category": "fact", "subject": "k-1", "content": "Text.", "confidence": 0.5}
    assert fitted.changed == {"category": ("workflow", "fact"), "subject": (None, "k-1")}
    added(store, **fitted.fields)
    dismissed = store.fit({"content": "Wrong.", "confidence": 0.8, "status": "dismissed"})
    assert dismissed.fields["confidence"] == 0.0
    assert dismissed.changed["confidence"] == (0.8, 0.0)


# -- beside agents


def test_uses_are_counted_with_their_time_and_heat(store: BaseCoat) -> None:
    before = rows_in(store.root)
    for _ in range(2):
        store.count_uses([FEED, SQLITE, "gone"], NOW)
    store.count_uses([SQLITE], NOW)
    assert [value(store, FEED, name) for name in ("access_count", "last_accessed", "heat")] == [
        5,
        "2027-01-15T08:00:00+00:00",
        "warm",
    ]
    assert [value(store, SQLITE, name) for name in ("access_count", "last_accessed", "heat")] == [
        3,
        "2027-01-15 08:00:00",
        "warm",
    ]
    assert changes(before, rows_in(store.root)) == {
        ("memories", name) for name in ("access_count", "last_accessed", "heat")
    }
    assert codes(store) == []


def test_uses_are_counted_in_older_files_and_whatever_stands_there(older: BaseCoat, tmp_path: Path) -> None:
    older.count_uses([TABS], NOW)
    assert value(older, TABS, "access_count") == 1
    assert value(older, TABS, "last_accessed") == "2027-01-15T08:00:00.750Z"
    for number, raw in enumerate((None, "many", b"\xff", 4.0)):
        path = make(tmp_path / f"{number}.db", [{**MEMORIES[0], "access_count": raw}], columns=ODD_COLUMNS)
        BaseCoat(path).count_uses([TESTS], NOW)
        assert value(BaseCoat(path), TESTS, "access_count") == (5 if raw == 4.0 else 1)


def test_use_counts_that_an_agent_raises_block_nothing(store: BaseCoat) -> None:
    used = f"UPDATE memories SET access_count = access_count + 1, last_accessed = 'x' WHERE id = '{TESTS}'"
    plan = planned(store, "edit", TESTS, content="Other.")
    alter(store.root, used)
    store.carry_out([plan], "t")
    alter(store.root, used)
    undone(store, plan)
    assert value(store, TESTS, "access_count") == 14
    new = added(store, content="New.", ref="new")
    alter(
        store.root,
        used.replace(TESTS, "new"),
        "UPDATE memories SET tier = 'l2', heat = 'hot' WHERE id = 'new'",
    )
    undone(store, new)
    assert "New." not in record_texts(store)


def test_a_text_that_an_agent_changed_is_a_conflict_with_both(store: BaseCoat) -> None:
    alter(store.root, f"UPDATE memories SET content = 'Theirs.' WHERE id = '{TESTS}'")
    write = Write("edit", TESTS, {"content": "Mine."}, {"content": MEMORIES[0]["content"]}, NOW)
    (answer,) = store.plan([write])
    assert isinstance(answer, Conflict)
    assert (answer.yours, answer.theirs) == ({"content": "Mine."}, {"content": "Theirs."})
    gone = store.plan([Write("edit", "nobody", {"content": "Mine."}, {}, NOW)])[0]
    assert isinstance(gone, Conflict)


@pytest.mark.parametrize("order", share(itertools.permutations(range(4)), 12))
def test_changes_of_one_memory_and_of_two_come_off_in_any_order(
    tmp_path: Path, order: tuple[int, ...]
) -> None:
    store = BaseCoat(make(tmp_path / "memory.db", columns=EMBEDDED_COLUMNS))
    before = rows_in(store.root)
    plans = [
        done(store, "edit", TESTS, subject="merging"),
        done(store, "unpin", TESTS, pinned=False),
        done(store, "supersede", FEED, Link(TESTS, "supersedes", FEED)),
        done(store, "relate", TABS, Link(TABS, "refines", TESTS)),
    ]
    for number in order:
        undone(store, plans[number])
    now = rows_in(store.root)
    assert changes(before, now) <= {("memories", "updated_at")}
    assert now["memory_relations"] == before["memory_relations"]


def test_reading_beside_a_live_agent_leaves_its_files(store: BaseCoat) -> None:
    with Agent(store.root) as agent:
        agent.do("UPDATE memories SET confidence = 0.5 WHERE id = ?", TABS)
        before, files = bytes_of(store.root), set(store.root.parent.iterdir())
        assert record(store, TABS).fields["confidence"] == 0.5
        assert store.supports("pin").how is How.NATIVE
        assert (bytes_of(store.root), set(store.root.parent.iterdir())) == (before, files)
        plan = done(store, "edit", TABS, content="Other.")
        assert agent.do("SELECT content FROM memories WHERE id = ?", TABS) == [["Other."]]
        undone(store, plan)


@pytest.mark.parametrize("action", ["supersede", "delete", "relate", "unrelate", "add"])
def test_a_write_that_was_cut_off_is_judged_by_what_stands_there(store: BaseCoat, action: str) -> None:
    links = {
        "supersede": Link(SQLITE, "supersedes", TABS),
        "relate": Link(TABS, "supports", FEED),
        "unrelate": Link(TABS, "contradicts", OLD),
    }
    fields = {"content": "New."} if action == "add" else {}
    plan = planned(store, action, "" if action == "add" else TABS, links.get(action), **fields)
    assert store.standing([plan], "t") is Standing.BEFORE
    store.carry_out([plan], "t")
    assert store.standing([plan], "t") is Standing.AFTER
    alter(store.root, "UPDATE memories SET access_count = access_count + 1")
    assert store.standing([plan], "t") is Standing.AFTER
    undone(store, plan)


def test_an_unknown_trigger_makes_the_store_read_only(store: BaseCoat) -> None:
    alter(store.root, "CREATE TRIGGER wipe AFTER INSERT ON memory_relations BEGIN DELETE FROM memories; END")
    assert "wipe" in store.locked()
    assert refused(store, "edit", TESTS, content="Other.").code == "read-only"
    with pytest.raises(Refused):
        store.count_uses([TESTS], NOW)
    assert len(store.read().records) == len(MEMORIES)


# -- in words


@pytest.mark.parametrize(
    ("action", "name", "how", "words"),
    [
        ("pin", "", How.NATIVE, "sets pinned in memory.db, so that it neither decays nor is demoted"),
        ("dismiss", "", How.NATIVE, "sets its confidence to 0 in memory.db, so that agents pass over it"),
        (
            "restore",
            "",
            How.NATIVE,
            "raises its confidence above 0 again in memory.db, so that agents are given it",
        ),
        ("edit", "content", How.NATIVE, "changes the text in memory.db and clears its embedding there"),
        ("edit", "expires_at", How.NATIVE, "changes its expiry in memory.db"),
        ("edit", "tags", How.WORKSPACE, "is kept in memtui: Base Coat has no tags"),
        ("relate", "refines", How.NATIVE, "adds the relation to memory.db"),
        (
            "relate",
            "causes",
            How.WORKSPACE,
            "is kept in memtui: Base Coat knows only supports, contradicts, refines",
        ),
        (
            "supersede",
            "",
            How.NATIVE,
            "sets its confidence to 0 in memory.db and says there that the other memory contradicts it",
        ),
        ("snooze", "", How.WORKSPACE, "is kept in memtui: Base Coat has no snooze"),
    ],
)
def test_each_action_says_what_it_does_where(
    store: BaseCoat, action: str, name: str, how: How, words: str
) -> None:
    support = store.supports(action, name)
    assert (support.how, support.words) == (how, words)
