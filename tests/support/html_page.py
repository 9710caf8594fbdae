"""An HTML page as a browser would read it: every element closed, with its attributes and its text."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

_EMPTY = {"meta"}


@dataclass
class Element:
    """An element; `text` is all text in it, and in the elements in it."""

    name: str
    attributes: dict[str, str]
    text: str = ""
    inner: list[Element] = field(default_factory=list)

    def all(self, name: str, **attributes: str) -> list[Element]:
        """Return the elements in this one with a name and with these attributes, in order."""
        found: list[Element] = []
        for each in self.inner:
            if each.name == name and attributes.items() <= each.attributes.items():
                found.append(each)
            found += each.all(name, **attributes)
        return found

    def one(self, name: str, **attributes: str) -> Element:
        """Return the only such element."""
        (found,) = self.all(name, **attributes)
        return found

    def everything(self) -> list[Element]:
        """Return this element and all in it."""
        return [self, *(inner for each in self.inner for inner in each.everything())]


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("", {})
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs), f"an attribute of {tag} is there twice"
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].inner.append(element)
        if tag not in _EMPTY:
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().name == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        raise AssertionError(f"<{tag}/> is no HTML")

    def handle_data(self, data: str) -> None:
        for each in self.open:
            each.text += data

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    def unknown_decl(self, data: str) -> None:
        raise AssertionError(f"a declaration: {data}")

    def handle_pi(self, data: str) -> None:
        raise AssertionError(f"an instruction: {data}")


def parse(text: str) -> Element:
    """Return a page; raise AssertionError if an element is not closed in its place."""
    parser = _Parser()
    parser.feed(text)
    parser.close()
    assert parser.open == [parser.root]
    return parser.root
