"""A regular expression is matched in a process that ends when it takes too long (S-54)."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from memtui.errors import Refused
from memtui.memory.replacement import Replacement
from memtui.workspace.changes.replacing import pattern_process
from memtui.workspace.changes.replacing.pattern_process import PatternProcess, matcher
from tests.support.sizes import sample_cases

HANGING = "(a+)+$"
TRAP = "a" * 40 + "b"


@pytest.fixture
def process() -> Iterator[PatternProcess]:
    process = PatternProcess(Replacement(HANGING, "<\\1>", regex=True))
    yield process
    process.end()


def test_matches_have_their_places_and_replacements(process: PatternProcess) -> None:
    assert process.match(["b aa", "none", "🦊 a"]) == [[(2, 4, "<aa>")], [], [(2, 3, "<a>")]]


def test_one_process_serves_all_memories(process: PatternProcess) -> None:
    process.match(["a"])
    first = process._child
    process.match(["a"])
    assert process._child is first is not None


def test_a_memory_that_takes_too_long_is_given_up_and_the_next_is_matched(process: PatternProcess) -> None:
    process.match(["a"])
    child, start = process._child, time.monotonic()
    assert process.match([TRAP]) is None
    assert time.monotonic() - start < pattern_process._PATIENCE
    assert child is not None
    assert child.returncode is not None, "it has ended"
    assert process.match(["aa"]) == [[(0, 2, "<aa>")]]


def test_a_pattern_that_takes_too_long_too_often_is_refused(
    process: PatternProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pattern_process, "MOST_TIMEOUTS", 2)
    assert [process.match([TRAP]) for _ in range(2)] == [None, None]
    with pytest.raises(Refused) as error:
        process.match([TRAP])
    assert error.value.code == "too-slow"


def test_all_memories_together_have_a_limit(process: PatternProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pattern_process, "MOST_SECONDS", 0.0)
    with pytest.raises(Refused) as error:
        process.match(["a"])
    assert error.value.code == "too-slow"


def test_long_texts_and_lone_surrogates_are_matched(process: PatternProcess) -> None:
    assert process.match(["\ud800" + "b" * 1_000_000 + "aa"]) == [[(1_000_001, 1_000_003, "<aa>")]]


def test_a_text_needs_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memtui.workspace.changes.replacing.pattern_process.subprocess.Popen", None)
    with matcher(Replacement(HANGING, "x")) as match:
        assert match([f"is {HANGING} slow?"]) == [[(3, 9, "x")]]


def test_the_process_ends_with_the_search() -> None:
    with matcher(Replacement("a", "b", regex=True)) as match:
        match(["a"])
        child = match.__self__._child  # type: ignore[attr-defined]
    assert child.returncode is not None


NESTED = "(?:(?:(?:(?:a?){99}){99}){99}){99}"


@pytest.mark.parametrize(
    ("pattern", "code"), sample_cases([("a*", "no-width"), ("^", "no-width"), (NESTED, "too-slow")], 2)
)
def test_what_matches_empty_text_or_hangs_even_there_is_refused(pattern: str, code: str) -> None:
    with pytest.raises(Refused) as error, matcher(Replacement(pattern, "x", regex=True)):
        pass
    assert error.value.code == code
