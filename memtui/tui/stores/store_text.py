"""Text on an attached store, a discovered one, and a finding: pure functions."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from textual.content import Content

from memtui.memory.detail import Consequence
from memtui.memory.stores import Backup, DiscoveredStore, Issue, StoreInfo
from memtui.text import safe_text
from memtui.tui.stores import wording
from memtui.tui.text.glyphs import ago, counted, moment
from memtui.tui.text.text_layout import Part, one_line, section, table

Key = Callable[[str], str]
"""Returns the key of a command, as shown to the user."""
OWN = "native"
ACTIONS = ("pin", "confirm", "edit", "dismiss", "restore")
MAX_FINDINGS = 5  # of a store, in its text; the list of findings has all
# Labels by the code of an error.
_ERRORS = {"busy": ("… busy", "warn"), "damaged": ("✗ damaged", "error")}
_UNREACHABLE = ("✗ not reachable", "error")


@dataclass(frozen=True, slots=True)
class Facts:
    """What is read for the text on a store: what each action writes, the live memories, the backups."""

    consequences: Mapping[str, Consequence]
    live: int = 0
    backups: Sequence[Backup] = ()


def health(info: StoreInfo, found: Sequence[Issue] = ()) -> Part:
    """Return a store's state as a label and its style.

    `found` are the doctor's findings on it, since the doctor examines more than the reader does.
    """
    if info.error or info.is_missing:
        return _ERRORS.get(info.error_code, _UNREACHABLE)
    if info.locked or info.read_only:
        return ("⊘ read-only", "warn")
    if unusual := max(len(info.findings), len(found)):
        return (wording.unusual(unusual), "warn")
    return ("✓ ok", "quiet")


def severity_label(issue: Issue) -> Part:
    """Return the severity of a finding as a label and its style."""
    return ("✗ error", "error") if issue.severe else ("! warning", "warn")


def short_path(path: str) -> str:
    """Return a path with ~ for the home folder."""
    home = os.path.expanduser("~")
    return f"~{path[len(home) :]}" if home != "/" and path.startswith(f"{home}/") else path


def fit_end(text: str, width: int) -> str:
    """Return stored text as exactly `width` cells, cut at the beginning: the end of a path says more."""
    text = safe_text(text, one_line=True)
    if cell_len(text) > width:
        while text and cell_len(text) >= width:
            text = text[max(1, (cell_len(text) - width) // 2) :]
        text = f"…{text}"
    return (text + " " * (width - cell_len(text)))[: max(0, width)] if width > 0 else ""


def store_text(
    info: StoreInfo,
    title: str,
    facts: Facts,
    issues: Sequence[Issue],
    now: float,
    width: int,
    key: Key,
) -> Content:
    """Return the text on an attached store: state, what each action writes, details, findings."""
    word, _ = health(info, issues)
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
            (wording.locked_by_you(key("store.lock")), "$warning"),
            ("\n", ""),
        ]
    elif info.read_only:
        parts += [(wording.read_only(one_line(info.read_only)), "$warning"), ("\n", "")]
    consequences = [(action, each) for action in ACTIONS if (each := facts.consequences.get(action))]
    parts += table(
        wording.CONSEQUENCES,
        [(action, one_line(each.label)) for action, each in consequences],
        width,
    )
    parts += table("Details", _details(info, facts, now, key), width)
    findings = [f"{severity_label(each)[0]}  {one_line(each.text)}" for each in issues]
    if not issues:
        findings = [f"! warning  {one_line(each.place, 80)}: {one_line(each.text)}" for each in info.findings]
    more = len(findings) - MAX_FINDINGS
    lines: list[Part] = [(line, "") for line in findings[:MAX_FINDINGS]]
    if more > 0:
        lines.append((wording.more_findings(more, key("move.pane")), "$quiet"))
    parts += section("Findings", lines, width)
    return Content.assemble(*parts).rstrip()


def _details(info: StoreInfo, facts: Facts, now: float, key: Key) -> list[Part]:
    backups = ""
    if facts.backups:
        newest = max(facts.backups, key=lambda each: each.made_at)
        backups = wording.backups(len(facts.backups), moment(newest.made_at, now), key("store.backups"))
    rows = [
        ("format", info.format),
        ("memories", wording.live(info.count, facts.live)),
        ("attached", "" if info.format == OWN else ago(info.attached_at, now)),
        ("read", ago(info.pulled_at, now)),
        ("changed", ago(info.changed_at, now)),
        ("backups", backups or ("" if info.format == OWN else wording.NO_BACKUPS_YET)),
    ]
    return [(name, one_line(value)) for name, value in rows if value]


def found_text(found: DiscoveredStore, width: int, key: Key | None) -> Content:
    """Return the text on a store that is not attached; with `key`, also what the keys do."""
    count = wording.UNCOUNTABLE if found.count is None else counted(found.count, "memory")
    parts: list[Part] = [
        (one_line(short_path(found.path), 1000), "bold"),
        ("\n", ""),
        (wording.not_attached_store(one_line(found.title, 60), count), "$quiet"),
        ("\n", ""),
    ]
    if found.problem:
        parts += [(one_line(found.problem), "$warning"), ("\n", "")]
    if key is not None:
        rows = [
            (key("store.open"), wording.OPEN_ATTACHES),
            (key("store.attach"), wording.ATTACH_STAYS),
        ]
        parts += [*table(wording.WHAT_KEYS_DO, rows, width), ("\n", ""), (wording.UNTOUCHED, "$quiet")]
    return Content.assemble(*parts).rstrip()


def issue_text(issue: Issue, width: int, key: Key) -> Content:
    """Return the text on a finding: what it is, what it means, and what can be done."""
    word, _ = severity_label(issue)
    where = " · ".join(
        one_line(part, 300) for part in (issue.store or wording.THE_WORKSPACE, issue.place) if part
    )
    parts: list[Part] = [
        (one_line(issue.text, 1000), "bold"),
        ("\n", ""),
        (f"{word} · {where}", "$quiet"),
        ("\n", ""),
    ]
    if issue.meaning:
        parts += section(wording.MEANING, [(one_line(issue.meaning, 1000), "")], width)
    todo = wording.repair_needs_you(key("store.check"))
    if issue.repair:
        todo = f"{key('store.repair')}  {one_line(issue.repair, 1000)}"
    parts += section(wording.REPAIRS, [(todo, "")], width)
    return Content.assemble(*parts).rstrip()
