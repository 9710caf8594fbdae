"""How well a memory answers a question: words and meaning on one scale, and why (S-30, S-33).

Words are counted by how telling they are: rare ones much, common ones little, words that carry no
meaning not at all; an ending does not matter. Pure functions; the numbers were found by
benchmarks/retrieval.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memtui.memory.memory import Memory

WORD = re.compile(r"[^\W_]+")
EMPTY = frozenset(
    # Words that carry no meaning of their own in a question.
    "a about after all am an and any are as at be been before being but by can could did do does doing each "
    "ever few for from get got had has have having he her here him his how i if in into is it its just like "
    "make many may me might more most much must my no nor not of on one only or other our out over own same "
    "shall she should so some still such than that the their them then there these they thing things this "
    "those to too up us very was we were what when where which who whom whose why will with would yet you "
    "your d don didn doesn isn ll re s t ve won".split()
)
_MARKED = {
    code: unicodedata.normalize("NFD", chr(code))[0] for code in (*range(0xC0, 0x250), *range(0x1E00, 0x1F00))
}
_BARE = {code: bare for code, bare in _MARKED.items() if bare.isascii()} | dict.fromkeys(range(0x300, 0x370))
_DAY = 86_400.0
_ENDINGS = ("ings", "ing", "edly", "ies", "ied", "es", "ed", "ly", "s")


@dataclass(frozen=True, slots=True)
class Weights:
    """How a score is put together (S-30). `seed` is the documented baseline: both parts spread over
    0 to 1 within the candidates, 0.45 words, 0.45 meaning, 0.10 recency."""

    formula: str = "memtui"  # or seed
    words: float = 0.3  # of a memory that says all that is telling in the question
    common: float = 0.1  # of one that says what so many say (a friend's name among talks with them)
    plain: float = 0.7  # part of the question's meaning that is taken without such words
    neighbours: float = 0.15  # drawn towards what the candidates most like it have
    beside: float = 0.1  # of the better of the two that were written down just before and after it
    recency: float = 0.01
    half_life: float = 30.0  # days


DEFAULT = Weights()
SEED = Weights("seed", 0.45, 0.0, 0.0, 0.0, 0.0, 0.10)
TOP_K = 30  # candidates from words and from meaning each
CLOSELY = 30  # of the best candidates, whose neighbours are looked at
COMMON = 0.2  # part of all memories from which on a word tells little
FEW = 30  # memories below which no word is called common


@dataclass(slots=True)
class Candidate:
    """A memory that may answer: its text, the parts of its score, and what it rests on."""

    id: int
    text: str
    days: float  # since it was changed
    cosine: float | None = None  # to the question; None where it has no vector
    words: float = 0.0  # 0 to 1: how much of what is telling in the question it says
    common: float = 0.0  # 0 to 1: how many of its common words
    matched: tuple[str, ...] = ()  # the question's words that it says
    score: float = 0.0
    recency: float = 0.0  # its share of the score
    near: float = 0.0  # by words, meaning and what is around it, on one scale for all questions


@lru_cache(20_000)
def stem(word: str) -> str:
    """A word without its ending, so that paints, painted and painting are one; lower case."""
    for ending in _ENDINGS:
        if not word.endswith(ending) or len(word) - len(ending) < 3:
            continue
        base = word[: -len(ending)]
        if ending in ("ies", "ied"):
            return base + "i"
        if len(base) > 3 and base[-1] == base[-2] and base[-1] not in "ls":
            return base[:-1]
        return base.rstrip("e") if len(base) > 3 else base
    if len(word) > 3 and word[-1] == "y":
        return word[:-1] + "i"
    return word.rstrip("e") if len(word) > 3 else word


def words_of(text: str) -> list[str]:
    """The words of a text, as the words index has them: lower case, Latin letters without marks."""
    low = text.lower()
    return WORD.findall(low if low.isascii() else low.translate(_BARE))


def telling(text: str) -> list[str]:
    """The words of a question that carry meaning, each once; all of them where none does."""
    words = list(dict.fromkeys(words_of(text)))
    return [word for word in words if word not in EMPTY] or words


@dataclass(frozen=True, slots=True)
class Asked:
    """The telling words of a question with how telling each is: `weights` by stem; `last` is a word
    that is still being typed; `common` are those that so many memories say that they tell little."""

    words: tuple[str, ...]
    weights: Mapping[str, float]
    last: str = ""
    common: frozenset[str] = frozenset()


def asked(
    words: Sequence[str],
    share: Callable[[str], float],
    last: str = "",
    many: bool = True,
    ignored: Collection[str] = (),
) -> Asked:
    """Weigh words by `share`, the part (0 to 1) of all memories that say each; `many` says that there
    are enough memories for a word to be common. Those `ignored` weigh nothing."""
    weights: dict[str, float] = {}
    common = set()
    for word in words:
        part = min(1.0, max(0.0, share(word)))
        weight = 0.0 if word in ignored else math.log(1.0 + (1.0 - part + 1e-4) / (part + 1e-4))
        weights.setdefault(stem(word), weight)
        if many and part >= COMMON:
            common.add(word)
    return Asked(tuple(words), weights, last if last in words else "", frozenset(common))


def uncommon(question: str, common: frozenset[str]) -> str:
    """The question without its common words (Marta, Marta's); as it is where nothing would be left."""
    kept = []
    for part in question.split():
        tells = [word for word in words_of(part) if word not in EMPTY]
        if not tells or not common.issuperset(tells):
            kept.append(part)
    left = " ".join(kept)
    return left if any(word not in EMPTY for word in words_of(left)) else question


def overlap(question: Asked, text: str) -> tuple[float, float, tuple[str, ...]]:
    """How much of the question a text says, 0 to 1 by weight; how many of its common words, 0 to 1; and
    the question's words that it says."""
    whole = sum(question.weights.values())
    if not whole:
        return 0.0, 0.0, ()
    words = words_of(text)
    # An ending never touches the first three letters: few words need a closer look.
    begins = {one[:3] for one in question.weights}
    said = {stem(word) for word in words if word[:3] in begins}
    found = {one for one in question.weights if one in said}
    if question.last:
        begun = stem(question.last)
        if begun not in found and any(word.startswith(question.last) for word in words):
            found.add(begun)
    matched = tuple(word for word in question.words if stem(word) in found)
    common = sum(word in question.common for word in matched) / max(1, len(question.common))
    return sum(question.weights[one] for one in found) / whole, common, matched


def base(one: Candidate, weights: Weights) -> float:
    """What a memory says by itself to the question, whatever stands around it."""
    return (one.cosine or 0.0) + weights.words * one.words + weights.common * one.common


def fuse(
    candidates: Sequence[Candidate],
    weights: Weights,
    likeness: Callable[[Sequence[int]], Sequence[Sequence[float]]] | None = None,
    beside: Sequence[tuple[int, int]] = (),
) -> list[Candidate]:
    """The candidates with their scores, best first; equal ones in the order given.

    `likeness` gives for some ids how alike they are to each other by cosine, a square table in their
    order; `beside` are pairs of candidates that were written down one after the other."""
    if weights.formula == "seed":
        return sorted(_seed(candidates, weights), key=lambda one: -one.score)
    says = {one.id: base(one, weights) for one in candidates}
    order = sorted(candidates, key=lambda one: -says[one.id])
    best = order[:CLOSELY]
    meanings = [one.cosine or 0.0 for one in best]
    if weights.neighbours and likeness is not None and any(meanings):
        meanings = _smoothed(meanings, likeness([one.id for one in best]), weights.neighbours)
    drawn = {one.id: meaning - (one.cosine or 0.0) for one, meaning in zip(best, meanings, strict=True)}
    around: dict[int, float] = {}
    for one_id, other_id in beside:
        around[one_id] = max(around.get(one_id, 0.0), says[other_id])
        around[other_id] = max(around.get(other_id, 0.0), says[one_id])
    for one in order:
        recency = weights.recency * 2.0 ** (-one.days / weights.half_life)
        one.near = says[one.id] + drawn.get(one.id, 0.0) + weights.beside * around.get(one.id, 0.0)
        one.score, one.recency = one.near + recency, recency
    return sorted(order, key=lambda one: -one.score)


def _smoothed(meanings: list[float], likeness: Sequence[Sequence[float]], part: float) -> list[float]:
    """Each a little towards what the three candidates most like it have: what stands among good answers
    is likelier to be one."""
    out = []
    for place, own in enumerate(meanings):
        near = sorted(
            ((like, other) for other, like in enumerate(likeness[place]) if other != place and like > 0),
            reverse=True,
        )[:3]
        whole = sum(like for like, _ in near)
        around = sum(like * meanings[other] for like, other in near) / whole if whole else own
        out.append((1.0 - part) * own + part * around)
    return out


def _seed(candidates: Sequence[Candidate], weights: Weights) -> list[Candidate]:
    words = _spread([one.words for one in candidates])
    meanings = _spread([one.cosine or 0.0 for one in candidates])
    for one, word, meaning in zip(candidates, words, meanings, strict=True):
        one.recency = weights.recency * 2.0 ** (-one.days / weights.half_life)
        one.near = one.cosine or 0.0  # the score is relative to the other candidates
        part = 1.0 - weights.words - weights.recency
        one.score = weights.words * word + part * meaning + one.recency
    return list(candidates)


def _spread(values: Sequence[float]) -> list[float]:
    low, high = min(values, default=0.0), max(values, default=0.0)
    return [(value - low) / (high - low) if high > low else 0.0 for value in values]


@dataclass(frozen=True, slots=True)
class Leaning:
    """How much a memory's own standing counts beside its relevance in what agents are given (S-34):
    0 not at all, 1 fully."""

    confidence: float = 0.5
    recency: float = 0.25
    reinforcement: float = 0.25


LEANING = Leaning()


def leant(memory: Memory, leaning: Leaning, now: float) -> float:
    """What a memory's standing makes of its relevance, as a factor: confidence from 0.2 (none) to 1,
    recency from 0.5 (long ago) to 1, reinforcement from 1 upwards, each as much as `leaning` says."""
    confidence = 0.5 if memory.confidence is None else memory.confidence
    at = memory.last_confirmed_at or memory.updated_at or memory.created_at or now
    recent = 0.5 + 0.5 * 2.0 ** (-max(0.0, now - at) / _DAY / DEFAULT.half_life)
    used = 1.0 + math.log2(1.0 + memory.times_used + 2 * memory.times_confirmed) / 10.0
    factor = (0.2 + 0.8 * confidence) ** leaning.confidence
    return float(factor * recent**leaning.recency * used**leaning.reinforcement)
