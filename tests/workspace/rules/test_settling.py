"""Rules that settle contradictions: whom they keep, and what they leave to a person (S-43, S-60)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from memtui.errors import Refused
from memtui.memory.contradictions.pairs import BOTH_TRUE, KEEP_A, KEEP_B, LATER
from memtui.memory.rules.rule import parse_action
from memtui.workspace.changes.own_records import rule_rows
from memtui.workspace.workspace import Workspace
from tests.support.contradiction_stores import FORMATS, ContradictionStores, add_pair
from tests.support.sizes import sample_cases

NOW = 1_763_000_000.0
DAY = 86_400.0


class Settled:
    """A workspace with memories, a day apart, of which each contradicts the one before."""

    def __init__(self, folder: Path) -> None:
        self.now, self.path = NOW, folder / "w.db"
        self.work = self.opened()

    def opened(self) -> Workspace:
        return Workspace.open(self.path, clock=lambda: self.now)

    def add(self, text: str, **fields: object) -> int:
        self.now += DAY
        return int(self.work.add({"content": text, **fields}).ids[0])

    def two(self, **fields: object) -> tuple[int, int]:
        """Add two memories that are found to contradict each other; the second is newer."""
        n = len(self.work.search("", live=False).ids)
        ids = [self.add(f"The host of service{n} is db-{each}.", **fields) for each in (1, 9)]
        self.work.scan()
        assert state_of(self.work, *ids) == "open"
        return ids[0], ids[1]

    def rule(self, *actions: str, name: str = "Settle", when: str = "host", on: bool = True) -> None:
        self.work.add_rule(name, when, actions)
        if on:
            self.work.turn_rule(name, on=True)

    def live(self) -> set[int]:
        self.work.apply_rules()
        return set(self.work.search("host").ids)

    def lines(self) -> list[str]:
        return [each.summary for each in self.work.journal() if each.actor.startswith("rule:")]


def state_of(work: Workspace, *ids: int) -> str:
    """Return the state of the pair of two memories."""
    return next(pair.state for pair in work.pairs(state="") if {pair.a, pair.b} == set(ids))


@pytest.fixture
def settled(tmp_path: Path) -> Iterator[Settled]:
    found = Settled(tmp_path)
    with closing(found.work):
        yield found


def test_the_newer_stays_and_one_undo_brings_the_other_back(settled: Settled) -> None:
    work = settled.work
    old, new = settled.two()
    settled.rule("settle=newer", on=False)
    (one, other) = work.try_rule(work.rules()[0]).touched
    assert {(each.id, each.pairs[0].label, each.pairs[0].stays) for each in (one, other)} == {
        (new, "The host of service0 is db-1.", True),
        (old, "The host of service0 is db-9.", False),
    }
    assert work.try_rule(work.rules()[0]).settles == 1
    assert settled.live() == {old, new}
    work.turn_rule("Settle", on=True)
    assert settled.live() == {new}
    (lost,) = work.memories([old])
    assert (lost.status, lost.superseded_by) == ("superseded", work.memories([new])[0].uid)
    (pair,) = work.pairs(state="settled")
    assert pair.decision is not None
    assert pair.decision.actor == "rule:Settle"
    (line,) = [each for each in work.journal() if each.kind == "resolved"]
    assert (line.actor, line.undoable) == ("rule:Settle", True)
    work.undo(line.id)
    assert settled.live() == {old, new}  # not done again
    assert state_of(work, old, new) == "open"
    work.turn_rule("Settle", on=False)
    settled.rule("settle=newer", name="Again")
    assert settled.live() == {old, new}  # by no other rule either
    work.undo(next(each.id for each in work.journal() if each.kind == "undone"))
    work.remove_rule("Again")
    work.remove_rule("Settle")
    assert settled.live() == {new}  # an act stays


def test_the_dry_run_counts_what_would_be_settled_in_turn(settled: Settled) -> None:
    work = settled.work
    ids = [settled.add(f"The host of the service is db-{each}.") for each in (1, 5, 9)]
    work.scan()
    assert len(work.pairs()) == 3
    settled.rule("settle=newer", on=False)
    trial = work.try_rule(work.rules()[0])
    work.turn_rule("Settle", on=True)
    assert settled.live() == {ids[2]}
    assert trial.settles == len(settled.lines()) == 2


def test_what_is_found_later_is_settled_without_a_change_of_a_memory(settled: Settled) -> None:
    settled.rule("settle=newer")
    old, new = settled.two()
    assert settled.live() == {new}
    assert settled.work.memories([old])[0].status == "superseded"
    settled.work.turn_rule("Settle", on=False)
    settled.live()
    settled.two()
    assert settled.work._ctx.db.one("SELECT count(*) FROM rule_queue") == 0


def test_the_surer_and_the_one_of_a_store_stay(tmp_path: Path) -> None:
    stores = ContradictionStores(tmp_path, ("founder-os", "native")).create()
    with stores.opened() as work:
        first, second, *_ = stores.sample_ids(work, "founder-os")  # 0.41 and 0.42
        own, other, *_ = stores.sample_ids(work, "native")
        for pair in ((first, second), (second, own), (own, other)):
            add_pair(work, *pair)
        with pytest.raises(Refused, match="No store named “nowhere” is attached"):
            work.add_rule("Of a store", "meets", ["settle=store:nowhere"])
        work.add_rule("Of a store", "meets", ["settle=store:Founder-OS"])
        with pytest.raises(Refused, match="nowhere"):
            work.edit_rule("Of a store", actions=["settle=store:nowhere"])
        work.turn_rule("Of a store", on=True)
        work.apply_rules()
        assert [state_of(work, *each) for each in ((first, second), (second, own), (own, other))] == [
            "open", "settled", "over",
        ]  # fmt: skip
        work.edit_rule("Of a store", actions=["settle=confidence"])
        work.apply_rules()
        assert work.memories([first])[0].status == "dismissed"
        work._ctx.db.run("""UPDATE rules SET actions = '["settle=store:nowhere"]'""")
        assert [rule.actions for rule in rule_rows.listed(work._ctx)] == [
            (parse_action("settle=store:nowhere"),)
        ]
        work.apply_rules()


@pytest.mark.parametrize("format", sample_cases([each for each in FORMATS if each != "native"], 4))
def test_a_verdict_by_a_rule_is_that_of_a_person_in_every_format(tmp_path: Path, format: str) -> None:
    stores = ContradictionStores(tmp_path, (format, "native")).create()
    with stores.opened() as work:
        (lost, *_), (own, *_) = stores.sample_ids(work, format), stores.sample_ids(work, "native")
        id, before = add_pair(work, lost, own), stores.snapshot()
        work.settle(id, KEEP_A if own < lost else KEEP_B)
        status = work.memories([lost])[0].status
        work.undo()
        assert stores.snapshot() == before
        work._ctx.db.run("DELETE FROM bodies")  # as if no person had looked at it
        work.add_rule("Own", "-tag:none", ["settle=store:native"])
        work.turn_rule("Own", on=True)
        work.apply_rules()
        assert work.memories([lost])[0].status == status
        line = next(each for each in work.journal() if each.actor == "rule:Own")
        assert (line.kind, line.state) == ("resolved", "done")
        work.undo(line.id)
        assert stores.snapshot() == before
        work.apply_rules()
        assert stores.snapshot() == before


def test_what_is_left_to_a_person(settled: Settled) -> None:
    work = settled.work
    pinned, judged, undone, later, duplicate = (settled.two() for _ in range(5))
    kept = {*pinned, *judged, *undone, *later, *duplicate}
    kept |= {*settled.two(category="health"), *settled.two(key="home_bank"), *settled.two(key="api-token")}
    work.pin([pinned[0]])
    ids = {(pair.a, pair.b): pair.id for pair in work.pairs()}
    work.settle(ids[judged], BOTH_TRUE)
    work.settle(ids[undone], KEEP_A)
    work.undo()
    work.settle(ids[later], LATER)
    work._ctx.db.run("UPDATE pairs SET family = 'duplicate' WHERE a = ?", (duplicate[0],))
    open_pairs = {(pair.a, pair.b) for pair in work.pairs()}
    settled.rule("settle=newer")
    assert settled.live() == kept
    assert {(pair.a, pair.b) for pair in work.pairs()} == open_pairs
    settled.now += 40 * DAY  # put off no longer, but it is a person's
    assert settled.live() == kept
    assert later in {(pair.a, pair.b) for pair in work.pairs()}
    assert settled.lines() == []
    assert work.try_rule(work.rules()[0]).settles == 0


def test_a_tie_is_left_alone_and_the_first_rule_decides(settled: Settled) -> None:
    work = settled.work
    old, new = settled.two(confidence=0.5)
    settled.rule("settle=confidence", name="First")
    settled.rule("settle=newer", name="Second")
    assert settled.live() == {old, new}
    work.edit_rule("First", when="host -tag:none db-9")  # one of the two alone
    assert settled.live() == {new}


def test_a_text_that_was_changed_is_as_new_as_the_change(settled: Settled) -> None:
    old, new = settled.two()
    settled.now += DAY
    settled.work.edit([old], {"content": "The host of service0 is db-3."})
    settled.work.scan()
    settled.rule("settle=newer")
    assert settled.live() == {old}
    assert settled.work.memories([new])[0].status == "superseded"


def test_what_another_rule_pins_is_pinned_first(settled: Settled) -> None:
    work = settled.work
    old, new = settled.two()
    settled.rule("settle=newer", on=False)
    settled.rule("pin", name="Pins", when="db-1", on=False)
    work._ctx.db.run("UPDATE rules SET is_on = 1")
    work._ctx.db.run("INSERT INTO rule_queue (memory_id) SELECT id FROM memories")
    assert settled.live() == {old, new}
    assert work.memories([old])[0].pinned
    work.edit_rule("Pins", when="db-9")
    assert settled.live() == {new}
    trial = work.try_rule(work.rules()[0])
    assert (trial.total, trial.touched) == (0, [])


def test_a_locked_store_is_settled_once_it_can_be_written(tmp_path: Path) -> None:
    stores = ContradictionStores(tmp_path, ("minions", "native")).create()
    with stores.opened() as work:
        a, b, *_ = stores.sample_ids(work, "minions")
        add_pair(work, a, b)
        own, *_ = stores.sample_ids(work, "native")
        add_pair(work, a, own)
        add_pair(work, b, own)
        work.lock_store("minions", True)
        lines = len(work.journal())
        work.add_rule("Own", "meets", ["settle=store:native"])
        work.turn_rule("Own", on=True)
        work.apply_rules()
        assert len(work.journal()) == lines + 2  # the rule's own two
        work.lock_store("minions", False)
        stores.clock.now += 3_601
        work.apply_rules()
        assert {state_of(work, each, own) for each in (a, b)} == {"settled"}
