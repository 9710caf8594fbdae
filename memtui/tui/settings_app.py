"""The app's settings: its keys and theme, and writing them into the settings file."""

from __future__ import annotations

from collections.abc import Awaitable
from pathlib import Path

from memtui.errors import Refused
from memtui.settings import Loaded
from memtui.tui import keymap, themes, wording
from memtui.tui.changes import ChangingApp
from memtui.tui.messages import Status
from memtui.tui.workers.guarded import error_text


class SettingsApp(ChangingApp):
    """An app with the user's settings; with `saves_theme` a theme is kept for the next time."""

    def __init__(self, loaded: Loaded, *, saves_theme: bool) -> None:
        super().__init__()
        self._saves_theme = saves_theme  # in the settings file, for the next time
        self.loaded = loaded
        self.settings = self.loaded.settings
        self.commands, problems = keymap.apply_key_settings(self.settings.keys)
        """The table of commands with the user's keys."""
        keys = {key for command in self.commands for key in command.keys}
        self._alt_keys = {key for key in keys if key.startswith("alt+")}
        self.set_keymap(keymap.textual_keymap(self.commands))
        file = self.loaded.path.name
        self.settings_problems = [
            *self.loaded.problems,
            *(wording.settings_problem(file, problem) for problem in problems),
        ]
        """Why some settings are not in effect."""
        for theme in themes.THEMES:
            self.register_theme(theme)
        self.theme = f"memtui-{self.settings.theme}"

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return themes.DEFAULTS

    def show_settings_problems(self) -> None:
        """Show the first setting that is not in effect; called when the workspace is open."""
        first, *more = self.settings_problems or [""]
        hint = wording.more_problems(len(more)) if more else ""
        self.show_status(first, tone="error" if first else "quiet", hint=hint)

    def action_next_theme(self) -> None:
        """Switch to the next theme: dark, light, contrast, ansi."""
        self.use_theme(themes.after(self.theme))

    def use_theme(self, name: str) -> None:
        """Use a theme from now on, and save it in the settings file if the app does so."""
        self.theme, short = name, themes.short(name)
        self.show_status(wording.theme_set(short))
        if self._saves_theme:
            from memtui.settings_file import save

            saving = self.lanes.write(save, self.loaded.path, {"theme": short})
            self.start_work("theme", self._show_when_saved, name, saving, self.status)

    async def _show_when_saved(self, name: str, saving: Awaitable[object], shown: Status) -> None:
        """Complete the message on the theme, unless another one was chosen or said since."""
        short, hint = themes.short(name), ""
        try:
            await saving
        except Exception as error:  # whatever it was, the theme is used until the program ends
            if isinstance(error, Refused):
                reason, hint = error.reason, error.hint
            else:
                self.log.error(error)
                reason = error_text(error)
            if self.theme == name:
                self.show_status(wording.theme_not_saved(short, reason), tone="error", hint=hint)
        else:
            if self.status is shown:
                self.show_status(wording.theme_saved(short), hint=wording.saved_in(self.loaded.path))

    def action_write_settings(self) -> None:
        """Write a settings file with all defaults, if there is none yet."""
        from memtui.settings_file import write_defaults

        writing = self.lanes.write(write_defaults, self.loaded.path)
        self.start_work("settings", self._show_when_written, writing)

    async def _show_when_written(self, writing: Awaitable[Path]) -> None:
        try:
            path = await writing
        except Refused as refused:
            self.show_refusal(refused)
        except Exception as error:  # whatever it was, the app goes on
            self.show_error(wording.SETTINGS_NOT_WRITTEN, error)
        else:
            self.show_status(wording.settings_written(path), tone="done", hint=wording.SETTINGS_EFFECTIVE)
