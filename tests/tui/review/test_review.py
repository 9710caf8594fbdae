"""The Review screen: one key settles a pair and shows the next, undo brings a pair back (S-42, S-43)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from memtui.errors import Refused
from memtui.memory.contradictions.pairs import DISCARD_BOTH, FALSE_POSITIVE, KEEP_A, KEEP_B, LATER, Suggestion
from tests.support.app_driver import Shots, Step, app_on, drive, line_with, screen_text
from tests.support.fake_workspace import FakeWorkspace, clock, sample, with_pairs
from tests.support.mouse import click
from tests.support.sizes import shard
from tests.support.verdicts import states, verdicts
from tests.support.waiting.review import clear_status, drive_review, reload, wait_for_pair


def test_a_pair_is_shown_side_by_side_with_the_differing_words_marked(
    golden: Callable[[str, str], None],
) -> None:
    dark, light = Shots(), Shots()
    narrow, wide = (80, 24), (120, 36)
    drive(app_on(with_pairs()), "3", dark, narrow, dark, wide, "1", "T", "3", light, narrow, light)
    for theme, shots in (("", dark), ("-light", light)):
        golden(f"review-120x36{theme}", shots[0])
        golden(f"review-80x24{theme}", shots[1])
        for shown in shots:
            assert "targets Python [3.12]" in shown, theme
            assert "targets Python [3.11]" in shown, theme
            assert "! open for 9 days" in shown, theme
            assert "Suggested: keep A." in shown, theme
            assert "used by 3" in shown or "used by  3 memories" in shown, theme
            assert "“we can drop 3.11 now”" in shown, theme
        assert "≠3 ≈1 ! 1" in shots[0].splitlines()[0], theme
        assert "work.db" in shots[1].splitlines()[0], theme


def test_a_verdict_is_one_key_and_shows_the_next_pair() -> None:
    work, shots = with_pairs(), Shots()
    seen: list[list[str]] = []
    drive_review(
        work, "a", shots, lambda app: seen.append(states(work)), (80, 24), shots, (120, 36),
        "a", "a", "a", shots, "u", shots,
    )  # fmt: skip
    first, narrow, done, undone = shots
    assert seen == [["settled", "open", "open", "open"]]
    assert "Kept A; saved in founder-os" in first
    assert "u undo" in line_with(first, "Kept A")
    assert "✓ ≠ memtui targets Python 3.12" in first
    assert "kept A" in line_with(first, "✓ ≠")
    assert "editor is [neovim], terminal" in first
    assert "2 of 4 · 1 resolved today" in first
    assert "2 contradictions · 1 duplicate" in first.splitlines()[0]
    assert "1 resolved today · 3 left · next: CI takes" in narrow
    assert "All pairs resolved, 4 today." in done
    assert "u  undo the last verdict" in done
    assert "CI takes [9] minutes" in undone


def test_each_key_gives_its_verdict_which_can_be_undone_and_redone() -> None:
    work = with_pairs()
    before = dict(work.memories)
    given: list[tuple[list[str], str | None, int]] = []
    after_undo: list[tuple[list[str], bool]] = []
    after_redo: list[list[str]] = []

    def note_verdict(_app: object) -> None:
        decision = work.pairs_by_id[2].decision
        given.append((verdicts(work), decision.verdict if decision else None, states(work).count("open")))

    keys = {"b": KEEP_B, "s": LATER, "n": FALSE_POSITIVE, "delete": DISCARD_BOTH, "a": KEEP_A}
    undone, redone = ({key: Shots() for key in shard(keys, number, 2)} for number in range(2))
    steps: list[Step] = ["j"]
    for key in keys:
        steps += [
            key,
            note_verdict,
            "u",
            lambda _: after_undo.append((states(work), work.memories == before)),
        ]
        steps += [undone[key]] if key in undone else []
        steps += ["U", lambda _: after_redo.append(verdicts(work))]
        steps += [*([redone[key]] if key in redone else []), "u"]
    drive_review(work, *steps)
    for number, (key, verdict) in enumerate(keys.items()):
        assert given[number] == ([verdict], verdict, 3), key
        assert after_undo[number] == (["open"] * 4, True), key
        assert after_redo[number] == [verdict], key
    for key, (shown,) in undone.items():
        assert "▶ ≠ editor is neovim" in shown, key
        assert "[neovim]" in shown, key
        assert "✓" not in shown, key
    for key, (shown,) in redone.items():
        assert "≠ editor is neovim" in shown, key


def test_undo_goes_back_to_a_pair_once_it_was_compared_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such a pair ended because “both true” was given on another pair with the same attribute."""
    work, shots = with_pairs(), Shots()
    hidden, all_pairs = set[int](), work.pairs
    monkeypatch.setattr(work, "pairs", lambda **asked: [p for p in all_pairs(**asked) if p.id not in hidden])
    drive_review(
        work, "j", "n", lambda _: hidden.update((1, 2)), reload, "u", shots,
        lambda _: hidden.clear(), reload, shots,
        "U", lambda _: hidden.add(2), "u", "G", lambda _: hidden.clear(), reload, shots,
    )  # fmt: skip
    before_scan, after_scan, moved_on = shots
    assert "▶ ≠ editor is neovim" not in before_scan
    assert "▶ ≠ editor is neovim" in after_scan
    assert "▶ ≠ editor is neovim" not in moved_on, "the cursor was moved meanwhile"


def test_undoing_an_earlier_verdict_shows_its_pair_first() -> None:
    work = with_pairs()
    work.settle(2, KEEP_B)
    shown = drive_review(work, "u")
    assert "▶ ≠ editor is neovim" in shown
    assert "1 of 4" in shown


def test_left_right_and_tab_show_what_keeping_a_side_would_do() -> None:
    work, shots = with_pairs(), Shots()
    work.suggestions[2] = Suggestion(KEEP_B, "The other one is newer.")
    drive_review(work, shots, "l", shots, "h", shots, "right", shots, "left", "tab", shots, "h", "j", shots)
    start, by_l, by_h, by_right, by_tab, suggested = shots
    assert "If you keep A" in start
    assert "If you keep A" in by_h
    for name, shown in (("l", by_l), ("right", by_right)):
        assert "If you keep B" in shown, name
        assert "B replaces A in base-coat" in shown, name
    assert "If you keep B" in by_tab
    assert "▶ ≠ editor is neovim" in suggested
    assert "If you keep B" in suggested, "the suggested side is shown first"


def test_a_blocked_verdict_shows_the_reason_and_the_pair_stays() -> None:
    work, shots = with_pairs(), Shots()
    work.blocked_verdicts[1] = {"keep-a": "founder-os is read-only.", "merge": "founder-os is read-only."}
    drive_review(work, shots, "a", shots, clear_status, "m", shots)
    assert "a can't be kept now" in shots[0]
    assert "Not available: founder-os is read-only." in shots[0]
    for key, shown in zip("am", shots[1:], strict=True):
        assert "founder-os is read-only." in shown.splitlines()[-2], key
        assert "Not resolved" not in shown.splitlines()[-2], f"{key} did not call the workspace"
        assert "▶ ≠ memtui targets" in shown, key
    assert states(work) == ["open"] * 4


def test_a_refused_verdict_leaves_the_pair_open_and_a_settled_pair_stays_settled() -> None:
    work, shots = with_pairs(), Shots()
    settled: list[list[str]] = []
    work.errors["settle"] = Refused("busy", "Not resolved: the store is busy.", "Press it again.")
    drive_review(
        work, "a", shots,
        lambda _: work.errors.update(settle=OSError(28, "No space left on device")), "a", shots,
        lambda _: work.errors.clear(), "a", lambda _: settled.append(states(work)),
        "k", shots, "b", shots,
    )  # fmt: skip
    assert "Not resolved: the store is busy.  Press it again." in shots[0]
    assert "▶ ≠ memtui targets" in shots[0]
    assert "Not resolved: no space left on device" in shots[1]
    assert "▶ ≠ memtui targets" in shots[1]
    assert settled == [["settled", "open", "open", "open"]]
    # A settled pair is shown but cannot be settled again.
    assert "✓ kept A" in line_with(shots[2], "✓ kept A,")
    assert "Already resolved: kept A." in shots[3]
    assert verdicts(work) == ["keep-a"]


def test_a_read_only_workspace_shows_why_nothing_is_settled() -> None:
    work = with_pairs()
    work.read_only = True
    shown = {key: Shots() for key in ("a", "m", "t", "delete")}
    drive_review(work, *(step for key, shots in shown.items() for step in (clear_status, key, shots)))
    for key, shots in shown.items():
        assert "Can't resolve: the workspace is read-only." in shots[0], key
    assert states(work) == ["open"] * 4


def test_enter_shows_a_memory_in_full_and_escape_goes_back_step_by_step() -> None:
    shots = Shots()
    drive(
        app_on(with_pairs()), "7", "3", "enter", shots, "j", "k", "l", shots, "escape", shots, "escape", shots
    )
    full, other_side, pair, before = shots
    assert "Provenance" in full
    assert "session 7f3a" in full
    assert "session 02bc" in other_side
    assert "Why these two" in pair
    assert "Provenance" not in pair
    assert "[7 Journal]" in before


def test_y_copies_the_side_in_view() -> None:
    app = app_on(with_pairs())
    assert "Copied B to" in drive(app, "3", "l", "y")
    assert app.clipboard.startswith("The project supports CPython 3.11")


def test_c_on_browse_shows_the_pairs_of_one_memory_and_escape_all_pairs() -> None:
    shots = Shots()
    drive(
        app_on(with_pairs()), "c", shots, "j", "j", "j", "c", shots, (80, 24), shots, (120, 36),
        "escape", shots, "escape", shots,
    )  # fmt: skip
    nothing, filtered, narrow, unfiltered, browse = shots
    assert "No contradictions or duplicates found for this memory." in nothing
    assert "Pairs with “CI takes 14 minutes on the slow runner”" in filtered
    assert "1 of 2" in filtered
    assert "esc all" in filtered
    assert "Pairs with “CI takes" in narrow
    assert "1 of 4" in unfiltered
    assert "[1 Browse]" in browse


def test_f_filters_the_queue() -> None:
    work, shots = with_pairs(), Shots()
    drive_review(
        work, "f", shots, "j", "escape", shots, "f", "j", "enter", shots, "escape", shots,
        "f", *"jjjj", "enter", shots, "n", shots,
    )  # fmt: skip
    choices, cancelled, contradictions, unfiltered, duplicates, nothing = shots
    assert "Contradictions" in choices
    assert "near duplicate" in choices
    assert "In founder-os" in choices
    assert "1 of 4" in cancelled
    assert "1 of 3" in contradictions
    assert "1 of 4" in unfiltered
    assert "Queue: duplicates" in duplicates
    assert "1 of 1" in duplicates
    assert "differ by punctuation" in duplicates
    assert "No open pairs in this view" in nothing
    assert "esc  show all open pairs (3)" in nothing
    assert work.pairs_by_id[3].decision is not None


def test_an_empty_queue_shows_why_it_is_empty() -> None:
    work, shots = sample(), Shots()

    def fill_scan_queue(app: object) -> None:
        work.scan_queue = [None] * 3

    def make_read_only(app: object) -> None:
        work.read_only = app.read_only = True  # type: ignore[attr-defined]

    drive_review(work, shots, "a", shots, fill_scan_queue, reload, shots, make_read_only, reload, shots)
    assert "No contradictions or duplicates in 7 memories." in shots[0]
    assert "No pair selected." in shots[1]
    assert "About to compare 3 memories." in shots[2]
    assert "The workspace is read-only, so memories are not compared." in shots[3]


def test_a_queue_of_pairs_put_off_says_that_they_come_back() -> None:
    assert "4 pairs snoozed; they come back automatically." in drive_review(with_pairs(), "s", "s", "s", "s")


def test_an_empty_workspace_has_nothing_to_compare() -> None:
    shots = Shots()
    drive(app_on(FakeWorkspace([], clock=clock)), "c", shots, "3", shots)
    assert "Nothing to compare: the list is empty." in shots[0]
    assert "No memories yet, so nothing to compare." in shots[1]


def test_a_queue_that_cannot_be_read_says_so() -> None:
    work = with_pairs()
    work.errors["pairs"] = OSError(5, "Input/output error")
    assert "Could not load the pairs: Input/output error" in drive(app_on(work), "3")


def test_clicks_choose_a_side_a_pair_and_a_verdict() -> None:
    work = with_pairs()
    seen: list[str] = []

    def note_screen(app: object) -> None:
        seen.append(screen_text(app))  # type: ignore[arg-type]

    click(
        app_on(work),
        "3 Review",
        wait_for_pair,
        "because",
        note_screen,
        "≠ editor is neovim",
        wait_for_pair,
        note_screen,
        "b keep B",
    )
    assert "If you keep B" in seen[0]
    assert "▶ ≠ editor is neovim" in seen[1]
    given = {id: pair.decision.verdict for id, pair in work.pairs_by_id.items() if pair.decision}
    assert given == {2: "keep-b"}
