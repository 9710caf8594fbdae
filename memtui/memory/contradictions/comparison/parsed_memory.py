"""One side of a pair: what a memory says, taken apart once for all its comparisons."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from memtui.memory.contradictions.language.clauses import CLAUSES, TEXT, Clause, clauses
from memtui.memory.contradictions.language.lexicon import lexicon
from memtui.memory.contradictions.language.tokens import TOKENS, Token
from memtui.memory.contradictions.subjects import normalize_name, is_user, words_in, remove_name, words_of
from memtui.memory.contradictions.word_changes import is_code

_WORDS = re.compile(r"\S+")
_LIST_MARK = re.compile(r"^(?:[-*+•]|#{1,6}) (?!\d)")
_QUOTES = "\"'`"


@dataclass(frozen=True, slots=True)
class ParsedMemory:
    """What a detector may look at: the text with its clauses; `bare_clauses` are the same without the name of its
    subject, where they begin with that. `title`, `key` and `owner` as stored, times in
    Unix seconds; `subject` is folded; `names` are the words that name it, or that head the text. `fingerprint` is
    title and text without case, spaces and end marks, `text_fingerprint` that of the text alone."""

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
    at: float | None = None  # when it was last said (updated or made)
    proper_names: frozenset[str] = field(default_factory=frozenset)  # names of people and things that it says
    opening_words: frozenset[str] = field(default_factory=frozenset)  # words with which its statements begin
    truncated: bool = False  # too long to be looked at whole
    about: str = ""  # of whom or what, in lower case: its subject, else that of its first statement

    def mentions(self, other: ParsedMemory) -> bool:
        """Whether this text, which has no subject of its own, speaks of the other's."""
        if is_user(other.subject):
            return self.about in ("", "user")
        return other.names <= words_in(f"{self.title} {self.text}") or other.subject in normalize_name(self.text)

    def as_statement_about(self, other: ParsedMemory) -> ParsedMemory:
        """What this text, which has no subject of its own, says of the other's."""
        if is_user(other.subject):
            return self
        about = [each for each in self.clauses if len(self.clauses) == 1 or _names(each, other)]
        said = tuple(remove_name(_copied(each), other.names) for each in about)
        return replace(self, clauses=tuple(about), bare_clauses=said, names=other.names)


def read(
    text: str,
    *,
    title: str | None = None,
    subject: str | None = None,
    key: str | None = None,
    owner: str | None = None,
    valid_from: float | None = None,
    valid_to: float | None = None,
    at: float | None = None,
) -> ParsedMemory:
    """Take a memory apart; the dear half of a comparison, so it is kept for all of them. Never raises."""
    title, about = (title or "").strip(), (subject or "").strip()
    with_heading = title and title not in text
    saying = _gist(text)
    names = words_of(about) if about else frozenset[str]()
    said = clauses(text)
    bare = said
    if names:  # a key is no name: "Owner: Tobias" of "owner of the rewrite"
        bare = [each if each.key else remove_name(each, names) for each in clauses(text, about)]
    if with_heading and text.strip():
        # A title that is a statement itself counts as one; one that only names does not.
        head = [each for each in clauses(title) if each.verb and each.subject]
        said, bare = head + said, head + bare
    elif with_heading:
        said = bare = clauses(title)
    first = next((clause for clause in said if clause.subject), None)
    told = about.casefold()
    if not told and first is not None:
        told = " ".join(first.lemmas[: first.subject])[:80]
    gist = _gist(f"{title}. {text}") if with_heading else saying
    return ParsedMemory(
        text, gist, tuple(said), tuple(bare), saying, names, normalize_name(about), title, (key or "").strip(),
        owner or "", valid_from, valid_to, at, _proper(said, title), _begun(said),
        _is_cut(text, said), told,
    )  # fmt: skip


def _is_cut(text: str, said: Sequence[Clause]) -> bool:
    """Whether something was left out, so that nobody can tell that two texts say the same."""
    long = any(len(_WORDS.findall(clause.text)) > TOKENS - 8 for clause in said)
    return len(text) > TEXT or len(said) >= CLAUSES or long


def _proper(said: list[Clause], title: str) -> frozenset[str]:
    """The names of certain things that a memory says, as far as no dictionary knows them."""
    found = {
        token.lemma for clause in said if not clause.explanatory for token in clause.content if _is_proper(token)
    }
    return frozenset(found | {word for word in words_in(title) if _is_rare(word)})


def _begun(said: list[Clause]) -> frozenset[str]:
    """The words in capitals with which statements begin: they may be names."""
    first = (clause.content[0] for clause in said if clause.content)
    return frozenset(token.lemma for token in first if token.text[:1].isupper() and token.quantity is None)


def _is_proper(token: Token) -> bool:
    return (
        token.quantity is None and (token.is_name or _is_rare(token.lemma)) and not lexicon().classes_of(token.lemma)
    )


def _is_rare(word: str) -> bool:
    return len(word) > 3 and word.isalpha() and not lexicon().has_word(word) and not lexicon().classes_of(word)


def _gist(text: str) -> str:
    """What a text says letter by letter, but for blanks, a list mark, a final full stop and capitals: all
    else may tell one thing from another ("C#", "-5", "aBc7", "allowed?")."""
    words = _LIST_MARK.sub("", " ".join(text.split())).split()
    if text.isupper():
        words = [word.casefold() for word in words]
    plain = " ".join(word if is_code(word.rstrip(".,;:!?")) else word.casefold() for word in words)
    plain = plain.removesuffix("!")
    plain = plain[:-1] if plain.endswith(".") and not plain.endswith("..") else plain
    quoted = plain[:1] in _QUOTES and plain[-1:] == plain[:1] and plain.count(plain[:1]) == 2
    return plain[1:-1] if quoted else plain


def _names(clause: Clause, other: ParsedMemory) -> bool:
    return other.names <= words_in(clause.text) or other.subject in normalize_name(clause.text)


def _copied(clause: Clause) -> Clause:
    return replace(clause)
