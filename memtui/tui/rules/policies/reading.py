"""What the Rules screen knows of policies, as it was read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memtui.memory.policies.policy import EVERY, Policy, folded

if TYPE_CHECKING:
    from memtui.workspace.policies.breaches import Refusals
    from memtui.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Policies:
    """All policies, those of the workspace first, and what they refused lately."""

    listed: Sequence[Policy] = ()
    refusals: Sequence[Refusals] = ()

    @property
    def own(self) -> list[Policy]:
        """Those of the workspace, which can be edited here."""
        return [each for each in self.listed if not each.store and not each.source]

    def refused_today(self, policy: Policy) -> int:
        """Return how often a policy refused something today."""
        return sum(each.today for each in self.refusals if each.policy == policy.name)

    def refusals_about(self, policy: Policy) -> list[Refusals]:
        """Return what a policy refused, and for one agent what else was refused to it."""
        name = folded(policy.agent)
        return [
            each
            for each in self.refusals
            if each.policy == policy.name or (policy.agent != EVERY and folded(each.agent) == name)
        ]


def read(workspace: Workspace) -> Policies:
    """Read them, in the reading thread."""
    return Policies(workspace.policies(), workspace.refused_lately())
