"""Policies: kept as the real workspace does; what they refused, and would refuse, is set by a test."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.memory.policies import editing, wording
from memtui.memory.policies.editing import Parts
from memtui.memory.policies.policy import Policy, folded
from memtui.memory.results import Change
from memtui.workspace.policies.breaches import Refusals
from memtui.workspace.remember.checking import Breaching
from memtui.workspace.stores.wording import not_attached
from tests.support.fake_workspace.rules_api import RulesApi


class PoliciesApi(RulesApi):
    """The verbs for policies; their entries cannot be undone here."""

    def policies(self) -> list[Policy]:
        self._raise_error("policies")
        return [*self.kept_policies, *self.stated_policies]

    def refused_lately(self) -> list[Refusals]:
        return list(self.refusals)

    def check_policies(self, policies: Sequence[Policy] | None = None) -> list[Breaching]:
        self._gate("check_policies")
        self._raise_error("check_policies")
        names = {each.name for each in (self.policies() if policies is None else policies)}
        return [each for each in self.breaching if each.policy in names]

    def set_policy(
        self,
        agent: str,
        *,
        instead_of: str | None = None,
        read: Sequence[str] | None = None,
        write: Sequence[str] | None = None,
        most: Sequence[str] | None = None,
        expiry: str | None = None,
        sensitive: Sequence[str] | None = None,
        categories: Sequence[str] | None = None,
        writes_to: str | None = None,
    ) -> Change:
        self._require_writable()
        if writes_to and writes_to not in (stores := [each.name for each in self.stores()]):
            raise not_attached(writes_to, stores)
        parts = Parts(
            read=read,
            write=write,
            most=most,
            expiry=expiry,
            sensitive=sensitive,
            categories=categories,
            writes_to=writes_to,
        )
        new = editing.put(self.kept_policies, agent, instead_of, parts)
        gone = {folded(new.agent), folded(new.agent if instead_of is None else instead_of)}
        self._keep([each for each in self.kept_policies if folded(each.agent) not in gone] + [new])
        return self._noted("policy-set", wording.was_set(new.agent))

    def remove_policy(self, agent: str) -> Change:
        self._require_writable()
        found = editing.find(self.kept_policies, agent)
        if found is None:
            raise wording.no_policy(agent, [each.agent for each in self.kept_policies])
        self._keep([each for each in self.kept_policies if each is not found])
        return self._noted("policy-removed", wording.was_removed(found.agent))

    def _keep(self, policies: list[Policy]) -> None:
        self.kept_policies[:] = sorted(policies, key=lambda each: folded(each.agent))
