"""What a rule would do, as text (S-60); pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from textwrap import wrap

from memtui.memory.field_text import value_text
from memtui.memory.rules.trial import Overlap, Touched, Trial
from memtui.memory.rules.wording_actions import cannot, field, settled
from memtui.memory.secrets.masking import hidden
from memtui.tui.rules import wording
from memtui.tui.text.glyphs import fit
from memtui.tui.text.text_layout import Part, one_line, section, with_heading
from memtui.values import FieldValue

SHOWN = 100  # memories
MAX_OVERLAPS = 6  # other rules that are shown
WIDE = 90  # cells from which on a memory takes one line
MAX_VALUE = 80  # characters


def trial_parts(
    trial: Trial, width: int, names: Mapping[str, str], *, on: bool, key: str = "", acts: bool = True
) -> list[Part]:
    """Return how many memories a rule touches, or would if it is not `on`, each with before and after; then
    those that nearly match, and other rules. A rule without an action yet does not act. `names` are shorter
    ones of stores, `key` shows all memories."""
    parts = _wrapped(_total(trial, names, on=on), width, "bold")
    if trial.settles:
        parts += _wrapped(wording.settles(trial.settles, on=on), width, "bold")
    parts += _overlaps(wording.BEFORE, [each for each in trial.overlaps if each.first], "$warning", width)
    acts = acts and not trial.only_refuses
    lines = [line for each in trial.touched[:SHOWN] for line in _touched(each, width, names, acts)]
    if (rest := trial.total - min(len(trial.touched), SHOWN)) > 0:
        lines.append((f"  {wording.more(rest, key)}\n", "$quiet"))
    parts += with_heading(wording.ALIKE if trial.only_refuses else wording.TOUCHED, lines)
    near = [
        (
            f"  {fit(each.label, _label_width(width))}  "
            f"{fit(wording.does_not_match(each.part), max(8, width - _label_width(width) - 4)).rstrip()}\n",
            "$quiet",
        )
        for each in trial.near
    ]
    after = [each for each in trial.overlaps if not each.first]
    return [*parts, *with_heading(wording.CLOSE, near), *_overlaps(wording.AFTER, after, "", width)]


def redacts_parts(trial: Trial, width: int) -> list[Part]:
    """Return what cannot be undone of a rule that redacts."""
    return [*_wrapped(wording.redacts(trial.secret), width, "$warning"), ("\n", "")]


def _total(trial: Trial, names: Mapping[str, str], *, on: bool) -> str:
    """Return how many memories a rule touches; of one that only refuses, how many are like those."""
    stores = [(_store(names, name), count) for name, count in trial.by_store]
    if not trial.total:
        return f"{wording.MATCH_NONE} {wording.ONLY_NEW}" if trial.only_refuses else wording.MATCH_NONE
    if trial.only_refuses:
        return wording.alike(trial.total, stores)
    return wording.total(trial.total, stores, on=on)


def _overlaps(title: str, overlaps: Sequence[Overlap], style: str, width: int) -> list[Part]:
    """Return how other rules meet this one: those that differ first."""
    found = sorted(overlaps, key=lambda each: not each.differs)
    lines = [(one_line(hidden(wording.overlap(each))), style) for each in found[:MAX_OVERLAPS]]
    if (rest := len(found) - MAX_OVERLAPS) > 0:
        lines.append((wording.more_rules(rest), "$quiet"))
    return section(title, lines, width)


def _label_width(width: int) -> int:
    return max(8, width * 11 // 20)


def _store(names: Mapping[str, str], name: str) -> str:
    return one_line(names.get(name, name), 60)


def _touched(each: Touched, width: int, names: Mapping[str, str], acts: bool) -> list[Part]:
    """Return one memory with its store and what changes in it, on one line or two."""
    changes = [
        f"{field(name)} {_value(name, before)} → {_value(name, after)}"
        for name, before, after in each.changes
    ]
    changes += [settled(one_line(pair.label, MAX_VALUE), stays=pair.stays) for pair in each.pairs]
    first = [wording.comes_first(hidden(each.other))] if each.other else []
    none = [] if changes or not acts else list(map(cannot, each.cannot)) or [wording.NO_CHANGE]
    text = " · ".join([*changes, *first, *none])
    store = fit(_store(names, each.store), 16)
    if width >= WIDE:
        label = width * 4 // 10
        rest = fit(text, max(8, width - label - 22)).rstrip()
        return [(f"  {fit(each.label, label)}  ", ""), (f"{store}  ", "$quiet"), (f"{rest}\n", "$accent")]
    label = max(8, width - 20)
    return [
        (f"  {fit(each.label, label)}  ", ""),
        (f"{store.rstrip()}\n", "$quiet"),
        *((f"    {line}\n", "$accent") for line in wrap(one_line(text), max(12, width - 4))),
    ]


def _value(name: str, value: FieldValue) -> str:
    return one_line(hidden(value_text(name, value, {})), MAX_VALUE) or wording.NOTHING


def _wrapped(text: str, width: int, style: str) -> list[Part]:
    return [part for line in wrap(text, max(12, width)) for part in ((line, style), ("\n", ""))]


def heading_parts(rows: Iterable[Part], width: int) -> list[Part]:
    """Return rows of (name, value), values wrapped in their own column."""
    parts: list[Part] = []
    for name, value in rows:
        for index, row in enumerate(wrap(value, max(12, width - 6)) or [""]):
            parts += [(f"{'' if index else name:<6}", "$quiet"), (row, ""), ("\n", "")]
    return parts
