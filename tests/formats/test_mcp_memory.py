"""MCP memory files: how each dialect reads, and what each action makes of the bytes."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memtui.errors import Conflict, Refused
from memtui.formats.contract.adapter import How, Link, Planned, Reading, Write
from memtui.formats.mcp_memory import reader
from memtui.formats.mcp_memory.adapter import McpMemory
from memtui.formats.mcp_memory.lines import Line
from memtui.formats.mcp_memory.writer import GraphWriter
from memtui.formats.syntax.json_spans import Span
from tests.support.sizes import examples, rounds, share, turn
from tests.support.stores.files import carry, do, kept, said, the, tree, undo, write
from tests.support.stores.mcp_memory import DIALECTS, GRAPH, PLAIN, entity, lines, make, relation


@pytest.fixture(autouse=True)
def at_rest(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Torn files are read at once, without waiting for a writer who might be about to complete them."""
    if "writer" not in request.fixturenames:
        monkeypatch.setattr(reader, "SETTLED_AFTER", 0.0)


@pytest.fixture
def writer() -> Iterator[ThreadPoolExecutor]:
    """Another thread, which writes a file while it is read."""
    with ThreadPoolExecutor(1) as pool:
        yield pool


@pytest.fixture
def store(tmp_path: Path) -> McpMemory:
    return make(tmp_path / "memory.jsonl")


def of(tmp_path: Path, *objects: dict[str, Any]) -> McpMemory:
    return make(tmp_path / "memory.jsonl", "\n".join(lines(*objects)).encode())


def objects(store: McpMemory) -> list[Any]:
    """The file as the server reads it: it fails for everything if one line is bad."""
    return [json.loads(line) for line in store.root.read_text().splitlines() if line.strip()]


def parse(data: bytes) -> Reading:
    return McpMemory(Path("/none/memory.jsonl")).parse({"memory.jsonl": data})


# -- recognise


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_is_recognised_by_its_content(tmp_path: Path, dialect: str) -> None:
    path = make(tmp_path / "memory.json", DIALECTS[dialect]).root
    assert McpMemory.recognise(path) == path


def test_an_empty_file_is_a_memory_only_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make(tmp_path / "graph.db", b"").root
    assert McpMemory.recognise(path) is None
    monkeypatch.setenv("MEMORY_FILE_PATH", str(path))
    assert McpMemory.recognise(path) == path


@pytest.mark.parametrize(
    "text",
    [
        "plain text\n",
        '{"some": "json"}\n',
        '[{"type":"entity"}]',
        "\n\n",
        '{"log": 1}\n' * 9 + lines(entity("a"))[0],
        "[" * 5000,
    ],
)
def test_other_text_is_none(tmp_path: Path, text: str) -> None:
    assert McpMemory.recognise(make(tmp_path / "x.jsonl", text.encode()).root) is None


def test_a_folder_and_a_missing_file_are_none(tmp_path: Path) -> None:
    assert McpMemory.recognise(tmp_path) is None
    assert McpMemory.recognise(tmp_path / "memory.jsonl") is None


# -- read


def test_one_observation_is_one_memory(store: McpMemory) -> None:
    records = store.read().records
    told = [(r.fields["subject"], r.fields["category"], r.fields["content"]) for r in records]
    assert told == [
        ("Ada Lövelace", "person", "likes tea"),
        ("Ada Lövelace", "person", "writes 日本語 ☕"),
        ("Ada Lövelace", "person", "lives in London"),
        ("Analytical Engine", "machine", "likes tea"),
        ("Analytical Engine", "machine", "has a mill"),
        ("Bo", "person", ""),  # an entity without observations is shown too
    ]
    assert [r.place for r in records][3] == "memory.jsonl, Analytical Engine"
    assert [r.bare for r in records] == [False] * 5 + [True]
    assert len({r.ref for r in records}) == 6


def test_relations_are_links_between_entities(store: McpMemory) -> None:
    assert store.read().links == [
        Link("Ada Lövelace", "designs for", "Analytical Engine"),
        Link("Bo", "knows", "Ada Lövelace"),
    ]


def test_a_relation_to_nobody_is_noted(tmp_path: Path) -> None:
    found = of(tmp_path, entity("Ada", "x"), relation("Ada", "knows", "Nobody")).read()
    assert [f.code for f in found.findings] == ["dangling"]
    assert found.links[0].target == "Nobody"


def test_equal_observations_stay_two(tmp_path: Path) -> None:
    records = of(tmp_path, entity("Ada", "tea", "tea")).read().records
    assert records[1].ref == records[0].ref + "\x1f2"


def test_observations_with_times_have_their_time() -> None:
    first = parse(DIALECTS["observations with times"]).records[0]
    assert (first.fields["content"], first.fields["created_at"]) == ("tea", 1767323045.0)


def test_keys_of_others_are_told() -> None:
    assert parse(DIALECTS["keys of others"]).records[0].fields["extra"] == {"weight": 1, "note": {"a": [1e5]}}


@pytest.mark.parametrize(
    ("dialect", "words"),
    [
        ("a torn tail", "the last line is torn"),
        ("a line that is no UTF-8", "not UTF-8"),
        ("a line with something behind it", "no JSON"),
        ("lines that are no graph", "neither entity nor relation"),
    ],
)
def test_a_bad_line_is_noted_and_the_rest_is_read(dialect: str, words: str) -> None:
    found = parse(DIALECTS[dialect])
    assert len(found.records) == 6
    assert any(f.code == "bad-line" and words in f.text for f in found.findings)
    assert found.findings[0].place == "memory.jsonl, line 6"


def test_text_that_no_database_holds_becomes_a_sign(tmp_path: Path) -> None:
    (tmp_path / "memory.jsonl").write_text('{"name":"A\\u0000","entityType":"t","observations":["x\\ud800"]}')
    record = McpMemory(tmp_path / "memory.jsonl").read().records[0]
    assert (record.fields["subject"], record.fields["content"]) == ("A\ufffd", "x\ufffd")


@given(
    st.lists(
        st.sampled_from([b'{"name":"a","observations":["b"]}', b"\n", b"\r\n", b"\xff", b"{", b"]", b'"'])
        | st.binary(max_size=8)
    )
)
def test_reading_never_fails(parts: list[bytes]) -> None:
    parse(b"".join(parts))


# -- read, while it is written


@pytest.mark.parametrize("half", [b"", PLAIN[: len(PLAIN) // 2 - 9]], ids=["emptied", "half"])
def test_a_file_that_is_being_rewritten_is_read_once_it_is_whole(
    tmp_path: Path, writer: ThreadPoolExecutor, half: bytes
) -> None:
    store = make(tmp_path / "memory.jsonl", half)

    def rewrite() -> None:
        time.sleep(0.1)
        store.root.write_bytes(PLAIN)

    rewriting = writer.submit(rewrite)
    reading = store.read()
    rewriting.result()
    assert reading.records == parse(PLAIN).records


# -- what each action makes of the bytes


@pytest.mark.parametrize("dialect", DIALECTS)
def test_reading_and_planning_touch_nothing(tmp_path: Path, dialect: str) -> None:
    store = make(tmp_path / "memory.jsonl", DIALECTS[dialect])
    store.plan([write("edit", r, content=r.fields["content"] or "x") for r in store.read().records])
    assert tree(tmp_path) == {"memory.jsonl": DIALECTS[dialect]}


@pytest.mark.parametrize(
    ("action", "dialect"),
    [
        (action, dialect)
        for number, dialect in enumerate(DIALECTS)
        for action in turn(["edit", "subject", "dismiss", "add", "category"], 2 * number, 3)
    ],
)
def test_every_action_on_every_memory_is_taken_back_to_the_byte(
    tmp_path: Path, dialect: str, action: str
) -> None:
    store = make(tmp_path / "memory.jsonl", DIALECTS[dialect])
    before = said(store)
    for record in share(store.read().records, 3):
        asked = {
            "edit": write("edit", record, content='new "text" \\ ☕\nin two lines'),
            "dismiss": write("dismiss", record),
            "add": write("add", subject=record.fields["subject"], content="one more"),
            "category": write("edit", record, category="thing"),
            "subject": write("edit", record, subject="Neu"),
        }[action]
        (plan,) = store.plan([asked])
        if isinstance(plan, Refused):
            assert plan.code == "no-field"
            assert action == "category"
            continue
        done = carry(store, [plan])[0]
        assert said(store) != before
        assert len(store.read().findings) <= len(parse(DIALECTS[dialect]).findings) + 2
        undo(store, done)
        assert tree(tmp_path) == {"memory.jsonl": DIALECTS[dialect]}
        assert said(store) == before


def test_an_edit_changes_the_text_and_nothing_else(store: McpMemory) -> None:
    do(store, write("edit", the(store, "London"), content="lives in Paris"))
    assert store.root.read_bytes() == PLAIN.replace(b"London", b"Paris")


def test_an_edit_is_escaped_where_the_line_is(tmp_path: Path) -> None:
    store = make(tmp_path / "memory.jsonl", DIALECTS["escaped to ASCII"])
    do(store, write("edit", the(store, "London"), content="lives in Zürich"))
    assert b"Z\\u00fcrich" in store.root.read_bytes()


def test_an_edit_keeps_how_the_rest_of_its_line_is_spelt(tmp_path: Path) -> None:
    store = make(tmp_path / "memory.jsonl", DIALECTS["keys of others"])
    do(store, write("edit", the(store, "odd / spelling"), content="new"))
    expected = DIALECTS["keys of others"].replace(b'"odd \\/ spelling"', b'"new"')
    assert store.root.read_bytes() == expected


def test_an_observation_with_a_time_keeps_it(tmp_path: Path) -> None:
    store = make(tmp_path / "memory.jsonl", DIALECTS["observations with times"])
    do(store, write("edit", the(store, "ink"), content="blue ink"))
    assert store.root.read_bytes() == DIALECTS["observations with times"].replace(b'"ink"', b'"blue ink"')


def test_a_dismissed_observation_leaves_its_neighbours(store: McpMemory) -> None:
    do(store, write("dismiss", the(store, "日本語")))
    assert store.root.read_bytes() == PLAIN.replace(',"writes 日本語 ☕"'.encode(), b"")


def test_the_last_observation_leaves_a_bare_entity_and_comes_back(tmp_path: Path) -> None:
    store = of(tmp_path, entity("Ada", "tea"))
    done = do(store, write("dismiss", the(store, "tea")))
    assert objects(store) == [entity("Ada")]
    assert [r.bare for r in store.read().records] == [True]
    undo(store, done)
    assert objects(store) == [entity("Ada", "tea")]


def test_a_bare_entity_takes_an_observation_by_edit_and_by_add(tmp_path: Path) -> None:
    store = of(tmp_path, entity("Ada"))
    before = tree(tmp_path)
    for asked in (
        write("edit", store.read().records[0], content="tea"),
        write("add", subject="Ada", content="tea"),
    ):
        (plan,) = done = do(store, asked)
        assert objects(store) == [entity("Ada", "tea")]
        assert plan.ref_after == the(store, "tea").ref
        undo(store, done)
        assert tree(tmp_path) == before


def test_a_dismissed_entity_takes_its_relations_along(store: McpMemory) -> None:
    (bare,) = [r for r in store.read().records if r.bare]
    done = do(store, write("dismiss", bare))
    assert objects(store) == [GRAPH[0], GRAPH[1], GRAPH[3]]
    undo(store, done)
    assert store.root.read_bytes() == PLAIN


def test_a_category_changes_for_the_whole_entity_and_says_so(store: McpMemory) -> None:
    (plan,) = do(store, write("edit", the(store, "London"), category="mathematician"))
    assert plan.also == ("Ada Lövelace",)
    assert [r.fields["category"] for r in store.read().records[:3]] == ["mathematician"] * 3


def test_a_new_name_goes_into_the_relations_too(store: McpMemory) -> None:
    do(store, write("edit", the(store, "London"), subject="Ada"))
    assert [link.source for link in store.read().links] == ["Ada", "Bo"]
    assert store.read().links[1].target == "Ada"


def test_three_observations_of_one_entity_can_be_renamed_at_once(store: McpMemory) -> None:
    mine = [r for r in store.read().records if r.fields["subject"] == "Ada Lövelace"]
    done = do(store, *(write("edit", r, subject="Ada") for r in mine))
    assert {r.fields["subject"] for r in store.read().records[:3]} == {"Ada"}
    undo(store, done)
    assert store.root.read_bytes() == PLAIN


def test_an_addition_speaks_the_dialect_of_the_file(tmp_path: Path) -> None:
    store = make(tmp_path / "memory.jsonl", DIALECTS["with _type"])
    do(store, write("add", subject="Cy", content="new"))
    assert store.root.read_bytes().startswith(DIALECTS["with _type"] + b'\n{"_type":"entity","name":"Cy"')
    store = make(tmp_path / "times.jsonl", DIALECTS["observations with times"])
    do(store, write("add", subject="Ada", content="new"))
    assert objects(store)[0]["observations"][-1] == {"text": "new", "timestamp": "2027-01-15T08:00:00Z"}


def test_an_addition_to_an_empty_file_is_its_first_line(tmp_path: Path) -> None:
    store = make(tmp_path / "memory.jsonl", b"")
    done = do(store, write("add", subject="Ada", category="person", content="tea"))
    assert objects(store) == [entity("Ada", "tea")]
    undo(store, done)
    assert store.root.read_bytes() == b""


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"content": "  "}, "empty"),
        ({"content": None}, "empty"),
        ({"category": None}, "empty"),
        ({"subject": ""}, "empty"),
        ({"subject": "Bo"}, "exists"),
        ({"content": "half \ud800"}, "text"),
    ],
)
def test_what_the_server_could_not_read_is_refused(
    store: McpMemory, fields: dict[str, Any], code: str
) -> None:
    (refusal,) = store.plan([write("edit", the(store, "London"), **fields)])
    assert isinstance(refusal, Refused)
    assert refusal.code == code


def test_an_addition_needs_an_entity(store: McpMemory) -> None:
    (refusal,) = store.plan([write("add", content="whose?")])
    assert isinstance(refusal, Refused)
    assert refusal.code == "no-subject"


def test_it_says_in_words_what_will_happen(store: McpMemory) -> None:
    assert store.supports("dismiss").how is How.MOVED
    assert store.supports("edit", "content").how is How.NATIVE
    assert "for all its observations" in store.supports("edit", "category").words
    assert store.supports("pin").how is How.WORKSPACE
    assert store.supports("edit", "tags").words == "is kept in memtui: an MCP memory file has no tags"


# -- beside an agent


def test_a_text_that_changed_meanwhile_is_a_conflict(store: McpMemory) -> None:
    record = the(store, "London")
    store.root.write_bytes(PLAIN.replace(b"London", b"Rome"))
    (conflict,) = store.plan([write("edit", record, content="lives in Paris")])
    assert isinstance(conflict, Conflict)
    assert (conflict.yours, conflict.theirs) == ({"content": "lives in Paris"}, {})
    assert b"Rome" in store.root.read_bytes()


def test_what_an_agent_wrote_elsewhere_survives_a_change_and_its_undo(store: McpMemory) -> None:
    done = do(store, write("edit", the(store, "London"), content="lives in Paris"))
    theirs = entity("Ada Lövelace", "likes tea", "writes 日本語 ☕", "lives in Paris", "was born in 1815")
    store.root.write_text("\n".join(lines(theirs, *GRAPH[1:], entity("Cy", "new"))))
    undo(store, done)
    theirs["observations"][2] = "lives in London"
    assert objects(store) == [theirs, *GRAPH[1:], entity("Cy", "new")]


def test_an_observation_comes_back_at_its_old_place_if_its_neighbours_stand(store: McpMemory) -> None:
    done = do(store, write("dismiss", the(store, "日本語")))
    store.root.write_bytes(store.root.read_bytes().replace(b'"likes tea",', b'"drank", "likes tea",'))
    undo(store, done)
    assert objects(store)[0]["observations"] == ["drank", "likes tea", "writes 日本語 ☕", "lives in London"]


def test_an_observation_of_an_entity_that_is_gone_comes_back_with_it(store: McpMemory) -> None:
    done = do(store, write("dismiss", the(store, "日本語")))
    store.root.write_text("\n".join(lines(*GRAPH[1:3])))
    undo(store, done)
    assert objects(store)[-1] == entity("Ada Lövelace", "writes 日本語 ☕")


def test_an_edit_that_was_edited_again_is_not_taken_back(store: McpMemory) -> None:
    done = do(store, write("edit", the(store, "London"), content="lives in Paris"))
    store.root.write_bytes(store.root.read_bytes().replace(b"Paris", b"Rome"))
    (refusal,) = store.reverse(done)
    assert isinstance(refusal, Refused)
    assert refusal.code == "changed-since"


def test_an_equal_text_elsewhere_is_not_mistaken_for_it(tmp_path: Path) -> None:
    store = of(tmp_path, entity("A", "x"), entity("B", "y"))
    done = do(store, write("edit", the(store, "x"), content="y"))
    store.root.write_text("\n".join(lines(entity("A", "z"), entity("B", "y"))))
    assert all(isinstance(answer, Refused) for answer in store.reverse(done))


def test_a_batch_is_undone_memory_by_memory(store: McpMemory) -> None:
    records = [r for r in store.read().records if not r.bare]
    done = do(store, *(write("edit", r, content=f"new {n}") for n, r in enumerate(records)))
    store.root.write_bytes(store.root.read_bytes().replace(b'"new 1"', b'"theirs"'))
    answers = store.reverse(list(reversed(done)))
    assert [isinstance(answer, Refused) for answer in answers] == [False, False, False, True, False]
    carry(store, [answer for answer in answers if isinstance(answer, Planned)])
    assert store.root.read_bytes() == PLAIN.replace("writes 日本語 ☕".encode(), b"theirs")


def test_an_undo_after_a_rename_finds_its_observation(store: McpMemory) -> None:
    edited = do(store, write("edit", the(store, "日本語"), content="writes"))
    renamed = do(store, write("edit", the(store, "London"), subject="Ada"))
    assert all(isinstance(answer, Refused) for answer in store.reverse(edited))
    (back,) = undo(store, [replace(edited[0], ref_after=the(store, "writes").ref)])
    assert back.ref_after == the(store, "日本語").ref
    undo(store, renamed)
    assert store.root.read_bytes() == PLAIN


def test_dismissed_neighbours_come_back_in_any_order(tmp_path: Path) -> None:
    store = of(tmp_path, entity("Ada", "a", "b"))
    second = do(store, write("dismiss", the(store, "b")))
    first = do(store, write("dismiss", the(store, "a")))
    undo(store, second)
    undo(store, first)
    assert sorted(objects(store)[0]["observations"]) == ["a", "b"]


def test_a_batch_of_hundreds_goes_and_comes_back(tmp_path: Path) -> None:
    store = of(
        tmp_path, *(entity(f"e{n}", *(f"text {n}.{m}" for m in range(10))) for n in range(rounds(30, 100)))
    )
    before = tree(tmp_path)
    records = store.read().records
    done = do(
        store,
        *(write("dismiss", r) for r in records[::2]),
        *(write("edit", r, content="same") for r in records[1::2]),
    )
    assert len(done) == len(records)
    assert {r.fields["content"] for r in store.read().records} == {"same"}
    undo(store, done)
    assert tree(tmp_path) == before


def test_one_odd_write_does_not_stop_the_batch(store: McpMemory) -> None:
    tea, mill = the(store, "London"), the(store, "mill")
    answers = store.plan([write("edit", tea, content=""), write("edit", mill, content="has two mills")])
    assert isinstance(answers[0], Refused)
    carry(store, answers[1:])
    assert store.root.read_bytes() == PLAIN.replace(b"has a mill", b"has two mills")


def test_a_dismissed_text_never_comes_back_into_another_entity(tmp_path: Path) -> None:
    zoe, bob = entity("Zoe", "likes chess and long walks"), entity("Bob", "plays the guitar")
    store = of(tmp_path, zoe, entity("Anna", "works at Acme", "is allergic to nuts"), bob)
    done = do(store, write("dismiss", the(store, "nuts")))
    store.root.write_text("\n".join(lines(zoe, bob)))
    undo(store, done)
    assert objects(store) == [zoe, bob, entity("Anna", "is allergic to nuts")]


def test_an_edit_is_never_taken_back_in_another_record(tmp_path: Path) -> None:
    kind = "software-project-component-of-the-platform"
    rest = [entity("Beta", "x", kind=kind), entity("Gamma", "uses MySQL now", kind=kind)]
    store = of(tmp_path, entity("Alpha", "uses Postgres", kind=kind), *rest)
    done = do(store, write("edit", the(store, "Postgres"), content="uses MySQL now"))
    store.root.write_text("\n".join(lines(*rest)))
    (refusal,) = store.reverse(done)
    assert isinstance(refusal, Refused)
    assert refusal.code == "changed-since"


def test_an_addition_is_never_taken_back_in_another_record(tmp_path: Path) -> None:
    bob = entity("Bob", "a text that is long enough")
    store = of(tmp_path, entity("Anna"), bob)
    done = do(store, write("add", subject="Anna", content="a text that is long enough"))
    store.root.write_text("\n".join(lines(bob)))
    assert isinstance(store.reverse(done)[0], Refused)


def test_a_text_comes_back_to_its_entity_whatever_its_category_is_now(tmp_path: Path) -> None:
    store = of(tmp_path, entity("Anna", "one", "two"))
    done = do(store, write("dismiss", the(store, "two")))
    store.root.write_text("\n".join(lines(entity("Anna", "one", kind="robot"))))
    undo(store, done)
    assert objects(store) == [entity("Anna", "one", "two", kind="robot")]


def test_an_addition_does_not_change_the_category_of_its_entity(store: McpMemory) -> None:
    (refusal,) = store.plan([write("add", subject="Bo", content="x", category="robot")])
    assert isinstance(refusal, Refused)
    assert (refusal.code, "is a person; its category is not changed" in refusal.message) == ("category", True)
    do(store, write("add", subject="Bo", content="x", category="person"))
    do(store, write("add", subject="Bo", content="y"))
    assert objects(store)[2] == entity("Bo", "x", "y")


def test_names_cannot_forge_the_number_of_equal_ones(tmp_path: Path) -> None:
    names = ["A", "A", "A#2", "A\x1f2", "A\ufffd2", "entity:A", "A"]
    store = of(tmp_path, *map(entity, names))
    refs = [record.ref for record in store.read().records]
    assert (len(set(refs)), refs[0]) == (len(names), "entity:A")


@pytest.mark.parametrize("deep", [150, 199, 600, 5000])
def test_a_line_nested_too_deep_is_a_bad_one(tmp_path: Path, deep: int) -> None:
    line = lines(entity("Deep", "x"))[0][:-1] + ',"z":' + "[" * deep + "]" * deep + "}"
    store = make(tmp_path / "memory.jsonl", "\n".join([*lines(entity("A", "y")), line]).encode())
    found = store.read()
    assert all(record.digest for record in found.records)
    assert [f.code for f in found.findings] == ([] if deep < 200 else ["bad-line"])


def test_hundreds_of_bare_entities_are_dismissed_in_one_go(tmp_path: Path) -> None:
    store = of(tmp_path, *(entity(f"E{n}") for n in range(rounds(400, 1000))), relation("E1", "knows", "E2"))
    before = tree(tmp_path)
    start = time.monotonic()
    done = do(store, *(write("dismiss", record) for record in store.read().records))
    assert time.monotonic() - start < 10
    assert store.root.read_bytes() == b""
    undo(store, done)
    assert tree(tmp_path) == before


def test_a_wide_change_excuses_no_other_entity(store: McpMemory, monkeypatch: pytest.MonkeyPatch) -> None:
    real = GraphWriter.replace_value

    def faulty(self: GraphWriter, line: Line, span: Span, value: Any) -> None:
        real(self, line, span, value)
        draft = self.draft
        draft.splice("memory.jsonl", *_at(draft.files["memory.jsonl"], b"has a mill"), b"has no mill")

    monkeypatch.setattr(GraphWriter, "replace_value", faulty)
    (refusal,) = store.plan([write("edit", the(store, "London"), category="robot")])
    assert isinstance(refusal, Refused)
    assert "also have changed" in refusal.message
    monkeypatch.undo()
    answers = store.plan(
        [write("edit", the(store, "London"), category="c"), write("edit", the(store, "mill"), content="m")]
    )
    assert [p.also for p in answers if isinstance(p, Planned)] == [("Ada Lövelace",), ()]


def _at(data: bytes, text: bytes) -> tuple[int, int]:
    return data.index(text), data.index(text) + len(text)


# -- any sequence


_ACTS = st.lists(
    st.tuples(st.sampled_from(["edit", "dismiss", "add", "category", "subject"]), st.integers(0, 99)),
    max_size=8,
)


def _apply(store: McpMemory, acts: list[tuple[str, int]]) -> list[list[Planned]]:
    done = []
    for number, (action, pick) in enumerate(acts):
        records = store.read().records
        record = records[pick % len(records)] if records else None
        if action == "add" or record is None:
            asked = write("add", subject=f"S{pick % 3}", content=f"text {pick % 4}")
        elif action == "dismiss":
            asked = write("dismiss", record)
        elif action == "edit":
            asked = write("edit", record, content=f"text {pick % 4}")
        else:
            asked = write("edit", record, **{action: f"N{number}"})
        (plan,) = store.plan([asked])
        if isinstance(plan, Planned):
            done.append(carry(store, [plan])[0])
    return done


@examples(12)
@given(acts=_ACTS, dialect=st.sampled_from(sorted(DIALECTS)))
@example(acts=[("dismiss", 0), ("dismiss", 0)], dialect="equal entities")
def test_all_undone_last_first_is_the_file_to_the_byte(
    tmp_path_factory: pytest.TempPathFactory, acts: list[tuple[str, int]], dialect: str
) -> None:
    store = make(tmp_path_factory.mktemp("mcp") / "memory.jsonl", DIALECTS[dialect])
    for plans in reversed(_apply(store, acts)):
        undo(store, plans)
    assert tree(store.folder) == {"memory.jsonl": DIALECTS[dialect]}


@examples(12)
@given(acts=_ACTS, order=st.randoms(use_true_random=False))
def test_undone_in_any_order_the_server_can_read_it(
    tmp_path_factory: pytest.TempPathFactory, acts: list[tuple[str, int]], order: random.Random
) -> None:
    store = make(tmp_path_factory.mktemp("mcp") / "memory.jsonl")
    done = _apply(store, acts)
    order.shuffle(done)
    for plans in done:
        (answer,) = store.reverse(plans)
        if isinstance(answer, Planned):
            carry(store, [kept(store, answer)])
        objects(store)
        assert not [f for f in store.read().findings if f.code == "bad-line"]


def test_what_comes_back_in_another_order_is_spelled_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "memory.jsonl"
    said = [{"text": f"number {n}", "timestamp": f"2026-01-0{n}T00:00:00Z"} for n in (1, 2)]
    line = {"type": "entity", "name": "A", "entityType": "x", "observations": said}
    path.write_text(json.dumps(line))
    store = McpMemory(path)
    plans = []
    for _ in said:
        record = store.read().records[0]
        (plan,) = store.plan([Write("dismiss", record.ref, {"status": "dismissed"}, {}, 1.0)])
        assert isinstance(plan, Planned)
        store.carry_out([plan], "t")
        plans.append(plan)
    for plan in plans:  # the first one first
        (back,) = store.reverse([plan])
        assert isinstance(back, Planned)
        store.carry_out([back], "t")
    assert sorted(json.loads(path.read_text())["observations"], key=str) == said


def test_a_first_line_of_any_length_is_recognised(tmp_path: Path) -> None:
    store = of(tmp_path, entity("Ada", "tea " * (1 << 19)), entity("Bo", "ink"))
    assert McpMemory.recognise(store.root) == store.root
    assert len(store.read().records) == 2


def test_a_key_that_stands_twice_is_a_finding_and_the_last_one_counts() -> None:
    line = b'{"type":"entity","name":"A","entityType":"t","observations":["one"],"observations":["two"]}'
    found = parse(line)
    assert [record.fields["content"] for record in found.records] == ["two"]
    assert [(each.code, each.place) for each in found.findings] == [("double-key", "memory.jsonl, line 1")]
