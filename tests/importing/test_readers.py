"""What each reader makes of a text: memories with their lines, and what is none, and why (S-74)."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.export.exporter import Entry
from memtui.export.registry import by_name
from memtui.importing.reader import Found
from memtui.importing.readers.table import MOST_COLUMNS
from memtui.importing.registry import reader_for
from memtui.memory.imported import Imported, Unreadable
from memtui.memory.memory import Memory
from memtui.memory.selection.candidate import Candidate


def read(text: str, name: str = "-", kind: str = "") -> list[Found]:
    return list(reader_for(Path(name), text, kind).read(text))


def contents(text: str, name: str = "-") -> list[tuple[int, str]]:
    """Return the line and the text of each memory; all of the text has to be memories."""
    return [(each.line, each.fields["content"]) for each in read(text, name) if isinstance(each, Imported)]


def codes(text: str, name: str = "-") -> list[tuple[int, str]]:
    """Return the line and the code of what is no memory."""
    return [(each.line, each.code) for each in read(text, name) if isinstance(each, Unreadable)]


NOTES = """\
---
name: notes
---
# Deploys

We deploy on Tuesdays.

Never on Fridays.

Some rules:
- The lead confirms
  each deploy

  in writing
* [x] A rollback needs no word
1. Numbered
***
After the rule
## Code
- Formatted so:
  ```
  - not a bullet
  ```
"""


def test_markdown_has_a_memory_for_each_bullet_and_for_the_text_of_a_heading() -> None:
    assert contents(NOTES, "notes.md") == [
        (6, "We deploy on Tuesdays.\n\nNever on Fridays."),
        (11, "The lead confirms\neach deploy\n\nin writing"),
        (15, "A rollback needs no word"),
        (16, "Numbered"),
        (18, "After the rule"),
        (20, "Formatted so:\n```\n- not a bullet\n```"),
    ]
    text, bullet, *_ = (each for each in read(NOTES, "notes.md") if isinstance(each, Imported))
    assert text.fields["title"] == "Deploys"
    assert bullet.fields["category"] == "deploys"
    assert read("", "notes.md") == read("# Only a heading\n\n- \n", "notes.md") == []


def test_what_is_indented_below_a_bullet_is_of_it_and_a_fence_ends_with_it() -> None:
    text = "- Run\n  ```\n  ## make\n  ---\n- Goats\n- ***\n- - -\nHeed *this*\n"
    assert contents(text, "a.md") == [
        (1, "Run\n```\n## make\n---"),
        (5, "Goats"),
        (6, "***"),
        (8, "Heed *this*"),
    ]


def test_what_an_export_writes_reads_back() -> None:
    texts = ("red \x1b[31m\u202e", "C:\\dir\\u0041 and \\u001b", "two\nlines\n\n- a bullet of it", "plain")
    memories = [
        Memory(uid="a", store="s", ref="1", content=texts[0], pinned=True),
        Memory(uid="b", store="s", ref="2", content=texts[1], category="preference"),
        Memory(uid="c", store="s", ref="3", content=texts[2], category="preference"),
        Memory(uid="d", store="s", ref="4", content=texts[3]),
    ]
    exporter = by_name("prompt")
    assert exporter is not None
    marked = [Entry(Candidate(each, 1.0, None, frozenset(), frozenset()), ("x", "y")) for each in memories]
    text = exporter.render(marked).text
    assert "contradicted by" in text
    found = [each.fields for each in read(text) if isinstance(each, Imported)]
    assert [each["content"] for each in found] == list(texts)
    assert found[0]["pinned"] is True
    assert [each.get("category") for each in found] == [None, "preference", "preference", None]


@pytest.mark.parametrize(
    "text",
    [
        "[2026-01-02] - Prefers tea\n[unknown] - Lives in Oslo\n",
        "Here is what I remember:\n```\n[2026-01-02] - Prefers tea\n[unknown] - Lives in Oslo\n```\n",
        "- [2026-01-02] Prefers tea\n\n- Lives in Oslo\n",
        "1. [2026-01-02]. Prefers tea\n2. Lives in Oslo",
        "2026-01-02 - Prefers tea\r\nLives in Oslo\r\n",
    ],
)
def test_lists_as_people_paste_them(text: str) -> None:
    found = [each.fields for each in read(text, "pasted.txt") if isinstance(each, Imported)]
    assert [each["content"] for each in found] == ["Prefers tea", "Lives in Oslo"]
    assert [each.get("created_at") for each in found] == [1767312000.0, None]


def test_lines_have_the_category_of_the_heading_above() -> None:
    text = "**Work:**\nLeads hiring\n\nKeeps bees\n"
    found = read(text, kind="lines")
    assert [each.fields for each in found if isinstance(each, Imported)] == [
        {"category": "work", "content": "Leads hiring"},
        {"category": "work", "content": "Keeps bees"},
    ]


def test_csv_reads_fields_by_its_header_and_cells_of_several_lines() -> None:
    text = (
        "Content,tags,pinned,confidence,created_at,times_used,extra,colour\r\n"
        '"\'=1+1",\'-a,true,0.5,2026-01-02T00:00:00Z,3,"{""a"": 1}",red\r\n'
        '"two\nlines","[""x, y"", ""z""]",,,,,,\r\n'
        "'quoted',,,,,,,\r\n"
    )
    first, second, third = (each for each in read(text, "a.csv") if isinstance(each, Imported))
    assert first.fields == {
        "content": "=1+1",
        "tags": ("-a",),
        "pinned": True,
        "confidence": 0.5,
        "created_at": 1767312000.0,
        "times_used": 3,
        "extra": {"a": 1},
    }
    assert first.ignored == ("colour",)
    assert (second.line, second.fields) == (3, {"content": "two\nlines", "tags": ("x, y", "z")})
    assert (third.line, third.fields["content"]) == (5, "'quoted'")


def test_of_two_texts_the_first_is_the_memory_and_the_other_is_named() -> None:
    for text, name in (("Text,Fact\none,two\n", "a.csv"), ('{"text": "one", "fact": "two"}\n', "a.jsonl")):
        (found,) = (each for each in read(text, name) if isinstance(each, Imported))
        assert (found.fields, found.ignored) == ({"content": "one"}, ("fact",))
    (tagged,) = (each for each in read('content,tags\nx,"a,, b, "\n', "a.csv") if isinstance(each, Imported))
    assert tagged.fields["tags"] == ("a", "b")


def test_json_arrays_know_the_lines_of_their_elements() -> None:
    text = '[\n {"content": "a"},\n\n {"memory": "b", "uid": "x", "colour": 1}, "c",\n 5\n]\n'
    assert contents(text) == [(2, "a"), (4, "b"), (4, "c")]
    assert codes(text) == [(5, "not-an-object")]
    assert contents('{"content": "alone"}', "a.json") == [(1, "alone")]
    assert contents('{\n "content": "over several lines"\n}', "a.txt") == [(1, "over several lines")]
    assert contents('{"content": "a"}\n{\n"content": "b"}\n', "a.json") == [(1, "a"), (2, "b")]
    assert read("[]") == []


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.jsonl", '{"content": "ok"}\n{"content"\n[1]\n', [(2, "not-json"), (3, "not-an-object")]),
        ("a.jsonl", '{"content": "x", "value": ' + "[" * 100_000, [(1, "too-deep")]),
        ("a.jsonl", '{"content": "x", "value": ' + "[" * 200 + "]" * 200 + "}", [(1, "wrong-value")]),
        ("a.jsonl", '{"content": "' + "x" * 4_000_000 + '"}', [(1, "too-long")]),
        ("a.jsonl", '{"content": "x", "times_used": ' + "9" * 5_000 + "}", [(1, "not-json")]),
        ("a.jsonl", '{"content": "x", "confidence": NaN}', [(1, "not-json")]),
        ("a.jsonl", '{"content": "x", "confidence": 2}', [(1, "wrong-value")]),
        ("a.jsonl", '{"content": "x", "created_at": 1e300}', [(1, "wrong-value")]),
        ("a.jsonl", '{"content": "x", "tags": "a"}', [(1, "wrong-value")]),
        ("a.jsonl", '{"content": "x", "status": "odd"}', [(1, "wrong-value")]),
        ("a.jsonl", '{"content": 5}', [(1, "wrong-value")]),
        ("a.jsonl", '{"content": "x", "pinned": 1}', [(1, "wrong-value")]),
        ("a.json", "[" * 100_000, [(1, "too-deep")]),
        ("a.json", '[{"content": "a"}\n {"content": "b"}]', [(2, "not-json")]),
        ("a.json", '[{"content": "a"},\n', [(2, "not-json")]),
        ("a.json", '[{"content": "a"}]\n\nand more', [(3, "not-json")]),
        ("a.json", '{"content": "a"}\n"b"', [(2, "not-json")]),
        ("a.json", "5", [(1, "no-array")]),
        ("a.csv", 'content,b\na,b\n"c,d\ne,f\n', [(3, "not-csv")]),
        ("a.csv", 'content,b\na,b\n5" pipe,d', []),
        ("a.csv", "content," + "x," * MOST_COLUMNS, [(1, "too-many-columns")]),
        ("a.csv", "name,colour\na,b\n", [(1, "no-header")]),
        ("a.csv", "content,b\n" + "x," * 1_000, [(2, "too-many-cells")]),
        ("a.csv", 'content,b\na,b\n"' + "x\n" * 2_500_000, [(3, "not-csv")]),
        ("a.csv", "", [(1, "no-header")]),
        ("a.xml", "<memories>\n<memory><b>x</b></memory>\n</memories>", [(2, "not-xml")]),
        ("a.xml", '<memory confidence="2">x</memory>', [(1, "wrong-value")]),
        ("a.xml", '<!DOCTYPE x [<!ENTITY a "b">]>\n<x>&a;</x>', [(1, "not-xml")]),
        ("a.xml", "<memory>cut off", [(1, "not-xml")]),
    ],
)  # fmt: skip
def test_what_is_no_memory_is_named_by_its_line(
    name: str, text: str, expected: list[tuple[int, str]]
) -> None:
    assert codes(text, name) == expected


@pytest.mark.parametrize(
    "mark", ["#", "- ", "*", "[", "\\", "`", "**", "1. ", "\n", "[2026-01-01]", "<memory "]
)
def test_long_runs_of_marks_are_read_in_time_that_grows_with_their_length(mark: str) -> None:
    """A pattern that goes back and forth would not end here."""
    for kind in ("markdown", "lines", "csv", "json", "jsonl", "xml"):
        assert len(read(mark * 50_000, kind=kind)) < 50_001
