"""A tool is to run: before a risky command, the conventions and failures that are about it (S-81). It only
tells: whether the command runs is for the person and the agent's program to decide."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memtui.agents.hooks import wording
from memtui.agents.hooks.block import block, blocks
from memtui.agents.hooks.desk import MOST, Desk
from memtui.agents.hooks.error_kb import SUBJECT
from memtui.agents.hooks.event import Event
from memtui.agents.hooks.failures import command_of
from memtui.agents.hooks.risks import Risk, risks_of

if TYPE_CHECKING:
    from memtui.memory.memory import Memory

_CONVENTIONS = frozenset(
    "convention conventions rule rules policy policies preference preferences procedure warning constraint "
    "decision feedback correction lesson pattern anti-pattern mistake standard guideline".split()
)
_BIDS = re.compile(
    r"\b(?:never|don't|do not|must|always|avoid|only|forbidden|not allowed|instead of)\b", re.I
)


def answer(desk: Desk) -> str:
    """Return what to know before the command."""
    told: set[str] = set()
    return blocks(*(_warnings(desk, each, told) for each in risks_of(command_of(desk.payload))))


def _warnings(desk: Desk, risk: Risk, told: set[str]) -> str:
    chosen: list[Memory] = []

    def choose(found: Sequence[Memory]) -> list[Memory]:
        new = [each for each in found if _is_tied(each) and each.uid not in told]
        return new[: MOST - len(chosen)]

    for question in risk.questions:
        chosen += desk.answers(question, strategy="keyword", choose=choose)
        told.update(each.uid for each in chosen)
    return block(wording.before_command(risk.name), chosen, desk.opposed)


def _is_tied(memory: Memory) -> bool:
    """Return whether a memory says how to do things, or is about a failure."""
    is_convention = (memory.category or "").casefold() in _CONVENTIONS or _BIDS.search(memory.content)
    return bool(is_convention) or memory.subject == SUBJECT


EVENT = Event("pre-tool-use", answer)
