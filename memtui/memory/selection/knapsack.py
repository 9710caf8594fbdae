"""The subset of the greatest value that a budget allows: the 0/1 knapsack problem."""

from __future__ import annotations

from collections.abc import Sequence

MAX_CELLS = 20_000_000  # of the exact solution's table, a byte each


def best_subset(values: Sequence[float], costs: Sequence[int], capacity: int) -> list[int]:
    """Return the indexes, ascending, of the items of the greatest total value with a total cost of at most
    `capacity`. Values are not negative, costs positive.

    Exact by dynamic programming while its table has at most `MAX_CELLS` cells. Beyond, items are taken by
    value per token: that is short of the best by less than the value of one item.
    """
    fitting = [index for index, cost in enumerate(costs) if cost <= capacity]
    if sum(costs[index] for index in fitting) <= capacity:
        return fitting
    if len(fitting) * (capacity + 1) > MAX_CELLS:
        return _by_density(fitting, values, costs, capacity)
    import numpy as np

    best = np.zeros(capacity + 1)
    taken = np.zeros((len(fitting), capacity + 1), dtype=bool)
    for row, index in enumerate(fitting):
        cost = costs[index]
        with_item = best[:-cost] + values[index]
        taken[row, cost:] = with_item > best[cost:]
        best[cost:] = np.maximum(best[cost:], with_item)
    chosen: list[int] = []
    left = capacity
    for row in range(len(fitting) - 1, -1, -1):
        if taken[row, left]:
            chosen.append(fitting[row])
            left -= costs[fitting[row]]
    return sorted(chosen)


def _by_density(
    indexes: Sequence[int], values: Sequence[float], costs: Sequence[int], capacity: int
) -> list[int]:
    chosen: list[int] = []
    for index in sorted(indexes, key=lambda each: (-values[each] / costs[each], each)):
        if costs[index] <= capacity:
            chosen.append(index)
            capacity -= costs[index]
    return sorted(chosen)
