"""A sentence taken apart into words, known phrases and quantities."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice

from memtui.memory.contradictions.language import quantities
from memtui.memory.contradictions.language.lexicon import lexicon
from memtui.memory.contradictions.language.quantities import Quantity
from memtui.memory.contradictions.language.vocabulary import PARAPHRASES, NEGATORS, FRAME_PHRASES, PRONOUNS, STOP_WORDS

TOKENS = 64  # of a sentence that are looked at

_TOKEN = re.compile(
    r"\w+://[^\s<>\"')\]]+|[\w.+-]+@[\w-]+\.\w+|[$€£¥]\d[\d.,]*\w*|\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z?)?"
    r"|\d{1,2}:\d{2}(?::\d{2})?(?:[ap]m)?|v?\d+(?:[.,]\d+)*(?:[%°+]|[a-zA-Zµ]+(?:/[a-z]+)?)?(?:-\w+)*"
    r"|[.@~]?[\w$]+(?:[./\\:_+#'’@-]+\w+)*(?:\+\+|#)?|[~<>≤≥%≈–—]|=>|->|:"
)


@dataclass(slots=True)
class Token:
    """One word or quantity. `lemma` is what it is compared by; `marker` the word that ties it to the
    clause ("in", "when"); `position` its number in the clause."""

    text: str
    low: str
    lemma: str
    position: int
    is_name: bool = False
    quantity: Quantity | None = None
    marker: str = ""
    direct_marker: str = ""  # the same, where it stands right before
    comma: bool = False  # a comma follows
    is_scope: bool = False  # says when, where or under which condition


def copy(token: Token) -> Token:
    return Token(token.text, token.low, token.lemma, token.position, token.is_name, token.quantity, token.marker)


_SHORT = re.compile(r"\b(\w+)n't\b", re.I)
_PLAIN = {phrase: word for word, told in PARAPHRASES.items() for phrase in told.split("|")}
_MEANT = re.compile(
    "|".join(rf"\b{re.escape(phrase)}\b" for phrase in sorted(_PLAIN, key=len, reverse=True)), re.I
)
_HELPED = re.compile(r"\b(\w+)'(?:ve|ll|re|d|m)\b", re.I)
_NO_ONE = re.compile(r"\b(?:no one|no-one|not a single|not one)\b", re.I)
_LEFT = re.compile(r"\b(?:leave|leaves|keep|keeps) (?:out (\w+(?: \w+)?)|((?:\w+ ){0,3}?\w+) out of)\b", re.I)
_KEPT_OUT = re.compile(r"\b(?:be|is|are|was|were) (?:kept|left) out of\b", re.I)
_MID = re.compile(r"\b(mid|early|late)-(?=[A-Z])")
_WHOLE = {"ca": "can", "wo": "will", "sha": "shall", "ai": "is"}


def tokens_of(part: str) -> list[Token]:
    """Words, phrases and quantities, in order."""
    part = _SHORT.sub(lambda m: f"{_WHOLE.get(m[1].lower(), m[1])} not", part)
    part = _HELPED.sub(r"\1", part)
    part = _NO_ONE.sub("nobody", part)
    part = _MID.sub(r"\1 ", part)
    part = _KEPT_OUT.sub("not be in", part)
    part = _LEFT.sub(r"no \1\2 in", part)
    part = part.replace("cannot", "can not").replace("Cannot", "Can not")
    part = _MEANT.sub(lambda m: _PLAIN[m[0].lower()], part)
    found = list(islice(_TOKEN.finditer(part), TOKENS))
    texts = [_trimmed(m[0]) for m in found]
    commas = {word for word, m in enumerate(found) if part[m.end() : m.end() + 1] == ","}
    commas = {kept for kept, at in enumerate(at for at, word in enumerate(texts) if word) if at in commas}
    texts = [word for word in texts if word]
    lows = ["usa" if word == "US" else word.lower() for word in texts]
    tokens: list[Token] = []
    words = lexicon()
    at = 0
    while at < len(lows):
        told = quantities.quantity_at(lows, at)
        if told is not None:
            quantity, length = told
            tokens.append(
                Token(" ".join(texts[at : at + length]), quantity.text, quantity.key, at, False, quantity)
            )
            at += length
            continue
        phrase = FRAME_PHRASES.get(lows[at])
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
        lemma = low if shouted or "_" in low or "/" in low or not low.isalpha() else words.lemma_of(low)
        name = texts[at][:1].isupper() and (at > 0 or not _common(lemma)) and low not in STOP_WORDS
        tokens.append(Token(texts[at], low, PRONOUNS.get(low, lemma), at, name))
        at += 1
    ends = [token.position for token in tokens[1:]]
    for token, end in zip(tokens, [*ends, len(texts)], strict=False):
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
            both = Quantity("time", last.value + this.value, last.approximate or this.approximate, text)
            found[-1] = Token(text, text, both.key, found[-1].position, False, both)
            continue
        found.append(token)
    return found


_BETWEEN = frozenset("never not yet just already also been since always recently now long only".split())


def _common(lemma: str) -> bool:
    """Whether a word at the head of a sentence is no name."""
    words = lexicon()
    return any(words.can_be(lemma, part) for part in "nvar") or bool(words.classes_of(lemma))


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
    base = lexicon().lemma_of(behind)
    return base != behind and not behind.endswith("s") and lexicon().can_be(base, "v")


def _trimmed(word: str) -> str:
    if word.endswith("s'") and word[:1].isupper():
        word = word[:-2]  # "the Abernathys' terrier"
    word = word.strip("'\"*`")
    if word.endswith(("'s", "'S")):
        word = word[:-2]
    return word if "://" in word else word.rstrip(".,:;!?'")
