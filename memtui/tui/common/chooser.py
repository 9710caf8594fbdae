"""What a dialog offers while one types: memories, or kinds of relations."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from textual.widgets import Input

from memtui.memory.graph.model import Node
from memtui.memory.records import Tying
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.safe_input import SafeInput
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.messages import Opened
from memtui.tui.text.glyphs import counted, fit
from memtui.tui.text.text_layout import one

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace

T = TypeVar("T")


class ChoiceList(VirtualList):
    """What can be chosen now: memories, or kinds of relation; the cursor is moved from the input."""

    can_focus = False

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.choices: list[Node] | list[Tying] = []

    @property
    def chosen(self) -> Node | Tying | None:
        """What is under the cursor."""
        return self.choices[self.cursor] if self.cursor < len(self.choices) else None

    @property
    def lit(self) -> bool:
        return True

    def show(self, choices: list[Node] | list[Tying]) -> None:
        """Other lines now."""
        self.choices = choices
        self.refill(len(choices), 0, keep_place=False)

    def parts(self, index: int, width: int) -> list[Part]:
        each = self.choices[index]
        if isinstance(each, Node):
            stands = (
                one(each.store) if each.count == 1 else f"{counted(each.count, 'memory')} · {one(each.store)}"
            )
            store = fit(stands, min(36, max(1, width // 2)), right=True)
            return [(" ", "plain"), (fit(one(each.label), max(1, width - len(store) - 3)), "plain"),
                    ("  ", "plain"), (store, "quiet")]  # fmt: skip
        kind = fit(one(each.kind), min(20, width))
        words = "stands already: ⏎ takes it away" if each.there else one(each.words)
        return [(" ", "plain"), (kind, "accent" if each.there else "plain"), ("  ", "plain"),
                (fit(words, max(1, width - 24)), "quiet")]  # fmt: skip


class ChoosingDialog(Dialog[T]):
    """A line to type in, and below it what can be chosen; the keys of the list work from the line."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self.work = workspace
        self._offered: object = None  # what was typed for what is offered; None while nothing is
        self._chosen = False  # ⏎ was pressed before what goes with the text was there

    @property
    def choices(self) -> ChoiceList:
        """What is offered."""
        return self.query_one(ChoiceList)

    @property
    def typed(self) -> SafeInput:
        """The line."""
        return self.query_one(SafeInput)

    async def offer(self, *, but: int | None = None) -> None:
        """The nodes that are found by what is typed; not that of the memory `but`. Raises QueryError."""
        text = self.typed.value.strip()
        found = await self.app.lane.ask(lambda: self.work.nodes(text, but=but))
        self.choices.empty = [("No memory is found by these words.", "quiet")]
        self.choices.show(found)

    def load(self) -> object:
        """Offer what goes with what is typed, and then say so (`offered`)."""
        raise NotImplementedError

    def choose(self) -> None:
        """What is highlighted is it."""
        raise NotImplementedError

    def renew(self) -> None:
        """Other offers are wanted; what is shown until then is not to be taken."""
        self._offered, self._chosen = None, False
        self.load()

    def offered(self, text: str) -> None:
        """What is offered goes with this text; a ⏎ that came before it holds now."""
        self._offered = text
        if self._chosen and text == self.typed.value.strip():
            self._chosen = False
            self.choose()

    def _wanted(self) -> None:
        if self._offered == self.typed.value.strip():
            self.choose()
        else:
            self._chosen = True

    def on_input_changed(self, event: Input.Changed) -> None:
        self._chosen = False
        self.load()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self._wanted()

    def on_opened(self, message: Opened) -> None:
        self._wanted()

    def action_up(self) -> None:
        self.choices.action_up()

    def action_down(self) -> None:
        self.choices.action_down()
