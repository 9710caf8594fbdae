"""All that Review says of two memories, as text: pure functions (S-42, S-43)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from textwrap import wrap

from rich.cells import cell_len
from textual.content import Content

from memtui.memory.contradictions import pairs, passages
from memtui.memory.contradictions.pairs import Pair, PairDetail
from memtui.memory.detail import Detail
from memtui.memory.diff.words import Piece, all_differs, differing
from memtui.memory.memory import LIVE, Memory
from memtui.text import LIMIT, plural, screen_text
from memtui.tui.memory.memory_text import summary
from memtui.tui.text.glyphs import PIN, ago, counted, fit, grouped, moment, state_of
from memtui.tui.text.text_layout import one_line

Part = tuple[str, str]
DAY = 86_400
NAMES = 16  # cells of a verdict's key and name
LONG = 600  # characters of a text below which what it rests on is likely out of sight
MOSTLY = 0.5  # share of a text above which marks tell nothing
BEFORE = 40  # characters kept before what is marked, where its sentence alone is too long
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
    pairs.FALSE_POSITIVE: "not so",
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


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two as it is shown: what its title and its text say in pieces, what stands out, how
    many memories rest on it. `clash` is the sentence of the text that clashes, from where to where."""

    detail: Detail
    title: list[Piece]
    text: list[Piece]
    merits: tuple[str, ...]
    relies: int
    clash: passages.Span | None = None

    @property
    def memory(self) -> Memory:
        """The memory itself."""
        return self.detail.memory


def sides(found: PairDetail) -> tuple[Side, Side]:
    """Both sides, compared word by word; for the reading thread, since long texts take a while."""
    a, b, pair = found.a.memory, found.b.memory, found.pair
    words = one_line(pair.words[0], 60), one_line(pair.words[1], 60)
    titles = _compared(pair, one_line(a.title or "", 300), one_line(b.title or "", 300), words)
    texts = screen_text(a.content).strip(), screen_text(b.content).strip()
    said = [
        next(iter(passages.places(text, each)), None) for text, each in zip(texts, pair.clauses, strict=True)
    ]
    spans = (said[0], said[1]) if all(said) else passages.clashing(*texts, words)
    told = _told(pair, texts, spans, words)
    clashes = [span or _first_marked(pieces) for span, pieces in zip(spans, told, strict=True)]
    return (
        Side(found.a, titles[0], told[0], merits(a, b), found.dependents[0], clashes[0]),
        Side(found.b, titles[1], told[1], merits(b, a), found.dependents[1], clashes[1]),
    )


def _told(
    pair: Pair, texts: tuple[str, str], spans: passages.Spans, words: tuple[str, str]
) -> tuple[list[Piece], list[Piece]]:
    """Both texts compared. Where long ones have little in common, only the sentences that clash are: else
    nearly everything would be marked."""
    whole = _compared(pair, *texts, words)
    a, b = spans
    if a is None or b is None or max(map(len, texts)) < LONG or max(map(_share, whole)) <= MOSTLY:
        return whole
    lines = _compared(pair, texts[0][slice(*a)], texts[1][slice(*b)], words)
    return _within(texts[0], a, lines[0]), _within(texts[1], b, lines[1])


def _share(pieces: list[Piece]) -> float:
    """How much of a text is marked."""
    return sum(len(text) for text, only in pieces if only) / max(1, sum(len(text) for text, _ in pieces))


def _within(text: str, span: passages.Span, pieces: list[Piece]) -> list[Piece]:
    before, after = text[: span[0]], text[span[1] :]
    return [piece for piece in ((before, False), *pieces, (after, False)) if piece[0]]


def _compared(pair: Pair, a: str, b: str, words: tuple[str, str]) -> tuple[list[Piece], list[Piece]]:
    """What only one of the two says is marked; what stands elsewhere in the other only where that is all
    there is to a contradiction."""
    clash = pair.family == pairs.CONTRADICTION
    told = differing(a, b, moved=clash and pair.kind == "order")
    if clash and not any(only for side in told for _text, only in side):
        told = differing(a, b)
    if not a or not b or all_differs(told[0]):
        return _clashing(a, words[0]), _clashing(b, words[1])  # all marked would mark nothing
    return told


def _clashing(text: str, word: str) -> list[Piece]:
    """A text with only the word that clashes marked, where it is found."""
    span = next(iter(passages.places(text, word)), None)
    if span is None or span == (0, len(text)):
        return [(text, False)] if text else []
    return _within(text, span, [(text[slice(*span)], True)])


def _first_marked(pieces: list[Piece]) -> passages.Span | None:
    """The sentence in which the first mark stands."""
    at = 0
    for text, only in pieces:
        if only:
            return passages.sentence("".join(text for text, _ in pieces), at)
        at += len(text)
    return None


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
    if verdict == pairs.FALSE_POSITIVE:
        return "not the same" if family == pairs.DUPLICATE else "no contradiction"
    return GAVE.get(verdict, one_line(verdict, 20))


def open_for(pair: Pair, now: float) -> str:
    """! open for 9 days."""
    days = int(max(0.0, now - pair.found_at) // DAY)
    return f"! open for {counted(days, 'day')}" if pair.escalated else ""


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
        f"{one_line(memory.store, 24)} {ago(_at(memory) or None, now)}".strip(),
        _state(side),
        f"used by {grouped(side.relies)}" if side.relies else "",
    ]
    return f"{letter}  {' · '.join(part for part in parts if part)}"


def side_text(side: Side, now: float, width: int, rows: int, *, folded: bool) -> Content:
    """What it is about, the text with the words marked that the other one lacks, and what it rests on. A
    text of which the clash would be out of sight in `rows` rows begins there."""
    memory = side.memory
    parts: list[Part] = _heading(side)
    if memory.pinned:
        parts.insert(0, (f"{PIN} ", "$accent"))
    if any(text.endswith("\n") for text, _ in parts):
        parts += [] if folded else [("\n", "")]
    start = _start(side, width, rows - rows_of("".join(text for text, _ in parts), width) + 1)
    parts += [("… ", "$quiet")] if start else []
    parts += _marked(_from(side.text, start), "") or ([] if side.title else [("(empty)", "$quiet")])
    if len(memory.content) > LIMIT:
        rest = len(memory.content) - LIMIT
        more = f"{counted(rest, 'character')} more {plural(rest, 'is', 'are')} not shown."
        parts.append((f"\n{more}", "$quiet"))
    parts.append(("\n", ""))
    if not folded:
        parts += [("\n", ""), *_rows(_grounds(side, now), width)]
    elif memory.source_excerpt:
        parts.append((f"“{one_line(memory.source_excerpt, 200)}”", "italic"))
    return Content.assemble(*parts)


def marked_text(side: Side) -> Content:
    """Only what it says, with the words marked that the other one lacks."""
    return Content.assemble(*_heading(side), *_marked(side.text, ""))


def _heading(side: Side) -> list[Part]:
    """Whom or what it is about: a text like “Status: open” doesn't tell."""
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
    """Where to begin in the text so that what clashes is in sight."""
    if side.clash is None or rows < 1:
        return 0
    text = "".join(text for text, _ in side.text)
    start, end = side.clash
    if rows_of(text[:end], width) <= rows:
        return 0
    at = 0
    for piece, only in side.text:
        if only and at + len(piece) > start:
            break
        at += len(piece)
    if start < at < end and rows_of(text[start:at], width) > rows:
        start = text.find(" ", at - BEFORE) + 1
    return start


def _from(pieces: list[Piece], start: int) -> list[Piece]:
    """What is left of a text from a place on."""
    left: list[Piece] = []
    at = 0
    for text, only in pieces:
        if at + len(text) > start:
            left.append((text[max(0, start - at) :], only))
        at += len(text)
    return left


def rows_of(text: str, width: int) -> int:
    """About as many rows as a text takes."""
    return sum(max(1, -(-cell_len(line) // max(width, 1))) for line in text.split("\n"))


def _grounds(side: Side, now: float) -> list[Part]:
    """What a memory rests on, in pairs of name and value."""
    memory = side.memory
    origin = " · ".join(x for x in (memory.source_type, memory.source_ref, memory.session_id) if x)
    rows = [
        ("is", summary(side.detail, now)),
        ("used by", counted(side.relies, "memory") if side.relies else "nothing"),
        ("source", one_line(origin)),
        ("said", f"“{one_line(memory.source_excerpt, 600)}”" if memory.source_excerpt else ""),
        ("store", f"{one_line(memory.store, 40)} · {one_line(side.detail.place, 80)}".strip(" ·")),
        ("changed", moment(_at(memory) or None, now)),
        ("pinned", one_line(" · ".join(x for x in (memory.pinned_by, memory.pinned_why) if x), 200)),
    ]
    return [(name, value) for name, value in rows if value]


def _strength(detail: Detail) -> str:
    ahead = detail.forecast
    strength = detail.memory.confidence if ahead is None else ahead.score
    return "" if strength is None else f"{min(strength, 1.0):.2f}"


def _state(side: Side) -> str:
    status = side.memory.status
    removed = side.detail.removed_at is not None
    return state_of(status, removed) or ("" if status in LIVE else one_line(status, 20))


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
    reason = one_line(pair.reason) or "They were found together."
    words = [one_line(word, 60) for word in pair.words]
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
            one_line(suggestion.reason) if suggestion is not None else "Nothing speaks clearly for one of the two."
        )
        return "", f"No suggestion. {why}"
    verdict = SUGGESTED.get(suggestion.verdict, one_line(suggestion.verdict, 20))
    return f"Suggested: {verdict}. ", one_line(suggestion.reason)


def found_as(pair: Pair) -> str:
    """Sure (0.91) · two values."""
    kind = pairs.kind_label(one_line(pair.kind, 40)) or pair.family
    if pair.kind == pairs.MAYBE:
        return f"{kind.capitalize()} ({pair.score:.2f})."
    return f"{pairs.certainty(pair.score).capitalize()} ({pair.score:.2f}) · {kind}."


def _state_told(pair: Pair, now: float) -> str:
    """Whether a pair is no longer open, and what was said of it."""
    said = pair.decision
    if pair.state == "later" and said is not None:
        return f"Put off until {moment(said.until, now)}."
    if pair.state == "open":
        return ""
    if said is None:
        return "Over: one of the two left or was changed, and they clash no more."
    note = f" “{one_line(said.note, 200)}”" if said.note else ""
    return f"✓ {given_as(said.verdict, pair.family)}, {moment(said.at, now)}.{note}"


def outcome_title(verdict: str) -> str:
    """If you keep A."""
    return "If you keep B" if verdict == pairs.KEEP_B else "If you keep A"


def outcome_text(
    found: PairDetail, verdict: str, key: Callable[[str], str], width: int, *, folded: bool
) -> Content:
    """What will happen where if the side in view is kept; below it what the other keys would do."""
    parts: list[Part] = []
    sentences, blocked = _outcome(found.outcomes, found.blocked, verdict)
    parts += [(sentences, "$warning" if blocked else ""), ("\n", "")]
    if not folded:
        for other in pairs.VERDICTS:
            if other in (pairs.KEEP_A, pairs.KEEP_B):
                continue
            told, _blocked = _outcome(found.outcomes, found.blocked, other)
            name = f"{key(COMMAND_OF[other])} {SUGGESTED[other]}"
            for place, row in enumerate(wrap(told, max(width - NAMES, 12)) or [""]):
                parts += [(f"{'' if place else name:<{NAMES}}", "$accent"), (row, "$quiet"), ("\n", "")]
    return Content.assemble(*parts).rstrip()


def _outcome(
    outcome: Mapping[str, tuple[str, ...]], blocked: Mapping[str, str], verdict: str
) -> tuple[str, bool]:
    if why := blocked.get(verdict):
        return f"Not now: {one_line(why)}", True
    said = " ".join(one_line(sentence) for sentence in outcome.get(verdict, ()))
    return said or "Nothing is written to a store.", False


def outcome_line(found: PairDetail, verdict: str) -> str:
    """What one verdict will do where, for a dialog."""
    return _outcome(found.outcomes, found.blocked, verdict)[0]
