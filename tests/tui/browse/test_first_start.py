"""The first start: what memtui is, what was found, and a memory on the screen in a few keys (S-3)."""

from __future__ import annotations

from collections.abc import Callable

from memtui.memory.stores import DiscoveredStore
from memtui.tui.app import MemtuiApp
from tests.support.app_driver import Look, Shots, Step, app_on, drive
from tests.support.fake_workspace import fresh, sample
from tests.support.waiting.stores import stores_are_read

ONE = DiscoveredStore("claude-code", "Claude Code", "/srv/order-service/.claude/memory", 5)
TWELVE = [DiscoveredStore("claude-code", "Claude Code", f"/srv/p{n}/.claude/memory", n + 1) for n in range(12)]


def test_a_new_workspace_begins_with_what_is_on_this_machine(golden: Callable[[str, str], None]) -> None:
    seen = drive(app_on(fresh(*TWELVE[:3])), stores_are_read)
    assert "Welcome" in seen
    assert "/srv/p2/" in seen
    golden("first-start-120x36", seen)


def test_one_key_leads_to_a_memory_of_the_agent() -> None:
    seen = drive(app_on(fresh(ONE)), stores_are_read, "enter")
    assert "[1 Browse]" in seen
    assert "memory 1 of claude-code:memory" in seen
    assert "1 of 5 ━" in seen


def test_nothing_found_says_where_it_looked_and_which_key_takes_a_path() -> None:
    shots = Shots()
    drive(app_on(fresh()), stores_are_read, shots, "a", shots, size=(120, 40))
    assert "No store of an agent was found" in shots[0]
    assert "~/.claude/projects/*/memory" in shots[0]
    assert "a  attach a file or folder" in shots[0]
    assert "Attach a store" in shots[1]


def test_twelve_are_all_reached_and_attached_one_by_one_or_all_at_once(
    golden: Callable[[str, str], None],
) -> None:
    work = fresh(*TWELVE)
    attached: list[list[str]] = []
    shots = Shots()

    @Look
    def note(app: MemtuiApp) -> None:
        attached.append([each.path for each in work.stores()[1:]])

    reach: list[Step] = [stores_are_read, shots, "G", shots, "g", "j"]
    drive(app_on(work), *reach, "a", "a", "a", note, "*", shots, note, size=(80, 24))
    golden("first-start-80x24", shots[0])
    assert "/srv/p11/" not in shots[0]
    assert "/srv/p11/" in shots[1]
    assert attached[0] == [each.path for each in TWELVE[:3]]
    assert "Attached 9 stores: 72 memories" in shots[2]
    assert "Welcome" not in shots[2]
    assert len(attached[1]) == 12


def test_a_machine_that_cannot_be_looked_over_still_takes_a_path() -> None:
    work = fresh()
    work.raising = {"discover": OSError(13, "Permission denied")}
    seen = drive(app_on(work), stores_are_read)
    assert "Permission denied" in seen.splitlines()[-2]
    assert "a  attach a file or folder" in seen


def test_a_workspace_in_use_begins_on_browse() -> None:
    assert "[1 Browse]" in drive(app_on(sample()))
    work = fresh(ONE)
    work.attach(ONE.path)
    assert "[1 Browse]" in drive(app_on(work))
