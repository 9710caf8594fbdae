"""All that the detail pane says of one memory, as text: a pure function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual.content import Content

from memtui.memory.contradictions.pairs import CONTRADICTION, DUPLICATE
from memtui.memory.detail import Detail
from memtui.memory.encoding import plain
from memtui.memory.lifecycles import by_name
from memtui.memory.lifecycles.forecast import in_words
from memtui.memory.memory import LIVE, Memory, label_of
from memtui.memory.provenance import believed, others_beside, tied
from memtui.memory.results import MatchReason
from memtui.text import LIMIT, plural, screen_text
from memtui.tui.memory.history_text import history
from memtui.tui.memory.match_reason import reasons, told
from memtui.tui.memory.summary_line import glance
from memtui.tui.text.glyphs import PIN, ago, counted, fading_of, moment, state_of
from memtui.tui.text.text_layout import Part, one_line, section, table

ACTIONS = ("pin", "unpin", "confirm", "dismiss", "restore", "edit")
MOST_BESIDE = 30  # records beside a memory that are shown
MOST_EXTRA = 40  # fields that memtui does not know
Key = Callable[[str], str]
"""The key that a command has now."""


def label(memory: Memory) -> str:
    """The line that stands for it, safe."""
    return one_line(label_of(memory.title, memory.subject, memory.content))


def summary(detail: Detail, now: float) -> str:
    """fact · ◌ candidate · strength 0.88 · 7 uses · last 1d ago."""
    memory = detail.memory
    ahead = detail.forecast
    strength = memory.confidence if ahead is None else ahead.score
    parts = [
        one_line(memory.category or memory.kind, 40),
        state_of(memory.status, detail.removed_at is not None) or one_line(memory.status, 20),
        "" if strength is None else f"strength {min(strength, 1.0):.2f}",
        fading_of(ahead.label) if ahead is not None and memory.status in LIVE else "",
        counted(memory.times_used, "use") if memory.times_used else "",
        f"last {ago(memory.last_used_at, now)}" if memory.last_used_at else "",
    ]
    return " · ".join(part for part in parts if part)


def memory_text(
    detail: Detail,
    now: float,
    width: int,
    key: Key,
    *,
    compact: bool,
    why: MatchReason | None = None,
    typed: str = "",
) -> Content:
    """Its text, why it is here and believed, what it is tied to, how it ages, what is wrong with it, details,
    what each key would do, history.

    The words that were asked for are marked; `typed` is the one that is still being typed. `compact` is
    for a pane of a few lines: the text first, then the rest in one line of counts."""
    memory, matched = detail.memory, why.terms if why is not None else ()
    parts: list[Part | Content] = []
    content, head = screen_text(memory.content), label(memory)
    if not compact:
        if memory.pinned:
            parts.append((f"{PIN} ", "$accent"))
        parts += [
            *told(head, matched, typed, "bold"),
            ("\n", ""),
            (summary(detail, now), "$quiet"),
            ("\n", ""),
        ]
    elif memory.title:
        parts += [*told(head, matched, typed, "bold"), ("\n", "")]
    if content.strip() and (compact or content.strip() != head):
        parts += [("" if compact else "\n", ""), *told(content.rstrip(), matched, typed), ("\n", "")]
        if len(memory.content) > LIMIT:
            rest = len(memory.content) - LIMIT
            more = f"{counted(rest, 'character')} more {plural(rest, 'is', 'are')} not shown"
            parts.append((f"\n{more}; y copies all of it.\n", "$quiet"))
    if compact and (line := glance(detail, width)):
        parts += [("\n", ""), (line, "$quiet"), ("\n", "")]
    parts += _parts_of(memory, width)
    parts += table("Why it is here", reasons(why), width)
    rows = believed(detail, lambda at: moment(at, now))
    parts += table("Why it is believed", [(name, one_line(value, 600)) for name, value in rows], width)
    lines = [(one_line(words, 400), "" if there else "$quiet") for words, there in tied(detail)]
    parts += section("What it is tied to", lines, width)
    parts += table("How it ages", _ages(detail), width)
    parts += section("What is wrong with it", _wrong(detail, key), width)
    parts += table("Beside it in its store", _beside(detail, now), width)
    parts += table("Details", _details(detail, now), width)
    parts += table("What the keys do", _actions(detail, key), width)
    parts += history(detail.history, now, width)
    return Content.assemble(*parts)


def _parts_of(memory: Memory, width: int) -> list[Part]:
    """What a procedure or a summary says beside its text."""
    steps = [f"{number}. {one_line(step, 600)}" for number, step in enumerate(memory.steps, 1)]
    parts = _listed("Preconditions", memory.preconditions, width)
    parts += section("Steps", [(step, "") for step in steps], width)
    parts += _listed("Postconditions", memory.postconditions, width)
    parts += _listed("Key facts", memory.key_facts, width)
    tone = f"tone: {one_line(memory.tone, 100)}" if memory.tone else ""
    tokens = counted(memory.token_count, "token") if memory.token_count else ""
    if said := " · ".join(part for part in (tone, tokens) if part):
        parts += [("\n", ""), (said, "$quiet"), ("\n", "")]
    return parts


def _listed(title: str, values: tuple[str, ...], width: int) -> list[Part]:
    return section(title, [(f"· {one_line(value, 600)}", "") for value in values], width)


def _wrong(detail: Detail, key: Key) -> list[Part]:
    glyphs = {CONTRADICTION: "≠", DUPLICATE: "≈", "more": " "}
    lines = [(f"{glyphs.get(each.code, '!')} {one_line(each.text, 600)}", "") for each in detail.problems]
    if any(each.other_id is not None for each in detail.problems):
        lines.append((f"{key('memory.pairs')} compares them in Review.", "$quiet"))
    return lines


def _actions(detail: Detail, key: Key) -> list[Part]:
    """Before a change, in words, what will happen where (S-8)."""
    lines: list[Part] = []
    for action in ACTIONS:
        if action in ("pin", "unpin") and (action == "unpin") != detail.memory.pinned:
            continue
        letter = key("memory.pin" if action == "unpin" else f"memory.{action}")
        if action in detail.blocked:
            # Restore is blocked for every live memory: not worth a line.
            if action != "restore":
                lines.append((f"{letter} {action}", f"not now: {one_line(detail.blocked[action])}"))
        elif action in detail.consequences:
            lines.append((f"{letter} {action}", one_line(detail.consequences[action]).removeprefix("is ")))
    return lines


def _ages(detail: Detail) -> list[Part]:
    """What becomes of it by its store's lifecycle."""
    ahead = detail.forecast
    return [] if ahead is None else list(in_words(ahead, by_name(ahead.lifecycle).title))


def _details(detail: Detail, now: float) -> list[Part]:
    memory = detail.memory
    times = [
        ("created", memory.created_at),
        ("updated", memory.updated_at),
        ("happened", memory.event_time),
        ("valid from", memory.valid_from),
        ("valid to", memory.valid_to),
        ("expires", memory.expires_at),
        ("snoozed to", memory.snoozed_until),
        ("removed", detail.removed_at),
    ]
    rows: list[tuple[str, Any]] = [
        ("store", memory.store),
        ("place", detail.place),
        ("uid", memory.uid),
        # Our own store's refs are random; elsewhere the ref finds it in the agent's file.
        ("ref", memory.ref if memory.store != "native" else None),
        ("key", memory.key),
        ("subject", memory.subject),
        ("value", None if memory.value is None else str(memory.value)),
        ("tags", ", ".join(memory.tags)),
        ("owner", memory.owner),
        ("scope", memory.scope),
        ("kind", memory.kind if memory.category and memory.kind != "item" else None),
        ("company", memory.company_id),
        ("importance", None if memory.importance is None else f"{memory.importance:.2f}"),
        ("tier", memory.tier),
        ("heat", memory.heat),
        *[(name, moment(at, now)) for name, at in times if at is not None],
        (
            "pinned by",
            " · ".join(x for x in (memory.pinned_by, memory.pinned_why) if x) if memory.pinned else None,
        ),
        ("note", memory.note),
        *[(one_line(name, 16), plain(value)) for name, value in list(memory.extra.items())[:MOST_EXTRA]],
    ]
    if (more := len(memory.extra) - MOST_EXTRA) > 0:
        rows.append(("", f"and {counted(more, 'field')} more that memtui does not know"))
    return [(name, one_line(str(value), 200)) for name, value in rows if value not in (None, "")]


def _beside(detail: Detail, now: float) -> list[Part]:
    """What stands beside it in its store, each kind's newest first."""
    lines = []
    beside = others_beside(detail)
    for each in beside[:MOST_BESIDE]:
        when = f"{moment(each.at, now)}  " if each.at is not None else ""
        lines.append((one_line(each.kind, 30), f"{when}{one_line(each.text)}"))
    if len(beside) > MOST_BESIDE:
        lines.append(("", f"and {len(beside) - MOST_BESIDE} more"))
    return lines
