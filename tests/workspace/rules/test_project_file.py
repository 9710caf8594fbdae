"""The rules file of a project that a person trusts: what it sets, what it cannot, and how all of it goes
(S-63)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from memtui.errors import PolicyRefused, Refused
from memtui.memory.policies.policy import Limit, Policy
from memtui.memory.rules.file.merging import RuleVerdict
from memtui.memory.rules.rule import Rule, parse_action
from memtui.workspace.workspace import Workspace
from tests.support.sizes import rounds
from tests.workspace.rules.test_apply import DECISIONS, NOW, Ruled

PATH = "/home/me/app/.memtui/rules.toml"
SCOUT = Policy("scout", write=("private",), limits=(Limit("private", 2),))


@pytest.fixture
def ruled(tmp_path: Path) -> Iterator[Ruled]:
    found = Ruled(tmp_path)
    with closing(found.work):
        yield found


def rule(name: str, when: str, *actions: str, on: bool = True, note: str = "") -> Rule:
    return Rule(0, name, when, tuple(map(parse_action, actions)), note, on=on)


KEEP, LUNCH = rule("Keep", "decision", "pin", "tag=ours"), rule("Lunch", "lunch", "inbox", on=False)


def state(work: Workspace) -> tuple[object, ...]:
    return work.rules(), work.policies(), work.rule_files()


def names(work: Workspace) -> list[str]:
    return [each.name for each in work.rules()]


def trust(
    ruled: Ruled, *rules: Rule, policies: tuple[Policy, ...] = (), digest: str = "1", path: str = PATH
) -> int:
    """Trust a file, apply its rules, and return the event."""
    change = ruled.work.trust_rules(path, digest, rules, policies)
    ruled.apply()
    assert change.journal_id is not None
    return change.journal_id


def test_trusting_is_one_entry_which_undo_takes_back_with_what_the_rules_set(ruled: Ruled) -> None:
    work, before, bytes_before = ruled.work, state(ruled.work), ruled.graph.read_bytes()
    events = len(work.journal())
    plan = work.trust_plan(PATH, "1", [KEEP, LUNCH], [SCOUT])
    verdicts = [each.verdict for each in plan.rules] + [each.verdict for each in plan.policies]
    assert verdicts == [RuleVerdict.NEW] * 3
    assert (state(work), work.rule_matches([KEEP, LUNCH])) == (before, [2, 1])
    event = trust(ruled, KEEP, LUNCH, policies=(SCOUT,))
    assert [(each.name, each.on, each.source) for each in work.rules()] == [
        ("Keep@app", True, PATH),
        ("Lunch@app", False, PATH),
    ]
    assert [each.name for each in work.policies()] == ["scout@app"]
    assert [(each.path, each.digest, each.at) for each in work.rule_files()] == [(PATH, "1", NOW)]
    assert ruled.texts("is:pinned") == ruled.texts("tag:ours") == DECISIONS
    assert len([each for each in work.journal() if not each.actor.startswith("rule:")]) == events + 1
    with pytest.raises(PolicyRefused) as refused:
        work.remember("scout", {"content": "A kettle", "scope": "fleet"})
    assert refused.value.policy == "scout@app"
    after = state(work)

    work.undo(event)
    ruled.apply()
    assert (state(work), ruled.texts("is:pinned")) == (before, set())
    assert work.remember("scout", {"content": "A kettle", "scope": "fleet"}).outcome == "added"
    work.redo()
    ruled.apply()
    assert (state(work), ruled.texts("is:pinned")) == (after, DECISIONS)

    change = work.distrust_rules(PATH)
    ruled.apply()
    assert (state(work), ruled.texts("is:pinned")) == (before, set())
    with pytest.raises(Refused, match="is not trusted"):
        work.distrust_rules(PATH)
    assert change.journal_id is not None
    work.undo(change.journal_id)
    ruled.apply()
    assert (state(work), ruled.texts("is:pinned")) == (after, DECISIONS)
    assert ruled.graph.read_bytes() == bytes_before
    with closing(ruled.opened()) as again:
        assert state(again) == after


def test_trusting_a_changed_file_merges_by_name_and_keeps_what_the_person_switched(ruled: Ruled) -> None:
    work = ruled.work
    kept, gone, edited = rule("Kept", "decision", "pin"), rule("Gone", "x", "pin"), rule("Edited", "y", "pin")
    trust(ruled, kept, gone, edited, policies=(SCOUT, Policy("*", expiry=30.0)))
    for name in ("Kept@app", "Edited@app"):
        work.turn_rule(name, on=False)
    with pytest.raises(Refused, match="is as you trusted it"):
        work.trust_rules(PATH, "1", [kept, gone, edited], [SCOUT, Policy("*", expiry=30.0)])
    before, ids = state(work), {each.name: each.id for each in work.rules()}

    new, other = rule("New", "lunch", "tag=a"), rule("EDITED", "lunch", "pin")
    stricter = Policy("Scout", write=())
    plan = work.trust_plan(PATH, "2", [new, other, kept], [stricter])
    assert [each.verdict.value for each in plan.rules] == ["new", "changed", "same"]
    assert [each.name for each in plan.gone_rules] == ["Gone@app"]
    assert [each.name for each in plan.gone_policies] == ["*@app"]
    event = trust(ruled, new, other, kept, policies=(stricter,), digest="2")
    assert [(each.name, each.on) for each in work.rules()] == [
        *(("New@app", True), ("EDITED@app", True), ("Kept@app", False)),
    ]
    assert work.rules()[1].id == ids["Edited@app"]
    assert [(each.agent, each.write) for each in work.policies()] == [("Scout", ())]
    assert ruled.texts("is:pinned") == {"Lunch is at noon"}
    work.undo(event)
    ruled.apply()
    assert (state(work), ruled.texts("is:pinned")) == (before, set())

    trust(ruled, replace_on(kept, on=False), gone, edited, policies=(SCOUT,), digest="3")
    assert [each.on for each in work.rules()] == [False, True, False]
    trust(ruled, kept, gone, edited, policies=(SCOUT,), digest="4")  # the file switches it on
    assert [each.on for each in work.rules()] == [True, True, False]


def replace_on(given: Rule, *, on: bool) -> Rule:
    return rule(given.name, given.when, *(each.text for each in given.actions), on=on)


def test_its_rules_come_last_and_change_only_in_the_file(ruled: Ruled) -> None:
    work = ruled.work
    work.add_rule("First", "decision", ["tag=first"])
    trust(ruled, KEEP, LUNCH, path="/a/.memtui/rules.toml")
    trust(ruled, KEEP, path="/b/a/.memtui/rules.toml")  # a folder of the same name
    theirs = ["Keep@a", "Lunch@a", "Keep@a-2"]
    assert names(work) == ["First", *theirs]
    work.add_rule("Second", "decision", ["tag=second"])
    work.import_rules([rule("Third", "x", "pin"), rule("Second", "x", "pin")])
    assert names(work) == ["First", "Third", "Second", *theirs]
    work.move_rule("First", 9)
    assert names(work) == ["Third", "Second", "First", *theirs]
    with pytest.raises(Refused):
        work.move_rule("First", 1)
    of_file: list[Callable[[], object]] = [
        lambda: work.edit_rule("keep@a", note="x"),
        lambda: work.remove_rule("keep@a"),
        lambda: work.move_rule("keep@a", -1),
    ]
    for verb in of_file:
        with pytest.raises(Refused, match=r"comes from /a/\.memtui/rules\.toml: change it there"):
            verb()
    with pytest.raises(Refused, match="KEEP@a"):
        work.add_rule("KEEP@a", "x", ["pin"])
    with pytest.raises(Refused, match="Lunch@A"):
        work.import_rules([rule("Lunch@A", "x", "pin")])
    work.add_rule("Keep@c", "x", ["pin"])
    with pytest.raises(Refused, match="Keep@c"):
        work.trust_rules("/c/.memtui/rules.toml", "1", [KEEP], [])
    assert len(work.rule_files()) == 2


def test_a_large_file_can_be_trusted_again(ruled: Ruled) -> None:
    many = tuple(Policy(f"agent {number}", read=("fleet",)) for number in range(300))
    trust(ruled, policies=many)
    trust(ruled, policies=(*many, SCOUT), digest="2")
    assert len(ruled.work.policies()) == 301
    with pytest.raises(Refused):
        trust(ruled, policies=many, path="/home/me/other/.memtui/rules.toml")


def test_its_policies_hold_next_to_own_ones_as_the_strictest(ruled: Ruled) -> None:
    work = ruled.work
    work.set_policy("scout", write=["private", "fleet"])
    trust(ruled, rule("No tea", "tea", "refuse"), policies=(Policy("*", write=("private", "session")),))
    for fields, name in (
        ({"content": "A pot", "scope": "fleet"}, "*@app"),
        ({"content": "A pot", "scope": "session"}, "scout"),
        ({"content": "A cup of tea", "scope": "private"}, "No tea@app"),
    ):
        with pytest.raises(PolicyRefused) as refused:
            work.remember("scout", fields)
        assert refused.value.policy == name
    assert work.remember("scout", {"content": "A pot", "scope": "private"}).outcome == "added"
    work.remove_policy("scout")
    assert [each.name for each in work.policies()] == ["*@app"]


@pytest.mark.parametrize("seed", range(rounds(3, 6)))
def test_any_order_of_trusting_switching_and_undoing_comes_back(tmp_path: Path, seed: int) -> None:
    """Whatever is done with two files, undoing it all, newest first, leaves everything as it was."""
    chance, ruled = random.Random(seed), Ruled(tmp_path)
    with closing(ruled.work) as work:
        work.add_rule("Own", "decision", ["tag=own"])
        seen, pinned, events = [state(work)], [ruled.texts("is:pinned")], list[int]()
        for step in range(12):
            path = chance.choice((PATH, "/x/tools/.memtui/rules.toml"))
            try:
                if chance.random() < 0.6:
                    words = chance.sample(("decision", "lunch", "security", "noon"), chance.randrange(4))
                    rules = [
                        rule(each.title(), each, chance.choice(("pin", "tag=t")), on=chance.random() < 0.6)
                        for each in words
                    ]
                    stated = [Policy("scout", expiry=float(step + 1))] if chance.random() < 0.5 else []
                    change = work.trust_rules(path, str(step), rules, stated)
                elif chance.random() < 0.5 and (kept := work.rules()):
                    one = chance.choice(kept)
                    change = work.turn_rule(one.name, on=not one.on)
                else:
                    change = work.distrust_rules(path)
            except Refused:
                continue
            ruled.apply()
            assert change.journal_id is not None
            events.append(change.journal_id)
            seen.append(state(work))
            pinned.append(ruled.texts("is:pinned"))
        assert len(events) > 3
        for event in reversed(events):
            assert (state(work), ruled.texts("is:pinned")) == (seen.pop(), pinned.pop())
            work.undo(event)
            ruled.apply()
        assert (state(work), ruled.texts("is:pinned")) == (seen.pop(), pinned.pop())
