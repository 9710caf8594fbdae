"""Reads the words of one clause: which carry its meaning, where its verb stands, which function word
introduces a word."""

from __future__ import annotations

from memtui.memory.contradictions.language.lexicon import lexicon
from memtui.memory.contradictions.language.negation import find_negation
from memtui.memory.contradictions.language.tokens import MAX_TOKENS, Token
from memtui.memory.contradictions.language.vocabulary import (
    BEFORE_MAY,
    FILLERS,
    FRAMES,
    MARKERS,
    NEGATORS,
    SCOPE_MARKERS,
    SCOPE_WORDS,
    STATIVE_VERBS,
    STOP_WORDS,
)

_AUXILIARIES = frozenset(
    "is are was were be been has have had will should must can do does did am would may 're".split()
)
_CONDITIONS = frozenset("if unless when whenever while".split())
_SUBORDINATORS = frozenset("after before since until when while because if unless although".split())
_ADVERBS = frozenset("not also always still now currently being been".split())


class ClauseReader:
    """Reads the words of a clause in order. `has_topic`: an earlier clause named what a clause without a
    subject is about."""

    def __init__(self, tokens: list[Token], has_topic: bool) -> None:
        self.negated, self.negator, self.negator_indices = find_negation(tokens)
        if any(token.low == "because" for token in tokens[: min(self.negator_indices, default=0)]):
            self.negated, self.negator, self.negator_indices = False, "", set()  # only the cause is negated
        self.negated_from, self.negated_to = 0, MAX_TOKENS
        self.content: list[Token] = []
        self.function_words: list[str] = []
        self.verb_index, self.frame, self.frame_at = -1, "", -1
        self.event = self.past = False
        self._marker, self._is_direct, self._after_be = "", False, False
        self._in_subordinate = False  # "… after the site closed", whose verb is not that of the clause
        negation_end = _negation_end(tokens, self.negator_indices, self.negator)
        joined = next(
            (p for p in sorted(self.negator_indices) if p and tokens[p - 1].low in ("and", "or")), -1
        )
        for index, token in enumerate(tokens):
            if index == joined:
                self.negated_from = len(self.content)
            if index == negation_end:
                self.negated_to = len(self.content)
            if index in self.negator_indices:
                continue
            if self._is_frame(token, has_topic):
                self._read_frame(token)
            elif token.quantity is None and token.low in STOP_WORDS and not _is_may(token, tokens, index):
                self._read_function_word(token.low)
                continue
            elif self._is_verb(token, tokens, index):
                self.verb_index = len(self.content)
            self._append(token)

    @property
    def subject_end(self) -> int:
        """The number of words that name what the clause is about."""
        return self.verb_index if self.verb_index > 0 else int(bool(self.content and self.content[0].is_name))

    def _is_frame(self, token: Token, has_topic: bool) -> bool:
        if token.lemma not in FRAMES:
            return False
        return token.lemma.startswith("@") or (
            token.quantity is None and (bool(self.content) or not has_topic)
        )

    def _is_verb(self, token: Token, tokens: list[Token], index: int) -> bool:
        is_first = self.verb_index < 0 and bool(self.content)
        if self._marker and token.low.endswith("ing"):
            return False  # "changes to billing need"
        if any(each.comma for each in self.content) and token.low == token.lemma:
            return False  # "49 dollars a month, basic plan"
        return (
            is_first
            and not self._in_subordinate
            and token.quantity is None
            and _is_probable_verb(token, tokens, index)
        )

    def _read_frame(self, token: Token) -> None:
        if self.verb_index < 0:
            self.verb_index = len(self.content)
        if not self.frame:
            self.frame, self.frame_at = token.lemma, len(self.content)

    def _read_function_word(self, low: str) -> None:
        if low in MARKERS:
            self._marker, self._is_direct = low, True
        if low in _SUBORDINATORS and self.content and self.verb_index < 0:
            self._in_subordinate = True
        if low in _AUXILIARIES:
            if self.verb_index < 0 and self.content and not self._in_subordinate:
                self.verb_index = len(self.content)
            self._after_be = low != "did"
            self.past = self.past or low in ("was", "were", "had")
            if self._marker not in _CONDITIONS:  # "when it is closed"
                self._marker = ""
        elif low not in _ADVERBS:
            self._after_be = False
        if low not in FILLERS:
            self.function_words.append(low)

    def _append(self, token: Token) -> None:
        is_word = token.quantity is None
        if (
            self.verb_index == len(self.content)
            and is_word
            and not self._after_be
            and _is_past_event(token, token.lemma)
        ):
            self.event = True
        token.marker = self._marker
        token.direct_marker = self._marker if self._is_direct else ""
        self._after_be = self._is_direct = False
        self._in_subordinate = self._in_subordinate and not token.comma
        is_year = token.quantity is not None and token.quantity.kind == "year"
        is_duration = self._marker == "for" and not is_word
        is_scope_word = not SCOPE_WORDS.isdisjoint((token.lemma, *token.low.split()))
        token.is_scope = (self._marker in SCOPE_MARKERS and not is_duration) or is_year or is_scope_word
        if self._marker not in SCOPE_MARKERS or token.comma:  # "when" and "if" apply to all that follows
            self._marker = ""
        self.content.append(token)


def _negation_end(tokens: list[Token], negator_indices: set[int], negator: str) -> int:
    """Return the index where the object of a negating verb ends ("quit Spotify and joined Deezer"), or -1."""
    if not negator_indices or negator.lower() in NEGATORS:
        return -1
    first = min(negator_indices)
    return next((index for index, token in enumerate(tokens) if index > first + 1 and token.low == "and"), -1)


def _is_may(token: Token, tokens: list[Token], index: int) -> bool:
    """Whether "May" is the month."""
    previous = tokens[index - 1].low if index else ""
    return token.text == "May" and previous in BEFORE_MAY


def _is_probable_verb(token: Token, tokens: list[Token], index: int) -> bool:
    """Whether a word behind the first one is probably the verb."""
    words = lexicon()
    low, lemma = token.low, token.lemma
    if lemma in STATIVE_VERBS:
        return True
    if not words.can_be(lemma, "v"):
        return False
    if low != lemma and low.endswith(("ed", "ing")):
        return True
    if low != lemma and low.endswith("s"):
        previous = tokens[index - 1].low if index else ""
        return previous not in STOP_WORDS and not (words.can_be(lemma, "n") and lemma not in STATIVE_VERBS)
    return low != lemma or (not words.can_be(lemma, "n") and not words.can_be(lemma, "a"))


def _is_past_event(token: Token, lemma: str) -> bool:
    """Whether a verb describes an event: in the past tense, and not stative."""
    low, lemma = token.low.split()[0], lemma.split()[0]
    if lemma in STATIVE_VERBS or low == lemma or lemma.startswith("@"):
        return False
    return low.endswith("ed") or not low.endswith(("s", "ing"))
