"""HTML comments that are a block of their own in Markdown, as a client removes them that parses blocks.

A comment within a paragraph, a list item, code or other HTML is text.
"""

from __future__ import annotations

import re

_FENCE = re.compile(r"\s*(?P<ticks>`{3,}|~{3,})")
_ITEM = re.compile(r"(?P<mark> {0,3}(?:[-*+]|\d{1,9}[.)]))(?P<space> +|\t|$)")
# Tags that begin a block of HTML, even below a line of text, and any other one that is alone on its line.
_BLOCK_TAG = re.compile(
    r" {0,3}</?(?:address|article|aside|blockquote|body|center|details|dialog|dd|div|dl|dt|fieldset"
    r"|figcaption|figure|footer|form|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|nav|ol|p|section|summary"
    r"|table|tbody|td|tfoot|th|thead|title|tr|ul|script|pre|style|textarea)(?:\s|/?>|$)",
    re.IGNORECASE,
)
_LONE_TAG = re.compile(r" {0,3}</?[A-Za-z][\w-]*(?:\s[^<>]*)?/?> *$")
_TAG = re.compile(r" {0,3}<[a-z].*>", re.IGNORECASE)
_INSTRUCTION = re.compile(r" {0,3}<[?!][A-Za-z]")
_QUOTE = re.compile(r" {0,3}>")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-{2,}) *$")
_HEADING = re.compile(r" {0,3}(?:#{1,6}(?:\s|$)|(?:[-*_] *){3,}$)")
_DEFINITION = re.compile(r" {0,3}\[[^\]]+\]: *\S+")
_COMMENT = re.compile(r"<!--(?:-?>|.*?-->)", re.DOTALL)
_BLOCK = re.compile(rf" {{0,3}}{_COMMENT.pattern}[^\n]*(?:\n+|$)", re.DOTALL)
_OPEN = re.compile(r"(?P<indent> {0,3})<!--")
_NO_PARAGRAPH = (_HEADING, _QUOTE, _DEFINITION, _INSTRUCTION)
_CODE_INDENT = 4  # columns


def comment_spans(text: str) -> list[tuple[int, int]]:
    """Return what to remove of a text with line feeds, as (start, end): the comments; where there is nothing
    else in the block, all of it with the blank lines behind."""
    found: list[tuple[int, int]] = []
    at, block = 0, _Blocks()
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end + 1
        line = text[at:end].rstrip("\n")
        if (opening := _OPEN.match(line)) and block.may_begin_comment(len(opening["indent"])):
            match = _BLOCK.match(text, at)
            if match is None:
                return found  # it is never closed: the rest is shown as it is
            inner = [each.span() for each in _COMMENT.finditer(text, at, match.end())]
            rest = _COMMENT.sub("", match.group())
            found += inner if rest.strip() else [match.span()]
            at, block = match.end(), _Blocks()
            continue
        block.add(line)
        at = end
    return found


class _Blocks:
    """The block that the lines so far have led to."""

    def __init__(self) -> None:
        self._fence = ""  # the ticks that would close the code
        self._item = 0  # the column at which the text of the list item begins; 0 outside of a list
        self._paragraph = self._html = self._blank = False

    def may_begin_comment(self, indent: int) -> bool:
        """Return whether a comment indented by `indent` columns is a block of its own here."""
        if self._fence or self._html:
            return False
        if self._item:
            return indent < self._item
        return indent == 0 or not self._paragraph

    def add(self, line: str) -> None:
        """Go on with a line that begins no comment."""
        if self._fence:
            if line.strip().startswith(self._fence) and not line.strip().strip(self._fence[0]):
                self._fence = ""
            return
        if not line.strip():
            self._paragraph = self._html = False
            self._blank = True
            return
        indent = len(line) - len(line.lstrip(" "))
        item = _ITEM.match(line)
        outside = indent < self._item and (self._blank or _HEADING.match(line) or _TAG.match(line))
        if item is not None:
            space = len(item["space"])
            self._item = len(item["mark"]) + (space if 0 < space <= _CODE_INDENT else 1)
        elif outside:
            self._item, self._paragraph = 0, False
        self._blank = False
        if fence := _FENCE.match(line):
            self._fence = fence["ticks"]
            self._paragraph = False
        elif self._item:
            self._paragraph = True
        elif (_BLOCK_TAG.match(line) and (not self._paragraph or indent == 0)) or (
            _LONE_TAG.match(line) and not self._paragraph
        ):
            self._html = True
        elif self._paragraph:
            self._paragraph = not (_UNDERLINE.match(line) or _HEADING.match(line))
        elif not any(each.match(line) for each in _NO_PARAGRAPH):
            self._paragraph = indent < _CODE_INDENT
