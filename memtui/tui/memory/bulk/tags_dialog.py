"""The dialog that adds and removes tags and changes the category of several memories (S-8)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from textual.containers import Horizontal
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static

from memtui.memory.tagging import retagged, typed_tags
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.safe_input import SafeInput
from memtui.tui.memory.bulk import wording
from memtui.tui.memory.bulk.verb_dialog import Job, VerbDialog
from memtui.tui.text.text_layout import one_line
from memtui.tui.workers.guarded import worker
from memtui.values import FieldValue

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace

TAGS, CATEGORY = "tags", "category"
OFFERED = 8  # values that are shown


class TagsDialog(VerbDialog):
    """Takes `+tag -tag` and a category; offers what is in use, or what the formats allow, and shows how many
    memories of which store would change."""

    BINDINGS = command_table.bindings(names.TAGS)
    NAME = "retag"

    def __init__(self, workspace: Workspace, ids: Sequence[int]) -> None:
        super().__init__(workspace, "edit", ids)
        self._allowed: dict[str, tuple[str, ...]] = {}  # by store, the only categories of its format
        self._stores: list[str] = []  # those of the memories, whatever is typed
        self._offers: list[str] = []
        self._offered_for: tuple[str, str] | None = None  # the field and the text that the offers are for

    def inputs(self) -> Sequence[Widget]:
        fields = ((TAGS, wording.TAGS_PLACEHOLDER), (CATEGORY, wording.CATEGORY_PLACEHOLDER))
        self._inputs = {
            name: SafeInput(id=name, compact=True, select_on_focus=False, placeholder=placeholder)
            for name, placeholder in fields
        }
        lines = [
            Horizontal(Static(Content(name.capitalize()), classes="name"), input, classes="field")
            for name, input in self._inputs.items()
        ]
        return [*lines, Static(id="offers")]

    def on_mount(self) -> None:
        super().on_mount()
        self._inputs[TAGS].focus()
        self._read_allowed()

    def set_titles(self) -> None:
        box = self.query_one(".dialog")
        box.border_title = Content(wording.tags_title(len(self.ids)))
        box.border_subtitle = Content(wording.tags_keys(command_table.key_of("tags.complete")))

    @worker(wording.VALUES_NOT_READ, group="allowed")
    async def _read_allowed(self) -> None:
        targets = await self.app.lanes.read(self._workspace.add_targets)
        self._allowed = {each.store: each.categories for each in targets if each.categories}

    # What is typed

    @property
    def fields(self) -> Mapping[str, FieldValue]:
        category = self._inputs[CATEGORY].value.strip()
        return {"category": category} if category else {}

    @property
    def retag(self) -> Callable[[tuple[str, ...]], tuple[str, ...]] | None:
        given = typed_tags(self._inputs[TAGS].value)
        return partial(retagged, given) if given else None

    def on_input_changed(self, event: Input.Changed) -> None:
        self.load()
        self._offer()

    def on_descendant_focus(self) -> None:
        self._offer()

    def previewed(self) -> None:
        self._stores = [each.store for each in self.previews or ()]
        if not self.fields and self.retag is None:
            self.query_one("#preview", Static).update(Content(""))
            self.show_message(wording.NOTHING_TYPED)
        else:
            self.show_message("" if self.possible else self.why_nothing())

    # What is offered

    def _focused(self) -> str:
        return next((name for name, input in self._inputs.items() if input.has_focus), "")

    def _begun(self, name: str) -> str:
        """Return the value that is being typed: the category, or the last tag without its sign."""
        text = self._inputs[name].value
        if name == CATEGORY:
            return text.strip()
        last = text.rpartition(",")[2].strip() if "," in text else text.rpartition(" ")[2]
        return last.lstrip("+-")

    @worker(wording.VALUES_NOT_READ, group="offers")
    async def _offer(self) -> None:
        """Show values that begin with what is typed."""
        name = self._focused()
        if not name:
            return
        begun = self._begun(name)
        allowed = self._categories() if name == CATEGORY else []
        if allowed:
            values = [value for value in allowed if value.casefold().startswith(begun.casefold())]
        else:
            filter = "tag" if name == TAGS else CATEGORY
            values = [value for value, _ in await self.app.lanes.read(self._workspace.values, filter, begun)]
        self._offers, self._offered_for = values, (name, begun)
        shown = [one_line(value, 30) for value in values[:OFFERED]]
        text = (wording.allowed(shown) if allowed else wording.in_use(shown)) if shown else ""
        self.query_one("#offers", Static).update(Content(text))

    def _categories(self) -> list[str]:
        """Return the categories that the formats of all of these memories allow; none if any would do."""
        restricted = [self._allowed[store] for store in self._stores if store in self._allowed]
        return (
            [value for value in restricted[0] if all(value in each for each in restricted)]
            if restricted
            else []
        )

    # Keys

    def action_complete(self) -> None:
        """Complete the value that is being typed; without one, go to the next field."""
        name = self._focused()
        if name and (begun := self._begun(name)) and self._offered_for == (name, begun):
            value = next((each for each in self._offers if each != begun), "")
            if value and begun not in self._offers:
                input = self._inputs[name]
                rest = input.value[: len(input.value.rstrip()) - len(begun)]
                input.value = _with_tag(rest, value) if name == TAGS else rest + value
                input.cursor_position = len(input.value)
                return
        self.focus_next()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.action_go()

    def job(self) -> Job | None:
        fields, retag = self.fields, self.retag
        if not fields and retag is None:
            self.show_message(wording.NOTHING_TYPED)
            return None
        work, ids = self._workspace, self.ids
        return Job("edit", ids, lambda control: work.edit(ids, fields, retag=retag, control=control))


def _with_tag(before: str, tag: str) -> str:
    """Complete the input with a tag. `before` is what is typed so far, with the tag's sign at the end. A tag
    of several words is set off by commas.

    >>> _with_tag("+new -", "two words"), _with_tag("+new -", "old")
    ('+new, -two words, ', '+new -old')
    """
    if " " not in tag or "," in before:
        return before + tag
    words = before.split()
    sign = words.pop() if words and words[-1] in "+-" else ""
    return "".join(f"{word}, " for word in [*words, sign + tag])
