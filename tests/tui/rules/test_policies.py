"""Policies on the Rules screen: what each agent may read and write, and the form that says so (S-61)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from memtui.errors import PolicyRefused
from memtui.memory.policies.policy import EVERY, Limit, Policy
from memtui.memory.rules.rule import IMPORTANCE
from memtui.tui.app import MemtuiApp
from memtui.tui.rules.policies import policy_dialog
from memtui.workspace.policies.breaches import Refusals
from memtui.workspace.remember.checking import Breaching
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import Shots, Step, app_on, drive, line_with, typed
from tests.support.fake_workspace import DAY, NOW, FakeWorkspace, clock, memory, sample
from tests.support.hostile.texts import TEXTS
from tests.support.sizes import rounds, sample_cases
from tests.support.stores import minions
from tests.support.stores.files import read_tree
from tests.tui.rules.test_rules import with_rules

SIZES = [(80, 24), (120, 36)]
AWS = "AKIA" + "IOSFODNN7EXAMQQE"


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policy_dialog, "PAUSE", 0.001)


def with_policies(fake: FakeWorkspace) -> FakeWorkspace:
    """Give it a policy for every agent, one for scout, and one for scout that a store states."""
    scout = Policy("scout", ("private", "fleet"), ("private",), (Limit("private", 100, "weakest"),), 30.0)
    fake.kept_policies = [Policy(EVERY, write=("private", "fleet"), expiry=90.0), scout]
    stated = Policy(
        "scout", ("fleet",), ("fleet",), (), None, ("password:*",), store="team", unread=("most",)
    )
    fake.stated_policies = [stated]
    fake.refusals = [
        Refusals("scout", "scout", "scope", "native", 5, 2, NOW - 600),
        Refusals("no secrets", "scout", "secret", "team", 1, 0, NOW - 3 * DAY),
        Refusals(EVERY, "ada", "scope", "native", 1, 1, NOW - 60),
    ]
    fake.breaching = [Breaching("scout", "scope", 12), Breaching("scout@team", "unread", 1, "most")]
    return fake


@pytest.mark.parametrize("size", sample_cases(SIZES, 1), ids=lambda size: "{}x{}".format(*size))
def test_what_holds_for_an_agent_what_was_refused_and_what_is_stored(
    size: tuple[int, int], golden: Callable[[str, str], None]
) -> None:
    fake, shots = with_policies(with_rules()), Shots()
    seen = drive(app_on(fake), "6", "G", "k", shots, *("J",) * 9, shots, "j", shots, "k", "k", size=size)
    mine, below, stated = shots
    golden("policies-{}x{}".format(*size), mine)
    assert "3 rules, 2 on · 3 policies" in mine
    assert "a scope that it may not write: 5 times, 2 today · last" in below
    assert "a secret: 1 time · last" in below
    assert "12 memories in a scope that may not be written" in below
    assert "What holds for scout in team" in stated
    assert "private (scout" not in stated  # of private and fleet both let it write nothing
    assert "Can't be read, and doesn't hold: most" in stated
    assert "! bad" in line_with(stated, "scout@team" if size[0] < 100 else "store team")
    assert "What holds for every agent in every store" in seen
    assert "to ada" in seen or size[0] < 100


def test_an_empty_section_says_what_it_is_for(golden: Callable[[str, str], None]) -> None:
    shots = Shots()
    reasons: list[Step] = [step for key in ("enter", "e", "!", "delete", ">") for step in (key, shots)]
    drive(app_on(with_rules()), "6", "G", shots, *reasons, "a", shots, size=(80, 24))
    golden("policies-empty-80x24", shots[0])
    assert "No policy yet: n says what an agent may read and write." in shots[0]
    assert all("There is no policy yet: n writes one." in shot for shot in shots[1:6])
    assert "New policy" in shots[6]
    shots.clear()
    drive(app_on(with_policies(sample())), "6", shots, "!", shots, "a", shots, size=(80, 24))
    assert "No rule yet: a writes one, A starts from a recipe." in shots[0]
    assert "A new rule is off." in shots[0]
    assert "There is no rule yet" in shots[1]
    assert "New rule" in shots[2]


def test_the_form_completes_and_says_beside_each_field_what_is_wrong(
    golden: Callable[[str, str], None],
) -> None:
    fake, shots = with_policies(sample()), Shots()
    fake.memories[9] = memory(9, "The kettle is new", owner="rover", category="tea")
    fake.memories[10] = memory(10, "Rain is due", owner="scout")
    drive(
        app_on(fake),
        *("6", "n", shots, "enter", shots, *typed("scout"), "tab", shots),
        *("shift+tab", "home", *["delete"] * 5, *typed("ro"), "tab", "tab"),
        *(shots, *typed("pri"), "tab", *typed(", fl"), "tab", "tab", *typed("everything"), "tab"),
        *(*typed("pr"), "tab", *typed("50"), "tab", *typed("soon"), "tab", *typed("a:*, *b*"), "tab"),
        *(shots, *typed("te"), "tab", shots, "enter", shots, "escape"),
        size=(80, 24),
    )
    owners, nameless, taken, scopes, unfinished, _, wrong = shots
    assert "rover" in owners
    assert "scout" not in owners  # has a policy
    assert "An agent's name has 1 to 60 visible" in nameless
    assert "There is a policy for “scout” already." in taken
    assert "private   its own, for itself" in scopes
    assert "private=50" in line_with(unfinished, "At most")
    assert "“soon” is not an expiry" in unfinished
    assert "There is no scope “everything”." in unfinished
    assert "tea" in line_with(wrong, "Categories")
    golden("policy-form-80x24", wrong)
    assert len(fake.kept_policies) == 2


def test_a_number_that_was_typed_is_not_completed_to_another_one() -> None:
    fake, shots = with_policies(with_rules()), Shots()
    drive(
        app_on(fake),
        *("6", "n", *typed("ada"), "tab", "tab", "tab", *typed("private=1"), "tab", *typed("10d")),
        *("shift+tab", "end", *typed(", fleet=2:"), shots, "tab", "enter"),
        *("home", "g", "a", *typed("Low"), "tab", *typed("python"), "tab", *typed("importance=0"), "tab"),
        "enter",
    )
    assert "2:weakest" in shots[0]
    assert fake.kept_policies[1].limits == (Limit("private", 1), Limit("fleet", 2, "weakest"))
    assert fake.kept_policies[1].expiry == 10
    assert fake.kept_rules[-1].does(IMPORTANCE)
    assert fake.kept_rules[-1].actions[0].value == 0


def test_a_new_policy_is_under_the_cursor_and_what_limits_nothing_is_none() -> None:
    fake, shots = with_policies(with_rules()), Shots()
    steps = ["6", "n", *typed("ada"), "enter", shots, "tab", *typed("private, fleet"), "enter", shots]
    drive(app_on(fake), *steps, size=(120, 36))
    assert "A policy has to limit something" in shots[0]
    assert "Set the policy for ada" in line_with(shots[1], "u undo")
    assert "What holds for ada in every store" in shots[1]
    assert "policies" in shots[1]
    assert fake.kept_policies[1] == Policy("ada", ("private", "fleet"))


def test_editing_changes_what_was_typed_and_the_name(golden: Callable[[str, str], None]) -> None:
    fake, shots = with_policies(with_rules()), Shots()
    drive(
        app_on(fake),
        *("6", "G", "k", "e", shots, "enter", shots, "end", *typed(", session"), "tab"),
        *("shift+tab", "shift+tab", "home", *["delete"] * 5, *typed("*"), "enter", shots),
        *("backspace", *typed("rover"), "enter", shots),
        size=(120, 36),
    )
    form, same, taken, done = shots
    assert "Policy for scout" in form
    assert "private=100:weakest" in line_with(form, "At most")
    assert "12 memories in a scope that may not be written" in form
    assert "The policy is like that already." in same
    assert "There is a policy for “*” already." in taken
    assert "Set the policy for rover" in done
    rover = fake.kept_policies[1]
    assert (rover.agent, rover.read) == ("rover", ("private", "fleet", "session"))
    assert rover.limits == (Limit("private", 100, "weakest"),)


def test_why_a_key_does_nothing_on_a_policy() -> None:
    fake, shots = with_policies(with_rules()), Shots()
    keys: list[Step] = [step for key in ("!", "<", ">") for step in (key, shots)]
    stated: list[Step] = [step for key in ("e", "delete") for step in (key, shots)]
    drive(app_on(fake), "6", "G", *stated, "k", *keys, size=(120, 36))
    assert all("“scout@team” stands in the store team: change it there." in shot for shot in shots[:2])
    assert "A policy is always on; del removes it." in shots[2]
    assert all("Policies have no order: the stricter one holds." in shot for shot in shots[3:])
    fake.read_only = True
    shots.clear()
    writing: list[Step] = [step for key in ("a", "n", "e", "delete") for step in (key, shots)]
    drive(app_on(fake), "6", "G", "k", *writing, size=(80, 24))
    assert len(shots) == 4
    assert all("policies can't be changed" in shot for shot in shots)


def test_hostile_and_secret_texts_of_policies_are_shown_safely() -> None:
    fake, shots = sample(), Shots()
    fake.kept_policies = [Policy("[bold]x[/bold]", sensitive=(f"{AWS}*", "*" * 190))]
    fake.stated_policies = [
        Policy(name, categories=(TEXTS["markup"],), store=TEXTS["title"]) for name in TEXTS.values()
    ]
    every = rounds(3, 1)  # how many lines down it looks at the screen again
    down: list[Step] = ["j"] * every
    steps = [step for _ in range(0, len(TEXTS), every) for step in (*down, shots)]
    drive(app_on(fake), "6", "j", shots, "e", shots, "escape", *steps, size=(80, 24))
    assert "[bold]x[/bold]" in shots[0]
    assert all("\x1b" not in shot and "\0" not in shot and "\u202e" not in shot for shot in shots)
    assert AWS not in shots[0]


def test_an_error_is_shown_and_the_list_stays() -> None:
    fake = with_policies(with_rules())
    fake.errors["check_policies"] = OSError("disk gone")
    seen = drive(app_on(fake), "6", "G", "k", size=(120, 36))
    assert "disk gone" in seen
    assert "What holds for scout in the other stores" in seen
    fake.errors = {"policies": OSError("disk gone")}
    assert "The rules could not be read" in drive(app_on(fake), "6", size=(120, 36))


def test_a_policy_is_set_holds_and_is_undone(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    store = minions.make(
        tmp_path / "team",
        minions.minion(1, "scope-policy", {"agentId": "scout", "allowedScopes": '["private"]'}),
        minions.item(2, "tone", "Be brief."),
    )
    before = read_tree(store.root)
    with closing(Workspace.open(path, clock=clock)) as work:
        work.attach(store.root, "team")
        for scope in ("private", "fleet"):
            work.add({"content": f"Tea of scout, {scope}", "owner": "scout", "scope": scope})
        work.add({"content": "Tea of ada", "owner": "ada"})
    app, shots = MemtuiApp(lambda: Workspace.open(path, clock=clock), clock=clock), Shots()
    drive(
        app,
        *("6", "n", *typed("scout"), "tab", "tab", *typed("private"), "enter", shots),
        *("e", "tab", *typed(", fleet"), "enter", "u", shots, "u", shots, "U", shots, "k", "delete", shots),
        *("u", shots, "k", "enter", shots),
        size=(200, 50),
    )
    made, edited_undone, undone, redone, removed, back, listed = shots
    assert "Set the policy for scout" in made
    assert "1 memory of scout in a scope that may not be written" in made
    assert "private (scout)" in edited_undone
    assert "this workspace" not in undone
    assert "this workspace" in redone
    assert "Removed the policy for scout" in removed
    assert "this workspace" in back
    assert "owner:scout" in line_with(listed, "/ ")
    assert "Tea of scout, fleet" in listed
    assert "Tea of ada" not in listed
    assert read_tree(store.root) == before
    with closing(Workspace.open(path, clock=clock)) as work:
        assert [each.name for each in work.policies()] == ["scout", "scout@team"]
        with suppress(PolicyRefused):
            work.remember("scout", {"content": "A pot", "scope": "fleet"})
        (refused,) = work.refused_lately()
        assert (refused.policy, refused.code, refused.count, refused.today) == ("scout", "scope", 1, 1)


def test_the_store_that_an_agent_writes_to_is_a_field_of_its_policy() -> None:
    fake, shots = with_policies(with_rules()), Shots()
    store = fake.stores()[0].name
    drive(
        app_on(fake),
        *("6", "n", *typed("ada"), *("tab",) * 7, *typed("nowhere"), shots, "enter", shots),
        *(*("backspace",) * 7, *typed(store), shots, "enter", shots, "e", *("tab",) * 6, shots),
        size=(80, 24),
    )
    typing, refused, named, saved, again = shots
    assert "nowhere" in line_with(typing, "Into")
    assert "No store named nowhere is attached." in refused
    assert f"{store} (ada)" in line_with(named, "  into ")
    assert f"into {store}" in line_with(saved, " ada ")
    assert store in line_with(again, "Into")
    assert [each.writes_to for each in fake.kept_policies] == ["", store, ""]
