"""The list of changes, or of what agents did since the user last looked (S-50, S-53)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.cells import cell_len

from memtui.memory.journal import UNREADABLE, AgentChange, Event
from memtui.memory.wording import actor_name
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.journal import wording
from memtui.tui.journal.change_text import AGENT, state_text
from memtui.tui.text.glyphs import fit, moment

KIND_WIDTH = 16  # cells; as wide as the longest kind
_ROOM_FOR_TOOL = 110  # cells
_SIGNS = {"added": "+", "changed": "~", "removed": "−", UNREADABLE: "!"}


class EventList(VirtualList):
    """One line per entry: when, who, what, on which memory, and its state if not done."""

    def __init__(self, clock: Callable[[], float], *, id: str) -> None:
        super().__init__(id=id)
        self._clock = clock
        self.entries: Sequence[Event | AgentChange] = []
        self.store_names: dict[str, str] = {}

    @property
    def highlighted(self) -> Event | AgentChange | None:
        """The entry under the cursor."""
        return self.entries[self.cursor] if self.cursor < len(self.entries) else None

    def show(self, entries: Sequence[Event | AgentChange], cursor: int, *, keep_place: bool) -> None:
        """List other entries."""
        self.entries = entries
        self.refill(len(entries), cursor, keep_place=keep_place)

    def parts(self, index: int, width: int) -> list[Part]:
        entry = self.entries[index]
        return (
            self._agent_change(entry, width) if isinstance(entry, AgentChange) else self._event(entry, width)
        )

    def _agent_change(self, item: AgentChange, width: int) -> list[Part]:
        store = self.store_names.get(item.store, item.store)
        head: list[Part] = [
            (" ", "plain"),
            (fit(store, 18 if width >= 90 else 10), "quiet"),
            (f" {_SIGNS[item.kind]} ", "accent"),
            (
                fit(item.effective_kind, 10),
                "warn" if item.kind in ("removed", UNREADABLE) or item.overwritten else "plain",
            ),
        ]
        if width >= 90:
            agent = actor_name(item.actor) if item.actor.startswith(AGENT) else ""
            head.append((fit(agent, 18) + " ", "quiet"))
        tail = (fit(moment(item.at, self._clock()), 13, right=True) + " ", "quiet")
        room = max(1, width - sum(cell_len(text) for text, _ in [*head, tail]))
        return [*head, (fit(item.label, room), "plain"), tail]

    def _event(self, event: Event, width: int) -> list[Part]:
        wide = width >= 90
        state = state_text(event)
        state_style = "error" if event.state in ("failed", "refused") else "quiet"
        is_quiet = event.state != "done"
        head: list[Part] = [
            (" ", "plain"),
            (fit(moment(event.at, self._clock()), 13), "quiet"),
            (
                fit(actor_name(event.actor), 18 if wide else 12),
                "accent" if event.actor == "person" else "quiet",
            ),
            (" ", "plain"),
            (fit(wording.kind_label(event.kind), KIND_WIDTH), "quiet" if is_quiet else "plain"),
            (" ", "plain"),
        ]
        tail: list[Part] = [(f"  {fit(state, cell_len(state))} ", state_style)] if state else [(" ", "plain")]
        if width >= _ROOM_FOR_TOOL and event.tool:
            tail = [("  ", "plain"), (fit(event.tool, 16), "quiet"), *tail]
        if wide and event.store:
            tail = [
                ("  ", "plain"),
                (fit(self.store_names.get(event.store, event.store), 14), "quiet"),
                *tail,
            ]
        room = max(1, width - sum(cell_len(text) for text, _ in head + tail))
        return [*head, (fit(_subject(event), room), "quiet" if is_quiet else "plain"), *tail]


def _subject(event: Event) -> str:
    """Return the memory of an entry, or how many; the kind of change is in the column before."""
    if event.kind in ("undone", "redone"):
        return f"{wording.kind_label(event.change)}{': ' if event.label else ''}{event.label}"
    if event.kind in ("attached", "detached", "pulled", "renamed", "locked", "unlocked") or not event.count:
        return event.summary
    if event.kind == "copied" and event.count > 1:
        return wording.copied_to(event.count, event.store)
    return event.label or wording.memories_of(event.count, event.entity)
