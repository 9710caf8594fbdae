"""All that the detail pane says of one memory, as text: a pure function."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import wrap
from typing import Any

from textual.content import Content

from memtui.memory.forecasting import in_words
from memtui.memory.lifecycles import by_name
from memtui.memory.records import LIVE, Detail, Event, Memory, Relation, Why, label_of
from memtui.text import LIMIT, safe_text
from memtui.tui.widgets.glyphs import PIN, ago, counted, fading_of, grouped, moment, state_of
from memtui.tui.widgets.reason_text import reasons, told

Part = tuple[str, str]
ACTIONS = ("pin", "unpin", "confirm", "dismiss", "restore", "edit")
MOST_BESIDE = 30  # records beside a memory that are shown
Key = Callable[[str], str]
"""The key that a command has now."""


def one(text: str, limit: int = 300) -> str:
    """Stored text on one line."""
    return safe_text(text, one_line=True, limit=limit)


def label(memory: Memory) -> str:
    """The line that stands for it, safe."""
    return one(label_of(memory.title, memory.subject, memory.content))


def summary(detail: Detail, now: float) -> str:
    """fact · ◌ candidate · strength 0.88 · 7 uses · last 1d ago."""
    memory = detail.memory
    ahead = detail.forecast
    strength = memory.confidence if ahead is None else ahead.score
    parts = [
        one(memory.category or memory.kind, 40),
        state_of(memory.status, detail.removed_at is not None) or one(memory.status, 20),
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
    why: Why | None = None,
    typed: str = "",
) -> Content:
    """Label, meta, text, why it is here, details, source, relations, what each key would do, history.

    The words that were asked for are marked; `typed` is the one that is still being typed."""
    memory, matched = detail.memory, why.matched if why is not None else ()
    parts: list[Part | Content] = []
    content, head = safe_text(memory.content), label(memory)
    if not compact:
        if memory.pinned:
            parts.append((f"{PIN} ", "$accent"))
        parts += [
            *told(head, matched, typed, "bold"),
            ("\n", ""),
            (summary(detail, now), "$quiet"),
            ("\n\n", ""),
        ]
    if not compact and content.strip() == head:
        # The label says all of it.
        parts.pop()
        parts.append(("\n", ""))
    elif content.strip():
        parts += [*told(content.rstrip(), matched, typed), ("\n", "")]
        if len(memory.content) > LIMIT:
            rest = grouped(len(memory.content) - LIMIT)
            parts.append((f"\n{rest} characters more are not shown; y copies all of it.\n", "$quiet"))
    for name in ("steps", "preconditions", "postconditions", "key_facts"):
        if values := getattr(memory, name):
            parts += section(
                name.replace("_", " ").capitalize(), [(f"· {one(value)}", "") for value in values], width
            )
    parts += table("Why it is here", reasons(why), width)
    parts += table("What the keys do", _actions(detail, key), width)
    parts += table("How it ages", _ages(detail), width)
    parts += table("Details", _details(detail, now), width)
    parts += section("Source", _source(memory), width)
    parts += section("Relations", [_relation(relation, detail) for relation in detail.relations], width)
    parts += table("Beside it in its store", _beside(detail, now), width)
    parts += table("History", [_event(event, now) for event in detail.history], width)
    return Content.assemble(*parts)


def who(actor: str) -> str:
    """The actor of a journal line in words."""
    kind, _, name = actor.partition(":")
    return {"person": "you", "agent": f"agent {name}", "rule": f"rule {name}", "sync": f"sync {name}"}.get(
        kind, actor
    )


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
                lines.append((f"{letter} {action}", f"not now: {one(detail.blocked[action])}"))
        elif action in detail.consequences:
            lines.append((f"{letter} {action}", one(detail.consequences[action]).removeprefix("is ")))
    return lines


def _event(event: Event, now: float) -> Part:
    undone = f" ({event.state})" if event.state != "done" else ""
    return (moment(event.at, now), one(f"{who(event.actor)}: {event.summary}{undone}"))


def _ages(detail: Detail) -> list[Part]:
    """What becomes of it by its store's lifecycle."""
    ahead = detail.forecast
    return [] if ahead is None else list(in_words(ahead, by_name(ahead.lifecycle).title))


def _details(detail: Detail, now: float) -> list[Part]:
    memory = detail.memory
    times = [
        ("created", memory.created_at),
        ("updated", memory.updated_at),
        ("confirmed", memory.last_confirmed_at),
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
        ("confirmed", f"{memory.times_confirmed} times" if memory.times_confirmed else None),
        *[(name, moment(at, now)) for name, at in times if at is not None],
        ("superseded", f"by {memory.superseded_by}" if memory.superseded_by else None),
        (
            "pinned by",
            " · ".join(x for x in (memory.pinned_by, memory.pinned_why) if x) if memory.pinned else None,
        ),
        ("note", memory.note),
    ]
    return [(name, one(str(value))) for name, value in rows if value]


def _source(memory: Memory) -> list[Part]:
    lines: list[Part] = []
    origin = " · ".join(x for x in (memory.source_type, memory.source_ref, memory.session_id) if x)
    if origin:
        lines.append((one(origin), ""))
    if memory.source_excerpt:
        lines.append((f"“{one(memory.source_excerpt, 600)}”", "italic"))
    return lines


def _relation(relation: Relation, detail: Detail) -> Part:
    outward = relation.source_id == detail.id and (relation.source_id is not None)
    if relation.source_id is None and relation.target_id != detail.id:
        outward = True
    other, other_id = (
        (relation.target, relation.target_id) if outward else (relation.source, relation.source_id)
    )
    arrow = "→" if outward else "←"
    told = f"{arrow} {one(relation.kind, 60)} {one(relation.label or other, 200)}"
    if relation.strength is not None:
        told += f"  {relation.strength:.2f}"
    if said := relation.context or relation.body:
        told += f" — {one(said, 200)}"
    if relation.kept:
        told += "  (kept in memtui)"
    return (told, "") if other_id is not None else (f"{told}  (not in this store)", "$quiet")


def _beside(detail: Detail, now: float) -> list[Part]:
    """What stands beside it in its store, each kind's newest first."""
    lines = []
    for each in detail.beside[:MOST_BESIDE]:
        when = f"{moment(each.at, now)}  " if each.at is not None else ""
        lines.append((one(each.kind, 30), f"{when}{one(each.words)}"))
    if len(detail.beside) > MOST_BESIDE:
        lines.append(("", f"and {len(detail.beside) - MOST_BESIDE} more"))
    return lines


def section(title: str, lines: list[Part], width: int) -> list[Part]:
    """A heading and its lines; what is too long goes on further in."""
    parts: list[Part] = []
    for text, style in lines:
        for row in wrap(text, max(width, 12), initial_indent="  ", subsequent_indent="    "):
            parts += [(row, style), ("\n", "")]
    return _headed(title, parts)


def table(title: str, rows: list[Part], width: int) -> list[Part]:
    """A heading and pairs of name and value; long values stay in their column."""
    names = max((len(name) for name, _ in rows), default=0) + 2
    parts: list[Part] = []
    for name, value in rows:
        for place, row in enumerate(wrap(value, max(width - names - 2, 12)) or [""]):
            parts += [(f"  {'' if place else name:<{names}}", "$quiet"), (row, ""), ("\n", "")]
    return _headed(title, parts)


def _headed(title: str, parts: list[Part]) -> list[Part]:
    return [("\n", ""), (title, "$accent"), ("\n", ""), *parts] if parts else []
