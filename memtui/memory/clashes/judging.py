"""All detectors over one pair, then the merge gate (S-40, S-41)."""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import replace

from memtui.memory.clashes import (
    changes,
    copulas,
    keyed,
    keys,
    owners,
    polarity,
    sameness,
    slots,
    small_words,
    swaps,
    ways,
)
from memtui.memory.clashes.aligning import Alignment, align
from memtui.memory.clashes.meeting import Meeting
from memtui.memory.clashes.side import Side
from memtui.memory.pairs import Clash, Judgement

Detector = Callable[[Meeting], Clash | None]
# Each is asked of every two clauses that have words in common; one idea each.
DETECTORS: tuple[Detector, ...] = (
    polarity.find,
    polarity.without,
    swaps.opposite,
    swaps.of_a_class,
    swaps.number,
    small_words.opposite,
    small_words.order,
    keyed.find,
    slots.find,
    copulas.told_to_be,
    copulas.renamed,
    owners.other_owner,
    owners.other_way_round,
    owners.only_one_is,
    changes.find,
    ways.find,
)
MOST = 160  # pairs of clauses that are laid side by side


def judge(a: Side, b: Side, *, marked: bool = False, taught: Set[tuple[str, str]] = frozenset()) -> Judgement:
    """What two memories are to each other. `marked`: their store says that they contradict. `taught`
    holds (topic, subject) that a person said may have several values, subject "" for anybody's. Never
    raises; bounded in time whatever the texts."""
    if a.gist > b.gist:  # the same from both ends
        other = judge(b, a, marked=marked, taught=taught)
        turned = tuple(replace(each, words=each.words[::-1]) for each in other.clashes)
        return Judgement(turned, other.same, other.alike)
    clashes: list[Clash] = []
    if marked:
        clashes.append(Clash("mark", 1.0, ("", ""), "The store itself says that they contradict each other."))
    about = bool(a.subject and a.subject == b.subject) or bool(a.key and a.key == b.key)
    apart = _apart(a, b)
    lays: list[Alignment] = []
    if a.gist != b.gist:
        lays = _lays(a, b)
        foreign = apart or _foreign(a, b)
        for lay in lays:
            if lay.a.heading or lay.b.heading:
                continue
            if foreign and (lay.a.key or lay.b.key or not (lay.a.subject and lay.b.subject)):
                continue
            meeting = Meeting(lay, about, taught, a.told if about or a.told == b.told else "")
            clashes += [found for detector in DETECTORS if (found := detector(meeting)) is not None]
    clash = keys.find(a, b, lays, bool(clashes), taught)
    if clash is not None:
        clashes.append(clash)
    clashes.sort(key=lambda each: -each.score)
    same, alike = sameness.same(a, b, lays, bool(clashes))
    if apart and not all(clause.subject for clause in (*a.clauses, *b.clauses)):
        same = ""  # "lives in Rome" is said of each of them
    return Judgement(tuple(clashes), same, alike)


def _apart(a: Side, b: Side) -> bool:
    """Whether they are said of different things, as an entity's observations are: what names nothing itself
    is told of those."""
    return bool(a.subject and b.subject) and a.subject != b.subject and not a.about & b.about


def _foreign(a: Side, b: Side) -> bool:
    """Whether two longer texts begin with different things: what they say below is of those."""
    if len(a.clauses) < 2 or len(b.clauses) < 2:
        return False
    one, two = (frozenset(c.lemmas[: max(1, c.subject)]) for c in (a.clauses[0], b.clauses[0]))
    return not one & two and not (a.clauses[0].bag & two or b.clauses[0].bag & one)


def _lays(a: Side, b: Side) -> list[Alignment]:
    """The clauses that have most in common, laid side by side; each once, the most alike first."""
    if len(a.clauses) == len(b.clauses) == 1:
        lay = align(a.clauses[0], b.clauses[0])
        return [lay] if lay.same or lay.clashing else []
    options: list[tuple[int, int, int]] = []
    for i, one in enumerate(a.clauses):
        for j, two in enumerate(b.clauses):
            common = len(one.bag & two.bag)
            if common or (one.key and one.key == two.key):
                options.append((-common, i, j))
    options.sort()
    taken_a: set[int] = set()
    taken_b: set[int] = set()
    found: list[Alignment] = []
    for _, i, j in options[:MOST]:
        if i in taken_a or j in taken_b:
            continue
        taken_a.add(i)
        taken_b.add(j)
        found.append(align(a.clauses[i], b.clauses[j]))
    return found
