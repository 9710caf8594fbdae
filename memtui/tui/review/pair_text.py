"""Text on a pair of memories: sides, reason, state and outcomes; pure functions (S-42, S-43)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from textwrap import wrap

from rich.cells import cell_len
from textual.content import Content

from memtui.memory.contradictions import pairs
from memtui.memory.contradictions.pairs import Pair, PairDetail
from memtui.memory.detail import Detail
from memtui.memory.diff.words import Segment
from memtui.memory.memory import LIVE
from memtui.memory.wording import pinner
from memtui.text import LIMIT
from memtui.tui.memory.detail.memory_text import summary
from memtui.tui.review import wording
from memtui.tui.review.comparison import LONG, Side, changed_at
from memtui.tui.text.glyphs import PIN, ago, counted, fit, moment, state_of
from memtui.tui.text.text_layout import Part, one_line

DAY = 86_400
NAME_WIDTH = 23  # cells of a verdict's key and name
CONTEXT = 40  # characters shown before a mark whose sentence is too long to show
VERDICTS_GIVEN = {
    pairs.KEEP_A: "kept A",
    pairs.KEEP_B: "kept B",
    pairs.MERGE: "merged",
    pairs.BOTH_TRUE: "both true",
    pairs.LATER: "snoozed",
    pairs.DISCARD_BOTH: "both discarded",
}
VERDICT_NAMES = {
    pairs.KEEP_A: "keep A",
    pairs.KEEP_B: "keep B",
    pairs.MERGE: "merge",
    pairs.BOTH_TRUE: "both true",
    pairs.LATER: "snooze",
    pairs.DISCARD_BOTH: "discard both",
}
COMMAND_OF = {
    pairs.KEEP_A: "pair.keep_a",
    pairs.KEEP_B: "pair.keep_b",
    pairs.MERGE: "pair.merge",
    pairs.BOTH_TRUE: "pair.both",
    pairs.LATER: "pair.later",
    pairs.DISCARD_BOTH: "pair.discard",
    pairs.FALSE_POSITIVE: "pair.not_so",
}


def verdict_text(verdict: str, family: str) -> str:
    """Return a verdict that was given, in two or three words."""
    if verdict == pairs.FALSE_POSITIVE:
        return _not_a_match(family)
    return VERDICTS_GIVEN.get(verdict, one_line(verdict, 20))


def verdict_name(verdict: str, family: str) -> str:
    """Return a verdict that can be given, in two or three words."""
    if verdict == pairs.FALSE_POSITIVE:
        return _not_a_match(family)
    return VERDICT_NAMES.get(verdict, one_line(verdict, 20))


def _not_a_match(family: str) -> str:
    return wording.NOT_A_DUPLICATE if family == pairs.DUPLICATE else wording.NOT_A_CONTRADICTION


def overdue_text(pair: Pair, now: float) -> str:
    """Return how long an escalated pair has been open, or ""."""
    days = int(max(0.0, now - pair.found_at) // DAY)
    return wording.open_for(days) if pair.escalated else ""


def side_title(letter: str, side: Side, now: float, *, folded: bool) -> str:
    """Return the letter and merits of a side; with its provenance if that is likely not visible below."""
    memory = side.memory
    with_provenance = folded or len(memory.content) >= LONG
    strength = _strength(side.detail) if with_provenance else ""
    confident = (wording.MORE_CONFIDENT,) if side.more_confident and not strength else ()
    parts = [", ".join((*side.merits, *confident))]
    if with_provenance:
        parts += [
            strength,
            counted(memory.times_used, "use") if memory.times_used else "",
            f"{one_line(memory.store, 24)} {ago(changed_at(memory) or None, now)}".strip(),
            _state(side),
            wording.used_by(side.dependents) if side.dependents else "",
        ]
    return f"{letter}  {' · '.join(part for part in parts if part)}".rstrip()


def side_text(side: Side, now: float, width: int, rows: int, *, folded: bool) -> Content:
    """Return a memory with the words marked that the other one lacks, and its provenance.

    A text whose conflicting sentence would not be visible in `rows` rows starts there.
    """
    memory = side.memory
    parts: list[Part] = _heading(side)
    if memory.pinned:
        parts.insert(0, (f"{PIN} ", "$accent"))
    if any(text.endswith("\n") for text, _ in parts):
        parts += [] if folded else [("\n", "")]
    start = _start(side, width, rows - row_count("".join(text for text, _ in parts), width) + 1)
    parts += [("… ", "$quiet")] if start else []
    parts += _marked(_from_position(side.text, start), "") or ([] if side.title else [("(empty)", "$quiet")])
    if len(memory.content) > LIMIT:
        parts.append((f"\n{wording.not_shown(len(memory.content) - LIMIT)}", "$quiet"))
    parts.append(("\n", ""))
    if not folded:
        parts += [("\n", ""), *_rows(_provenance(side, now), width)]
    elif memory.source_excerpt:
        parts.append((f"“{one_line(memory.source_excerpt, 200)}”", "italic"))
    return Content.assemble(*parts)


def marked_text(side: Side) -> Content:
    """Return only a memory's text, with the words marked that the other one lacks."""
    return Content.assemble(*_heading(side), *_marked(side.text, ""))


def _heading(side: Side) -> list[Part]:
    """Return what a memory is about, since a text like “Status: open” does not say it."""
    memory = side.memory
    title = (memory.title or "").casefold()
    known = dict.fromkeys(name for name in (memory.subject, memory.key) if name)
    about = " · ".join(one_line(name, 120) for name in known if name.casefold() not in title)
    parts: list[Part] = [(about, "bold")] if about else []
    if side.title:
        parts += [(" · ", "bold")] if about else []
        parts += _marked(side.title, "bold")
    return [*parts, ("\n", "")] if parts else []


def _start(side: Side, width: int, rows: int) -> int:
    """Return the position at which the text starts, so that the conflict is visible."""
    if side.conflict is None or rows < 1:
        return 0
    text = "".join(text for text, _ in side.text)
    start, end = side.conflict
    if row_count(text[:end], width) <= rows:
        return 0
    at = 0
    for segment, marked in side.text:
        if marked and at + len(segment) > start:
            break
        at += len(segment)
    if start < at < end and row_count(text[start:at], width) > rows:
        start = text.find(" ", at - CONTEXT) + 1
    return start


def _from_position(segments: list[Segment], start: int) -> list[Segment]:
    """Return the segments from a position on."""
    rest: list[Segment] = []
    at = 0
    for text, marked in segments:
        if at + len(text) > start:
            rest.append((text[max(0, start - at) :], marked))
        at += len(text)
    return rest


def row_count(text: str, width: int) -> int:
    """Return about how many rows a text takes."""
    return sum(max(1, -(-cell_len(line) // max(width, 1))) for line in text.split("\n"))


def _provenance(side: Side, now: float) -> list[Part]:
    """Return where a memory comes from and how it is used, as rows of (name, value)."""
    memory = side.memory
    origin = " · ".join(x for x in (memory.source_type, memory.source_ref, memory.session_id) if x)
    pinned = (pinner(memory.pinned_by or ""), memory.pinned_why)
    rows = [
        ("status", summary(side.detail, now)),
        ("used by", counted(side.dependents, "memory") if side.dependents else "nothing"),
        ("source", one_line(origin)),
        ("excerpt", f"“{one_line(memory.source_excerpt, 600)}”" if memory.source_excerpt else ""),
        ("store", f"{one_line(memory.store, 40)} · {one_line(side.detail.place, 80)}".strip(" ·")),
        ("changed", moment(changed_at(memory) or None, now)),
        ("pinned", one_line(" · ".join(filter(None, pinned)), 200)),
    ]
    return [(name, value) for name, value in rows if value]


def _strength(detail: Detail) -> str:
    forecast = detail.forecast
    strength = detail.memory.confidence if forecast is None else forecast.score
    return "" if strength is None else f"{min(strength, 1.0):.2f}"


def _state(side: Side) -> str:
    status = side.memory.status
    removed = side.detail.removed_at is not None
    return state_of(status, removed) or ("" if status in LIVE else one_line(status, 20))


def _marked(segments: list[Segment], style: str) -> list[Part]:
    """Return segments as parts; marks are in bold and brackets, never by colour alone."""
    parts: list[Part] = []
    for text, marked in segments:
        if marked:
            parts += [("[", "$accent"), (text, "bold $accent"), ("]", "$accent")]
        else:
            parts.append((text, style))
    return parts


def _rows(rows: list[Part], width: int) -> list[Part]:
    parts: list[Part] = []
    for name, value in rows:
        for index, row in enumerate(wrap(value, max(width - 9, 12)) or [""]):
            parts += [(f"{'' if index else name:<9}", "$quiet"), (row, ""), ("\n", "")]
    return parts


def why_text(found: PairDetail, now: float, width: int, *, folded: bool, most: int = 2) -> Content:
    """Return why two memories are a pair, how it was found, and what is suggested; folded, the reason
    in `most` lines, the suggestion in one."""
    pair = found.pair
    state = _state_text(pair, now)
    overdue = "" if state else overdue_text(pair, now)
    reason = one_line(pair.reason) or wording.NO_REASON
    values = [one_line(word, 60) for word in pair.words]
    in_reason = all(value in reason for value in values)
    conflict = "" if in_reason or not all(values) else wording.either(values[0], values[1])
    verdict, why = _suggestion(found) if not state else ("", "")
    if folded:
        with_days = f"{overdue} · {reason}" if overdue else reason
        apart = bool(overdue) and cell_len(with_days) > width  # each line is one less for the two texts
        first = state or (reason if apart else with_days)
        style = "bold" if state else "$warning" if overdue and not apart else ""
        rows = wrap(first, width)
        rows = [*rows[: most - 1], fit(" ".join(rows[most - 1 :]), width).rstrip()]
        lines = [[(row, style)] for row in rows if row]
        second = verdict + why or reason
        second += f" · {overdue}" if apart and not state else ""
        lines.append([(fit(second, width).rstrip(), "$accent" if verdict else "$quiet")])
    else:
        lines = [[(state, "bold")]] if state else []
        lines.append([(f"{overdue}  ", "$warning"), (reason, "")] if overdue else [(reason, "")])
        lines.append([(conflict, ""), (match_text(pair), "$quiet")])
        lines.append([(verdict, "$accent"), (why, "" if verdict else "$quiet")])
    parts = [part for line in lines for part in (*line, ("\n", ""))]
    return Content.assemble(*parts).rstrip()


def _suggestion(found: PairDetail) -> tuple[str, str]:
    """Return the suggested verdict and its reason; "" and why there is none."""
    suggestion = found.suggestion
    reason = one_line(suggestion.reason) if suggestion is not None else wording.NO_PREFERENCE
    if suggestion is None or not suggestion.verdict:
        return "", wording.no_suggestion(reason)
    return wording.suggested(verdict_name(suggestion.verdict, found.pair.family)), reason


def match_text(pair: Pair) -> str:
    """Return certainty and kind of a finding: “Very likely (0.91) · conflicting values.”"""
    kind = pairs.kind_label(one_line(pair.kind, 40)) or pair.family
    if pair.kind in (pairs.EXACT, pairs.MAYBE):
        return f"{kind.capitalize()} ({pair.score:.2f})."
    return f"{pairs.certainty(pair.score).capitalize()} ({pair.score:.2f}) · {kind}."


def _state_text(pair: Pair, now: float) -> str:
    """Return a pair's state and verdict, or "" if it is open."""
    decision = pair.decision
    if pair.state == "later" and decision is not None:
        return wording.snoozed_until(moment(decision.until, now))
    if pair.state == "open":
        return ""
    if decision is None:
        return wording.NO_LONGER
    verdict, note = verdict_text(decision.verdict, pair.family), one_line(decision.note, 200)
    return wording.decided(verdict, moment(decision.at, now), note)


def outcome_title(verdict: str) -> str:
    """Return the title over what a verdict does."""
    return wording.IF_KEPT["b" if verdict == pairs.KEEP_B else "a"]


def outcome_text(
    found: PairDetail, verdict: str, key: Callable[[str], str], width: int, *, folded: bool
) -> Content:
    """Return what a verdict would do and where; unless folded, also what the other keys would do."""
    parts: list[Part] = []
    sentences, blocked = _outcome(found.outcomes, found.blocked, verdict)
    parts += [(sentences, "$warning" if blocked else ""), ("\n", "")]
    if not folded:
        for other in pairs.VERDICTS:
            if other in (pairs.KEEP_A, pairs.KEEP_B):
                continue
            text, _blocked = _outcome(found.outcomes, found.blocked, other)
            name = f"{key(COMMAND_OF[other])} {verdict_name(other, found.pair.family)}"
            for index, row in enumerate(wrap(text, max(width - NAME_WIDTH, 12)) or [""]):
                parts += [(f"{'' if index else name:<{NAME_WIDTH}}", "$accent"), (row, "$quiet"), ("\n", "")]
    return Content.assemble(*parts).rstrip()


def _outcome(
    outcomes: Mapping[str, tuple[str, ...]], blocked: Mapping[str, str], verdict: str
) -> tuple[str, bool]:
    """Return what a verdict would do, and whether it is blocked."""
    if reason := blocked.get(verdict):
        return wording.not_now(one_line(reason)), True
    return wording.outcome(one_line(sentence) for sentence in outcomes.get(verdict, ())), False


def outcome_line(found: PairDetail, verdict: str) -> str:
    """Return what one verdict would do and where, for a dialog."""
    return _outcome(found.outcomes, found.blocked, verdict)[0]
