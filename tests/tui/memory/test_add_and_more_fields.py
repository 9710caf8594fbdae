"""Adding asks which store and whose memory it is; the editor has the rarer fields behind a key (S-8)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from memtui.tui.app import MemtuiApp
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import Probe, Shots, app_on, drive, line_with, typed
from tests.support.fake_workspace import DAY, NOW, FakeWorkspace, clock, memory
from tests.support.stores import founder_os, minions

SMALL = (80, 24)


def stores(**owners: tuple[str, ...]) -> FakeWorkspace:
    """Return a workspace with a memory for each owner of each store."""
    memories = [
        replace(memory(n, f"number {n}"), store=store, owner=owner or None)
        for n, (store, owner) in enumerate(
            ((store, owner) for store, names in owners.items() for owner in names), 1
        )
    ]
    return FakeWorkspace(memories, clock=clock)


def test_a_asks_which_store_with_that_of_the_cursor_first() -> None:
    work, shots = stores(native=("",), graph=("",)), Shots()
    drive(app_on(work), "j", "a", shots, "enter", *typed("Likes tea"), shots, "ctrl+s", shots, size=SMALL)
    assert "Add a memory to" in shots[0]
    assert shots[0].index("graph   1 memory") < shots[0].index("native  1 memory")
    assert "New memory in graph" in shots[1]
    assert "content: saved in graph" in shots[1]
    assert [each.content for each in work.memories.values() if each.store == "graph"] == [
        "number 2",
        "Likes tea",
    ]
    assert "Added 1 memory" in shots[2]


def test_esc_leaves_the_chooser_and_adds_nothing_and_a_read_only_store_says_why() -> None:
    work, shots = stores(native=("",), graph=("",)), Shots()
    drive(app_on(work), "a", "escape", "a", "down", "enter", "escape", shots)
    assert len(work.memories) == 2
    assert "Add a memory to" not in shots[0]


def test_one_store_is_not_asked_for() -> None:
    assert "New memory" in drive(app_on(stores(native=("",))), "a")


def test_of_several_owners_one_is_asked_and_never_guessed() -> None:
    work, shots = stores(native=("",), team=("butler", "scout")), Shots()
    choose = ["j", "a", "enter", shots, "down", "enter", *typed("Likes tea"), shots, "ctrl+s"]
    drive(app_on(work), *choose, size=SMALL)
    assert "Owner of the memory in team" in shots[0]
    assert "butler" in shots[0]
    assert "scout" in shots[0]
    assert "New memory for scout in team" in shots[1]
    (added,) = [each for each in work.memories.values() if each.content == "Likes tea"]
    assert (added.store, added.owner) == ("team", "scout")
    drive(app_on(work), "G", "a", "enter", *typed("cook"), "enter", *typed("Likes ink"), "ctrl+s")
    (added,) = [each for each in work.memories.values() if each.content == "Likes ink"]
    assert (added.store, added.owner) == ("team", "cook")


def test_an_untouched_new_memory_is_left_without_a_question() -> None:
    seen = drive(app_on(stores(native=("",), team=("butler", "scout"))), "j", "a", "enter", "enter", "escape")
    assert "New memory" not in seen


def test_ctrl_n_shows_the_rarer_fields_and_they_are_saved_with_the_others() -> None:
    work, shots = stores(native=("",)), Shots()
    keys = ["e", "ctrl+n", shots, *typed("Ana"), "tab", *typed("drink"), "tab", *typed("ask her"), "tab"]
    more = [*typed("private"), "tab", *typed("80%"), "tab", "tab", *typed("30d"), "tab", "tab"]
    drive(app_on(work), *keys, *more, *typed("2027-01-31"), shots, "ctrl+s", shots, "u", size=SMALL)
    assert "Subject" in shots[0]
    assert "ctrl+n more fields" in shots[0]
    assert "Valid to" in shots[1]
    assert "valid to: " in shots[1]
    assert "Edited 1 memory" in shots[2]
    (event,) = [each for each in work.events if each.kind == "edited"]
    after = work.journal_items(event.id)[0].after or {}
    assert {name: after[name] for name in ("subject", "key", "note", "scope", "importance")} == {
        "subject": "Ana", "key": "drink", "note": "ask her", "scope": "private", "importance": 0.8,
    }  # fmt: skip
    assert after["expires_at"] == NOW + 30 * DAY
    assert work.memories[1].subject is None


def test_a_value_that_is_none_is_refused_and_the_draft_stays() -> None:
    shots = Shots()
    scope = ["e", "ctrl+n", "tab", "tab", "tab", *typed("team"), "ctrl+s", shots]
    drive(app_on(stores(native=("",))), *scope, "tab", *typed("lots"), "ctrl+s", shots, size=SMALL)
    assert "scope can't be “team”: must be one of" in shots[0]
    assert "session." in shots[0]
    assert "Importance must be between 0 and 1" in shots[1]
    assert "lots" in shots[1]


def test_a_new_memory_in_real_stores_has_the_owner_and_the_fields_that_they_hold(tmp_path: Path) -> None:
    """Minions keep an owner of each memory; Founder OS holds no scope, which memtui keeps."""
    items = [
        minions.item(n, f"key{n}", f"text {n}", agentId=name) for n, name in ((1, "butler"), (2, "scout"))
    ]
    team = minions.make(tmp_path / "team", *items).root
    firm = founder_os.make(tmp_path / "memory.db", [])
    work = Workspace.open(tmp_path / "w.db")
    for path in (team, firm):
        work.attach(path)
    own, team_target, firm_target = work.add_targets()
    assert (own.store, own.owners, team_target.owners) == ("native", (), ("butler", "scout"))
    assert "scope" not in firm_target.fields["item"]
    shots = Shots()
    found: list[int] = []
    note = Probe(lambda app: found.extend(work.search("tea", live=False).ids))
    keys = [
        "a",
        shots,
        "enter",
        shots,
        "down",
        "enter",
        *typed("Likes tea"),
        "ctrl+n",
        "tab",
        *typed("drink"),
    ]
    app = MemtuiApp(lambda: work)
    drive(app, "G", *keys, "ctrl+s", shots, note)
    assert line_with(shots[0], team_target.store)
    assert f"Added 1 memory in {team_target.store}" in shots[2]
    reopened = Workspace.open(tmp_path / "w.db")
    (added,) = reopened.memories(found)
    assert (added.owner, added.key, added.source_type) == ("scout", "drink", "user")
    reopened.close()
