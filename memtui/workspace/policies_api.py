"""The verbs of `Workspace` for policies, and for what agents write under them (S-61, S-85)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from typing import TYPE_CHECKING

from memtui.errors import Refused
from memtui.memory.policies.editing import Parts
from memtui.memory.policies.policy import Policy
from memtui.memory.results import Change
from memtui.values import FieldValue

if TYPE_CHECKING:
    from memtui.memory.policies.remembered import Remembered
    from memtui.workspace.context import Context
    from memtui.workspace.policies.breaches import Breaches, Refusals
    from memtui.workspace.remember.checking import Breaching


class PoliciesApi:
    """Keeping policies, and writing for agents."""

    _ctx: Context
    _changing_alone: Callable[[], AbstractContextManager[None]]

    def policies(self) -> list[Policy]:
        """Return all policies: those of this workspace by agent, then those that stores state."""
        from memtui.workspace.policies import holding

        return holding.listed(self._ctx)

    def refused_today(self) -> list[Breaches]:
        """Return how often each policy refused something to an agent today."""
        from memtui.workspace.policies import breaches

        return breaches.today(self._ctx)

    def refused_lately(self) -> list[Refusals]:
        """Return what policies refused in 30 days, by policy, agent, kind and store, the last first."""
        from memtui.workspace.policies import breaches

        return breaches.lately(self._ctx)

    def check_policies(self, policies: Sequence[Policy] | None = None) -> list[Breaching]:
        """Return what is stored that the policies would refuse, and what of them cannot be read; of all
        policies, or only of these, which need not be kept."""
        from memtui.workspace.remember import checking

        return checking.check(self._ctx, policies)

    def policy_misfits(self, policies: Sequence[Policy]) -> list[int]:
        """Return how many stored memories each of these policies would refuse, which need not hold yet."""
        from memtui.workspace.remember import checking

        return checking.misfits(self._ctx, policies)

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
        """Set parts of an agent's policy, as they are typed: ["private", "fleet"], ["all"], ["none"];
        ["fleet=20:weakest"]; "30d", "never"; ["password:*"]; the attached store that it writes to, "" for
        none. What is None stays; the policy of `instead_of` becomes this agent's. Raise Refused for
        others."""
        from memtui.workspace.remember import keeping

        parts = Parts(
            read=read,
            write=write,
            most=most,
            expiry=expiry,
            sensitive=sensitive,
            categories=categories,
            writes_to=writes_to,
        )
        with self._changing_alone():
            return keeping.put(self._ctx, agent, instead_of, parts)

    def remove_policy(self, agent: str) -> Change:
        """Remove an agent's policy; those that stores state stay."""
        from memtui.workspace.remember import keeping

        with self._changing_alone():
            return keeping.remove(self._ctx, agent)

    def store_for(self, agent: str) -> str:
        """Return the store that an agent writes to where nothing else is said: what its policy says, or else
        memtui's own. Raise Refused for one that is no longer attached."""
        from memtui.workspace.remember import target

        return target.store_for(self._ctx, agent)

    def remember(self, agent: str, fields: Mapping[str, FieldValue], store: str | None = None) -> Remembered:
        """Add a memory for an agent, which becomes its owner, as far as its policies let it, by default to
        the store that they say (`store_for`); raise PolicyRefused, which the journal then has, where they do
        not. What it contradicts or repeats waits in Review at once (S-85)."""
        from memtui.workspace.contradictions import scan
        from memtui.workspace.remember import chain

        with self._changing_alone():
            done = chain.remember(self._ctx, agent, fields, self.store_for(agent) if store is None else store)
        if done.other:
            with suppress(Refused):  # it is written, and compared later
                scan.run(self._ctx, ids=[done.id])
        return done
