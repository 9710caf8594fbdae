"""Where answers end: which candidates answer a question, which are only related to it, and which are
neither (S-30, S-33).

The numbers were measured on benchmarks/retrieval (1,273 questions) and on 299 pieces of nonsense: keys
struck at random, made-up words, letters of other scripts. `near` of nonsense is 0.27 or more in one of ten
cases and 0.46 at most, that of right answers 0.3 and less in one of fifty: no single line parts them. So:

- A memory that says no word of the question stands below LINE as related, and goes below FAINT. With LINE
  up to 0.28 recall@5 does not fall; from 0.3 on it does.
- Where no memory says any word of it, the line is ALONE, and what is below WHOLE goes.
- Where besides the model knows none of the words, so that it breaks them into PIECES or more each, what is
  below BROKEN goes. No real question fell under this: the 56 with such words share one with some memory.

recall@5 on talks, dense, work: 0.896, 0.830, 0.934 with the floor, 0.894, 0.830, 0.938 without. Nonsense
finds nothing, but for single real words ("kate kite") and abbreviations that a memory says.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence

from memtui.memory.ranking import Candidate

LINE, FAINT = 0.28, 0.2
ALONE, WHOLE = 0.38, 0.22
BROKEN, PIECES = 0.5, 2.0
CLOSE = 0.2  # the cosine from which on a memory that shares a word answers
MOST = 0.6  # of what is telling in a question, that a memory says to answer whatever its cosine


def sift(
    found: Sequence[Candidate], pieces: Callable[[], float], held: Container[int] = ()
) -> tuple[list[Candidate], list[Candidate]]:
    """Those that answer and those that are only related, each as ordered before; `held` answer in any
    case. `pieces` tells into how many pieces the model breaks a word of the question."""
    line, least = LINE, FAINT
    if not any(one.matched for one in found):
        line, least = (BROKEN, BROKEN) if found and pieces() >= PIECES else (ALONE, WHOLE)
    answers, related = [], []
    for one in found:
        if one.id in held or says(one) or one.near >= line:
            answers.append(one)
        elif one.near >= least or (one.cosine is None and one.matched):
            related.append(one)
    return answers, related


def says(one: Candidate) -> bool:
    """Whether a memory's words answer: it has most of them, or some and lies not far."""
    return bool(one.matched) and ((one.cosine or 0.0) >= CLOSE or one.words >= MOST)
