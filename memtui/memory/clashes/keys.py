"""One owner's key with two values, both valid at one time (S-40)."""

from __future__ import annotations

from collections.abc import Set

from memtui.memory.clashes.aligning import Alignment
from memtui.memory.clashes.side import Side
from memtui.memory.clashes.vocabulary import LIGHT_VERBS
from memtui.memory.pairs import Clash

KIND, WINDOW = "key", "validity"


def find(a: Side, b: Side, lays: list[Alignment], clash: bool, taught: Set[tuple[str, str]]) -> Clash | None:
    """The same key of one owner says something else."""
    if not a.key or a.key.casefold() != b.key.casefold() or a.owner != b.owner or a.gist == b.gist:
        return None
    key = a.key.casefold()
    if (key, "") in taught or (key, a.told) in taught or not _at_once(a, b):
        return None
    if not clash and _refines(lays, a, b):
        return None
    windows = any(end is not None for end in (a.valid_from, a.valid_to, b.valid_from, b.valid_to))
    kind = WINDOW if windows else KIND
    when = " and are valid at the same time" if windows else ""
    reason = f"Both are “{a.key[:40]}” of one owner{when}, with different values."
    return Clash(kind, 0.85, (a.text.strip()[:60], b.text.strip()[:60]), reason, key)


def _at_once(a: Side, b: Side) -> bool:
    starts = max(a.valid_from or float("-inf"), b.valid_from or float("-inf"))
    ends = min(a.valid_to or float("inf"), b.valid_to or float("inf"))
    return starts < ends


def _refines(lays: list[Alignment], a: Side, b: Side) -> bool:
    """Whether one only says more than the other, or the same in other words."""
    if a.gist and b.gist and (a.gist in b.gist or b.gist in a.gist):
        return True
    if not lays or any(lay.clashing or lay.a.denied != lay.b.denied for lay in lays):
        return False
    more_a = [i for lay in lays for i in lay.left_a if lay.a.lemmas[i] not in LIGHT_VERBS]
    more_b = [j for lay in lays for j in lay.left_b if lay.b.lemmas[j] not in LIGHT_VERBS]
    if not more_a or not more_b:
        return True
    numbers = [t.quantity for lay in lays for t in [*lay.a.content, *lay.b.content] if t.quantity is not None]
    left = [lay.a.content[i] for lay in lays for i in lay.left_a]
    left += [lay.b.content[j] for lay in lays for j in lay.left_b]
    # Where the number that both tell is the same, the words around it matter little.
    return bool(numbers) and not any(t.quantity is not None or t.name for t in left)
