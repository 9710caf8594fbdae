"""All that Review says of two memories, as text: pure functions (S-42, S-43)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from textwrap import wrap

from textual.content import Content

from memtui.memory import pairs
from memtui.memory.pairs import Pair, PairDetail
from memtui.memory.records import LIVE, Detail, Memory
from memtui.memory.word_diff import Piece, all_differs, differing
from memtui.text import LIMIT, safe_text
from memtui.tui.widgets.glyphs import PIN, ago, counted, fit, grouped, moment, state_of
from memtui.tui.widgets.memory_text import one, summary

Part = tuple[str, str]
DAY = 86_400
NAMES = 16  # cells of a verdict's key and name
LONG = 600  # characters of a text below which what it rests on is likely out of sight
GAVE = {
    pairs.KEEP_A: "kept A",
    pairs.KEEP_B: "kept B",
    pairs.MERGE: "merged",
    pairs.BOTH_TRUE: "both true",
    pairs.LATER: "later",
    pairs.DISCARD_BOTH: "both discarded",
}
SUGGESTED = {
    pairs.KEEP_A: "keep A",
    pairs.KEEP_B: "keep B",
    pairs.MERGE: "merge",
    pairs.BOTH_TRUE: "both true",
    pairs.LATER: "later",
    pairs.DISCARD_BOTH: "discard both",
    pairs.NOT_SO: "not so",
}
COMMAND_OF = {
    pairs.KEEP_A: "pair.keep_a",
    pairs.KEEP_B: "pair.keep_b",
    pairs.MERGE: "pair.merge",
    pairs.BOTH_TRUE: "pair.both",
    pairs.LATER: "pair.later",
    pairs.DISCARD_BOTH: "pair.discard",
    pairs.NOT_SO: "pair.not_so",
}


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two as it is shown: what its title and its text say in pieces, what stands out, how
    many memories rest on it."""

    detail: Detail
    title: list[Piece]
    text: list[Piece]
    merits: tuple[str, ...]
    relies: int

    @property
    def memory(self) -> Memory:
        """The memory itself."""
        return self.detail.memory


def sides(found: PairDetail) -> tuple[Side, Side]:
    """Both sides, compared word by word; for the reading thread, since long texts take a while."""
    a, b = found.a.memory, found.b.memory
    titles = _compared(found.pair, a.title or "", b.title or "", one_line=True)
    texts = _compared(found.pair, a.content, b.content, one_line=False)
    return (
        Side(found.a, titles[0], texts[0], merits(a, b), found.relies[0]),
        Side(found.b, titles[1], texts[1], merits(b, a), found.relies[1]),
    )


def _compared(pair: Pair, a: str, b: str, *, one_line: bool) -> tuple[list[Piece], list[Piece]]:
    """What only one of the two says is marked; what stands elsewhere in the other only where that is all
    there is to a contradiction."""
    a, b = (safe_text(each, one_line=one_line, limit=300 if one_line else LIMIT).strip() for each in (a, b))
    clash = pair.family == pairs.CONTRADICTION
    told = differing(a, b, moved=clash and pair.kind == "order")
    if clash and not any(only for side in told for _text, only in side):
        told = differing(a, b)
    if not a or not b or all_differs(told[0]):
        return _clashing(a, pair.words[0]), _clashing(b, pair.words[1])  # all marked would mark nothing
    return told


def _clashing(text: str, word: str) -> list[Piece]:
    """A text with only the word that clashes marked, where it is found."""
    word = safe_text(word, one_line=True, limit=60).strip()
    found = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE) if word else None
    if found is None or found[0] == text:
        return [(text, False)] if text else []
    start, end = found.span()
    return [each for each in ((text[:start], False), (text[start:end], True), (text[end:], False)) if each[0]]


def merits(mine: Memory, other: Memory) -> tuple[str, ...]:
    """What speaks for one of the two, in a word each."""
    said = {
        "pinned": mine.pinned and not other.pinned,
        "newer": _at(mine) > _at(other),
        "used more": mine.times_used > other.times_used,
        "surer": (mine.confidence or 0) > (other.confidence or 0) + 0.05,
    }
    return tuple(word for word, so in said.items() if so)


def _at(memory: Memory) -> float:
    return memory.updated_at or memory.created_at or 0.0


def given_as(verdict: str, family: str) -> str:
    """A verdict in two or three words."""
    if verdict == pairs.NOT_SO:
        return "not the same" if family == pairs.DUPLICATE else "no contradiction"
    return GAVE.get(verdict, one(verdict, 20))


def open_for(pair: Pair, now: float) -> str:
    """! open for 9 days."""
    days = int(max(0.0, now - pair.found_at) // DAY)
    return f"! open for {grouped(days)} day{'s' if days != 1 else ''}" if pair.escalated else ""


def side_title(letter: str, side: Side, now: float, *, folded: bool) -> str:
    """A  newer, used more; folded with what it rests on."""
    merit = ", ".join(side.merits)
    memory = side.memory
    if not folded and len(memory.content) < LONG:
        return f"{letter}  {merit}".rstrip()
    parts = [
        merit,
        _strength(side.detail),
        counted(memory.times_used, "use") if memory.times_used else "",
        f"{one(memory.store, 24)} {ago(_at(memory) or None, now)}".strip(),
        _state(side),
    ]
    return f"{letter}  {' · '.join(part for part in parts if part)}"


def side_text(side: Side, now: float, width: int, *, folded: bool) -> Content:
    """The text with the words marked that the other one lacks, and what it rests on."""
    memory = side.memory
    parts: list[Part] = []
    if memory.pinned:
        parts.append((f"{PIN} ", "$accent"))
    if side.title:
        parts += [*_marked(side.title, "bold"), ("\n", "")]
        parts += [] if folded else [("\n", "")]
    parts += _marked(side.text, "") or ([] if side.title else [("(empty)", "$quiet")])
    if len(memory.content) > LIMIT:
        parts.append((f"\n{grouped(len(memory.content) - LIMIT)} characters more are not shown.", "$quiet"))
    parts.append(("\n", ""))
    if folded:
        said = f"“{one(memory.source_excerpt, 200)}”  " if memory.source_excerpt else ""
        parts += [(said, "italic"), (_relied(side.relies), "$quiet")]
    else:
        parts += [("\n", ""), *_rows(_grounds(side, now), width)]
    return Content.assemble(*parts)


def marked_text(side: Side) -> Content:
    """Only what it says, with the words marked that the other one lacks."""
    head: list[Part] = [*_marked(side.title, "bold"), ("\n", "")] if side.title else []
    return Content.assemble(*head, *_marked(side.text, ""))


def _grounds(side: Side, now: float) -> list[Part]:
    """What a memory rests on, in pairs of name and value."""
    memory = side.memory
    origin = " · ".join(x for x in (memory.source_type, memory.source_ref, memory.session_id) if x)
    rows = [
        ("is", summary(side.detail, now)),
        ("relies", _relied(side.relies)),
        ("source", one(origin)),
        ("said", f"“{one(memory.source_excerpt, 600)}”" if memory.source_excerpt else ""),
        ("store", f"{one(memory.store, 40)} · {one(side.detail.place, 80)}".strip(" ·")),
        ("changed", moment(_at(memory) or None, now)),
        ("key", one(memory.key or "", 80)),
        ("pinned", one(" · ".join(x for x in (memory.pinned_by, memory.pinned_why) if x), 200)),
    ]
    return [(name, value) for name, value in rows if value]


def _relied(count: int) -> str:
    return f"{counted(count, 'memory') if count else 'nothing'} rest{'s' if count < 2 else ''} on this"


def _strength(detail: Detail) -> str:
    ahead = detail.forecast
    strength = detail.memory.confidence if ahead is None else ahead.score
    return "" if strength is None else f"{min(strength, 1.0):.2f}"


def _state(side: Side) -> str:
    status = side.memory.status
    removed = side.detail.removed_at is not None
    return state_of(status, removed) or ("" if status in LIVE else one(status, 20))


def _marked(pieces: list[Piece], style: str) -> list[Part]:
    """Never by colour alone: bold, in brackets."""
    parts: list[Part] = []
    for text, only in pieces:
        if only:
            parts += [("[", "$accent"), (text, "bold $accent"), ("]", "$accent")]
        else:
            parts.append((text, style))
    return parts


def _rows(rows: list[Part], width: int) -> list[Part]:
    parts: list[Part] = []
    for name, value in rows:
        for place, row in enumerate(wrap(value, max(width - 9, 12)) or [""]):
            parts += [(f"{'' if place else name:<9}", "$quiet"), (row, ""), ("\n", "")]
    return parts


def why_text(found: PairDetail, now: float, width: int, *, folded: bool) -> Content:
    """Why these two: the reason, how they were found; then what memtui would say. Folded, a line each."""
    pair = found.pair
    told = _state_told(pair, now)
    late = "" if told else open_for(pair, now)
    reason = one(pair.reason) or "They were found together."
    words = [one(word, 60) for word in pair.words]
    told_there = all(word in reason for word in words)
    clash = "" if told_there or not all(words) else f"“{words[0]}” or “{words[1]}”. "
    said = _suggested(found) if not told else ("", "")
    if folded:
        first = told or (f"{late} · {reason}" if late else reason)
        lines = [[(fit(first, width).rstrip(), "bold" if told else "$warning" if late else "")]]
        rest = said[0] + said[1] if said[0] or said[1] else reason
        lines.append([(fit(rest, width).rstrip(), "$accent" if said[0] else "$quiet")])
    else:
        lines = [[(told, "bold")]] if told else []
        lines.append([(f"{late}  ", "$warning"), (reason, "")] if late else [(reason, "")])
        lines.append([(clash, ""), (found_as(pair), "$quiet")])
        lines.append([(said[0], "$accent"), (said[1], "" if said[0] else "$quiet")])
    parts = [part for line in lines for part in (*line, ("\n", ""))]
    return Content.assemble(*parts).rstrip()


def _suggested(found: PairDetail) -> tuple[str, str]:
    """Suggested: keep A. And why."""
    suggestion = found.suggestion
    if suggestion is None or not suggestion.verdict:
        why = (
            one(suggestion.reason) if suggestion is not None else "Nothing speaks clearly for one of the two."
        )
        return "", f"No suggestion. {why}"
    verdict = SUGGESTED.get(suggestion.verdict, one(suggestion.verdict, 20))
    return f"Suggested: {verdict}. ", one(suggestion.reason)


def found_as(pair: Pair) -> str:
    """Sure (0.91) · two values."""
    kind = pairs.kind_words(one(pair.kind, 40)) or pair.family
    if pair.kind == pairs.MAYBE:
        return f"{kind.capitalize()} ({pair.score:.2f})."
    return f"{pairs.sureness(pair.score).capitalize()} ({pair.score:.2f}) · {kind}."


def _state_told(pair: Pair, now: float) -> str:
    """Whether a pair is no longer open, and what was said of it."""
    said = pair.said
    if pair.state == "later" and said is not None:
        return f"Put off until {moment(said.until, now)}."
    if pair.state == "open":
        return ""
    if said is None:
        return "Over: one of the two left or was changed, and they clash no more."
    note = f" “{one(said.note, 200)}”" if said.note else ""
    return f"✓ {given_as(said.verdict, pair.family)}, {moment(said.at, now)}.{note}"


def outcome_title(verdict: str) -> str:
    """If you keep A."""
    return "If you keep B" if verdict == pairs.KEEP_B else "If you keep A"


def outcome_text(
    found: PairDetail, verdict: str, key: Callable[[str], str], width: int, *, folded: bool
) -> Content:
    """What will happen where if the side in view is kept; below it what the other keys would do."""
    parts: list[Part] = []
    sentences, blocked = _outcome(found.outcome, found.blocked, verdict)
    parts += [(sentences, "$warning" if blocked else ""), ("\n", "")]
    if not folded:
        for other in pairs.VERDICTS:
            if other in (pairs.KEEP_A, pairs.KEEP_B):
                continue
            told, _blocked = _outcome(found.outcome, found.blocked, other)
            name = f"{key(COMMAND_OF[other])} {SUGGESTED[other]}"
            for place, row in enumerate(wrap(told, max(width - NAMES, 12)) or [""]):
                parts += [(f"{'' if place else name:<{NAMES}}", "$accent"), (row, "$quiet"), ("\n", "")]
    return Content.assemble(*parts).rstrip()


def _outcome(
    outcome: Mapping[str, tuple[str, ...]], blocked: Mapping[str, str], verdict: str
) -> tuple[str, bool]:
    if why := blocked.get(verdict):
        return f"Not now: {one(why)}", True
    said = " ".join(one(sentence) for sentence in outcome.get(verdict, ()))
    return said or "Nothing is written to a store.", False


def outcome_line(found: PairDetail, verdict: str) -> str:
    """What one verdict will do where, for a dialog."""
    return _outcome(found.outcome, found.blocked, verdict)[0]
