"""The sections of results.md, each written by one program."""

from __future__ import annotations

from collections.abc import Iterable

from benchmarks.measure import ROOT, Result

RESULTS = ROOT / "benchmarks" / "results.md"

COLUMNS = ("| what | ratio | aim | reached |", "|---|---:|---:|---|")


def row(result: Result) -> str:
    """Return the row of a table with COLUMNS."""
    target = f"{result.target:g}" if result.target else ""
    return f"| {result.name} | {result.ratio:.2f} | {target} | {result.verdict} |"


def write(head: str, lines: Iterable[str]) -> None:
    """Replace the section of results.md with this head ("# …"), or add it at the end."""
    before, found, after = RESULTS.read_text("utf-8").partition(f"{head}\n")
    _, mark, after = after.partition("\n# ") if found else ("", "", "")
    section = "\n".join([head, "", *lines])
    RESULTS.write_text(f"{before.rstrip()}\n\n{section}\n{mark}{after}", "utf-8")
