"""The table of the soak in benchmarks/soak.md, with a row for each part."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

PATH = Path(__file__).parents[2] / "benchmarks" / "soak.md"
_HEAD = """\
# Soak

What `make soak` ran and found: rounds, rounds with a fault that took effect (a kill that hit, a call that
failed), and losses, which are rounds that ended wrong. Fewer rounds or faults than required are a loss too,
and shown as "3 of 500". `make soak PART=NAME` runs one part and replaces only its row; each row has its date
and commit.

| part | what is tried | rounds | faults | losses | minutes | date | commit |
|---|---|---:|---:|---:|---:|---|---|
"""
_ROW = re.compile(r"^\| (?P<part>[\w-]+) \|(?:[^|]*\|){7}$")  # rows of older tables have another shape


@dataclass(frozen=True, slots=True)
class Row:
    """The row of a part; `needs` names what was missing if the part could not run."""

    part: str
    title: str
    rounds: int = 0
    faults: int = 0
    losses: int = 0
    minutes: float = 0.0
    needs: str = ""
    date: str = ""
    commit: str = ""
    min_rounds: int = 0
    min_faults: int = 0

    def __str__(self) -> str:
        counts = (_count(self.rounds, self.min_rounds), _count(self.faults, self.min_faults))
        figures = f"{' | '.join(counts)} | {self.losses:,} | {self.minutes:.1f}"
        if self.needs:
            figures = f"not run: needs {self.needs} | | | "
        return f"| {self.part} | {self.title} | {figures} | {self.date} | {self.commit} |"


def _count(count: int, minimum: int) -> str:
    return f"{count:,} of {minimum:,}" if count < minimum else f"{count:,}"


def render(rows: list[Row], parts: list[str], path: Path = PATH) -> str:
    """Return the table, with these rows in place of older rows of the same parts, in the order of `parts`."""
    lines = {}
    if path.exists():
        found = (_ROW.match(line) for line in path.read_text("utf-8").splitlines())
        lines = {match["part"]: match[0] for match in found if match}
    lines |= {row.part: str(row) for row in rows}
    return _HEAD + "".join(f"{lines[part]}\n" for part in parts if part in lines)


def write(rows: list[Row], parts: list[str], path: Path = PATH) -> str:
    """Write the rows into the file, and return the whole table."""
    text = render(rows, parts, path)
    new_file = path.with_name(f".{path.name}.new")
    new_file.write_text(text, "utf-8")
    new_file.replace(path)
    return text
