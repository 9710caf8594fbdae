"""How Review draws two memories: the marked words, in every size and theme, with any text (S-42, S-92)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from memtui.memory.contradictions.pairs import CONTRADICTION, DUPLICATE, Pair
from memtui.tui.app import MemtuiApp
from tests.support.app_driver import Probe, Shots, Step, line_with, screen_text
from tests.support.fake_workspace import NOW, FakeWorkspace, clock, memory, with_pairs
from tests.support.hostile.memories import HOSTILE, hostile_workspace, unsafe_characters
from tests.support.sizes import FULL, rounds, sample_cases, shard
from tests.support.waiting.review import drive_review

SIZES = ((60, 15), (80, 24), (99, 30), (100, 24), (120, 36), (200, 60))
NETWORK = ("Tests may use the network.", "Network access is forbidden in tests.")
IMPORTS = ("The import job starts at 04:15 every night.", "Every night at 04:15 the import job starts.")
EDITORS = ("editor is neovim, terminal is kitty", "editor is helix, terminal is kitty")


def drawn_pairs(**cases: tuple[tuple[str, str], str, str, float, tuple[str, str]]) -> dict[str, str]:
    """Return Review on each pair by name; a case is both texts, family, kind, score and conflicting words."""
    work, names, shots = FakeWorkspace([], clock=clock), {}, Shots()
    for id, (name, (texts, family, kind, score, words)) in enumerate(cases.items(), 1):
        names[id], a, b = name, 2 * id - 1, 2 * id
        work.memories |= {a: memory(a, texts[0]), b: memory(b, texts[1])}
        work.pairs_by_id[id] = Pair(
            id, a, b, family, kind, score, words, "Why.", "", NOW, "open", False, None,
            ("k:1", texts[1]), ("native", "native"),
        )  # fmt: skip
    keys: list[Step] = [shots, "j"]
    drive_review(work, *keys * len(cases))
    return dict(zip((names[pair.id] for pair in work.pairs()), shots, strict=True))


def test_how_a_pair_was_found_is_shown_in_words() -> None:
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
    assert "Very likely (0.95) · negation." in shown["polarity"]
    assert "Likely (0.72) · mutually exclusive." in shown["kind"]
    assert "Possible (0.50) · valid at the same time." in shown["validity"]
    assert "Very likely (0.90) · made up." in shown["unknown"]
    for name, kind in (
        ("polarity", "polarity"),
        ("kind", "class"),
        ("validity", "validity"),
        ("unknown", "made-up"),
    ):
        line = line_with(shown[name], "▶ ≠")
        assert line, name
        assert kind not in line, name
    assert "Possible duplicate (0.73)." in shown["perhaps"]
    assert "possible" in line_with(shown["perhaps"], "▶ ≈")
    assert "[the same" not in shown["same"]
    assert "Exact duplicate (1.00)." in shown["same"]
    assert "No suggestion. Neither is clearly better." in shown["same"]
    assert "(empty)" in shown["empty"]


def test_conflicting_words_are_marked_and_moved_words_only_if_their_order_conflicts() -> None:
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
    # A key alone says little, so the text is shown next to it.
    assert "k:1 “3 March” / Alice was born on 19 October. " in shown["born"]
    assert "[may use the] network." in shown["network"]
    assert "│ Network [access is forbidden in] tests." in shown["network"]
    texts = shown["moved"].partition("Why these two")[0].partition("\n")[2]
    assert "import job starts" in texts
    assert "[" not in texts
    assert "[at 04:15 every night]" in shown["value"]
    assert "[Every night at 04:15] the" in shown["order"]


def test_the_subject_comes_first_on_both_sides_and_once_in_the_queue() -> None:
    work = FakeWorkspace([], clock=clock)
    memories = [
        ("Change 178", "ID: [C002]"),
        ("Change 178", "ID: [C004]"),
        ("Ana Feed", "Status: open"),
        ("Bo Mail", "Status: done"),
    ]
    for id, (subject, text) in enumerate(memories, 1):
        work.memories[id] = replace(memory(id, text), subject=subject)
    for id, words in ((1, ("[C002]", "[C004]")), (3, ("open", "done"))):
        labels = [f"{subject}: {text}" for subject, text in memories[id - 1 : id + 1]]
        work.pairs_by_id[id] = Pair(
            id, id, id + 1, CONTRADICTION, "value", 1 - id / 10, words, "Why.", "", NOW, "open", False, None,
            (labels[0], labels[1]),
        )  # fmt: skip
    shots = Shots()
    drive_review(work, shots, (80, 24), shots, (120, 36), "j", shots)
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


def test_a_long_text_starts_at_the_conflicting_sentence_and_enter_shows_all_of_it() -> None:
    a = f"First line of the note. {LONG_NOTE}The timeout is 60 seconds. {LONG_NOTE}"
    work, shots = FakeWorkspace([memory(1, a), memory(2, "The timeout is 30 seconds.")], clock=clock), Shots()
    work.pairs_by_id[1] = Pair(
        1, 1, 2, CONTRADICTION, "number", 0.9, ("60 seconds", "30 seconds"), "Why.", "", NOW, "open", False,
        None, (a[:300], "The timeout is 30 seconds."), ("native", "native"),
    )  # fmt: skip
    drive_review(work, shots, (80, 24), shots, (200, 60), shots, (120, 36), "pagedown", shots, "enter", shots)
    wide, narrow, large, below, full = shots
    for shown in (wide, narrow):
        assert "┃ … The timeout is [60] seconds. Clients" in shown
        assert "│ The timeout is [30] seconds." in shown
        assert "⏎ full text · a keep A" in shown
        assert "⏎ full text · b keep B" not in shown
    assert "┃ First line of the note." in large, "if all of it fits, it starts at the beginning"
    assert "The timeout is [60]" in large
    assert "The timeout is [60]" not in below
    assert "number that they saw" in below
    assert "First line of the note." in full
    assert "━ Memory A ━" in full
    assert "l other memory" in full
    row = line_with(wide, "▶ ≠")
    assert "First line of the note." in row
    assert "“60 seconds” / The timeout is 30 seconds." in row


def test_both_texts_are_shown_at_every_size() -> None:
    shots = {size: Shots() for size in sample_cases(SIZES, 3)}
    walked = SIZES if FULL else SIZES[:1]
    steps: list[Step] = []
    for size, taken in shots.items():
        steps += [size, taken]
        if size in walked:
            steps += [
                "a",
                "l",
                "j",
                (120, 36),
                size,
                screen_text,
                "enter",
                screen_text,
                (80, 24),
                screen_text,
            ]
            steps += ["escape", "u"]
    drive_review(with_pairs(), *steps)
    for size, (shown,) in shots.items():
        assert "[3.12]" in shown, size
        assert "[3.11]" in shown, size


def test_a_window_that_shrinks_below_a_dialog_is_laid_out_again() -> None:
    shown = drive_review(with_pairs(), "question_mark", (80, 24), "escape")
    assert "with different numbers." in line_with(shown, "Both say which")
    assert "Suggested: keep A." in shown


def test_it_starts_and_works_on_a_very_small_screen() -> None:
    assert drive_review(
        with_pairs(), "a", "l", "j", screen_text, "enter", screen_text, (80, 24), (40, 8), size=(40, 8)
    )


def test_on_a_small_screen_there_are_no_boxes_and_a_merge_shows_its_text() -> None:
    shots = Shots()
    drive_review(with_pairs(), shots, (80, 24), shots, (60, 15), shots, "m", shots, size=(60, 15))
    small, larger, small_again, merge = shots
    assert "━ A  newer, used more · 0.80 · 7 uses · base-coat" in small
    assert "─ B  0.61 · 2 uses · founder-os 19d ago ─" in small
    assert "┏━ A  newer" not in small
    assert "━ A  newer, used more · 0.80 · 7 uses · base-coat 2d ago · used by 3 ━" in larger
    assert small_again == small
    assert "The project supports CPython 3.12 and newer. 3.11" in merge
    assert "and newer because" in merge
    assert "╭─ A ─" not in merge


def test_very_long_texts_are_cut_with_a_note() -> None:
    work, shots = with_pairs(), Shots()
    long = "word " * 40_000
    work.memories[2] = replace(work.memories[2], content=long)
    work.memories[9] = replace(work.memories[9], content=f"{long} other")
    drive_review(work, shots, "pagedown", shots, *["pagedown"] * 39, shots)
    assert "[3.12]" in shots[0]
    assert "word word" in shots[1]
    assert "more characters not shown" in shots[2]


def test_without_colour_the_active_side_is_still_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    shown = drive_review(with_pairs(), "l")
    assert "┏━ B" in shown
    assert "╭─ A" in shown
    assert "[3.12]" in shown


def test_it_is_drawn_in_every_theme() -> None:
    shots, merges, themes = Shots(), Shots(), set[str]()
    steps: list[Step] = []
    for number in range(4):
        merge: list[Step] = ["l", "m", merges, "escape"]
        steps += [*(merge if FULL or number % 2 else []), shots, "T", lambda app: themes.add(app.theme)]
    drive_review(with_pairs(), "j", *steps, size=(100, 24))
    assert len(themes) == len(shots) == 4
    assert all("[neovim]" in shown for shown in shots)
    assert all("Merge A and B" in shown for shown in merges)


FAMILIES = (DUPLICATE, CONTRADICTION)


def hostile_pairs(*texts: tuple[str, str], families: Sequence[str] = FAMILIES) -> FakeWorkspace:
    """Return a workspace with pairs of two hostile texts, of the families in turn.

    Each text is in all fields of its memory that Review shows, and both are in those of the pair; the kind
    of the pair and the reason why A cannot be kept are the first text.
    """
    work = FakeWorkspace([], clock=clock)
    for id, (first, second) in enumerate(texts, 1):
        a, b = 2 * id - 1, 2 * id
        work.memories[a] = replace(hostile_workspace(first).memories[1], uid=f"u{id}")
        memory_b = hostile_workspace(second).memories[1]
        work.memories[b] = replace(memory_b, uid=f"v{id}", content=f"{second} 2", source_excerpt=second)
        work.pairs_by_id[id] = Pair(
            id, a, b, families[(id - 1) % len(families)], first or "x", 1 - id / 100, (first, second),
            f"{first} {second}".strip(), second, NOW - 9e9, "open", True, None,
            (first, second), (first, second),
        )  # fmt: skip
        work.blocked_verdicts[id] = {"keep-a": first or "no"}
    return work


@Probe
def check_safe(app: MemtuiApp) -> None:
    """Check that the screen has no characters a terminal acts on, and that no markup was executed."""
    shown = screen_text(app)
    assert not unsafe_characters(shown), unsafe_characters(shown)
    assert not app._exit


LONGEST = max(HOSTILE, key=len)
LONG = LONGEST[: rounds(25_000, len(LONGEST))]
SHORT = [text for text in HOSTILE if text != LONGEST]
TEXT_PAIRS = list(zip(SHORT[::2], [*SHORT[1::2], SHORT[0]], strict=False))


def test_hostile_texts_are_drawn_as_plain_text_whatever_key_is_pressed() -> None:
    assert {text for texts in TEXT_PAIRS for text in texts} == set(SHORT)
    work = hostile_pairs(*TEXT_PAIRS)
    variants: list[list[Step]] = [
        ["enter", check_safe, "l", check_safe, "escape"],
        ["m", check_safe, "ctrl+l", check_safe, "escape"],
        ["a", check_safe, "b", check_safe, "u", check_safe],
    ]
    steps: list[Step] = []
    for number in range(len(TEXT_PAIRS)):
        steps += [
            check_safe,
            *(step for keys in shard(variants, number, 3) for step in keys),
            "t",
            check_safe,
            "x",
            "enter",
        ]
    drive_review(work, "f", check_safe, "escape", *steps, size=(100, 30))
    given = [pair.decision.verdict for pair in work.pairs_by_id.values() if pair.decision]
    assert given == ["both-true"] * len(TEXT_PAIRS), "each pair was visited"


def test_hostile_texts_of_the_other_family_are_drawn_as_plain_text_on_a_small_screen() -> None:
    pairs = [(second, first) for first, second in shard(TEXT_PAIRS, 0, 2)]
    work = hostile_pairs(*pairs, families=FAMILIES[::-1])
    keys: list[Step] = [check_safe, "a", check_safe, "n"]
    drive_review(work, *keys * len(pairs), size=(80, 24))
    given = [pair.decision.verdict for pair in work.pairs_by_id.values() if pair.decision]
    assert given == ["not-so"] * len(pairs), "each pair was visited"


def test_a_very_long_text_is_drawn_cut() -> None:
    work = hostile_pairs((LONG, LONG), (LONG, LONG), families=FAMILIES[::-1])
    shown = drive_review(
        work,
        "f", check_safe, "escape", "enter", check_safe, "escape",
        "m", check_safe, "ctrl+l", check_safe, "escape",
        "a", check_safe, "b", check_safe, "u", (80, 24), size=(100, 24),
    )  # fmt: skip
    assert "nnnn" in shown
    assert not unsafe_characters(shown), unsafe_characters(shown)


def test_a_long_reason_is_wrapped_in_a_narrow_window() -> None:
    work, reason = with_pairs(), "One says that the import job runs at night, the other that it runs by day "
    work.pairs_by_id = {
        id: replace(pair, reason=f"{reason}on every Tuesday.") for id, pair in work.pairs_by_id.items()
    }
    shown = drive_review(work, size=(80, 24))
    assert "Tuesday." in shown
