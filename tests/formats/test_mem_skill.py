"""mem-skill's mem.db: how its rows read, and what each action makes of them and of its audit."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from memtui.errors import Conflict, Refused
from memtui.formats.contract.adapter import How, Link, Planned, Record, Write
from memtui.formats.media.sqlite.block_scan import BESIDE
from memtui.formats.mem_skill import MemSkill
from memtui.formats.mem_skill.triggers import trigger_of
from memtui.memory.memory import RECORD_FIELDS
from tests.support.sizes import turn
from tests.support.stores import bytes_of, changes
from tests.support.stores.databases import alter, asked
from tests.support.stores.mem_skill import (
    ARCHIVED,
    CITY,
    COLUMNS,
    FACTS,
    GONE,
    GUARDS,
    JOB,
    LANGUAGE,
    LINE,
    NUTS,
    ODD_COLUMNS,
    OLD_CITY,
    OVER,
    OWN,
    STERN_HISTORY,
    TABS,
    TASK,
    fact,
    found,
    make,
    rows_in,
)

NOW = 1_800_000_000.75
THEN = "2027-01-15T08:00:00Z"


@pytest.fixture
def store(tmp_path: Path) -> MemSkill:
    return MemSkill(make(tmp_path / "mem.db"))


def one(tmp_path: Path, **odd: Any) -> tuple[Record, set[str]]:
    """A single fact with these values, as it reads, and the codes of what was odd."""
    row = {**FACTS[0], **odd}
    columns = ODD_COLUMNS | dict.fromkeys(row, "")
    path = make(tmp_path / "mem.db", [row], columns=columns, lines=(), archived=())
    reading = MemSkill(path).read()
    assert len(reading.records) == 1
    return reading.records[0], {finding.code for finding in reading.findings}


def planned(store: MemSkill, action: str, ref: str = "", link: Link | None = None, **fields: Any) -> Planned:
    """The plan of one change as it is kept, or the refusal raised."""
    plan = store.plan([Write(action, ref, fields, {}, NOW, link)])[0]
    if isinstance(plan, Refused):
        raise plan
    return store.load_plan(json.loads(json.dumps(store.dump(plan))))


def done(store: MemSkill, action: str, ref: str = "", link: Link | None = None, **fields: Any) -> Planned:
    """One change, carried out."""
    plan = planned(store, action, ref, link, **fields)
    store.carry_out([plan], "t")
    return plan


def undone(store: MemSkill, *plans: Planned) -> list[Planned]:
    """The changes taken back, as they are given."""
    out = []
    for back in store.reverse(plans):
        if isinstance(back, Refused):
            raise back
        out.append(store.load_plan(json.loads(json.dumps(store.dump(back)))))
    store.carry_out(out, "t")
    return out


def value(store: MemSkill, ref: str, column: str) -> Any:
    return next(row[column][1] for row in rows_in(store.root)["facts"].values() if row["fact_id"][1] == ref)


def lines(store: MemSkill, ref: str) -> list[dict[str, Any]]:
    """What the audit says of a fact, oldest first."""
    rows = rows_in(store.root)["fact_history"].values()
    said = [{name: value for name, (_, value) in row.items()} for row in rows]
    return [line for line in said if line["fact_id"] == ref]


def codes(store: MemSkill) -> dict[str, str]:
    return {finding.code: finding.text for finding in store.read().findings}


# -- recognise


def test_it_is_recognised_by_its_facts_whatever_it_is_called(tmp_path: Path) -> None:
    path = make(tmp_path / "whatever.bin", search=(), history="", archive="")
    assert MemSkill.recognise(path) == path


def test_other_facts_are_not_taken_for_it(tmp_path: Path) -> None:
    alter(tmp_path / "mem.db", "CREATE TABLE facts (id, subject, predicate, object, confidence, status)")
    assert MemSkill.recognise(tmp_path / "mem.db") is None


def test_a_store_that_is_made_is_recognised_and_works(tmp_path: Path) -> None:
    store = MemSkill(MemSkill.create(tmp_path / "new" / "mem.db"))
    assert MemSkill.recognise(store.root) == store.root
    assert store.root.stat().st_mode & 0o777 == 0o600
    assert store.read().findings == []
    before = rows_in(store.root)
    added = done(store, "add", content="Lives by the sea.", key="home")
    edited = done(store, "edit", str(added.ref_after), content="Lives in the hills.")
    assert found(store.root, "hills") == {"home"}
    assert found(store.root, "sea") == set()
    undone(store, edited)
    undone(store, added)
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


def test_all_that_stands_in_a_healthy_store_is_read_without_a_finding(store: MemSkill) -> None:
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
    said = {(aside.kind, aside.about, aside.words) for aside in reading.asides}
    assert said == {
        (
            "history",
            OLD_CITY,
            "supersede: “Lives in Porto.” → “Lives in Lisbon since the spring.” (moved)",
        ),
        ("archived", OLD_CITY, "In facts_archive: Lived in Porto once."),
    }


def test_reading_leaves_every_byte(store: MemSkill) -> None:
    before = bytes_of(store.root)
    store.read()
    with store.look() as look:
        list(look.read(look.marks))
    store.supports("edit", "content")
    assert bytes_of(store.root) == before


@pytest.mark.parametrize("archive", ["archive", "archived_facts", "long_gone"])
def test_an_archive_is_known_by_its_columns(tmp_path: Path, archive: str) -> None:
    store = MemSkill(make(tmp_path / "mem.db", archive=archive))
    record = store.read_refs([GONE])[GONE]
    assert record.fields["content"] == "Used Emacs."
    assert record.anchor == GONE
    for action in ("edit", "dismiss", "confirm", "delete", "restore"):
        with pytest.raises(Refused, match="history") as refusal:
            planned(store, action, record.ref, content="x")
        assert refusal.value.code == "archived"


def test_an_archived_version_counts_once_and_the_last_is_shown(tmp_path: Path) -> None:
    rows = [fact(GONE, "editor", text, status=status) for text, status in (("ed.", "active"), ("vi.", None))]
    reading = MemSkill(make(tmp_path / "mem.db", archived=rows)).read()
    (record,) = [record for record in reading.records if record.ref == GONE]
    assert (record.fields["content"], record.fields["status"]) == ("vi.", "superseded")
    assert [a.words for a in reading.asides if a.about == GONE] == ["In facts_archive: ed."]
    assert reading.findings == []


@pytest.mark.parametrize(
    ("raw", "read", "odd"),
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
def test_a_confidence_is_clamped_and_what_is_odd_is_told(
    tmp_path: Path, raw: Any, read: float | None, odd: bool
) -> None:
    record, findings = one(tmp_path, confidence=raw)
    assert record.fields["confidence"] == read
    assert ("odd-confidence" in findings) is odd


@pytest.mark.parametrize("status", ["archived", "Active", None, 3, b"active"])
def test_an_unknown_status_shows_as_pending_and_is_kept(tmp_path: Path, status: Any) -> None:
    record, findings = one(tmp_path, status=status)
    assert record.fields["status"] == "pending"
    assert record.fields["extra"].get("status") == status
    assert "odd-status" in findings


@pytest.mark.parametrize(
    ("raw", "read", "odd"),
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
def test_a_value_is_read_as_json_or_kept_as_it_is(tmp_path: Path, raw: Any, read: Any, odd: bool) -> None:
    record, findings = one(tmp_path, value_json=raw)
    assert record.fields["value"] == read
    assert ("odd-json" in findings) is odd
    assert record.fields["extra"].get("value_json") == (raw if odd else None)


@pytest.mark.parametrize(
    ("odd", "code"),
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
def test_what_is_odd_in_a_row_is_told(tmp_path: Path, odd: dict[str, Any], code: str) -> None:
    _, findings = one(tmp_path, **odd)
    assert findings == {code}


def test_a_validity_that_has_passed_is_not_judged_by_the_clock(tmp_path: Path) -> None:
    record, findings = one(tmp_path, valid_from="2001-01-01", valid_to="2002-01-01")
    assert record.fields["status"] == "confirmed"
    assert findings == set()


def test_a_fact_without_text_shows_its_value(tmp_path: Path) -> None:
    record, findings = one(tmp_path, value_text="", value_json='{"a": 1}')
    assert record.fields["content"] == '{"a": 1}'
    assert findings == {"odd-content"}


def test_unknown_columns_are_kept_and_survive_a_change(tmp_path: Path) -> None:
    columns = COLUMNS | {"mood": "", "vector": "BLOB"}
    row = {**FACTS[0], "mood": "calm", "vector": b"\0\1"}
    store = MemSkill(make(tmp_path / "mem.db", [row], columns=columns))
    assert store.read_refs([CITY])[CITY].fields["extra"] == {
        "embedding_id": "emb-1",
        "mood": "calm",
        "vector": b"\0\1",
    }
    before = rows_in(store.root)
    plan = done(store, "delete", CITY)
    undone(store, plan)
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
    plans = [done(store, "edit", CITY, content="Other.", valid_to=NOW), done(store, "dismiss", NUTS)]
    assert value(store, NUTS, "status") == "expired"
    undone(store, *plans[::-1])
    assert rows_in(store.root) == before
    done(store, "add", content="New.")


def test_every_row_has_a_ref_of_its_own_even_where_ids_fail(tmp_path: Path) -> None:
    ids = ["twice", "twice", None, 12, "12", b"blob", "rowid:1", "archive:x", "a\0b", "", "fine"]
    rows = [{**FACTS[0], "fact_id": id_, "key": f"k-{n}"} for n, id_ in enumerate(ids)]
    store = MemSkill(make(tmp_path / "mem.db", rows, columns=ODD_COLUMNS, archived=()))
    refs = [record.ref for record in store.read().records]
    assert refs == [*(f"rowid:{n}" for n in range(1, 11)), "fine"]
    assert set(store.read_refs(refs)) == set(refs)
    before = rows_in(store.root)
    plan = done(store, "edit", "rowid:2", content="Only this one.")
    assert [r.fields["content"] for r in store.read().records].count("Only this one.") == 1
    gone = done(store, "delete", "rowid:3")
    undone(store, gone, plan)
    assert rows_in(store.root)["facts"] == before["facts"]


def test_whole_numbers_as_ids_are_read_added_and_changed(tmp_path: Path) -> None:
    columns = COLUMNS | {"fact_id": "INTEGER PRIMARY KEY"}
    rows = [{**row, "fact_id": n} for n, row in enumerate(FACTS, 5)]
    store = MemSkill(make(tmp_path / "mem.db", rows, columns=columns, archived=()))
    assert set(store.read_refs(["5", "6"])) == {"5", "6"}
    before = rows_in(store.root)
    plans = store.plan([Write("add", "", {"content": text}, {}, NOW) for text in ("One.", "Two.")])
    made = [plan for plan in plans if isinstance(plan, Planned)]
    store.carry_out(made, "t")
    assert [plan.ref_after for plan in made] == ["11", "12"]
    gone = done(store, "delete", "7")
    undone(store, gone)
    undone(store, *made[::-1])
    assert rows_in(store.root)["facts"] == before["facts"]


def test_text_that_is_no_utf8_is_read_told_and_kept(tmp_path: Path) -> None:
    store = MemSkill(make(tmp_path / "mem.db", search=()))
    alter(store.root, f"UPDATE facts SET value_text = CAST(x'41ff42' AS TEXT) WHERE fact_id = '{NUTS}'")
    assert store.read_refs([NUTS])[NUTS].fields["content"] == "A\ufffdB"
    assert "bad-utf8" in codes(store)
    with pytest.raises(Refused, match="no UTF-8"):
        planned(store, "edit", NUTS, content="Clean.")
    sql = "SELECT fact_id, CAST(value_text AS BLOB), status, valid_to, updated_at FROM facts"
    before = asked(store.root, sql)
    undone(store, done(store, "dismiss", NUTS))
    assert asked(store.root, sql) == before


def test_what_clashes_dangles_or_lacks_is_told(tmp_path: Path) -> None:
    rows = [*FACTS, fact("other", "home_city", "Lives in Rome.")]
    dangling = {**LINE, "fact_id": "nobody"}
    store = MemSkill(make(tmp_path / "mem.db", rows, lines=(LINE, dangling, dangling)))
    assert codes(store) == {
        "two-values": "Active facts of mira give “home_city” several values.",
        "dangling-history": "Facts of which only fact_history still speaks: 1.",
    }
    bare = MemSkill(make(tmp_path / "bare.db", search=(), history="", archive=""))
    assert codes(bare).keys() == {"no-search", "no-history"}


def test_facts_that_are_gone_are_an_error_and_not_an_empty_store(tmp_path: Path) -> None:
    store = MemSkill(make(tmp_path / "mem.db", search=(), more=("ALTER TABLE facts RENAME TO old_facts",)))
    with pytest.raises(Refused, match="no mem-skill memory any more") as refusal:
        store.read()
    assert refusal.value.code == "unknown-schema"


# -- the store's own search


@pytest.mark.parametrize("search", [OVER, OWN], ids=["over the facts", "texts of its own"])
def test_a_search_that_triggers_keep_follows_every_change_and_its_undo(
    tmp_path: Path, search: Iterable[str]
) -> None:
    store = MemSkill(make(tmp_path / "mem.db", search=search))
    before = rows_in(store.root)
    plan = done(store, "edit", NUTS, content="Allergic to walnuts.")
    assert (found(store.root, "walnuts"), found(store.root, "hazelnuts")) == ({"allergy"}, set())
    undone(store, plan)
    assert (found(store.root, "walnuts"), found(store.root, "hazelnuts")) == (set(), {"allergy"})
    plan = done(store, "delete", NUTS)
    assert found(store.root, "hazelnuts") == set()
    undone(store, plan)
    assert found(store.root, "hazelnuts") == {"allergy"}
    plan = done(store, "add", content="Grows a lemon tree.", key="tree")
    assert found(store.root, "lemon") == {"tree"}
    undone(store, plan)
    assert found(store.root, "lemon") == set()
    after = rows_in(store.root)
    assert {name: after[name] for name in ("facts", "fact_history", "facts_archive")} == {
        name: before[name] for name in ("facts", "fact_history", "facts_archive")
    }
    assert store.read().findings == []


def test_a_search_that_a_job_keeps_is_left_alone_and_the_words_say_so(tmp_path: Path) -> None:
    store = MemSkill(make(tmp_path / "mem.db", search=JOB))
    alter(
        store.root,
        "INSERT INTO facts_fts SELECT fact_id, user_id, key, value_text FROM facts"
        " WHERE status IN ('active', 'pending_confirmation')",
    )
    assert store.read().findings == []
    done(store, "edit", NUTS, content="Allergic to walnuts.")
    assert found(store.root, "hazelnuts") == {"allergy"}
    assert codes(store) == {"search-behind": "facts_fts is out of step: 1 not as the facts say."}
    assert "the store's own search and the agent's vectors hold the old text" in (
        store.supports("edit", "content").words
    )


def test_an_index_that_holds_other_words_is_found_by_a_whole_reading(store: MemSkill) -> None:
    alter(store.root, "DROP TRIGGER facts_au", "UPDATE facts SET value_text = 'Hates nuts.' WHERE rowid = 3")
    assert codes(store) == {"search-behind": "facts_fts holds other words than the facts."}
    alter(store.root, "DROP TRIGGER facts_ad", "DELETE FROM facts WHERE rowid = 3")
    assert codes(store) == {"search-behind": "facts_fts is out of step: 1 of no fact."}


def test_a_trigger_that_would_break_the_search_keeps_texts_as_they_are(tmp_path: Path) -> None:
    trap = (
        "CREATE TRIGGER facts_au AFTER UPDATE ON facts BEGIN DELETE FROM facts_fts WHERE rowid = old.rowid;"
        " INSERT INTO facts_fts(rowid, key, value_text) VALUES (new.rowid, new.key, new.value_text); END"
    )
    store = MemSkill(make(tmp_path / "mem.db", search=(*OVER[:3], trap)))
    assert "search-trap" in codes(store)
    with pytest.raises(Refused, match="would break its search") as refusal:
        planned(store, "edit", NUTS, content="Allergic to walnuts.")
    assert refusal.value.code == "search-trap"
    undone(store, done(store, "dismiss", NUTS))
    assert found(store.root, "hazelnuts") == {"allergy"}
    assert codes(store).keys() == {"search-trap"}


# -- triggers


@pytest.mark.parametrize(
    "body",
    [
        "UPDATE facts SET key = lower(key)",
        "DELETE FROM turns",
        "INSERT INTO turns VALUES (1)",
        "DELETE FROM fact_history WHERE fact_id = old.fact_id",
        "INSERT OR REPLACE INTO facts_archive (fact_id) VALUES (old.fact_id)",
        'DELETE FROM "turns" -- facts_fts',
        "INSERT INTO facts_fts (key) VALUES ('a'); UPDATE OR IGNORE [turns] SET a = 1",
    ],
)
def test_an_unknown_trigger_makes_the_store_read_only(tmp_path: Path, body: str) -> None:
    more = (
        "CREATE TABLE turns (a)",
        f"CREATE TRIGGER odd AFTER UPDATE OF key ON facts WHEN old.key = 'DELETE FROM' BEGIN {body}\n; END",
    )
    store = MemSkill(make(tmp_path / "mem.db", more=more))
    assert store.locked() == "The trigger “odd” on facts is unknown; a change could set it off."


def test_a_trigger_is_read_from_its_statement() -> None:
    sql = """CREATE TRIGGER IF NOT EXISTS "t" BEFORE update /* x */ OF [value_text], Status ON facts
        FOR EACH ROW WHEN new.status = 'BEGIN' -- BEGIN
        BEGIN INSERT INTO a SELECT replace(x, 'y', 'z') FROM b; REPLACE INTO `c` VALUES ('DELETE FROM d');
        INSERT OR IGNORE INTO main.e VALUES (1) ON CONFLICT DO UPDATE SET f = 1; END"""
    trigger = trigger_of("t", "facts", sql)
    assert (trigger.event, trigger.before, trigger.columns) == (
        "UPDATE",
        True,
        frozenset({"value_text", "status"}),
    )
    assert trigger.writes == (("insert", "a"), ("replace", "c"), ("insert", "e"), ("update", "e"))
    assert trigger.when.startswith(" new.status = 'BEGIN'")
    assert not trigger.forbids


AUDIT = (
    "CREATE TRIGGER audit AFTER UPDATE ON facts WHEN old.value_text IS NOT new.value_text BEGIN"
    " INSERT INTO fact_history (fact_id, user_id, key, action, old_value, new_value, created_at) VALUES"
    " (old.fact_id, old.user_id, old.key, 'update', old.value_text, new.value_text, '2026'); END"
)


def test_a_line_that_the_store_itself_writes_is_not_written_twice(tmp_path: Path) -> None:
    store = MemSkill(make(tmp_path / "mem.db", more=(AUDIT,)))
    plan = done(store, "edit", NUTS, content="Allergic to walnuts.")
    assert [line["new_value"] for line in lines(store, NUTS)] == ["Allergic to walnuts."]
    undone(store, plan)
    assert [line["new_value"] for line in lines(store, NUTS)] == [
        "Allergic to walnuts.",
        "Allergic to hazelnuts.",
    ]
    assert "its own trigger notes that" in store.supports("edit", "content").words
    plan = done(store, "dismiss", NUTS)  # of that the trigger says nothing
    assert [line["action"] for line in lines(store, NUTS)] == ["update", "update", "expire"]
    undone(store, plan)
    assert len(lines(store, NUTS)) == 2


# -- write: what each action sets, and that it can be taken back

ACTIONS: list[Any] = [
    pytest.param(
        "edit", NUTS, {"content": "Allergic to walnuts."}, {"value_text": "Allergic to walnuts."}, id="text"
    ),
    pytest.param("edit", NUTS, {"category": "identity"}, {"category": "identity"}, id="category"),
    pytest.param("edit", NUTS, {"key": "allergies"}, {"key": "allergies"}, id="key"),
    pytest.param("edit", CITY, {"value": {"city": "É"}}, {"value_json": '{"city": "É"}'}, id="value"),
    pytest.param("edit", CITY, {"value": None}, {"value_json": None}, id="no value"),
    pytest.param("edit", NUTS, {"valid_to": NOW}, {"valid_to": THEN}, id="validity"),
    pytest.param("dismiss", NUTS, {}, {"status": "expired", "valid_to": THEN}, id="dismiss"),
    pytest.param("supersede", NUTS, {}, {"status": "superseded", "valid_to": THEN}, id="supersede"),
    pytest.param(
        "restore", LANGUAGE, {"status": "confirmed"}, {"status": "active", "valid_to": None}, id="restore"
    ),
    pytest.param(
        "restore",
        OLD_CITY,
        {"status": "pending"},
        {"status": "pending_confirmation", "valid_to": None},
        id="its end",
    ),
    pytest.param(
        "confirm",
        TASK,
        {"confidence": 0.55, "status": "confirmed"},
        {"confidence": 0.55, "status": "active"},
        id="confirm",
    ),
    pytest.param(
        "confirm", NUTS, {"confidence": 0.96, "status": "applied"}, {"confidence": 0.96}, id="surer"
    ),
]


EITHER_JOURNAL = [
    pytest.param(*each.values, journal, id=f"{each.id}-{journal}")
    for number, each in enumerate(ACTIONS)
    for journal in turn(("wal", "delete"), number, 2)
]


@pytest.mark.parametrize(("action", "ref", "fields", "columns", "journal"), EITHER_JOURNAL)
def test_an_action_sets_its_columns_leaves_a_line_and_undo_puts_every_row_back(
    tmp_path: Path, action: str, ref: str, fields: dict[str, Any], columns: dict[str, Any], journal: str
) -> None:
    store = MemSkill(make(tmp_path / "mem.db", journal=journal, search=OWN))
    before, old = rows_in(store.root), len(lines(store, ref))
    plan = done(
        store, action, ref, Link(CITY, "supersedes", ref) if action == "supersede" else None, **fields
    )
    after = rows_in(store.root)
    told = {("fact_history", "*"), ("sqlite_sequence", "seq")}
    searched = {change for change in changes(before, after) if change[0].startswith("facts_fts")}
    assert changes(before, after) - searched == told | {("facts", name) for name in (*columns, "updated_at")}
    assert {name: value(store, ref, name) for name in columns} == columns
    assert value(store, ref, "updated_at") == THEN
    line = lines(store, ref)[-1]
    assert len(lines(store, ref)) == old + 1
    assert (line["user_id"], line["created_at"], line["turn_id"]) == ("mira", THEN, None)
    assert line["reason"].endswith("by a person in memtui")
    (back,) = undone(store, plan)
    restored = rows_in(store.root)
    assert {t: r for t, r in restored.items() if t != "facts_fts_data"} == {
        t: r for t, r in before.items() if t != "facts_fts_data"
    }
    undone(store, back)
    assert rows_in(store.root)["facts"] == after["facts"]
    assert rows_in(store.root)["fact_history"] == after["fact_history"]


def test_the_first_line_of_a_numbered_history_leaves_no_number_behind(tmp_path: Path) -> None:
    store = MemSkill(make(tmp_path / "mem.db", lines=()))
    before = rows_in(store.root)
    plans = [done(store, "dismiss", NUTS), done(store, "edit", TABS, key="tabs")]
    assert [line["history_id"] for line in lines(store, NUTS) + lines(store, TABS)] == [1, 2]
    undone(store, plans[1])
    undone(store, plans[0])
    assert rows_in(store.root)["sqlite_sequence"] == before["sqlite_sequence"]


@pytest.mark.parametrize(
    ("action", "fields", "said"),
    [
        ("edit", {"content": "New."}, ("update", "Allergic to hazelnuts.", "New.")),
        ("edit", {"category": "other"}, ("update", "health", "other")),
        ("dismiss", {}, ("expire", "Allergic to hazelnuts.", None)),
        ("confirm", {"confidence": 0.99}, ("confirm", "Allergic to hazelnuts.", "Allergic to hazelnuts.")),
        ("delete", {}, ("delete", None, None)),
    ],
)
def test_a_line_says_what_happened(
    store: MemSkill, action: str, fields: dict[str, Any], said: tuple[Any, ...]
) -> None:
    done(store, action, NUTS, **fields)
    line = lines(store, NUTS)[-1]
    assert (line["action"], line["old_value"], line["new_value"]) == said


def test_a_line_calls_things_as_the_others_do(tmp_path: Path) -> None:
    others = [{**LINE, "action": action} for action in ("EXPIRED", "UPDATED")]
    store = MemSkill(make(tmp_path / "mem.db", lines=others))
    done(store, "dismiss", NUTS)
    done(store, "edit", TABS, content="Prefers spaces.")
    done(store, "supersede", CITY, Link(OLD_CITY, "supersedes", CITY))
    assert [lines(store, ref)[-1]["action"] for ref in (NUTS, TABS, CITY)] == [
        "EXPIRED",
        "UPDATED",
        "SUPERSEDE",
    ]
    assert lines(store, CITY)[-1]["reason"] == f"superseded by {OLD_CITY}, by a person in memtui"


def test_a_history_of_another_maker_is_filled_by_what_its_columns_mean(tmp_path: Path) -> None:
    store = MemSkill(make(tmp_path / "mem.db", history=STERN_HISTORY, lines=()))
    before = rows_in(store.root)
    plan = done(store, "dismiss", NUTS)
    (line,) = lines(store, NUTS)
    assert json.loads(line.pop("snapshot"))["value_text"] == "Allergic to hazelnuts."
    assert len(line.pop("id")) == 36
    assert line == {
        "fact_id": NUTS,
        "change_type": "EXPIRE",
        "old_status": "active",
        "new_status": "expired",
        "old_value_text": "Allergic to hazelnuts.",
        "new_value_text": "Allergic to hazelnuts.",
        "changed_at": NOW,
        "weight": 0,
    }
    assert "history" in {aside.kind for aside in store.read().asides if aside.about == NUTS}
    undone(store, plan)
    assert rows_in(store.root)["fact_history"] == before["fact_history"]


def test_a_history_that_takes_no_such_line_refuses_before_anything_is_written(tmp_path: Path) -> None:
    odd = "CREATE TABLE fact_history (fact_id TEXT, mood TEXT NOT NULL CHECK (mood IN ('glad', 'sad')))"
    store = MemSkill(make(tmp_path / "mem.db", history=odd, lines=()))
    before = bytes_of(store.root)
    with pytest.raises(Refused, match="takes no line of this change") as refusal:
        planned(store, "dismiss", NUTS)
    assert refusal.value.code == "history"
    assert bytes_of(store.root) == before


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE TABLE fact_history (fact_id TEXT, old_value, new_value, ts)",
        "CREATE TABLE fact_history (id INTEGER PRIMARY KEY, fact_id TEXT, data TEXT, recorded_at INTEGER)",
        "CREATE TABLE fact_history (fact_id TEXT, version INTEGER, value_text TEXT, confidence TEXT,"
        " created_at TEXT, changed_at TEXT, PRIMARY KEY (fact_id, version)) WITHOUT ROWID",
        "CREATE TABLE fact_history (turn_id TEXT NOT NULL, key TEXT, action_hash TEXT NOT NULL, details TEXT,"
        " UNIQUE (turn_id, key, action_hash))",
    ],
    ids=["no key", "data", "versions", "hashes"],
)
def test_every_manner_of_history_takes_lines_and_gives_them_back(tmp_path: Path, sql: str) -> None:
    store = MemSkill(make(tmp_path / "mem.db", history=sql, lines=(), search=()))
    before = rows_in(store.root) if "WITHOUT" not in sql else None
    count = "SELECT count(*) FROM fact_history"
    plans = store.plan([Write("dismiss", ref, {}, {}, NOW) for ref in (NUTS, TABS)])
    made = [plan for plan in plans if isinstance(plan, Planned)]
    store.carry_out(made, "t")
    third = done(store, "edit", NUTS, content="Walnuts.")
    assert asked(store.root, count) == [(3,)]
    undone(store, made[0])
    undone(store, third)
    back = undone(store, made[1])
    assert asked(store.root, count) == [(0,)]
    if before is not None:
        assert rows_in(store.root) == before
    undone(store, *back)
    assert asked(store.root, count) == [(1,)]


def test_a_history_that_nobody_may_change_gets_a_line_that_tells_of_the_undo(tmp_path: Path) -> None:
    store = MemSkill(make(tmp_path / "mem.db", more=GUARDS))
    before = rows_in(store.root)
    first = done(store, "edit", NUTS, content="Allergic to walnuts.")
    second = done(store, "dismiss", TABS)
    backs = undone(store, second, first)
    assert rows_in(store.root)["facts"] == before["facts"]
    told = [(line["action"], line["old_value"], line["new_value"]) for line in lines(store, NUTS)]
    assert told == [
        ("update", "Allergic to hazelnuts.", "Allergic to walnuts."),
        ("undo", "Allergic to walnuts.", "Allergic to hazelnuts."),
    ]
    assert [line["action"] for line in lines(store, TABS)] == ["expire", "undo"]
    undone(store, backs[1])
    assert value(store, NUTS, "value_text") == "Allergic to walnuts."
    assert len(lines(store, NUTS)) == 3
    assert "stays on undo" in store.supports("dismiss").words


def test_the_line_that_tells_of_an_undo_says_when_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MemSkill, "clock", lambda _: NOW + 3600)
    store = MemSkill(make(tmp_path / "mem.db", more=GUARDS))
    undone(store, done(store, "dismiss", NUTS))
    assert [line["created_at"] for line in lines(store, NUTS)] == [THEN, "2027-01-15T09:00:00Z"]


def test_a_stern_history_of_another_maker_can_be_undone_too(tmp_path: Path) -> None:
    store = MemSkill(make(tmp_path / "mem.db", history=STERN_HISTORY, lines=(), more=GUARDS))
    undone(store, done(store, "dismiss", NUTS))
    assert value(store, NUTS, "status") == "active"
    assert [(line["old_status"], line["new_status"]) for line in lines(store, NUTS)] == [
        ("active", "expired"),
        ("expired", "active"),
    ]


def test_a_line_that_an_agent_took_away_does_not_stop_the_undo(store: MemSkill) -> None:
    before = rows_in(store.root)["facts"]
    plan = done(store, "dismiss", NUTS)
    alter(store.root, "DELETE FROM fact_history")
    undone(store, plan)
    assert rows_in(store.root)["facts"] == before


def test_without_a_history_changes_are_made_all_the_same(tmp_path: Path) -> None:
    store = MemSkill(make(tmp_path / "mem.db", history=""))
    before = rows_in(store.root)["facts"]
    plan = done(store, "dismiss", NUTS)
    assert value(store, NUTS, "status") == "expired"
    undone(store, plan)
    assert rows_in(store.root)["facts"] == before


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("edit", NUTS, {"content": "Walnuts."}), ("edit", NUTS, {"category": "other"})),
        (("edit", NUTS, {"content": "Walnuts."}), ("dismiss", NUTS, {})),
        (("dismiss", NUTS, {}), ("edit", TABS, {"key": "tabs"})),
        (("delete", NUTS, {}), ("delete", TABS, {})),
    ],
)
def test_two_actions_are_undone_in_either_order(
    tmp_path: Path, one: tuple[Any, ...], other: tuple[Any, ...], first: int
) -> None:
    store = MemSkill(make(tmp_path / "mem.db"))
    before = rows_in(store.root)
    plans = [done(store, action, ref, **fields) for action, ref, fields in (one, other)]
    undone(store, plans[first])
    undone(store, plans[1 - first])
    after = rows_in(store.root)
    assert after["fact_history"] == before["fact_history"]
    assert {
        key: {n: v for n, v in row.items() if n != "updated_at"} for key, row in after["facts"].items()
    } == {key: {n: v for n, v in row.items() if n != "updated_at"} for key, row in before["facts"].items()}
    assert store.read().findings == []


def test_a_fact_that_was_taken_out_comes_back_though_its_place_was_given_away(store: MemSkill) -> None:
    plan = done(store, "delete", LANGUAGE)
    theirs = done(store, "add", content="Theirs.", key="theirs")
    undone(store, plan)
    assert {LANGUAGE, theirs.ref_after} <= set(store.read_refs([LANGUAGE, str(theirs.ref_after)]))


def test_a_purge_leaves_no_text_in_the_line_that_tells_of_it(store: MemSkill) -> None:
    done(store, "delete", NUTS)
    assert "hazelnuts" not in str(rows_in(store.root)["fact_history"])


def test_what_is_as_asked_already_is_not_written(store: MemSkill) -> None:
    before = bytes_of(store.root)
    done(
        store,
        "edit",
        CITY,
        content="Lives in Lisbon since the spring.",
        value={"city": "Lisbon", "since": 2025},
    )
    done(store, "dismiss", LANGUAGE)
    done(store, "supersede", OLD_CITY, Link(CITY, "supersedes", OLD_CITY))
    done(store, "confirm", CITY, status="applied")
    assert bytes_of(store.root) == before


def test_an_end_that_was_set_earlier_stays_with_a_dismissal(tmp_path: Path) -> None:
    row = {**FACTS[2], "valid_to": "2025-12-01T00:00:00Z"}
    store = MemSkill(make(tmp_path / "mem.db", [row]))
    done(store, "dismiss", NUTS)
    assert value(store, NUTS, "valid_to") == "2025-12-01T00:00:00Z"


@pytest.mark.parametrize("now", [None, "2099-12-01T00:00:00Z"])
def test_a_restored_fact_is_valid_again_and_an_end_to_come_stays(tmp_path: Path, now: str | None) -> None:
    row = {**FACTS[2], "status": "expired", "valid_to": now or "2025-12-01T00:00:00Z"}
    store = MemSkill(make(tmp_path / "mem.db", [row]))
    before = rows_in(store.root)
    plan = done(store, "restore", NUTS, status="confirmed")
    assert (value(store, NUTS, "status"), value(store, NUTS, "valid_to")) == ("active", now)
    assert store.read_refs([NUTS])[NUTS].fields["status"] == "confirmed"
    undone(store, plan)
    assert rows_in(store.root)["facts"] == before["facts"]


def test_what_a_dismissal_ended_is_valid_again_even_after_another_change(store: MemSkill) -> None:
    store.carry_out([planned(store, "dismiss", NUTS)], "t")
    write = Write("edit", NUTS, {"content": "Walnuts."}, {}, NOW + 5000)
    (edit,) = store.plan([write])
    assert isinstance(edit, Planned)
    store.carry_out([edit], "t")
    done(store, "restore", NUTS, status="confirmed")
    assert value(store, NUTS, "valid_to") is None


@pytest.mark.parametrize(
    ("stamp", "after"),
    [
        ("2025-10-01T08:00:00+00:00", "2027-01-15T08:00:00+00:00"),
        ("2025-10-01 08:00:00", "2027-01-15 08:00:00"),
        ("2025-10-01T08:00:00.123456Z", "2027-01-15T08:00:00.750000Z"),
        (1_759_305_600, 1_800_000_000),
        (1_759_305_600.5, NOW),
        ("soon", THEN),
        (None, THEN),
    ],
)
def test_times_are_written_in_the_form_that_stands_there(tmp_path: Path, stamp: Any, after: Any) -> None:
    row = {**FACTS[2], "updated_at": stamp, "created_at": None, "valid_from": None}
    store = MemSkill(make(tmp_path / "mem.db", [row], columns=ODD_COLUMNS))
    before = rows_in(store.root)
    plan = done(store, "dismiss", NUTS)
    assert (value(store, NUTS, "updated_at"), value(store, NUTS, "valid_to")) == (after, after)
    undone(store, plan)
    assert rows_in(store.root)["facts"] == before["facts"]


def test_odd_values_come_back_as_they_were(tmp_path: Path) -> None:
    row = {
        **FACTS[0],
        "value_text": b"\x00blob",
        "confidence": "1.3",
        "status": "archived",
        "value_json": "{",
    }
    store = MemSkill(make(tmp_path / "mem.db", [row], columns=ODD_COLUMNS, search=()))
    before = rows_in(store.root)
    plan = done(store, "edit", CITY, content="Text.", confidence=0.9, value=[1], status="confirmed")
    assert (value(store, CITY, "confidence"), value(store, CITY, "status")) == ("0.9", "active")
    undone(store, plan)
    assert rows_in(store.root) == before


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"content": " \n"}, "empty"),
        ({"key": " "}, "key"),
        ({"category": "preference"}, "category"),
        ({"content": "a\0b"}, "text"),
        ({"status": "gone"}, "status"),
    ],
)
def test_what_the_format_forbids_is_refused(store: MemSkill, fields: dict[str, Any], code: str) -> None:
    with pytest.raises(Refused) as refusal:
        planned(store, "edit", NUTS, **fields)
    assert refusal.value.code == code


# -- add and copies


def test_a_new_memory_is_a_row_as_mem_skill_would_make_it(store: MemSkill) -> None:
    before = rows_in(store.root)
    plan = done(store, "add", content="Drinks oolong tea, never coffee!")
    row = next(r for r in rows_in(store.root)["facts"].values() if r["fact_id"][1] == plan.ref_after)
    assert {name: v for name, (_, v) in row.items() if name != "fact_id" and v is not None} == {
        "user_id": "mira",
        "key": "drinks_oolong_tea_never_coffee",
        "value_text": "Drinks oolong tea, never coffee!",
        "category": "other",
        "confidence": 0.4,
        "valid_from": THEN,
        "status": "active",
        "source_turn_id": "memtui",
        "source_excerpt": "",
        "created_at": THEN,
        "updated_at": THEN,
    }
    alter(store.root, f"UPDATE facts SET embedding_id = 'e' WHERE fact_id = '{plan.ref_after}'")
    undone(store, plan)
    assert rows_in(store.root)["facts"] == before["facts"]


@pytest.mark.parametrize("other", [1_759_305_600_123, "1759305600123", "2025-10-01 08:00:00", 1.5])
def test_the_times_of_a_new_fact_are_as_the_format_documents_them(tmp_path: Path, other: Any) -> None:
    row = {**FACTS[2], **dict.fromkeys(("created_at", "updated_at", "valid_from", "valid_to"), other)}
    store = MemSkill(make(tmp_path / "mem.db", [row], columns=ODD_COLUMNS))
    ref = str(done(store, "add", content="Drinks oolong.", valid_to=NOW + 60, event_time=NOW).ref_after)
    times = ("created_at", "updated_at", "valid_from", "event_time", "valid_to")
    assert [value(store, ref, name) for name in times] == [THEN] * 4 + ["2027-01-15T08:01:00Z"]


def test_a_column_of_numbers_gets_its_new_times_as_numbers(tmp_path: Path) -> None:
    columns = {**COLUMNS, "created_at": "INTEGER NOT NULL", "updated_at": "REAL NOT NULL"}
    row = {**FACTS[2], "created_at": 1_759_305_600, "updated_at": 1_759_305_600.5}
    store = MemSkill(make(tmp_path / "mem.db", [row], columns=columns, archived=()))
    ref = str(done(store, "add", content="Drinks oolong.").ref_after)
    assert [value(store, ref, name) for name in ("created_at", "updated_at")] == [int(NOW), NOW]


def test_a_key_that_is_made_is_not_another_facts(store: MemSkill) -> None:
    plans = store.plan(
        [Write("add", "", {"content": "x", "subject": "Home city"}, {}, NOW) for _ in range(2)]
    )
    store.carry_out([plan for plan in plans if isinstance(plan, Planned)], "t")
    keys = {record.fields["key"] for record in store.read().records}
    assert {"home_city_2", "home_city_3"} <= keys


def test_a_memory_that_an_agent_took_out_is_put_back_as_it_was(store: MemSkill) -> None:
    before = rows_in(store.root)["facts"]
    fields = dict(store.read_refs([CITY])[CITY].fields)
    alter(store.root, f"DELETE FROM facts WHERE fact_id = '{CITY}'")
    said = {n: v for n, v in fields.items() if n in store.fields | store.restorable_fields and v is not None}
    plan = store.plan([Write("add", "", {"ref": CITY, **said}, {}, NOW)])[0]
    assert isinstance(plan, Planned)
    store.carry_out([plan], "t")
    assert plan.ref_after == CITY
    now = dict(store.read_refs([CITY])[CITY].fields)
    assert {**now, "updated_at": None} == {**fields, "updated_at": None}
    assert len(rows_in(store.root)["facts"]) == len(before)
    again = store.plan([Write("add", "", {"ref": CITY, "content": "Another."}, {}, NOW)])[0]
    assert isinstance(again, Planned)
    assert again.ref_after != CITY


def test_a_memory_of_another_store_is_fitted(store: MemSkill) -> None:
    fitted = store.fit(
        {
            "content": "Always squash.",
            "category": "convention",
            "status": "applied",
            "title": "Merging",
            "expires_at": NOW,
            "tags": ("git",),
            "extra": {"heat": "hot"},
        }
    )
    assert fitted.fields == {
        "content": "Always squash.",
        "category": "other",
        "status": "confirmed",
        "valid_to": NOW,
        "key": "merging",
    }
    assert fitted.changed.keys() == {"category", "status", "valid_to", "key"}
    plan = done(store, "add", **fitted.fields)
    assert store.read_refs([str(plan.ref_after)])[str(plan.ref_after)].fields["valid_to"] == int(NOW)


# -- agents beside us


def test_a_text_that_an_agent_changed_since_it_was_read_is_a_conflict_with_both(store: MemSkill) -> None:
    seen = {"content": "Allergic to hazelnuts."}
    alter(store.root, f"UPDATE facts SET value_text = 'Theirs.' WHERE fact_id = '{NUTS}'")
    plan = store.plan([Write("edit", NUTS, {"content": "Ours."}, seen, NOW)])[0]
    assert isinstance(plan, Conflict)
    assert (plan.yours, plan.theirs) == ({"content": "Ours."}, {"content": "Theirs."})


def test_a_line_that_an_agent_writes_meanwhile_makes_the_plan_anew(store: MemSkill) -> None:
    plan = planned(store, "dismiss", NUTS)
    alter(
        store.root,
        f"INSERT INTO fact_history SELECT 2, fact_id, user_id, key, 'x', 1, 2, 3, 4, 5 FROM facts"
        f" WHERE fact_id = '{TABS}'",
    )
    with pytest.raises(Refused) as refusal:
        store.carry_out([plan], "t")
    assert refusal.value.code == "changed"
    assert value(store, NUTS, "status") == "active"
    done(store, "dismiss", NUTS)
    assert lines(store, NUTS)[-1]["history_id"] == 3


def test_an_agent_that_touches_a_fact_stops_no_undo(store: MemSkill) -> None:
    plan = done(store, "edit", NUTS, content="Walnuts.")
    alter(store.root, f"UPDATE facts SET updated_at = '2030', embedding_id = 'e2' WHERE fact_id = '{NUTS}'")
    undone(store, plan)
    assert (value(store, NUTS, "value_text"), value(store, NUTS, "updated_at")) == (
        "Allergic to hazelnuts.",
        "2030",
    )


def test_facts_without_numbers_of_their_own_are_read_and_changed(tmp_path: Path) -> None:
    store = MemSkill(make(tmp_path / "mem.db", extra=" WITHOUT ROWID", search=OWN))
    assert len(store.read().records) == len(FACTS) + 1
    plan = done(store, "delete", NUTS)
    undone(store, plan)
    assert store.read_refs([NUTS])[NUTS].fields["content"] == "Allergic to hazelnuts."


# -- in words


@pytest.mark.parametrize(
    ("action", "field", "how", "words"),
    [
        (
            "dismiss",
            "",
            How.NATIVE,
            "sets it to expired, valid until now, in mem.db, with a line in fact_history",
        ),
        ("add", "", How.NATIVE, "adds a fact to mem.db"),
        ("edit", "key", How.NATIVE, "changes its key in mem.db, with a line in fact_history"),
        (
            "edit",
            "content",
            How.NATIVE,
            "changes the text in mem.db, with a line in fact_history;"
            " the agent's vectors hold the old text until they are synced",
        ),
        ("pin", "", How.WORKSPACE, "is kept in memtui: mem-skill has no pin"),
        ("relate", "supports", How.WORKSPACE, "is kept in memtui: mem-skill has no relations"),
        ("edit", "tags", How.WORKSPACE, "is kept in memtui: mem-skill has no tags"),
    ],
)
def test_each_action_says_what_it_does_where(
    store: MemSkill, action: str, field: str, how: How, words: str
) -> None:
    support = store.supports(action, field)
    assert (support.how, support.words) == (how, words)


def test_words_are_told_even_where_the_store_is_gone(tmp_path: Path) -> None:
    assert MemSkill(tmp_path / "mem.db").supports("dismiss").words == (
        "sets it to expired, valid until now, in mem.db"
    )


def test_archived_facts_are_told_apart(store: MemSkill) -> None:
    assert len(ARCHIVED) == 2
    assert [record.ref for record in store.read().records if record.unit == BESIDE] == [GONE]


def test_an_archived_fact_without_an_id_is_known_by_its_place(tmp_path: Path) -> None:
    rows = [{**fact(GONE, "editor", text), "fact_id": None} for text in ("ed.", "vi.")]
    store = MemSkill(make(tmp_path / "mem.db", archived=rows))
    refs = [f"archive:facts_archive:rowid:{number}" for number in (1, 2)]
    assert [record.fields["content"] for record in store.read_refs(refs).values()] == ["ed.", "vi."]
    with pytest.raises(Refused, match="history"):
        planned(store, "edit", refs[0], content="x")


def test_a_new_fact_never_takes_the_id_of_an_archived_one(store: MemSkill, tmp_path: Path) -> None:
    assert done(store, "add", ref=GONE, content="Another.").ref_after not in (None, GONE)
    columns = {**ODD_COLUMNS, "fact_id": "INTEGER PRIMARY KEY"}
    rows = [{**FACTS[0], "fact_id": 7}]
    numbered = MemSkill(
        make(tmp_path / "n.db", rows, columns=columns, archived=[{**FACTS[2], "fact_id": "9"}])
    )
    assert {record.ref for record in numbered.read().records} == {"7", "9"}
    assert done(numbered, "add", content="Another.").ref_after == "10"
    assert done(numbered, "add", ref="9", content="One more.").ref_after == "11"


# -- what no maker promised


def test_what_an_archives_own_trigger_writes_counts_too(tmp_path: Path) -> None:
    names = ", ".join(COLUMNS)
    archiving = (
        "CREATE TRIGGER archiving AFTER UPDATE ON facts WHEN new.status = 'expired' BEGIN"
        f" INSERT INTO facts_archive ({names}) SELECT {names} FROM facts WHERE fact_id = new.fact_id; END"
    )
    store = MemSkill(make(tmp_path / "mem.db", more=(archiving,)))
    assert store.locked() == ""
    plan = done(store, "dismiss", NUTS)
    assert [
        aside.words for aside in store.read().asides if (aside.kind, aside.about) == ("archived", NUTS)
    ] == ["In facts_archive: Allergic to hazelnuts."]
    undone(store, plan)
    assert value(store, NUTS, "status") == "active"
    alter(
        store.root,
        "CREATE TABLE turns (a)",
        "CREATE TRIGGER chain AFTER INSERT ON facts_archive BEGIN DELETE FROM turns; END",
    )
    assert "archiving" in store.locked()


def test_a_batch_begins_a_numbered_history_and_leaves_none(tmp_path: Path) -> None:
    store = MemSkill(make(tmp_path / "mem.db", lines=()))
    before = rows_in(store.root)
    plans = store.plan([Write("dismiss", ref, {}, {}, NOW) for ref in (NUTS, TABS, TASK)])
    made = [plan for plan in plans if isinstance(plan, Planned)]
    receipt = store.carry_out(made, "t")
    assert asked(store.root, "SELECT seq FROM sqlite_sequence") == [(3,)]
    assert {aside.about for aside in receipt.asides or ()} >= {NUTS, TABS, TASK}
    undone(store, *made[::-1])
    assert rows_in(store.root)["sqlite_sequence"] == before["sqlite_sequence"]


def test_a_new_store_that_keeps_its_own_form_of_time_is_kept_to(tmp_path: Path) -> None:
    sql = (
        "CREATE TABLE fact_history (id INTEGER PRIMARY KEY, fact_id TEXT, action TEXT,"
        " changed_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP)"
    )
    store = MemSkill(make(tmp_path / "mem.db", history=sql, lines=()))
    done(store, "dismiss", NUTS)
    assert [line["changed_at"] for line in lines(store, NUTS)] == ["2027-01-15 08:00:00"]


def test_a_time_that_no_calendar_has_is_refused(store: MemSkill) -> None:
    with pytest.raises(Refused) as refusal:
        planned(store, "edit", NUTS, valid_to=1e15)
    assert refusal.value.code == "time"


def test_a_history_that_is_a_view_is_none(tmp_path: Path) -> None:
    view = "CREATE VIEW fact_history AS SELECT fact_id, 'x' AS action FROM facts"
    store = MemSkill(make(tmp_path / "mem.db", history="", more=(view,)))
    assert "no-history" in codes(store)
    done(store, "dismiss", NUTS)
    assert value(store, NUTS, "status") == "expired"


def test_half_a_character_in_a_value_is_made_whole(store: MemSkill) -> None:
    done(store, "edit", NUTS, value={"a": "half \ud800"})
    assert value(store, NUTS, "value_json") == '{"a": "half \ufffd"}'


def test_a_history_that_knows_no_undo_does_not_stop_one(tmp_path: Path) -> None:
    sql = "CREATE TABLE fact_history (fact_id TEXT, action TEXT CHECK (action = 'expire'), at TEXT)"
    store = MemSkill(make(tmp_path / "mem.db", history=sql, lines=(), more=GUARDS))
    undone(store, done(store, "dismiss", NUTS))
    assert value(store, NUTS, "status") == "active"
    assert [line["action"] for line in lines(store, NUTS)] == ["expire"]
