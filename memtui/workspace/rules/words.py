"""Whether a memory has the words of a query, as the full-text index would tell, without asking it.

A lookup costs more than the few texts of one memory, which every write has judged by all rules. The words are
those that the index's own tokenizer makes.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TypeAlias, cast

import apsw

from memtui.memory.query.language import Query

COLUMNS = ("title", "key", "subject", "content", "tags", "source_ref")  # of the table `words`
_TOKENIZER = ("unicode61", ["remove_diacritics", "2"])  # that of the table

Tokens: TypeAlias = tuple[str, ...]
Tokenize: TypeAlias = Callable[[str], Tokens]


def tokenizer_of(connection: apsw.Connection) -> Tokenize:
    """Return the tokenizer of the full-text index, for texts of memories and of queries."""
    split = connection.fts5_tokenizer(*_TOKENIZER)

    def tokenize(text: str) -> Tokens:
        data = text.encode()
        found = split(data, apsw.FTS5_TOKENIZE_DOCUMENT, None, include_offsets=False, include_colocated=False)
        return tuple(cast(list[str], found))

    return tokenize


class Words:
    """The words of one query."""

    def __init__(self, query: Query, tokenize: Tokenize) -> None:
        self._terms = [(term, tokenize(term.text)) for term in query.terms]

    def match(self, texts: Texts) -> bool:
        """Return whether a memory with these texts has all words, and none of the negated ones."""
        # As in the index, a term without any letter that counts, such as a lone accent, is no condition.
        wanted = [tokens for term, tokens in self._terms if not term.negated]
        if wanted and not any(wanted):
            return False
        return all(
            texts.has(tokens, prefix=term.prefix) != term.negated for term, tokens in self._terms if tokens
        )


class Texts:
    """The texts of one memory, by column of the index."""

    def __init__(self, texts: Iterable[str | None], tokenize: Tokenize) -> None:
        self._columns = [tokenize(text) for text in texts if text]

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(token for column in self._columns for token in column)

    @cached_property
    def _sorted(self) -> Sequence[str]:
        return sorted(self._known)

    def has(self, phrase: Tokens, *, prefix: bool) -> bool:
        """Return whether these words follow each other in one text; of the last one, with `prefix`, longer
        ones count, too."""
        *first, last = phrase
        if not self._known.issuperset(first) or not self._has_one(last, prefix=prefix):
            return False
        return not first or any(_follow(column, first, last, prefix) for column in self._columns)

    def _has_one(self, word: str, *, prefix: bool) -> bool:
        if not prefix:
            return word in self._known
        at = bisect_left(self._sorted, word)
        return at < len(self._sorted) and self._sorted[at].startswith(word)


def _follow(column: Tokens, first: Sequence[str], last: str, prefix: bool) -> bool:
    count = len(first)
    for at in range(len(column) - count):
        if column[at] == first[0] and list(column[at : at + count]) == first:
            word = column[at + count]
            if word == last or (prefix and word.startswith(last)):
                return True
    return False
