"""JSON, JSON Lines and CSV hold every field, and every text can be read back (S-70)."""

from __future__ import annotations

import csv
import io
import json

from memtui.export.csv_cells import text_of
from memtui.export.exporters import csv as csv_exporter
from memtui.export.exporters import json as json_exporter
from memtui.export.exporters import jsonl
from tests.export.entries import NOW, entry
from tests.support.hostile.texts import TEXTS

WHOLE = entry(
    "a",
    'Line one\nline two, “quoted” "so" 🦊',
    title="=HYPERLINK(0)",
    tags=("x", "=y"),
    confidence=0.25,
    created_at=NOW,
    pinned=True,
    extra={"deep": [1, {"k": None}]},
    steps=("first",),
)


def test_json_and_json_lines_have_all_fields() -> None:
    memories = [WHOLE, entry("b")]
    expected = [each.candidate.memory.to_json() for each in memories]
    assert json.loads(json_exporter.render(memories).text) == expected
    assert [json.loads(line) for line in jsonl.render(memories).text.splitlines()] == expected
    assert json.loads(json_exporter.render(()).text) == []
    assert jsonl.render(()).text == ""


def read_csv(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_csv_has_all_fields_in_columns() -> None:
    (row,) = read_csv(csv_exporter.render([WHOLE]).text)
    expected = WHOLE.candidate.memory.to_json()
    assert set(row) == set(expected)
    for name, value in expected.items():
        if value is None:
            assert row[name] == "", name
        elif isinstance(value, str):
            assert text_of(row[name]) == value, name
        else:
            assert json.loads(row[name]) == value, name


def test_no_cell_is_a_formula_and_each_can_be_read_back() -> None:
    texts = ["=1+1", "+1", "-1", "@x", "\tx", "\rx", "'=1", "''=1", "'tis", "a=b", "-", *TEXTS.values()]
    rows = read_csv(csv_exporter.render([entry(f"u{n}", text) for n, text in enumerate(texts)]).text)
    for row, text in zip(rows, texts, strict=True):
        assert row["content"][0] not in "=+-@\t\r"
        assert text_of(row["content"]) == text
    assert [row["content"] for row in rows[:1]] == ["'=1+1"]
    assert rows[8]["content"] == "'tis"
