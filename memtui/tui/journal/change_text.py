"""Text on a change: what it did, memory by memory, before and after; pure functions (S-50)."""

from __future__ import annotations

from collections.abc import Mapping

from textual.content import Content

from memtui.memory.field_text import field_name, value_text
from memtui.memory.journal import UNREADABLE, AgentChange, Event, EventItem
from memtui.memory.wording import caller
from memtui.text import screen_text
from memtui.tui.journal import wording
from memtui.tui.text.glyphs import counted, moment
from memtui.tui.text.text_layout import Part, one_line
from memtui.tui.text.word_diff import signed, word_diff
from memtui.values import Fields

AGENT = "agent:"  # before the name of an agent that called
MAX_MEMORIES = 200  # shown of one change


def change_text(event: Event, items: list[EventItem], now: float) -> Content:
    """Return who changed what and when, and every field before and after."""
    meta = [
        caller(event.actor, event.tool, event.session),
        moment(event.at, now),
        counted(event.count, "memory") if event.count else "",
        event.store.replace(",", ", "),
        state_text(event),
    ]
    parts: list[Part] = [
        (one_line(event.summary), "bold"),
        ("\n", ""),
        (one_line(" · ".join(part for part in meta if part)), "$quiet"),
        ("\n", ""),
    ]
    if event.reason:
        parts += [(one_line(event.reason), "$warning"), ("\n", "")]
    for item in items[:MAX_MEMORIES]:
        parts += [
            ("\n", ""),
            (one_line(item.label), "$accent"),
            (f"  {one_line(item.store, 40)}", "$quiet"),
            ("\n", ""),
        ]
        state = "" if item.state == "done" else item.state
        if state_line := ": ".join(filter(None, (state, one_line(item.reason)))):
            parts += [(f"  {state_line}\n", "$warning")]
        parts += _fields(item.before, item.after, item.names)
    if len(items) > MAX_MEMORIES:
        parts += [(f"\n{wording.more_memories(len(items) - MAX_MEMORIES)}", "$quiet")]
    return Content.assemble(*parts)


def state_text(event: Event) -> str:
    """Return an entry's state, or "" if it is done."""
    if event.state == "intended":
        return wording.NOT_FINISHED
    return "" if event.state == "done" else event.state


def agent_change_text(item: AgentChange, now: float, undo: str, restore: str) -> Content:
    """Return what agents did to one memory since the user last looked, and which key reverts it: `undo` or
    `restore`."""
    agent = caller(item.actor, item.tool, item.session) if item.actor.startswith(AGENT) else ""
    when, store = moment(item.at, now), one_line(item.store, 40)
    origin = wording.by_agent(item.effective_kind, one_line(agent), when, store)
    parts: list[Part] = [
        (one_line(item.label), "bold"),
        ("\n", ""),
        (f"{origin}\n", "$quiet"),
        ("\n", ""),
    ]
    if item.kind == UNREADABLE:
        return Content.assemble(*parts[:2], (wording.UNREADABLE_CHANGE, "$warning"))
    if item.overwritten:
        parts += [(f"{wording.overwritten(undo)}\n", "$warning")]
    if item.kind == "removed":
        parts += [(f"{wording.removed(restore)}\n", "$accent")]
    elif item.kind == "added":
        parts += [(f"{wording.added(undo)}\n", "$accent")]
    parts += _fields(item.before, item.after, item.names)
    if item.kind != "changed" and item.content:
        parts += [("\n", ""), (screen_text(item.content), ""), ("\n", "")]
    return Content.assemble(*parts)


def _fields(before: Fields | None, after: Fields | None, names: Mapping[str, str]) -> list[Part]:
    erased = before is None and after is None
    before, after = before or {}, after or {}
    parts: list[Part] = []
    for name in dict.fromkeys((*before, *after)):
        if name == "here":
            parts.append((f"  {wording.IN_STORE if after[name] else wording.LEFT_STORE}\n", "$quiet"))
            continue
        old, new = (
            screen_text(value_text(name, each.get(name), names), limit=2000) for each in (before, after)
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
    if not parts and erased:
        parts.append((f"  {wording.PURGED}\n", "$quiet"))
    return parts
