"""The top line: the screens' tabs on the left, the workspace and its counts on the right."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.widget import Widget

from memtui.memory.contradictions.pairs import CONTRADICTION, DUPLICATE
from memtui.memory.contradictions.queue import QueueCounts
from memtui.text import safe_text
from memtui.tui.command_table import TABS
from memtui.tui.text.glyphs import counted, grouped


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
        for name in ("workspace_name", "counts", "news", "read_only", "review"):
            self.watch(self.app, name, self._redraw)

    def _redraw(self) -> None:
        self.refresh()

    def render(self) -> Content:
        left = self._render_tabs()
        room = max(0, self.size.width - left.cell_length)
        right, news_width = next((each for each in self._variants() if each[0].cell_length <= room), (None, 0))
        if right is None:
            right, news_width = self._summary(minimal=True)
            right = right.truncate(room, ellipsis=True)
        self._news_column = self.size.width - min(news_width, right.cell_length)
        return Content.assemble(left, " " * max(0, room - right.cell_length), right)

    def _render_tabs(self) -> Content:
        wide, roomy = self.size.width >= 100, self.size.width >= 90
        left: list[tuple[str, str]] = [(" memtui ", "bold"), (" ", "")] if roomy else []
        column = sum(len(text) for text, _ in left)
        for digit, name, mode in TABS:
            self.tabs[mode] = (column, column + len(name) + 4)
            style = "bold $accent" if mode == self.mode else "$quiet"
            left.append((f"[{digit} {name}]" if mode == self.mode else f" {digit} {name} ", style))
            left += [(" ", "")] if wide else []
            column += len(name) + (5 if wide else 4)
        return Content.assemble(*left)

    def _rights(self) -> Iterator[Content]:
        """What stands on the right, ever shorter."""
        yield self._right(words=2)
        yield self._right(words=1)
        yield self._right(words=1, number=False)
        yield self._right()
        yield self._right(number=False)
        yield self._right(number=False, named=8)

    def _right(self, *, words: int = 0, number: bool = True, named: int = 20, least: bool = False) -> Content:
        """The workspace, how many memories, pairs to settle, and news; `words` says for how many of the two
        numbers what they count, `named` how long the name may be; `least` is the name and the news."""
        app = self.app
        parts: list[tuple[str, str]] = []
        if name := app.workspace_name:
            limit = 40 if self.size.width >= 100 else named
            parts.append((safe_text(name, one_line=True, limit=limit), "$foreground"))
        if app.read_only:
            parts.append((" · read-only", "$warning"))
        counts = app.counts
        if counts and number and not least:
            told = counted(counts.live, "memory") if words > 1 else grouped(counts.live)
            parts.append((f" · {told}", "$quiet"))
        review = app.review
        if review and review.open and not least:
            parts.append((f" · {_to_review(review, words=words > 0)}", "$quiet"))
            if review.escalated:
                parts.append((f" ! {grouped(review.escalated)}", "$warning"))
        if news := app.news:
            reload = app.key("search.reload")
            parts += [(" · ", "$quiet"), (_told(news), "$accent"), (f"  {reload}", "bold $accent")]
        return Content.assemble(*parts, (" ", ""))

    async def on_click(self, event: events.Click) -> None:
        """A tab opens its screen; the news are taken in."""
        if event.x >= self._news_from:
            await self.app.run_command("search.reload")
        for mode, (start, end) in self.tabs.items():
            if start <= event.x < end:
                self.app.switch_mode(mode)


def _to_review(queue: QueueCounts, *, words: bool) -> str:
    """12 contradictions · 5 duplicates; or ≠12 ≈5."""
    both = (queue.contradictions, CONTRADICTION, "≠"), (queue.duplicates, DUPLICATE, "≈")
    told = [
        counted(number, noun) if words else f"{glyph}{grouped(number)}"
        for number, noun, glyph in both
        if number
    ]
    return (" · " if words else " ").join(told)


def _told(news: int) -> str:
    return f"● {grouped(news)} new"
