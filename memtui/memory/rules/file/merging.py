"""What the rules and policies of a file are to those that are kept, and the order of all rules after the
import (S-63)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from memtui.memory.policies.policy import Policy, folded
from memtui.memory.rules.rule import Rule


class RuleVerdict(StrEnum):
    """What a rule of a file is to the kept one of its name, a policy to that of its agent."""

    NEW = "new"
    CHANGED = "changed"
    SAME = "same"


@dataclass(frozen=True, slots=True)
class ImportedRule:
    """A rule of a file, as it would be kept (its id is 0 if it is new), and the kept one of its name."""

    verdict: RuleVerdict
    rule: Rule
    before: Rule | None


@dataclass(frozen=True, slots=True)
class ImportedPolicy:
    """A policy of a file, as it would be kept, and the kept one of its agent."""

    verdict: RuleVerdict
    policy: Policy
    before: Policy | None


@dataclass(frozen=True, slots=True)
class RulesImport:
    """What an import would do: by rule and policy of the file, and all rules in the order that they would
    have; `reorders` if rules that are kept already change places."""

    items: Sequence[ImportedRule]
    order: Sequence[Rule]
    reorders: bool
    policies: Sequence[ImportedPolicy] = ()

    def count(self, verdict: RuleVerdict) -> int:
        """Return how many rules of the file are this."""
        return sum(each.verdict is verdict for each in self.items)

    def count_policies(self, verdict: RuleVerdict) -> int:
        """Return how many policies of the file are this."""
        return sum(each.verdict is verdict for each in self.policies)

    @property
    def is_empty(self) -> bool:
        """Whether nothing would be changed."""
        same = len(self.items) + len(self.policies)
        found = self.count(RuleVerdict.SAME) + self.count_policies(RuleVerdict.SAME)
        return not self.reorders and found == same


def merged_policies(kept: Sequence[Policy], file: Sequence[Policy]) -> list[ImportedPolicy]:
    """Return what importing the policies of a file would do; those that it does not have stay."""
    by_agent = {folded(each.agent): each for each in kept}
    items = []
    for policy in file:
        before = by_agent.get(folded(policy.agent))
        if before is None:
            verdict = RuleVerdict.NEW
        else:
            verdict = RuleVerdict.SAME if policy == before else RuleVerdict.CHANGED
        items.append(ImportedPolicy(verdict, policy, before))
    return items


def merged(
    kept: Sequence[Rule],
    file: Sequence[Rule],
    kept_policies: Sequence[Policy] = (),
    file_policies: Sequence[Policy] = (),
) -> RulesImport:
    """Return what importing a file would do; rules and policies that it does not have stay.

    The rules of the file get its order, in the places that those of them hold which are kept already; a new
    one stands before the one that it precedes, or last. So a second import changes nothing.
    """
    by_name = {rule.name.casefold(): rule for rule in kept}
    items = [_item(rule, by_name.get(rule.name.casefold())) for rule in file]
    ids = {each.before.id for each in items if each.before is not None}
    order: list[Rule] = []
    left = iter(items)
    for rule in kept:
        if rule.id not in ids:
            order.append(rule)
            continue
        for each in left:
            order.append(each.rule)
            if each.before is not None:
                break
    order += [each.rule for each in left]
    reorders = [each.id for each in order if each.id] != [rule.id for rule in kept]
    return RulesImport(items, order, reorders, merged_policies(kept_policies, file_policies))


def _item(rule: Rule, before: Rule | None) -> ImportedRule:
    if before is None:
        return ImportedRule(RuleVerdict.NEW, rule, None)
    new = replace(rule, id=before.id, position=before.position)
    return ImportedRule(RuleVerdict.SAME if new == before else RuleVerdict.CHANGED, new, before)
