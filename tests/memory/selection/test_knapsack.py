"""The knapsack is exact: it is compared with all subsets."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from memtui.memory.selection import knapsack
from memtui.memory.selection.knapsack import best_subset


def _best_by_trying(values: list[float], costs: list[int], capacity: int) -> float:
    every = (each for size in range(len(values) + 1) for each in combinations(range(len(values)), size))
    return max(sum(values[i] for i in each) for each in every if sum(costs[i] for i in each) <= capacity)


def test_the_best_of_all_subsets_is_found() -> None:
    pick = random.Random(7)
    for _ in range(200):
        count = pick.randint(1, 9)
        values = [pick.random() for _ in range(count)]
        costs = [pick.randint(1, 12) for _ in range(count)]
        capacity = pick.randint(0, 40)
        chosen = best_subset(values, costs, capacity)
        assert sum(costs[i] for i in chosen) <= capacity
        assert abs(sum(values[i] for i in chosen) - _best_by_trying(values, costs, capacity)) < 1e-9


def test_a_large_problem_is_short_of_the_best_by_less_than_one_item(monkeypatch: pytest.MonkeyPatch) -> None:
    pick = random.Random(8)
    values, costs = [pick.random() for _ in range(300)], [pick.randint(1, 60) for _ in range(300)]
    exact = sum(values[i] for i in best_subset(values, costs, 900))
    monkeypatch.setattr(knapsack, "MAX_CELLS", 0)
    rough = best_subset(values, costs, 900)
    assert sum(costs[i] for i in rough) <= 900
    assert exact - max(values) < sum(values[i] for i in rough) <= exact
