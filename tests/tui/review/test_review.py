"""Review: one key gives a verdict, the next pair comes up by itself, undo brings a pair back (S-42, S-43)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from memtui.errors import Refused
from memtui.memory.contradictions.pairs import DISCARD_BOTH, FALSE_POSITIVE, KEEP_A, KEEP_B, LATER, Suggestion
from tests.support.app_driver import Shots, Step, app_on, drive, line_with, screen
from tests.support.fake_workspace import FakeWorkspace, clock, paired, sample
from tests.support.mouse import clicked
from tests.support.sizes import turn
from tests.support.verdicts import states, verdicts
from tests.support.waiting.review import clear_status, drawn, on_review, reload


def test_a_pair_is_shown_side_by_side_with_the_differing_words_marked(
    golden: Callable[[str, str], None],
) -> None:
    dark, light = Shots(), Shots()
    narrow, wide = (80, 24), (120, 36)
    drive(app_on(paired()), "3", dark, narrow, dark, wide, "1", "T", "3", light, narrow, light)
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
        assert "3 contradictions · 1 duplicate ! 1" in shots[0].splitlines()[0], theme
        assert "≠3 ≈1 ! 1" in shots[1].splitlines()[0], theme


def test_a_verdict_is_one_key_and_the_next_pair_comes_up_until_all_are_settled() -> None:
    work, shots = paired(), Shots()
    seen: list[list[str]] = []
    on_review(
        work, "a", shots, lambda app: seen.append(states(work)), (80, 24), shots, (120, 36),
        "a", "a", "a", shots, "u", shots,
    )  # fmt: skip
    first, narrow, done, undone = shots
    assert seen == [["settled", "open", "open", "open"]]
    assert "Kept A of 1 pair, in founder-os" in first
    assert "u undo" in line_with(first, "Kept A of")
    assert "✓ ≠ memtui targets Python 3.12" in first
    assert "kept A" in line_with(first, "✓ ≠")
    assert "editor is [neovim], terminal" in first
    assert "2 of 4 · 1 settled today" in first
    assert "2 contradictions · 1 duplicate" in first.splitlines()[0]
    assert "1 settled today · 3 left · next: CI takes" in narrow
    assert "All settled: 4 today." in done
    assert "u  undo the last verdict" in done
    assert "CI takes [9] minutes" in undone


def test_each_key_gives_its_verdict_on_the_pair_in_view_and_undo_and_redo_follow() -> None:
    work = paired()
    before = dict(work.memories)
    given: list[tuple[list[str], str | None, int]] = []
    left: list[tuple[list[str], bool]] = []
    again: list[list[str]] = []

    def settled(_app: object) -> None:
        said = work.findings[2].decision
        given.append((verdicts(work), said.verdict if said else None, states(work).count("open")))

    keys = {"b": KEEP_B, "s": LATER, "n": FALSE_POSITIVE, "d": DISCARD_BOTH, "a": KEEP_A}
    undone, redone = ({key: Shots() for key in turn(keys, place, 2)} for place in range(2))
    steps: list[Step] = ["j"]
    for key in keys:
        steps += [key, settled, "u", lambda _: left.append((states(work), work.memories == before))]
        steps += [undone[key]] if key in undone else []
        steps += ["U", lambda _: again.append(verdicts(work))]
        steps += [*([redone[key]] if key in redone else []), "u"]
    on_review(work, *steps)
    for place, (key, verdict) in enumerate(keys.items()):
        assert given[place] == ([verdict], verdict, 3), key
        assert left[place] == (["open"] * 4, True), key
        assert again[place] == [verdict], key
    for key, (shown,) in undone.items():
        assert "▶ ≠ editor is neovim" in shown, key
        assert "[neovim]" in shown, key
        assert "✓" not in shown, key
    for key, (shown,) in redone.items():
        assert "≠ editor is neovim" in shown, key


def test_undo_goes_back_to_a_pair_that_is_compared_again_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """As one is of which “both true” taught that it may have several values; another was over with it."""
    work, shots = paired(), Shots()
    hidden, read = set[int](), work.pairs
    monkeypatch.setattr(work, "pairs", lambda **asked: [p for p in read(**asked) if p.id not in hidden])
    on_review(
        work, "j", "n", lambda _: hidden.update((1, 2)), reload, "u", shots,
        lambda _: hidden.clear(), reload, shots,
        "U", lambda _: hidden.add(2), "u", "G", lambda _: hidden.clear(), reload, shots,
    )  # fmt: skip
    waits, comes, left = shots
    assert "▶ ≠ editor is neovim" not in waits
    assert "▶ ≠ editor is neovim" in comes
    assert "▶ ≠ editor is neovim" not in left, "they went on"


def test_undoing_a_verdict_given_before_the_screen_was_opened_brings_its_pair_to_the_front() -> None:
    work = paired()
    work.settle(2, KEEP_B)
    shown = on_review(work, "u")
    assert "▶ ≠ editor is neovim" in shown
    assert "1 of 4" in shown


def test_left_right_and_tab_show_what_keeping_each_side_would_do() -> None:
    work, shots = paired(), Shots()
    work.suggested[2] = Suggestion(KEEP_B, "The other one is newer.")
    on_review(work, shots, "l", shots, "h", shots, "right", shots, "left", "tab", shots, "h", "j", shots)
    start, by_l, by_h, by_right, by_tab, suggested = shots
    assert "If you keep A" in start
    assert "If you keep A" in by_h
    for name, shown in (("l", by_l), ("right", by_right)):
        assert "If you keep B" in shown, name
        assert "A gives way to B in base-coat" in shown, name
    assert "If you keep B" in by_tab
    assert "▶ ≠ editor is neovim" in suggested
    assert "If you keep B" in suggested, "the suggested side is in view first"


def test_a_blocked_verdict_says_why_and_the_pair_stays() -> None:
    work, shots = paired(), Shots()
    work.unsettled[1] = {"keep-a": "founder-os is read-only.", "merge": "founder-os is read-only."}
    on_review(work, shots, "a", shots, clear_status, "m", shots)
    assert "a cannot be kept now" in shots[0]
    assert "Not now: founder-os is read-only." in shots[0]
    for key, shown in zip("am", shots[1:], strict=True):
        assert "founder-os is read-only." in shown.splitlines()[-2], key
        assert "Not settled" not in shown.splitlines()[-2], f"{key} did not ask the workspace"
        assert "▶ ≠ memtui targets" in shown, key
    assert states(work) == ["open"] * 4


def test_a_refused_verdict_leaves_the_pair_open_until_the_key_is_pressed_again_and_then_it_stays() -> None:
    work, shots = paired(), Shots()
    settled: list[list[str]] = []
    work.raising["settle"] = Refused("busy", "Not settled: the store is busy.", "Press it again.")
    on_review(
        work, "a", shots,
        lambda _: work.raising.update(settle=OSError(28, "No space left on device")), "a", shots,
        lambda _: work.raising.clear(), "a", lambda _: settled.append(states(work)),
        "k", shots, "b", shots,
    )  # fmt: skip
    assert "Not settled: the store is busy.  Press it again." in shots[0]
    assert "▶ ≠ memtui targets" in shots[0]
    assert "Not settled: No space left on device" in shots[1]
    assert "▶ ≠ memtui targets" in shots[1]
    assert settled == [["settled", "open", "open", "open"]]
    # A settled pair can be looked at but not settled again.
    assert "✓ kept A" in line_with(shots[2], "✓ kept A,")
    assert "Settled: kept A." in shots[3]
    assert verdicts(work) == ["keep-a"]


def test_a_read_only_workspace_says_why_nothing_is_settled() -> None:
    work = paired()
    work.read_only = True
    shown = {key: Shots() for key in "amtd"}
    on_review(work, *(step for key, shots in shown.items() for step in (clear_status, key, shots)))
    for key, shots in shown.items():
        assert "Nothing can be settled: the workspace is only read." in shots[0], key
    assert states(work) == ["open"] * 4


def test_enter_shows_the_memory_in_full_and_escape_goes_back_one_step_at_a_time() -> None:
    shots = Shots()
    drive(app_on(paired()), "7", "3", "enter", shots, "j", "k", "l", shots, "escape", shots, "escape", shots)
    full, other, pair, before = shots
    assert "What the keys do" in full
    assert "session 7f3a" in full
    assert "session 02bc" in other
    assert "Why these two" in pair
    assert "What the keys do" not in pair
    assert "[7 Journal]" in before


def test_y_copies_the_side_in_view() -> None:
    app = app_on(paired())
    assert "Copied B to" in drive(app, "3", "l", "y")
    assert app.clipboard.startswith("The project supports CPython 3.11")


def test_c_on_browse_shows_the_pairs_of_one_memory_and_escape_all_of_them() -> None:
    shots = Shots()
    drive(
        app_on(paired()), "c", shots, "j", "j", "j", "c", shots, (80, 24), shots, (120, 36),
        "escape", shots, "escape", shots,
    )  # fmt: skip
    nothing, one, narrow, every, browse = shots
    assert "Nothing is known that contradicts or repeats this memory." in nothing
    assert "Pairs of “CI takes 14 minutes on the slow runner”" in one
    assert "1 of 2" in one
    assert "esc all" in one
    assert "Pairs of “CI takes" in narrow
    assert "1 of 4" in every
    assert "[1 Browse]" in browse


def test_f_shows_a_part_of_the_queue() -> None:
    work, shots = paired(), Shots()
    on_review(
        work, "f", shots, "j", "escape", shots, "f", "j", "enter", shots, "escape", shots,
        "f", *"jjjj", "enter", shots, "n", shots,
    )  # fmt: skip
    parts, cancelled, contradictions, every, duplicates, nothing = shots
    assert "Contradictions" in parts
    assert "nearly the same text" in parts
    assert "With founder-os" in parts
    assert "1 of 4" in cancelled
    assert "1 of 3" in contradictions
    assert "1 of 4" in every
    assert "Queue: duplicates" in duplicates
    assert "1 of 1" in duplicates
    assert "differ by punctuation" in duplicates
    assert "No pair waits here" in nothing
    assert "esc  all 3 pairs that wait" in nothing
    assert work.findings[3].decision is not None


def test_an_empty_queue_says_why_it_is_empty() -> None:
    work, shots = sample(), Shots()

    def waits(app: object) -> None:
        work.to_compare = [None] * 3

    def only_read(app: object) -> None:
        work.read_only = app.read_only = True  # type: ignore[attr-defined]

    on_review(work, shots, "a", shots, waits, reload, shots, only_read, reload, shots)
    assert "No contradictions, no duplicates: 7 memories compared." in shots[0]
    assert "Nothing to settle: no pair is shown." in shots[1]
    assert "3 memories to be compared: it begins by itself in a moment." in shots[2]
    assert "This workspace is only read: nothing is looked for." in shots[3]


def test_a_queue_that_was_put_off_says_that_it_comes_back() -> None:
    assert "4 pairs put off: they come back by themselves." in on_review(paired(), "s", "s", "s", "s")


def test_an_empty_workspace_has_nothing_to_compare() -> None:
    shots = Shots()
    drive(app_on(FakeWorkspace([], clock=clock)), "c", shots, "3", shots)
    assert "Nothing to compare: the list is empty." in shots[0]
    assert "No memories yet, so nothing clashes." in shots[1]


def test_a_queue_that_cannot_be_read_says_so() -> None:
    work = paired()
    work.raising["pairs"] = OSError(5, "Input/output error")
    assert "The pairs could not be read: Input/output error" in drive(app_on(work), "3")


def test_clicks_choose_a_side_a_pair_and_a_verdict() -> None:
    work = paired()
    seen: list[str] = []

    def look(app: object) -> None:
        seen.append(screen(app))  # type: ignore[arg-type]

    clicked(app_on(work), "3 Review", drawn, "because", look, "≠ editor is neovim", drawn, look, "b keep B")
    assert "If you keep B" in seen[0]
    assert "▶ ≠ editor is neovim" in seen[1]
    said = {id: pair.decision.verdict for id, pair in work.findings.items() if pair.decision}
    assert said == {2: "keep-b"}
