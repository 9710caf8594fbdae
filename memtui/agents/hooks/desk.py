"""Where one event of a session is answered: the workspace, whose memory it is, and what was said."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from memtui.agents.hooks import notes
from memtui.agents.hooks.payload import Payload
from memtui.errors import PolicyRefused, Refused
from memtui.memory.secrets.masking import hidden
from memtui.workspace.context import NATIVE
from memtui.workspace.search.recall import Caller

if TYPE_CHECKING:
    from memtui.memory.memory import Memory
    from memtui.memory.policies.remembered import Remembered
    from memtui.memory.results import RecallResult
    from memtui.values import Fields
    from memtui.workspace.workspace import Workspace

# Returns which of the memories that were found the agent is told of, in order.
Choose: TypeAlias = "Callable[[Sequence[Memory]], list[Memory]]"
MOST = 5  # memories that an agent is told of at once (S-104)
_LONGEST_SESSION = 2_000  # characters of the id of a session


@dataclass(slots=True)
class Desk:
    """Answers one event. `project` is the subject of what is about the project, `folder` has the notes on
    sessions. The agent's memories go into `store`, "" for the one that its policy says. `opposed` has the
    uids of what openly contradicts a memory that was found, by its uid."""

    opened: Workspace
    agent: str
    store: str
    project: str
    payload: Payload
    folder: Path
    caller: Caller = field(init=False)
    opposed: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.caller = Caller(self.agent)

    @property
    def session(self) -> str:
        """The id of the session, "" if it has none. The journal and stores name it: without secrets."""
        return hidden(self.payload.text("session_id")[:_LONGEST_SESSION])

    def answers(
        self, text: str, subject: str = "", strategy: str = "", choose: Choose = list
    ) -> list[Memory]:
        """Return those that `choose` returns of the memories that answer a question and that the agent may
        read, the best first; what is only related is left out. They count as used."""
        recall = partial(self.opened.recall, text, self.caller, strategy=strategy, subject=subject)
        return self._chosen(partial(recall, limit=MOST), choose)

    def of_category(self, category: str, limit: int, choose: Choose) -> list[Memory]:
        """Return those that `choose` returns of the live memories of a category that the agent may read, the
        newest first."""
        return self._chosen(partial(self.opened.list_for, self.caller, category, limit), choose)

    def _chosen(self, ask: Callable[..., RecallResult], choose: Choose) -> list[Memory]:
        """Ask, and return what is chosen of the answers: no other was given to the agent."""
        chosen: list[Memory] = []

        def told(found: RecallResult) -> set[str]:
            chosen.extend(choose(found.memories[: len(found.memories) - found.related]))
            return {each.uid for each in chosen}

        self.opposed |= ask(told=told).contradicted
        return chosen

    def remember(self, fields: Fields) -> Remembered:
        """Store a memory of the agent, without what is "": in memtui's own store where the agent's has no
        such category."""
        store = self.store or self.opened.store_for(self.agent)
        target = next((each for each in self.opened.add_targets() if each.store == store), None)
        fits = target is None or not target.categories or fields["category"] in target.categories
        given = {name: value for name, value in fields.items() if value != ""}
        return self.opened.remember(self.agent, given, store if fits else NATIVE)

    def with_key(self, key: str) -> Memory | None:
        """Return the one memory with a key that the agent may read, of which it is not told; None if there is
        none."""
        try:
            id = self.opened.find_for(self.agent, "key", key)
        except PolicyRefused:
            raise
        except Refused:
            return None
        return self.opened.memories([id])[0]

    def told(self, memory: Memory) -> list[Memory]:
        """Return a memory that the agent is told of now: it counts as used."""
        found = self.opened.recall_by("uid", memory.uid, self.caller)
        self.opposed |= found.contradicted
        return list(found.memories)

    @contextmanager
    def notes(self) -> Iterator[notes.Notes]:
        """Give the agent's notes on the session, and keep what becomes of them if it is known which session
        it is."""
        session = self.session and f"{self.agent}\0{self.session}"
        known = notes.read(self.folder, session) if session else notes.Notes()
        before = repr(known)
        try:
            yield known
        finally:
            if session and repr(known) != before:
                notes.write(self.folder, session, known)
