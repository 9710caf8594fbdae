"""Rules that set a half-life: what decays by it, and that it goes with the rule (S-25, S-60)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from memtui.errors import Refused
from memtui.memory.rules.rule import parse_action
from memtui.workspace.workspace import Workspace
from tests.support.contradiction_stores import ContradictionStores

NOW = 1_763_000_000.0
DAY = 86_400.0


class Fading:
    """A workspace with two memories of its own, each with a confidence of 0.5."""

    def __init__(self, folder: Path) -> None:
        self.now, self.path = NOW, folder / "w.db"
        self.work = Workspace.open(self.path, clock=lambda: self.now)
        texts = ("Lunch is at noon", "Tokens expire after a day")
        self.lunch, self.tokens = (
            self.work.add({"content": each, "confidence": 0.5, "category": "fact"}).ids[0] for each in texts
        )

    def rule(self, when: str, *actions: str) -> None:
        self.work.add_rule("Slow", when, actions)
        self.work.turn_rule("Slow", on=True)
        self.work.apply_rules()

    def held(self) -> list[tuple[int, str]]:
        self.work.apply_rules()
        return list(self.work._ctx.db.rows("SELECT memory_id, done FROM rule_settings ORDER BY memory_id"))

    def strength(self, id: int, days: float) -> float:
        """Return the strength of a memory in so many days, which all that compute it agree on."""
        at = self.now + days * DAY
        forecast = self.work.forecast(id, days=days)
        (group,) = self.work.outlook().groups
        (score,) = (
            float(each) for n, each in zip(group.ids, group.projection.score(at), strict=True) if n == id
        )
        assert forecast is not None
        assert forecast.as_is.score == pytest.approx(score)
        return score

    def fading(self) -> set[int]:
        found = set(self.work.search("is:fading").ids)
        assert {
            row.id for row in self.work.rows([self.lunch, self.tokens]) if row.finding == "fading"
        } == found
        assert self.work.match_counts(["is:fading"]) == [len(found)]
        return found


@pytest.fixture
def fading(tmp_path: Path) -> Iterator[Fading]:
    found = Fading(tmp_path)
    with closing(found.work):
        yield found


def test_a_half_life_comes_and_goes_with_its_rule(fading: Fading) -> None:
    work, lunch, tokens = fading.work, fading.lunch, fading.tokens
    assert fading.strength(lunch, 90) == pytest.approx(0.25)  # that of facts
    lines = len(work.journal())
    fading.rule("lunch", "half-life=30d")
    assert fading.held() == [(lunch, "half-life=30d")]
    assert fading.strength(lunch, 90) == pytest.approx(0.0625)
    assert fading.strength(tokens, 90) == pytest.approx(0.25)
    tried = work.outlook(lifecycle="memtui").what_if("memtui", {"fact": 45.0})
    found = {id: tried.find(id) for id in (lunch, tokens)}
    assert [each[1].half_life == 30 for each in found.values() if each is not None] == [True, False]
    scores = [
        each[0].projection(each[1], fading.now).score(fading.now + 90 * DAY)
        for each in found.values()
        if each
    ]
    assert scores == pytest.approx([0.0625, 0.125])
    assert len(work.journal()) == lines + 2  # nothing is written, so that there is nothing to undo
    detail = work.detail(lunch)
    assert detail is not None
    assert detail.ruled == (("Slow", "half-life=30d"),)
    fading.now += 40 * DAY
    assert fading.fading() == {lunch}
    fading.now += 60 * DAY
    assert [step.id for step in work.due()] == [lunch]
    work.confirm([lunch])  # which makes no half-life the person's
    assert fading.held() == [(lunch, "half-life=30d")]
    work.turn_rule("Slow", on=False)
    assert fading.held() == []
    work.turn_rule("Slow", on=True)
    assert fading.held() == [(lunch, "half-life=30d")]
    work.edit_rule("Slow", actions=["half-life=3650d"])
    assert fading.held() == [(lunch, "half-life=3650d")]
    assert fading.strength(lunch, 3_650) == pytest.approx(0.325)


def test_rules_do_not_see_the_half_life_that_they_set(fading: Fading) -> None:
    fading.now += 80 * DAY
    assert fading.fading() == {fading.lunch, fading.tokens}
    fading.rule("is:fading", "half-life=3650d")
    for _ in range(2):
        fading.now += DAY
        assert len(fading.held()) == 2
        assert fading.fading() == set()
    assert fading.work.try_rule(fading.work.rules()[0]).total == 2
    fading.work.edit_rule("Slow", when="lunch -is:fading")
    assert fading.held() == []


def test_where_a_store_fades_otherwise_there_is_none(tmp_path: Path) -> None:
    stores = ContradictionStores(tmp_path, ("founder-os", "claude-code", "native")).create()
    with stores.opened() as work:
        work.add_rule("Slow", "bystander", ["half-life=90d"])
        trial = work.try_rule(work.rules()[0])
        assert {each.store: (list(each.changes), list(each.cannot)) for each in trial.touched} == {
            "native": ([("half-life", "60d", "90d")], []),
            "claude-code": ([("half-life", "60d", "90d")], []),
            "founder-os": ([], ["half-life"]),
        }
        work.turn_rule("Slow", on=True)
        work.apply_rules()
        assert sorted(
            memory.store
            for memory in work.memories(
                [row[0] for row in work._ctx.db.rows("SELECT memory_id FROM rule_settings")]
            )
        ) == ["claude-code", "native"]


@pytest.mark.parametrize("value", ["0d", "3651d", "1.5d", "-1", "", "x", "9" * 5_000, "²"])
def test_what_is_no_half_life(value: str) -> None:
    with pytest.raises(Refused, match="half-life can't be"):
        parse_action(f"half-life={value}")
