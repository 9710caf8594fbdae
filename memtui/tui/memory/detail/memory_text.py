"""The text of the detail pane for one memory; a pure function."""

from __future__ import annotations

from memtui.memory.detail import Detail
from memtui.memory.lifecycles import by_name
from memtui.memory.lifecycles.forecast import describe
from memtui.memory.memory import LIVE, Memory, label_of
from memtui.memory.provenance import other_related_records
from memtui.memory.results import MatchReason
from memtui.text import LIMIT, screen_text
from memtui.tui.memory.detail import wording_detail as wording
from memtui.tui.memory.detail.detail_fields import provenance_rows, raw_rows
from memtui.tui.memory.detail.detail_sections import Key, finding, findings, pieces_of, relations
from memtui.tui.memory.detail.history_text import history_parts
from memtui.tui.memory.detail.match_reason import highlighted, match_rows
from memtui.tui.memory.detail.summary_line import summary_line
from memtui.tui.text.glyphs import SNOOZED, ago, fading_of, fit, moment, state_of
from memtui.tui.text.markdown import markdown
from memtui.tui.text.markdown_inline import resolver
from memtui.tui.text.pieces import LINK_SIGN, MIN_WIDTH, NEWLINE, Piece, wrapped
from memtui.tui.text.text_layout import Part, one_line, section, table

ACTIONS = ("pin", "unpin", "confirm", "dismiss", "restore", "edit")
MAX_RECORDS = 30  # related records that are shown


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
        _snoozed(detail, now),
        "" if strength is None else wording.strength(strength),
        fading_of(forecast.label) if forecast is not None and memory.status in LIVE else "",
        wording.uses(memory.times_used) if memory.times_used else "",
        wording.last_used(ago(memory.last_used_at, now)) if memory.last_used_at else "",
    ]
    return " · ".join(part for part in parts if part)


def _snoozed(detail: Detail, now: float) -> str:
    until = detail.memory.snoozed_until
    is_asleep = until is not None and until > now and detail.memory.status in LIVE
    return f"{SNOOZED} {wording.snoozed_until(moment(until, now))}" if is_asleep else ""


def headline(detail: Detail, now: float) -> str:
    """Return the summary, after that it is pinned."""
    return " · ".join(filter(None, (wording.PINNED if detail.memory.pinned else "", summary(detail, now))))


def memory_text(
    detail: Detail,
    now: float,
    width: int,
    key: Key,
    *,
    compact: bool,
    why: MatchReason | None = None,
    typed: str = "",
    unfolded: bool = False,
    notice: str = "",
) -> list[Piece]:
    """Return the memory's text, and sections: findings, why it was found, relations, why it is believed,
    decay, related records, what each key would do, history; then the raw fields, which are folded.

    `why` marks the matched words in the text; `typed` is the word that is still being typed, see
    `highlighted`. `key` returns "" for a command that the screen lacks. `compact` is for a pane of a few
    lines: below the text are the first finding and a line of counts. `notice` is a line above the text.
    """
    pieces = wrapped([Piece(notice, "$accent")], width) if notice else []
    pieces += _text(detail, width, key, why, typed)
    pieces += pieces_of(_structured_parts(detail.memory, width))
    if compact:
        pieces += _first_finding(detail, key, width)
        line = summary_line(detail, width)
    else:
        pieces.append(NEWLINE)
        line = headline(detail, now)
    pieces += wrapped([Piece(line, "$quiet")], width) if line else []
    pieces += findings(detail, key, width)
    pieces += pieces_of(table(wording.MATCH, match_rows(why), width))
    pieces += relations(detail, width)
    tables = [
        (wording.PROVENANCE, provenance_rows(detail, now)),
        (wording.DECAY, _decay(detail)),
        (wording.RELATED_RECORDS, _related_records(detail, now)),
        (wording.KEYS, _actions(detail, key)),
    ]
    for heading, rows in tables:
        pieces += pieces_of(table(heading, rows, width))
    pieces += pieces_of(history_parts(detail.history, now, width))
    return pieces + _folded(detail, key, width, unfolded=unfolded)


def _text(detail: Detail, width: int, key: Key, why: MatchReason | None, typed: str) -> list[Piece]:
    """Return the whole text, below the title if the text does not begin with it."""
    memory, matched = detail.memory, why.terms if why is not None else ()

    def mark(piece: Piece) -> list[Piece]:
        parts = highlighted(piece.text, matched, typed, piece.style)
        return [Piece(text, style, piece.link) for text, style in parts if text]

    content = screen_text(memory.content).rstrip()
    pieces: list[Piece] = []
    title = one_line(memory.title or "") if content.strip() else label(memory)
    first = content.lstrip("# \n").partition("\n")[0]
    if title and title.strip().casefold() != first.strip().casefold():
        pieces += wrapped(mark(Piece(title, "bold")), width)
    if content.strip():
        pieces += markdown(content, width, resolver(detail.mentions), mark)
    if (rest := len(memory.content) - LIMIT) > 0:
        copy = key("memory.copy") or key("pair.copy")
        pieces += wrapped([Piece(wording.cut_off(rest, copy), "$quiet")], width)
    return pieces


def _first_finding(detail: Detail, key: Key, width: int) -> list[Piece]:
    """Return the most important finding in one row."""
    if not detail.problems:
        return []
    line = "".join(piece.text for piece in finding(detail.problems[0], detail, key))
    return [Piece(fit(line.replace(LINK_SIGN, ""), max(width, MIN_WIDTH)).rstrip(), "$warning"), NEWLINE]


def _folded(detail: Detail, key: Key, width: int, *, unfolded: bool) -> list[Piece]:
    """Return the line of the raw fields, with them below it if they are unfolded."""
    line = wording.fields_line(key("detail.fields"), unfolded=unfolded)
    rows = table(line, raw_rows(detail), width) if unfolded else []
    return pieces_of(rows) or [NEWLINE, Piece(line, "$accent"), NEWLINE]


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


def _actions(detail: Detail, key: Key) -> list[Part]:
    """Return what each key would change, and where, or why it cannot (S-8)."""
    lines: list[Part] = []
    for action in ACTIONS:
        if action in ("pin", "unpin") and (action == "unpin") != detail.memory.pinned:
            continue
        letter = key("memory.pin" if action == "unpin" else f"memory.{action}")
        if not letter:
            continue
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
