"""What the detail pane says of a store, of one that was found, and of a finding: pure functions."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from textual.content import Content

from memtui.memory.stores import Backup, DiscoveredStore, Issue, StoreInfo
from memtui.text import safe_text
from memtui.tui.text.glyphs import ago, counted, grouped, moment
from memtui.tui.text.text_layout import Part, one_line, section, table

Key = Callable[[str], str]
"""The key of a command, as a person reads it."""
OWN = "native"
ACTIONS = ("pin", "confirm", "edit", "dismiss", "restore")
UNTOUCHED = "Attaching only reads. Nothing is written to it until you change one of its memories."
SHOWN = 5
"""Findings of a store that are shown beside it; the list below has all."""
# How a trouble is told in a word: what its sentence says, the glyph and word for it.
_TROUBLES = (
    ("busy", "… busy", "warn"),
    ("another memtui", "… busy", "warn"),
    ("damaged", "✗ damaged", "wrong"),
    ("cannot be read as", "✗ damaged", "wrong"),
)
_AWAY = ("✗ not reachable", "wrong")


@dataclass(frozen=True, slots=True)
class Facts:
    """What has to be asked for one store: what each action does there, how many are live, backups."""

    consequences: Mapping[str, str]
    live: int = 0
    backups: Sequence[Backup] = ()


def health(info: StoreInfo, found: Sequence[Issue] = ()) -> Part:
    """How a store fares: glyph and word, and the style for it. `found` is what the doctor says of it, which
    looks at more than its reader does."""
    if info.error or "no longer there" in info.read_only:
        said = f"{info.error} {info.read_only}"
        return next(((word, style) for part, word, style in _TROUBLES if part in said), _AWAY)
    if info.locked or info.read_only:
        return ("⊘ read-only", "warn")
    if odd := max(len(info.findings), len(found)):
        return (f"! {grouped(odd)} odd", "warn")
    return ("✓ ok", "quiet")


def gravity(ailment: Issue) -> Part:
    """Glyph and word of a finding, and the style for it."""
    return ("✗ grave", "wrong") if ailment.severe else ("! odd", "warn")


def short_path(path: str) -> str:
    """A path as a person writes it: below ~ where it is."""
    home = os.path.expanduser("~")
    return f"~{path[len(home) :]}" if home != "/" and path.startswith(f"{home}/") else path


def tail(text: str, width: int) -> str:
    """Stored text as exactly `width` cells; what is cut is its beginning, since paths tell at their end."""
    text = safe_text(text, one_line=True)
    if cell_len(text) > width:
        while text and cell_len(text) >= width:
            text = text[max(1, (cell_len(text) - width) // 2) :]
        text = f"…{text}"
    return (text + " " * (width - cell_len(text)))[: max(0, width)] if width > 0 else ""


def size_words(size: int) -> str:
    """1 234 567 bytes as 1.2 MB."""
    amount = float(size)
    for unit in ("B", "kB", "MB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "B" or amount >= 10 else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"


def store_text(
    info: StoreInfo,
    title: str,
    facts: Facts,
    ailments: Sequence[Issue],
    now: float,
    width: int,
    key: Key,
) -> Content:
    """An attached store: how it fares, what each action does there, its findings and backups."""
    word, _ = health(info, ailments)
    parts: list[Part] = [
        (one_line(info.name), "bold"),
        ("\n", ""),
        (f"{one_line(title, 60)} · {counted(info.count, 'memory')} · {word}", "$quiet"),
        ("\n", ""),
        (one_line(short_path(info.path), 1000), ""),
        ("\n", ""),
    ]
    if info.error:
        parts += [(one_line(info.error), "$error"), ("\n", "")]
    if info.locked:
        parts += [
            (f"Read-only by your word; {key('store.lock')} allows changes again.", "$warning"),
            ("\n", ""),
        ]
    elif info.read_only:
        parts += [(f"Read-only: {one_line(info.read_only)}", "$warning"), ("\n", "")]
    said = [(action, facts.consequences[action]) for action in ACTIONS if facts.consequences.get(action)]
    parts += table(
        "What a change does here",
        [(action, one_line(words).removeprefix("is ")) for action, words in said],
        width,
    )
    parts += table("Details", _details(info, facts, now, key), width)
    findings = [f"{gravity(each)[0]}  {one_line(each.text)}" for each in ailments]
    if not ailments:
        findings = [f"! odd  {one_line(each.place, 80)}: {one_line(each.text)}" for each in info.findings]
    more = len(findings) - SHOWN
    lines: list[Part] = [(line, "") for line in findings[:SHOWN]]
    if more > 0:
        lines.append((f"and {grouped(more)} more: {key('move.pane')} goes to the findings", "$quiet"))
    parts += section("Findings", lines, width)
    return Content.assemble(*parts).rstrip()


def _details(info: StoreInfo, facts: Facts, now: float, key: Key) -> list[Part]:
    backups = ""
    if facts.backups:
        newest = max(facts.backups, key=lambda each: each.made_at)
        many, last = grouped(len(facts.backups)), moment(newest.made_at, now)
        backups = f"{many}, the newest of {last}; {key('store.backups')} shows them"
    rows = [
        ("format", info.format),
        ("memories", f"{grouped(info.count)}, {grouped(facts.live)} live" if info.count else "none yet"),
        ("attached", "" if info.format == OWN else ago(info.attached_at, now)),
        ("read", ago(info.pulled_at, now)),
        ("changed", ago(info.changed_at, now)),
        ("backups", backups or ("" if info.format == OWN else "none yet: one is made before a first write")),
    ]
    return [(name, one_line(value)) for name, value in rows if value]


def found_text(found: DiscoveredStore, width: int, key: Key | None) -> Content:
    """A store that was found and is not attached; with `key`, which key does what."""
    count = "cannot be counted" if found.count is None else counted(found.count, "memory")
    parts: list[Part] = [
        (one_line(short_path(found.path), 1000), "bold"),
        ("\n", ""),
        (f"{one_line(found.title, 60)} · {count} · not attached", "$quiet"),
        ("\n", ""),
    ]
    if found.problem:
        parts += [(one_line(found.problem), "$warning"), ("\n", "")]
    if key is not None:
        rows = [
            (key("store.open"), "attaches it and shows its memories"),
            (key("store.attach"), "attaches it, and stays here"),
        ]
        parts += [*table("What the keys do", rows, width), ("\n", ""), (UNTOUCHED, "$quiet")]
    return Content.assemble(*parts).rstrip()


def ailment_text(ailment: Issue, width: int, key: Key) -> Content:
    """A finding: what is so, what follows from it, and what can be done."""
    word, _ = gravity(ailment)
    where = " · ".join(one_line(part, 300) for part in (ailment.store or "the workspace", ailment.place) if part)
    parts: list[Part] = [
        (one_line(ailment.text, 1000), "bold"),
        ("\n", ""),
        (f"{word} · {where}", "$quiet"),
        ("\n", ""),
    ]
    if ailment.meaning:
        parts += section("What it means", [(one_line(ailment.meaning, 1000), "")], width)
    todo = f"This takes a person; {key('store.check')} looks again then."
    if ailment.repair:
        todo = f"{key('store.mend')}  {one_line(ailment.repair, 1000)}"
    parts += section("What can be done", [(todo, "")], width)
    return Content.assemble(*parts).rstrip()
