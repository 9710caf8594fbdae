"""Browse: search, the list of memories, and one of them in full."""

from __future__ import annotations

from array import array
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from textual.containers import Container
from textual.content import Content
from textual.widget import Widget

from memtui.errors import QueryError, Refused
from memtui.memory.records import Change, Detail, Hits, Purged, Row
from memtui.text import is_clean
from memtui.tui import commands
from memtui.tui.messages import MarksChanged, Opened, QueryChanged, SearchLeft
from memtui.tui.news import HEALTH
from memtui.tui.screens.base import BaseScreen
from memtui.tui.widgets.glyphs import counted, grouped
from memtui.tui.widgets.line_list import Part
from memtui.tui.widgets.memory_list import MemoryList
from memtui.tui.widgets.memory_view import MemoryView
from memtui.tui.widgets.search_bar import SearchBar
from memtui.tui.worker import in_words, worker

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace

SORTS = {
    "": "best match first",
    "newest": "newest first",
    "oldest": "oldest first",
    "confidence": "surest first",
    "used": "most used first",
    "title": "by title",
    "store": "by store",
}


LARGE = 20_000  # memories from which a list is not read anew after each change
MANY = 100  # memories from which a change says that it is under way
BUSY = {"pin": "Pinning", "confirm": "Confirming", "dismiss": "Dismissing", "restore": "Restoring"}


class BrowseScreen(BaseScreen):
    """See, search and correct what the agents remember (S-8, S-9, S-31, S-50)."""

    MODE = commands.BROWSE
    BINDINGS = commands.bindings(commands.BROWSE)

    def __init__(self) -> None:
        super().__init__()
        self._sort = ""
        self._searched = ""
        self._total = 0
        self._hidden_marks = 0
        self._stale: set[int] | None = set()
        self._wanted: int | None = None
        self._partial = False  # the rest of the list is still being read
        self._how = ""

    def body(self) -> Iterable[Widget]:
        yield SearchBar()
        yield Container(
            MemoryList(self._fetch, self.app.clock, id="list"),
            MemoryView(self.app.clock, id="detail"),
            id="panes",
        )

    def on_mount(self) -> None:
        super().on_mount()
        self.memories = self.query_one(MemoryList)
        self.view = self.query_one(MemoryView)
        self.bar = self.query_one(SearchBar)
        self.memories.empty = self.waiting()
        self.retitle()
        self.memories.focus()
        self.watch(self.app, "workspace", self._opened, init=False)
        self.watch(self.app, "failure", self._failed, init=False)

    def _opened(self) -> None:
        self.app.greet()
        self.load()

    def search_for(self, query: str, id: int | None = None) -> None:
        """Show a search, with the cursor on one memory if it is found."""
        self.set_full(False)
        self.on_resize()
        self._wanted = id
        self.bar.input.value = query
        self.memories.focus()
        self.load()

    def _failed(self) -> None:
        self.memories.empty = self.waiting()
        self.memories.refresh()

    def on_resize(self) -> None:
        self.view.fold(self.size.width < 100 and not self.has_class("full"))

    # What is shown

    async def _fetch(self, ids: list[int]) -> list[Row]:
        workspace = self.app.workspace
        return await self.ask(workspace.rows, ids) if workspace is not None else []

    @worker("The memories could not be searched", group="search")
    async def load(self) -> None:
        """Search for what the bar says; the same search again keeps cursor, scroll and marks."""
        workspace = self.app.workspace
        if workspace is None:
            return
        parts = workspace.listing(self.bar.input.value, live=True, sort=self._sort)
        try:
            await self._load(workspace, parts)
        finally:
            # Where it was begun: a read that nobody wants any more must not stay open.
            self.app.lane.tell(parts.close)

    async def _load(self, workspace: Workspace, parts: Generator[Hits]) -> None:
        text, same = self.bar.input.value, self.bar.input.value == self._searched
        old = (self.memories.ids, self.memories.cursor) if same else ((), 0)
        marks, changed = self.memories.marks, self._stale
        try:
            if changed and len(old[0]) > LARGE and not self._partial:
                found = await self.ask(_patched, workspace, text, old, marks, changed, self._how)
            elif len(old[0]):
                # While there is news, only `r` brings it into the list.
                only = changed if self.app.news else None
                found = await self.ask(_look_up, workspace, text, self._sort, old, marks, only)
            else:
                found = await self.ask(_begun, parts, marks)
        except QueryError as fault:
            self.bar.show_fault(fault.start, fault.end)
            self.app.say_refused(fault)
            return
        except Exception:
            self.memories.empty = self.unread("The list")
            self.memories.refresh()
            raise
        hits, cursor, hidden = found
        if self.app.status.tone == "wrong" and text != self._searched:
            self.app.say("")
        self._searched, self._total, self._hidden_marks = text, hits.total, hidden
        self._partial, self._how = hits.more, hits.how
        self.memories.store_names = self.app.store_names
        self.memories.empty = self._nothing(text)
        self.memories.show(hits.ids, cursor, keep_place=same, stale=self._stale)
        self._stale = set()
        if self._wanted is not None and self._wanted in hits.ids:
            self.memories.move_to(hits.ids.index(self._wanted))
        self._wanted = None
        self._tell_found(hits)
        self.retitle()
        await self._take_rest(parts, hits)

    async def _take_rest(self, parts: Iterator[Hits], hits: Hits) -> None:
        """A long list is shown by its first lines; the others follow, and other reads come in between."""
        whole = array("q", hits.ids)
        while hits.more:
            hits = await self.ask(next, parts)
            whole.extend(hits.ids)
            self._total = hits.total
            if not hits.more:
                self._partial = False
                if self.memories.marks:
                    self._hidden_marks = len(self.memories.marks.difference(whole))
                self.memories.extend(whole)
                self._tell_found(hits)
                self.retitle()

    def _nothing(self, text: str) -> list[Part]:
        """What would stand here, and which key makes it."""
        if text.strip():
            return [
                (f"Nothing matches “{text.strip()}”.", "plain"),
                ("Only live memories are searched; status:dismissed looks among the others.", "quiet"),
                ("", "plain"),
                (f"{self.app.key('screen.back')}  clear the search", "quiet"),
            ]
        return [
            ("No memories yet.", "plain"),
            ("What your agents remember will stand here.", "quiet"),
            ("", "plain"),
            (f"{self.app.key('memory.add')}  write the first one", "plain"),
            (f"{self.app.key('screen.stores')}  attach the store of an agent", "plain"),
        ]

    def _tell_found(self, hits: Hits) -> None:
        counts = self.app.counts
        total = f"{grouped(hits.total)}{'+' if hits.capped or hits.more else ''}"
        of = (
            f" of {grouped(counts.live)}"
            if counts and self._searched.strip() and counts.live >= hits.total
            else ""
        )
        order = SORTS[self._sort] if self._sort or self._searched.strip() else ""
        told = not order or order in hits.how
        self.bar.show_found(f"{hits.how} · {total}{of}", "live" if told else f"live · {order}")

    def retitle(self) -> None:
        count, marks = self.memories.count, len(self.memories.marks)
        place = f"{grouped(self.memories.cursor + 1)} of {grouped(count)}" if count else ""
        if self._total > count:
            place += f", {grouped(self._total)} in all"
        marked = f"{grouped(marks)} marked" if marks else ""
        if marks and self._hidden_marks:
            marked += f", {grouped(self._hidden_marks)} not in this search"
        self.memories.title("Memories", Content(" · ".join(part for part in (place, marked) if part)))

    @worker("The memory could not be read", group="detail")
    async def load_text(self) -> None:
        """Read the highlighted memory."""
        id, workspace = self.memories.highlighted, self.app.workspace
        detail: Detail | None = None
        if id is not None and workspace is not None:
            try:
                detail = await self.ask(workspace.detail, id)
            except Exception:
                # What stands there belongs to another memory.
                self.view.show_detail(None)
                raise
        self.view.show_detail(detail)

    # News

    def on_change(self, change: Change) -> None:
        if change.kind == HEALTH:
            return
        if not change.ids:
            self._stale = None
        elif self._stale is not None:
            self._stale |= set(change.ids)
        if change.kind in ("dismissed", "restored") and self.memories.marks & set(change.ids):
            # They left this list: the next key must not act on what is out of sight.
            self.memories.mark(self.memories.marks - set(change.ids))
        self.load()
        self.load_text()

    def on_query_changed(self, message: QueryChanged) -> None:
        if message.text != self._searched or self.app.status.tone == "wrong":
            self.load()

    def on_search_left(self, message: SearchLeft) -> None:
        self.memories.focus()

    def on_marks_changed(self, message: MarksChanged) -> None:
        self.retitle()

    def on_opened(self, message: Opened) -> None:
        self.action_open()

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """`/` is a letter where one types."""
        return not (action == "search" and self.bar.input.has_focus)

    def action_search(self) -> None:
        self.set_full(False)
        self.set_focus(self.bar.input)

    def action_sort(self) -> None:
        if not self.app.ready():
            return
        names = list(SORTS)
        self._sort = names[(names.index(self._sort) + 1) % len(names)]
        self.app.say(f"Sorted {SORTS[self._sort]}.")
        self.load()

    def action_open(self) -> None:
        if self.memories.highlighted is None:
            self.app.say("Nothing to open: the list is empty.")
            return
        self.set_full(True)
        self.view.fold(False)
        self.load_text()
        self.view.focus()

    def action_back(self) -> None:
        """One step: out of full screen, out of the search, marks, query."""
        if self.has_class("full"):
            self.set_full(False)
            self.on_resize()
            self.memories.focus()
        elif self.bar.input.has_focus and self.bar.input.value == self._searched:
            self.memories.focus()
        elif self.memories.marks and not self.bar.input.has_focus:
            self._hidden_marks = 0
            self.memories.mark(set())
        elif self.bar.input.value:
            self.bar.clear()
        else:
            self.memories.focus()

    def action_mark(self) -> None:
        if self.memories.highlighted is None:
            self.app.say("Nothing to mark: the list is empty.")
        else:
            self.memories.toggle_mark()

    def action_mark_all(self) -> None:
        all_ids = set(self.memories.ids)
        if not all_ids:
            self.app.say("Nothing to mark: the list is empty.")
            return
        none = all_ids <= self.memories.marks
        self._hidden_marks = 0
        self.memories.mark(set() if none else all_ids)
        self.app.say("No memory is marked." if none else f"{counted(len(all_ids), 'memory')} marked.")

    def action_pin(self) -> None:
        self._do("pin")

    def action_confirm(self) -> None:
        self._do("confirm")

    def action_reject(self) -> None:
        self._do("dismiss")

    def action_restore(self) -> None:
        self._do("restore")

    def _do(self, action: str) -> None:
        """A verb on the marked memories, else on the highlighted one; or why it cannot be done."""
        workspace = self.app.ready()
        if workspace is None:
            return
        ids, id = sorted(self.memories.marks), self.memories.highlighted
        if not ids:
            if id is None:
                self.app.say(f"Nothing to {action}: the list is empty.")
                return
            if reason := self._blocked(action, id):
                self.app.say(reason, tone="wrong")
                return
            ids = [id]
            if action == "dismiss":
                # At once, so that d d d takes three; the dismissed line leaves when the store has it.
                self.memories.action_down()
        verb = {"confirm": workspace.confirm, "dismiss": workspace.dismiss, "restore": workspace.restore}.get(
            action
        )
        if len(ids) > MANY:
            self.app.say(f"{BUSY[action]} {counted(len(ids), 'memory')} …")
        self.app.change(verb or (lambda: _pin_or_unpin(workspace, ids)), *([ids] if verb else []))

    def _blocked(self, action: str, id: int) -> str:
        """Why a key cannot work on the highlighted memory, as far as is known."""
        detail = self.view.detail
        if detail is None or detail.id != id:
            return ""
        if action == "pin" and detail.memory.pinned:
            action = "unpin"
        return detail.blocked.get(action, "")

    def why_not(self, id: str) -> str:
        action = {"memory.edit_outside": "edit", "memory.purge": ""}.get(id, id.removeprefix("memory."))
        if self.app.workspace is None:
            return "no workspace is open"
        if not id.startswith("memory.") or id == "memory.add":
            return ""
        highlighted = self.memories.highlighted
        if highlighted is None:
            return "the list is empty"
        return "" if self.memories.marks and action != "edit" else self._blocked(action, highlighted)

    def action_edit(self) -> None:
        self._edit()

    def action_edit_outside(self) -> None:
        self._edit_outside()

    def action_purge(self) -> None:
        workspace, id = self.app.ready(), self.memories.highlighted
        if workspace is None:
            return
        ids = sorted(self.memories.marks) or ([id] if id is not None else [])
        if not ids:
            self.app.say("Nothing to purge: the list is empty.")
            return
        from memtui.tui.dialogs.purge import PurgeDialog

        self.app.push_screen(PurgeDialog(workspace, ids), partial(self._purged, ids))

    async def _purged(self, ids: list[int], purged: Purged | None) -> None:
        if purged is not None:
            left = len(purged.backups)
            held = f"{counted(left, 'backup')} still hold{'s' if left == 1 else ''} the text." if left else ""
            change = Change("dismissed", tuple(ids), purged.summary)
            await self.app.announce(change, hint=" ".join((held, *purged.notes)).strip())

    def action_add(self) -> None:
        from memtui.tui.dialogs.edit import EditDialog

        if workspace := self.app.ready():
            draft, self.app.draft = self.app.draft, {}
            self.app.push_screen(EditDialog(workspace, None, draft), self._edited)

    @worker("The memory could not be read", group="edit")
    async def _edit(self) -> None:
        if held := await self._to_edit():
            from memtui.tui.dialogs.edit import EditDialog

            self.app.push_screen(EditDialog(*held), self._edited)

    async def _to_edit(self) -> tuple[Workspace, Detail] | None:
        """The highlighted memory as it stands now, or a word about why it cannot be edited."""
        workspace, id = self.app.ready(), self.memories.highlighted
        if workspace is None:
            return None
        if id is None:
            self.app.say(f"Nothing to edit: the list is empty. {self.app.key('memory.add')} adds a memory.")
            return None
        detail = await self.ask(workspace.detail, id)
        if detail is None:
            self.app.say("This memory is gone from the workspace.", tone="wrong")
        elif reason := detail.blocked.get("edit"):
            self.app.say(reason, tone="wrong")
        else:
            return workspace, detail
        return None

    @worker("Not saved", group="edit")
    async def _edit_outside(self) -> None:
        """In the person's own editor; what cannot be saved goes on in ours (S-6, S-8)."""
        held = await self._to_edit()
        if held is None:
            return
        workspace, detail = held
        before = detail.memory.content
        if not is_clean(before):
            edit = self.app.key("memory.edit")
            self.app.say("This text holds characters that an editor could act on.", hint=f"{edit} cleans it.")
            return
        after = self._in_editor(before)
        if after == before:
            self.app.say("Nothing was changed.")
            return
        fields, seen = {"content": after}, {"content": before}
        try:
            if not is_clean(after):
                raise Refused("odd", "Not saved: it holds odd characters now.", "ctrl+l takes them out.")
            change = await self.app.lane.change(partial(workspace.edit, [detail.id], fields, seen=seen))
        except Exception as error:  # whatever it was: what was written is kept
            from memtui.tui.dialogs.edit import EditDialog

            dialog = EditDialog(workspace, detail, fields)
            await self.app.push_screen(dialog, self._edited)
            dialog.tell(f"{in_words(error)} Your text is here.")
        else:
            await self.app.announce(change)

    def _in_editor(self, text: str) -> str:
        """Gives the terminal away until the editor ends."""
        from textual.app import SuspendNotSupported

        from memtui.tui.editor import edited, editor_command

        command = editor_command(self.app.settings.editor)
        refused: Refused | None = None
        after = text
        try:
            # Nothing may be raised inside: the screen would never come back.
            with self.app.suspend():
                try:
                    after = edited(command, text)
                except Refused as refusal:
                    refused = refusal
                except OSError as trouble:
                    refused = Refused("editor", f"The editor could not be used: {trouble.strerror}.")
        except SuspendNotSupported:
            raise Refused("editor", "No editor can be opened here.") from None
        if refused is not None:
            raise refused
        return after

    async def _edited(self, change: Change | None) -> None:
        if change is not None:
            await self.app.announce(change)

    @worker("Nothing was copied", group="copy")
    async def action_copy(self) -> None:
        workspace, id = self.app.ready(), self.memories.highlighted
        if workspace is None:
            return
        wanted = [id for id in self.memories.ids if id in self.memories.marks] or (
            [id] if id is not None else []
        )
        if not wanted:
            self.app.say("Nothing to copy: the list is empty.")
            return
        details = await self.ask(lambda: [workspace.detail(one) for one in wanted])
        texts = [detail.memory.content or detail.memory.title or "" for detail in details if detail]
        where = await self.app.copy("\n\n".join(texts))
        self.app.say(f"Copied {counted(len(texts), 'memory')} to {where}.", tone="done")


def _pin_or_unpin(workspace: Workspace, ids: list[int]) -> Change:
    """Unpin if all are pinned, else pin; decided where the truth is, in the writing lane."""
    return workspace.unpin(ids) if all(row.pinned for row in workspace.rows(ids)) else workspace.pin(ids)


def _look_up(
    workspace: Workspace,
    text: str,
    sort: str,
    old: tuple[Sequence[int], int],
    marks: set[int],
    only: set[int] | None,
) -> tuple[Hits, int, int]:
    """In the lane: hits, where the cursor goes, and how many marked ones are not among them.

    With `only` nothing enters the list that was not in it before, but those.
    """
    hits = workspace.search(text, live=True, sort=sort)
    ids = hits.ids
    before, cursor = old
    if only is not None:
        known = set(before) | only
        ids = array("q", (id for id in ids if id in known))
        hits = Hits(ids, len(ids), hits.how, hits.capped)
    hidden = len(marks.difference(ids)) if marks else 0
    return hits, place_of(before, cursor, ids), hidden


def _begun(parts: Iterator[Hits], marks: set[int]) -> tuple[Hits, int, int]:
    """In the lane: the first part of a list, however long it is."""
    hits = next(parts)
    return hits, 0, len(marks.difference(hits.ids)) if marks and not hits.more else 0


def _patched(
    workspace: Workspace,
    text: str,
    old: tuple[Sequence[int], int],
    marks: set[int],
    changed: set[int],
    how: str,
) -> tuple[Hits, int, int]:
    """In the lane: a long list after a change, without reading it anew: what matches no more leaves,
    what came to match stands at the top."""
    before, cursor = old
    match = workspace.matching(text, sorted(changed))
    ids = array("q", before)
    for id in changed - match:
        with suppress(ValueError):
            ids.remove(id)
    fresh = [id for id in sorted(match, reverse=True) if id not in ids]
    ids = array("q", fresh) + ids
    hidden = len(marks.difference(ids)) if marks else 0
    return Hits(ids, len(ids), how), place_of(before, cursor, ids), hidden


def place_of(before: Sequence[int], cursor: int, after: Sequence[int]) -> int:
    """Where the highlighted id is now; if it left, the next one that stayed, else the one before."""
    if not before or cursor >= len(before):
        return 0
    try:
        return after.index(before[cursor])
    except ValueError:
        places = {id: place for place, id in enumerate(after)}
    for id in (*before[cursor + 1 :], *reversed(before[:cursor])):
        if id in places:
            return places[id]
    return 0
