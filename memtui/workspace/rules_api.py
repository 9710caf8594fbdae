"""The verbs of `Workspace` for rules (S-60)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from memtui.memory.results import Change
from memtui.memory.rules.rule import Rule

if TYPE_CHECKING:
    from memtui.memory.policies.policy import Policy
    from memtui.memory.rules.file.trusting import TrustedFile, TrustPlan
    from memtui.memory.rules.trial import RuleCounts, Trial
    from memtui.workspace.background import JobControl
    from memtui.workspace.context import Context


class RulesApi:
    """Keeping rules, trying them, and applying them."""

    _ctx: Context
    _changing_alone: Callable[[], AbstractContextManager[None]]

    def rules(self) -> list[Rule]:
        """Return the rules in their order."""
        from memtui.workspace.changes.own_records import rule_rows

        return rule_rows.listed(self._ctx)

    def rule_counts(self) -> dict[int, RuleCounts]:
        """Return how many memories each rule holds, and what it did today, by its id."""
        from memtui.workspace.rules import counts

        return counts.of_rules(self._ctx)

    def add_rule(self, name: str, when: str, actions: Sequence[str], note: str = "") -> Change:
        """Add a rule, off at first, after the others; raise Refused or QueryError for what cannot be one."""
        from memtui.workspace.rules import keeping

        with self._changing_alone():
            return keeping.add(self._ctx, name, when, actions, note)

    def edit_rule(
        self,
        name: str,
        *,
        new_name: str | None = None,
        when: str | None = None,
        actions: Sequence[str] | None = None,
        note: str | None = None,
    ) -> Change:
        """Change a rule; what is None stays."""
        from memtui.workspace.rules import keeping

        with self._changing_alone():
            return keeping.edit(self._ctx, name, new_name, when, actions, note)

    def remove_rule(self, name: str) -> Change:
        """Remove a rule; what it set goes with it."""
        from memtui.workspace.rules import keeping

        with self._changing_alone():
            return keeping.remove(self._ctx, name)

    def turn_rule(self, name: str, *, on: bool) -> Change:
        """Switch a rule on or off."""
        from memtui.workspace.rules import keeping

        with self._changing_alone():
            return keeping.turn(self._ctx, name, on)

    def move_rule(self, name: str, by: int) -> Change:
        """Move a rule by so many places: before others with a negative number."""
        from memtui.workspace.rules import keeping

        with self._changing_alone():
            return keeping.move(self._ctx, name, by)

    def import_rules(self, rules: Sequence[Rule], policies: Sequence[Policy] = ()) -> Change:
        """Add and change rules and policies as a file has them, and take its order (S-63)."""
        from memtui.workspace.rules import importing

        with self._changing_alone():
            return importing.import_(self._ctx, rules, policies)

    def rule_files(self) -> list[TrustedFile]:
        """Return the projects' files that are trusted (S-63)."""
        from memtui.workspace.policies import file_rows

        return file_rows.listed(self._ctx)

    def trust_plan(
        self, path: str, digest: str, rules: Sequence[Rule], policies: Sequence[Policy]
    ) -> TrustPlan:
        """Return what trusting a project's file with this content would do; nothing is changed."""
        from memtui.workspace.rules import trusting

        return trusting.plan(self._ctx, path, digest, rules, policies)

    def trust_rules(
        self, path: str, digest: str, rules: Sequence[Rule], policies: Sequence[Policy]
    ) -> Change:
        """Keep the rules and policies of a project's file, in place of those that were trusted before."""
        from memtui.workspace.rules import trusting

        with self._changing_alone():
            return trusting.trust(self._ctx, path, digest, rules, policies)

    def distrust_rules(self, path: str) -> Change:
        """Remove what is kept of a project's file; what its rules set goes with them."""
        from memtui.workspace.rules import trusting

        with self._changing_alone():
            return trusting.distrust(self._ctx, path)

    def rule_matches(self, rules: Sequence[Rule]) -> list[int]:
        """Return how many memories each rule matches."""
        from memtui.workspace.rules import trusting

        return trusting.touched(self._ctx, rules)

    def try_rule(self, rule: Rule) -> Trial:
        """Return what a rule would do, whether it is kept already or not; nothing is changed."""
        from memtui.workspace.rules import trying

        return trying.trial(self._ctx, rule)

    def apply_rules(self, control: JobControl | None = None) -> int:
        """Apply the rules to what changed since; return how many memories were judged."""
        from memtui.workspace.rules import sweep

        return sweep.run(self._ctx, control)
