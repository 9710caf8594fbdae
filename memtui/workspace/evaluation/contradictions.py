"""Measuring contradiction detection on labelled pairs, with the code that the scan judges with (S-36)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from memtui.formats.contract.records import clean
from memtui.memory.contradictions.comparison import parsed_memory
from memtui.memory.contradictions.comparison.parsed_memory import ParsedMemory
from memtui.memory.contradictions.judgement import judge
from memtui.values import Json, JsonObject
from memtui.workspace.evaluation import wording
from memtui.workspace.evaluation.jsonl import lines

CONTRADICTION = "contradiction"
LABELS = (CONTRADICTION, "neutral", "entailment")
_STEP = 200  # pairs between two progress reports
_TEXTS = ("title", "subject", "key", "owner")


@dataclass(frozen=True, slots=True)
class Labelled:
    """Two memories, and whether they contradict each other according to their label."""

    a: ParsedMemory
    b: ParsedMemory
    contradict: bool
    category: str


def read_pairs(path: Path) -> list[Labelled]:
    """Return the pairs of a JSONL file; raise Refused naming a malformed line."""
    found = []
    for number, line in lines(path):
        a, b, label = line.get("a"), line.get("b"), line.get("label")
        sides = [_side(each, line) for each in (a, b)]
        if sides[0] is None or sides[1] is None or label not in LABELS:
            raise wording.bad_line(path, number, wording.pair_shape(LABELS))
        category = line.get("category")
        name = "" if category is None else clean(str(category))
        found.append(Labelled(sides[0], sides[1], label == CONTRADICTION, name))
    if not found:
        raise wording.no_pairs(path)
    return found


def _side(value: Json, line: Mapping[str, Json]) -> ParsedMemory | None:
    """Return a memory of a pair, given as a text or as an object with the fields of a memory (content, title,
    subject, key, owner); those of the line apply to both. None if it is malformed."""
    fields = {"content": value} if isinstance(value, str) else value
    if not isinstance(fields, dict) or not isinstance(fields.get("content"), str):
        return None
    values = [fields.get(name, line.get(name)) for name in _TEXTS]
    texts = [clean(text) if isinstance(text, str) else None for text in values]
    return parsed_memory.read(
        clean(fields["content"]), title=texts[0], subject=texts[1], key=texts[2], owner=texts[3]
    )


def contradictions(path: Path, report: Callable[[str, float], None] = lambda what, part: None) -> JsonObject:
    """Return the report of `memtui eval contradictions`.

    It is {"n", "precision", "recall", "f1", "by_category", "contradictions_offered_as_duplicates"}. No model
    is loaded and no workspace opened. `report` receives "pairs" and the share done.
    """
    pairs = read_pairs(path)
    by_category: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    rows: list[tuple[bool, bool]] = []
    offered = 0
    for done, pair in enumerate(pairs, 1):
        judged = judge(pair.a, pair.b)
        row = (pair.contradict, bool(judged.conflicts))
        rows.append(row)
        if pair.category:
            by_category[pair.category].append(row)
        offered += pair.contradict and judged.is_mergeable
        if done % _STEP == 0:
            report("pairs", done / len(pairs))
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
    """Return the measures of (labelled, found) rows; 0 where a denominator is 0."""
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
