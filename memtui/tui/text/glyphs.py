"""States, strengths, times and counts in a few cells."""

from __future__ import annotations

import time

from rich.cells import cell_len, set_cell_size

from memtui.text import plural, screen_text

PIN = "★"
MARK = "▌"
# Only unusual states have a glyph; it is always shown together with the word.
STATES = {
    "candidate": "◌",
    "pending": "?",
    "dismissed": "✗",
    "superseded": "»",
    "expired": "⌛",
    "removed": "−",
}
SNOOZED = "☾"
NEW = "●"
ARRIVED = {"new": "+", "changed": "~"}  # what an agent just wrote
# What a line of a list warns of.
FINDING_SIGNS = {"secret": "◆", "contradiction": "≠", "duplicate": "≈", "pending": "?", "fading": "↘"}
FINDING_STYLES = {"secret": "error", "contradiction": "warn", "duplicate": "warn", "pending": "warn"}
FADES = {"fading": "↘", "dormant": "↓", "archived": "▫"}
STATE_STYLES = {"candidate": "quiet", "pending": "warn", "removed": "quiet"}


def state_of(status: str, removed: bool) -> str:
    """Return a memory's state as glyph and word, or "" for an ordinary live memory."""
    name = "removed" if removed else status
    glyph = STATES.get(name)
    return f"{glyph} {name}" if glyph else ""


def fading_of(label: str) -> str:
    """Return a live memory's decay label as glyph and word, or "" for an active one."""
    glyph = FADES.get(label)
    return f"{glyph} {label}" if glyph else ""


def bar(strength: float | None) -> tuple[int, int]:
    """Return (full, empty) of five cells for a strength 0–1; (0, 0) where there is no strength."""
    if strength is None or strength != strength:
        return (0, 0)
    full = round(max(0.0, min(1.0, strength)) * 5)
    return (full, 5 - full)


def age(at: float | None, now: float) -> str:
    """Return the time since `at` in at most four characters: now, 5m, 2h, 31d, 20w, 3y."""
    if at is None:
        return ""
    seconds = max(0.0, now - at)
    if seconds < 60:
        return "now"
    for size, unit, limit in ((60, "m", 60), (3600, "h", 24), (86400, "d", 100), (604800, "w", 100)):
        if seconds < size * limit:
            return f"{int(seconds // size)}{unit}"
    return f"{min(int(seconds // 31557600), 999)}y"


def ago(at: float | None, now: float) -> str:
    """Return the age for use in a sentence: “just now”, “5m ago”."""
    short = age(at, now)
    return "just now" if short == "now" else f"{short} ago" if short else ""


def moment(at: float | None, now: float) -> str:
    """Return a local time: only the clock for today, else the day, with the year unless it is this one."""
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
    """Return a number with its thousands grouped: 1284 as 1,284."""
    return f"{number:,}"


def counted(number: int, noun: str) -> str:
    """Return number and noun: 1 memory, 2 memories."""
    return f"{grouped(number)} {plural(number, noun)}"


def fit(text: str, width: int, *, right: bool = False) -> str:
    """Return any text as exactly `width` cells, made safe, with an ellipsis where it was cut."""
    text = screen_text(text, one_line=True, limit=max(width, 1) * 4)
    cells = cell_len(text)
    if cells > width:
        return set_cell_size(text, width - 1) + "…" if width > 1 else " " * max(width, 0)
    padding = " " * (width - cells)
    return padding + text if right else text + padding
