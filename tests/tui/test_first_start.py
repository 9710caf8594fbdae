"""The first start: what memtui is, what was found, and a memory on the screen in a few keys (S-3)."""

from __future__ import annotations

from memtui.memory.records import Found
from tests.support.app_driver import app_on, drive
from tests.support.fake_workspace import fresh, sample
from tests.support.wait_stores import standing

ONE = Found("claude-code", "Claude Code", "/srv/order-service/.claude/memory", 5)
TWELVE = [Found("claude-code", "Claude Code", f"/srv/p{n}/.claude/memory", n + 1) for n in range(12)]


def test_a_new_workspace_begins_with_what_is_on_this_machine(golden):
    golden("first-start-120x36", drive(app_on(fresh(*TWELVE[:3])), standing))
    golden("first-start-80x24", drive(app_on(fresh(*TWELVE)), standing, size=(80, 24)))


def test_one_key_leads_to_a_memory_of_the_agent():
    seen = drive(app_on(fresh(ONE)), standing, "enter")
    assert "[1 Browse]" in seen
    assert "memory 1 of claude-code:memory" in seen
    assert "1 of 5 ━" in seen


def test_nothing_found_says_where_it_looked_and_which_key_takes_a_path():
    seen = drive(app_on(fresh()), standing, size=(120, 40))
    assert "No store of an agent was found" in seen
    assert "~/.claude/projects/*/memory" in seen
    assert "a  attach a file or folder" in seen
    assert "Attach a store" in drive(app_on(fresh()), standing, "a")


def test_twelve_are_all_reached_and_attached_one_by_one_or_all_at_once():
    seen = drive(app_on(fresh(*TWELVE)), standing, "G", size=(80, 24))
    assert "/srv/p11/" in seen
    work = fresh(*TWELVE)
    drive(app_on(work), standing, "a", "a", "a")
    assert [each.path for each in work.stores()[1:]] == [each.path for each in TWELVE[:3]]
    work = fresh(*TWELVE)
    seen = drive(app_on(work), standing, "*")
    assert "Attached 12 stores: 78 memories" in seen
    assert "Welcome" not in seen
    assert len(work.stores()) == 13


def test_a_machine_that_cannot_be_looked_over_still_takes_a_path():
    work = fresh()
    work.raising = {"discover": OSError(13, "Permission denied")}
    seen = drive(app_on(work), standing)
    assert "Permission denied" in seen.splitlines()[-2]
    assert "a  attach a file or folder" in seen


def test_a_workspace_in_use_begins_on_browse():
    assert "[1 Browse]" in drive(app_on(sample()))
    work = fresh(ONE)
    work.attach(ONE.path)
    assert "[1 Browse]" in drive(app_on(work))
