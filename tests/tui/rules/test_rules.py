"""The Rules screen: rules in their order, what each touches, the form, switching on and off (S-60)."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memtui.memory.rules.rule import Rule, parse_action
from memtui.memory.rules.trial import NearMiss, Overlap, RuleCounts, Touched, Trial
from memtui.tui.app import MemtuiApp
from memtui.tui.common.text_pane import TextPane
from memtui.tui.rules import rule_dialog
from memtui.tui.rules.list import RuleList
from memtui.tui.rules.turn_dialog import TurnDialog
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import (
    Probe,
    Shots,
    Step,
    app_on,
    drive,
    line_with,
    screen_text,
    typed,
    wait_until_idle,
)
from tests.support.fake_workspace import DAY, NOW, FakeWorkspace, clock, memory, sample
from tests.support.hostile.texts import TEXTS
from tests.support.waiting.threads import run_with_pilot, wait_until, wait_until_shown

pytestmark = pytest.mark.usefixtures("no_pause")


@pytest.fixture
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rule_dialog, "PAUSE", 0.001)


def rule(id: int, name: str, when: str, *actions: str, on: bool = False, note: str = "") -> Rule:
    return Rule(id, name, when, tuple(map(parse_action, actions)), note, id, on)


def with_rules() -> FakeWorkspace:
    """The sample with three rules, of which the second was tried with every kind of finding."""
    fake = sample()
    fake.kept_rules = [
        rule(1, "Keep decisions", "category:decision", "pin", "category=decision", on=True),
        rule(2, "Python facts are pinned", "python updated:<90d", "pin", "tag=python", note="Asked weekly."),
        rule(3, "Chit-chat leaves", "category:chat", "expire=30d", "dismiss", on=True),
    ]
    fake.rule_held = {1: RuleCounts(1284, 3), 3: RuleCounts(0, 7)}
    changes = (("pinned", False, True), ("tags", ("release",), ("release", "python")))
    fake.trials["Python facts are pinned"] = Trial(
        2,
        [("base-coat", 1), ("founder-os", 1)],
        [
            Touched(2, "u2", "base-coat", "memtui targets Python 3.12", changes),
            Touched(3, "u3", "founder-os", "Python 3.11 was dropped", changes[:1], "Keep decisions"),
        ],
        [NearMiss(4, "u4", "native", "CI takes 14 minutes", "python")],
        [
            Overlap("Keep decisions", "pin", 1, differs=False, first=True),
            Overlap("Chit-chat leaves", "tag", 2, differs=True, first=False),
        ],
    )
    return fake


def names_of(app: MemtuiApp) -> list[str]:
    return [each.name for each in app.screen_stack[0].query_one(RuleList).rules]


@pytest.mark.parametrize("size", [(80, 24), (120, 36)], ids=lambda size: "{}x{}".format(*size))
def test_the_rules_and_what_one_would_touch(
    size: tuple[int, int], golden: Callable[[str, str], None]
) -> None:
    golden("rules-{}x{}".format(*size), drive(app_on(with_rules()), "6", "j", size=size))


def test_an_empty_screen_says_what_rules_are_for(golden: Callable[[str, str], None]) -> None:
    shots = Shots()
    seen = drive(
        app_on(), "6", shots, *("enter", "e", "!", "delete", "<", ">"), shots, "A", shots, size=(80, 24)
    )
    golden("rules-empty-80x24", shots[0])
    assert "There is no rule yet: a writes one, A starts from a recipe." in shots[1]
    golden("recipes-80x24", seen)


def test_coming_back_shows_what_another_process_changed_meanwhile() -> None:
    fake, shots = with_rules(), Shots()

    def elsewhere(_: MemtuiApp) -> None:
        fake.kept_rules[0] = rule(1, "Keep decisions", "category:decision", "pin")
        fake.rule_held = {3: RuleCounts(5, 7)}

    drive(app_on(fake), "6", shots, "1", elsewhere, "6", shots, "?", "escape", shots)
    assert "● on   Keep decisions" in shots[0]
    assert "○ off  Keep decisions" in shots[1]
    assert "5 now" in line_with(shots[1], "Chit-chat leaves")
    assert "3 rules, 1 on" in shots[2]


def test_a_recipe_fills_the_form_which_shows_a_dry_run(golden: Callable[[str, str], None]) -> None:
    fake = sample()
    fake.memories[4] = memory(4, "Security: rotate keys every month")
    shots = Shots()
    seen = drive(app_on(fake), "6", "A", "enter", shots, "enter", size=(80, 24))
    golden("rule-form-80x24", shots[0])
    assert fake.kept_rules == [
        rule(1, "Pin security", "security", "pin", note="What is about security is never forgotten.")
    ]
    assert "Added the rule “Pin security”, off" in line_with(seen, "! switch it on · u undo")
    assert "It would touch 1 memory in native. Nothing has changed yet." in seen
    assert "pinned no → yes" in seen


def test_the_form_completes_and_points_at_what_is_wrong() -> None:
    shots = Shots()
    fake = sample()
    steps: list[Step] = [
        *("6", "a", *typed("Tea"), "tab", *typed("scope:x"), shots),
        *("backspace", *typed("pr"), "tab", shots, *typed(" nothing"), "tab"),
        *(shots, *typed("fl"), "tab", shots, "up", "home", "delete", "delete", *typed("ta"), "tab", shots),
        *(*typed("final, pin=x"), "tab", shots, "escape"),
    ]
    drive(app_on(fake), *steps, size=(120, 36))
    bad_query, completed, offered, bad_action, value, bad_value = shots
    assert "“scope:x” is not valid." in bad_query
    assert "scope:private" in completed
    assert "pin it, with the rule as reason" in offered
    assert "There is no action “fl”." in bad_action
    assert "nothing" in bad_action  # what was typed is still there
    assert "tag=" in value
    assert "python" in value  # the tags in use
    assert "pin takes no value." in bad_value
    assert fake.kept_rules == []


def test_a_refusal_leaves_the_form_as_it_was() -> None:
    fake, shots = with_rules(), Shots()
    drive(
        app_on(fake),
        *("6", "a", *typed("keep decisions"), "enter", shots, "escape"),
        *("j", "e", "end", *typed(" now"), "enter", shots),
        size=(120, 36),
    )
    assert "There is already a rule “keep decisions”." in shots[0]
    assert "keep decisions" in shots[0]
    assert fake.kept_rules[1].name == "Python facts are pinned now"
    assert fake.kept_rules[1].note == "Asked weekly."
    assert "Edited the rule “Python facts are pinned now”" in shots[1]
    assert "○ off" in line_with(shots[1], "→ pin · tag python")


def test_many_memories_are_asked_for_and_few_are_not(golden: Callable[[str, str], None]) -> None:
    fake, shots = with_rules(), Shots()
    fake.trials["Python facts are pinned"] = Trial(11, [("native", 11)], (), (), ())
    seen = drive(
        app_on(fake),
        *("6", "j", "!", shots, "escape", shots),
        *("k", "!", shots, "enter", shots, "j", "j", "!"),
        size=(80, 24),
    )
    asked, left, off, done = shots
    assert "Switch “Python facts are pinned” on" in asked
    assert "It would touch 11 memories in native." in asked
    assert "Switch" not in left
    assert "What it set in 1,284 memories goes back to what it was." in off
    assert "Switched the rule “Keep decisions” off" in done
    assert [each.on for each in fake.kept_rules] == [False, False, False]
    assert "Switched the rule “Chit-chat leaves” off" in seen


def test_esc_stops_applying_and_the_rest_follows_in_the_background() -> None:
    fake, shown = with_rules(), list[str]()
    fake.gates["apply_rules"] = threading.Event()

    async def play(app: MemtuiApp, pilot: Pilot[Any]) -> None:
        await pilot.press("6")
        await wait_until_shown(app, "It touches")
        await pilot.press("j", "!")
        await wait_until(lambda: "apply_rules" in fake.reached_gates, app)
        await wait_until_shown(app, "Applying rules to", "esc stops")
        await pilot.press("escape")
        await wait_until_idle(app)
        shown.append(screen_text(app))

    run_with_pilot(fake, play)
    assert "Switched the rule “Python facts are pinned” on; the rest follows in the background" in shown[0]
    assert fake.kept_rules[1].on


def test_order_deletion_and_the_hits_in_browse() -> None:
    fake, shots = with_rules(), Shots()
    orders: list[list[str]] = []

    @Probe
    def note(app: MemtuiApp) -> None:
        orders.append(names_of(app))

    drive(
        app_on(fake),
        *("6", "<", shots, ">", note, ">", note, ">", shots, "delete", note, "enter", shots),
        size=(120, 36),
    )
    assert "“Keep decisions” is the first rule already." in shots[0]
    assert [each.index("Keep decisions") for each in orders[:2]] == [1, 2]
    assert "“Keep decisions” is the last rule already." in shots[1]
    assert orders[2] == ["Python facts are pinned", "Chit-chat leaves"]
    assert "category:chat" in line_with(shots[2], "/ ")
    assert "[1 Browse]" in shots[2]


def test_nothing_is_changed_in_a_read_only_workspace() -> None:
    fake, shots = with_rules(), Shots()
    fake.read_only = True
    steps: list[Step] = [step for key in ("a", "A", "e", "!", "<", "delete") for step in (key, shots)]
    drive(app_on(fake), "6", *steps, size=(80, 24))
    assert len(shots) == 6
    assert all("rules can't be changed" in shot for shot in shots)


def test_hostile_and_secret_texts_of_rules_are_shown_safely() -> None:
    fake = sample()
    token = "ghp_" + "a1B2c3D4e5" * 3 + "F6g7h8"
    fake.kept_rules = [
        rule(1, f"[bold]x[/bold] {TEXTS['screen']}", f"{token} python", "pin", note=TEXTS["bidi"]),
        rule(2, "Broken", "scope:nowhere", "pin", on=True),
    ]
    shots = Shots()
    seen = drive(app_on(fake), "6", shots, "j", size=(120, 36))
    assert "[bold]x" in shots[0]
    assert "\x1b" not in shots[0]
    assert token not in shots[0]
    assert "! bad" in line_with(seen, "Broken")
    assert "“scope:nowhere” is not valid." in seen


def test_an_error_is_shown_and_the_list_stays() -> None:
    fake = with_rules()
    fake.errors["try_rule"] = OSError("disk gone")
    seen = drive(app_on(fake), "6", "j", size=(120, 36))
    assert "disk gone" in seen
    assert "Chit-chat leaves" in seen
    fake.errors = {"rules": OSError("disk gone")}
    assert "The rules could not be read" in drive(app_on(fake), "6", size=(120, 36))


@pytest.fixture
def real(tmp_path: Path) -> Path:
    path = tmp_path / "w.db"
    with closing(Workspace.open(path, clock=clock)) as work:
        for n in range(12):
            work.add({"content": f"Security: rotate key {n}", "tags": ["keys"]})
        work.add({"content": "Lunch is at noon"})
    return path


def test_security_is_pinned_and_unpinned_again(real: Path) -> None:
    app = MemtuiApp(lambda: Workspace.open(real, clock=clock), clock=clock)
    shots = Shots()
    # Six keys from nothing; undo takes the switch back, and with it what the rule set.
    drive(
        app,
        *("6", "A", "enter", "enter", "!", "enter", shots, "enter", "enter", shots, "escape"),
        *("6", "u", shots, "u", shots),
        size=(120, 36),
    )
    on, detail, off, gone = shots
    assert "Switched the rule “Pin security” on: it holds 12 memories" in on
    assert "12 now" in line_with(on, "● on")
    assert "the rule “Pin security” · What is about security is never forgotten." in detail
    assert "Undone" in off
    assert "now" not in line_with(off, "○ off")
    assert "No rules yet." in gone
    with closing(Workspace.open(real, clock=clock)) as work:
        assert work.search("is:pinned").total == 0


def test_what_a_rule_set_stands_in_the_detail(real: Path) -> None:
    with closing(Workspace.open(real, clock=clock)) as work:
        work.add_rule("Noon", "lunch", ["tag=food", "expire=30d"])
        work.turn_rule("Noon", on=True)
        work.apply_rules()
        (id,) = work.search("lunch").ids
        assert work.memories([id])[0].expires_at == NOW + 30 * DAY
    app = MemtuiApp(lambda: Workspace.open(real, clock=clock), clock=clock)
    seen = drive(app, "/", *typed("lunch"), "enter", "enter", size=(120, 36))
    assert "expire after 30 days by the rule “Noon” · tag food by the rule “Noon”" in seen


def test_redacting_is_always_asked_for(golden: Callable[[str, str], None]) -> None:
    fake, shots = with_rules(), Shots()
    fake.kept_rules[1] = rule(2, "Python facts are pinned", "python", "redact")
    fake.kept_rules[0] = rule(1, "Keep decisions", "category:decision", "pin", on=True)
    redacted = [Touched(2, "u2", "base-coat", "memtui targets Python 3.12", [("redact", 2, 0)])]
    fake.trials["Python facts are pinned"] = Trial(1, [("base-coat", 1)], redacted, (), (), secret=1)
    fake.trials["Keep decisions"] = Trial(0, (), (), (), ())
    seen = drive(
        app_on(fake),
        *("6", "j", "!", shots, "escape", shots),
        # A rule that is on, edited so that it redacts: asked for, left, asked for again.
        *("k", "e", "tab", "tab", *typed(", redact"), "enter", shots, "escape", "enter", "enter"),
        size=(80, 24),
    )
    asked, left, edited = shots
    golden("rule-redacts-80x24", asked)
    assert "This can't be" in asked
    assert not fake.kept_rules[1].on
    assert "○ off" in line_with(left, "→ redact secrets")
    assert "Edit “Keep decisions”" in edited
    assert "0 memories have a secret now." in edited
    assert [each.text for each in fake.kept_rules[0].actions] == ["pin", "redact"]
    assert "Edited the rule “Keep decisions”" in seen


def test_a_rule_that_refuses_tells_what_is_there_already_apart(golden: Callable[[str, str], None]) -> None:
    fake, shots = with_rules(), Shots()
    fake.kept_rules[1] = rule(2, "Python facts are pinned", "python", "refuse")
    alike = [Touched(2, "u2", "base-coat", "memtui targets Python 3.12", ())]
    fake.trials["Python facts are pinned"] = Trial(31, [("base-coat", 31)], alike, (), (), only_refuses=True)
    fake.rule_held[2] = RuleCounts(refused=4)
    drive(app_on(fake), *("6", "j", shots, "!", shots), size=(80, 24))
    off, on = shots
    golden("rule-refuses-80x24", off)
    assert "is so already" not in off
    assert "4 refused" in line_with(off, "→ refuse")
    assert fake.kept_rules[1].on  # without a question: it touches no memory
    assert "4 writes refused today" in on


def test_a_key_that_closes_a_question_while_it_opens_is_no_error() -> None:
    async def lose(app: MemtuiApp) -> None:
        dialog = TurnDialog(rule(1, "Keep", "x", "pin", on=True), None, 3)
        await app.push_screen(dialog)
        await dialog.query(TextPane).remove()  # as closing does, from the innermost
        dialog.on_mount()
        dialog._draw()
        dialog.dismiss(False)

    shots = Shots()
    drive(app_on(with_rules()), "6", Probe(lose), shots, size=(80, 24))
    assert "[6Rules]" in shots[0]
