"""Every sentence of `memtui import`."""

from __future__ import annotations

from memtui.memory.imported import Verdict
from memtui.text import counted

NOTHING_ADDED = "Nothing to import."
NOTHING_IMPORTED = "Nothing was imported."
VERDICTS = {
    Verdict.NEW: "new",
    Verdict.SAME: "same",
    Verdict.NEAR: "near duplicate",
    Verdict.CONTRADICTING: "contradiction",
    Verdict.FLAGGED: "secret",
    Verdict.REFUSED: "can't be imported",
}
_COUNTS = {
    Verdict.NEW: ("{} new",),
    Verdict.SAME: ("{} already there",),
    Verdict.NEAR: ("{} near duplicate", "{} near duplicates", "near"),
    Verdict.CONTRADICTING: ("{} contradicts another memory", "{} contradict other memories", "contradicting"),
    Verdict.FLAGGED: ("{} with a secret", "{} with a secret", "flagged"),
    Verdict.REFUSED: ("{} can't be imported",),
}


def count_of(verdict: Verdict, count: int) -> str:
    """ "3 near duplicates (to import them too: --take near)"."""
    one, *more = _COUNTS[verdict]
    text = (more[0] if more and count != 1 else one).format(f"{count:,}")
    return f"{text} (to import {'it' if count == 1 else 'them'} too: --take {more[1]})" if more else text


def place(source: str, line: int) -> str:
    return f"{source}:{line}" if line else source


def why(reason: str, other: str) -> str:
    return f"{reason} ({other})" if other else reason


def how_to_import(count: int, store: str) -> str:
    return f"Nothing was changed. To import {counted(count, 'memory')} to {store}: --yes"


def ignored(name: str, count: int) -> str:
    return f"Ignored the field {name} of {counted(count, 'memory')}: no memory has it."


def more_ignored(count: int) -> str:
    return f"Ignored {counted(count, 'more field')}; --json names all."


def not_compared(count: int) -> str:
    how = "to compare them once they are imported: memtui contradictions scan"
    return f"{counted(count, 'memory')} not compared with others yet; {how}"
