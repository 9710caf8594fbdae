"""Every sentence of `memtui see`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.memory.contradictions.pairs import CONTRADICTION
from memtui.text import counted, listed

if TYPE_CHECKING:
    from memtui.memory.contradictions.pairs import Pair
    from memtui.workspace.session.difference import ViewDifference
    from memtui.workspace.session.view import Named


ABOUT_IGNORED = "--about is ignored: this text doesn't depend on the task."


def given(store: str, client: str, tokens: int, unit: str) -> str:
    return f"{client} is given {tokens:,} {unit} of {store} at session start."


def context(agent: str, count: int, tokens: int, unit: str) -> str:
    what = counted(count, "memory") if count else "nothing"
    return f"memtui gives {agent} {what} at session start, in {tokens:,} {unit}."


def hidden(agent: str, count: int) -> str:
    return (
        f"Left out: {counted(count, 'memory')} that {agent} may not read. To list policies: memtui policies"
    )


def contradicted(count: int) -> str:
    return (
        f"Contradicted: {counted(count, 'memory')} in it. To list contradictions: memtui contradictions list"
    )


def loads_nothing(title: str, instead: str) -> str:
    return f"{title}: {instead}"


def pair(found: Pair) -> str:
    verb = "contradicts" if found.family == CONTRADICTION else "duplicates"
    return f"In this text, “{found.labels[0]}” {verb} “{found.labels[1]}” (pair {found.id})."


def more_pairs(count: int) -> str:
    what = counted(count, "more contradiction or duplicate", "more contradictions or duplicates")
    return f"In this text, {what}. --json lists all."


def difference(found: ViewDifference) -> str:
    if found.before.text == found.after.text:
        return f"“{found.summary}” changed nothing in what {found.title} is given."
    parts = []
    if found.lost:
        parts.append(f"no longer sees {counted(len(found.lost), 'memory')}")
    if found.gained:
        parts.append(f"sees {counted(len(found.gained), 'memory')} that it did not")
    if not parts:
        parts.append("sees the same memories in other words")
    return f"Since “{found.summary}”, {found.title} {listed(parts)}."


def left(memory: Named | None, ref: str) -> str:
    return f"No longer seen: {_label(memory, ref)}"


def came_in(memory: Named | None, ref: str) -> str:
    return f"Seen now: {_label(memory, ref)}"


def without(reason: str) -> str:
    return f"Not taken into account: {reason}"


def _label(memory: Named | None, ref: str) -> str:
    return ref if memory is None else f"{memory.uid} {memory.label}"
