"""Texts taken apart into clauses: what each says of what, denied or not, when and under which condition."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from memtui.memory.contradictions.language.lexicon import lexicon
from memtui.memory.contradictions.language.negation import denial_of, is_gone
from memtui.memory.contradictions.language.sentences import LONGEST, statements
from memtui.memory.contradictions.language.tokens import TOKENS, Token, copy, tokens_of
from memtui.memory.contradictions.language.vocabulary import (
    SCOPE_WORDS,
    FILLERS,
    FRAMES,
    GENERIC_STARTS,
    MARKERS,
    BEFORE_MAY,
    NEGATORS,
    FRAMES_OF_KEYS,
    SCOPE_MARKERS,
    STATIVE_VERBS,
    STOP_WORDS,
)

TEXT = 8_000  # characters of a memory that are looked at
CLAUSES = 48
_NAME = 200  # characters of a subject

_SPLIT = re.compile(
    r"\n+|(?<!\b[DMJS]r\.)(?<!\bM[rs]s\.)(?<!\b[MS][st]\.)(?<!\bProf\.)(?<!\bvs\.)"
    r"(?<=[.!?;。！？])[\"')\]]*\s+|\s+[—–]\s+|;\s|\s\|\s"
)
# What a screen would not show: escape sequences, controls, marks of width and direction.
_UNSEEN = re.compile(
    "\x1b\\[[0-9;?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b]*(?:\x07|\x1b\\\\)?|"
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
)
_BULLET = re.compile(r"^\s*(?:[-*+•>#]+|\d+[.)]|\[[ xX]\])\s+")
# What only says that something follows.
_LEAD = re.compile(
    r"^\s*(?:note|nb|n\.b\.|fyi|reminder|remember|important|heads[- ]up|update|correction|fact|memo)\s*:\s+",
    re.I,
)
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_KEYED = re.compile(
    r"^[\s\"'*_`]*([A-Za-z][\w ./()'-]{0,40}?)[\"'*_`]*\s*(?::|=>|=|→)"
    r"[*_\"'`]*\s+[\"'`]*(\S.{0,160}?)[\"'`,;.]*\s*$"
)
_ASIDE = re.compile(r"^\W*(?:why|how to apply|how|reason|rationale|background|example)\b\s*(?::|\*\*)", re.I)
_HEAD = re.compile(r"^\s*(?:#+ |\*\*[^*]+:?\*\*)")
_TOLD = re.compile(  # no key
    r"\b(?:is|are|was|were|has|have|had|will|must|should|can|may)\b"
    r"|\b(?:went|goes|gone|rose|rises|fell|came|turned|changed|moved|switched|grew|shrank|dropped|announced|news)\b",
    re.I,
)
_NOT = re.compile(r"n't\b|\b(?:not|never|no longer)\b", re.I)  # "it doesn't use Redis: sessions are cookies"
_SET = re.compile(r"^\s*([A-Za-z_][\w.-]{0,40})=[\"']?(\S.{0,160}?)[\"';]?\s*$")
_TURN = re.compile(
    r",?\s+(?:but|however|although|though|whereas)\s+|,\s+(?:and then|then|so|and)\s+"
    r"|,?\s+as\s+(?=(?:it|he|she|they|we)\s)"
    r"|,\s+(?=(?:it|he|she|they|we|I|please|don't|do not|does not|doesn't|did not|didn't|cannot|can't)\s)"
)
_LEFT_OUT = re.compile(r",?\s+(rather than|instead of|never|not|no)\s+", re.I)
_APOSTROPHES = str.maketrans("’‘“”`", "'''''")


@dataclass(slots=True)
class Clause:
    """One statement. `content` are the words that carry it, `subject` how many of them name what it is
    about; `negated` whether it says that this is not so. `definite`: it speaks of one certain thing (the user,
    Acme), not of "a man". `event`: it tells what happened once. `key`: of "key: value"."""

    content: list[Token]
    function_words: list[str]  # the other words, in order
    bag: frozenset[str]
    subject: int = 0
    negated: bool = False
    negator: str = ""
    # Where what is denied begins and ends, beside the subject: "is kept and not dropped".
    negated_from: int = 0
    negated_to: int = TOKENS
    negator_at: int = -1  # the place of the word that denies
    definite: bool = True
    personal: bool = False  # of somebody by name, of the user, of us
    event: bool = False
    verb: bool = True  # whether there is one
    heading: bool = False  # a title over other statements, without a verb
    explanatory: bool = False  # why something is so, or what to do about it: no claim of its own
    frame: str = ""  # a relation of the vocabulary: "lives in"
    frame_at: int = -1  # its place in the content
    key: str = ""
    value: str = ""
    past: bool = False
    inherited_scope: tuple[
        tuple[str, str], ...
    ] = ()  # where or for what it is so, told by the clause before: "in YAML"
    name_removed: bool = False  # it began with the name of what the memory is about, which was taken off
    text: str = ""
    lemmas: list[str] = field(default_factory=list)


def clauses(text: str, about: str = "") -> list[Clause]:
    """The clauses of a text, the first 48, told of what it is `approximate` where they name nothing; never
    raises."""
    found: list[Clause] = []
    head: list[Token] = tokens_of(about[:_NAME])
    for part, goes_on, aside in _parts(_UNSEEN.sub("", text[:TEXT])):
        for clause in _read(part, head):
            if not clause.content:
                continue
            if goes_on and not clause.subject and found and found[-1].subject:
                clause = _of(found[-1], clause)
            clause.explanatory = aside
            found.append(clause)
            if not head and clause.subject and clause.definite:
                head = clause.content[: clause.subject]
        if len(found) >= CLAUSES:
            break
    if (
        len(found) > 1
        and not found[0].key
        and not found[0].verb
        and not found[0].negated
        and len(found[0].content) <= 4
        and not found[0].text.endswith((".", "!", "?"))
        and found[0].text in text.split("\n", 1)[0][-len(found[0].text) - 3 :]  # it is all of its line
    ):
        found[0].heading = True
    return found[:CLAUSES]


def _of(before: Clause, clause: Clause) -> Clause:
    """A clause that goes on with the subject of the one before: "… but not in the tests"."""
    count = before.subject
    clause.content = [*(copy(t) for t in before.content[:count]), *clause.content]
    clause.lemmas = [token.lemma for token in clause.content]
    clause.bag = frozenset(clause.lemmas)
    clause.subject, clause.definite, clause.personal = count, before.definite, before.personal
    if clause.frame_at >= 0:
        clause.frame_at += count
    return clause


def _parts(text: str) -> Iterator[tuple[str, bool, bool]]:
    """Sentences and lines; whether one goes on with what the one before is about, and whether it is of a
    section that tells why, or what to do; code is left out."""
    fenced = aside = False
    for line in text.translate(_APOSTROPHES).split("\n"):
        if _FENCE.match(line):
            fenced = not fenced
            continue
        if fenced:
            continue
        aside = _ASIDE.match(line) is not None or (aside and bool(line.strip()) and not _HEAD.match(line))
        line = _LEAD.sub("", _BULLET.sub("", line))
        for part in _SPLIT.split(line):
            part = part.strip()
            if not part:
                continue
            turns = _TURN.split(part) if len(part) < LONGEST else [part]
            said = [each for turn in turns if turn and turn.strip() for each in _statements(turn.strip())]
            for number, (statement, why) in enumerate(said):
                yield statement, number > 0, aside or why


def _statements(turn: str) -> Iterator[tuple[str, bool]]:
    """What a part of a sentence says, and whether it only tells why; "key: value" is left whole."""
    keyed = _KEYED.match(turn)
    if _SET.match(turn) or (keyed and not _TOLD.search(keyed[1]) and not _NOT.search(keyed[1])):
        yield turn, False
        return
    for statement, why in statements(turn):
        if statement.strip():
            yield statement.strip(), why


def _read(part: str, head: list[Token]) -> Iterator[Clause]:
    """One sentence as clauses: "use pnpm, never npm" says two things."""
    keyed = _KEYED.match(part) or _SET.match(part)
    tokens = tokens_of(part)
    if not tokens:
        return
    cut = _LEFT_OUT.search(part) if not keyed else None
    if cut and cut.start() > 3 and len(tokens_of(part[cut.end() :])) <= 6:
        word = cut[1].lower()
        before = part[: cut.start()]
        plain = word in ("rather than", "instead of") or before.rstrip().endswith(",") or "," in cut[0]
        if plain:
            first = _clause(tokens_of(before), head, before)
            yield first
            other = tokens_of(part[cut.end() :])
            frame = first.content[: max(first.subject + 1, 1)] if first.verb or first.frame else []
            second = _clause([*(copy(t) for t in frame), *other], head, part[cut.end() :])
            second.negated, second.negator = True, word
            second.definite = first.definite
            second.inherited_scope = tuple(
                (t.marker, t.lemma) for t in first.content if t.marker in ("in", "for", "on", "at")
            )
            yield second
            return
    clause = _clause(tokens, head, part)
    if keyed:
        _as_relation(clause, keyed[1])
        key = " ".join(lexicon().lemma_of(word) for word in re.split(r"[\s_.-]+", keyed[1].lower()) if word)
        if len(key.split()) <= 5 and not _TOLD.search(keyed[1]):
            clause.key, clause.value = key, keyed[2].strip()
            clause.definite = True
    yield clause


def _as_relation(clause: Clause, key: str) -> None:
    """Have "Owner: Ana" say what "is owned by Ana" says."""
    relation = FRAMES_OF_KEYS.get(" ".join(re.split(r"[\s_.-]+", key.lower())))
    spent = len(tokens_of(key))
    if relation is None or len(clause.content) <= spent:
        return
    first = Token(key, key.lower(), relation, 0)
    clause.content = [first, *clause.content[spent:]]
    clause.lemmas = [token.lemma for token in clause.content]
    clause.bag = frozenset(clause.lemmas)
    clause.subject, clause.frame, clause.frame_at = 0, relation, 0


def _clause(tokens: list[Token], head: list[Token], text: str) -> Clause:
    for place, token in enumerate(tokens):
        token.position = place
    reader = _Reader(tokens, bool(head))
    content, subject = reader.content, reader.subject
    start = tokens[0].low if tokens else ""
    known = _is_known(content, subject, start, tokens)
    frame_at = reader.frame_at
    if start in _PRONOUNS and head:
        content = [*(copy(token) for token in head), *content]
        subject += len(head)
        frame_at += len(head) if frame_at >= 0 else 0
        known = True
    named = any(_names_somebody(token) for token in content[: max(1, subject)])
    lemmas = [token.lemma for token in content]
    gone = reader.negated and is_gone(tokens, reader.skip)
    return Clause(
        content=content,
        function_words=reader.function_words,
        bag=frozenset(lemmas),
        lemmas=lemmas,
        subject=subject,
        negated=reader.negated,
        negator=reader.negator,
        negated_from=reader.negated_from,
        negator_at=min(reader.skip, default=-1),
        negated_to=max(1, subject) if gone else reader.negated_to,  # that alone is told: it is no more
        definite=known,
        personal=start in _DEFINITE or named,
        event=reader.event,
        verb=reader.verb >= 0,
        frame=reader.frame,
        frame_at=frame_at,
        past=reader.past,
        text=text,
    )


def _names_somebody(token: Token) -> bool:
    return token.lemma == "user" or (token.is_name and not lexicon().classes_of(token.lemma))


_PRONOUNS = frozenset("it he she they this that".split())
_HELPERS = frozenset(
    "is are was were be been has have had will should must can do does did am would may 're".split()
)
_CONDITIONS = frozenset("if unless when whenever while".split())
_UNDER = frozenset("after before since until when while because if unless although".split())
_BETWEEN = frozenset("not also always still now currently being been".split())


class _Reader:
    """Reads the words of one clause in order: which carry it, where its verb stands, which small word ties
    what follows to it. `with_heading`: the text began with somebody that a clause without a subject is of."""

    def __init__(self, tokens: list[Token], with_heading: bool) -> None:
        self.negated, self.negator, self.skip = denial_of(tokens)
        if any(token.low == "because" for token in tokens[: min(self.skip, default=0)]):
            self.negated, self.negator, self.skip = False, "", set()  # only the cause is not so
        self.negated_from, self.negated_to = 0, TOKENS
        self.content: list[Token] = []
        self.function_words: list[str] = []
        self.verb, self.frame, self.frame_at = -1, "", -1
        self.event = self.past = False
        self._marker, self._fresh, self._after_be = "", False, False
        self._under = False  # in "… after the site closed", whose verb is not that of the clause
        ends = _end_of_denial(tokens, self.skip, self.negator)
        joined = next((p for p in sorted(self.skip) if p and tokens[p - 1].low in ("and", "or")), -1)
        for place, token in enumerate(tokens):
            if place == joined:
                self.negated_from = len(self.content)
            if place == ends:
                self.negated_to = len(self.content)
            if place in self.skip:
                continue
            if self._is_frame(token, with_heading):
                self._frame(token)
            elif token.quantity is None and token.low in STOP_WORDS and not _is_month(token, tokens, place):
                self._small(token.low)
                continue
            elif self._is_verb(token, tokens, place):
                self.verb = len(self.content)
            self._take(token)

    @property
    def subject(self) -> int:
        """How many of the words name what it is about."""
        return self.verb if self.verb > 0 else int(bool(self.content and self.content[0].is_name))

    def _is_frame(self, token: Token, with_heading: bool) -> bool:
        if token.lemma not in FRAMES:
            return False
        return token.lemma.startswith("@") or (token.quantity is None and (bool(self.content) or not with_heading))

    def _is_verb(self, token: Token, tokens: list[Token], place: int) -> bool:
        first = self.verb < 0 and bool(self.content)
        if self._marker and token.low.endswith("ing"):
            return False  # "changes to billing need"
        if any(each.comma for each in self.content) and token.low == token.lemma:
            return False  # "49 dollars a month, basic plan"
        return first and not self._under and token.quantity is None and _verbal(token, tokens, place)

    def _frame(self, token: Token) -> None:
        if self.verb < 0:
            self.verb = len(self.content)
        if not self.frame:
            self.frame, self.frame_at = token.lemma, len(self.content)

    def _small(self, low: str) -> None:
        if low in MARKERS:
            self._marker, self._fresh = low, True
        if low in _UNDER and self.content and self.verb < 0:
            self._under = True
        if low in _HELPERS:
            if self.verb < 0 and self.content and not self._under:
                self.verb = len(self.content)
            self._after_be = low != "did"
            self.past = self.past or low in ("was", "were", "had")
            if self._marker not in _CONDITIONS:  # "when it is closed"
                self._marker = ""
        elif low not in _BETWEEN:
            self._after_be = False
        if low not in FILLERS:
            self.function_words.append(low)

    def _take(self, token: Token) -> None:
        plain = token.quantity is None
        if self.verb == len(self.content) and plain and not self._after_be and _happened(token, token.lemma):
            self.event = True
        token.marker = self._marker
        token.direct_marker = self._marker if self._fresh else ""
        self._after_be = self._fresh = False
        self._under = self._under and not token.comma
        dated = token.quantity is not None and token.quantity.kind == "year"
        timed = self._marker == "for" and not plain
        ends = not SCOPE_WORDS.isdisjoint((token.lemma, *token.low.split()))
        token.is_scope = (self._marker in SCOPE_MARKERS and not timed) or dated or ends
        if self._marker not in SCOPE_MARKERS or token.comma:  # "when", "if" hold for all that follows
            self._marker = ""
        self.content.append(token)


def _end_of_denial(tokens: list[Token], skip: set[int], denial: str) -> int:
    """Where what a verb gives up ends: "quit Spotify and joined Deezer"; -1 where it goes on to the end."""
    if not skip or denial.lower() in NEGATORS:
        return -1
    first = min(skip)
    return next((place for place, token in enumerate(tokens) if place > first + 1 and token.low == "and"), -1)


def _is_month(token: Token, tokens: list[Token], place: int) -> bool:
    """Whether "May" is the month."""
    before = tokens[place - 1].low if place else ""
    return token.text == "May" and before in BEFORE_MAY


def _verbal(token: Token, tokens: list[Token], place: int) -> bool:
    """Whether a word behind the first one is likely the verb."""
    words = lexicon()
    low, lemma = token.low, token.lemma
    if lemma in STATIVE_VERBS:
        return True
    if not words.can_be(lemma, "v"):
        return False
    if low != lemma and low.endswith(("ed", "ing")):
        return True
    if low != lemma and low.endswith("s"):
        before = tokens[place - 1].low if place else ""
        return before not in STOP_WORDS and not (words.can_be(lemma, "n") and lemma not in STATIVE_VERBS)
    return low != lemma or (not words.can_be(lemma, "n") and not words.can_be(lemma, "a"))


def _happened(token: Token, lemma: str) -> bool:
    """Whether a verb is told as something that happened: in the past, and no state."""
    low, lemma = token.low.split()[0], lemma.split()[0]
    if lemma in STATIVE_VERBS or low == lemma or lemma.startswith("@"):
        return False
    return low.endswith("ed") or not low.endswith(("s", "ing"))


def _is_known(content: list[Token], subject: int, start: str, tokens: list[Token]) -> bool:
    """Whether a clause speaks of one certain thing: not of "a man", nor of "the man" in a scene."""
    if not content:
        return False
    words = lexicon()
    heads = content[: max(1, subject)]
    if any(token.lemma == "user" or (token.is_name and not words.classes_of(token.lemma)) for token in heads):
        return True
    lows = [token.low for token in tokens]
    if start in _DEFINITE:
        return True
    if start == "there":
        return any(low in ("the", "our", "my", "this") for low in lows[2:]) and not words.is_animate(
            heads[-1].lemma
        )
    if start in GENERIC_STARTS or (content[0].quantity is not None and content[0].position == 0):
        return False
    scene = any(low in ("is", "are") and behind.endswith("ing") for low, behind in pairwise(lows))
    return not (scene and any(words.is_animate(token.lemma) for token in heads[-1:]))


_DEFINITE = frozenset("we our my i your his her their its this".split())
