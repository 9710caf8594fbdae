"""Whatever a text begins or ends with, the list that an export writes reads back as that text (S-74)."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from memtui.export.exporter import Entry
from memtui.export.registry import by_name
from memtui.importing.reader import Found
from memtui.importing.registry import reader_for
from memtui.memory.imported import Imported
from memtui.memory.memory import Memory
from memtui.memory.selection.candidate import Candidate
from tests.export.test_hostile import BREAKING

# What lists, Markdown, exports and terminals give a meaning to.
PIECES = (
    "[x] ", "[ ] ", "[x]", "[2026-01-02] - ", "2026-01-02 - ", "[unknown] ", "[N/A]", "- ", "- - -", "--",
    " (contradicted by 2 memories in this list)", " \\(contradicted by 1 memory in this list)", "\\", "\\\\",
    "# H", "## Pinned", "```", "~~~", "---", "***", "<b>", "\\<b>", "<!--", "*fact · native*", "**bold:**",
    "a", "b c", ": ", "Here:", "1. ", "12) q", "+ y", "• z", "&amp;", "]]>", "'=1", '"', "\\u001b",
    "\\[x] ", "2026\\-01-02 - ", "\n", "\n\n", "\n  ", "    code", "\t", "  ", "\r\n", "\x1b[31m", "\u202e",
    "\u2028", "\x00", "\ud800", "\x85", "\x0c", "\xa0", "\u200b", "\ufeff", "😀", "\U000e0041", "\U000e0101",
)  # fmt: skip
AFTER = Memory(uid="b", store="s", ref="2", content="the next one", category="fact")


def texts() -> list[str]:
    choose = random.Random(7)
    made = ["".join(choose.choices(PIECES, k=choose.randint(1, 6))) for _ in range(1_500)]
    return [each for each in (*BREAKING.values(), *PIECES, *made) if each.strip()]


def read_back(name: str, text: str, contradicts: tuple[str, ...] = ()) -> list[Found]:
    exporter = by_name(name)
    assert exporter is not None
    memory = Memory(uid="a", store="s", ref="1", content=text, category="fact")
    written = exporter.render([Entry(Candidate(memory), contradicts), Entry(Candidate(AFTER))]).text
    return list(reader_for(Path(f"x{exporter.suffix}"), written).read(written))


def without_margins(text: str) -> list[str]:
    """Return the lines of a text; space around them is not kept in a list."""
    return [line.strip() for line in text.strip().split("\n")]


@pytest.mark.parametrize("name", ["prompt", "markdown", "xml"])
def test_a_text_reads_back_whatever_it_looks_like(name: str) -> None:
    for number, text in enumerate(texts()):
        found = read_back(name, text, ("b", "c") if number % 3 == 0 else ())
        assert [type(each) for each in found] == [Imported, Imported], text
        first, second = (each.fields for each in found if isinstance(each, Imported))
        assert without_margins(first["content"]) == without_margins(text), text
        assert "created_at" not in first, text
        assert second["content"] == AFTER.content, text
