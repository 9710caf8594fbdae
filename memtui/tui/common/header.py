"""The top line: screens on the left, the workspace and what is new on the right."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.widget import Widget

from memtui.memory.contradictions.pairs import CONTRADICTION, DUPLICATE
from memtui.memory.contradictions.queue import Queue
from memtui.text import safe_text
from memtui.tui.command_table import TABS
from memtui.tui.text.glyphs import counted, grouped


class Header(Widget):
    """Always names the workspace; the one place for its counts."""

    def __init__(self, mode: str) -> None:
        super().__init__()
        self.mode = mode
        self.tabs: dict[str, tuple[int, int]] = {}
        """Where the tab of each mode stands, from column to column."""
        self._news_from = 0

    def on_mount(self) -> None:
        for name in ("workspace_name", "counts", "news", "read_only", "review"):
            self.watch(self.app, name, self._show)

    def _show(self) -> None:
        self.refresh()

    def render(self) -> Content:
        start = self._tabs_drawn()
        room = max(0, self.size.width - start.cell_length)
        end = next((each for each in self._rights() if each.cell_length <= room), None)
        if end is None:
            end = self._right(least=True).truncate(room, ellipsis=True)
        news = self.app.news  # type: ignore[attr-defined]
        before = end.plain.rpartition(_told(news))[0] if news else ""
        self._news_from = self.size.width - end.cell_length + cell_len(before) if before else self.size.width
        return Content.assemble(start, " " * max(0, room - end.cell_length), end)

    def _tabs_drawn(self) -> Content:
        wide, roomy = self.size.width >= 100, self.size.width >= 90
        left: list[tuple[str, str]] = [(" memtui ", "bold"), (" ", "")] if roomy else []
        at = sum(len(text) for text, _ in left)
        for digit, name, mode in TABS:
            self.tabs[mode] = (at, at + len(name) + 4)
            style = "bold $accent" if mode == self.mode else "$quiet"
            left.append((f"[{digit} {name}]" if mode == self.mode else f" {digit} {name} ", style))
            left += [(" ", "")] if wide else []
            at += len(name) + (5 if wide else 4)
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
        if name := app.workspace_name:  # type: ignore[attr-defined]
            limit = 40 if self.size.width >= 100 else named
            parts.append((safe_text(name, one_line=True, limit=limit), "$foreground"))
        if app.read_only:  # type: ignore[attr-defined]
            parts.append((" · read-only", "$warning"))
        counts = app.counts  # type: ignore[attr-defined]
        if counts and number and not least:
            told = counted(counts.live, "memory") if words > 1 else grouped(counts.live)
            parts.append((f" · {told}", "$quiet"))
        review = app.review  # type: ignore[attr-defined]
        if review and review.open and not least:
            parts.append((f" · {_to_review(review, words=words > 0)}", "$quiet"))
            if review.escalated:
                parts.append((f" ! {grouped(review.escalated)}", "$warning"))
        if news := app.news:  # type: ignore[attr-defined]
            reload = app.key("search.reload")  # type: ignore[attr-defined]
            parts += [(" · ", "$quiet"), (_told(news), "$accent"), (f"  {reload}", "bold $accent")]
        return Content.assemble(*parts, (" ", ""))

    async def on_click(self, event: events.Click) -> None:
        """A tab opens its screen; the news are taken in."""
        if event.x >= self._news_from:
            await self.app.run_command("search.reload")  # type: ignore[attr-defined]
        for mode, (start, end) in self.tabs.items():
            if start <= event.x < end:
                self.app.switch_mode(mode)


def _to_review(queue: Queue, *, words: bool) -> str:
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
