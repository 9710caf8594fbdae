"""What trusting a project's file would do, as text (S-63); pure functions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from memtui.memory.policies.policy import Policy
from memtui.memory.rules.file import policy_table
from memtui.memory.rules.file.merging import RuleVerdict
from memtui.memory.rules.file.trusting import TrustPlan
from memtui.memory.rules.rule import Rule
from memtui.memory.rules.wording_actions import done
from memtui.memory.secrets.masking import hidden
from memtui.tui.rules import wording
from memtui.tui.rules.actions import Touches
from memtui.tui.text.text_layout import Part, one_line, with_heading

MAX = 600  # characters of a line before it is wrapped


def trust_parts(plan: TrustPlan, touches: Touches, width: int) -> list[Part]:
    """Return each rule and policy of a file that is new or changes, with how many memories it touches, and
    those that it no longer has."""
    rules: list[Part] = []
    for item, count in zip(plan.rules, touches.rules, strict=True):
        if item.verdict is not RuleVerdict.SAME:
            before = None if item.before is None else _rule(item.before)
            rules += _entry(item.verdict, item.rule.name, _rule(item.rule), before, width)
            rules += _lines([_touches(item.rule, count)], width)
    policies: list[Part] = []
    for each, count in zip(plan.policies, touches.policies, strict=True):
        if each.verdict is not RuleVerdict.SAME:
            stated = None if each.before is None else _policy(each.before)
            policies += _entry(each.verdict, each.policy.name, _policy(each.policy), stated, width)
            policies += _lines([wording.misfits(count)], width)
    gone = [*(each.name for each in plan.gone_rules), *(each.name for each in plan.gone_policies)]
    intro = _wrapped(wording.TRUSTING if plan.changes else wording.SAME_RULES, width)
    return [
        *intro,
        *with_heading(wording.RULES, rules),
        *with_heading(wording.POLICIES, policies),
        *with_heading(wording.REMOVED, list(_lines(gone, width))),
    ]


def distrust_parts(names: Sequence[str], width: int) -> list[Part]:
    """Return what goes when a file is no longer trusted: the rules and policies with these names."""
    return [
        *_wrapped(wording.DISTRUSTING, width),
        *with_heading(wording.REMOVED, list(_lines(names, width))),
    ]


def _entry(verdict: str, name: str, texts: list[str], before: list[str] | None, width: int) -> Iterator[Part]:
    yield (f"  {wording.verdict(verdict)}  ", "$accent")
    yield (f"{one_line(hidden(name), 80)}\n", "bold")
    if before is not None:
        yield from _lines([wording.was(each) for each in before if each not in texts], width, "$quiet")
    yield from _lines([each for each in texts if before is None or each not in before], width)


def _lines(texts: Sequence[str], width: int, style: str = "") -> Iterator[Part]:
    for text in texts:
        for line in wrap(one_line(hidden(text), MAX), max(12, width - 4)):
            yield (f"    {line}\n", style)


def _wrapped(text: str, width: int) -> list[Part]:
    return [(f"{line}\n", "") for line in wrap(text, max(12, width))]


def _touches(rule: Rule, count: int) -> str:
    return wording.alike(count, ()) if rule.only_refuses else wording.touches(count, on=rule.on)


def _rule(rule: Rule) -> list[str]:
    texts = [f"{rule.when} → {' · '.join(map(done, rule.actions))}", rule.note]
    return [*filter(None, texts), wording.switch(on=rule.on)]


def _policy(policy: Policy) -> list[str]:
    values = policy_table.values(policy)
    values.pop(policy_table.AGENT)
    return [
        wording.stated(name, ", ".join(value) if isinstance(value, list) else str(value))
        for name, value in values.items()
    ]
