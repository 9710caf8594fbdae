"""How states, strengths, times and counts look in a few cells."""

from __future__ import annotations

import time

from rich.cells import cell_len, set_cell_size

from memtui.text import plural, screen_text

PIN = "★"
MARK = "▌"
# Only what is not plain gets a glyph; the word always stands beside it.
STATES = {
    "candidate": "◌",
    "pending": "?",
    "dismissed": "✗",
    "superseded": "»",
    "expired": "⌛",
    "removed": "−",
}
FADES = {"fading": "↘", "dormant": "↓", "archived": "▫"}
STATE_STYLES = {"candidate": "quiet", "pending": "warn", "removed": "quiet"}


def state_of(status: str, removed: bool) -> str:
    """The state as a glyph and a word, or nothing for a plain live memory."""
    name = "removed" if removed else status
    glyph = STATES.get(name)
    return f"{glyph} {name}" if glyph else ""


def fading_of(label: str) -> str:
    """How far a live memory is into its decay as a glyph and a word, or nothing for an active one."""
    glyph = FADES.get(label)
    return f"{glyph} {label}" if glyph else ""


def bar(strength: float | None) -> tuple[int, int]:
    """(full, empty) of five cells; a format without strength shows none."""
    if strength is None or strength != strength:
        return (0, 0)
    full = round(max(0.0, min(1.0, strength)) * 5)
    return (full, 5 - full)


def age(at: float | None, now: float) -> str:
    """How long ago in at most three or four characters: now, 5m, 2h, 31d, 20w, 3y."""
    if at is None:
        return ""
    seconds = max(0.0, now - at)
    if seconds < 60:
        return "now"
    for size, unit, most in ((60, "m", 60), (3600, "h", 24), (86400, "d", 100), (604800, "w", 100)):
        if seconds < size * most:
            return f"{int(seconds // size)}{unit}"
    return f"{min(int(seconds // 31557600), 999)}y"


def ago(at: float | None, now: float) -> str:
    """The age in a sentence."""
    short = age(at, now)
    return "just now" if short == "now" else f"{short} ago" if short else ""


def moment(at: float | None, now: float) -> str:
    """A local time: the clock for today, else the day, with the year if it is another."""
    if at is None:
        return ""
    try:
        then, today = time.localtime(at), time.localtime(now)
    except (OverflowError, ValueError, OSError):
        return "?"
    day = f"{then.tm_mday} {time.strftime('%b', then)}"
    if then.tm_year != today.tm_year:
        return f"{day} {then.tm_year}"
    if then.tm_yday != today.tm_yday:
        return f"{day} {time.strftime('%H:%M', then)}"
    return time.strftime("%H:%M", then)


def grouped(number: int) -> str:
    """1284 as 1 284."""
    return f"{number:,}".replace(",", " ")


def counted(number: int, noun: str) -> str:
    """1 memory, 2 memories."""
    return f"{grouped(number)} {plural(number, noun)}"


def fit(text: str, width: int, *, right: bool = False) -> str:
    """Stored or other text as exactly `width` cells, with an ellipsis where it was cut."""
    text = screen_text(text, one_line=True, limit=max(width, 1) * 4)
    have = cell_len(text)
    if have > width:
        return set_cell_size(text, width - 1) + "…" if width > 1 else " " * max(width, 0)
    space = " " * (width - have)
    return space + text if right else text + space
