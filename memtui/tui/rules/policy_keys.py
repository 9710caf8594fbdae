"""The part of the Rules screen that is about policies: showing one, and its keys (S-61)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from textual.content import Content

from memtui.memory.policies.editing import find
from memtui.memory.policies.policy import EVERY, Policy, folded
from memtui.memory.query.completion import quote_value
from memtui.memory.results import Change
from memtui.memory.rules.file.wording_project import from_file
from memtui.memory.rules.rule import Rule
from memtui.memory.rules.trial import RuleCounts
from memtui.memory.secrets.masking import hidden
from memtui.tui.common.footer import Footer
from memtui.tui.common.screen import BaseScreen
from memtui.tui.common.text_pane import TextPane
from memtui.tui.rules.list import POLICY, RuleList, Wanted
from memtui.tui.rules.policies import wording
from memtui.tui.rules.policies.policy_text import policy_text
from memtui.tui.rules.policies.reading import Policies
from memtui.tui.rules.wording import short_path
from memtui.tui.workers.guarded import worker

if TYPE_CHECKING:
    from memtui.workspace.remember.checking import Breaching
    from memtui.workspace.workspace import Workspace

NOT_FOR_POLICIES = frozenset({"rule.turn", "rule.recipe", "rule.earlier", "rule.later"})
_WRITE = ("policy.add", "rule.add", "rule.edit", "rule.remove")
_NEED_POLICY = ("rule.hits", "rule.edit", "rule.remove", *NOT_FOR_POLICIES - {"rule.recipe"})


class PolicyKeys(BaseScreen):
    """A list of rules and policies, of which one policy may be under the cursor."""

    rules: RuleList
    view: TextPane
    wanted: Wanted = ("", "")
    """The rule or policy that gets the cursor when the list is read again."""
    _breaches: tuple[Policy, list[Breaching]] | None = None  # of the policy that was checked last
    _shown_policy = ""  # the name of the one in the pane

    def _workspace_for(self, id: str) -> Workspace | None:
        """Return the workspace if a command can work now, else None after a message."""
        workspace = self.app.ready_workspace()
        if workspace is not None and (reason := self.blocked_reason(id)):
            self.app.show_status(reason, tone="error")
            return None
        return workspace

    # What is shown

    def show_list(self, rules: Sequence[Rule], counts: Mapping[int, RuleCounts], policies: Policies) -> None:
        """List the rules and policies as they are now; the cursor goes to what was just saved."""
        key = self.app.key
        no_rule = wording.no_rule_line(key("rule.add"), key("rule.recipe"))
        self.rules.notes = no_rule, wording.no_policy_line(key("policy.add"))
        if self.rules.show(rules, counts, policies, self.wanted):
            self.wanted = "", ""
        self._breaches = None  # the memories may be others now

    def show_section(self) -> None:
        """Name the pane and the keys after the section of the cursor."""
        in_agents = self.rules.in_agents
        self.view.border_title = Content(wording.POLICY if in_agents else wording.RULE)
        self.query_one(Footer).hidden = NOT_FOR_POLICIES if in_agents else frozenset()

    async def check(self, workspace: Workspace, policy: Policy) -> None:
        """Count what of the stored memories a policy would refuse, and show it."""
        found = await self.read(workspace.check_policies, [policy])
        self._breaches = policy, found
        self.draw_policy()

    def draw_policy(self) -> None:
        """Show the policy under the cursor, else what policies are for."""
        policy, key = self.rules.policy, self.app.key
        if policy is None:
            text = f"{wording.WHAT_FOR}\n\n{wording.HOW_IT_HOLDS}\n\n{wording.new_key(key('policy.add'))}"
            self.view.show(Content(text), keep_place=False)
            self._shown_policy = ""
            return
        checked = self._breaches
        shown = policy_text(
            policy,
            self.rules.policies,
            checked[1] if checked is not None and checked[0] == policy else None,
            max(10, self.view.container_size.width - 1),
            self.app.clock(),
            (key("rule.edit"), key("rule.remove")),
        )
        self.view.show(shown, keep_place=self._shown_policy == policy.name)
        self._shown_policy = policy.name

    @worker(wording.POLICIES_NOT_READ, group="show-policy")
    async def show_policy(self, agent: str) -> None:
        """Put the cursor on the policy of an agent, or say which key writes one."""
        workspace = self.app.workspace
        if workspace is None:
            return
        own = [each for each in await self.read(workspace.policies) if not each.store]
        if find(own, agent) is None:
            self.app.show_status(wording.no_policy_of(hidden(agent), self.app.key("policy.add")))
        else:
            self.wanted = POLICY, folded(agent)
            self.load()

    def load(self) -> object:
        """Read the rules and policies again."""
        raise NotImplementedError

    # Keys

    def policy_blocked(self, id: str) -> str:
        """Return why a command cannot work in the section of policies, or ""."""
        policy, key = self.rules.policy, self.app.key
        if self.app.read_only and id in _WRITE:
            return wording.READ_ONLY
        if policy is None:
            return wording.no_policy(key("policy.add")) if id in _NEED_POLICY else ""
        if id == "rule.turn":
            return wording.always_on(key("rule.remove"))
        if id in ("rule.earlier", "rule.later"):
            return wording.NO_ORDER
        if policy.store and id in ("rule.edit", "rule.remove"):
            return wording.kept_by_store(hidden(policy.name), hidden(policy.store))
        if policy.source and id in ("rule.edit", "rule.remove"):
            return hidden(from_file(policy.name, short_path(policy.source)).reason)
        return ""

    async def browse_agent(self) -> None:
        """Show the memories of the agent of the policy under the cursor, in Browse."""
        if (policy := self.rules.policy) is not None:
            owner = EVERY if policy.agent == EVERY else quote_value(policy.agent)
            store = f" store:{quote_value(policy.store)}" if policy.store else ""
            await self.app.browse(f"owner:{owner}{store}", sort="newest")

    def action_add_policy(self) -> None:
        if workspace := self._workspace_for("policy.add"):
            self.open_policy_form(workspace, None)

    def open_policy_form(self, workspace: Workspace, policy: Policy | None) -> None:
        """Open the form of a policy, of a new one for None."""
        from memtui.tui.rules.policies.policy_dialog import PolicyDialog

        self.app.push_screen(PolicyDialog(workspace, self.rules.policies, policy), self._policy_saved)

    async def _policy_saved(self, saved: tuple[Change, str] | None) -> None:
        if saved is not None:
            change, agent = saved
            self.wanted = POLICY, folded(agent)
            await self.app.announce(change)

    def remove_policy(self, workspace: Workspace) -> None:
        """Remove the policy under the cursor."""
        if (policy := self.rules.policy) is not None:
            self.app.run_change(partial(workspace.remove_policy, policy.agent))
