"""How Review draws two memories: the words it marks, in any size and theme, and any text (S-42, S-92)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from memtui.memory.contradictions.pairs import CONTRADICTION, DUPLICATE, Pair
from memtui.tui.app import MemtuiApp
from tests.support.app_driver import Look, Shots, Step, line_with, screen
from tests.support.fake_workspace import NOW, FakeWorkspace, clock, memory, paired
from tests.support.hostile.memories import HOSTILE, bad, hostile
from tests.support.sizes import FULL, rounds, share, turn
from tests.support.waiting.review import on_review

SIZES = ((60, 15), (80, 24), (99, 30), (100, 24), (120, 36), (200, 60))
NETWORK = ("Tests may use the network.", "Network access is forbidden in tests.")
IMPORTS = ("The import job starts at 04:15 every night.", "Every night at 04:15 the import job starts.")
EDITORS = ("editor is neovim, terminal is kitty", "editor is helix, terminal is kitty")


def drawn_pairs(**cases: tuple[tuple[str, str], str, str, float, tuple[str, str]]) -> dict[str, str]:
    """Review on each pair, by name; a case is both texts, family, kind, score and the words that clash."""
    work, names, shots = FakeWorkspace([], clock=clock), {}, Shots()
    for id, (name, (texts, family, kind, score, words)) in enumerate(cases.items(), 1):
        names[id], a, b = name, 2 * id - 1, 2 * id
        work.memories |= {a: memory(a, texts[0]), b: memory(b, texts[1])}
        work.findings[id] = Pair(
            id, a, b, family, kind, score, words, "Why.", "", NOW, "open", False, None,
            ("k:1", texts[1]), ("native", "native"),
        )  # fmt: skip
    each: list[Step] = [shots, "j"]
    on_review(work, *each * len(cases))
    return dict(zip((names[pair.id] for pair in work.pairs()), shots, strict=True))


def test_how_a_pair_was_found_is_said_in_words() -> None:
    words = ("neovim", "helix")
    shown = drawn_pairs(
        polarity=(EDITORS, CONTRADICTION, "polarity", 0.95, words),
        kind=(EDITORS, CONTRADICTION, "class", 0.72, words),
        validity=(EDITORS, CONTRADICTION, "validity", 0.5, words),
        unknown=(EDITORS, CONTRADICTION, "made-up", 0.9, words),
        perhaps=(EDITORS, DUPLICATE, "maybe", 0.73, ("", "")),
        same=(("the same", "the same"), DUPLICATE, "exact", 1.0, ("", "")),
        empty=(("the same", ""), DUPLICATE, "maybe", 0.6, ("", "")),
    )
    assert "Sure (0.95) · one denies what the other says." in shown["polarity"]
    assert "Likely (0.72) · two of a kind, only one can be." in shown["kind"]
    assert "Perhaps (0.50) · valid at the same time." in shown["validity"]
    assert "Sure (0.90) · made up." in shown["unknown"]
    for name, kind in (
        ("polarity", "polarity"),
        ("kind", "class"),
        ("validity", "validity"),
        ("unknown", "made-up"),
    ):
        line = line_with(shown[name], "▶ ≠")
        assert line, name
        assert kind not in line, name
    assert "Perhaps the same (0.73)." in shown["perhaps"]
    assert "perhaps the same" in line_with(shown["perhaps"], "▶ ≈")
    assert "[the same" not in shown["same"]
    assert "Sure (1.00) · the same text." in shown["same"]
    assert "No suggestion. Nothing speaks clearly for one of the two." in shown["same"]
    assert "(empty)" in shown["empty"]


def test_words_are_marked_where_they_clash_and_moved_words_only_where_their_order_does() -> None:
    born = ("Alice's birthday is 3 March.", "Alice was born on 19 October.")
    shown = drawn_pairs(
        born=(born, CONTRADICTION, "number", 0.85, ("3 March", "19 October")),
        network=(NETWORK, CONTRADICTION, "polarity", 0.84, ("", "")),
        moved=(IMPORTS, DUPLICATE, "maybe", 0.83, ("", "")),
        value=(IMPORTS, CONTRADICTION, "value", 0.82, ("", "")),
        order=(IMPORTS, CONTRADICTION, "order", 0.81, ("", "")),
    )
    assert "Alice's birthday is [3 March]." in shown["born"]
    assert "Alice was born on [19 October]." in shown["born"]
    # A name alone says nothing, so the text stands beside it.
    assert "k:1 “3 March” / Alice was born on 19 October. " in shown["born"]
    assert "[may use the] network." in shown["network"]
    assert "│ Network [access is forbidden in] tests." in shown["network"]
    texts = shown["moved"].partition("Why these two")[0].partition("\n")[2]
    assert "import job starts" in texts
    assert "[" not in texts
    assert "[at 04:15 every night]" in shown["value"]
    assert "[Every night at 04:15] the" in shown["order"]


def test_whom_a_pair_is_about_stands_first_on_both_sides_and_once_in_the_queue() -> None:
    work = FakeWorkspace([], clock=clock)
    told = [
        ("Change 178", "ID: [C002]"),
        ("Change 178", "ID: [C004]"),
        ("Ana Feed", "Status: open"),
        ("Bo Mail", "Status: done"),
    ]
    for id, (subject, text) in enumerate(told, 1):
        work.memories[id] = replace(memory(id, text), subject=subject)
    for id, words in ((1, ("[C002]", "[C004]")), (3, ("open", "done"))):
        labels = [f"{subject}: {text}" for subject, text in told[id - 1 : id + 1]]
        work.findings[id] = Pair(
            id, id, id + 1, CONTRADICTION, "value", 1 - id / 10, words, "Why.", "", NOW, "open", False, None,
            (labels[0], labels[1]),
        )  # fmt: skip
    shots = Shots()
    on_review(work, shots, (80, 24), shots, (120, 36), "j", shots)
    wide, narrow, other = shots
    assert "┃ Change 178    " in wide
    assert "│ Change 178    " in wide
    assert "▶ ≠ Change 178: ID: [C002] / [C004]   " in wide
    assert "  ≠ Ana Feed: Status: open / Bo Mail: Status: done   " in wide
    for side in ("┃ Change 178  ", "│ Change 178  "):
        assert side in narrow
    assert "next: Ana Feed: " in narrow
    assert "open / Bo Mail: " in narrow
    assert "┃ Ana Feed  " in other


LONG_NOTE = "Clients reconnect with the last number that they saw. " * 30


def test_a_long_text_begins_with_the_sentence_that_clashes_and_enter_shows_all_of_it() -> None:
    a = f"First line of the note. {LONG_NOTE}The timeout is 60 seconds. {LONG_NOTE}"
    work, shots = FakeWorkspace([memory(1, a), memory(2, "The timeout is 30 seconds.")], clock=clock), Shots()
    work.findings[1] = Pair(
        1, 1, 2, CONTRADICTION, "number", 0.9, ("60 seconds", "30 seconds"), "Why.", "", NOW, "open", False,
        None, (a[:300], "The timeout is 30 seconds."), ("native", "native"),
    )  # fmt: skip
    on_review(work, shots, (80, 24), shots, (200, 60), shots, (120, 36), "pagedown", shots, "enter", shots)
    wide, narrow, large, below, full = shots
    for shown in (wide, narrow):
        assert "┃ … The timeout is [60] seconds. Clients" in shown
        assert "│ The timeout is [30] seconds." in shown
        assert "⏎ all of it · a keep A" in shown
        assert "⏎ all of it · b keep B" not in shown
    assert "┃ First line of the note." in large, "where all of it has room, it begins where it begins"
    assert "The timeout is [60]" in large
    assert "The timeout is [60]" not in below
    assert "number that they saw" in below
    assert "First line of the note." in full
    assert "━ A, all of it ━" in full
    assert "l the other one" in full
    row = line_with(wide, "▶ ≠")
    assert "First line of the note." in row
    assert "“60 seconds” / The timeout is 30 seconds." in row


def test_every_size_shows_both_texts_and_what_the_keys_lead_to() -> None:
    shots = {size: Shots() for size in share(SIZES, 4)}
    walked = SIZES if FULL else SIZES[:1]
    steps: list[Step] = []
    for size, taken in shots.items():
        steps += [size, taken]
        if size in walked:
            steps += ["a", "l", "j", (120, 36), size, screen, "enter", screen, (80, 24), screen]
            steps += ["escape", "u"]
    on_review(paired(), *steps)
    for size, (shown,) in shots.items():
        assert "[3.12]" in shown, size
        assert "[3.11]" in shown, size


def test_a_window_that_shrinks_under_a_dialog_is_laid_out_anew() -> None:
    shown = on_review(paired(), "question_mark", (80, 24), "escape")
    assert "with different numb… │" in line_with(shown, "Both say which")
    assert "Suggested: keep A." in shown


def test_it_starts_and_works_where_there_is_hardly_any_room() -> None:
    assert on_review(paired(), "a", "l", "j", screen, "enter", screen, (80, 24), (40, 8), size=(40, 8))


def test_in_little_room_the_titles_have_no_box_and_a_merge_shows_its_text() -> None:
    shots = Shots()
    on_review(paired(), shots, (80, 24), shots, (60, 15), shots, "m", shots, size=(60, 15))
    small, larger, again, merge = shots
    assert "━ A  newer, used more, surer · 0.80" in small
    assert "─ B  0.61 · 2 uses · founder-os 19d ago ─" in small
    assert "┏━ A  newer" not in small
    assert "┏━ A  newer" in larger
    assert again == small
    assert "The project supports CPython 3.12 and newer. 3.11" in merge
    assert "and newer because" in merge
    assert "╭─ A ─" not in merge


def test_long_texts_are_cut_and_say_so() -> None:
    work, shots = paired(), Shots()
    long = "word " * 40_000
    work.memories[2] = replace(work.memories[2], content=long)
    work.memories[9] = replace(work.memories[9], content=f"{long} other")
    on_review(work, shots, "pagedown", shots, *["pagedown"] * 39, shots)
    assert "[3.12]" in shots[0]
    assert "word word" in shots[1]
    assert "characters more are not shown" in shots[2]


def test_without_colour_the_side_in_view_is_still_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    shown = on_review(paired(), "l")
    assert "┏━ B" in shown
    assert "╭─ A" in shown
    assert "[3.12]" in shown


def test_every_theme_draws_it() -> None:
    shots, merges, themes = Shots(), Shots(), set[str]()
    steps: list[Step] = []
    for number in range(4):
        merge: list[Step] = ["l", "m", merges, "escape"]
        steps += [*(merge if FULL or number % 2 else []), shots, "T", lambda app: themes.add(app.theme)]
    on_review(paired(), "j", *steps, size=(100, 24))
    assert len(themes) == len(shots) == 4
    assert all("[neovim]" in shown for shown in shots)
    assert all("Merge A and B" in shown for shown in merges)


FAMILIES = (DUPLICATE, CONTRADICTION)


def clashing(*both: tuple[str, str], families: Sequence[str] = FAMILIES) -> FakeWorkspace:
    """Pairs of two hostile texts, of the families in turn, each text in all fields of its memory that Review
    shows, and both in the pair's; the kind and the reason why A cannot be kept are the first one's."""
    work = FakeWorkspace([], clock=clock)
    for id, (one, other) in enumerate(both, 1):
        a, b = 2 * id - 1, 2 * id
        work.memories[a] = replace(hostile(one).memories[1], uid=f"u{id}")
        second = hostile(other).memories[1]
        work.memories[b] = replace(second, uid=f"v{id}", content=f"{other} 2", source_excerpt=other)
        work.findings[id] = Pair(
            id, a, b, families[(id - 1) % len(families)], one or "x", 1 - id / 100, (one, other),
            f"{one} {other}".strip(), other, NOW - 9e9, "open", True, None, (one, other), (one, other),
        )  # fmt: skip
        work.unsettled[id] = {"keep-a": one or "no"}
    return work


@Look
def look(app: MemtuiApp) -> None:
    """Nothing on the screen acts on a terminal, and no markup did anything."""
    shown = screen(app)
    assert not bad(shown), bad(shown)
    assert not app._exit


LONGEST = max(HOSTILE, key=len)
LONG = LONGEST[: rounds(25_000, len(LONGEST))]
SHORT = [text for text in HOSTILE if text != LONGEST]
TOGETHER = list(zip(SHORT[::2], [*SHORT[1::2], SHORT[0]], strict=False))


def test_hostile_texts_are_drawn_as_text_alone_whatever_is_done_with_them() -> None:
    assert {text for both in TOGETHER for text in both} == set(SHORT)
    work = clashing(*TOGETHER)
    ways: list[list[Step]] = [
        ["enter", look, "l", look, "escape"],
        ["m", look, "ctrl+l", look, "escape"],
        ["a", look, "b", look, "u", look],
    ]
    steps: list[Step] = []
    for number in range(len(TOGETHER)):
        steps += [look, *(step for way in turn(ways, number, 3) for step in way), "t", look, "x", "enter"]
    on_review(work, "f", look, "escape", *steps, size=(100, 30))
    given = [pair.decision.verdict for pair in work.findings.values() if pair.decision]
    assert given == ["both-true"] * len(TOGETHER), "each pair was walked through"


def test_hostile_texts_of_the_other_family_are_drawn_as_text_alone_on_a_small_screen() -> None:
    work = clashing(*((other, one) for one, other in TOGETHER), families=FAMILIES[::-1])
    each: list[Step] = [look, "a", look, "n"]
    on_review(work, *each * len(TOGETHER), size=(80, 24))
    given = [pair.decision.verdict for pair in work.findings.values() if pair.decision]
    assert given == ["not-so"] * len(TOGETHER), "each pair was walked through"


def test_a_very_long_text_is_drawn_cut() -> None:
    work = clashing((LONG, LONG), (LONG, LONG), families=FAMILIES[::-1])
    shown = on_review(
        work, "f", look, "escape", "enter", look, "escape", "m", look, "ctrl+l", look, "escape",
        "a", look, "b", look, "u", (80, 24), size=(100, 24),
    )  # fmt: skip
    assert "nnnn" in shown
    assert not bad(shown), bad(shown)
