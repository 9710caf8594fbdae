"""Printing: JSON for programs, columns for people, tabs for pipes; stored text is made safe (S-92)."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from types import MappingProxyType
from typing import TYPE_CHECKING, TextIO, TypeVar

from memtui.cli.runtime import wording
from memtui.errors import PolicyRefused
from memtui.memory.secrets.masking import Masking
from memtui.text import safe_text

if TYPE_CHECKING:
    from memtui.errors import Refused, UsageError
    from memtui.memory.results import Change
    from memtui.values import Json
    from memtui.workspace.workspace import Workspace

T = TypeVar("T")
_NONE: Mapping[str, Json] = MappingProxyType({})
_NO_HEADINGS: Mapping[int, str] = MappingProxyType({})


class OutputError(OSError):
    """The output cannot be written; what the command was asked to do may be done."""


@contextmanager
def writing_output() -> Iterator[None]:
    """Raise OutputError for an error of the output within, which is no error of a store."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(*error.args) from error


class Output:
    """The output of one command. Secrets are masked in all of it (S-62), unless `revealed`.

    What is given as `ready` is masked already: of very many memories, the workspace knows which may have
    secrets."""

    def __init__(self, json: bool) -> None:
        self.json = json
        self.revealed = False
        self.offers_reveal = False
        self.masking = Masking()

    def shown(self, value: T) -> T:
        """Return a value as it may be printed."""
        return value if self.revealed else self.masking.of(value)

    def data(self, value: Json) -> None:
        """Print one JSON value; non-ASCII is escaped, so that no control character gets out."""
        import json

        value = self.shown(value)
        with writing_output():
            sys.stdout.write(json.dumps(value, ensure_ascii=True, indent=2) + "\n")
            sys.stdout.flush()

    def array(self, values: Iterable[Json], *, ready: bool = False) -> None:
        """Print a JSON array, value by value."""
        import json

        separator = "[\n"
        for value in values:
            with writing_output():
                sys.stdout.write(
                    separator + json.dumps(value if ready else self.shown(value), ensure_ascii=True)
                )
            separator = ",\n"
        with writing_output():
            sys.stdout.write("[]\n" if separator == "[\n" else "\n]\n")
            sys.stdout.flush()

    def line(self, text: str = "") -> None:
        """Print one line; `text` may contain stored text."""
        self._write(sys.stdout, safe_text(self.shown(text), one_line=True))

    def text(self, text: str) -> None:
        """Print stored text of several lines."""
        self._write(sys.stdout, safe_text(self.shown(text), limit=1_000_000))

    def flush(self) -> None:
        """Flush standard output; raise an OSError if it is closed."""
        with writing_output():
            sys.stdout.flush()

    def note(self, text: str) -> None:
        """Print a note on standard error."""
        self._write(sys.stderr, safe_text(self.shown(text), one_line=True))

    def progress(self, label: str, part: float) -> None:
        """Show the progress of long work (0 to 1) on one line of a terminal; nothing without a terminal."""
        if not sys.stderr.isatty():
            return
        full = round(part * 20)
        bar = "▰" * full + "▱" * (20 - full)
        end = "\r\x1b[K" if part >= 1 else ""
        sys.stderr.write(f"\r{safe_text(label, one_line=True, limit=40)} {bar} {part:.0%}{end}")
        sys.stderr.flush()

    def table(
        self,
        rows: Iterable[Sequence[str]],
        *,
        whole: bool = False,
        under: Sequence[str] = (),
        headings: Mapping[int, str] = _NO_HEADINGS,
        ready: bool = False,
    ) -> None:
        """Print rows: in columns on a terminal, where the last one is cut to fit unless `whole`; with tabs in
        a pipe.

        `under` has a further line for each row. On a terminal each of `headings` is printed above the row
        with its number.
        """
        limit = 20_000 if whole else 400
        lines_under = [f"    {safe_text(self.shown(text), one_line=True, limit=limit)}" for text in under]
        masked = rows if ready else map(self.shown, rows)
        clean = ([safe_text(cell, one_line=True, limit=limit) for cell in row] for row in masked)
        if not sys.stdout.isatty():
            for index, row in enumerate(clean):
                self._write(sys.stdout, "\n".join(["\t".join(row), *lines_under[index : index + 1]]))
            return
        import shutil

        all_rows = list(clean)
        width = shutil.get_terminal_size().columns
        widths = [max(map(_cells, column), default=0) for column in zip(*all_rows, strict=True)]
        for index, row in enumerate(all_rows):
            if index in headings:
                self._write(sys.stdout, headings[index])
            cells = [cell + " " * (size - _cells(cell)) for cell, size in zip(row[:-1], widths, strict=False)]
            start = "".join(f"{cell}  " for cell in cells)
            room = max(20, width - _cells(start) - 1)
            self._write(sys.stdout, (start + (row[-1] if whole else _cut(row[-1], room))).rstrip())
            for text in lines_under[index : index + 1]:
                self._write(sys.stdout, text)

    def change(
        self, opened: Workspace, change: Change, uids: Sequence[str], more: Mapping[str, Json] = _NONE
    ) -> None:
        """Print what a verb did, and what that makes of what agents see; `more` is added to its JSON."""
        effects = opened.agent_effects(change.journal_id, change.ids) if change.journal_id else []
        if self.json:
            self.data(
                {
                    "kind": change.kind,
                    "summary": change.summary,
                    "journal": change.journal_id,
                    "uids": list(uids),
                    "skipped": [
                        {"uid": s.uid, "label": s.label, "code": s.code, "why": s.reason}
                        for s in change.skipped
                    ],
                    **({"agents": [asdict(effect) for effect in effects]} if effects else {}),
                    **more,
                }
            )
            return
        self.line(wording.changed(change.summary, change.journal_id))
        if effects:
            from memtui.workspace.session.wording import agent_effect

            for effect in effects:
                self.line(agent_effect(effect))
        for each in change.skipped:
            outcome = wording.PARTLY_CHANGED if each.code == "partly" else wording.NOT_CHANGED
            self.note(wording.skipped(outcome, each.uid, each.label, each.reason))

    def refused(self, refusal: Refused) -> int:
        """Print a refusal and return the exit code: 1, or 3 if it is a policy's."""
        code = 3 if isinstance(refusal, PolicyRefused) else 1
        if self.json:
            self.data({"error": refusal.to_json()})
            return code
        self.note(wording.refused(refusal.message))
        for name, side in wording.CONFLICT_SIDES.items():
            for field, value in (refusal.detail.get(name) or {}).items():
                self.note(wording.conflict_value(side, field, value))
        if refusal.hint:
            self.note(refusal.hint)
        return code

    def end(self) -> None:
        """Say how many secrets were masked, if the command could have revealed them."""
        if self.offers_reveal and self.masking.count:
            self.note(wording.masked(self.masking.count))

    def usage(self, usage: UsageError) -> int:
        """Print wrong use and return the exit code 2."""
        if self.json:
            self.data({"error": {"code": "usage", "message": str(usage), "hint": wording.USAGE_HINT}})
        else:
            sys.stderr.write(safe_text(usage.text))
        return 2

    def _write(self, stream: TextIO, text: str) -> None:
        with writing_output():
            try:
                stream.write(text + "\n")
            except UnicodeEncodeError:
                stream.write(text.encode("ascii", "backslashreplace").decode() + "\n")


def _cells(text: str) -> int:
    """Return how many columns `text` takes on a terminal."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)


def _cut(text: str, room: int) -> str:
    """Return `text` cut to at most `room` columns."""
    if _cells(text) <= room:
        return text
    while _cells(text) >= room:
        text = text[:-1] if len(text) <= room else text[:room]
    return text + "…"
