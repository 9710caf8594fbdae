"""One minion's text while members of it are set: every other byte stays (LIMITS 3)."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from memtui.formats.media.files.draft import Draft
from memtui.formats.media.files.tree import ensure_writable
from memtui.formats.minions import wording
from memtui.formats.minions.json_decode import BOM, WithDuplicateKeys, decode
from memtui.formats.syntax.json_spans import Span, elements, encode_like, members, parse_object
from memtui.values import Json, JsonObject


@dataclass(frozen=True, slots=True)
class _Patch:
    """Characters from `start` to `end` become `new`."""

    start: int
    end: int
    new: str
    best_effort: bool


class MinionEditor:
    """A minion in a draft. `set`, `put` and `remove` collect patches, `apply` makes them.

    A member is in the minion's `fields` (`in_fields`) or in the minion itself. Raises Refused for a file
    that cannot be written.
    """

    def __init__(self, draft: Draft, folder: Path, name: str) -> None:
        ensure_writable(folder, draft, name)
        self.draft, self.name = draft, name
        data = draft.files[name]
        self._bom = len(BOM) if data.startswith(BOM) else 0
        self.text = data[self._bom :].decode()
        self.minion: JsonObject = decode(data)[0]
        fields = self.minion.get("fields")
        if isinstance(self.minion, WithDuplicateKeys) or isinstance(fields, WithDuplicateKeys):
            raise wording.double_key(name)
        self.envelope = parse_object(self.text)
        inner = self.envelope.get("fields")
        if inner is None or not isinstance(inner.value, dict):
            raise wording.no_fields(name)
        self.fields = members(self.text, inner.start)
        self._patches: list[_Patch] = []
        # New members by `in_fields`: name, JSON, best effort.
        self._added: dict[bool, list[tuple[str, str, bool]]] = {True: [], False: []}

    def value(self, name: str, *, in_fields: bool = True) -> Json:
        """Return the value of a member; None where it is missing."""
        span = (self.fields if in_fields else self.envelope).get(name)
        return None if span is None else span.value

    def set(self, name: str, value: Json, *, in_fields: bool = True, best_effort: bool = False) -> None:
        """Set a member; a missing one is added as the last."""
        span = (self.fields if in_fields else self.envelope).get(name)
        token = encode_like(value, self.text)
        if span is None:
            self._added[in_fields].append((name, token, best_effort))
        elif span.value != value or type(span.value) is not type(value):
            if isinstance(value, list) and isinstance(span.value, list):
                token = self._list_token(span, value)
            self._patches.append(_Patch(span.start, span.end, token, best_effort))

    def put(self, span: Span, token: str) -> None:
        """Replace any value, or the name of a member, by JSON."""
        self._patches.append(_Patch(span.start, span.end, token, False))

    def splice_text(self, span: Span, start: int, end: int, new: str) -> None:
        """Replace characters of an unescaped text from `start` to `end`, as best effort."""
        at = span.start + 1
        token = encode_like(new, self.text)[1:-1]
        self._patches.append(_Patch(at + start, at + end, token, True))

    def is_unescaped(self, span: Span) -> bool:
        """Return whether a text is written without escapes."""
        return bool(self.text[span.start + 1 : span.end - 1] == span.value)

    def remove(self, name: str) -> None:
        """Remove a member of the minion itself, with one comma."""
        span = self.envelope.get(name)
        if span is None:
            return
        start, end = _key_start(self.text, span), span.end
        before = len(self.text[:start].rstrip())
        if self.text[before - 1] == ",":
            start = before - 1
        else:  # it is the first one: the next one moves up
            end = len(self.text) - len(self.text[end:].lstrip())
            end = _skip_blanks(self.text, end + 1) if self.text[end] == "," else span.end
        last = self._patches[-1] if self._patches else None
        if last is not None and last.end == start and not last.new:  # adjacent removals become one
            self._patches[-1] = _Patch(last.start, end, "", False)
        else:
            self._patches.append(_Patch(start, end, "", False))

    def apply(self) -> None:
        """Make the patches in the draft, from the last to the first."""
        for in_fields, added in self._added.items():
            if added:
                self._patches.append(self._addition(self.fields if in_fields else self.envelope, added))
        for patch in sorted(self._patches, key=lambda each: (each.start, each.end), reverse=True):
            start, end = self._byte_offset(patch.start), self._byte_offset(patch.end)
            self.draft.splice(self.name, start, end, patch.new.encode(), best_effort=patch.best_effort)
        self._patches, self._added = [], {True: [], False: []}

    def _list_token(self, span: Span, values: list[Json]) -> str:
        """Return a list laid out like the existing one; elements that stay keep their spelling."""
        existing = elements(self.text, span.start)
        if not existing or not values:
            return encode_like(values, self.text)
        before = self.text[span.start : existing[0].start]
        after = self.text[existing[-1].end : span.end]
        gap = "," + before[1:] if "\n" in before else ", "
        if len(existing) > 1:
            gap = self.text[existing[0].end : existing[1].start]
        spellings: dict[str, list[str]] = defaultdict(list)
        for each in existing:
            spellings[encode_like(each.value, "")].append(self.text[each.start : each.end])
        tokens = []
        for value in values:
            known = spellings[encode_like(value, "")]
            tokens.append(known.pop(0) if known else encode_like(value, self.text))
        return before + gap.join(tokens) + after

    def _byte_offset(self, at: int) -> int:
        return self._bom + len(self.text[:at].encode())

    def _addition(self, existing: dict[str, Span], added: list[tuple[str, str, bool]]) -> _Patch:
        """Return the patch that adds members behind the last, spaced like the existing ones."""
        best_effort = all(each[2] for each in added)
        if not existing:
            start = self.envelope["fields"].start + 1
            new = ", ".join(f'"{name}": {token}' for name, token, _ in added)
            return _Patch(start, start, new, best_effort)
        name, last = max(existing.items(), key=lambda each: each[1].start)
        key = _key_start(self.text, last)
        gap = self.text[len(self.text[:key].rstrip()) : key]
        colon = self.text[key + len(encode_like(name, "")) : last.start]
        colon = colon if colon.strip() == ":" else ": "
        new = "".join(f',{gap}"{name}"{colon}{token}' for name, token, _ in added)
        return _Patch(last.end, last.end, new, best_effort)


def _key_start(text: str, span: Span) -> int:
    """Return where the key of a value begins."""
    end = text.rindex(":", 0, span.start)
    at = text.rindex('"', 0, len(text[:end].rstrip()) - 1)
    while (at - len(text[:at].rstrip("\\"))) % 2:  # a quote inside the key
        at = text.rindex('"', 0, at)
    return at


def _skip_blanks(text: str, at: int) -> int:
    return len(text) - len(text[at:].lstrip())
