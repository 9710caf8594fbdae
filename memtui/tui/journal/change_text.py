"""What a journal line did, memory by memory, before and after, as text: a pure function (S-50)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from textual.content import Content

from memtui.memory.change_words import field_name, value_words
from memtui.memory.journal import UNREADABLE, AgentChange, Event, EventItem
from memtui.text import screen_text
from memtui.tui.memory.history_text import who
from memtui.tui.text.glyphs import counted, moment
from memtui.tui.text.text_layout import Part, one_line
from memtui.tui.text.word_diff import signed, word_diff

MOST = 200
"""Memories shown of one change."""


def change_text(event: Event, items: list[EventItem], now: float) -> Content:
    """Who, when, what, and each field touched."""
    meta = [
        who(event.actor),
        moment(event.at, now),
        counted(event.count, "memory") if event.count else "",
        event.store.replace(",", ", "),
        state_words(event),
    ]
    parts: list[Part] = [
        (one_line(event.summary), "bold"),
        ("\n", ""),
        (one_line(" · ".join(part for part in meta if part)), "$quiet"),
        ("\n", ""),
    ]
    if event.why:
        parts += [(one_line(event.why), "$warning"), ("\n", "")]
    for item in items[:MOST]:
        parts += [
            ("\n", ""),
            (one_line(item.label), "$accent"),
            (f"  {one_line(item.store, 40)}", "$quiet"),
            ("\n", ""),
        ]
        state = "" if item.state == "done" else item.state
        if said := ": ".join(filter(None, (state, one_line(item.why)))):
            parts += [(f"  {said}\n", "$warning")]
        parts += _fields(item.before, item.after, item.names)
    if len(items) > MOST:
        parts += [(f"\nand {counted(len(items) - MOST, 'memory')} more", "$quiet")]
    return Content.assemble(*parts)


def state_words(event: Event) -> str:
    """The state where it is not plainly done."""
    if event.state == "intended":
        return "not finished"
    return "" if event.state == "done" else event.state


def since_text(item: AgentChange, now: float) -> Content:
    """What agents did to one memory since the person last looked, and the way back."""
    parts: list[Part] = [
        (one_line(item.label), "bold"),
        ("\n", ""),
        (f"{item.word} by an agent · {moment(item.at, now)} · {one_line(item.store, 40)}\n", "$quiet"),
        ("\n", ""),
    ]
    if item.what == UNREADABLE:
        return Content.assemble(*parts[:2], ("What agents did to it cannot be read.", "$warning"))
    if item.overwritten:
        parts += [("The agent's program overwrote your change; z makes it again.\n", "$warning")]
    if item.what == "removed":
        parts += [("It is gone from its store; memtui still has it: R puts it back.\n", "$accent")]
    elif item.what == "added":
        parts += [("It is new in its store; z dismisses it.\n", "$accent")]
    parts += _fields(item.before, item.after, item.names)
    if item.what != "changed" and item.content:
        parts += [("\n", ""), (screen_text(item.content), ""), ("\n", "")]
    return Content.assemble(*parts)


def _fields(
    before: dict[str, Any] | None, after: dict[str, Any] | None, names: Mapping[str, str]
) -> list[Part]:
    gone = before is None and after is None
    before, after = before or {}, after or {}
    parts: list[Part] = []
    for name in dict.fromkeys((*before, *after)):
        if name == "here":
            parts.append(
                (f"  {'it stands in its store' if after[name] else 'it left its store'}\n", "$quiet")
            )
            continue
        old, new = (
            screen_text(value_words(name, each.get(name), names), limit=2000) for each in (before, after)
        )
        if old == new:
            continue
        if "\n" not in old + new and len(old) + len(new) < 60:
            parts += [
                (f"  {one_line(field_name(name))}  ", "$quiet"),
                (old or "nothing", "$quiet"),
                (" → ", "$accent"),
                (new or "nothing", ""),
                ("\n", ""),
            ]
            continue
        parts += [(f"  {one_line(field_name(name))}\n", "$quiet")]
        removed, added = word_diff(old, new)
        parts += signed("−", removed) if old else []
        parts += signed("+", added) if new else []
    if not parts and gone:
        parts.append(("  The texts of this change were erased.\n", "$quiet"))
    return parts
