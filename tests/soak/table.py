"""The table of the soak: read from benchmarks/soak.md and written back, a row for each part."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

PATH = Path(__file__).parents[2] / "benchmarks" / "soak.md"
_HEAD = """\
# Soak

What `make soak` tried and found: rounds, the rounds in which something was really done to memtui (a
kill that hit, a call that failed), and losses, which are rounds that ended otherwise than they must.
Fewer rounds or faults than there must be are a loss, too, and told as "3 of 500".
`make soak PART=NAME` runs one part and replaces only its row; each row says when and at which commit.

| part | what is tried | rounds | faults | losses | minutes | date | commit |
|---|---|---:|---:|---:|---:|---|---|
"""
_ROW = re.compile(r"^\| (?P<part>[\w-]+) \|(?:[^|]*\|){7}$")  # of another shape are only older tables' rows


@dataclass(frozen=True, slots=True)
class Row:
    """One part's line; `needs` names what was missing if the part could not run."""

    part: str
    title: str
    rounds: int = 0
    faults: int = 0
    losses: int = 0
    minutes: float = 0.0
    needs: str = ""
    date: str = ""
    commit: str = ""
    least_rounds: int = 0
    least_faults: int = 0

    def __str__(self) -> str:
        counts = (_of(self.rounds, self.least_rounds), _of(self.faults, self.least_faults))
        figures = f"{' | '.join(counts)} | {self.losses:,} | {self.minutes:.1f}"
        if self.needs:
            figures = f"not run: needs {self.needs} | | | "
        return f"| {self.part} | {self.title} | {figures} | {self.date} | {self.commit} |"


def _of(came: int, least: int) -> str:
    return f"{came:,} of {least:,}" if came < least else f"{came:,}"


def render(rows: list[Row], parts: list[str], path: Path = PATH) -> str:
    """The table with these rows in place of the same parts' older ones, in the order of `parts`."""
    lines = {}
    if path.exists():
        found = (_ROW.match(line) for line in path.read_text("utf-8").splitlines())
        lines = {match["part"]: match[0] for match in found if match}
    lines |= {row.part: str(row) for row in rows}
    return _HEAD + "".join(f"{lines[part]}\n" for part in parts if part in lines)


def write(rows: list[Row], parts: list[str], path: Path = PATH) -> str:
    """Put the rows into the file; the whole table."""
    text = render(rows, parts, path)
    fresh = path.with_name(f".{path.name}.new")
    fresh.write_text(text, "utf-8")
    fresh.replace(path)
    return text
