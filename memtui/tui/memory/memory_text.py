"""The text of the detail pane for one memory; a pure function."""

from __future__ import annotations

from collections.abc import Callable

from textual.content import Content

from memtui.memory.contradictions.pairs import CONTRADICTION, DUPLICATE
from memtui.memory.detail import Detail
from memtui.memory.encoding import plain
from memtui.memory.lifecycles import by_name
from memtui.memory.lifecycles.forecast import describe
from memtui.memory.memory import LIVE, Memory, label_of
from memtui.memory.provenance import origin_rows, other_related_records, relation_lines
from memtui.memory.results import MatchReason
from memtui.text import LIMIT, screen_text
from memtui.tui.memory import wording_detail as wording
from memtui.tui.memory.history_text import history_parts
from memtui.tui.memory.match_reason import highlighted, match_rows
from memtui.tui.memory.summary_line import summary_line
from memtui.tui.text.glyphs import PIN, ago, fading_of, moment, state_of
from memtui.tui.text.text_layout import Part, one_line, section, table
from memtui.values import FieldValue

ACTIONS = ("pin", "unpin", "confirm", "dismiss", "restore", "edit")
MAX_RECORDS = 30  # related records that are shown
MAX_EXTRA = 40  # fields unknown to memtui that are shown
Key = Callable[[str], str]
"""Returns the key of a command."""


def label(memory: Memory) -> str:
    """Return the one-line label of a memory, safe to show."""
    return one_line(label_of(memory.title, memory.subject, memory.content))


def summary(detail: Detail, now: float) -> str:
    """Return a line like: fact · ◌ candidate · strength 0.88 · 7 uses · last 1d ago."""
    memory = detail.memory
    forecast = detail.forecast
    strength = memory.confidence if forecast is None else forecast.score
    parts = [
        one_line(memory.category or memory.kind, 40),
        state_of(memory.status, detail.removed_at is not None) or one_line(memory.status, 20),
        "" if strength is None else wording.strength(strength),
        fading_of(forecast.label) if forecast is not None and memory.status in LIVE else "",
        wording.uses(memory.times_used) if memory.times_used else "",
        wording.last_used(ago(memory.last_used_at, now)) if memory.last_used_at else "",
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
    """Return the memory's text, and sections: why it was found and is believed, relations, decay, problems,
    related records, fields, what each key would do, history.

    `why` marks the matched words in the text; `typed` is the word that is still being typed, see
    `highlighted`. `compact` is for a pane of a few lines: it begins with the text, then a line of counts.
    """
    memory, matched = detail.memory, why.terms if why is not None else ()
    parts: list[Part | Content] = []
    content, head = screen_text(memory.content), label(memory)
    if not compact:
        if memory.pinned:
            parts.append((f"{PIN} ", "$accent"))
        parts += [
            *highlighted(head, matched, typed, "bold"),
            ("\n", ""),
            (summary(detail, now), "$quiet"),
            ("\n", ""),
        ]
    elif memory.title:
        parts += [*highlighted(head, matched, typed, "bold"), ("\n", "")]
    if content.strip() and (compact or content.strip() != head):
        parts += [("" if compact else "\n", ""), *highlighted(content.rstrip(), matched, typed), ("\n", "")]
        if len(memory.content) > LIMIT:
            rest = len(memory.content) - LIMIT
            parts.append((wording.cut_off(rest, key("memory.copy")), "$quiet"))
    if compact and (line := summary_line(detail, width)):
        parts += [("\n", ""), (line, "$quiet"), ("\n", "")]
    parts += _structured_parts(memory, width)
    parts += table(wording.MATCH, match_rows(why), width)
    rows = origin_rows(detail, lambda at: moment(at, now))
    parts += table(wording.PROVENANCE, [(name, one_line(value, 600)) for name, value in rows], width)
    lines = [(one_line(words, 400), "" if there else "$quiet") for words, there in relation_lines(detail)]
    parts += section(wording.RELATIONS, lines, width)
    parts += table(wording.DECAY, _decay(detail), width)
    parts += section(wording.FINDINGS, _problems(detail, key), width)
    parts += table(wording.RELATED_RECORDS, _related_records(detail, now), width)
    parts += table(wording.DETAILS, _details(detail, now), width)
    parts += table(wording.KEYS, _actions(detail, key), width)
    parts += history_parts(detail.history, now, width)
    return Content.assemble(*parts)


def _structured_parts(memory: Memory, width: int) -> list[Part]:
    """Return the parts of a procedure or a summary that its text does not have."""
    steps = [f"{number}. {one_line(step, 600)}" for number, step in enumerate(memory.steps, 1)]
    parts = _listed("Preconditions", memory.preconditions, width)
    parts += section("Steps", [(step, "") for step in steps], width)
    parts += _listed("Postconditions", memory.postconditions, width)
    parts += _listed("Key facts", memory.key_facts, width)
    tone = wording.tone(one_line(memory.tone, 100)) if memory.tone else ""
    tokens = wording.tokens(memory.token_count) if memory.token_count else ""
    if line := " · ".join(part for part in (tone, tokens) if part):
        parts += [("\n", ""), (line, "$quiet"), ("\n", "")]
    return parts


def _listed(title: str, values: tuple[str, ...], width: int) -> list[Part]:
    return section(title, [(f"· {one_line(value, 600)}", "") for value in values], width)


def _problems(detail: Detail, key: Key) -> list[Part]:
    glyphs = {CONTRADICTION: "≠", DUPLICATE: "≈", "more": " "}
    lines = [(f"{glyphs.get(each.code, '!')} {one_line(each.text, 600)}", "") for each in detail.problems]
    if any(each.other_id is not None for each in detail.problems):
        lines.append((wording.compares_pairs(key("memory.pairs")), "$quiet"))
    return lines


def _actions(detail: Detail, key: Key) -> list[Part]:
    """Return what each key would change, and where, or why it cannot (S-8)."""
    lines: list[Part] = []
    for action in ACTIONS:
        if action in ("pin", "unpin") and (action == "unpin") != detail.memory.pinned:
            continue
        letter = key("memory.pin" if action == "unpin" else f"memory.{action}")
        if action in detail.blocked:
            # Restore is blocked for every live memory, which is not worth a line.
            if action != "restore":
                lines.append((f"{letter} {action}", wording.blocked(one_line(detail.blocked[action]))))
        elif action in detail.consequences:
            lines.append((f"{letter} {action}", one_line(detail.consequences[action].label)))
    return lines


def _decay(detail: Detail) -> list[Part]:
    """Return what its store's lifecycle will do to it."""
    forecast = detail.forecast
    return [] if forecast is None else list(describe(forecast, by_name(forecast.lifecycle).title))


def _details(detail: Detail, now: float) -> list[Part]:
    memory = detail.memory
    times = [
        ("created", memory.created_at),
        ("updated", memory.updated_at),
        ("happened", memory.event_time),
        ("valid from", memory.valid_from),
        ("valid to", memory.valid_to),
        ("expires", memory.expires_at),
        ("snoozed until", memory.snoozed_until),
        ("removed", detail.removed_at),
    ]
    rows: list[tuple[str, FieldValue]] = [
        ("store", memory.store),
        ("place", detail.place),
        ("uid", memory.uid),
        # A ref of memtui's own store is random; elsewhere it finds the memory in the agent's file.
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
        *[(one_line(name, 16), plain(value)) for name, value in list(memory.extra.items())[:MAX_EXTRA]],
    ]
    if (more := len(memory.extra) - MAX_EXTRA) > 0:
        rows.append(("", wording.unknown_fields(more)))
    return [(name, one_line(str(value), 200)) for name, value in rows if value not in (None, "")]


def _related_records(detail: Detail, now: float) -> list[Part]:
    """Return the records that its store keeps with it, newest first for each kind."""
    lines = []
    records = other_related_records(detail)
    for each in records[:MAX_RECORDS]:
        when = f"{moment(each.at, now)}  " if each.at is not None else ""
        lines.append((one_line(each.kind, 30), f"{when}{one_line(each.text)}"))
    if len(records) > MAX_RECORDS:
        lines.append(("", wording.more_records(len(records) - MAX_RECORDS)))
    return lines
