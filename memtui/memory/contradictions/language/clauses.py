"""Splits texts into clauses: what each says about what, negated or not, when and under which condition."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from memtui.memory.contradictions.language.clause_reader import ClauseReader
from memtui.memory.contradictions.language.lexicon import lexicon
from memtui.memory.contradictions.language.negation import is_gone
from memtui.memory.contradictions.language.sentences import MAX_SENTENCE, statements
from memtui.memory.contradictions.language.tokens import MAX_TOKENS, Token, copy, tokens_of
from memtui.memory.contradictions.language.vocabulary import (
    FRAMES_OF_KEYS,
    GENERIC_STARTS,
)

MAX_TEXT = 8_000  # characters of a memory that are parsed
MAX_CLAUSES = 48
_MAX_SUBJECT = 200  # characters of a subject

_SPLIT = re.compile(
    r"\n+|(?<!\b[DMJS]r\.)(?<!\bM[rs]s\.)(?<!\b[MS][st]\.)(?<!\bProf\.)(?<!\bvs\.)"
    r"(?<=[.!?;。！？])[\"')\]]*\s+|\s+[—–]\s+|;\s|\s\|\s"
)
# Invisible on a screen: escape sequences, control characters, marks of width and direction.
_INVISIBLE = re.compile(
    "\x1b\\[[0-9;?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b]*(?:\x07|\x1b\\\\)?|"
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
)
_BULLET = re.compile(r"^\s*(?:[-*+•>#]+|\d+[.)]|\[[ xX]\])\s+")
# Labels that only introduce what follows.
_LABEL = re.compile(
    r"^\s*(?:note|nb|n\.b\.|fyi|reminder|remember|important|heads[- ]up|update|correction|fact|memo)\s*:\s+",
    re.I,
)
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_KEY_VALUE = re.compile(
    r"^[\s\"'*_`]*([A-Za-z][\w ./()'-]{0,40}?)[\"'*_`]*\s*(?::|=>|=|→)"
    r"[*_\"'`]*\s+[\"'`]*(\S.{0,160}?)[\"'`,;.]*\s*$"
)
_EXPLANATION = re.compile(
    r"^\W*(?:why|how to apply|how|reason|rationale|background|example)\b\s*(?::|\*\*)", re.I
)
_HEADING = re.compile(r"^\s*(?:#+ |\*\*[^*]+:?\*\*)")
_FINITE_VERB = re.compile(  # a phrase with one is no key
    r"\b(?:is|are|was|were|has|have|had|will|must|should|can|may)\b"
    r"|\b(?:went|goes|gone|rose|rises|fell|came|turned|changed|moved|switched|grew|shrank|dropped|announced|news)\b",
    re.I,
)
_NEGATION = re.compile(
    r"n't\b|\b(?:not|never|no longer)\b", re.I
)  # "it doesn't use Redis: sessions are cookies"
_ASSIGNMENT = re.compile(r"^\s*([A-Za-z_][\w.-]{0,40})=[\"']?(\S.{0,160}?)[\"';]?\s*$")
_CONJUNCTION = re.compile(
    r",?\s+(?:but|however|although|though|whereas)\s+|,\s+(?:and then|then|so|and)\s+"
    r"|,?\s+as\s+(?=(?:it|he|she|they|we)\s)"
    r"|,\s+(?=(?:it|he|she|they|we|I|please|don't|do not|does not|doesn't|did not|didn't|cannot|can't)\s)"
)
_EXCLUSION = re.compile(r",?\s+(rather than|instead of|never|not|no)\s+", re.I)
_PRONOUNS = frozenset("it he she they this that".split())
_DEFINITE = frozenset("we our my i your his her their its this".split())
_APOSTROPHES = str.maketrans("’‘“”`", "'''''")


@dataclass(slots=True)
class Clause:
    """One statement.

    `content` are its content words, of which the first `subject_end` name what it is about; `bag` is the set
    of their lemmas. `definite`: it is about one certain thing (the user, Acme), not about "a man". `event`:
    it says what happened once. `key` and `value` are those of "key: value".
    """

    content: list[Token]
    function_words: list[str]  # the other words, in order
    bag: frozenset[str]
    subject_end: int = 0
    negated: bool = False
    negator: str = ""
    # The range of the negated words besides the subject: "is kept and not dropped".
    negated_from: int = 0
    negated_to: int = MAX_TOKENS
    negator_at: int = -1  # the position of the negating word
    definite: bool = True
    personal: bool = False  # about a named person, the user or us
    event: bool = False
    has_verb: bool = True
    heading: bool = False  # a title without a verb over other statements
    explanatory: bool = False  # a cause, or what to do: no claim of its own
    frame: str = ""  # a relation of the vocabulary: "lives in"
    frame_at: int = -1  # its index in the content
    key: str = ""
    value: str = ""
    past: bool = False
    # Where or for what it holds by the clause before, as (marker, lemma): "in YAML".
    inherited_scope: tuple[tuple[str, str], ...] = ()
    name_removed: bool = False  # the name of the memory's subject was removed from its start
    text: str = ""
    lemmas: list[str] = field(default_factory=list)


def clauses(text: str, about: str = "") -> list[Clause]:
    """Return the first 48 clauses of a text; those that name no subject are taken to be about `about`. Never
    raises."""
    found: list[Clause] = []
    topic: list[Token] = tokens_of(about[:_MAX_SUBJECT])
    for part, continues, explanatory in _parts(_INVISIBLE.sub("", text[:MAX_TEXT])):
        for clause in _read(part, topic):
            if not clause.content:
                continue
            if continues and not clause.subject_end and found and found[-1].subject_end:
                clause = _with_subject_of(found[-1], clause)
            clause.explanatory = explanatory
            found.append(clause)
            if not topic and clause.subject_end and clause.definite:
                topic = clause.content[: clause.subject_end]
        if len(found) >= MAX_CLAUSES:
            break
    if (
        len(found) > 1
        and not found[0].key
        and not found[0].has_verb
        and not found[0].negated
        and len(found[0].content) <= 4
        and not found[0].text.endswith((".", "!", "?"))
        and found[0].text in text.split("\n", 1)[0][-len(found[0].text) - 3 :]  # the whole line
    ):
        found[0].heading = True
    return found[:MAX_CLAUSES]


def _with_subject_of(previous: Clause, clause: Clause) -> Clause:
    """Give a clause the subject of the one before: "… but not in the tests"."""
    count = previous.subject_end
    clause.content = [*(copy(t) for t in previous.content[:count]), *clause.content]
    clause.lemmas = [token.lemma for token in clause.content]
    clause.bag = frozenset(clause.lemmas)
    clause.subject_end, clause.definite, clause.personal = count, previous.definite, previous.personal
    if clause.frame_at >= 0:
        clause.frame_at += count
    return clause


def _parts(text: str) -> Iterator[tuple[str, bool, bool]]:
    """Yield the statements of a text without code: the text, whether it continues the statement before, and
    whether it only explains."""
    fenced = explanatory = False
    for line in text.translate(_APOSTROPHES).split("\n"):
        if _FENCE.match(line):
            fenced = not fenced
            continue
        if fenced:
            continue
        explanatory = _EXPLANATION.match(line) is not None or (
            explanatory and bool(line.strip()) and not _HEADING.match(line)
        )
        line = _LABEL.sub("", _BULLET.sub("", line))
        for part in _SPLIT.split(line):
            part = part.strip()
            if not part:
                continue
            clauses = _CONJUNCTION.split(part) if len(part) < MAX_SENTENCE else [part]
            parts = [
                each
                for clause in clauses
                if clause and clause.strip()
                for each in _statements(clause.strip())
            ]
            for index, (statement, is_cause) in enumerate(parts):
                yield statement, index > 0, explanatory or is_cause


def _statements(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the statements of a part of a sentence, and whether each only gives a cause; "key: value" stays
    whole."""
    keyed = _KEY_VALUE.match(text)
    if _ASSIGNMENT.match(text) or (
        keyed and not _FINITE_VERB.search(keyed[1]) and not _NEGATION.search(keyed[1])
    ):
        yield text, False
        return
    for statement, is_cause in statements(text):
        if statement.strip():
            yield statement.strip(), is_cause


def _read(part: str, topic: list[Token]) -> Iterator[Clause]:
    """Yield the clauses of a statement: "use pnpm, never npm" has two."""
    keyed = _KEY_VALUE.match(part) or _ASSIGNMENT.match(part)
    tokens = tokens_of(part)
    if not tokens:
        return
    exclusion = _EXCLUSION.search(part) if not keyed else None
    if exclusion and exclusion.start() > 3 and len(tokens_of(part[exclusion.end() :])) <= 6:
        negator = exclusion[1].lower()
        kept = part[: exclusion.start()]
        is_exclusion = (
            negator in ("rather than", "instead of") or kept.rstrip().endswith(",") or "," in exclusion[0]
        )
        if is_exclusion:
            first = _clause(tokens_of(kept), topic, kept)
            yield first
            other = tokens_of(part[exclusion.end() :])
            frame = first.content[: max(first.subject_end + 1, 1)] if first.has_verb or first.frame else []
            second = _clause([*(copy(t) for t in frame), *other], topic, part[exclusion.end() :])
            second.negated, second.negator = True, negator
            second.definite = first.definite
            second.inherited_scope = tuple(
                (t.marker, t.lemma) for t in first.content if t.marker in ("in", "for", "on", "at")
            )
            yield second
            return
    clause = _clause(tokens, topic, part)
    if keyed:
        _as_frame(clause, keyed[1])
        key = " ".join(
            lexicon().lemma_of(negator) for negator in re.split(r"[\s_.-]+", keyed[1].lower()) if negator
        )
        if len(key.split()) <= 5 and not _FINITE_VERB.search(keyed[1]):
            clause.key, clause.value = key, keyed[2].strip()
            clause.definite = True
    yield clause


def _as_frame(clause: Clause, key: str) -> None:
    """Give "Owner: Ana" the frame of "is owned by Ana"."""
    frame = FRAMES_OF_KEYS.get(" ".join(re.split(r"[\s_.-]+", key.lower())))
    key_length = len(tokens_of(key))
    if frame is None or len(clause.content) <= key_length:
        return
    first = Token(key, key.lower(), frame, 0)
    clause.content = [first, *clause.content[key_length:]]
    clause.lemmas = [token.lemma for token in clause.content]
    clause.bag = frozenset(clause.lemmas)
    clause.subject_end, clause.frame, clause.frame_at = 0, frame, 0


def _clause(tokens: list[Token], topic: list[Token], text: str) -> Clause:
    for index, token in enumerate(tokens):
        token.position = index
    reader = ClauseReader(tokens, bool(topic))
    content, subject_end = reader.content, reader.subject_end
    start = tokens[0].low if tokens else ""
    definite = _is_definite(content, subject_end, start, tokens)
    frame_at = reader.frame_at
    if start in _PRONOUNS and topic:
        content = [*(copy(token) for token in topic), *content]
        subject_end += len(topic)
        frame_at += len(topic) if frame_at >= 0 else 0
        definite = True
    has_name = any(_is_certain_name(token) for token in content[: max(1, subject_end)])
    lemmas = [token.lemma for token in content]
    gone = reader.negated and is_gone(tokens, reader.negator_indices)
    return Clause(
        content=content,
        function_words=reader.function_words,
        bag=frozenset(lemmas),
        lemmas=lemmas,
        subject_end=subject_end,
        negated=reader.negated,
        negator=reader.negator,
        negated_from=reader.negated_from,
        negator_at=min(reader.negator_indices, default=-1),
        negated_to=max(1, subject_end)
        if gone
        else reader.negated_to,  # "support was dropped": the subject itself
        definite=definite,
        personal=start in _DEFINITE or has_name,
        event=reader.event,
        has_verb=reader.verb_index >= 0,
        frame=reader.frame,
        frame_at=frame_at,
        past=reader.past,
        text=text,
    )


def _is_certain_name(token: Token) -> bool:
    return token.lemma == "user" or (token.is_name and not lexicon().classes_of(token.lemma))


def _is_definite(content: list[Token], subject_end: int, start: str, tokens: list[Token]) -> bool:
    """Whether a clause is about one certain thing: not about "a man", nor about "the man" in a scene."""
    if not content:
        return False
    words = lexicon()
    subject = content[: max(1, subject_end)]
    if any(
        token.lemma == "user" or (token.is_name and not words.classes_of(token.lemma)) for token in subject
    ):
        return True
    lows = [token.low for token in tokens]
    if start in _DEFINITE:
        return True
    if start == "there":
        return any(low in ("the", "our", "my", "this") for low in lows[2:]) and not words.is_animate(
            subject[-1].lemma
        )
    if start in GENERIC_STARTS or (content[0].quantity is not None and content[0].position == 0):
        return False
    scene = any(low in ("is", "are") and following.endswith("ing") for low, following in pairwise(lows))
    return not (scene and any(words.is_animate(token.lemma) for token in subject[-1:]))
