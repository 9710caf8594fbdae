"""Rows of what importing or trusting a file would do: each rule and policy that is new or changes (S-63)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from memtui.cli.commands.rules import wording
from memtui.memory.policies.policy import Policy
from memtui.memory.rules.file import policy_table
from memtui.memory.rules.file.merging import ImportedPolicy, ImportedRule, RuleVerdict
from memtui.memory.rules.rule import Rule

Row = tuple[str, ...]


def rule_rows(items: Sequence[ImportedRule], more: Mapping[str, str] | None = None) -> Iterator[Row]:
    """Yield what each rule is, and of one that is kept already, what changes; `more` is said of rules, by
    name."""
    for item in items:
        if item.verdict is RuleVerdict.SAME:
            continue
        rule, before = item.rule, item.before
        if before is None:
            what = wording.when_and_do(rule.when, [each.text for each in rule.actions])
        else:
            what = _changes(_texts(before), _texts(rule))
        extra = () if more is None else (more[rule.name],)
        yield wording.verdict(item.verdict), rule.name, wording.switch(rule.on), *extra, what


def policy_rows(items: Sequence[ImportedPolicy], more: Mapping[str, str] | None = None) -> Iterator[Row]:
    """Yield what each policy is, and of one that is kept already, what changes; `more` is said of policies,
    by name."""
    for item in items:
        if item.verdict is not RuleVerdict.SAME:
            before = {} if item.before is None else _stated(item.before)
            what = _changes(before, _stated(item.policy)) or wording.NO_LIMITS
            extra = () if more is None else ("", more[item.policy.name])
            yield wording.verdict(item.verdict), wording.policy_of(item.policy.name), *extra, what


def _changes(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    """Return what changes; of something new, what it is."""
    names = dict.fromkeys([*before, *after])
    parts = [
        wording.changed_field(name, before.get(name, ""), after.get(name, ""))
        if before
        else wording.stated(name, after[name])
        for name in names
        if before.get(name) != after.get(name)
    ]
    return "; ".join(parts)


def _texts(rule: Rule) -> dict[str, str]:
    """Return a rule's fields as they are shown."""
    actions = wording.does([each.text for each in rule.actions])
    texts = (rule.name, rule.when, actions, rule.note, wording.switch(rule.on))
    return dict(zip(wording.FIELDS, texts, strict=True))


def _stated(policy: Policy) -> dict[str, str]:
    """Return the parts of a policy as they are shown, without those that say nothing."""
    values = policy_table.values(policy)
    return {
        key: ", ".join(value) if isinstance(value, list) else str(value)
        for key, value in values.items()
        if key != policy_table.AGENT
    }
