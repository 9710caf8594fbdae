"""The sections of a memory's text whose lines lead to other memories: findings and relations."""

from __future__ import annotations

from collections.abc import Callable

from memtui.memory.contradictions.pairs import CONTRADICTION, DUPLICATE
from memtui.memory.detail import Detail, Problem
from memtui.memory.related import Related, related_memories
from memtui.tui.memory.detail import wording_detail as wording
from memtui.tui.text.pieces import NEWLINE, Link, Piece, linked, wrapped
from memtui.tui.text.text_layout import one_line

Key = Callable[[str], str]
"""Returns the key of a command; "" where it cannot be used."""

_SIGNS = {CONTRADICTION: "≠", DUPLICATE: "≈", "more": " "}
# What acts on a finding: the action that may be blocked, the command, and what it does; the first that the
# screen has.
_ACTS: dict[str, tuple[tuple[str, str, str], ...]] = {
    CONTRADICTION: (("", "memory.pairs", wording.COMPARES),),
    DUPLICATE: (("", "memory.pairs", wording.COMPARES),),
    "secret": (("", "memory.redact", wording.REDACTS), ("edit", "memory.edit", wording.EDITS)),
    "past-expiry": (("dismiss", "memory.dismiss", wording.DISMISSES),),
    "removed": (("restore", "memory.restore", wording.RESTORES),),
    "dangling": (("", "memory.graph", wording.SHOWS_RELATIONS),),
}
_OTHERS = (("", "screen.stores", wording.SHOWS_STORES),)
_INDENT, _HANGING = "  ", 4
_MAX_TEXT, _MAX_NAME, _MAX_AROUND = 600, 160, 240  # characters


def pieces_of(parts: list[tuple[str, str]]) -> list[Piece]:
    """Return parts as pieces without links."""
    return [Piece(*part) for part in parts]


def section_of(title: str, lines: list[list[Piece]], width: int) -> list[Piece]:
    """Return a heading and its lines, wrapped with a deeper indent; nothing if there are no lines."""
    if not lines:
        return []
    body = [piece for line in lines for piece in wrapped([Piece(_INDENT), *line], width, _HANGING)]
    return [NEWLINE, Piece(title, "$accent"), NEWLINE, *body]


def findings(detail: Detail, key: Key, width: int) -> list[Piece]:
    """Return what is wrong with a memory, each finding with the key that acts on it."""
    return section_of(wording.FINDINGS, [finding(each, detail, key) for each in detail.problems], width)


def finding(problem: Problem, detail: Detail, key: Key) -> list[Piece]:
    """Return a finding as one line, with a link to the other memory."""
    sign = Piece(f"{_SIGNS.get(problem.code, '!')} ", "$warning")
    text = one_line(problem.text, _MAX_TEXT)
    label = one_line(problem.other_label)
    before, found, after = text.partition(label) if label else (text, "", "")
    other = linked(Link(problem.other_id, label), found, "") if found and problem.other_id is not None else []
    act = _act(problem.code, detail, key)
    return [
        sign,
        Piece(before),
        *(other or [Piece(found)]),
        Piece(after),
        Piece(act and f"  {act}", "$quiet"),
    ]


def _act(code: str, detail: Detail, key: Key) -> str:
    """Return the key that acts on a finding and what it does, or ""."""
    if code == "more":
        return ""
    for action, command, verb in _ACTS.get(code, _OTHERS):
        if action not in detail.blocked and (letter := key(command)):
            return wording.key_acts(letter, verb)
    return ""


def relations(detail: Detail, width: int) -> list[Piece]:
    """Return what a memory is tied to, each with a link."""
    return section_of(wording.RELATIONS, [_relation(each) for each in related_memories(detail)], width)


def _relation(related: Related) -> list[Piece]:
    name = one_line(related.name, _MAX_NAME)
    reason = "" if related.id is not None else wording.not_followed(one_line(related.name, 60))
    style = "" if related.id is not None else "$quiet"
    before, after = one_line(related.before, _MAX_AROUND), one_line(related.after, _MAX_AROUND)
    link = Link(related.id, name, reason)
    return [Piece(before, style), *linked(link, name, style), Piece(after, style)]
