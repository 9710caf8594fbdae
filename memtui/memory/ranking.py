"""How well a memory answers a query: terms and vector similarity on one scale (S-30, S-33).

Terms are weighted by how rare they are (IDF); stop words count nothing, and word endings do not matter.
Pure functions; the numbers were tuned with benchmarks/retrieval.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

WORD = re.compile(r"[^\W_]+")
STOP_WORDS = frozenset(
    "a about after all am an and any are as at be been before being but by can could did do does doing each "
    "ever few for from get got had has have having he her here him his how i if in into is it its just like "
    "make many may me might more most much must my no nor not of on one only or other our out over own same "
    "shall she should so some still such than that the their them then there these they thing things this "
    "those to too up us very was we were what when where which who whom whose why will with would yet you "
    "your d don didn doesn isn ll re s t ve won".split()
)
_BASE_LETTERS = {
    code: unicodedata.normalize("NFD", chr(code))[0] for code in (*range(0xC0, 0x250), *range(0x1E00, 0x1F00))
}
_UNMARKED = {code: base for code, base in _BASE_LETTERS.items() if base.isascii()} | dict.fromkeys(
    range(0x300, 0x370)
)
_DAY = 86_400.0
_ENDINGS = ("ings", "ing", "edly", "ies", "ied", "es", "ed", "ly", "s")


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of a score (S-30).

    With the formula "seed", the documented baseline, terms and similarity are each spread over 0 to 1
    within the candidates and weighted 0.45, 0.45, and 0.10 for recency.
    """

    formula: str = "memtui"  # or seed
    terms: float = 0.3  # of a memory that contains all significant terms of the query
    common: float = 0.1  # of one that contains what many memories contain (a friend's name in chats)
    uncommon: float = 0.7  # part of the query vector that is computed without common terms
    neighbors: float = 0.15  # pull towards the similarity of the candidates most like it
    adjacent: float = 0.1  # of the better of the two memories written just before and after it
    recency: float = 0.01
    half_life: float = 30.0  # days


DEFAULT = Weights()
SEED = Weights("seed", 0.45, 0.0, 0.0, 0.0, 0.0, 0.10)
TOP_K = 30  # candidates from terms and from vectors each
SMOOTHED_TOP = 30  # best candidates whose neighbors are taken into account
COMMON = 0.2  # share of all memories from which on a term is common
FEW = 30  # number of memories below which no term is called common


@dataclass(slots=True)
class Candidate:
    """A memory that may answer a query: its text, and the parts of its score."""

    id: int
    text: str
    days: float  # since it was changed
    cosine: float | None = None  # to the query; None without a vector
    coverage: float = 0.0  # 0 to 1: the share of the query's term weight that it contains
    common: float = 0.0  # 0 to 1: the share of the query's common terms that it contains
    matched: tuple[str, ...] = ()  # the query's terms that it contains
    score: float = 0.0
    recency: float = 0.0  # its share of the score
    relevance: float = 0.0  # by terms, similarity and neighbors, on one scale for all queries


@lru_cache(20_000)
def stem(word: str) -> str:
    """Return a lower-case word without its ending, so that paints, painted and painting are one."""
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
    """Return the words of a text as the full-text index has them: lower case, Latin letters without marks."""
    low = text.lower()
    return WORD.findall(low if low.isascii() else low.translate(_UNMARKED))


def significant_terms(text: str) -> list[str]:
    """Return the words of a query that are no stop words, each once; all of them if there are no others."""
    words = list(dict.fromkeys(words_of(text)))
    return [word for word in words if word not in STOP_WORDS] or words


@dataclass(frozen=True, slots=True)
class QueryTerms:
    """The significant terms of a query.

    `weights` are by stem; `last` is a word that is still being typed; `common` are terms that so many
    memories contain that they say little.
    """

    words: tuple[str, ...]
    weights: Mapping[str, float]
    last: str = ""
    common: frozenset[str] = frozenset()


def weigh_terms(
    words: Sequence[str],
    share: Callable[[str], float],
    last: str = "",
    many: bool = True,
    ignored: Collection[str] = (),
) -> QueryTerms:
    """Return the terms with their weights.

    `share` gives the part (0 to 1) of all memories that contain a word; `many` says that there are enough
    memories for a term to be common. The `ignored` terms weigh nothing.
    """
    weights: dict[str, float] = {}
    common = set()
    for word in words:
        part = min(1.0, max(0.0, share(word)))
        weight = 0.0 if word in ignored else math.log(1.0 + (1.0 - part + 1e-4) / (part + 1e-4))
        weights.setdefault(stem(word), weight)
        if many and part >= COMMON:
            common.add(word)
    return QueryTerms(tuple(words), weights, last if last in words else "", frozenset(common))


def without_common_terms(query: str, common: frozenset[str]) -> str:
    """Return the query without its common terms (Marta, Marta's), or unchanged if nothing would be left."""
    kept = []
    for part in query.split():
        terms = [word for word in words_of(part) if word not in STOP_WORDS]
        if not terms or not common.issuperset(terms):
            kept.append(part)
    rest = " ".join(kept)
    return rest if any(word not in STOP_WORDS for word in words_of(rest)) else query


def term_coverage(terms: QueryTerms, text: str) -> tuple[float, float, tuple[str, ...]]:
    """Return which share of the query's term weight a text contains (0 to 1), which share of its common
    terms (0 to 1), and the terms that it contains."""
    total = sum(terms.weights.values())
    if not total:
        return 0.0, 0.0, ()
    words = words_of(text)
    # An ending never touches the first three letters, so few words need to be stemmed.
    prefixes = {term[:3] for term in terms.weights}
    stems = {stem(word) for word in words if word[:3] in prefixes}
    found = {term for term in terms.weights if term in stems}
    if terms.last:
        unfinished = stem(terms.last)
        if unfinished not in found and any(word.startswith(terms.last) for word in words):
            found.add(unfinished)
    matched = tuple(word for word in terms.words if stem(word) in found)
    common = sum(word in terms.common for word in matched) / max(1, len(terms.common))
    return sum(terms.weights[term] for term in found) / total, common, matched


def base_score(candidate: Candidate, weights: Weights) -> float:
    """Return the score of a memory alone, without its neighbors."""
    return (candidate.cosine or 0.0) + weights.terms * candidate.coverage + weights.common * candidate.common


def fuse(
    candidates: Sequence[Candidate],
    weights: Weights,
    similarity: Callable[[Sequence[int]], Sequence[Sequence[float]]] | None = None,
    adjacent: Sequence[tuple[int, int]] = (),
) -> list[Candidate]:
    """Set the candidates' scores and return them best first, equal ones in the order given.

    `similarity` returns for some ids how similar they are to each other by cosine, as a square table in
    their order; `adjacent` are pairs of candidates that were written one after the other.
    """
    if weights.formula == "seed":
        return sorted(_seed_scores(candidates, weights), key=lambda each: -each.score)
    own = {each.id: base_score(each, weights) for each in candidates}
    order = sorted(candidates, key=lambda each: -own[each.id])
    best = order[:SMOOTHED_TOP]
    cosines = [each.cosine or 0.0 for each in best]
    if weights.neighbors and similarity is not None and any(cosines):
        cosines = _smoothed(cosines, similarity([each.id for each in best]), weights.neighbors)
    pull = {each.id: cosine - (each.cosine or 0.0) for each, cosine in zip(best, cosines, strict=True)}
    around: dict[int, float] = {}
    for first, second in adjacent:
        around[first] = max(around.get(first, 0.0), own[second])
        around[second] = max(around.get(second, 0.0), own[first])
    for each in order:
        recency = weights.recency * 2.0 ** (-each.days / weights.half_life)
        each.relevance = own[each.id] + pull.get(each.id, 0.0) + weights.adjacent * around.get(each.id, 0.0)
        each.score, each.recency = each.relevance + recency, recency
    return sorted(order, key=lambda each: -each.score)


def _smoothed(cosines: list[float], similarity: Sequence[Sequence[float]], part: float) -> list[float]:
    """Return each cosine pulled towards those of the three candidates most like it: a memory among good
    answers is likelier to be one."""
    out = []
    for index, own in enumerate(cosines):
        nearest = sorted(
            ((alike, other) for other, alike in enumerate(similarity[index]) if other != index and alike > 0),
            reverse=True,
        )[:3]
        total = sum(alike for alike, _ in nearest)
        around = sum(alike * cosines[other] for alike, other in nearest) / total if total else own
        out.append((1.0 - part) * own + part * around)
    return out


def _seed_scores(candidates: Sequence[Candidate], weights: Weights) -> list[Candidate]:
    coverages = _spread([each.coverage for each in candidates])
    cosines = _spread([each.cosine or 0.0 for each in candidates])
    for each, coverage, cosine in zip(candidates, coverages, cosines, strict=True):
        each.recency = weights.recency * 2.0 ** (-each.days / weights.half_life)
        each.relevance = each.cosine or 0.0  # the score is relative to the other candidates
        part = 1.0 - weights.terms - weights.recency
        each.score = weights.terms * coverage + part * cosine + each.recency
    return list(candidates)


def _spread(values: Sequence[float]) -> list[float]:
    low, high = min(values, default=0.0), max(values, default=0.0)
    return [(value - low) / (high - low) if high > low else 0.0 for value in values]


@dataclass(frozen=True, slots=True)
class RecallWeights:
    """How much a memory's own state counts in addition to its relevance when agents recall (S-34), 0 to 1."""

    confidence: float = 0.5
    recency: float = 0.25
    reinforcement: float = 0.25
    contradicted: float = 0.3  # how much an open contradiction takes away


DEFAULT_RECALL = RecallWeights()


class Standing(Protocol):
    """What of a memory's own state counts when agents recall; a `Memory` has it."""

    @property
    def confidence(self) -> float | None: ...
    @property
    def times_used(self) -> int: ...
    @property
    def times_confirmed(self) -> int: ...
    @property
    def created_at(self) -> float | None: ...
    @property
    def updated_at(self) -> float | None: ...
    @property
    def last_confirmed_at(self) -> float | None: ...


def recall_factor(
    memory: Standing, weights: RecallWeights, now: float, *, contradicted: bool = False
) -> float:
    """Return the factor by which a memory's own state changes its relevance.

    Confidence counts from 0.2 (none) to 1, recency from 0.5 (long ago) to 1, reinforcement from 1 upwards,
    each to the power of its weight; one that is `contradicted` loses that share.
    """
    confidence = 0.5 if memory.confidence is None else memory.confidence
    at = memory.last_confirmed_at or memory.updated_at or memory.created_at or now
    recency = 0.5 + 0.5 * 2.0 ** (-max(0.0, now - at) / _DAY / DEFAULT.half_life)
    reinforcement = 1.0 + math.log2(1.0 + memory.times_used + 2 * memory.times_confirmed) / 10.0
    factor = (0.2 + 0.8 * confidence) ** weights.confidence
    factor *= recency**weights.recency * reinforcement**weights.reinforcement
    return float(factor * (1.0 - weights.contradicted) if contradicted else factor)
