"""`memtui policies list` and `check` (S-61).

With --json `list` is {"policies": [{"name", "store", "source", "agent", "read", "write", "most", "expiry",
"sensitive", "categories", "unread", "refused_today"}], "together": [{"agent", "store", "read": {"value",
"policy"}, …}]}, `check` [{"policy", "code", "count", "detail"}].
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from memtui.cli.commands.read import wording_policies as wording
from memtui.cli.runtime.open_workspace import fresh
from memtui.cli.runtime.output import Output
from memtui.memory.policies import judging
from memtui.memory.policies.policy import Policy
from memtui.memory.policies.wording import breaching
from memtui.serialization.policies import holding_as_json, policy_as_json

if TYPE_CHECKING:
    from argparse import Namespace


def list_(args: Namespace, output: Output) -> None:
    """Print all policies, and what holds where one of a store meets one of this workspace."""
    with fresh(args, output) as opened:
        policies, refused = opened.policies(), opened.refused_today()
    by_policies = [each for each in refused if not each.by_rule]
    counts = [sum(each.count for each in by_policies if each.policy == policy.name) for policy in policies]
    together = list(_together(policies))
    if output.json:
        listed = [policy_as_json(each, count) for each, count in zip(policies, counts, strict=True)]
        output.data({"policies": listed, "together": [holding_as_json(*each) for each in together]})
        return
    for policy, count in zip(policies, counts, strict=True):
        output.line(wording.policy(policy, count))
    for agent, store, both in together:
        output.line(wording.together(agent, store, judging.holding(both)))
    if not policies:
        output.note(wording.NO_POLICIES)


def check(args: Namespace, output: Output) -> None:
    """Print what is stored that policies would refuse, and what of them cannot be read."""
    with fresh(args, output) as opened:
        found = opened.check_policies()
    if output.json:
        output.data([asdict(each) for each in found])
        return
    output.table([(each.policy, breaching(each.code, each.count, each.detail)) for each in found])
    if not found:
        output.note(wording.NOTHING_BREACHES)


def _together(policies: Sequence[Policy]) -> Iterator[tuple[str, str, list[Policy]]]:
    """Yield the agent, the store and the policies wherever several hold."""
    met = set()
    for stated in policies:
        both = judging.in_store(judging.for_agent(policies, stated.agent), stated.store)
        names = tuple(each.name for each in both)
        if (stated.store or stated.source) and len(both) > 1 and names not in met:
            met.add(names)
            yield stated.agent, stated.store, both
