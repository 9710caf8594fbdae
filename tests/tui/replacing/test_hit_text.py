"""A match in its line: the window around it, line breaks, links and fields that memtui keeps."""

from __future__ import annotations

from rich.cells import cell_len

from memtui.memory.memory import Memory
from memtui.memory.replacement import Hit, Replacement, find_hits, text_matcher
from memtui.memory.results import ReplacingMemory
from memtui.tui.replacing.hit_text import hit_text


def hit_in(text: str, find: str, new: str) -> Hit:
    memory = Memory(uid="u1", store="notes", ref="r", content=text)
    wanted = Replacement(find, new)
    hits = find_hits(memory, wanted, text_matcher(wanted))
    assert hits
    return hits[0]


def lines_of(hit: Hit, width: int = 60, kept: tuple[str, ...] = ()) -> list[str]:
    memory = ReplacingMemory(1, "u1", "notes", "A label", (hit,), {}, kept)
    return hit_text(memory, hit, "notes", width).plain.splitlines()


def test_a_long_line_is_a_window_around_the_match() -> None:
    lines = lines_of(hit_in(f"{'ab ' * 100}Acme{' cd' * 100}", "Acme", "Globex GmbH"))
    before, after = (next(line for line in lines if line.startswith(sign)) for sign in "-+")
    assert before.startswith("- …")
    assert before.endswith("…")
    assert "Acme" in before
    assert "Globex GmbH" in after
    assert cell_len(after) <= 60
    assert before.index("Acme") == after.index("Globex")


def test_one_side_gets_what_the_other_leaves() -> None:
    lines = lines_of(hit_in(f"Acme{' cd' * 30}", "Acme", "Globex"))
    assert cell_len(next(line for line in lines if line.startswith("-"))) >= 57


def test_wide_characters_are_counted_in_cells() -> None:
    lines = lines_of(hit_in(f"{'漢字' * 60}Acme{'漢字' * 60}", "Acme", "Globex"))
    assert all(cell_len(line) <= 61 for line in lines)


def test_the_lines_above_and_below_are_context() -> None:
    lines = lines_of(hit_in("First.\n\nAcme pays.\n\n\nLast.\nMore.", "Acme", "Globex"))
    assert lines[3:] == ["  First.", "- Acme pays.", "+ Globex pays.", "  Last."]


def test_line_breaks_that_are_replaced_are_visible() -> None:
    assert "- a⏎⇥b" in lines_of(hit_in("a\n\tb", "\n\t", " "))


def test_a_match_in_a_link_and_a_field_that_memtui_keeps_are_said() -> None:
    hit = hit_in("See [the terms](acme-terms.md).", "acme", "globex")
    text = "\n".join(lines_of(hit, kept=("content",)))
    assert "! In a link" in text
    assert "Its store has no content: kept in memtui." in text
    assert "!" not in "\n".join(lines_of(hit_in("See [acme](terms.md).", "acme", "globex")))
    assert hit_in("See [[Acme terms]].", "Acme", "Globex").in_link
