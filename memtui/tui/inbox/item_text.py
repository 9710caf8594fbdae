"""What is under the cursor of the Inbox, as text: a pair, a store's finding, a store's candidates (S-52)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from textwrap import wrap

from textual.content import Content

from memtui.memory.contradictions import pairs
from memtui.memory.contradictions.pairs import PairDetail
from memtui.memory.inbox.items import ESCALATED, KINDS, InboxItem
from memtui.memory.inbox.wording import reason
from memtui.tui.inbox import wording
from memtui.tui.inbox.inbox_list import SIGNS, STYLES
from memtui.tui.review.comparison import Side
from memtui.tui.review.pair_text import (
    COMMAND_OF,
    outcome_line,
    side_text,
    side_title,
    verdict_name,
    why_text,
)
from memtui.tui.text.glyphs import fit, grouped
from memtui.tui.text.text_layout import Part, one_line, section

Key = Callable[[str], str]
ROOMY = 6  # rows of each text from which on there is room for all that a key would do
NAME = 23  # cells of a verdict's key and name
OFFERED = (pairs.KEEP_A, pairs.KEEP_B, pairs.MERGE, pairs.BOTH_TRUE, pairs.FALSE_POSITIVE, pairs.LATER)
COMMANDS = {**COMMAND_OF, pairs.LATER: "memory.snooze"}


def pair_text(
    found: PairDetail, sides: tuple[Side, Side], now: float, key: Key, width: int, rows: int | None
) -> Content:
    """Return both texts with the differing words marked, why they are a pair, and what each key would do.

    With `rows`, at most so many of each text; where these are few, one line for each key."""
    parts: list[Content] = []
    for letter, side in zip("AB", sides, strict=True):
        title = side_title(letter, side, now, folded=True)
        parts.append(Content.assemble((fit(title, width).rstrip() if rows else title, "bold $accent")))
        whole = side_text(side, now, width - 3, rows or 1_000_000, folded=rows is not None)
        lines = whole.rstrip().wrap(width - 3)
        parts += [Content("   ") + line for line in lines[:rows]]
        if rows is not None and len(lines) > rows:
            parts[-1] += Content(" …")
    parts.append(why_text(found, now, width, folded=rows is not None, most=1))
    for verdict in OFFERED:
        name = f"{key(COMMANDS[verdict])} {verdict_name(verdict, found.pair.family)}"
        is_later = verdict == pairs.LATER and verdict not in found.blocked
        outcome = wording.CHOOSE_WHEN if is_later else outcome_line(found, verdict)
        style = "$warning" if verdict in found.blocked else "$quiet"
        room = max(width - NAME, 12)
        texts = [fit(outcome, room).rstrip()] if rows is not None and rows < ROOMY else wrap(outcome, room)
        for index, text in enumerate(texts or [""]):
            parts.append(Content.assemble((f"{'' if index else name:<{NAME}}", "$accent"), (text, style)))
    return Content("\n").join(parts)


def finding_text(item: InboxItem, key: Key, width: int) -> Content:
    """Return what was found in a store, what it means, and what can be done."""
    place = item.data.get("place")
    where = " · ".join(one_line(text, 300) for text in (item.store, str(place or "")) if text)
    parts: list[Part] = [(one_line(item.label, 1000), "bold"), ("\n", ""), (where, "$quiet"), ("\n", "")]
    if item.count > 1:
        parts += [(wording.more_findings(item.count - 1), ""), ("\n", "")]
    if meaning := item.data.get("meaning"):
        parts += section(wording.WHAT_IT_MEANS, [(one_line(str(meaning), 1000), "")], width)
    repair = key("inbox.repair") if item.data.get("repairable") else ""
    todo = wording.store_help(repair, key("inbox.open"), key("memory.snooze"))
    parts += section(wording.WHAT_TO_DO, [(todo, "")], width)
    return Content.assemble(*parts).rstrip()


def breach_text(item: InboxItem, key: Key, width: int) -> Content:
    """Return what was refused to an agent, and what can be done."""
    parts: list[Part] = [(one_line(item.label, 1000), "bold"), ("\n", "")]
    todo = wording.breach_help(key("inbox.open"), key("memory.snooze"))
    parts += section(wording.WHAT_TO_DO, [(todo, "")], width)
    return Content.assemble(*parts).rstrip()


def candidates_text(item: InboxItem, store: str, key: Key) -> Content:
    """Return how many candidates a store has, and how to list them."""
    return Content.assemble(
        (wording.candidates_of(item.count, one_line(store, 60)), "bold"),
        ("\n\n", ""),
        wording.candidates_help(key("inbox.open"), key("inbox.close")),
    )


def why_here(item: InboxItem) -> str:
    """Return the line above a memory's text."""
    return one_line(wording.why_here(reason(item)), 300)


def kinds_line(counts: Mapping[str, int], off: Collection[str], key: str, width: int) -> Content:
    """Return the kinds that there are with their signs and counts, and which are off; without their names
    where these do not fit."""
    whole = _kinds(counts, off, key, with_names=True)
    if whole.cell_length > width:
        whole = _kinds(counts, off, key, with_names=False)
    return whole.truncate(max(1, width), ellipsis=True)


def _kinds(counts: Mapping[str, int], off: Collection[str], key: str, *, with_names: bool) -> Content:
    parts: list[Part] = [(" ", "")]
    for kind in KINDS:
        if kind not in counts:
            continue
        name = f" {wording.KINDS[kind]}" if with_names else wording.LATE if kind == ESCALATED else ""
        text = f"{name} {grouped(counts[kind])}"
        if kind in off:
            parts.append((f"{SIGNS[kind]}{wording.kind_off(text)}", "$quiet"))
        else:
            parts += [(SIGNS[kind], _COLOURS[STYLES.get(kind, "warn")]), (text, "")]
        parts.append(("  ", ""))
    if counts:
        parts.append((wording.filter_key(key), "$quiet"))
    return Content.assemble(*parts)


_COLOURS = {"error": "$error", "warn": "$warning", "quiet": "$quiet"}
