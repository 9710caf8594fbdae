"""Finding a text again in what was kept of other things: whole, or cut off at an edge (S-50).

Hunks keep what stood around an edit, so a neighbour's plan may hold a piece of a purged text.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

RUN = 5  # words in a row that tell a text
_TELLING = 4  # letters of a word that can tell a text alone
# A word, or one sign of a script that writes without spaces.
_WORD = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\U00020000-\U0003ffff]|[^\W_]+")
_ESCAPE = re.compile(r'\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))')
_BASE64 = re.compile(r"[A-Za-z0-9+/]{16,}={0,2}")


class Traces:
    """What some texts are known by: runs of their words, and words that nothing else says.

    `only` tells which of some words stand in no other memory. `beside` is what stood beside the texts
    (an author, a session): a context loses it too, but by it alone nothing else is lost."""

    def __init__(
        self,
        texts: Iterable[str],
        only: Callable[[Iterable[str]], set[str]],
        beside: Iterable[str] = (),
    ) -> None:
        said, near = ([[word for word, _, _ in _words(text)] for text in each] for each in (texts, beside))
        self._words = {word for words in (*said, *near) for word in words}
        self._whole = {" ".join(words) for words in said if len(words) > 1}
        self._runs: dict[int, set[tuple[str, ...]]] = {}
        self._telling = only(sorted(word for word in self._words if len(word) >= _TELLING))
        if not self._whole:  # a single word
            self._whole = self._telling & {word for words in said for word in words}
            self._runs[1] = {(word,) for word in self._whole}
        for words in (*said, *near):
            size = min(RUN, len(words))
            if size > 1:
                self._runs.setdefault(size, set()).update(_runs(words, size))

    def in_text(self, text: str) -> bool:
        """Whether a kept text says what the texts said."""
        return any(self._says(each) for each in _readings(text))

    def in_value(self, value: Any) -> bool:
        """Whether any text in a JSON value does."""
        return any(self.in_text(text) for text in _strings(value))

    def whole_in(self, value: Any) -> set[str]:
        """Those of the texts of which some text in a JSON value says all."""
        return {
            whole for text in _strings(value) for each in _readings(text) for whole in self._whole_in(each)
        }

    def _whole_in(self, text: str) -> Iterator[str]:
        if self._says(text):  # all of a text says each of its runs: the cheap question first
            said = f" {' '.join(word for word, _, _ in _words(text))} "
            yield from (whole for whole in self._whole if f" {whole} " in said)

    def in_words(self, text: str) -> bool:
        """Whether a sentence about the texts quotes as much as one telling word."""
        return self.in_text(text) or any(word in self._telling for word, _, _ in _words(text))

    def _says(self, text: str) -> bool:
        words = [word for word, _, _ in _words(text)]
        if self._words.isdisjoint(words):
            return False
        return any(not runs.isdisjoint(_runs(words, size)) for size, runs in self._runs.items())

    def before(self, text: str) -> str:
        """The beginning of a context (what stood behind a place) that says nothing of the texts."""
        spans = self._spans(text)
        return text[: spans[0][0]] if spans else "" if self.in_text(text) else text

    def behind(self, text: str) -> str:
        """The end of a context (what stood before a place) that says nothing of the texts."""
        spans = self._spans(text)
        return text[spans[-1][1] :] if spans else "" if self.in_text(text) else text

    def _spans(self, text: str) -> list[tuple[int, int]]:
        """Where the texts, or words of theirs around a hit, stand in a context."""
        found = _words(text)
        words = [word for word, _, _ in found]
        hit = {n for n, word in enumerate(words) if word in self._telling}
        for size, runs in self._runs.items():
            for n in range(len(words) - size + 1):
                if tuple(words[n : n + size]) in runs:
                    hit.update(range(n, n + size))
        if words:  # a context is cut off anywhere
            first, last = words[0], words[-1]
            if len(first) >= _TELLING and any(word.endswith(first) for word in self._telling):
                hit.add(0)
            if len(last) >= _TELLING and any(word.startswith(last) for word in self._telling):
                hit.add(len(words) - 1)
        for n in sorted(hit):
            for step in (1, -1):
                near = n + step
                while 0 <= near < len(words) and words[near] in self._words and near not in hit:
                    hit.add(near)
                    near += step
        return [found[n][1:] for n in sorted(hit)]


def without(plan: Mapping[str, Any], traces: Traces, own: Callable[[], set[str]]) -> dict[str, Any] | None:
    """A plan whose contexts say nothing of the texts any more; None if what it does itself says all
    of one that its memory does not say anyway (`own`): a few words in common are no reason to lose
    the way back of another memory."""
    kept: dict[str, Any] = json.loads(json.dumps(plan))
    said: list[Any] = [kept.get(name) for name in ("removed", "ours", "said", "also")]
    for edit in kept.get("edits", ()):
        said += [edit.get(name) for name in ("row", "guards", "stamps", "derived", "made", "lost", "whole")]
        for hunk in edit.get("hunks", ()):
            said += hunk[1:3]
            hunk[3:5] = [traces.behind(hunk[3]), traces.before(hunk[4])]
    whole = traces.whole_in(said)
    return None if whole and whole - own() else kept


def _words(text: str) -> list[tuple[str, int, int]]:
    return [(each.group().casefold(), each.start(), each.end()) for each in _WORD.finditer(text)]


def _runs(words: Sequence[str], size: int) -> Iterator[tuple[str, ...]]:
    return zip(*(words[n:] for n in range(size)), strict=False)


def _readings(text: str) -> Iterator[str]:
    """A kept text as it is, without JSON's escapes, and out of base64."""
    yield text
    if "\\" in text:
        yield _ESCAPE.sub(_unescaped, text)
    if _BASE64.fullmatch(text):
        try:
            yield base64.b64decode(text, validate=True).decode()
        except (binascii.Error, UnicodeDecodeError):
            return


def _unescaped(match: re.Match[str]) -> str:
    return chr(int(match[1], 16)) if match[1] else match[2] if match[2] in '"\\/' else " "


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, each in value.items():
            yield str(name)
            yield from _strings(each)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from _strings(each)
