"""The top line: the screens' tabs on the left, the workspace and its counts on the right."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.widget import Widget

from memtui.memory.contradictions.pairs import CONTRADICTION, DUPLICATE
from memtui.memory.contradictions.queue import QueueCounts
from memtui.text import safe_text
from memtui.tui.command_table import TABS
from memtui.tui.commands.names import INBOX
from memtui.tui.common import wording
from memtui.tui.text.glyphs import counted, grouped

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp


class Header(Widget):
    """Tabs, the workspace's name, its counts, and how many memories are new.

    The counts are shown nowhere else."""

    app: MemtuiApp

    def __init__(self, mode: str) -> None:
        super().__init__()
        self.mode = mode
        self.tabs: dict[str, tuple[int, int]] = {}
        """For each mode the first column of its tab, and the column behind it."""
        self._news_column = 0

    def on_mount(self) -> None:
        for name in (
            "workspace_name",
            "counts",
            "news",
            "news_changed",
            "news_removed",
            "read_only",
            "review",
            "inbox",
        ):
            self.watch(self.app, name, self._redraw)

    def _redraw(self) -> None:
        self.refresh()

    def render(self) -> Content:
        left = self._render_tabs()
        room = max(0, self.size.width - left.cell_length)
        variants = list(self._variants())
        right = next((each for each in variants if each.content.cell_length <= room), variants[-1])
        content = right.content.truncate(room, ellipsis=True)
        self._news_column = self.size.width - content.cell_length + right.news_at
        return Content.assemble(left, " " * max(0, room - content.cell_length), content)

    def _render_tabs(self) -> Content:
        """Return the tabs; in narrow windows two tabs share the blank, or the bracket, between them."""
        wide, narrow = self.size.width >= 140, self.size.width < 100
        left: list[tuple[str, str]] = [(" memtui ", "bold"), (" ", "")] if wide else []
        column, before = sum(len(text) for text, _ in left), False
        for digit, name, mode in TABS:
            label = f"{digit}{name}" if narrow else f"{digit} {name}"
            if mode == INBOX and self.app.inbox is not None and self.app.inbox.total:
                label += f" {grouped(self.app.inbox.total)}"
            is_here = mode == self.mode
            style = "bold $accent" if is_here else "$quiet"
            if narrow:
                parts = [
                    (
                        "[" if is_here else "]" if before else " ",
                        style if is_here or not before else "bold $accent",
                    ),
                    (label, style),
                ]
            else:
                parts = [(f"[{label}]" if is_here else f" {label} ", style)] + ([(" ", "")] if wide else [])
            left += parts
            self.tabs[mode] = (column, column + len(label) + 2)
            column, before = column + sum(len(text) for text, _ in parts), is_here
        if narrow:
            left.append(("]" if before else " ", "bold $accent"))
        return Content.assemble(*left)

    def _variants(self) -> Iterator[_Summary]:
        """The right side, shorter each time."""
        yield self._summary(nouns=2)
        yield self._summary(nouns=1)
        yield self._summary(nouns=1, memories=False)
        yield self._summary()
        yield self._summary(memories=False)
        yield self._summary(memories=False, name_limit=8)
        yield self._summary(memories=False, name_limit=8, short_news=True)
        yield self._summary(minimal=True, name_limit=8, short_news=True)
        yield self._summary(minimal=True, name_limit=0, short_news=True)
        yield self._summary(minimal=True, name_limit=0, news_kinds=False)

    def _summary(
        self,
        *,
        nouns: int = 0,
        memories: bool = True,
        name_limit: int = 20,
        minimal: bool = False,
        short_news: bool = False,
        news_kinds: bool = True,
    ) -> _Summary:
        """Return the workspace's name, its counts, and how many memories are new.

        `nouns` is how many of the two counts, pairs first, have their noun; `memories` includes the number of
        memories; `name_limit` is the longest name in characters, 0 for no name; `minimal` leaves the
        counts out, `short_news` the words for what was changed or removed, and without `news_kinds` all of
        them are one number.
        """
        app = self.app
        parts: list[tuple[str, str]] = []
        if (name := app.workspace_name) and name_limit:
            limit = 40 if self.size.width >= 100 and not short_news else name_limit
            parts.append((safe_text(name, one_line=True, limit=limit), "$foreground"))
        if app.read_only:
            parts.append((" · read-only", "$warning"))
        counts = app.counts
        if counts and memories and not minimal:
            number = counted(counts.live, "memory") if nouns > 1 else grouped(counts.live)
            parts.append((f" · {number}", "$quiet"))
        review = app.review
        if review and review.open and not minimal:
            parts.append((f" · {_pairs(review, nouns=nouns > 0)}", "$quiet"))
            if review.escalated:
                parts.append((f" ! {grouped(review.escalated)}", "$warning"))
        between = " · " if parts else " "
        news_at = sum(cell_len(text) for text, _ in parts) + len(between)
        if news := app.news:
            key = app.key("search.reload")
            changed, removed = app.news_changed, app.news_removed
            kinds = wording.news(news - changed - removed, changed, removed, short=short_news)
            parts += [
                (between, "$quiet"),
                (kinds if news_kinds else wording.all_news(news), "$accent"),
                (f"  {key}", "bold $accent"),
            ]
        return _Summary(Content.assemble(*parts, (" ", "")), news_at)

    async def on_click(self, event: events.Click) -> None:
        """Open a tab's screen, or load what is new."""
        if event.x >= self._news_column:
            await self.app.run_command("search.reload")
        for mode, (start, end) in self.tabs.items():
            if start <= event.x < end:
                self.app.switch_mode(mode)


class _Summary(NamedTuple):
    """The right side of the header, and the column in it where the number of new memories begins."""

    content: Content
    news_at: int


def _pairs(queue: QueueCounts, *, nouns: bool) -> str:
    """12 contradictions · 5 duplicates; or ≠12 ≈5."""
    kinds = (queue.contradictions, CONTRADICTION, "≠"), (queue.duplicates, DUPLICATE, "≈")
    texts = [
        counted(number, noun) if nouns else f"{glyph}{grouped(number)}"
        for number, noun, glyph in kinds
        if number
    ]
    return (" · " if nouns else " ").join(texts)
