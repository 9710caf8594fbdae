"""Every sentence about what an agent sees when a session starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from memtui.errors import Refused
from memtui.formats.contract.session_view import Cut
from memtui.text import after_colon, capitalized, counted, listed

if TYPE_CHECKING:
    from memtui.workspace.session.effects import AgentEffect

NOTHING_LOADED = "Nothing is loaded."
CHANGED_NO_MEMORY = "it changed no memory in a store"

# Why something is not in the text, by the code of what was cut; limits are those of the view.
_REASONS = {
    # Claude Code
    "lines": "beyond the first {lines} lines",
    "units": "beyond the first {utf16_units:,} UTF-16 units",
    "long-line": "the first line is longer than {utf16_units:,} UTF-16 units",
    "comment": "a comment",
    "head": "front matter",
    "no-line": "no line in MEMORY.md",
    # Founder OS
    "over-items": "more than {items} fit",
    "not-asked": "not found by any query",
    "unconfirmed": "not confirmed",
    "expired": "expired",
    # Cognitive Memory
    "low-score": "score below 0.2",
    "no-section": "CORE.md has no section for its type",
    "section-full": "more than {items_in_section} in its section",
    "over-characters": "no room in {characters:,} characters",
    "not-rebuilt": "CORE.md was not rebuilt since",
}


def reason(cut: Cut, limits: Mapping[str, int]) -> str:
    """Why something was left out."""
    return _REASONS[cut.code].format(**limits)


def cut_line(cut: Cut, limits: Mapping[str, int]) -> str:
    """What was left out, and why."""
    parts = []
    if cut.lines is not None:
        first, last = cut.lines
        parts.append(f"line {first:,}" if first == last else f"lines {first:,}–{last:,}")
    if cut.refs:
        parts.append(counted(len(cut.refs), "memory"))
    return f"{capitalized(' with '.join(parts))} not loaded: {reason(cut, limits)}"


def stale(file: str) -> str:
    return f"{file} is out of date: memories or their scores have changed since it was built."


def ambiguous(name: str, stores: Sequence[str]) -> Refused:
    return Refused(
        "ambiguous", f"{name} can mean {len(stores)} stores: {listed(stores)}.", "Name one of them."
    )


def unknown(name: str, stores: Sequence[str]) -> Refused:
    return Refused(
        "no-agent",
        f"No attached store, agent or owner is called {name}.",
        f"Attached: {listed(stores)}." if stores else "No store is attached.",
    )


def own_store() -> Refused:
    return Refused("own-store", "No agent loads memtui's own store.", "memtui export writes it as text.")


def nothing_loaded(title: str, instead: str) -> Refused:
    return Refused("loads-nothing", f"{title}: {instead}")


def not_in_store(summary: str, store: str) -> Refused:
    return Refused("other-store", f"“{summary}” changed nothing in {store}.", "memtui journal lists changes.")


def no_difference_known(summary: str, why: str) -> Refused:
    reason = after_colon(why).removesuffix(".")
    return Refused("unknown", f"It is unknown what the agent saw before “{summary}”: {reason}.")


def agent_effect(effect: AgentEffect) -> str:
    """What a change makes of what an agent is given at its next session."""
    parts = []
    if effect.lost:
        parts.append(f"no longer sees {_these(effect.lost)}")
    if effect.gained:
        parts.append(f"now sees {_these(effect.gained)}")
    if effect.let_in:
        parts.append(f"sees {counted(effect.let_in, 'more memory', 'more memories')} that had no room")
    if effect.pushed_out:
        parts.append(f"no longer has room for {counted(effect.pushed_out, 'other memory', 'other memories')}")
    return f"{effect.agent} {listed(parts)}"


def _these(count: int) -> str:
    return "it" if count == 1 else f"{count:,} of them"
