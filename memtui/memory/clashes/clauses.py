"""Texts taken apart into clauses: what each says of what, denied or not, when and under which condition."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice, pairwise

from memtui.memory.clashes import quantities
from memtui.memory.clashes.lexicon import lexicon
from memtui.memory.clashes.quantities import Quantity
from memtui.memory.clashes.vocabulary import (
    DENIALS,
    ENDINGS,
    FILLERS,
    FORBIDDEN,
    FRAMES,
    GENERIC_STARTS,
    MARKERS,
    MONTHLY,
    NEGATORS,
    NO_DENIALS,
    PHRASES,
    PRONOUNS,
    SCOPES,
    STATES,
    STOPS,
)

TEXT = 8_000  # characters of a memory that are looked at
CLAUSES = 48
TOKENS = 64  # of a clause

_TOKEN = re.compile(
    r"\w+://[^\s<>\"')\]]+|[\w.+-]+@[\w-]+\.\w+|[$€£¥]\d[\d.,]*\w*|\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z?)?"
    r"|\d{1,2}:\d{2}(?::\d{2})?(?:[ap]m)?|v?\d+(?:[.,]\d+)*(?:[%°+]|[a-zA-Zµ]+(?:/[a-z]+)?)?(?:-\w+)*"
    r"|[.@~]?[\w$]+(?:[./\\:_+#'’@-]+\w+)*(?:\+\+|#)?|[~<>≤≥%≈–—]|=>|->|:"
)
_SPLIT = re.compile(
    r"\n+|(?<!\b[DMJS]r\.)(?<!\bM[rs]s\.)(?<!\b[MS][st]\.)(?<!\bProf\.)(?<!\bvs\.)(?<=[.!?;。！？])[\"')\]]*\s+|\s+[—–]\s+|;\s|\s\|\s"
)
_BULLET = re.compile(r"^\s*(?:[-*+•>#]+|\d+[.)]|\[[ xX]\])\s+")
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_KEYED = re.compile(
    r"^[\s\"'*_`]*([A-Za-z][\w ./()-]{0,40}?)[\"'*_`]*\s*(?::|=>|=|→)"
    r"[*_\"'`]*\s+[\"'`]*(\S.{0,160}?)[\"'`,;.]*\s*$"
)
_TURN = re.compile(
    r",?\s+(?:but|however|although|though|whereas)\s+|,\s+(?:and then|then|so|and)\s+"
    r"|,\s+(?=(?:it|he|she|they|we|I|please|don't|do not)\s)"
)
_LEFT_OUT = re.compile(r",?\s+(rather than|instead of|never|not|no)\s+", re.I)
_APOSTROPHES = str.maketrans("’‘“”`", "'''''")


@dataclass(slots=True)
class Token:
    """One word or quantity. `lemma` is what it is compared by; `marker` the word that ties it to the
    clause ("in", "when"); `place` its number in the clause."""

    text: str
    low: str
    lemma: str
    place: int
    name: bool = False
    quantity: Quantity | None = None
    marker: str = ""
    lead: str = ""  # the same, where it stands right before
    comma: bool = False  # a comma follows
    scope: bool = False  # says when, where or under which condition


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
    known: bool = True
    personal: bool = False  # of somebody by name, of the user, of us
    event: bool = False
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
    for part, goes_on in _parts(text[:TEXT]):
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
    return found[:CLAUSES]


def _of(before: Clause, clause: Clause) -> Clause:
    """A clause that goes on with the subject of the one before: "… but not in the tests"."""
    count = before.subject
    clause.content = [*(_copy(t) for t in before.content[:count]), *clause.content]
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
    keyed = _KEYED.match(part)
    tokens = _tokens(part)
    if not tokens:
        return
    cut = _LEFT_OUT.search(part) if not keyed else None
    if cut and cut.start() > 3 and len(_tokens(part[cut.end() :])) <= 6:
        word = cut[1].lower()
        before = part[: cut.start()]
        plain = word in ("rather than", "instead of") or before.rstrip().endswith(",") or "," in cut[0]
        if plain:
            first = _clause(_tokens(before), head, before)
            yield first
            other = _tokens(part[cut.end() :])
            frame = first.content[: max(first.subject + 1, 1)]
            second = _clause([*(_copy(t) for t in frame), *other], head, part[cut.end() :])
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


def _copy(token: Token) -> Token:
    return Token(token.text, token.low, token.lemma, token.place, token.name, token.quantity, token.marker)


_SHORT = re.compile(r"\b(\w+)n't\b", re.I)
_NO_ONE = re.compile(r"\b(?:no one|no-one|not a single|not one)\b", re.I)
_WHOLE = {"can": "can", "wo": "will", "sha": "shall", "ai": "is"}


def _tokens(part: str) -> list[Token]:
    """Words, phrases and quantities, in order."""
    part = _SHORT.sub(lambda m: f"{_WHOLE.get(m[1].lower(), m[1])} not", part)
    part = _NO_ONE.sub("nobody", part)
    part = part.replace("cannot", "can not").replace("Cannot", "Can not")
    found = list(islice(_TOKEN.finditer(part), TOKENS))
    texts = [_trimmed(m[0]) for m in found]
    commas = {word for word, m in enumerate(found) if part[m.end() : m.end() + 1] == ","}
    commas = {kept for kept, at in enumerate(at for at, word in enumerate(texts) if word) if at in commas}
    texts = [word for word in texts if word]
    lows = [word.lower() for word in texts]
    tokens: list[Token] = []
    words = lexicon()
    at = 0
    while at < len(lows):
        told = quantities.at(lows, at)
        if told is not None:
            quantity, length = told
            tokens.append(
                Token(" ".join(texts[at : at + length]), quantity.text, quantity.key, at, False, quantity)
            )
            at += length
            continue
        phrase = PHRASES.get(lows[at])
        taken = next(((p, to) for p, to in phrase or () if tuple(lows[at : at + len(p)]) == p), None)
        if taken is not None and not (taken[1] == "@has" and _helps(lows, at + 1)):
            length, lemma = len(taken[0]), taken[1]
            tokens.append(
                Token(" ".join(texts[at : at + length]), " ".join(lows[at : at + length]), lemma, at)
            )
            at += length
            continue
        parts = words.phrase_at(lows, at) if at + 1 < len(lows) else ()
        if parts and NEGATORS.isdisjoint(parts):
            low = " ".join(lows[at : at + len(parts)])
            tokens.append(Token(" ".join(texts[at : at + len(parts)]), low, " ".join(parts), at))
            at += len(parts)
            continue
        low = lows[at]
        shouted = texts[at].isupper() and len(low) > 2
        lemma = low if shouted or "_" in low or "/" in low or not low.isalpha() else words.base(low)
        name = texts[at][:1].isupper() and (at > 0 or not _common(lemma)) and low not in STOPS
        tokens.append(Token(texts[at], low, PRONOUNS.get(low, lemma), at, name))
        at += 1
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        end = following.place if following is not None else len(texts)
        token.comma = end - 1 in commas
    return _summed(tokens)


def _summed(tokens: list[Token]) -> list[Token]:
    """ "2 h 5 min" is one time."""
    found: list[Token] = []
    for token in tokens:
        last = found[-1].quantity if found else None
        this = token.quantity
        if last and this and last.kind == this.kind == "time":
            assert isinstance(last.value, float)
            assert isinstance(this.value, float)
            text = f"{last.text} {this.text}"
            both = Quantity("time", last.value + this.value, last.about or this.about, text)
            found[-1] = Token(text, text, both.key, found[-1].place, False, both)
            continue
        found.append(token)
    return found


_BETWEEN = frozenset("never not yet just already also been since always recently now long only".split())


def _common(lemma: str) -> bool:
    """Whether a word at the head of a sentence is no name."""
    words = lexicon()
    return any(words.can_be(lemma, part) for part in "nvar") or bool(words.kinds(lemma))


def _helps(lows: list[str], at: int) -> bool:
    """Whether "has" only helps another verb: "has never joined", "has to"."""
    if at >= len(lows):
        return True
    while at < len(lows) and lows[at] in _BETWEEN:
        at += 1
    if at == len(lows):
        return True
    behind = lows[at]
    if behind in ("to", "had", "gone", "done", "made") or lows[at - 1] == "been":
        return True
    base = lexicon().base(behind)
    return base != behind and not behind.endswith("s") and lexicon().can_be(base, "v")


def _trimmed(word: str) -> str:
    word = word.strip("'\"*`")
    if word.endswith(("'s", "'S")):
        word = word[:-2]
    return word if "://" in word else word.rstrip(".,:;!?'")


def _clause(tokens: list[Token], head: list[Token], text: str) -> Clause:
    words = lexicon()
    for place, token in enumerate(tokens):
        token.place = place
    denied, denial, skip = _denial(tokens)
    content: list[Token] = []
    small: list[str] = []
    marker, verb, event, past = "", -1, False, False
    frame, frame_at = "", -1
    after_be = fresh = False
    for place, token in enumerate(tokens):
        low, lemma = token.low, token.lemma
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
        content = [*(_copy(t) for t in head), *content]
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
    return Clause(
        content,
        small,
        frozenset(lemmas),
        subject,
        denied,
        denial,
        known,
        personal,
        event,
        frame,
        frame_at,
        "",
        "",
        scopes,
        past,
        text,
        lemmas,
    )


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


def _denial(tokens: list[Token]) -> tuple[bool, str, set[int]]:
    """Whether a clause is denied, by which word, and the places of what denies it."""
    count, word = 0, ""
    skip: set[int] = set()
    for place, token in enumerate(tokens):
        low = token.low
        following = [t.low for t in tokens[place + 1 : place + 3]]
        if low in NEGATORS:
            skip.add(place)
            ahead = " ".join([low, *following]) + " "
            if any(ahead.startswith(each + " ") for each in NO_DENIALS):
                continue
            if place and f"{tokens[place - 1].low} {low}" in NO_DENIALS:
                continue
            if low == "no" and following[:1] == ["longer"]:
                skip.add(place + 1)
            if low in ("nor", "neither") and count:
                continue
            count += 1
            word = word or token.text
        elif low in FORBIDDEN:
            skip.add(place)
            count += 1
            word = word or token.text
        elif token.lemma in DENIALS and _denies(token, tokens, place):
            skip.add(place)
            if token.lemma == "use":  # "used to"
                skip.add(place + 1)
            count += 1
            word = word or token.text
    return count % 2 == 1, word, skip


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
    if token.lemma in _GIVEN_UP and before in ("was", "were", "been", "is", "are", "be", "get", "got"):
        ahead = {each.low for each in tokens[:place]}
        return (
            before in ("was", "were", "been")
            and behind != "by"
            and not ahead & {"can", "only", "may", "when"}
        )
    if token.lemma in _GIVEN_UP:
        return bool(behind) and (token.low != token.lemma or token.lemma in ("skip", "omit"))
    return (bool(behind) and before not in ("to", "not")) or before == ""


_GIVEN_UP = frozenset(
    "give drop remove delete cancel terminate sell skip omit abolish scrap ditch".split()
) | {"give up"}
