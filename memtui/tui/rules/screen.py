"""The Rules screen: what a person decided must always hold, and what each rule touches (S-60)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

from textual.containers import Container
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from memtui.errors import QueryError
from memtui.memory.policies.policy import folded
from memtui.memory.results import Change
from memtui.memory.rules.rule import REDACT, Rule
from memtui.memory.rules.trial import RuleCounts, Trial
from memtui.memory.rules.wording_recipes import Recipe
from memtui.memory.secrets.masking import hidden
from memtui.paths import data_folder
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.text_pane import TextPane
from memtui.tui.common.virtual_list import Part
from memtui.tui.memory.bulk.limits import FEW
from memtui.tui.messages import Opened
from memtui.tui.rules import actions, wording
from memtui.tui.rules.list import RULE, RuleList
from memtui.tui.rules.policies import reading
from memtui.tui.rules.policies import wording as policy_wording
from memtui.tui.rules.project_files import ProjectFilesScreen
from memtui.tui.rules.rule_text import rule_text
from memtui.tui.workers.guarded import worker
from memtui.tui.workers.store_watcher import HEALTH

if TYPE_CHECKING:
    from memtui.workspace.background import JobControl
    from memtui.workspace.workspace import Workspace

NEED_RULE = tuple(f"rule.{name}" for name in ("hits", "edit", "turn", "remove", "earlier", "later"))
WRITE = ("rule.add", "rule.recipe", *NEED_RULE[1:])


class RulesScreen(ProjectFilesScreen):
    """Lists the rules in their order, and tries the one under the cursor; below them the policies."""

    MODE = names.RULES
    CSS_PATH = data_folder("styles") / "rules.tcss"
    BINDINGS = command_table.bindings(names.RULES)

    def __init__(self) -> None:
        super().__init__()
        self._trial: tuple[Rule, Trial] | None = None  # of the rule that was tried last
        self._was_read = False
        self._shown = 0  # the id of the rule in the pane

    def body(self) -> Iterable[Widget]:
        yield Static(id="notice")
        yield Container(RuleList(id="list"), TextPane(id="detail"), id="panes")

    def on_mount(self) -> None:
        super().on_mount()
        self.rules = self.query_one(RuleList)
        self.view = self.query_one(TextPane)
        self.rules.empty_lines = self.opening_lines()
        self.update_titles()
        self.rules.focus()
        self.watch(self.app, "workspace", self._opened)

    def _opened(self) -> None:
        self.load()

    def on_screen_suspend(self) -> None:
        self.workers.cancel_group(self, "trial")  # other screens need the thread

    def on_screen_resume(self) -> None:
        if self._was_read:  # what agents were refused since, or another memtui changed
            self.load()

    def on_resize(self) -> None:
        self.call_after_refresh(self._draw)

    # What is shown

    @worker(wording.NOT_READ, group="rules")
    async def load(self) -> None:
        """Read the rules again; the cursor stays on its rule."""
        workspace = self.app.workspace
        if workspace is None:
            return
        self.workers.cancel_group(self, "trial")
        try:
            # Raw, since they are written and tried again; what is shown of them is masked.
            rules, counts = await self.app.lanes.read_raw(actions.read, workspace)
            policies = await self.app.lanes.read_raw(reading.read, workspace)
        except Exception:
            self.rules.empty_lines = self.error_lines(wording.SUBJECT)
            self.rules.refresh()
            raise
        self._was_read = True
        self.rules.empty_lines = self._empty_lines()
        self.show_list(rules, counts, policies)
        self.update_titles()
        self.load_text()
        self.load_files()

    @worker(wording.NOT_TRIED, group="trial")
    async def load_text(self) -> None:
        """Show the rule under the cursor; then try it."""
        workspace, rule, policy = self.app.workspace, self.rules.highlighted, self.rules.policy
        self._draw()
        if workspace is not None and policy is not None:
            await self.check(workspace, policy)
        if workspace is None or rule is None:
            return
        try:
            trial = await self.read(workspace.try_rule, rule)
        except QueryError as error:
            self._draw(error.message)
            return
        self._trial = rule, trial
        self._draw()

    def _draw(self, fault: str = "") -> None:
        """Show the rule under the cursor, and what is known of what it touches."""
        self.show_section()
        if self.rules.in_agents:
            self._shown = 0
            self.draw_policy()
            return
        rule = self.rules.highlighted
        if rule is None:
            empty = wording.NOTHING_CHANGES if self.app.workspace is not None else ""
            self.view.show(Content(empty), keep_place=False)
            self._shown = 0
            return
        text = rule_text(
            rule,
            self._trial_of(rule),
            fault,
            self.rules.counts.get(rule.id, RuleCounts()),
            (self.rules.cursor + 1, len(self.rules.rules)),
            max(10, self.view.container_size.width - 1),
            self.app.store_names,
            (self.app.key("rule.turn"), self.app.key("rule.hits")),
        )
        self.view.show(text, keep_place=self._shown == rule.id)
        self._shown = rule.id

    def _trial_of(self, rule: Rule) -> Trial | None:
        return self._trial[1] if self._trial is not None and self._trial[0].id == rule.id else None

    def update_titles(self) -> None:
        rules = self.rules.rules
        on = sum(rule.on for rule in rules)
        counts = wording.counts(len(rules), on, policy_wording.count(len(self.rules.policies.listed)))
        self.rules.set_title(wording.RULES, Content(counts if self.rules.count else ""))

    def _empty_lines(self) -> list[Part]:
        key = self.app.key
        return [
            (wording.NO_RULES, "plain"),
            (wording.WHAT_FOR, "quiet"),
            (wording.HOLDS, "quiet"),
            (wording.recipe_key(key("rule.recipe")), "plain"),
            (wording.new_key(key("rule.add")), "plain"),
            (policy_wording.new_key(key("policy.add")), "plain"),
        ]

    # Messages

    def on_change(self, change: Change) -> None:
        if change.kind != HEALTH:
            self.load()

    async def on_opened(self, message: Opened) -> None:
        await self.action_hits()

    # Why a key cannot work now

    def blocked_reason(self, id: str) -> str:
        if id == "rule.trust":
            return wording.READ_ONLY if self.app.read_only else self.trust_reason()
        if self.rules.in_agents or id == "policy.add":
            return self.policy_blocked(id)
        rule, key = self.rules.highlighted, self.app.key
        if self.app.read_only and id in WRITE:
            return wording.READ_ONLY
        if rule is None:
            return wording.no_rule(key("rule.add"), key("rule.recipe")) if id in NEED_RULE else ""
        if reason := self.file_reason(id, rule):
            return reason
        if id == "rule.earlier" and self.rules.cursor == 0:
            return wording.order_refused(hidden(rule.name), up=True)
        if id == "rule.later" and self.rules.cursor == len(self.rules.rules) - 1:
            return wording.order_refused(hidden(rule.name), up=False)
        return ""

    # Keys

    async def action_hits(self) -> None:
        rule = self.rules.highlighted
        if self._workspace_for("rule.hits") is None:
            return
        if rule is not None:
            await self.app.browse(rule.when, sort="newest")  # by text alone, as rules match
        elif self.rules.in_agents:
            await self.browse_agent()

    def action_add(self) -> None:
        if (workspace := self._workspace_for("rule.add")) is None:
            return
        if self.rules.in_agents:
            self.open_policy_form(workspace, None)
        else:
            self._open_form(workspace, actions.new(self.rules.rules))

    def action_recipe(self) -> None:
        from memtui.tui.rules.recipe_dialog import RecipeDialog

        if self._workspace_for("rule.recipe"):
            self.app.push_screen(RecipeDialog(), self._recipe_chosen)

    def _recipe_chosen(self, recipe: Recipe | None) -> None:
        workspace = self.app.workspace
        if recipe is not None and workspace is not None:
            self._open_form(workspace, actions.new(self.rules.rules, recipe))

    def action_edit(self) -> None:
        rule = self.rules.highlighted
        if (workspace := self._workspace_for("rule.edit")) is None:
            return
        if rule is not None:
            self._open_form(workspace, rule)
        else:
            self.open_policy_form(workspace, self.rules.policy)

    def _open_form(self, workspace: Workspace, rule: Rule) -> None:
        from memtui.tui.rules.rule_dialog import RuleDialog

        is_known = rule.id != 0
        then = partial(self._saved, workspace, applies=is_known and rule.on)
        self.app.push_screen(RuleDialog(workspace, rule, known=is_known), then)

    async def _saved(self, workspace: Workspace, saved: tuple[Change, str] | None, *, applies: bool) -> None:
        if saved is None:
            return
        change, name = saved
        self.wanted = RULE, folded(name)
        if applies:
            self._apply(partial(actions.applied, workspace, lambda: change))
        else:
            key = self.app.key
            await self.app.announce(change, hint=wording.switch_on(key("rule.turn"), key("change.undo")))

    def action_turn(self) -> None:
        workspace, rule = self._workspace_for("rule.turn"), self.rules.highlighted
        if workspace is not None and rule is not None:
            self._turn(workspace, rule)

    @worker(wording.NOT_TRIED, group="turn")
    async def _turn(self, workspace: Workspace, rule: Rule) -> None:
        """Switch a rule; first ask if that touches many memories, or redacts."""
        from memtui.tui.rules.turn_dialog import TurnDialog

        held = self.rules.counts.get(rule.id, RuleCounts()).held
        trial: Trial | None = None
        if not rule.on:
            self.app.show_status(wording.READING, working=True)
            trial = await self.read(workspace.try_rule, rule)
            self.app.show_status("")
        touches = held if trial is None else 0 if trial.only_refuses else trial.total
        if touches > FEW or (trial is not None and rule.does(REDACT)):
            self.app.push_screen(TurnDialog(rule, trial, held), partial(self._turn_if, workspace, rule))
        else:
            self._turn_if(workspace, rule, True)

    def _turn_if(self, workspace: Workspace, rule: Rule, agreed: bool | None) -> None:
        if agreed:
            self._apply(partial(actions.turned, workspace, rule))

    def _apply(self, verb: Callable[[JobControl], Change]) -> None:
        """Run what has all memories judged anew, with its progress."""
        total = self.app.counts.all if self.app.counts is not None else 0
        self.app.run_bulk(verb, wording.DOING, total, self.app.announce)

    def action_remove(self) -> None:
        workspace, rule = self._workspace_for("rule.remove"), self.rules.highlighted
        if workspace is None:
            return
        if rule is None:
            self.remove_policy(workspace)
        elif rule.on:
            self._apply(partial(actions.applied, workspace, partial(workspace.remove_rule, rule.name)))
        else:
            self.app.run_change(workspace.remove_rule, rule.name)

    def action_earlier(self) -> None:
        self._move("rule.earlier", -1)

    def action_later(self) -> None:
        self._move("rule.later", 1)

    def _move(self, id: str, by: int) -> None:
        workspace, rule = self._workspace_for(id), self.rules.highlighted
        if workspace is not None and rule is not None:
            self.app.run_change(workspace.move_rule, rule.name, by)

    def action_back(self) -> None:
        self.rules.focus()
