"""Markdown as plain text: line endings, the blank lines around a body, and its first words."""

from __future__ import annotations

import re

from memtui.memory.memory import first_line

_LEADING_BLANK_LINES = re.compile(r"\A(?:[ \t]*\n)+")


def with_lf(text: str) -> str:
    """Return `text` with every line ended by LF."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def strip_blank_lines(text: str) -> str:
    """Return `text` as the body of a file keeps it: lines ended by LF, no blank ones around them."""
    return _LEADING_BLANK_LINES.sub("", with_lf(text)).rstrip(" \t\n")


def first_words(text: str, limit: int = 60) -> str:
    """Return the beginning of the first line that is not blank, cut between words at `limit` characters."""
    line = " ".join(first_line(text).lstrip("#-*> ").split()) or " ".join(text.split())
    if len(line) <= limit:
        return line
    return line[:limit].rsplit(" ", 1)[0] + "…"
