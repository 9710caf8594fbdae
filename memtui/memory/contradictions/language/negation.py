"""What a sentence denies, and by which word."""

from __future__ import annotations

from memtui.memory.contradictions.language.tokens import Token
from memtui.memory.contradictions.language.vocabulary import NEGATING_VERBS, NEGATIVE_ADJECTIVES, NEGATORS, NON_NEGATING_PHRASES, STOP_WORDS


def denial_of(tokens: list[Token]) -> tuple[bool, str, set[int]]:
    """Whether a clause is denied, by which word, and the places of what denies it."""
    count, word, last = 0, "", -1
    skip: set[int] = set()
    for place, token in enumerate(tokens):
        low = token.low
        following = [t.low for t in tokens[place + 1 : place + 3]]
        if low in NEGATORS:
            skip.add(place)
            ahead = " ".join([low, *following]) + " "
            if any(ahead.startswith(each + " ") for each in NON_NEGATING_PHRASES):
                continue
            if place and f"{tokens[place - 1].low} {low}" in NON_NEGATING_PHRASES:
                continue
            if low == "no" and following[:1] == ["longer"]:
                skip.add(place + 1)
            if low in ("nor", "neither") and count:
                continue
            if not following and place and tokens[place - 1].low in ("and", "or"):
                continue  # one of a list: "auto, always and never"
            if last < 0 or not _apart(tokens[last:place]):
                count += 1  # "does not sing and does not dance" denies both, and nothing twice
            word, last = word or token.text, place
        elif (
            low == "against"
            and place
            and tokens[place - 1].lemma in _DECIDING
            and following[:1]
            and following[0].endswith("ing")
        ):
            skip |= {place - 1, place}
            count, word, last = count + 1, word or token.text, place
        elif low in NEGATIVE_ADJECTIVES:
            skip.add(place)
            count += 1
            word = word or token.text
        elif token.lemma in NEGATING_VERBS and _denies(token, tokens, place):
            skip.add(place)
            if token.lemma == "use":  # "used to"
                skip.add(place + 1)
            if last < 0 or not _apart(tokens[last:place]):
                count += 1
            word, last = word or token.text, place
    return count % 2 == 1, word, skip


_JOINED = frozenset("and or nor but".split())


def _apart(tokens: list[Token]) -> bool:
    """Whether what follows these words says something else."""
    return any(token.comma or token.low in _JOINED for token in tokens)


_DECIDING = frozenset("decide vote rule opt".split())
_BE = frozenset("was were been being is are be get got".split())
_GIVEN_UP = frozenset(
    """
    give drop remove delete cancel terminate sell skip omit abolish scrap ditch decommission retire
    """.split()
) | {"give up", "shut down", "close down"}


_OBJECTS = frozenset("the a an his her their our its all this that these those your".split())


def is_gone(tokens: list[Token], skip: set[int]) -> bool:
    """Whether what a clause is about is told to be gone: "support was dropped"."""
    place = min(skip, default=0)
    return place > 0 and tokens[place].lemma in _GIVEN_UP and tokens[place - 1].low in _BE


def _denies(token: Token, tokens: list[Token], place: int) -> bool:
    behind = tokens[place + 1].low if place + 1 < len(tokens) else ""
    before = tokens[place - 1].low if place else ""
    if token.lemma == "use":
        return (
            token.low == "used"
            and behind == "to"
            and before not in ("is", "are", "was", "be", "get", "got", "am")
        )
    if token.lemma in ("stop", "quit", "cease", "finish"):
        return behind.endswith("ing") or token.lemma in ("quit",)
    if token.lemma in ("refuse", "decline", "fail"):
        return behind == "to"
    if token.lemma in _GIVEN_UP and before in _BE:
        ahead = {each.low for each in tokens[:place]}
        return (
            before in ("was", "were", "been")
            and behind != "by"
            and not ahead & {"can", "only", "may", "when"}
        )
    if token.lemma in _GIVEN_UP and (behind in STOP_WORDS and behind not in _OBJECTS):
        return False  # "retired in 2020"
    if token.lemma in _GIVEN_UP:
        return bool(behind) and (token.low != token.lemma or token.lemma in ("skip", "omit"))
    return (bool(behind) and before not in ("to", "not")) or before == ""
