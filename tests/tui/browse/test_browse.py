"""Browse: search, marks, changes, undo, news, and the status line."""

from __future__ import annotations

import base64
from array import array
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from memtui.errors import Refused
from memtui.memory.memory import MemoryRow
from memtui.memory.results import Hits
from memtui.memory.stores import PullResult
from memtui.tui import status
from memtui.tui.app import MemtuiApp
from memtui.tui.memory.listing.memory_list import MemoryList
from tests.support.app_driver import Probe, Shots, Step, app_on, drive, line_with, typed
from tests.support.fake_workspace import FakeWorkspace, clock, memory, sample
from tests.support.sizes import shard
from tests.support.waiting.threads import run_with_pilot, wait_until

Golden = Callable[[str, str], None]


def memories(app: MemtuiApp) -> MemoryList:
    return app.screen_stack[0].query_one(MemoryList)


class Highlights(list[int | None]):
    """A step that records which memory is highlighted."""

    def __call__(self, app: MemtuiApp) -> None:
        self.append(memories(app).highlighted)


class MarkCounts(list[int]):
    """A step that records how many memories are marked."""

    def __call__(self, app: MemtuiApp) -> None:
        self.append(len(memories(app).marks))


def test_the_highlighted_memory_is_shown_next_to_the_list_or_below_it(golden: Golden) -> None:
    shots = Shots()
    drive(app_on(), "j", shots, (80, 24), shots, (160, 36), shots)
    golden("browse-120x36", shots[0])
    golden("browse-80x24", shots[1])
    # Before a change, the pane shows what each key would do and where.
    wide = " ".join(shots[2].split())
    assert "Keys" in wide
    assert "p pin kept in memtui: this store has no pin" in wide


def test_enter_opens_full_screen_and_esc_goes_back(golden: Golden) -> None:
    shots = Shots()
    drive(app_on(), "j", "enter", shots, "escape", shots, size=(80, 24))
    golden("detail-80x24", shots[0])
    assert "Memories" not in shots[0]
    assert "Memories" in shots[1]


def test_search_as_you_type() -> None:
    work = sample()
    shots = Shots()
    steps: list[Step] = [*typed("python"), shots, "ctrl+u", *typed("planning"), shots]
    drive(app_on(work), "/", *steps, "ctrl+u", *typed("zebra"), shots)
    python, planning, zebra = shots
    assert "by text · 1 of 7" in python
    assert "1 of 1" in python
    assert "CI takes" not in python
    # Results of an earlier text never replace those of a later one.
    assert "planning call" in planning
    assert "by text · 1 of 7" in planning
    assert work.searches[-1] == "zebra"
    # Without a match, the list shows the query and how to clear it.
    assert "Nothing matches “zebra”." in zebra
    assert "esc  clear search" in zebra


def test_an_invalid_filter_is_underlined_and_keeps_the_results() -> None:
    shots = Shots()
    underlined: list[str] = []

    @Probe
    def note_underlined(app: MemtuiApp) -> None:
        line = app.screen.query_one("#query", Input).render_line(0)
        underlined.append("".join(s.text for s in line if s.style and s.style.underline))

    def paste(app: MemtuiApp) -> None:
        app.screen.query_one("#query", Input).value = "status:nonsense"

    drive(app_on(), "/", paste, shots, "ctrl+u", *typed("ci status:zz"), "down", note_underlined)
    assert "There is no status “nonsense”." in shots[0]
    assert "Allowed: pending, dismissed." in shots[0]
    assert "search failed" in line_with(shots[0], "/ status:nonsense")
    assert "CI takes" in shots[0]
    assert underlined == ["status:zz"]


def test_esc_goes_back_one_step_at_a_time() -> None:
    steps: list[tuple[int, str]] = []

    @Probe
    def note(app: MemtuiApp) -> None:
        steps.append((len(memories(app).marks), app.screen.query_one("#query", Input).value))

    drive(app_on(), "/", *typed("ci"), "down", "space", note, "escape", note, "escape", note)
    assert steps == [(1, "ci"), (0, "ci"), (0, "")]


def test_an_empty_workspace_explains_itself(golden: Golden) -> None:
    shots = Shots()
    drive(app_on(FakeWorkspace([], clock=clock)), shots, "p", shots, size=(80, 24))
    golden("empty-80x24", shots[0])
    assert "Nothing to pin: the list is empty." in shots[1]


def test_a_workspace_that_cannot_be_opened_shows_the_reason(golden: Golden) -> None:
    def refuse() -> NoReturn:
        raise Refused(
            "damaged", "work.db is not a database.", "Nothing was changed. memtui doctor tells more."
        )

    golden("error-80x24", drive(MemtuiApp(refuse, clock=clock), "p", size=(80, 24)))


def test_p_toggles_the_pin_u_undoes_and_shift_u_redoes() -> None:
    work = sample()
    pinned: list[bool] = []
    shots = Shots()

    @Probe
    def note(app: MemtuiApp) -> None:
        pinned.append(work.memories[2].pinned)

    drive(app_on(work), "j", "p", shots, note, "u", shots, note, "U", note, "k", "p", shots)
    assert "Pinned 1 memory in base-coat · u undo" in " ".join(shots[0].split())
    assert "★ pinned" in shots[0]
    assert "U redo" in shots[1]
    assert pinned == [True, False, True]
    assert "Unpinned 1 memory in founder-os" in shots[2]


def test_after_a_dismissal_the_next_or_last_memory_is_highlighted() -> None:
    work = sample()
    highlights = Highlights()
    shots = Shots()
    drive(app_on(work), "j", "d", "d", shots, highlights, "G", "d", highlights)
    assert work.memories[2].status == work.memories[3].status == "dismissed"
    assert "memtui targets" not in line_with(shots[0], "CI takes")
    assert "5 memories" in shots[0]
    assert work.memories[7].status == "dismissed"
    assert highlights == [4, 6]


def test_a_change_applies_to_all_marked_memories() -> None:
    work = sample()
    marks = MarkCounts()
    seen = drive(app_on(work), "*", marks, "*", marks, "space", "space", "d", "enter")
    assert marks == [7, 0]
    assert "Dismissed 2 memories" in seen
    assert [id for id, each in work.memories.items() if each.status == "dismissed"] == [1, 2, 8]


def test_marks_survive_a_reload_and_are_counted() -> None:
    shots = Shots()
    drive(app_on(), "space", "space", ",", shots, "space", "/", *typed("ci"), shots)
    assert "2 marked" in shots[0]
    assert "not in this search" not in shots[0]
    marked = "3 marked, 3 not in this search"
    assert marked in shots[1]


def test_memories_left_out_of_a_bulk_change_are_counted() -> None:
    work = sample()
    work.locked = {2}
    seen = drive(app_on(work), "space", "space", "space", "v")
    assert "1 skipped: base-coat is read-only (set by you)" in seen
    assert "of 3" not in line_with(seen, "1 not:").partition("·")[2]


def test_a_key_that_cannot_work_shows_the_reason() -> None:
    work = sample()
    work.locked = {2}
    shots = Shots()
    drive(app_on(work), "R", shots, "j", "e", shots, "u", shots)
    assert "Nothing to restore: the memory isn't dismissed." in shots[0]
    assert "base-coat is read-only (set by you)" in shots[1].splitlines()[-2]
    assert "Nothing to undo." in shots[2]


def test_restore_makes_a_dismissed_memory_live() -> None:
    work = sample()
    drive(app_on(work), "/", *typed("status:dismissed staging"), "down", "R")
    assert work.memories[8].status == "confirmed"


def test_news_is_shown_only_after_r() -> None:
    work = sample()
    work.news = [memory(0, "The agent learned this", store="codex")]
    shots = Shots()
    drive(app_on(work), "j", shots, "p", shots, "r", shots)
    assert "● 1 new  r" in shots[0]
    assert "agent learned" not in shots[0]
    assert "Pinned 1 memory" in shots[1]
    assert "agent learned" not in shots[1]
    assert "agent learned" in shots[2]
    assert "● 1 new" not in shots[2]
    assert "1 new in codex" in shots[2]


class NewestFirst(FakeWorkspace):
    """New memories come first, as in the real workspace."""

    def search(self, text: str, *, live: bool = True, sort: str = "") -> Hits:
        hits = super().search(text, live=live, sort=sort)
        return Hits(array("q", reversed(hits.ids)), hits.total, hits.how)


@pytest.mark.parametrize("size", shard([(80, 24), (120, 36)], 0, 2))
def test_new_memories_above_the_screen_are_counted_until_they_are_seen(size: tuple[int, int]) -> None:
    work = NewestFirst([memory(n, f"number {n}") for n in range(1, 61)], clock=clock)
    work.news = [memory(n, f"The agent learned {n}", store="codex") for n in range(3)]
    shots, rows = Shots(), list[tuple[int | None, int]]()

    @Probe
    def note_row(app: MemtuiApp) -> None:
        rows.append((memories(app).highlighted, memories(app).cursor - memories(app).top))

    drive(
        app_on(work),
        note_row,
        "r",
        note_row,
        shots,
        "j",
        "p",
        note_row,
        shots,
        "k",
        "k",
        shots,
        "g",
        shots,
        "j",
        shots,
        size=size,
    )
    assert rows == [(60, 0), (60, 0), (59, 1)]
    assert "agent learned" not in shots[0]
    assert ["new: 3 above" in shot for shot in shots] == [True, True, False, False, False]
    assert "new: 2 above" in shots[2]
    assert "agent learned 0" in shots[3]


def test_the_cursor_moves_to_an_added_memory() -> None:
    """Otherwise it is above the screen, and the next key changes another memory."""
    work = NewestFirst([memory(n, f"number {n}") for n in range(1, 31)], clock=clock)
    shots, highlights = Shots(), Highlights()
    drive(
        app_on(work), "j", "a", *typed("Owls are counted in June"), "ctrl+s", shots, highlights, size=(80, 24)
    )
    (id,) = [id for id, each in work.memories.items() if each.content == "Owls are counted in June"]
    assert highlights == [id]
    assert "Owls are counted" in shots[0].splitlines()[3]


def test_the_first_news_of_an_empty_workspace_is_shown_immediately() -> None:
    work = FakeWorkspace([], clock=clock)
    work.news = [memory(0, "The agent learned this", store="codex")]
    assert "The agent learned this" in drive(app_on(work))


def test_a_store_that_cannot_be_read_is_named() -> None:
    class Unread(FakeWorkspace):
        def pull(self) -> PullResult:
            return PullResult({}, {"codex": "the folder is gone"})

    assert "codex: the folder is gone" in drive(app_on(Unread([memory(1, "one")], clock=clock)))


def test_copy_is_sent_to_the_terminal_as_osc_52(monkeypatch: pytest.MonkeyPatch) -> None:
    long = "long " * 100
    work = FakeWorkspace([memory(1, "Ana likes tea"), memory(2, long), memory(3, "y" * 90_000)], clock=clock)
    sent: list[list[str]] = []
    shots = Shots()

    def listen(app: MemtuiApp) -> None:
        sent.append([])
        assert app._driver is not None
        monkeypatch.setattr(app._driver, "write", sent[-1].append)

    def inside(multiplexer: str) -> Step:
        def set_environment(app: MemtuiApp) -> None:
            for name in ("TMUX", "STY"):
                monkeypatch.delenv(name, raising=False)
            if multiplexer:
                monkeypatch.setenv(multiplexer, "x")

        return set_environment

    drive(
        app_on(work),
        listen, "y", shots,
        inside("TMUX"), listen, "y",
        "j", inside("STY"), listen, "y", shots,
        "j", inside(""), listen, "y", shots,
    )  # fmt: skip
    terminal, tmux, screen, _ = sent
    text = base64.b64encode(b"Ana likes tea").decode()
    assert any(f"\x1b]52;c;{text}\x07" == each for each in terminal)
    assert "Copied 1 memory to the terminal's clipboard." in shots[0]
    assert any(each.startswith("\x1bPtmux;\x1b\x1b]52;c;") and each.endswith("\x1b\\") for each in tmux)
    # GNU screen needs it in chunks.
    copied = next(each for each in screen if "52;c;" in each)
    chunks = copied.removeprefix("\x1bP\x1b]52;c;").removesuffix("\x07\x1b\\").split("\x1b\\\x1bP")
    assert base64.b64decode("".join(chunks)).decode() == long
    assert max(map(len, chunks)) <= 76
    assert "the terminal's clipboard through screen" in shots[1]
    # Beyond what all terminals accept, there is a warning.
    assert "at 90 KB, it may be truncated or dropped" in shots[2]


def test_comma_cycles_through_the_sort_orders() -> None:
    shots = Shots()
    drive(
        app_on(),
        ",",
        shots,
        *["," for _ in range(5)],
        shots,
        ",",
        shots,
        "/",
        *typed("ci"),
        "enter",
        ",",
        shots,
    )
    assert "Sorted by time, oldest first." in shots[0]  # already sorted newest first
    assert "Memories · oldest first" in shots[0]
    assert "Sorted by store, newest first in each." in shots[1]
    assert "Sorted by time, newest first." in shots[2]
    assert "Sorted by time, newest first." in shots[3]
    assert "Memories · newest first" in shots[3]


def test_emoji_of_ambiguous_width_do_not_shift_the_border() -> None:
    work = FakeWorkspace([memory(1, "I ❤\ufe0f 👩\u200d🔬 1\ufe0f\u20e3 🇩🇪 tea")], clock=clock)
    seen = drive(app_on(work))
    assert seen.count("I ❤ 👩🔬 1 DE tea") == 2  # in the list, and in full
    assert not {"\ufe0f", "\u200d", "\u20e3"} & set(seen)


def test_the_status_line_is_cleared_on_another_screen_once_it_could_be_read() -> None:
    shots = Shots()

    @Probe
    def pass_reading_time(app: MemtuiApp) -> None:
        app._shown_at -= status.READING_TIME

    drive(app_on(), ",", "7", shots, "1", "p", "7", shots, "1", pass_reading_time, "7", shots)
    assert "Sorted by" not in shots[0]
    assert "Pinned" in shots[1].splitlines()[-2] or "Unpinned" in shots[1].splitlines()[-2]
    assert "pinned" not in shots[2].splitlines()[-2].lower()


def test_a_key_ends_what_could_be_read_but_no_error() -> None:
    shots = Shots()

    @Probe
    def pass_reading_time(app: MemtuiApp) -> None:
        app._shown_at -= status.READING_TIME

    @Probe
    def fail(app: MemtuiApp) -> None:
        app.show_status("Not saved", tone="error")

    drive(app_on(), "p", "j", shots, pass_reading_time, "j", shots, fail, pass_reading_time, "j", shots)
    assert "inned" in shots[0].splitlines()[-2]
    assert not shots[1].splitlines()[-2].strip()
    assert "Not saved" in shots[2]


def test_the_status_line_is_cleared_after_its_duration(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(status, "DURATION", {"quiet": 0.05, "done": 60.0, "error": 60.0})

    async def play(app: MemtuiApp, pilot: Pilot[Any]) -> None:
        await pilot.press(",")
        await wait_until(lambda: app.status.text)
        await wait_until(lambda: not app.status.text)
        await pilot.press("p")
        await wait_until(lambda: app.status.tone == "done")
        app.show_status("Reading stores …", working=True)
        await pilot.pause(0.1)
        assert app.status.text == "Reading stores …"

    run_with_pilot(sample(), play)


@pytest.mark.parametrize("size", shard([(80, 24), (120, 36)], 1, 2))
def test_the_footer_shows_no_letter_keys_while_typing(size: tuple[int, int]) -> None:
    shots = Shots()
    drive(app_on(), shots, "/", shots, "c", "enter", shots, size=size)
    before, typing, after = (each.splitlines()[-1] for each in shots)
    assert typing.split("  ") == [" ⏎ ↓ to the list", "esc back", "ctrl+p palette"]
    assert "p pin" in before
    assert before == after


def test_the_end_of_a_million_memories_is_reached() -> None:
    class Many(FakeWorkspace):
        def search(self, text: str, *, live: bool = True, sort: str = "") -> Hits:
            return Hits(array("q", range(1, 1_000_001)), 1_000_000, "all, newest first")

        def rows(self, ids: Sequence[int]) -> list[MemoryRow]:
            assert len(ids) < 200
            self.memories.clear()
            self.memories.update({id: memory(id % 9, f"memory number {id}") for id in ids})
            return super().rows(ids)

    seen = drive(app_on(Many([], clock=clock)), "G")
    assert "memory number 1000000" in seen
    assert "1,000,000 of 1,000,000" in seen


def test_tab_cycles_through_search_list_and_detail() -> None:
    names: list[str | None] = []

    @Probe
    def note(app: MemtuiApp) -> None:
        names.append(app.focused.id if app.focused is not None else None)

    drive(app_on(), note, "tab", note, "tab", note, "tab", note)
    assert names == ["list", "detail", "query", "list"]
