"""A dialog that searches memories or relation kinds while the user types, and lets one be chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from textual.widgets import Input

from memtui.memory.graph.model import Node
from memtui.memory.relations import RelationOption
from memtui.tui.common import wording
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.safe_input import SafeInput
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.messages import Opened
from memtui.tui.text.glyphs import fit
from memtui.tui.text.text_layout import one_line

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace

T = TypeVar("T")


class ChoiceList(VirtualList):
    """The memories or relation kinds to choose from; the input moves the cursor."""

    can_focus = False

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.choices: list[Node] | list[RelationOption] = []

    @property
    def highlighted(self) -> Node | RelationOption | None:
        """The choice under the cursor."""
        return self.choices[self.cursor] if self.cursor < len(self.choices) else None

    @property
    def cursor_active(self) -> bool:
        return True

    def show(self, choices: list[Node] | list[RelationOption]) -> None:
        """Replace the choices."""
        self.choices = choices
        self.refill(len(choices), 0, keep_place=False)

    def parts(self, index: int, width: int) -> list[Part]:
        choice = self.choices[index]
        if isinstance(choice, Node):
            place = wording.node_place(choice.count, one_line(choice.store))
            store = fit(place, min(36, max(1, width // 2)), right=True)
            return [(" ", "plain"), (fit(one_line(choice.label), max(1, width - len(store) - 3)), "plain"),
                    ("  ", "plain"), (store, "quiet")]  # fmt: skip
        kind = fit(one_line(choice.kind), min(20, width))
        text = wording.RELATION_EXISTS if choice.exists else one_line(choice.text)
        return [(" ", "plain"), (kind, "accent" if choice.exists else "plain"), ("  ", "plain"),
                (fit(text, max(1, width - 24)), "quiet")]  # fmt: skip


class ChooserDialog(Dialog[T]):
    """An input above a list of choices; the list's keys work while the input has the focus."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self.workspace = workspace
        self._loaded_for: str | None = None  # the text that the choices belong to; None until they are loaded
        self._submitted = False  # ⏎ was pressed before the choices for the text were loaded

    @property
    def choices(self) -> ChoiceList:
        """The list of choices."""
        return self.query_one(ChoiceList)

    @property
    def input(self) -> SafeInput:
        """The input above the list."""
        return self.query_one(SafeInput)

    async def load_nodes(self, *, exclude: int | None = None) -> None:
        """List the nodes that match the input, without that of memory `exclude`. Raise QueryError."""
        text = self.input.value.strip()
        found = await self.app.lanes.read(lambda: self.workspace.nodes(text, but=exclude))
        self.choices.empty_lines = [(wording.NO_MEMORY_FOUND, "quiet")]
        self.choices.show(found)

    def load(self) -> object:
        """Load the choices for the input, then call `choices_loaded`."""
        raise NotImplementedError

    def choose(self) -> None:
        """Accept the highlighted choice."""
        raise NotImplementedError

    def reload(self) -> None:
        """Load other choices; those on the screen cannot be chosen any more."""
        self._loaded_for, self._submitted = None, False
        self.load()

    def choices_loaded(self, text: str) -> None:
        """Note that the choices belong to `text`, and carry out a ⏎ that came before them."""
        self._loaded_for = text
        if self._submitted and text == self.input.value.strip():
            self._submitted = False
            self.choose()

    def _submit(self) -> None:
        if self._loaded_for == self.input.value.strip():
            self.choose()
        else:
            self._submitted = True

    def on_input_changed(self, event: Input.Changed) -> None:
        self._submitted = False
        self.load()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self._submit()

    def on_opened(self, message: Opened) -> None:
        self._submit()

    def action_up(self) -> None:
        self.choices.action_up()

    def action_down(self) -> None:
        self.choices.action_down()
