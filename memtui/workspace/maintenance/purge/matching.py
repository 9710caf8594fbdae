"""Finding texts again in what was kept of other things: complete, or cut off at an edge (S-50).

Hunks keep the text around an edit, so another memory's plan may contain part of a purged text.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from memtui.values import Json, JsonObject

RUN = 5  # consecutive words by which a text is recognised
_MIN_LETTERS = 4  # of a word that can identify a text alone
# A word, or one character of a script that is written without spaces.
_WORD = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\U00020000-\U0003ffff]|[^\W_]+")
_ESCAPE = re.compile(r'\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))')
_BASE64 = re.compile(r"[A-Za-z0-9+/]{16,}={0,2}")

Word: TypeAlias = tuple[str, int, int]  # case-folded, with its span


class TextMatcher:
    """Recognises some texts by runs of their words, and by words that no other memory contains.

    `unique` returns which of some words are in no other memory. `incidental` is what was stored with the
    texts (an author, a session): contexts lose it too, but it alone is no reason to lose anything else.
    """

    def __init__(
        self,
        texts: Iterable[str],
        unique: Callable[[Iterable[str]], set[str]],
        incidental: Iterable[str] = (),
    ) -> None:
        main = [[word for word, _, _ in _words(text)] for text in texts]
        aside = [[word for word, _, _ in _words(text)] for text in incidental]
        self._vocabulary = {word for words in (*main, *aside) for word in words}
        self._complete = {" ".join(words) for words in main if len(words) > 1}
        self._runs: dict[int, set[tuple[str, ...]]] = {}
        self._distinctive = unique(sorted(word for word in self._vocabulary if len(word) >= _MIN_LETTERS))
        if not self._complete:  # a single word
            self._complete = self._distinctive & {word for words in main for word in words}
            self._runs[1] = {(word,) for word in self._complete}
        for words in (*main, *aside):
            size = min(RUN, len(words))
            if size > 1:
                self._runs.setdefault(size, set()).update(_runs(words, size))

    def in_text(self, text: str) -> bool:
        """Return whether a kept text contains a run of the texts."""
        return any(self._has_run(each) for each in _decodings(text))

    def in_value(self, value: Json) -> bool:
        """Return whether any text in a JSON value does."""
        return any(self.in_text(text) for text in _strings(value))

    def complete_in(self, value: Json) -> set[str]:
        """Return those of the texts that some text in a JSON value contains completely, as words."""
        return {
            complete
            for text in _strings(value)
            for each in _decodings(text)
            for complete in self._complete_in(each)
        }

    def _complete_in(self, text: str) -> Iterator[str]:
        if self._has_run(text):  # a complete text has all its runs, which is cheaper to check
            words = f" {' '.join(word for word, _, _ in _words(text))} "
            yield from (complete for complete in self._complete if f" {complete} " in words)

    def quoted_in(self, text: str) -> bool:
        """Return whether a sentence about the texts has as much as one distinctive word of them."""
        return self.in_text(text) or any(word in self._distinctive for word, _, _ in _words(text))

    def _has_run(self, text: str) -> bool:
        words = [word for word, _, _ in _words(text)]
        if self._vocabulary.isdisjoint(words):
            return False
        return any(not runs.isdisjoint(_runs(words, size)) for size, runs in self._runs.items())

    def before(self, text: str) -> str:
        """Return the beginning of a context (the text behind an edit), up to the first match."""
        spans = self._spans(text)
        return text[: spans[0][0]] if spans else "" if self.in_text(text) else text

    def behind(self, text: str) -> str:
        """Return the end of a context (the text before an edit), from the last match on."""
        spans = self._spans(text)
        return text[spans[-1][1] :] if spans else "" if self.in_text(text) else text

    def _spans(self, text: str) -> list[tuple[int, int]]:
        """Return the spans of a context's words that match, and of words of the texts next to them."""
        found = _words(text)
        words = [word for word, _, _ in found]
        hits = {n for n, word in enumerate(words) if word in self._distinctive}
        for size, runs in self._runs.items():
            for n in range(len(words) - size + 1):
                if tuple(words[n : n + size]) in runs:
                    hits.update(range(n, n + size))
        if words:  # a context may be cut off in the middle of a word
            first, last = words[0], words[-1]
            if len(first) >= _MIN_LETTERS and any(word.endswith(first) for word in self._distinctive):
                hits.add(0)
            if len(last) >= _MIN_LETTERS and any(word.startswith(last) for word in self._distinctive):
                hits.add(len(words) - 1)
        for n in sorted(hits):
            for step in (1, -1):
                near = n + step
                while 0 <= near < len(words) and words[near] in self._vocabulary and near not in hits:
                    hits.add(near)
                    near += step
        return [found[n][1:] for n in sorted(hits)]


def redact_plan(
    plan: Mapping[str, Json], matcher: TextMatcher, kept: Callable[[], set[str]]
) -> JsonObject | None:
    """Return a plan without the texts in its contexts; None if its own values contain one of them completely.

    `kept` returns the texts that the plan's memory contains anyway: for those it need not lose its undo.
    """
    redacted: JsonObject = json.loads(json.dumps(plan))
    values: list[Json] = [redacted.get(name) for name in ("removed", "ours", "said", "also")]
    for edit in redacted.get("edits", ()):
        values += [edit.get(name) for name in ("row", "guards", "stamps", "derived", "made", "lost", "whole")]
        for hunk in edit.get("hunks", ()):
            values += hunk[1:3]
            hunk[3:5] = [matcher.behind(hunk[3]), matcher.before(hunk[4])]
    complete = matcher.complete_in(values)
    return None if complete and complete - kept() else redacted


def _words(text: str) -> list[Word]:
    return [(each.group().casefold(), each.start(), each.end()) for each in _WORD.finditer(text)]


def _runs(words: Sequence[str], size: int) -> Iterator[tuple[str, ...]]:
    return zip(*(words[n:] for n in range(size)), strict=False)


def _decodings(text: str) -> Iterator[str]:
    """Yield a kept text as it is, without JSON's escapes, and decoded from base64."""
    yield text
    if "\\" in text:
        yield _ESCAPE.sub(_unescape, text)
    if _BASE64.fullmatch(text):
        try:
            yield base64.b64decode(text, validate=True).decode()
        except (binascii.Error, UnicodeDecodeError):
            return


def _unescape(match: re.Match[str]) -> str:
    return chr(int(match[1], 16)) if match[1] else match[2] if match[2] in '"\\/' else " "


def _strings(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, each in value.items():
            yield str(name)
            yield from _strings(each)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from _strings(each)
