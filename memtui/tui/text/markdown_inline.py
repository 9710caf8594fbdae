"""The Markdown within one line: code, emphasis, links. Whatever is not clearly Markdown stays as it is.

A parser of the whole language (markdown-it) would not do: it resolves escapes and entities, drops the
definitions of links, and joins lines, so that a path or a line of code, which most memories have, would
look different from what is stored.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping

from memtui.memory.mentions import LINK, WIKI_LINK
from memtui.tui.text.pieces import Link, Piece, linked

CODE_STYLE = "$quiet"
QUIET = "$quiet"
_TICKS = re.compile("`+")
# Emphasis begins before a word and after a space or an opening sign, and ends the other way round: so
# `a * b`, `2*3*4`, `*args, **kwargs` and `src/**/x` have none. Its length is bounded, as the search for its
# end is repeated for each beginning.
_OPEN = r"(?<![^\s(\[{\"'“‘—–])"
_CLOSE = r"(?<=[\w.,;:!?)\]}\"'”’`%])"
_END = r"(?![^\s.,;:!?)\]}\"'”’—–])"
_STRONG = re.compile(rf"{_OPEN}\*\*(?=[\w\"'“‘`(\[])(?P<text>[^*]{{1,1000}}?){_CLOSE}\*\*{_END}")
_EMPHASIS = re.compile(rf"{_OPEN}\*(?=[\w\"'“‘`(\[])(?P<text>[^*]{{1,1000}}?){_CLOSE}\*{_END}")

Resolve = Callable[[str], Link | None]
"""Returns the link to the memory that a link in the text names."""


def resolver(mentions: Mapping[str, int]) -> Resolve:
    """Return a function from what a link names to a link that can be followed."""

    def resolve(name: str) -> Link | None:
        id = mentions.get(name)
        return Link(id, name) if id is not None else None

    return resolve


def inline(text: str, style: str, resolve: Resolve) -> list[Piece]:
    """Return one line of Markdown as pieces."""
    pieces: list[Piece] = []
    end = 0
    for start, stop, code in _code_spans(text):
        pieces += _with_links(text[end:start], style, resolve)
        pieces.append(Piece(code, f"{style} {CODE_STYLE}".strip()))
        end = stop
    return [*pieces, *_with_links(text[end:], style, resolve)]


def _code_spans(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the start, the end and the content of each span in backticks; unpaired ones are text."""
    runs = [match.span() for match in _TICKS.finditer(text)]
    by_length: dict[int, list[int]] = {}
    for start, end in runs:
        by_length.setdefault(end - start, []).append(start)
    done = 0
    for start, end in runs:
        if start < done:
            continue
        same = by_length[end - start]
        index = bisect_right(same, start)
        content = text[end : same[index]] if index < len(same) else ""
        if content.strip():
            done = same[index] + end - start
            yield start, done, content


def _with_links(text: str, style: str, resolve: Resolve) -> Iterator[Piece]:
    """Yield a text without code, its links as such."""
    if "[" not in text:
        yield from _emphasized(text, style)
        return
    found = [*WIKI_LINK.finditer(text), *LINK.finditer(text)]
    end = 0
    for match in sorted(found, key=re.Match.start):
        if match.start() < end:
            continue
        yield from _emphasized(text[end : match.start()], style)
        yield from (_wiki_link if match.re is WIKI_LINK else _link)(match, style, resolve)
        end = match.end()
    yield from _emphasized(text[end:], style)


def _wiki_link(match: re.Match[str], style: str, resolve: Resolve) -> Iterator[Piece]:
    name, quiet = match["name"], f"{style} {QUIET}".strip()
    link = resolve(name.strip())
    yield Piece("[[", quiet)
    yield from linked(link, name, style) if link is not None else [Piece(name, f"{style} underline".strip())]
    yield Piece(f"{match['rest']}]]", quiet)


def _link(match: re.Match[str], style: str, resolve: Resolve) -> Iterator[Piece]:
    label, target = match["label"], match["target"]
    link = resolve(target)
    yield from (
        linked(link, label, style) if link is not None else [Piece(label, f"{style} underline".strip())]
    )
    yield Piece(f" ({target})", f"{style} {QUIET}".strip())


def _emphasized(text: str, style: str) -> Iterator[Piece]:
    end = 0
    if "*" in text:
        found = [(match, "bold") for match in _STRONG.finditer(text)]
        found += [(match, "italic") for match in _EMPHASIS.finditer(text)]
        for match, emphasis in sorted(found, key=lambda each: each[0].start()):
            if match.start() < end:
                continue
            yield Piece(text[end : match.start()], style)
            yield Piece(match["text"], f"{style} {emphasis}".strip())
            end = match.end()
    if text[end:]:
        yield Piece(text[end:], style)
