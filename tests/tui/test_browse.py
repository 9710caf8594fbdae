"""Browse: search, see, mark, change, undo."""

from __future__ import annotations

import base64

from memtui.errors import Refused
from memtui.memory.records import Pulled
from memtui.tui.app import MemtuiApp
from memtui.tui.widgets.memory_list import MemoryList
from tests.support.app_driver import app_on, drive, line_with, typed
from tests.support.fake_workspace import FakeWorkspace, clock, memory, sample


def memories(app: MemtuiApp) -> MemoryList:
    return app.screen_stack[0].query_one(MemoryList)


def test_it_shows_the_live_memories_and_the_first_in_full(golden):
    golden("browse-120x36", drive(app_on(), "j"))


def test_below_100_columns_the_detail_folds_under_the_list(golden):
    golden("browse-80x24", drive(app_on(), "j", size=(80, 24)))


def test_enter_opens_full_screen_and_esc_goes_back(golden):
    golden("detail-80x24", drive(app_on(), "j", "enter", size=(80, 24)))
    assert "Memories" in drive(app_on(), "j", "enter", "escape", size=(80, 24))


def test_search_as_you_type():
    seen = drive(app_on(), "/", *typed("python"))
    assert "by words · 1 of 7" in seen
    assert "1 of 1" in seen
    assert "CI takes" not in seen


def test_a_wrong_filter_says_which_part_and_keeps_what_was_found():
    app = app_on()
    seen = drive(app, "/", lambda a: setattr(a.screen.query_one("#query"), "value", "status:nonsense"))
    assert "There is no status “nonsense”." in seen
    assert "Allowed: pending, dismissed." in seen
    assert "not searched" in line_with(seen, "/ status:nonsense")
    assert "CI takes" in seen


def test_the_wrong_part_is_underlined():
    def look(app):
        line = app.screen.query_one("#query").render_line(0)
        marked = "".join(s.text for s in line if s.style and s.style.underline)
        assert marked == "status:zz"

    drive(app_on(), "/", *typed("ci status:zz"), "down", look)


def test_esc_goes_back_one_step_at_a_time():
    app = app_on()
    steps = []
    drive(
        app,
        *["/", *typed("ci"), "down", "space"],
        lambda a: steps.append((len(memories(a).marks), a.screen.query_one("#query").value)),
        "escape",
        lambda a: steps.append((len(memories(a).marks), a.screen.query_one("#query").value)),
        "escape",
        lambda a: steps.append((len(memories(a).marks), a.screen.query_one("#query").value)),
    )
    assert steps == [(1, "ci"), (0, "ci"), (0, "")]


def test_no_match_says_what_was_searched_and_how_to_get_out():
    seen = drive(app_on(), "/", *typed("zebra"))
    assert "Nothing matches “zebra”." in seen
    assert "esc  clear the search" in seen


def test_an_empty_workspace_says_what_would_be_here(golden):
    golden("empty-80x24", drive(app_on(FakeWorkspace([], clock=clock)), size=(80, 24)))


def test_a_workspace_that_cannot_be_opened_says_why(golden):
    def broken():
        raise Refused(
            "damaged", "work.db is not a database.", "Nothing was changed. memtui doctor tells more."
        )

    golden("error-80x24", drive(MemtuiApp(broken, clock=clock), "p", size=(80, 24)))


def test_p_pins_and_u_takes_it_back():
    work = sample()
    seen = drive(app_on(work), "j", "p")
    assert "Pinned 1 memory · u undo" in " ".join(seen.split())
    assert "★ memtui targets" in seen
    assert work.memories[2].pinned
    seen = drive(app_on(work), "u")
    assert "U redo" in seen
    assert not work.memories[2].pinned
    drive(app_on(work), "U")
    assert work.memories[2].pinned


def test_p_on_a_pinned_memory_unpins():
    work = sample()
    assert "Unpinned 1 memory" in drive(app_on(work), "p")


def test_before_a_change_the_pane_says_what_will_happen_where():
    seen = " ".join(drive(app_on(), "j", size=(160, 36)).split())
    assert "What the keys do" in seen
    assert "p pin kept in memtui: this store has no pin" in seen


def test_dismissing_goes_on_to_the_next():
    work, places = sample(), []
    seen = drive(app_on(work), "j", "d", "d", lambda a: places.append(memories(a).highlighted))
    assert work.memories[2].status == work.memories[3].status == "dismissed"
    assert places == [4]
    assert "memtui targets" not in line_with(seen, "CI takes")
    assert "5 memories" in seen


def test_the_last_one_dismissed_leaves_the_cursor_on_the_one_before():
    places = []
    drive(app_on(), "G", "d", lambda a: places.append(memories(a).highlighted))
    assert places == [6]


def test_marks_gather_and_a_verb_takes_them_all():
    work = sample()
    seen = drive(app_on(work), "space", "space", "d")
    assert "Dismissed 2 memories" in seen
    assert work.memories[1].status == work.memories[2].status == "dismissed"


def test_marks_stay_over_a_reload_and_are_counted():
    seen = drive(app_on(), "space", "space", ",")
    assert "2 marked" in seen
    seen = drive(app_on(), "space", "/", *typed("ci"))
    assert "1 marked, 1 not in this search" in seen


def test_star_marks_all_of_a_search_then_none():
    work = sample()
    app = app_on(work)
    counts = []
    drive(
        app,
        "*",
        lambda a: counts.append(len(memories(a).marks)),
        "*",
        lambda a: counts.append(len(memories(a).marks)),
    )
    assert counts == [7, 0]


def test_what_was_left_out_of_a_bulk_change_is_told():
    work = sample()
    work.locked = {2}
    seen = drive(app_on(work), "space", "space", "space", "p")
    assert "2 of 3; 1 not: the store is read-only" in seen


def test_a_key_that_cannot_work_says_why():
    seen = drive(app_on(), "R")
    assert "Nothing to restore: this memory is live." in seen
    work = sample()
    work.locked = {1}
    assert "The store is read-only." in drive(app_on(work), "e").splitlines()[-2]
    assert "Nothing to pin: the list is empty." in drive(app_on(FakeWorkspace([], clock=clock)), "p")
    assert "Nothing to undo." in drive(app_on(), "u")


def test_restore_brings_a_dismissed_one_back():
    work = sample()
    drive(app_on(work), "/", *typed("status:dismissed staging"), "down", "R")
    assert work.memories[8].status == "confirmed"


def test_news_waits_for_r_and_moves_nothing():
    work = sample()
    work.news = [memory(0, "The agent learned this", store="codex")]
    app = app_on(work)
    seen = drive(app, "j")
    assert "● 1 new  r" in seen
    assert "agent learned" not in seen
    work = sample()
    work.news = [memory(0, "The agent learned this", store="codex")]
    seen = drive(app_on(work), "p")
    assert "agent learned" not in seen
    work = sample()
    work.news = [memory(0, "The agent learned this", store="codex")]
    seen = drive(app_on(work), "r")
    assert "agent learned" in seen
    assert "● 1 new" not in seen
    assert "1 added in codex" in seen


def test_the_first_news_of_an_empty_workspace_is_shown_at_once():
    work = FakeWorkspace([], clock=clock)
    work.news = [memory(0, "The agent learned this", store="codex")]
    assert "The agent learned this" in drive(app_on(work))


def test_a_store_that_cannot_be_read_is_named():
    work = sample()
    work.pull = lambda: Pulled({}, {"codex": "the folder is gone"})  # type: ignore[method-assign]
    assert "codex: the folder is gone" in drive(app_on(work))


def test_copy_reaches_the_terminal_only_as_osc_52():
    sent = []

    def listen(app):
        app._driver.write = sent.append

    seen = drive(app_on(), listen, "j", "y")
    text = base64.b64encode(sample().memories[2].content.encode()).decode()
    assert any(f"\x1b]52;c;{text}\x07" == each for each in sent)
    assert "Copied 1 memory to the terminal's clipboard." in seen


def test_copy_is_wrapped_for_tmux(monkeypatch):
    monkeypatch.setenv("TMUX", "x")
    sent = []
    drive(app_on(), lambda a: setattr(a._driver, "write", sent.append), "y")
    assert any(each.startswith("\x1bPtmux;\x1b\x1b]52;c;") and each.endswith("\x1b\\") for each in sent)


def test_copy_goes_through_screen_in_pieces(monkeypatch):
    monkeypatch.setenv("STY", "x")
    sent = []
    work = FakeWorkspace([memory(1, "long " * 100)], clock=clock)
    seen = drive(app_on(work), lambda a: setattr(a._driver, "write", sent.append), "y")
    copied = next(each for each in sent if "52;c;" in each)
    pieces = copied.removeprefix("\x1bP\x1b]52;c;").removesuffix("\x07\x1b\\").split("\x1b\\\x1bP")
    assert base64.b64decode("".join(pieces)).decode() == "long " * 100
    assert max(map(len, pieces)) <= 76
    assert "the terminal's clipboard through screen" in seen


def test_a_copy_that_terminals_may_not_take_says_so():
    work = FakeWorkspace([memory(1, "y" * 90_000)], clock=clock)
    assert "with 90 KB it may be cut or dropped" in drive(app_on(work), "y")


def test_sort_goes_through_the_orders_and_says_which():
    seen = drive(app_on(), ",", ",")
    assert "Sorted oldest first." in seen
    assert "live · oldest first" in seen


def test_a_million_memories_settle_and_the_ends_are_reached():
    class Many(FakeWorkspace):
        def search(self, text, *, live=True, sort=""):
            from array import array

            from memtui.memory.records import Hits

            return Hits(array("q", range(1, 1_000_001)), 1_000_000, "all, newest first")

        def rows(self, ids):
            assert len(ids) < 200
            self.memories = {id: memory(id % 9, f"memory number {id}") for id in ids}
            return super().rows(ids)

    seen = drive(app_on(Many([], clock=clock)), "G")
    assert "memory number 1000000" in seen
    assert "1 000 000 of 1 000 000" in seen


def test_results_never_come_out_of_order():
    work = sample()
    seen = drive(app_on(work), "/", *typed("planning"))
    assert "planning call" in seen
    assert "by words · 1 of 7" in seen
    assert work.searches[-1] == "planning"


def test_tab_goes_through_search_list_and_detail():
    names = []
    note = lambda a: names.append(a.focused.id)  # noqa: E731
    drive(app_on(), note, "tab", note, "tab", note, "tab", note)
    assert names == ["list", "detail", "query", "list"]
