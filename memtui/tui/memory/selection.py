"""What keys act on: a list of memories, some marked, one highlighted; and which keys need to write."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Protocol, TypeVar

from memtui.memory.memory import MemoryRow
from memtui.tui.memory import wording

if TYPE_CHECKING:
    from memtui.tui.memory.verb_keys import VerbScreen


class MemorySelection(Protocol):
    """A list of memories, some of them marked, with a highlighted one."""

    @property
    def ids(self) -> Sequence[int]: ...
    @property
    def answers(self) -> Sequence[int]: ...
    @property
    def marks(self) -> set[int]: ...
    @property
    def highlighted(self) -> int | None: ...
    @property
    def below(self) -> list[int]: ...
    def row(self, id: int) -> MemoryRow | None: ...
    def toggle_mark(self) -> None: ...
    def mark(self, ids: set[int]) -> None: ...
    def advance(self) -> None: ...


M = TypeVar("M", bound="VerbScreen")


def writes(action: Callable[[M], object]) -> Callable[[M], object]:
    """Refuse an action of a key in a read-only workspace at once, not after its dialog was filled in; ignore
    the key while an editor opens."""

    @wraps(action)
    def checked(self: M) -> object:
        if self.editor_opening:
            return None
        if self.app.read_only:
            self.app.show_status(wording.READ_ONLY, tone="error")
            return None
        return action(self)

    return checked
