"""The dialog that lists the recipes, of which one begins a rule (S-60)."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from memtui.memory.rules.rule import parse_action
from memtui.memory.rules.wording_actions import done
from memtui.memory.rules.wording_recipes import RECIPES, Recipe
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.messages import CursorMoved, Opened
from memtui.tui.rules import wording
from memtui.tui.text.glyphs import fit


class RecipeList(VirtualList):
    """One line per recipe: its name, and what it does."""

    def parts(self, index: int, width: int) -> list[Part]:
        recipe = RECIPES[index]
        name = width // 2
        does = " · ".join(done(parse_action(text)) for text in recipe.actions)
        return [
            (" ", "plain"),
            (fit(recipe.name, name - 2), "plain"),
            (" ", "plain"),
            (fit(f"→ {does}", width - name), "quiet"),
        ]


class RecipeDialog(Dialog[Recipe | None]):
    """Closes with the chosen recipe, None if it was left."""

    BINDINGS = command_table.bindings(names.RECIPES)

    def compose(self) -> ComposeResult:
        with Vertical(id="recipes", classes="dialog"):
            yield RecipeList(id="recipe-list")
            yield Static(id="message")

    def on_mount(self) -> None:
        box = self.query_one("#recipes")
        box.border_title = Content(wording.RECIPES)
        box.border_subtitle = Content(command_table.dialog_keys(names.RECIPES))
        self.list = self.query_one(RecipeList)
        self.list.refill(len(RECIPES), 0, keep_place=False)
        self.list.focus()

    def on_cursor_moved(self, message: CursorMoved) -> None:
        recipe = RECIPES[self.list.cursor]
        self.show_message(wording.recipe(recipe.when, recipe.note))

    def on_opened(self, message: Opened) -> None:
        self.action_choose()

    def action_choose(self) -> None:
        self.dismiss(RECIPES[self.list.cursor])

    def action_cancel(self) -> None:
        self.dismiss(None)
