"""Printing: JSON for programs, columns for people, tabs for pipes; nothing stored goes out raw (S-92)."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from memtui.text import safe_text

if TYPE_CHECKING:
    from memtui.errors import Refused, Usage
    from memtui.memory.results import Change

_NONE: Mapping[str, Any] = MappingProxyType({})
_NO_HEADINGS: Mapping[int, str] = MappingProxyType({})


class Output:
    """Where one command prints."""

    def __init__(self, json: bool) -> None:
        self.json = json

    def data(self, value: Any) -> None:
        """One JSON value; non-ASCII is escaped, so that no control character gets out."""
        import json

        sys.stdout.write(json.dumps(value, ensure_ascii=True, indent=2) + "\n")
        sys.stdout.flush()

    def array(self, values: Iterable[Any]) -> None:
        """A JSON array, written as its values come."""
        import json

        between = "[\n"
        for value in values:
            sys.stdout.write(between + json.dumps(value, ensure_ascii=True))
            between = ",\n"
        sys.stdout.write("[]\n" if between == "[\n" else "\n]\n")
        sys.stdout.flush()

    def line(self, text: str = "") -> None:
        """One line for a person; `text` may hold stored text."""
        self._write(sys.stdout, safe_text(text, one_line=True))

    def text(self, text: str) -> None:
        """Stored text of several lines."""
        self._write(sys.stdout, safe_text(text, limit=1_000_000))

    def flush(self) -> None:
        """Have it all printed by now; raises where nobody reads it."""
        sys.stdout.flush()

    def note(self, text: str) -> None:
        """Something beside the result, on standard error."""
        self._write(sys.stderr, safe_text(text, one_line=True))

    def progress(self, what: str, part: float) -> None:
        """How far long work is, on one line of a terminal; nothing where nobody watches."""
        if not sys.stderr.isatty():
            return
        full = round(part * 20)
        bar = "▰" * full + "▱" * (20 - full)
        end = "\r\x1b[K" if part >= 1 else ""
        sys.stderr.write(f"\r{safe_text(what, one_line=True, limit=40)} {bar} {part:.0%}{end}")
        sys.stderr.flush()

    def table(
        self,
        rows: Iterable[Sequence[str]],
        *,
        whole: bool = False,
        under: Sequence[str] = (),
        headings: Mapping[int, str] = _NO_HEADINGS,
    ) -> None:
        """Rows: columns on a terminal (the last one is cut to fit unless `whole`), tabs in a pipe; what
        stands `under` each comes as a line of its own. On a terminal the `headings` stand above the rows
        with these numbers."""
        limit = 20_000 if whole else 400
        beneath = [f"    {safe_text(text, one_line=True, limit=limit)}" for text in under]
        clean = ([safe_text(cell, one_line=True, limit=limit) for cell in row] for row in rows)
        if not sys.stdout.isatty():
            for place, row in enumerate(clean):
                self._write(sys.stdout, "\n".join(["\t".join(row), *beneath[place : place + 1]]))
            return
        import shutil

        held = list(clean)
        width = shutil.get_terminal_size().columns
        widths = [max(map(_cells, column), default=0) for column in zip(*held, strict=True)]
        for place, row in enumerate(held):
            if place in headings:
                self._write(sys.stdout, headings[place])
            cells = [cell + " " * (size - _cells(cell)) for cell, size in zip(row[:-1], widths, strict=False)]
            start = "".join(f"{cell}  " for cell in cells)
            room = max(20, width - _cells(start) - 1)
            self._write(sys.stdout, (start + (row[-1] if whole else _cut(row[-1], room))).rstrip())
            for text in beneath[place : place + 1]:
                self._write(sys.stdout, text)

    def change(self, change: Change, uids: Sequence[str], more: Mapping[str, Any] = _NONE) -> None:
        """What a verb did; `more` goes into its JSON."""
        if self.json:
            self.data(
                {
                    "kind": change.kind,
                    "summary": change.summary,
                    "journal": change.journal_id,
                    "uids": list(uids),
                    "skipped": [
                        {"uid": s.uid, "label": s.label, "code": s.code, "why": s.why} for s in change.skipped
                    ],
                    **more,
                }
            )
            return
        self.line(f"{change.summary}.  Take it back: memtui undo {change.journal_id}")
        for each in change.skipped:
            kept = "In part" if each.code == "partly" else "Left as it was"
            self.note(f"{kept}: {each.uid}  {each.label}: {each.why}")

    def refused(self, refusal: Refused) -> int:
        """A refusal: exit 1."""
        if self.json:
            self.data({"error": refusal.to_json()})
            return 1
        self.note(f"memtui: {refusal.message}")
        for name in ("yours", "theirs"):
            for field, value in (refusal.detail.get(name) or {}).items():
                self.note(f"  {'to be written' if name == 'yours' else 'in the store now'}, {field}: {value}")
        if refusal.hint:
            self.note(refusal.hint)
        return 1

    def usage(self, usage: Usage) -> int:
        """Wrong use: exit 2."""
        if self.json:
            hint = "memtui --help lists the commands."
            self.data({"error": {"code": "usage", "message": str(usage), "hint": hint}})
        else:
            sys.stderr.write(safe_text(usage.text))
        return 2

    def _write(self, stream: Any, text: str) -> None:
        try:
            stream.write(text + "\n")
        except UnicodeEncodeError:
            stream.write(text.encode("ascii", "backslashreplace").decode() + "\n")


def _cells(text: str) -> int:
    """How many columns a terminal needs for `text`."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)


def _cut(text: str, room: int) -> str:
    """`text` in at most `room` columns."""
    if _cells(text) <= room:
        return text
    while _cells(text) >= room:
        text = text[:-1] if len(text) <= room else text[:room]
    return text + "…"
