"""Texts taken apart into clauses: what each says of what, denied or not, when and under which condition."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from memtui.memory.clashes.denials import denial_of, is_gone
from memtui.memory.clashes.lexicon import lexicon
from memtui.memory.clashes.tokens import TOKENS, Token, copy, tokens_of
from memtui.memory.clashes.vocabulary import (
    ENDINGS,
    FILLERS,
    FRAMES,
    GENERIC_STARTS,
    MARKERS,
    MONTHLY,
    NEGATORS,
    SCOPES,
    STATES,
    STOPS,
)

TEXT = 8_000  # characters of a memory that are looked at
CLAUSES = 48

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
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_KEYED = re.compile(
    r"^[\s\"'*_`]*([A-Za-z][\w ./()'-]{0,40}?)[\"'*_`]*\s*(?::|=>|=|→)"
    r"[*_\"'`]*\s+[\"'`]*(\S.{0,160}?)[\"'`,;.]*\s*$"
)
_SET = re.compile(r"^\s*([A-Za-z_][\w.-]{0,40})=[\"']?(\S.{0,160}?)[\"';]?\s*$")
_TURN = re.compile(
    r",?\s+(?:but|however|although|though|whereas)\s+|,\s+(?:and then|then|so|and)\s+"
    r"|,?\s+(?:because|since|as)\s+(?=(?:it|he|she|they|we)\s)"
    r"|,\s+(?=(?:it|he|she|they|we|I|please|don't|do not)\s)"
)
_LEFT_OUT = re.compile(r",?\s+(rather than|instead of|never|not|no)\s+", re.I)
_APOSTROPHES = str.maketrans("’‘“”`", "'''''")


@dataclass(slots=True)
class Clause:
    """One statement. `content` are the words that carry it, `subject` how many of them name what it is
    about; `denied` whether it says that this is not so. `known`: it speaks of one certain thing (the user,
    Acme), not of "a man". `event`: it tells what happened once. `key`: of "key: value"."""

    content: list[Token]
    small: list[str]  # the other words, in order
    bag: frozenset[str]
    subject: int = 0
    denied: bool = False
    denial: str = ""
    # Where what is denied begins and ends, beside the subject: "is kept and not dropped".
    denied_from: int = 0
    denied_to: int = TOKENS
    known: bool = True
    personal: bool = False  # of somebody by name, of the user, of us
    event: bool = False
    verb: bool = True  # whether there is one
    heading: bool = False  # a title over other statements, without a verb
    frame: str = ""  # a relation of the vocabulary: "lives in"
    frame_at: int = -1  # its place in the content
    key: str = ""
    value: str = ""
    scopes: frozenset[str] = frozenset()
    past: bool = False
    text: str = ""
    lemmas: list[str] = field(default_factory=list)


def clauses(text: str) -> list[Clause]:
    """The clauses of a text, the first 48; never raises."""
    found: list[Clause] = []
    head: list[Token] = []
    for part, goes_on in _parts(_UNSEEN.sub("", text[:TEXT])):
        for clause in _read(part, head):
            if not clause.content:
                continue
            if goes_on and not clause.subject and found and found[-1].subject:
                clause = _of(found[-1], clause)
            found.append(clause)
            if not head and clause.subject and clause.known:
                head = clause.content[: clause.subject]
        if len(found) >= CLAUSES:
            break
    if len(found) > 1 and not found[0].key and not found[0].verb and len(found[0].content) <= 4:
        found[0].heading = True
    return found[:CLAUSES]


def _of(before: Clause, clause: Clause) -> Clause:
    """A clause that goes on with the subject of the one before: "… but not in the tests"."""
    count = before.subject
    clause.content = [*(copy(t) for t in before.content[:count]), *clause.content]
    clause.lemmas = [token.lemma for token in clause.content]
    clause.bag = frozenset(clause.lemmas)
    clause.subject, clause.known, clause.personal = count, before.known, before.personal
    if clause.frame_at >= 0:
        clause.frame_at += count
    return clause


def _parts(text: str) -> Iterator[tuple[str, bool]]:
    """Sentences and lines, and whether one goes on with what the one before is about; code is left out."""
    fenced = False
    for line in text.translate(_APOSTROPHES).split("\n"):
        if _FENCE.match(line):
            fenced = not fenced
            continue
        if fenced:
            continue
        line = _BULLET.sub("", line)
        for part in _SPLIT.split(line):
            part = part.strip()
            if not part:
                continue
            for number, turn in enumerate(_TURN.split(part) if len(part) < 1_000 else [part]):
                if turn and turn.strip():
                    yield turn.strip(), number > 0


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
            frame = first.content[: max(first.subject + 1, 1)]
            second = _clause([*(copy(t) for t in frame), *other], head, part[cut.end() :])
            second.denied, second.denial = True, word
            second.known = first.known
            yield second
            return
    clause = _clause(tokens, head, part)
    if keyed:
        key = " ".join(lexicon().base(word) for word in re.split(r"[\s_.-]+", keyed[1].lower()) if word)
        if len(key.split()) <= 5:
            clause.key, clause.value = key, keyed[2].strip()
            clause.known = True
    yield clause


def _clause(tokens: list[Token], head: list[Token], text: str) -> Clause:
    words = lexicon()
    for place, token in enumerate(tokens):
        token.place = place
    denied, denial, skip = denial_of(tokens)
    given_to = _end_of_denial(tokens, skip, denial)
    joined = next((place for place in sorted(skip) if place and tokens[place - 1].low in ("and", "or")), -1)
    denied_from, denied_to = 0, TOKENS
    content: list[Token] = []
    small: list[str] = []
    marker, verb, event, past = "", -1, False, False
    frame, frame_at = "", -1
    after_be = fresh = False
    for place, token in enumerate(tokens):
        low, lemma = token.low, token.lemma
        if place == joined:
            denied_from = len(content)
        if place == given_to:
            denied_to = len(content)
        if place in skip:
            continue
        if (token.quantity is None and lemma in FRAMES and (content or not head)) or (
            lemma in FRAMES and lemma.startswith("@")
        ):
            if verb < 0:
                verb = len(content)
            if not frame:
                frame, frame_at = lemma, len(content)
        elif token.quantity is None and low in STOPS and not _is_month(token, tokens, place):
            if low in MARKERS:
                marker, fresh = low, True
            if low in (
                "is",
                "are",
                "was",
                "were",
                "be",
                "been",
                "has",
                "have",
                "had",
                "will",
                "should",
                "must",
                "can",
                "do",
                "does",
                "did",
                "am",
                "would",
                "may",
                "'re",
            ):
                if verb < 0 and content:
                    verb = len(content)
                after_be = low not in ("did",)
                past = past or low in ("was", "were", "had")
                marker = ""
            elif low not in ("not", "also", "always", "still", "now", "currently", "being", "been"):
                after_be = False
            if low not in FILLERS:
                small.append(low)
            continue
        elif verb < 0 and content and token.quantity is None and _verbal(token, tokens, place):
            verb = len(content)
        if verb == len(content) and token.quantity is None and not after_be and _happened(token, lemma):
            event = True
        after_be = False
        token.marker = marker
        token.lead = marker if fresh else ""
        fresh = False
        dated = token.quantity is not None and token.quantity.kind == "year"
        timed = marker == "for" and token.quantity is not None
        ends = not ENDINGS.isdisjoint((lemma, *low.split()))
        token.scope = (marker in SCOPES and not timed) or dated or ends
        if marker not in SCOPES or marker in ("for", "only"):
            marker = "" if marker not in SCOPES else marker
        if token.comma:
            marker = ""
        content.append(token)
    subject = verb if verb > 0 else (1 if content and content[0].name else 0)
    start = tokens[0].low if tokens else ""
    known = _is_known(content, subject, start, tokens)
    if tokens and tokens[0].low in ("it", "he", "she", "they", "this", "that") and head:
        content = [*(copy(t) for t in head), *content]
        subject += len(head)
        if frame_at >= 0:
            frame_at += len(head)
        known = True
    personal = start in _DEFINITE or any(
        token.lemma == "user" or (token.name and not words.kinds(token.lemma))
        for token in content[: max(1, subject)]
    )
    lemmas = [token.lemma for token in content]
    scopes = frozenset(token.lemma for token in content if token.scope)
    if denied and is_gone(tokens, skip):
        denied_to = max(1, subject)  # what it was about is no more: that alone is told
    return Clause(
        content,
        small,
        frozenset(lemmas),
        subject,
        denied,
        denial,
        denied_from,
        denied_to,
        known,
        personal,
        event,
        verb >= 0,
        False,
        frame,
        frame_at,
        "",
        "",
        scopes,
        past,
        text,
        lemmas,
    )


def _end_of_denial(tokens: list[Token], skip: set[int], denial: str) -> int:
    """Where what a verb gives up ends: "quit Spotify and joined Deezer"; -1 where it goes on to the end."""
    if not skip or denial.lower() in NEGATORS:
        return -1
    first = min(skip)
    return next((place for place, token in enumerate(tokens) if place > first + 1 and token.low == "and"), -1)


def _is_month(token: Token, tokens: list[Token], place: int) -> bool:
    """Whether "May" is the month."""
    before = tokens[place - 1].low if place else ""
    return token.text == "May" and before in MONTHLY


def _verbal(token: Token, tokens: list[Token], place: int) -> bool:
    """Whether a word behind the first one is likely the verb."""
    words = lexicon()
    low, lemma = token.low, token.lemma
    if lemma in STATES:
        return True
    if not words.can_be(lemma, "v"):
        return False
    if low != lemma and low.endswith(("ed", "ing")):
        return True
    if low != lemma and low.endswith("s"):
        before = tokens[place - 1].low if place else ""
        return before not in STOPS and not (words.can_be(lemma, "n") and lemma not in STATES)
    return low != lemma or (not words.can_be(lemma, "n") and not words.can_be(lemma, "a"))


def _happened(token: Token, lemma: str) -> bool:
    """Whether a verb is told as something that happened: in the past, and no state."""
    low, lemma = token.low.split()[0], lemma.split()[0]
    if lemma in STATES or low == lemma or lemma.startswith("@"):
        return False
    return low.endswith("ed") or not low.endswith(("s", "ing"))


def _is_known(content: list[Token], subject: int, start: str, tokens: list[Token]) -> bool:
    """Whether a clause speaks of one certain thing: not of "a man", nor of "the man" in a scene."""
    if not content:
        return False
    words = lexicon()
    heads = content[: max(1, subject)]
    if any(token.lemma == "user" or (token.name and not words.kinds(token.lemma)) for token in heads):
        return True
    lows = [token.low for token in tokens]
    if start in _DEFINITE:
        return True
    if start == "there":
        return any(low in ("the", "our", "my", "this") for low in lows[2:]) and not words.is_being(
            heads[-1].lemma
        )
    if start in GENERIC_STARTS or (content[0].quantity is not None and content[0].place == 0):
        return False
    scene = any(low in ("is", "are") and behind.endswith("ing") for low, behind in pairwise(lows))
    return not (scene and any(words.is_being(token.lemma) for token in heads[-1:]))


_DEFINITE = frozenset("we our my i your his her their its this".split())
