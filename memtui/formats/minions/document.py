"""One minion's text while members of it are set: every other byte stays (LIMITS 3)."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memtui.errors import NotSaved
from memtui.formats.media.files.draft import Draft
from memtui.formats.media.files.tree import may_write
from memtui.formats.minions.json_decode import BOM, Doubled, decoded
from memtui.formats.syntax.json_spans import Span, elements, members, spell, whole


@dataclass(frozen=True, slots=True)
class _Patch:
    start: int
    end: int
    new: str
    soft: bool


class Sheet:
    """A minion in a draft. `set` and `drop` gather patches; `done` makes them."""

    def __init__(self, draft: Draft, folder: Path, name: str) -> None:
        may_write(folder, draft, name)
        self.draft, self.name = draft, name
        data = draft.files[name]
        self._bom = len(BOM) if data.startswith(BOM) else 0
        self.text = data[self._bom :].decode()
        self.minion: dict[str, Any] = decoded(data)[0]
        if isinstance(self.minion, Doubled) or isinstance(self.minion.get("fields"), Doubled):
            raise NotSaved("double-key", f"in {name} a key stands twice.", "Mend the file first.")
        self.envelope = whole(self.text)
        inner = self.envelope.get("fields")
        if inner is None or not isinstance(inner.value, dict):
            raise NotSaved("no-fields", f"{name} has no fields.", "Nothing was changed.")
        self.fields = members(self.text, inner.start)
        self._patches: list[_Patch] = []
        self._fresh: dict[bool, list[tuple[str, str, bool]]] = {True: [], False: []}

    def says(self, name: str, *, inside: bool = True) -> Any:
        """The value of a member, of the fields or of the minion itself."""
        span = (self.fields if inside else self.envelope).get(name)
        return None if span is None else span.value

    def set(self, name: str, value: Any, *, inside: bool = True, soft: bool = False) -> None:
        """Give a member a value; one that is not there comes behind the last."""
        span = (self.fields if inside else self.envelope).get(name)
        token = spell(value, self.text)
        if span is None:
            self._fresh[inside].append((name, token, soft))
        elif span.value != value or type(span.value) is not type(value):
            if isinstance(value, list) and isinstance(span.value, list):
                token = self._listed(span, value)
            self._patches.append(_Patch(span.start, span.end, token, soft))

    def splice(self, span: Span, start: int, end: int, new: str) -> None:
        """Put other letters into a text that is spelled plainly, softly: from its letter `start` to
        `end`."""
        at = span.start + 1
        token = spell(new, self.text)[1:-1]
        self._patches.append(_Patch(at + start, at + end, token, True))

    def is_plain(self, span: Span) -> bool:
        """Whether a text stands as it is, without escapes."""
        return bool(self.text[span.start + 1 : span.end - 1] == span.value)

    def drop(self, name: str) -> None:
        """Take a member of the minion itself away, and its comma."""
        span = self.envelope.get(name)
        if span is None:
            return
        start, end = _key(self.text, span), span.end
        before = len(self.text[:start].rstrip())
        if self.text[before - 1] == ",":
            start = before - 1
        else:  # the first one: what stands behind it moves up
            end = len(self.text) - len(self.text[end:].lstrip())
            end = _next(self.text, end + 1) if self.text[end] == "," else span.end
        last = self._patches[-1] if self._patches else None
        if last is not None and last.end == start and not last.new:  # two that stand side by side
            self._patches[-1] = _Patch(last.start, end, "", False)
        else:
            self._patches.append(_Patch(start, end, "", False))

    def done(self) -> None:
        """Make the patches in the draft, from the last place to the first."""
        for inside, fresh in self._fresh.items():
            if fresh:
                self._patches.append(self._behind(self.fields if inside else self.envelope, fresh))
        for patch in sorted(self._patches, key=lambda each: (each.start, each.end), reverse=True):
            start, end = self._byte(patch.start), self._byte(patch.end)
            self.draft.splice(self.name, start, end, patch.new.encode(), soft=patch.soft)
        self._patches, self._fresh = [], {True: [], False: []}

    def _listed(self, span: Span, values: list[Any]) -> str:
        """A list in the shape of the one that stands there: what stays in it is spelled as it was."""
        there = elements(self.text, span.start)
        if not there or not values:
            return spell(values, self.text)
        before = self.text[span.start : there[0].start]
        after = self.text[there[-1].end : span.end]
        gap = "," + before[1:] if "\n" in before else ", "
        if len(there) > 1:
            gap = self.text[there[0].end : there[1].start]
        known: dict[str, list[str]] = defaultdict(list)
        for each in there:
            known[spell(each.value, "")].append(self.text[each.start : each.end])
        said = []
        for value in values:
            as_it_was = known[spell(value, "")]
            said.append(as_it_was.pop(0) if as_it_was else spell(value, self.text))
        return before + gap.join(said) + after

    def _byte(self, at: int) -> int:
        return self._bom + len(self.text[:at].encode())

    def _behind(self, there: dict[str, Span], fresh: list[tuple[str, str, bool]]) -> _Patch:
        """New members behind the last, spaced as those that stand there."""
        soft = all(each[2] for each in fresh)
        if not there:
            start = self.envelope["fields"].start + 1
            said = ", ".join(f'"{name}": {token}' for name, token, _ in fresh)
            return _Patch(start, start, said, soft)
        spans = sorted(there.values(), key=lambda span: span.start)
        last = spans[-1]
        key = _key(self.text, last)
        gap = self.text[len(self.text[:key].rstrip()) : key]
        colon = self.text[key + len(spell(_name(there, last), "")) : last.start]
        colon = colon if colon.strip() == ":" else ": "
        said = "".join(f',{gap}"{name}"{colon}{token}' for name, token, _ in fresh)
        return _Patch(last.end, last.end, said, soft)


def _key(text: str, span: Span) -> int:
    """Where the key of a value begins."""
    end = text.rindex(":", 0, span.start)
    at = text.rindex('"', 0, len(text[:end].rstrip()) - 1)
    while (at - len(text[:at].rstrip("\\"))) % 2:  # a quote inside the key
        at = text.rindex('"', 0, at)
    return at


def _name(there: dict[str, Span], span: Span) -> str:
    return next(name for name, each in there.items() if each is span)


def _next(text: str, at: int) -> int:
    return len(text) - len(text[at:].lstrip())
