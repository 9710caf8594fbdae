"""How well contradictions are told from what agrees: labelled pairs, put to the very code that the sweep
judges with (S-36)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memtui.errors import Refused
from memtui.formats.contract.adapter import clean
from memtui.memory import contradictions as clashes
from memtui.memory.contradictions import ParsedMemory
from memtui.workspace.evaluation.jsonl import lines, wrong

CONTRADICTION = "contradiction"
LABELS = (CONTRADICTION, "neutral", "entailment")
_STEP = 200  # pairs between two words on how far it is


_TEXTS = ("title", "subject", "key", "owner")


@dataclass(frozen=True, slots=True)
class Labelled:
    """Two memories, and whether they contradict each other."""

    a: ParsedMemory
    b: ParsedMemory
    contradict: bool
    category: str


def pairs_of(path: Path) -> list[Labelled]:
    """The pairs of a JSONL file; Refused names the line that is wrong."""
    found = []
    for number, line in lines(path):
        a, b, label = line.get("a"), line.get("b"), line.get("label")
        sides = [_side(each, line) for each in (a, b)]
        if sides[0] is None or sides[1] is None or label not in LABELS:
            known = '" | "'.join(LABELS)
            raise wrong(path, number, f'a pair is {{"a": "…", "b": "…", "label": "{known}"}}')
        category = line.get("category")
        told = "" if category is None else clean(str(category))
        found.append(Labelled(sides[0], sides[1], label == CONTRADICTION, told))
    if not found:
        raise Refused("empty", f"{path} holds no pair.", "Nothing was measured.")
    return found


def _side(said: Any, line: Mapping[str, Any]) -> ParsedMemory | None:
    """A memory as a pair tells it: its text, or an object as a store holds it (content, title, subject, key,
    owner); what the line itself says holds for both."""
    fields = {"content": said} if isinstance(said, str) else said
    if not isinstance(fields, dict) or not isinstance(fields.get("content"), str):
        return None
    told = {name: fields.get(name, line.get(name)) for name in _TEXTS}
    texts = [clean(text) if isinstance(text, str) else None for text in told.values()]
    return clashes.read(
        clean(fields["content"]), title=texts[0], subject=texts[1], key=texts[2], owner=texts[3]
    )


def contradictions(
    path: Path, tell: Callable[[str, float], None] = lambda what, part: None
) -> dict[str, Any]:
    """The report of `memtui eval contradictions`: {"n", "precision", "recall", "f1", "by_category",
    "contradictions_offered_as_duplicates"}. No model is asked, and no workspace opened."""
    pairs = pairs_of(path)
    by_category: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    rows: list[tuple[bool, bool]] = []
    offered = 0
    for done, pair in enumerate(pairs, 1):
        judgement = clashes.judge(pair.a, pair.b)
        row = (pair.contradict, bool(judgement.conflicts))
        rows.append(row)
        if pair.category:
            by_category[pair.category].append(row)
        offered += pair.contradict and judgement.is_mergeable
        if done % _STEP == 0:
            tell("pairs", done / len(pairs))
    of_all = sum(labelled for labelled, _ in rows)
    return {
        **_measures(rows),
        "by_category": {
            name: {**_measures(each), "accuracy": _share(sum(a == b for a, b in each), len(each))}
            for name, each in sorted(by_category.items())
        },
        "contradictions_offered_as_duplicates": _share(offered, of_all),
    }


def _measures(rows: Sequence[tuple[bool, bool]]) -> dict[str, float]:
    """Of (labelled, found) each: 0 where there was nothing to find, or nothing was found."""
    right = sum(labelled and found for labelled, found in rows)
    labelled, found = (sum(column) for column in zip(*rows, strict=True))
    return {
        "n": len(rows),
        "precision": _share(right, found),
        "recall": _share(right, labelled),
        "f1": _share(2 * right, labelled + found),
    }


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
