"""Splits a sentence into words, known phrases and quantities."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice

from memtui.memory.contradictions.language import quantities
from memtui.memory.contradictions.language.lexicon import lexicon
from memtui.memory.contradictions.language.quantities import Quantity
from memtui.memory.contradictions.language.vocabulary import (
    FRAME_PHRASES,
    NEGATORS,
    PARAPHRASES,
    PRONOUNS,
    STOP_WORDS,
)

MAX_TOKENS = 64  # of a sentence that are read

_TOKEN = re.compile(
    r"\w+://[^\s<>\"')\]]+|[\w.+-]+@[\w-]+\.\w+|[$€£¥]\d[\d.,]*\w*|\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z?)?"
    r"|\d{1,2}:\d{2}(?::\d{2})?(?:[ap]m)?|v?\d+(?:[.,]\d+)*(?:[%°+]|[a-zA-Zµ]+(?:/[a-z]+)?)?(?:-\w+)*"
    r"|[.@~]?[\w$]+(?:[./\\:_+#'’@-]+\w+)*(?:\+\+|#)?|[~<>≤≥%≈–—]|=>|->|:"
)


@dataclass(slots=True)
class Token:
    """A word, a known phrase or a quantity. `lemma` is what it is compared by; `marker` is the word that
    connects it to the clause ("in", "when"); `position` is its number in the clause."""

    text: str
    low: str
    lemma: str
    position: int
    is_name: bool = False
    quantity: Quantity | None = None
    marker: str = ""
    direct_marker: str = ""  # the marker, where it stands right before
    comma: bool = False  # a comma follows
    is_scope: bool = False  # says when, where or under which condition


def copy(token: Token) -> Token:
    """Copy what a token is, without what it means in its clause."""
    return Token(
        token.text, token.low, token.lemma, token.position, token.is_name, token.quantity, token.marker
    )


_CONTRACTED_NOT = re.compile(r"\b(\w+)n't\b", re.I)
_PARAPHRASED = {phrase: word for word, phrases in PARAPHRASES.items() for phrase in phrases.split("|")}
_PARAPHRASE = re.compile(
    "|".join(rf"\b{re.escape(phrase)}\b" for phrase in sorted(_PARAPHRASED, key=len, reverse=True)), re.I
)
_CONTRACTED_VERB = re.compile(r"\b(\w+)'(?:ve|ll|re|d|m)\b", re.I)
_NOBODY = re.compile(r"\b(?:no one|no-one|not a single|not one)\b", re.I)
_LEFT_OUT = re.compile(
    r"\b(?:leave|leaves|keep|keeps) (?:out (\w+(?: \w+)?)|((?:\w+ ){0,3}?\w+) out of)\b", re.I
)
_KEPT_OUT = re.compile(r"\b(?:be|is|are|was|were) (?:kept|left) out of\b", re.I)
_MID = re.compile(r"\b(mid|early|late)-(?=[A-Z])")
_FULL_FORMS = {"ca": "can", "wo": "will", "sha": "shall", "ai": "is"}


def tokens_of(part: str) -> list[Token]:
    """Return the words, phrases and quantities of a sentence, in order."""
    part = _normalized(part)
    matches = list(islice(_TOKEN.finditer(part), MAX_TOKENS))
    trimmed = [(_trimmed(m[0]), part[m.end() : m.end() + 1] == ",") for m in matches]
    trimmed = [(word, comma) for word, comma in trimmed if word]
    texts = [word for word, _ in trimmed]
    commas = {index for index, (_, comma) in enumerate(trimmed) if comma}
    lows = ["usa" if word == "US" else word.lower() for word in texts]
    tokens: list[Token] = []
    index = 0
    while index < len(lows):
        token, length = _quantity(texts, lows, index) or _phrase(texts, lows, index) or (None, 1)
        tokens.append(token or _word(texts[index], lows[index], index))
        index += length
    ends = [token.position for token in tokens[1:]]
    for token, end in zip(tokens, [*ends, len(texts)], strict=False):
        token.comma = end - 1 in commas
    return _merge_times(tokens)


def _normalized(part: str) -> str:
    """Expand contractions, and replace phrases by plain words of the same meaning."""
    part = _CONTRACTED_NOT.sub(lambda m: f"{_FULL_FORMS.get(m[1].lower(), m[1])} not", part)
    part = _CONTRACTED_VERB.sub(r"\1", part)
    part = _NOBODY.sub("nobody", part)
    part = _MID.sub(r"\1 ", part)
    part = _KEPT_OUT.sub("not be in", part)
    part = _LEFT_OUT.sub(r"no \1\2 in", part)
    part = part.replace("cannot", "can not").replace("Cannot", "Can not")
    return _PARAPHRASE.sub(lambda m: _PARAPHRASED[m[0].lower()], part)


def _quantity(texts: list[str], lows: list[str], index: int) -> tuple[Token, int] | None:
    """Return the quantity at an index as a token, and the number of its words."""
    found = quantities.quantity_at(lows, index)
    if found is None:
        return None
    quantity, length = found
    text = " ".join(texts[index : index + length])
    return Token(text, quantity.text, quantity.key, index, False, quantity), length


def _phrase(texts: list[str], lows: list[str], index: int) -> tuple[Token, int] | None:
    """Return the known phrase at an index as a token, and the number of its words."""
    frames = FRAME_PHRASES.get(lows[index], ())
    words, frame = next(((p, f) for p, f in frames if tuple(lows[index : index + len(p)]) == p), ((), ""))
    if words and not (frame == "@has" and _is_auxiliary(lows, index + 1)):
        lemma = frame
    else:
        words = lexicon().phrase_at(lows, index) if index + 1 < len(lows) else ()
        if not words or not NEGATORS.isdisjoint(words):
            return None
        lemma = " ".join(words)
    end = index + len(words)
    return Token(" ".join(texts[index:end]), " ".join(lows[index:end]), lemma, index), len(words)


def _word(text: str, low: str, index: int) -> Token:
    is_acronym = text.isupper() and len(low) > 2
    plain = not is_acronym and "_" not in low and "/" not in low and low.isalpha()
    lemma = lexicon().lemma_of(low) if plain else low
    is_name = text[:1].isupper() and (index > 0 or not _is_common_word(lemma)) and low not in STOP_WORDS
    return Token(text, low, PRONOUNS.get(low, lemma), index, is_name)


def _merge_times(tokens: list[Token]) -> list[Token]:
    """Merge "2 h 5 min" into one time."""
    found: list[Token] = []
    for token in tokens:
        previous = found[-1].quantity if found else None
        current = token.quantity
        if previous and current and previous.kind == current.kind == "time":
            assert isinstance(previous.value, float)
            assert isinstance(current.value, float)
            text = f"{previous.text} {current.text}"
            total = Quantity(
                "time", previous.value + current.value, previous.approximate or current.approximate, text
            )
            found[-1] = Token(text, text, total.key, found[-1].position, False, total)
            continue
        found.append(token)
    return found


_ADVERBS = frozenset("never not yet just already also been since always recently now long only".split())


def _is_common_word(lemma: str) -> bool:
    """Whether a word at the start of a sentence is no name."""
    words = lexicon()
    return any(words.can_be(lemma, part) for part in "nvar") or bool(words.classes_of(lemma))


def _is_auxiliary(lows: list[str], index: int) -> bool:
    """Whether "has" is only an auxiliary: "has never joined", "has to"."""
    if index >= len(lows):
        return True
    while index < len(lows) and lows[index] in _ADVERBS:
        index += 1
    if index == len(lows):
        return True
    following = lows[index]
    if following in ("to", "had", "gone", "done", "made") or lows[index - 1] == "been":
        return True
    lemma = lexicon().lemma_of(following)
    return lemma != following and not following.endswith("s") and lexicon().can_be(lemma, "v")


def _trimmed(word: str) -> str:
    if word.endswith("s'") and word[:1].isupper():
        word = word[:-2]  # "the Abernathys' terrier"
    word = word.strip("'\"*`")
    if word.endswith(("'s", "'S")):
        word = word[:-2]
    return word if "://" in word else word.rstrip(".,:;!?'")
