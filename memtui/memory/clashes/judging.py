"""All detectors over one pair, then the merge gate (S-40, S-41)."""

from __future__ import annotations

from collections.abc import Set

from memtui.memory.clashes.side import Side
from memtui.memory.pairs import EXACT, Clash, Judgement


def judge(a: Side, b: Side, *, marked: bool = False, taught: Set[tuple[str, str]] = frozenset()) -> Judgement:
    """What two memories are to each other. `marked`: their store says that they contradict. `taught`
    holds (topic, subject) that a person said may have several values, subject "" for anybody's. Never
    raises; bounded in time whatever the texts."""
    clashes = []
    if marked:
        clashes.append(Clash("mark", 1.0, ("", ""), "The store itself says that they contradict each other."))
    same = " ".join(a.text.casefold().split()) == " ".join(b.text.casefold().split())
    if not same and a.key and (a.key, a.owner) == (b.key, b.owner):
        reason = f"Both are “{a.key}” of one owner, with different values."
        clashes.append(Clash("key", 0.9, (a.text[:60], b.text[:60]), reason, a.key))
    return Judgement(tuple(clashes), EXACT if same and not clashes else "")
