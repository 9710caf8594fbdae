"""Layout of a text pane: stored text on one line, sections, tables of name and value."""

from __future__ import annotations

from textwrap import wrap

from memtui.text import screen_text

Part = tuple[str, str]


def one_line(text: str, limit: int = 300) -> str:
    """Return stored text made safe, on one line, cut to `limit` characters."""
    return screen_text(text, one_line=True, limit=limit)


def section(title: str, lines: list[Part], width: int) -> list[Part]:
    """Return a heading and its (text, style) lines, wrapped at `width` with a deeper indent."""
    parts: list[Part] = []
    for text, style in lines:
        for row in wrap(text, max(width, 12), initial_indent="  ", subsequent_indent="    "):
            parts += [(row, style), ("\n", "")]
    return with_heading(title, parts)


def table(title: str, rows: list[Part], width: int) -> list[Part]:
    """Return a heading and rows of (name, value), with values wrapped in their own column."""
    names = max((len(name) for name, _ in rows), default=0) + 2
    parts: list[Part] = []
    for name, value in rows:
        for index, row in enumerate(wrap(value, max(width - names - 2, 12)) or [""]):
            parts += [(f"  {'' if index else name:<{names}}", "$quiet"), (row, ""), ("\n", "")]
    return with_heading(title, parts)


def with_heading(title: str, parts: list[Part]) -> list[Part]:
    """Return parts below a heading, or nothing if there are no parts."""
    return [("\n", ""), (title, "$accent"), ("\n", ""), *parts] if parts else []
