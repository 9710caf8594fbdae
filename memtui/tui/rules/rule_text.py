"""The text of a rule: in its own words, and what it touches (S-60); pure functions."""

from __future__ import annotations

from collections.abc import Mapping

from textual.content import Content

from memtui.memory.rules.rule import Rule
from memtui.memory.rules.trial import RuleCounts, Trial
from memtui.memory.rules.wording_actions import done
from memtui.memory.secrets.masking import hidden
from memtui.tui.rules import wording
from memtui.tui.rules.trial_text import heading_parts, trial_parts
from memtui.tui.text.text_layout import Part, one_line


def rule_parts(rule: Rule, state: str, width: int) -> list[Part]:
    """Return a rule in its own words, and in which `state` it is."""
    rows = [
        (wording.WHEN, one_line(hidden(rule.when), 1_000)),
        (wording.DO, one_line(hidden(" · ".join(map(done, rule.actions))), 600)),
        (wording.NOTE, one_line(hidden(rule.note), 600)),
        (wording.FROM, one_line(hidden(rule.source), 600)),
    ]
    return [
        *([(one_line(hidden(rule.name), 80), "bold"), ("\n", "")]),
        *heading_parts([(name, value) for name, value in rows if value], width),
        *heading_parts([("", state)], width),
        ("\n", ""),
    ]


def rule_text(
    rule: Rule,
    trial: Trial | None,
    fault: str,
    counts: RuleCounts,
    place: tuple[int, int],
    width: int,
    names: Mapping[str, str],
    keys: tuple[str, str],
) -> Content:
    """Return a rule and what it touches: `trial`, None while that is being read, or `fault`, why it cannot
    be. `place` is its number and that of all rules; `keys` switch it on, and show its memories."""
    turn, hits = keys
    state = wording.state(counts, *place, turn, on=rule.on, only_refuses=rule.only_refuses)
    parts = rule_parts(rule, state, width)
    if fault:
        parts.append((one_line(hidden(fault)), "$error"))
    elif trial is None:
        parts.append((wording.LOADING, "$quiet"))
    else:
        parts += trial_parts(trial, width, names, on=rule.on, key=hits)
    return Content.assemble(*parts).rstrip()
