"""MCP memory: how files are recognised and each dialect is read."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.formats.contract.records import Link
from memtui.formats.mcp_memory.adapter import McpMemory
from tests.formats.mcp_memory.support import make_store, parse
from tests.support.stores.mcp_memory import DIALECTS, PLAIN, entity, lines, make, relation


@pytest.fixture
def writer() -> Iterator[ThreadPoolExecutor]:
    """Another thread, which writes a file while it is read."""
    with ThreadPoolExecutor(1) as pool:
        yield pool


# -- recognise


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_is_recognised_by_its_content(tmp_path: Path, dialect: str) -> None:
    path = make(tmp_path / "memory.json", DIALECTS[dialect]).root
    assert McpMemory.recognise(path) == path


def test_an_empty_file_is_recognised_only_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
def test_other_text_is_not_recognised(tmp_path: Path, text: str) -> None:
    assert McpMemory.recognise(make(tmp_path / "x.jsonl", text.encode()).root) is None


def test_a_folder_and_a_missing_file_are_not_recognised(tmp_path: Path) -> None:
    assert McpMemory.recognise(tmp_path) is None
    assert McpMemory.recognise(tmp_path / "memory.jsonl") is None


# -- read


def test_one_observation_is_one_memory(store: McpMemory) -> None:
    records = store.read().records
    texts = [(r.fields["subject"], r.fields["category"], r.fields["content"]) for r in records]
    assert texts == [
        ("Ada Lövelace", "person", "likes tea"),
        ("Ada Lövelace", "person", "writes 日本語 ☕"),
        ("Ada Lövelace", "person", "lives in London"),
        ("Analytical Engine", "machine", "likes tea"),
        ("Analytical Engine", "machine", "has a mill"),
        ("Bo", "person", ""),  # an entity without observations is shown too
    ]
    assert [r.place for r in records][3] == "memory.jsonl, Analytical Engine"
    assert [r.placeholder for r in records] == [False] * 5 + [True]
    assert len({r.ref for r in records}) == 6


def test_relations_are_links_between_entities(store: McpMemory) -> None:
    assert store.read().links == [
        Link("Ada Lövelace", "designs for", "Analytical Engine"),
        Link("Bo", "knows", "Ada Lövelace"),
    ]


def test_a_relation_to_a_missing_entity_is_a_finding(tmp_path: Path) -> None:
    reading = make_store(tmp_path, entity("Ada", "x"), relation("Ada", "knows", "Nobody")).read()
    assert [f.code for f in reading.findings] == ["dangling"]
    assert reading.links[0].target == "Nobody"


def test_equal_observations_stay_two_memories(tmp_path: Path) -> None:
    records = make_store(tmp_path, entity("Ada", "tea", "tea")).read().records
    assert records[1].ref == records[0].ref + "\x1f2"


def test_the_time_of_an_observation_is_read() -> None:
    first = parse(DIALECTS["observations with times"]).records[0]
    assert (first.fields["content"], first.fields["created_at"]) == ("tea", 1767323045.0)


def test_unknown_keys_are_read_as_extra() -> None:
    assert parse(DIALECTS["foreign keys"]).records[0].fields["extra"] == {"weight": 1, "note": {"a": [1e5]}}


@pytest.mark.parametrize(
    ("dialect", "reason"),
    [
        ("a torn tail", "the last line is incomplete"),
        ("a line that is not UTF-8", "not valid UTF-8"),
        ("a line with trailing text", "not valid JSON"),
        ("lines that are not a graph", "neither entity nor relation"),
    ],
)
def test_a_bad_line_is_a_finding_and_the_rest_is_read(dialect: str, reason: str) -> None:
    reading = parse(DIALECTS[dialect])
    assert len(reading.records) == 6
    assert any(f.code == "bad-line" and reason in f.text for f in reading.findings)
    assert reading.findings[0].place == "memory.jsonl, line 6"


def test_characters_that_sqlite_cannot_hold_are_replaced(tmp_path: Path) -> None:
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


# -- read during a write


@pytest.mark.parametrize("half", [b"", PLAIN[: len(PLAIN) // 2 - 9]], ids=["emptied", "half"])
def test_a_file_being_rewritten_is_read_when_it_is_complete(
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
