"""The keys of the Decay screen that try half-lives and lifecycles, and make them settings (S-26)."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from dataclasses import replace
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.memory import lifecycles
from memtui.memory.lifecycles.native import LONGEST_HALF, Memtui
from memtui.memory.rules.rule import HALF_LIFE, parse_action
from memtui.settings import Settings
from memtui.text import capitalized, safe_text
from memtui.tui.decay import wording
from memtui.tui.memory.memory_actions import MemoryScreen
from memtui.tui.workers.guarded import worker

if TYPE_CHECKING:
    from memtui.memory.lifecycles.base import DecayInputs, Lifecycle
    from memtui.memory.lifecycles.outlook import Outlook
    from memtui.workspace.workspace import Workspace

FASTER, SLOWER = 0.8, 1.25  # factors of a half-life
LIFECYCLES = ("", *lifecycles.NAMES)  # "" is each store's own


class TrialScreen(MemoryScreen):
    """Lists memories by half-lives and a lifecycle that are only tried, until they are saved."""

    def __init__(self) -> None:
        super().__init__()
        self._outlook: Outlook | None = None
        self._tried_lifecycle = ""  # for all memories; "" for each store's own
        self._tried_half_lives: dict[str, float] = {}  # days by category

    def load(self) -> None:
        """Read the memories and list them."""
        raise NotImplementedError

    def _relist(self) -> object:
        """List the same memories by what is tried now."""
        raise NotImplementedError

    @property
    def _has_trial(self) -> bool:
        return bool(self._tried_lifecycle or self._tried_half_lives)

    def _drop_trial(self) -> None:
        self._tried_lifecycle, self._tried_half_lives = "", {}

    # Half-lives

    def _configured_half_lives(self) -> dict[str, float]:
        """Return the half-lives of the settings, in days by category."""
        return dict(self.app.settings.half_lives)

    def _half_life_of(self, inputs: DecayInputs) -> tuple[str, float]:
        """Return the category of a memory, and its half-life in days."""
        half_lives = {**Memtui().half_lives, **self._configured_half_lives(), **self._tried_half_lives}
        return str(inputs.category), half_lives.get(str(inputs.category), half_lives["other"])

    def _under_cursor(self) -> tuple[Lifecycle, DecayInputs] | None:
        """Return the lifecycle and times of the highlighted memory."""
        id = self.memories.highlighted
        return None if id is None or self._outlook is None else self._outlook.find(id)

    def _half_life_text(self) -> str:
        """Return the half-life of the highlighted memory, or "" where its lifecycle has none."""
        found = self._under_cursor()
        if found is None or not found[0].has_half_life:
            return ""
        if not isnan(days := found[1].half_life):
            return wording.half_life_by_rule(self._rule_of_half_life(), days)
        category, days = self._half_life_of(found[1])
        label = safe_text(category, one_line=True, limit=20)
        return wording.half_life(label, days, tried=category in self._tried_half_lives)

    def _rule_of_half_life(self) -> str:
        """Return the name of the rule that sets it for the highlighted memory, as far as read."""
        detail = self.view.detail
        ruled = () if detail is None or detail.id != self.memories.highlighted else detail.ruled
        rules = (rule for rule, action in ruled if parse_action(action).kind == HALF_LIFE)
        return safe_text(next(rules, ""), one_line=True, limit=30)

    def _no_half_life_reason(self) -> str:
        """Return why no half-life can be tried on the highlighted memory, or ""."""
        found = self._under_cursor()
        if found is None:
            return wording.LIST_EMPTY
        if found[0].has_half_life and not isnan(found[1].half_life):
            return wording.half_life_is_ruled(self._rule_of_half_life())
        if found[0].has_half_life:
            return ""
        return wording.no_half_life(found[0].title, self.app.key("decay.try"))

    def action_slower(self) -> None:
        self._scale_half_life(SLOWER)

    def action_faster(self) -> None:
        self._scale_half_life(FASTER)

    def _scale_half_life(self, factor: float) -> None:
        found, reason = self._under_cursor(), self._no_half_life_reason()
        if reason or found is None:
            self.app.show_status(f"{capitalized(reason)}.")
            return
        category, days = self._half_life_of(found[1])
        bounded = min(max(days * factor, min(days, 1)), max(days, LONGEST_HALF))
        self._tried_half_lives[category] = float(round(bounded, 0 if bounded >= 2 else 2))
        self.app.show_status(
            wording.half_life_tried(category, self._tried_half_lives[category]),
            hint=wording.save_hint(self.app.key("decay.save")),
        )
        self._relist()

    # Lifecycles

    def action_try(self) -> None:
        """Try the next lifecycle on all memories."""
        if self.app.ready_workspace() is None:
            return
        following = (LIFECYCLES.index(self._tried_lifecycle) + 1) % len(LIFECYCLES)
        self._tried_lifecycle = LIFECYCLES[following]
        if self._tried_lifecycle:
            rules = lifecycles.by_name(self._tried_lifecycle)
            self.app.show_status(wording.trying(rules.title), hint=" ".join(rules.notes[:1]))
        else:
            self.app.show_status(wording.OWN_LIFECYCLES_AGAIN)
        self._relist()

    # Settings

    def action_save(self) -> None:
        """Make what was tried a setting."""
        workspace = self.app.ready_workspace()
        if workspace is None:
            return
        wanted = self._wanted_settings()
        if not wanted:
            self.app.show_status(wording.nothing_to_save(self.app.key("decay.slower")))
            return
        message = wording.saved(self._changed_settings(wanted))
        self._apply_when_saved(self.app.lanes.write(_save, workspace, self.app.loaded.path, wanted), message)

    @worker(wording.NOT_SAVED, group="save", exclusive=False)
    async def _apply_when_saved(self, saving: Awaitable[Settings], message: str) -> None:
        settings = await saving
        self.app.settings = replace(
            self.app.settings, half_lives=settings.half_lives, founder_os_decay=settings.founder_os_decay
        )
        self._drop_trial()
        self.app.show_status(message, tone="done", hint=wording.saved_in(self.app.loaded.path))
        self.load()

    def _wanted_settings(self) -> dict[str, object]:
        """Return the settings that make what is tried permanent."""
        wanted: dict[str, object] = {}
        if self._tried_half_lives:
            wanted["half_lives"] = dict(self._tried_half_lives)
        if self._tried_lifecycle in ("founder-os", "founder-os-daily"):
            wanted["founder_os_decay"] = "daily" if self._tried_lifecycle.endswith("daily") else "weekly"
        return wanted

    def _changed_settings(self, wanted: Mapping[str, object]) -> list[str]:
        """Return a text on each setting to be changed, with its present value."""
        before = {**Memtui().half_lives, **self._configured_half_lives()}
        texts = [
            wording.half_life_setting(
                safe_text(name, one_line=True, limit=20), days, before.get(name, before["other"])
            )
            for name, days in self._tried_half_lives.items()
        ]
        if reading := wanted.get("founder_os_decay"):
            texts.append(wording.founder_os_setting(reading, self.app.settings.founder_os_decay))
        return texts


def _save(workspace: Workspace, path: Path, wanted: Mapping[str, object]) -> Settings:
    """Save lifecycle settings and use them from now on."""
    from memtui.settings_file import save

    settings = save(path, wanted)
    workspace.set_lifecycle_options(settings.half_lives, settings.founder_os_decay == "daily")
    return settings
