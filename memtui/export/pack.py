"""An export within a budget: what is chosen, the text, and the tokens of the whole text (S-71)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memtui.export.exporter import Entry, Exporter
from memtui.memory.selection.budget import MARK, OMIT, Choice, Judged, Reason, choose
from memtui.memory.selection.candidate import Candidate
from memtui.memory.tokens import TokenCounter

_MAX_ROUNDS = 8  # until headings and lines fit as well


@dataclass(frozen=True, slots=True)
class Pack:
    """An export: its text, the `tokens` of all of it, and which memories are in and left out, with reasons.

    `over` is by how many tokens it exceeds the budget, because of what the user included.
    """

    text: str
    tokens: int
    unit: str
    counter: str
    included: tuple[Judged, ...]
    left_out: tuple[Judged, ...]
    over: int = 0


def pack(
    exporter: Exporter,
    candidates: Sequence[Candidate],
    budget: int | None,
    counter: TokenCounter,
    now: float,
    *,
    contradictions: str = OMIT,
    overrides: Mapping[str, bool] | None = None,
) -> Pack:
    """Return the export of the candidates within a `budget` of tokens; None is no limit.

    The budget holds for the whole text. A memory costs the tokens of an export of it alone without those of
    an empty export; what the whole takes beyond the sum is taken off the budget and the choice made again.
    """
    costs = _costs(exporter, candidates, counter)
    [frame] = counter.count([exporter.render(()).text])
    room = None if budget is None else budget - frame
    for _ in range(_MAX_ROUNDS):
        choice = choose(candidates, costs, room, now, contradictions=contradictions, overrides=overrides)
        rendered = exporter.render(_entries(choice, contradictions))
        [tokens] = counter.count([rendered.text])
        movable = any(each.reason is not Reason.CHOSEN for each in choice.included)
        if budget is None or room is None or tokens <= budget or not movable:
            break
        room -= tokens - budget
    dropped = [
        Judged(each.candidate, Reason.FORMAT_LIMIT, each.tokens, rendered.dropped[each.uid])
        for each in choice.included
        if each.uid in rendered.dropped
    ]
    included = tuple(each for each in choice.included if each.uid not in rendered.dropped)
    return Pack(
        rendered.text,
        tokens,
        counter.unit,
        counter.name,
        included,
        (*dropped, *choice.left_out),
        0 if budget is None else max(0, tokens - budget),
    )


def _costs(exporter: Exporter, candidates: Sequence[Candidate], counter: TokenCounter) -> dict[str, int]:
    """Return the tokens that each candidate takes; at least one."""
    alone = [exporter.render((Entry(each),)).text for each in candidates]
    [empty] = counter.count([exporter.render(()).text])
    counts = counter.count(alone)
    return {each.memory.uid: max(1, count - empty) for each, count in zip(candidates, counts, strict=True)}


def _entries(choice: Choice, contradictions: str) -> list[Entry]:
    """Return what is included; with MARK, each with what contradicts it there."""
    uids = {each.uid for each in choice.included} if contradictions == MARK else frozenset()
    return [
        Entry(each.candidate, tuple(sorted(each.candidate.contradicts & uids))) for each in choice.included
    ]
