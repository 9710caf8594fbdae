"""HTML that cannot be broken by what memories say: what is no `Html` yet is escaped (S-92)."""

from __future__ import annotations

from html import escape

from memtui.export.inert_text import encoded
from memtui.export.report import wording
from memtui.memory.secrets import contains_secret

NAME = 160  # characters of a stored text that is one of many in a list
_EMPTY = ("meta",)  # elements that have no end


class Html(str):
    """Markup that goes into a page as it is."""

    __slots__ = ()


def element(name: str, *children: str, **attributes: str | float) -> Html:
    """Return an element; `class_` is the attribute class, and `_` stands for `-`.

    >>> str(element("p", "1 < 2", class_="note"))
    '<p class="note">1 &lt; 2</p>'
    """
    start = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_value(value))}"' for key, value in attributes.items()
    )
    if name in _EMPTY:
        return Html(f"<{name}{start}>")
    return Html(f"<{name}{start}>{joined(*children)}</{name}>")


def joined(*parts: str) -> Html:
    """Return parts of a page, one after the other."""
    return Html("".join(part if isinstance(part, Html) else escape(part) for part in parts))


def stored(text: str, limit: int = NAME) -> Html:
    """Return a text of a memory, cut to `limit` characters; it keeps its direction to itself. A text that
    holds a secret is not shown."""
    return element("bdi", inert(text, limit)) if not contains_secret(text) else secret()


def secret() -> Html:
    """Return what is shown in place of a memory or text that holds a secret."""
    return element("em", wording.HOLDS_SECRET)


def inert(text: str, limit: int = NAME) -> str:
    """Return a stored text, without what a terminal or a browser would obey, cut to `limit` characters."""
    return encoded(text if len(text) <= limit else f"{text[:limit]}…")


def _value(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:.1f}".removesuffix(".0")
