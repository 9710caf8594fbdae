"""Review: one verdict a key, the next pair by itself, undo brings it back (S-42, S-43)."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import replace

import pytest

from memtui.errors import Refused
from memtui.memory.pairs import BOTH_TRUE, KEEP_B, LATER, NOT_SO, Pair
from memtui.tui import sweeping
from memtui.tui.app import MemtuiApp
from memtui.tui.screens import judging, review
from tests.support.app_driver import Step, app_on, drive, line_with, screen, settle, still, typed
from tests.support.fake_workspace import NOW, FakeWorkspace, clock, memory, paired, sample
from tests.support.wait_review import calmly
from tests.tui.test_sweeps import HOSTILE, bad, hostile


def seen(work: FakeWorkspace, *keys: Step, size: tuple[int, int] = (120, 36)) -> str:
    return drive(app_on(work), *calmly("3", *keys), size=size)


async def until(so: Callable[[], bool]) -> None:
    """Wait for what another thread does, ten seconds at most."""
    for _ in range(1_000):
        if so():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it never came to that")


def states(work: FakeWorkspace) -> list[str]:
    return [pair.state for pair in work.findings.values()]


def verdicts(work: FakeWorkspace) -> list[str]:
    return [pair.said.verdict for pair in work.findings.values() if pair.said]


@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_both_stand_side_by_side_with_the_words_that_differ(golden, size, theme):
    shown = drive(app_on(paired()), *(["T"] if theme == "light" else []), "3", size=size)
    golden(f"review-{size[0]}x{size[1]}" + ("-light" if theme == "light" else ""), shown)
    assert "targets Python [3.12]" in shown
    assert "targets Python [3.11]" in shown
    assert "! open for 9 days" in shown
    assert "Suggested: keep A." in shown
    assert "3 memories rest on this" in shown
    assert "“we can drop 3.11 now”" in shown
    assert ("≠ 4 to review ! 1" if size[0] > 80 else "≠ 4 ! 1") in shown.splitlines()[0]


def test_a_verdict_is_one_key_and_the_next_pair_comes_by_itself():
    work = paired()
    shown = seen(work, "a")
    assert states(work) == ["settled", "open", "open", "open"]
    assert "Kept A on “memtui targets Python 3.12”" in shown
    assert "u undo" in line_with(shown, "Kept A on")
    assert "✓ ≠ memtui targets Python 3.12" in shown
    assert "kept A" in line_with(shown, "✓ ≠")
    assert "editor is [neovim], terminal" in shown
    assert "2 of 4 · 1 settled today" in shown
    assert "≠ 3" in shown.splitlines()[0]
    assert "1 done · 3 left · next: CI takes" in seen(paired(), "a", size=(80, 24))


@pytest.mark.parametrize(
    ("key", "verdict"), [("b", KEEP_B), ("s", LATER), ("n", NOT_SO), ("d", "discard-both"), ("a", "keep-a")]
)
def test_each_key_gives_its_verdict_on_the_pair_in_view_and_u_takes_it_back(key, verdict):
    work = paired()
    before = dict(work.memories)
    seen(work, "j", key)
    assert work.findings[2].said is not None
    assert work.findings[2].said.verdict == verdict
    assert states(work).count("open") == 3
    shown = seen(work := paired(), "j", key, "u")
    assert states(work) == ["open"] * 4
    assert work.memories == before
    assert "▶ ≠ editor is neovim" in shown
    assert "[neovim]" in shown
    assert "✓" not in shown
    redone = seen(work := paired(), "j", key, "u", "U")
    assert verdicts(work) == [verdict]
    assert "≠ editor is neovim" in redone


def test_undo_of_a_verdict_of_yesterday_brings_the_pair_to_the_front():
    work = paired()
    work.settle(2, KEEP_B)
    shown = seen(work, "u")
    assert "▶ ≠ editor is neovim" in shown
    assert "1 of 4" in shown


def test_undo_after_the_last_one_brings_it_back_too():
    work = paired()
    shown = seen(work, "a", "a", "a", "a")
    assert "All settled: 4 today." in shown
    assert "u  undo the last verdict" in shown
    assert "CI takes [9] minutes" in seen(work, "u")


def test_a_merge_is_edited_beside_both_texts(golden):
    work = paired()
    shown = seen(work, "m")
    golden("merge-120x36", shown)
    golden("merge-80x24", seen(paired(), "m", size=(80, 24)))
    assert "A takes the merged text, B gives way to it." in shown
    shown = seen(work, "m", *typed(" Both."), "ctrl+s")
    assert verdicts(work) == ["merge"]
    assert work.memories[2].content.endswith("has 3.11. Both.")
    assert work.memories[9].status == "superseded"
    assert "merged" in line_with(shown, "✓ ≠")


def test_leaving_a_merge_changes_nothing_and_asks_once_if_something_was_typed():
    work = paired()
    assert "Why these two" in seen(work, "m", "escape")
    assert "esc again drops your text" in seen(work, "m", "x", "escape")
    shown = seen(work, "m", "x", "escape", "escape")
    assert "Merge A and B" not in shown
    assert states(work) == ["open"] * 4
    assert work.events == []


def test_a_refused_merge_keeps_the_text_and_an_empty_one_is_not_sent():
    work = paired()
    work.raising["settle"] = Refused("locked", "Not merged: the store is locked.", "Try again.")
    shown = seen(work, "m", *typed("XYZ"), "ctrl+s")
    assert "Not merged: the store is locked. Try again." in shown
    assert "XYZ" in shown
    assert "write something first" in seen(paired(), "m", "f7", "delete", "ctrl+s")


def test_a_merged_text_with_odd_characters_is_cleaned_before_it_is_written():
    work = paired()
    work.merged[1] = "one\x1b[31m\u202etwo"
    shown = seen(work, "m")
    assert "ctrl+l takes the odd characters out" in shown
    assert not bad(shown)
    assert "cannot be written as it stands" in seen(work, "m", "ctrl+s")
    seen(work, "m", "ctrl+l", "ctrl+s")
    assert work.memories[2].content == "one[31mtwo"


def test_both_true_takes_a_note_or_none():
    work = paired()
    assert "Both stay; this pair is not asked about again." in seen(work, "t")
    assert "Both are true" not in seen(work, "t", "escape")
    assert states(work) == ["open"] * 4
    shown = seen(work, "t", *typed("until Nov"), "enter", "k")
    assert work.findings[1].said is not None
    assert (work.findings[1].said.verdict, work.findings[1].said.note) == (BOTH_TRUE, "until Nov")
    assert "✓ both true" in shown
    assert "“until Nov”" in shown
    assert "both true" in seen(paired(), "t", "enter")


def test_left_and_right_show_what_keeping_each_would_do():
    assert "If you keep A" in seen(paired())
    for key in ("l", "right"):
        shown = seen(paired(), key)
        assert "If you keep B" in shown
        assert "A gives way to B in base-coat" in shown
    assert "If you keep A" in seen(paired(), "l", "h")
    work = paired()
    work.suggested[1] = replace(work.suggested[1], verdict=KEEP_B)
    assert "If you keep B" in seen(work)
    assert "If you keep B" in seen(paired(), "tab")


def test_what_a_verdict_cannot_do_now_is_said_and_the_pair_stays():
    work = paired()
    work.unsettled[1] = {"keep-a": "founder-os is read-only.", "merge": "founder-os is read-only."}
    shown = seen(work)
    assert "a cannot be kept now" in shown
    assert "Not now: founder-os is read-only." in shown
    for key in ("a", "m"):
        shown = seen(work, key)
        assert "founder-os is read-only." in shown.splitlines()[-2]
        assert "▶ ≠ memtui targets" in shown
    assert states(work) == ["open"] * 4


def test_a_refused_verdict_leaves_the_pair_where_it_is():
    work = paired()
    work.raising["settle"] = Refused("busy", "Not settled: the store is busy.", "Press it again.")
    shown = seen(work, "a")
    assert "Not settled: the store is busy.  Press it again." in shown
    assert "▶ ≠ memtui targets" in shown
    work.raising["settle"] = OSError(28, "No space left on device")
    assert "Not settled: No space left on device" in seen(work, "a")
    del work.raising["settle"]
    seen(work, "a")
    assert states(work)[0] == "settled"


def test_a_settled_pair_can_be_looked_at_and_not_settled_again():
    work = paired()
    shown = seen(work, "a", "k")
    assert "✓ kept A" in line_with(shown, "✓ kept A,")
    shown = seen(work := paired(), "a", "k", "b")
    assert "Settled: kept A." in shown
    assert verdicts(work) == ["keep-a"]


def test_a_read_only_workspace_says_why_nothing_is_settled():
    work = paired()
    work.read_only = True
    for key in ("a", "m", "t", "d"):
        assert "Nothing can be settled: the workspace is only read." in seen(work, key)
    assert states(work) == ["open"] * 4


def test_enter_shows_the_memory_in_full_and_esc_leads_back():
    shown = seen(paired(), "enter")
    assert "What the keys do" in shown
    assert "session 7f3a" in shown
    assert "session 02bc" in seen(paired(), "enter", "l")
    assert "Why these two" in seen(paired(), "enter", "escape")
    assert "[7 Journal]" in drive(app_on(paired()), "7", "3", "escape")


def test_y_copies_the_side_in_view():
    app = app_on(paired())
    assert "Copied B to" in drive(app, "3", "l", "y")
    assert app.clipboard.startswith("The project supports CPython 3.11")


def test_c_on_browse_shows_the_pairs_of_one_memory_and_esc_all():
    app = app_on(paired())
    shown = drive(app, "j", "j", "j", "c")
    assert "Pairs of “CI takes 14 minutes on the slow runner”" in shown
    assert "1 of 2" in shown
    assert "esc all" in shown
    assert "Pairs of “CI takes" in drive(app_on(paired()), "j", "j", "j", "c", size=(80, 24))
    assert "1 of 4" in drive(app_on(paired()), "j", "j", "j", "c", "escape")
    assert "[1 Browse]" in drive(app_on(paired()), "j", "j", "j", "c", "escape", "escape")
    assert "Nothing is known that contradicts or repeats this memory." in drive(app_on(paired()), "c")
    assert "Nothing to compare: the list is empty." in drive(app_on(FakeWorkspace([], clock=clock)), "c")


def test_f_shows_a_part_of_the_queue():
    shown = seen(paired(), "f")
    assert "Contradictions" in shown
    assert "nearly the same text" in shown
    assert "With founder-os" in shown
    shown = seen(paired(), "f", "j", "j", "j", "j", "enter")
    assert "Queue: duplicates" in shown
    assert "1 of 1" in shown
    assert "differ by punctuation" in shown
    assert "1 of 4" in seen(paired(), "f", "j", "enter", "escape")
    assert "1 of 4" in seen(paired(), "f", "j", "escape")
    work = paired()
    shown = seen(work, "f", *["j"] * 4, "enter", "n")
    assert "No pair waits here" in shown
    assert "esc  all 3 pairs that wait" in shown
    assert work.findings[3].said is not None


def test_the_words_of_an_empty_queue():
    work = sample()
    shown = seen(work)
    assert "No contradictions, no duplicates: 7 memories compared." in shown
    assert "Nothing to settle: no pair is shown." in seen(work, "a")
    work.to_compare = [None] * 3
    assert "3 memories to be compared: it begins by itself in a moment." in seen(work)
    work.read_only = True
    assert "This workspace is only read: nothing is looked for." in seen(work)
    assert "No memories yet, so nothing clashes." in seen(FakeWorkspace([], clock=clock))
    work = paired()
    assert "4 pairs put off: they come back by themselves." in seen(work, "s", "s", "s", "s")


def test_a_queue_that_cannot_be_read_says_so():
    work = paired()
    work.raising["pairs"] = OSError(5, "Input/output error")
    assert "The pairs could not be read: Input/output error" in seen(work)


def test_a_pair_that_vanishes_while_it_is_shown_moves_nothing():
    work = paired()

    def gone(app):
        work.findings[2] = replace(work.findings[2], state="over")
        del work.memories[12]

    shown = seen(work, "j", gone, lambda app: app.screen.load())
    assert "▶ ≠ editor is neovim" in shown
    assert "over" in line_with(shown, "▶")
    shown = seen(work := paired(), "j", lambda a: work.findings.pop(2), lambda a: a.screen.load(), "a")
    assert "This pair is over" in shown
    assert verdicts(work) == []
    work = paired()
    shown = seen(work, lambda a: work.memories.pop(12), "G")
    assert "One of the two is gone from the workspace." in shown


def new_pair(work: FakeWorkspace, id: int = 9) -> Pair:
    return replace(work.findings[4], id=id, score=0.99, escalated=True)


def test_what_is_found_meanwhile_is_counted_and_comes_with_r():
    work = paired()

    def found(app):
        work.findings[9] = new_pair(work)
        app.review = work.review()

    shown = seen(work, "j", found)
    assert "● 1 new  r" in shown
    assert "▶ ≠ editor is neovim" in shown
    assert "2 of 4" in shown
    shown = seen(work := paired(), "j", found, "r")
    assert "● 1 new" not in shown
    assert "1 new pair taken in." in shown
    assert "3 of 5" in shown
    assert "▶ ≠ editor is neovim" in shown


def test_the_last_of_many_fast_moves_is_what_is_shown():
    work = paired()

    async def burst() -> str:
        app = app_on(work)
        async with app.run_test(size=(120, 36)) as pilot:
            await settle(app, pilot)
            await pilot.press("3")
            await settle(app, pilot)
            await pilot.press("j", "j", "j", "j", "k")
            return await still(app, pilot)

    shown = asyncio.run(burst())
    assert "3 of 4" in shown
    assert "They differ by punctuation alone." in shown


def test_a_key_pressed_twice_settles_one_pair(monkeypatch):
    """The second press comes before the next pair stands on the screen."""
    work = paired()
    work.gates["pair 2"] = threading.Event()

    async def twice() -> tuple[str, str]:
        app = app_on(work)
        async with app.run_test(size=(120, 36)) as pilot:
            await settle(app, pilot)
            await pilot.press("3")
            await still(app, pilot)
            await pilot.press("a")
            await until(lambda: "pair 2" in work.waiting)
            await pilot.press("a")
            await pilot.pause(0.05)
            between = screen(app)
            work.gates["pair 2"].set()
            await settle(app, pilot)
            monkeypatch.setattr(judging, "EYES", 60.0)
            await pilot.press("a")
            return between, await still(app, pilot)

    between, after = asyncio.run(twice())
    assert "Not taken: this pair is not on the screen yet." in between
    assert "Not taken: this pair has only just come up." in after
    assert states(work) == ["settled", "open", "open", "open"]


def test_while_a_store_is_busy_one_can_look_on_and_nothing_is_settled_twice():
    work = paired()
    work.gates["settle 1"] = threading.Event()

    async def busy() -> tuple[str, str]:
        app = app_on(work)
        async with app.run_test(size=(120, 36)) as pilot:
            await settle(app, pilot)
            await pilot.press("3")
            await still(app, pilot)
            await pilot.press("a")
            await until(lambda: "settle 1" in work.waiting)
            await pilot.press("b")
            await pilot.pause(0.05)
            told = screen(app)
            await pilot.press("j", "j")
            await pilot.pause(0.1)
            work.gates["settle 1"].set()
            return told, await still(app, pilot)

    told, after = asyncio.run(busy())
    assert "The verdict on this pair is still being written." in told
    assert verdicts(work) == ["keep-a"]
    assert "3 of 4" in after  # the cursor stays where the person went


def test_the_sweep_tells_how_far_it_is_and_what_it_found_stands_at_once(monkeypatch):
    monkeypatch.setattr(sweeping, "FIRST", 0.01)
    monkeypatch.setattr(sweeping, "LOOK", 0.02)
    monkeypatch.setattr(sweeping, "CALM", 0.0)
    monkeypatch.setattr(sweeping, "OFTEN", 0.0)
    work = paired()
    found = work.findings.pop(1)
    work.findings.clear()
    work.to_compare = [None] * 50 + [found] + [None] * 49
    gate = work.gates["sweep"] = threading.Event()
    told: list[str] = []

    async def watched() -> str:
        app = app_on(work)
        async with app.run_test(size=(120, 36)) as pilot:
            await settle(app, pilot)
            await pilot.press("3")
            await until(lambda: "sweep" in work.waiting)
            await pilot.pause(0.1)
            told.append(screen(app))
            gate.set()
            await until(lambda: not work.to_compare)
            return await still(app, pilot)

    shown = asyncio.run(watched())
    assert "Comparing … 0 of 100" in told[0]
    assert "Comparing the memories … 0 of 100" in told[0]
    assert "targets Python [3.12]" in shown
    assert "≠ 1" in shown.splitlines()[0]
    assert "Comparing" not in shown


def test_leaving_ends_the_sweep():
    work = sample()
    work.to_compare = [None] * 1000
    app = app_on(work)
    drive(app, "3", "q")
    assert work.closed
    assert not any(thread.name == "memtui-comparing" for thread in threading.enumerate())


@pytest.mark.parametrize("size", [(40, 8), (60, 15), (80, 24), (99, 30), (100, 24), (120, 36), (200, 60)])
def test_every_size_shows_both(size):
    shown = seen(paired(), size, size=(120, 36))
    if size != (40, 8):
        assert "[3.12]" in shown
        assert "[3.11]" in shown
    seen(paired(), "a", "l", "j", size, (120, 36), size, "enter", (80, 24), size=size)


def clashing(text: str) -> FakeWorkspace:
    """One hostile text wherever Review shows one."""
    work = hostile(text)
    work.memories[2] = replace(work.memories[1], content=f"{text} 2", source_excerpt=text)
    work.findings[1] = Pair(
        1, 1, 2, "contradiction", text or "x", 0.5, (text, text), text, text, NOW - 9e9, "open", True,
        None, (text, text), (text, text),
    )  # fmt: skip
    work.findings[2] = replace(work.findings[1], id=2, family="duplicate")
    work.unsettled[2] = {"keep-a": text or "no"}
    return work


@pytest.mark.parametrize("number", range(len(HOSTILE)))
def test_hostile_texts_are_only_ever_text(number):
    app = app_on(clashing(HOSTILE[number]))

    def look(app: MemtuiApp) -> None:
        shown = screen(app)
        assert not bad(shown), bad(shown)
        assert not app._exit

    keys = ["l", "enter", "escape", "f", "escape", "m", "ctrl+l", "escape", "escape", "t", *"x\x1b", "enter"]
    keys = [key for key in keys if key != "\x1b"]
    walk = [step for key in [*keys, "j", "a", "b", "u"] for step in (key, look)]
    drive(app, *calmly("3", look, *walk, (80, 24), look))


def test_long_texts_are_cut_and_say_so():
    work = paired()
    long = "word " * 40_000
    work.memories[2] = replace(work.memories[2], content=long)
    work.memories[9] = replace(work.memories[9], content=f"{long} other")
    shown = seen(work, "pagedown")
    assert "[3.12]" in seen(work)
    assert "word word" in shown
    assert "characters more are not shown" in seen(work, *["pagedown"] * 40)


@pytest.mark.parametrize(
    ("kind", "score", "told"),
    [
        ("polarity", 0.95, "Sure (0.95) · one denies what the other says."),
        ("class", 0.72, "Likely (0.72) · two of a kind, only one can be."),
        ("validity", 0.5, "Perhaps (0.50) · valid at the same time."),
        ("made-up", 0.9, "Sure (0.90) · made up."),
    ],
)
def test_how_a_pair_was_found_is_told_in_words(kind, score, told):
    work = paired()
    work.findings = {2: replace(work.findings[2], kind=kind, score=score)}
    shown = seen(work)
    assert told in shown
    assert kind not in line_with(shown, "▶ ≠")


def test_what_is_perhaps_the_same_is_not_called_likely():
    work = paired()
    work.findings = {3: replace(work.findings[3], kind="maybe", score=0.73)}
    shown = seen(work)
    assert "Perhaps the same (0.73)." in shown
    assert "perhaps the same" in line_with(shown, "▶ ≈")


def test_of_texts_without_a_common_word_the_words_that_clash_are_marked():
    work = FakeWorkspace(
        [memory(1, "Alice's birthday is 3 March."), memory(2, "Alice was born on 19 October.")], clock=clock
    )
    work.findings[1] = Pair(
        1, 1, 2, "contradiction", "number", 0.85, ("3 March", "19 October"), "Two days.", "", NOW, "open",
        False, None, ("k:1", "Alice was born on 19 October."), ("native", "native"),
    )  # fmt: skip
    shown = seen(work)
    assert "Alice's birthday is [3 March]." in shown
    assert "Alice was born on [19 October]." in shown
    assert "k:1 “3 March” / Alice was born on 19 October. " in shown  # a name alone tells nothing


def test_words_that_only_moved_are_marked_where_their_order_is_what_clashes():
    def of(family: str, kind: str, a: str, b: str) -> str:
        work = FakeWorkspace([memory(1, a), memory(2, b)], clock=clock)
        work.findings[1] = Pair(
            1, 1, 2, family, kind, 0.8, ("", ""), "Why.", "", NOW, "open", False, None, (a, b), ("x", "y")
        )
        return seen(work)

    assert "[may use the] network." in of("contradiction", "polarity", *NETWORK)
    assert "│ Network [access is forbidden in] tests." in of("contradiction", "polarity", *NETWORK)
    assert "[" not in of("duplicate", "maybe", *IMPORTS).partition("Why these two")[0].partition("\n")[2]
    assert "[at 04:15 every night]" in of("contradiction", "value", *IMPORTS)
    assert "[Every night at 04:15] the" in of("contradiction", "order", *IMPORTS)


NETWORK = ("Tests may use the network.", "Network access is forbidden in tests.")
IMPORTS = ("The import job starts at 04:15 every night.", "Every night at 04:15 the import job starts.")


def test_in_hardly_any_room_titles_stand_free_and_a_merge_has_its_text():
    shown = seen(paired(), size=(60, 15))
    assert "━ A  newer, used more, surer · 0.80" in shown
    assert "─ B  0.61 · 2 uses · founder-os 19d ago ─" in shown
    assert "┏━ A  newer" in seen(paired(), (60, 15), (80, 24))
    assert "━ A  newer" in seen(paired(), (60, 15))
    shown = seen(paired(), "m", size=(60, 15))
    assert "The project supports CPython 3.12 and newer. 3.11" in shown
    assert "and newer because" in shown
    assert "╭─ A ─" not in shown


def test_a_key_that_comes_as_the_text_changes_settles_nothing(monkeypatch):
    monkeypatch.setattr(judging, "EYES", 30.0)
    work = paired()

    def change(app: MemtuiApp) -> None:
        shown = app.screen
        assert isinstance(shown, review.ReviewScreen)
        shown._painted_at -= 60  # it has stood for a while
        work.memories[2] = replace(work.memories[2], content="It says something else now.")
        shown.load()

    shown = drive(app_on(work), "3", change, "a")
    assert "It says something else now." in shown
    assert "Not taken: this pair has only just come up." in shown
    assert states(work) == ["open"] * 4


@pytest.mark.parametrize(
    "keys", [("m", "ctrl+s"), ("t", "enter"), ("a",), ("d",)], ids=["merge", "both", "keep", "discard"]
)
def test_what_an_agent_wrote_meanwhile_is_not_overwritten(keys):
    """The pair was found anew, so that it could be settled; but the person has not seen it so."""
    work = paired()

    def write(app: MemtuiApp) -> None:
        work.memories[2] = replace(work.memories[2], content="The agent knows better by now.")

    shown = seen(work, *keys[:-1], write, keys[-1])
    assert "Not settled: one of the two says something else by now." in shown
    assert "Look again." in shown
    assert len(keys) > 1 or "agent knows better by now" in shown
    assert states(work) == ["open"] * 4
    assert work.memories[2].content == "The agent knows better by now."


def test_a_dialog_that_opens_and_closes_leaves_the_queue_as_it_was():
    work = paired()
    shown = seen(work, "j", "b", "question_mark", "escape")
    lines = [line for line in shown.splitlines() if " ≠ " in line or " ≈ " in line][1:]
    assert ["✓" in line for line in lines] == [False, True, False, False]
    shown = seen(paired(), "j", "b", "1", "3")
    lines = [line for line in shown.splitlines() if " ≠ " in line or " ≈ " in line][1:]
    assert ["✓" in line for line in lines] == [True, False, False, False]


def test_equal_and_empty_texts_have_no_marks():
    work = FakeWorkspace([memory(1, "the same"), memory(2, "the same"), memory(3, "")], clock=clock)
    work.findings[1] = Pair(
        1, 1, 2, "duplicate", "exact", 1.0, ("", ""), "Both say the same.", "", NOW, "open", False, None,
        ("the same", "the same"), ("native", "native"),
    )  # fmt: skip
    work.findings[2] = replace(work.findings[1], id=2, b=3, kind="maybe")
    shown = seen(work)
    assert "[the same" not in shown
    assert "Sure (1.00) · the same text." in shown
    assert "No suggestion. Nothing speaks clearly for one of the two." in shown
    assert "(empty)" in seen(work, "j")


def test_it_is_drawn_without_colour_and_the_chosen_side_is_still_seen(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    shown = seen(paired(), "l")
    assert "┏━ B" in shown
    assert "╭─ A" in shown
    assert "[3.12]" in shown


@pytest.mark.parametrize("theme", ["T", "TT", "TTT"])
def test_all_themes_draw_it(theme):
    assert "[neovim]" in drive(app_on(paired()), *theme, *calmly("3", "l", "m", "escape", "j"))


def test_clicks_choose_sides_and_pairs():
    from tests.tui.test_mouse import clicked

    shown = clicked(app_on(paired()), "3 Review", "because")
    assert "If you keep B" in shown
    shown = clicked(app_on(paired()), "3 Review", "≠ editor is neovim")
    assert "▶ ≠ editor is neovim" in shown
    work = paired()
    clicked(app_on(work), "3 Review", "b keep B")
    assert verdicts(work) == ["keep-b"]
