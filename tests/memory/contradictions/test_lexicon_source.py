"""The shipped lexicon agrees with its source lists, and its licence is included."""

from __future__ import annotations

import gzip
from importlib.resources import files
from pathlib import Path

ROOT = Path(__file__).parents[3]
LISTS = ROOT / "memtui" / "memory" / "contradictions" / "language" / "lexicon_source"


def lines_of(name: str) -> list[str]:
    """Return the lines of a source list, without comments."""
    lines = (LISTS / name).read_text("utf-8").splitlines()
    return [line for line in lines if line.strip() and not line.startswith("#")]


def shipped() -> list[str]:
    packed = files("memtui.memory.contradictions.language").joinpath("lexicon.txt.gz").read_bytes()
    return gzip.decompress(packed).decode("utf-8").splitlines()


def test_the_lexicon_is_up_to_date_with_its_lists() -> None:
    lines = shipped()
    begin, end = lines.index("[opposites]"), lines.index("[classes]")
    assert [line for line in lines[begin + 1 : end] if line] == lines_of("opposites.txt")
    classes = lines_of("classes.txt")
    assert len(classes) > 5_000
    assert set(classes) <= set(lines[end:])


def test_the_licence_of_wordnet_is_included() -> None:
    licence = files("memtui.memory.contradictions.language").joinpath("WORDNET-LICENSE").read_text("utf-8")
    assert "WordNet" in licence
    assert "Princeton" in licence
    assert "WordNet" in (ROOT / "NOTICE").read_text("utf-8")
