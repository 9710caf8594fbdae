"""How stored text and its headings stand in a pane of text: on one line, in a section, in a table."""

from __future__ import annotations

from textwrap import wrap

from memtui.text import screen_text

Part = tuple[str, str]


def one(text: str, limit: int = 300) -> str:
    """Stored text on one line."""
    return screen_text(text, one_line=True, limit=limit)


def section(title: str, lines: list[Part], width: int) -> list[Part]:
    """A heading and its lines; what is too long goes on further in."""
    parts: list[Part] = []
    for text, style in lines:
        for row in wrap(text, max(width, 12), initial_indent="  ", subsequent_indent="    "):
            parts += [(row, style), ("\n", "")]
    return headed(title, parts)


def table(title: str, rows: list[Part], width: int) -> list[Part]:
    """A heading and pairs of name and value; long values stay in their column."""
    names = max((len(name) for name, _ in rows), default=0) + 2
    parts: list[Part] = []
    for name, value in rows:
        for place, row in enumerate(wrap(value, max(width - names - 2, 12)) or [""]):
            parts += [(f"  {'' if place else name:<{names}}", "$quiet"), (row, ""), ("\n", "")]
    return headed(title, parts)


def headed(title: str, parts: list[Part]) -> list[Part]:
    """A heading over what stands below it; nothing where nothing does."""
    return [("\n", ""), (title, "$accent"), ("\n", ""), *parts] if parts else []
