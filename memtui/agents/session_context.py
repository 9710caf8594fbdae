"""What memtui gives an agent when a session starts: the memories that it may read and most needs, within a
budget of tokens (S-72, S-80)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memtui.agents import wording
from memtui.export.pack import pack
from memtui.export.registry import by_name
from memtui.memory.memory import RECALLED, label_of
from memtui.memory.secrets.masking import Masking
from memtui.memory.selection.budget import MARK
from memtui.workspace.search.recall import Caller

if TYPE_CHECKING:
    from memtui.memory.results import RecallResult
    from memtui.workspace.workspace import Workspace

TOKENS = 2_000
_MOST = 500  # memories from which it is chosen


@dataclass(frozen=True, slots=True)
class SessionContext:
    """The context of one agent: its Markdown, "" if there is nothing, how many `unit` (tokens) it takes, the
    uids of its memories, and those that others openly contradict, with the uids of these."""

    text: str
    tokens: int
    unit: str
    uids: tuple[str, ...]
    contradicted: Mapping[str, tuple[str, ...]]


def session_context(
    opened: Workspace, agent: str, tokenizer: str = "", *, logged: bool = True
) -> SessionContext:
    """Return what an agent is given; secrets are masked. Raise PolicyRefused if it may read nothing; unless
    `logged`, for a person who looks, it is empty then."""
    made: list[SessionContext] = []

    def told(found: RecallResult) -> tuple[str, ...]:
        made.append(_packed(opened, found, tokenizer))
        return made[0].uids

    opened.list_for(Caller(agent), limit=_MOST, logged=logged, told=told)
    return made[0]


def _packed(opened: Workspace, found: RecallResult, tokenizer: str) -> SessionContext:
    """Return what of the memories that were found fits."""
    given = {each.uid: each for each in found.memories if each.status in RECALLED}
    chosen = opened.candidates(opened.ids_of(list(given)), masking=Masking())
    exporter = by_name("prompt")
    assert exporter is not None
    counter = opened.token_counter(tokenizer)
    packed = pack(exporter, chosen, TOKENS, counter, opened.now(), contradictions=MARK)
    uids = tuple(each.uid for each in packed.included)
    opposed = {uid: found.contradicted[uid] for uid in uids if uid in found.contradicted}
    text = packed.text
    if opposed:
        lines = [
            wording.contradicted(uid, label_of(each.title, each.subject, each.content), opposed[uid])
            for uid, each in given.items()
            if uid in opposed
        ]
        text = "\n".join([text, wording.CONTRADICTED_HEADING, *lines, ""])
    tokens = packed.tokens or 0 if not opposed else counter.count([text])[0]
    return SessionContext(text, tokens, counter.unit, uids, opposed)
