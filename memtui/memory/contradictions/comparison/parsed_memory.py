"""A memory parsed once for all of its comparisons."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from memtui.memory.contradictions.language.clauses import MAX_CLAUSES, MAX_TEXT, Clause, clauses
from memtui.memory.contradictions.language.lexicon import lexicon
from memtui.memory.contradictions.language.tokens import MAX_TOKENS, Token
from memtui.memory.contradictions.subjects import is_user, name_words, normalize_name, remove_name, words_in
from memtui.memory.contradictions.word_changes import is_code

_WORDS = re.compile(r"\S+")
_LIST_MARKER = re.compile(r"^(?:[-*+•]|#{1,6}) (?!\d)")
_QUOTES = "\"'`"


@dataclass(frozen=True, slots=True)
class ParsedMemory:
    """A memory as the detectors see it.

    `fingerprint` is title and text without case, spaces and a final full stop, `text_fingerprint` that of the
    text alone. `bare_clauses` are the clauses without the name of the subject that they begin with. `names`
    are the words that name the subject or head the text; `subject` is normalized; `title`, `key` and `owner`
    are as stored; times are Unix seconds.
    """

    text: str
    fingerprint: str
    clauses: tuple[Clause, ...]
    bare_clauses: tuple[Clause, ...] = ()
    text_fingerprint: str = ""
    names: frozenset[str] = field(default_factory=frozenset)
    subject: str = ""
    title: str = ""
    key: str = ""
    owner: str = ""
    valid_from: float | None = None
    valid_to: float | None = None
    proper_names: frozenset[str] = field(default_factory=frozenset)  # of people and things in the text
    opening_words: frozenset[str] = field(default_factory=frozenset)  # capitalised, at the start of a clause
    truncated: bool = False  # too long to be compared as a whole
    about: str = ""  # its subject in lower case, else that of its first clause

    def mentions(self, other: ParsedMemory) -> bool:
        """Whether this text, which has no subject of its own, mentions the subject of the other."""
        if is_user(other.subject):
            return self.about in ("", "user")
        return _mentions(f"{self.title} {self.text}", other) or other.subject in normalize_name(self.text)

    def as_statement_about(self, other: ParsedMemory) -> ParsedMemory:
        """Return what this text, which has no subject of its own, says about the subject of the other."""
        if is_user(other.subject):
            return self
        about = [
            each
            for each in self.clauses
            if len(self.clauses) == 1
            or _mentions(each.text, other)
            or other.subject in normalize_name(each.text)
        ]
        bare = tuple(remove_name(replace(each), other.names) for each in about)
        return replace(self, clauses=tuple(about), bare_clauses=bare, names=other.names)


def read(
    text: str,
    *,
    title: str | None = None,
    subject: str | None = None,
    key: str | None = None,
    owner: str | None = None,
    valid_from: float | None = None,
    valid_to: float | None = None,
) -> ParsedMemory:
    """Parse a memory. This is the expensive half of a comparison, so the result should be kept for all of
    them. Never raises."""
    title, subject = (title or "").strip(), (subject or "").strip()
    has_own_title = title and title not in text
    text_fingerprint = _fingerprint(text)
    names = name_words(subject) if subject else frozenset[str]()
    parsed = clauses(text)
    bare = parsed
    if names:  # a key is no name: "Owner: Tobias" of "owner of the rewrite"
        bare = [each if each.key else remove_name(each, names) for each in clauses(text, subject)]
    if has_own_title and text.strip():
        # A title counts as a clause only if it is a statement itself.
        statements = [each for each in clauses(title) if each.has_verb and each.subject_end]
        parsed, bare = statements + parsed, statements + bare
    elif has_own_title:
        parsed = bare = clauses(title)
    first = next((clause for clause in parsed if clause.subject_end), None)
    about = subject.casefold()
    if not about and first is not None:
        about = " ".join(first.lemmas[: first.subject_end])[:80]
    return ParsedMemory(
        text=text,
        fingerprint=_fingerprint(f"{title}. {text}") if has_own_title else text_fingerprint,
        clauses=tuple(parsed),
        bare_clauses=tuple(bare),
        text_fingerprint=text_fingerprint,
        names=names,
        subject=normalize_name(subject),
        title=title,
        key=(key or "").strip(),
        owner=owner or "",
        valid_from=valid_from,
        valid_to=valid_to,
        proper_names=_proper_names(parsed, title),
        opening_words=_opening_words(parsed),
        truncated=_is_truncated(text, parsed),
        about=about,
    )


def _is_truncated(text: str, parsed: Sequence[Clause]) -> bool:
    """Whether something was left out, so that two texts cannot be known to say the same."""
    long = any(len(_WORDS.findall(clause.text)) > MAX_TOKENS - 8 for clause in parsed)
    return len(text) > MAX_TEXT or len(parsed) >= MAX_CLAUSES or long


def _proper_names(parsed: list[Clause], title: str) -> frozenset[str]:
    """Return the names in the clauses, and the words of the title that are in no dictionary."""
    found = {
        token.lemma
        for clause in parsed
        if not clause.explanatory
        for token in clause.content
        if _is_proper_name(token)
    }
    return frozenset(found | {word for word in words_in(title) if _is_rare(word)})


def _opening_words(parsed: list[Clause]) -> frozenset[str]:
    """Return the capitalised words that begin clauses: they may be names."""
    first = (clause.content[0] for clause in parsed if clause.content)
    return frozenset(token.lemma for token in first if token.text[:1].isupper() and token.quantity is None)


def _is_proper_name(token: Token) -> bool:
    return (
        token.quantity is None
        and (token.is_name or _is_rare(token.lemma))
        and not lexicon().classes_of(token.lemma)
    )


def _is_rare(word: str) -> bool:
    if len(word) <= 3 or not word.isalpha():
        return False
    return not lexicon().has_word(word) and not lexicon().classes_of(word)


def _fingerprint(text: str) -> str:
    """Return a text letter by letter but for spaces, a list marker, a final full stop and case; everything
    else may tell one thing from another ("C#", "-5", "aBc7", "allowed?")."""
    words = _LIST_MARKER.sub("", " ".join(text.split())).split()
    if text.isupper():
        words = [word.casefold() for word in words]
    plain = " ".join(word if is_code(word.rstrip(".,;:!?")) else word.casefold() for word in words)
    plain = plain.removesuffix("!")
    plain = plain[:-1] if plain.endswith(".") and not plain.endswith("..") else plain
    quoted = plain[:1] in _QUOTES and plain[-1:] == plain[:1] and plain.count(plain[:1]) == 2
    return plain[1:-1] if quoted else plain


def _mentions(text: str, other: ParsedMemory) -> bool:
    return other.names <= words_in(text)
