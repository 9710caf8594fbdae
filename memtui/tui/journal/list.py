"""The list of changes, newest first; or of what agents did since the person last looked (S-50, S-53)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.cells import cell_len

from memtui.memory.journal import UNREADABLE, AgentChange, Event
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.journal.change_text import state_words
from memtui.tui.memory.history_text import who
from memtui.tui.text.glyphs import counted, fit, moment

_SIGNS = {"added": "+", "changed": "~", "removed": "−", UNREADABLE: "!"}


class EventList(VirtualList):
    """When, who, what, how many, and whether it still stands."""

    def __init__(self, clock: Callable[[], float], *, id: str) -> None:
        super().__init__(id=id)
        self._clock = clock
        self.entries: Sequence[Event | AgentChange] = []
        self.store_names: dict[str, str] = {}

    @property
    def highlighted(self) -> Event | AgentChange | None:
        """What is under the cursor."""
        return self.entries[self.cursor] if self.cursor < len(self.entries) else None

    def show(self, entries: Sequence[Event | AgentChange], cursor: int, *, keep_place: bool) -> None:
        """Other lines now."""
        self.entries = entries
        self.refill(len(entries), cursor, keep_place=keep_place)

    def parts(self, index: int, width: int) -> list[Part]:
        entry = self.entries[index]
        return self._since(entry, width) if isinstance(entry, AgentChange) else self._event(entry, width)

    def _since(self, item: AgentChange, width: int) -> list[Part]:
        store = self.store_names.get(item.store, item.store)
        head: list[Part] = [
            (" ", "plain"),
            (fit(store, 18 if width >= 90 else 10), "quiet"),
            (f" {_SIGNS[item.what]} ", "accent"),
            (
                fit(item.word, 10),
                "warn" if item.what in ("removed", UNREADABLE) or item.overwritten else "plain",
            ),
        ]
        tail = (fit(moment(item.at, self._clock()), 13, right=True) + " ", "quiet")
        room = max(1, width - sum(cell_len(text) for text, _ in [*head, tail]))
        return [*head, (fit(item.label, room), "plain"), tail]

    def _event(self, event: Event, width: int) -> list[Part]:
        wide = width >= 90
        state = state_words(event)
        tone = "wrong" if event.state in ("failed", "refused") else "quiet"
        faded = event.state != "done"
        head: list[Part] = [
            (" ", "plain"),
            (fit(moment(event.at, self._clock()), 13), "quiet"),
            (fit(who(event.actor), 18 if wide else 12), "accent" if event.actor == "person" else "quiet"),
            (" ", "plain"),
            (fit(event.kind, 11 if wide else 10), "quiet" if faded else "plain"),
            (" ", "plain"),
        ]
        tail: list[Part] = [(f"  {fit(state, cell_len(state))} ", tone)] if state else [(" ", "plain")]
        if wide and event.store:
            tail = [
                ("  ", "plain"),
                (fit(self.store_names.get(event.store, event.store), 14), "quiet"),
                *tail,
            ]
        room = max(1, width - sum(cell_len(text) for text, _ in head + tail))
        return [*head, (fit(_what(event), room), "quiet" if faded else "plain"), *tail]


def _what(event: Event) -> str:
    """The memory itself where it is one; the kind of change stands beside it."""
    if event.kind in ("undone", "redone"):
        return f"{event.change}{': ' if event.label else ''}{event.label}"
    if event.kind in ("attached", "detached", "pulled", "renamed", "locked", "unlocked") or not event.count:
        return event.summary
    return event.label or counted(event.count, "memory")
