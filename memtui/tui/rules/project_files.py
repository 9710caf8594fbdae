"""The part of the Rules screen about projects' files: how they stand, and trusting them (S-63)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from textual.content import Content
from textual.widgets import Static

from memtui.importing import project_file
from memtui.importing.project_file import FileState, ProjectFile
from memtui.memory.rules.file.wording_project import from_file
from memtui.memory.rules.rule import Rule
from memtui.memory.secrets.masking import hidden
from memtui.tui.rules import actions, wording
from memtui.tui.rules.policy_keys import PolicyKeys
from memtui.tui.workers.guarded import worker
from memtui.workspace.search.lexical import parse_query

if TYPE_CHECKING:
    from collections.abc import Callable

    from memtui.memory.results import Change
    from memtui.tui.rules.trust_dialog import TrustDialog
    from memtui.workspace.background import JobControl
    from memtui.workspace.workspace import Workspace

NOT_OF_FILE = ("rule.edit", "rule.remove", "rule.earlier", "rule.later")
_OFFERED = (FileState.UNTRUSTED, FileState.CHANGED)


class ProjectFilesScreen(PolicyKeys):
    """Tells above the list how the files stand that are not as they were trusted."""

    files: Sequence[ProjectFile] = ()

    @property
    def notice(self) -> Static:
        """The line above the list."""
        return self.query_one("#notice", Static)

    @worker(wording.FILES_NOT_READ, group="files")
    async def load_files(self) -> None:
        """Read how the files stand, and tell it."""
        if (workspace := self.app.workspace) is None:
            return
        trusted = await self.app.lanes.read_raw(workspace.rule_files)
        self.files = await self.app.lanes.background_raw(project_file.states, trusted)
        key = self.app.key("rule.trust")
        told = [text for each in self.files if (text := wording.standing(each, key))]
        self.notice.update(Content(wording.notice(told)))  # a path is no markup
        self.notice.display = bool(told)

    def file_of(self) -> ProjectFile | None:
        """Return the file that the key is about: the first that is not as it was trusted, else that of this
        folder; of several that of the rule under the cursor."""
        rule = self.rules.highlighted
        odd = [each for each in self.files if each.state is not FileState.TRUSTED] or self.files
        own = [each for each in odd if rule is not None and each.path == rule.source]
        return next(iter([*own, *odd]), None)

    def trust_reason(self) -> str:
        """Return why no file can be trusted or distrusted now, or ""."""
        file = self.file_of()
        if file is None:
            return wording.NO_PROJECT_FILE
        if file.trusted is None and file.state is FileState.UNUSABLE:
            return wording.standing(file, "")
        return ""

    def file_reason(self, id: str, rule: Rule) -> str:
        """Return why a command cannot work for a rule because of a project's file, or ""."""
        if rule.source:
            path = wording.short_path(rule.source)
            return hidden(from_file(rule.name, path).reason) if id in NOT_OF_FILE else ""
        after = self.rules.rules[self.rules.cursor + 1 : self.rules.cursor + 2]
        is_last = id == "rule.later" and any(each.source for each in after)
        return wording.last_own(hidden(rule.name)) if is_last else ""

    def _apply(self, verb: Callable[[JobControl], Change]) -> None:
        """Run what has all memories judged anew, with its progress."""
        raise NotImplementedError

    def action_trust(self) -> None:
        workspace, file = self._workspace_for("rule.trust"), self.file_of()
        if workspace is None or file is None:
            return
        if file.state in _OFFERED:
            self._look_at(workspace, file)
        else:
            self._take_back(workspace, file)

    @worker(wording.FILES_NOT_READ, group="trust")
    async def _look_at(self, workspace: Workspace, file: ProjectFile) -> None:
        """Show what trusting a file would do, and ask."""
        from memtui.tui.rules.trust_dialog import TrustDialog

        self.app.show_status(wording.READING, working=True)
        content = await self.app.lanes.background_raw(project_file.content, file.path, parse_query)
        if content.file.problems:
            self.app.show_status(hidden(wording.has_problems(file.path, content.file.problems)), tone="error")
            return
        plan, counts = await self.app.lanes.read_raw(actions.trust_plan, workspace, content)
        self.app.show_status("")
        parts = (content.path, content.digest, content.file.rules, content.file.policies)
        self._ask(TrustDialog(file, (plan, counts)), partial(workspace.trust_rules, *parts))

    @worker(wording.FILES_NOT_READ, group="trust")
    async def _take_back(self, workspace: Workspace, file: ProjectFile) -> None:
        """Show what goes with a file that is no longer trusted, and ask."""
        from memtui.tui.rules.trust_dialog import TrustDialog

        held = await self.app.lanes.read_raw(actions.names_of_file, workspace, file.path)
        self._ask(TrustDialog(file, None, held), partial(workspace.distrust_rules, file.path))

    def _ask(self, dialog: TrustDialog, verb: Callable[[], Change]) -> None:
        def then(agreed: bool | None) -> None:
            if agreed and (workspace := self.app.workspace) is not None:
                self._apply(partial(actions.applied, workspace, verb))

        self.app.push_screen(dialog, then)
