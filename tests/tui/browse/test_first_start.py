"""The first start: what memtui is, which stores were found, and the way to the first memory (S-3)."""

from __future__ import annotations

from collections.abc import Callable

from memtui.memory.stores import DiscoveredStore
from memtui.tui.app import MemtuiApp
from tests.support.app_driver import Probe, Shots, Step, app_on, drive
from tests.support.fake_workspace import new_workspace, sample
from tests.support.waiting.stores import wait_for_stores

ONE = DiscoveredStore("claude-code", "Claude Code", "/srv/order-service/.claude/memory", 5)
TWELVE = [
    DiscoveredStore("claude-code", "Claude Code", f"/srv/p{n}/.claude/memory", n + 1) for n in range(12)
]


def test_a_new_workspace_shows_the_stores_on_this_machine(golden: Callable[[str, str], None]) -> None:
    seen = drive(app_on(new_workspace(*TWELVE[:3])), wait_for_stores)
    assert "Welcome" in seen
    assert "/srv/p2/" in seen
    golden("first-start-120x36", seen)


def test_one_key_attaches_a_store_and_shows_its_memories() -> None:
    seen = drive(app_on(new_workspace(ONE)), wait_for_stores, "enter")
    assert "[1 Browse]" in seen
    assert "memory 1 of claude-code:memory" in seen
    assert "1 of 5 ━" in seen


def test_if_nothing_is_found_the_searched_places_and_the_key_for_a_path_are_shown() -> None:
    shots = Shots()
    drive(app_on(new_workspace()), wait_for_stores, shots, "a", shots, size=(120, 40))
    assert "No agent stores found" in shots[0]
    assert "~/.claude/projects/*/memory" in shots[0]
    assert "a  attach a file or folder" in shots[0]
    assert "Attach a store" in shots[1]


def test_twelve_stores_can_be_attached_one_by_one_or_all_at_once(
    golden: Callable[[str, str], None],
) -> None:
    work = new_workspace(*TWELVE)
    attached: list[list[str]] = []
    shots = Shots()

    @Probe
    def note(app: MemtuiApp) -> None:
        attached.append([store.path for store in work.stores()[1:]])

    scroll: list[Step] = [wait_for_stores, shots, "G", shots, "g", "j"]
    drive(app_on(work), *scroll, "a", "a", "a", note, "*", shots, note, size=(80, 24))
    golden("first-start-80x24", shots[0])
    assert "/srv/p11/" not in shots[0]
    assert "/srv/p11/" in shots[1]
    assert attached[0] == [store.path for store in TWELVE[:3]]
    assert "Attached 9 stores: 72 memories" in shots[2]
    assert "Welcome" not in shots[2]
    assert len(attached[1]) == 12


def test_a_path_can_be_attached_even_if_discovery_fails() -> None:
    work = new_workspace()
    work.errors = {"discover": OSError(13, "Permission denied")}
    seen = drive(app_on(work), wait_for_stores)
    assert "Permission denied" in seen.splitlines()[-2]
    assert "a  attach a file or folder" in seen


def test_a_workspace_in_use_opens_on_browse() -> None:
    assert "[1 Browse]" in drive(app_on(sample()))
    work = new_workspace(ONE)
    work.attach(ONE.path)
    assert "[1 Browse]" in drive(app_on(work))
