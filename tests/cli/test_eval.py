"""eval retrieval: questions with known answers, from files in all variants (S-36)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.command_line import Cli

MEMORIES: list[dict[str, Any]] = [
    {"id": 1, "text": "Ana drinks green tea in the morning.", "group": "home"},
    {"id": 2, "text": "Bo is allergic to walnuts.", "group": "home", "date": "2026-02-30"},
    {"id": 3, "text": "The spare key lies under the flower pot.", "group": "home", "tags": ["key"]},
    {"id": 4, "text": "Invoices are paid within thirty days.", "group": "office"},
    {"id": 5, "text": "The staging host is called db-2.", "group": "office", "created_at": "2026-01-01"},
    {"id": 6, "text": "Deploys happen on Tuesday and Thursday.", "group": "office"},
    {"id": "7", "text": "The ferry leaves at nine."},
    {"id": "eight", "text": "The tent has a hole in its roof."},
    {"id": 9, "text": "größer ☕ \x1b[2J"},
    {"id": 10, "text": "The lake freezes in December."},
]
QUESTIONS: list[dict[str, Any]] = [
    {"question": "what does ana drink in the morning", "relevant": [1], "group": "home", "category": "drink"},
    {"question": "who is allergic to walnuts", "relevant": ["2"], "group": "home", "category": "health"},
    {"question": "when do deploys happen", "relevant": [6], "group": "office", "category": "work"},
    {"question": "when are invoices paid, and which host is staging", "relevant": [4, 5], "group": "office"},
    {"question": "when does the ferry leave", "relevant": [7]},
]
MEASURES = {"recall@5", "recall@10", "hit@5", "mrr@10"}


@pytest.fixture
def files(here: Path) -> tuple[Path, Path]:
    """Memories with a byte order mark and CRLF, questions with empty lines between."""
    memories, questions = here / "memories.jsonl", here / "questions.jsonl"
    memories.write_bytes(b"\xef\xbb\xbf" + "\r\n".join(map(json.dumps, MEMORIES)).encode() + b"\r\n\r\n")
    questions.write_text(
        "\n" + "\n\n  \n".join(json.dumps(q, ensure_ascii=False) for q in QUESTIONS), "utf-8"
    )
    return memories, questions


def untouched(here: Path) -> bool:
    """Return whether no workspace or other file was created."""
    return sorted(path.name for path in here.parent.rglob("*")) == [
        "here", "memories.jsonl", "questions.jsonl", "settings.toml",
    ]  # fmt: skip


def test_all_modes_are_measured(bare: Cli, hashes: None, files: tuple[Path, Path], here: Path) -> None:
    report = bare.json("eval", "retrieval", *map(str, files))
    assert set(report) == {"n", "modes"}
    assert report["n"] == 5
    assert list(report["modes"]) == ["lexical", "vector", "hybrid"]
    for mode in report["modes"].values():
        assert set(mode) == MEASURES | {"interval", "by_category"}
        assert set(mode["by_category"]) == {"drink", "health", "work"}
        assert all(0 <= mode[name] <= 1 for name in MEASURES)
        low, high = mode["interval"]["recall@5"]
        assert low <= mode["recall@5"] <= high
        for each in mode["by_category"].values():
            assert set(each) == MEASURES | {"n"}
    assert report["modes"]["hybrid"]["recall@5"] == 1.0
    assert report["modes"]["lexical"]["mrr@10"] == 1.0
    assert bare.json("eval", "retrieval", "--ranking", "seed", *map(str, files))["n"] == 5
    assert untouched(here)


def test_the_output_is_a_table(bare: Cli, hashes: None, files: tuple[Path, Path]) -> None:
    result = bare("eval", "retrieval", *map(str, files))
    assert (result.code, result.err) == (0, "")
    rows = [line.split("\t") for line in result.out.splitlines()]
    assert rows[0] == ["mode", "n", "recall@5", "95 % interval", "recall@10", "hit@5", "mrr@10"]
    assert [row[0] for row in rows[1:4]] == ["lexical", "vector", "hybrid"]
    assert rows[1][:4] == ["lexical", "5", "1.000", "1.000 to 1.000"]
    assert rows[5] == ["category", "mode", "n", "recall@5", "recall@10", "hit@5", "mrr@10"]
    assert ["work", "hybrid", "1", "1.000", "1.000", "1.000", "1.000"] in rows


def test_without_a_model_only_words_are_measured(bare: Cli, files: tuple[Path, Path], here: Path) -> None:
    result = bare("eval", "retrieval", *map(str, files), "--json")
    assert (result.code, list(result.json["modes"])) == (0, ["lexical"])
    assert result.err.startswith("Measuring text search only: ")
    assert untouched(here)


def test_with_the_bundled_model(bare: Cli, real_model: None, files: tuple[Path, Path]) -> None:
    report = bare.json("eval", "retrieval", *map(str, files))
    assert report["modes"]["vector"]["recall@5"] == 1.0
    assert report["modes"]["hybrid"]["mrr@10"] == 1.0


@pytest.mark.parametrize(
    ("file_index", "line", "report"),
    [
        (0, "{not json", "memories.jsonl, line N: invalid JSON"),
        (0, "[1, 2]", "memories.jsonl, line N: not a JSON object."),
        (0, '{"id": 11}', 'memories.jsonl, line N: expected a memory like {"id": …, "text": "…"}.'),
        (0, '{"id": 7, "text": "again"}', "memories.jsonl, line N: duplicate id 7 in its group."),
        (1, '{"question": "x"}', "questions.jsonl, line N: expected a question like"),
        (1, '{"question": "x", "relevant": [7], "group": "q"}', "questions.jsonl, line N: group q has no"),
    ],
)  # fmt: skip
def test_a_malformed_line_is_reported_with_its_number(
    bare: Cli, files: tuple[Path, Path], here: Path, file_index: int, line: str, report: str
) -> None:
    with files[file_index].open("a", encoding="utf-8") as file:
        file.write(f"\n\n{line}\n" if file_index else f"{line}\n")
    number = len(files[file_index].read_text("utf-8-sig").splitlines())
    result = bare("eval", "retrieval", *map(str, files), "--json")
    assert (result.code, result.error["code"]) == (1, "bad-line")
    assert result.error["message"].startswith(report.replace("line N", f"line {number}"))
    assert untouched(here)


def test_an_id_can_occur_in_several_groups(bare: Cli, files: tuple[Path, Path]) -> None:
    with files[0].open("a", encoding="utf-8") as file:
        file.write('{"id": 7, "text": "The tram leaves at ten.", "group": "town"}\n')
    with files[1].open("a", encoding="utf-8") as file:
        file.write('\n{"question": "when does the tram leave", "relevant": [7], "group": "town"}\n')
    report = bare.json("eval", "retrieval", *map(str, files))
    assert (report["n"], report["modes"]["lexical"]["recall@5"]) == (6, 1.0)


def test_unknown_answers_count_as_not_found(bare: Cli, files: tuple[Path, Path]) -> None:
    with files[1].open("a", encoding="utf-8") as file:
        file.write('\n{"question": "when does the ferry leave", "relevant": [7, 99]}\n')
        file.write('{"question": "what is the meaning of it all", "relevant": []}\n')
    result = bare("eval", "retrieval", *map(str, files), "--json")
    assert (result.json["n"], result.json["unknown"]) == (6, 1)
    assert result.json["modes"]["lexical"]["recall@5"] == round(5.5 / 6, 4)
    assert result.err.startswith("1 expected answer is not")


def test_missing_and_empty_files(bare: Cli, files: tuple[Path, Path], here: Path) -> None:
    for words in (["no.jsonl", str(files[1])], [str(files[0]), "no.jsonl"], [str(here), str(files[1])]):
        result = bare("eval", "retrieval", *words, "--json")
        assert (result.code, result.error["code"]) == (1, "unreadable")
    (here / "empty.jsonl").touch()
    result = bare("eval", "retrieval", str(files[0]), "empty.jsonl", "--json")
    assert (result.code, result.error["code"]) == (1, "empty")


def test_usage_errors(bare: Cli) -> None:
    for words in (["eval"], ["eval", "retrieval"], ["eval", "retrieval", "a", "b", "--ranking", "x"]):
        assert bare(*words).code == 2
    assert "unknown command 'eval x': use retrieval or contradictions\n" in bare("eval", "x").err
