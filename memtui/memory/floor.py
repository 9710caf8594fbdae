"""Where answers end: which candidates answer a query, which are only related to it, and which are dropped
(S-30, S-33).

The numbers were measured on benchmarks/retrieval (1,273 queries) and on 299 nonsense queries: random keys,
made-up words, letters of other scripts. The relevance of nonsense is 0.27 or more in one of ten cases and
0.46 at most, that of right answers 0.3 and less in one of fifty: no single threshold separates them. So:

- A memory without any term of the query is related below ANSWER, and dropped below RELATED. With ANSWER up
  to 0.28 recall@5 does not fall; from 0.3 on it does.
- If no memory contains any term of it, the thresholds are ANSWER_WITHOUT_TERMS and RELATED_WITHOUT_TERMS.
- If the model, besides, knows none of the words and splits them into MANY_TOKENS or more each, everything
  below ANSWER_UNKNOWN_WORDS is dropped. No real query is affected: the 56 with such words share one with
  some memory.

recall@5 on talks, dense, work: 0.896, 0.830, 0.934 with the floor, 0.894, 0.830, 0.938 without. Nonsense
finds nothing, except single real words ("kate kite") and abbreviations that a memory contains.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence

from memtui.memory.ranking import Candidate

ANSWER, RELATED = 0.28, 0.2
ANSWER_WITHOUT_TERMS, RELATED_WITHOUT_TERMS = 0.38, 0.22
ANSWER_UNKNOWN_WORDS, MANY_TOKENS = 0.5, 2.0
MIN_COSINE = 0.2  # from which on a memory that shares a term answers
FULL_COVERAGE = 0.6  # share of the query's term weight that makes a memory an answer whatever its cosine


def split_by_relevance(
    candidates: Sequence[Candidate], tokens_per_word: Callable[[], float], kept: Container[int] = ()
) -> tuple[list[Candidate], list[Candidate]]:
    """Return the candidates that answer and those that are only related, each in the order given.

    Those whose id is in `kept` answer in any case. `tokens_per_word` returns into how many tokens the model
    splits a word of the query on average.
    """
    answer, least = ANSWER, RELATED
    if not any(each.matched for each in candidates):
        if candidates and tokens_per_word() >= MANY_TOKENS:
            answer = least = ANSWER_UNKNOWN_WORDS
        else:
            answer, least = ANSWER_WITHOUT_TERMS, RELATED_WITHOUT_TERMS
    answers, related = [], []
    for each in candidates:
        if each.id in kept or _answers_by_terms(each) or each.relevance >= answer:
            answers.append(each)
        elif each.relevance >= least or (each.cosine is None and each.matched):
            related.append(each)
    return answers, related


def _answers_by_terms(candidate: Candidate) -> bool:
    """Return whether a memory contains most of the terms, or some and is not far in meaning."""
    return bool(candidate.matched) and (
        (candidate.cosine or 0.0) >= MIN_COSINE or candidate.coverage >= FULL_COVERAGE
    )
