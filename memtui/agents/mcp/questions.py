"""What the person at the client is asked: which of two memories holds, when an agent stored one that
contradicts or repeats another. Where the client cannot ask, or nobody answers, the pair
waits in Review, as any other."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from memtui.agents.mcp import results, wording
from memtui.memory.contradictions.pairs import BOTH_TRUE, CONTRADICTION, KEEP_A, KEEP_B, Pair

if TYPE_CHECKING:
    from memtui.agents.mcp.answers import Stored
    from memtui.agents.mcp.desk import Desk

NEW, OTHER, BOTH = wording.CHOICES


@dataclass(frozen=True, slots=True)
class Question:
    """A question on an open pair: `seen` are the digests of both texts as they are asked about, `verdicts`
    what each choice comes to."""

    pair: int
    seen: tuple[str, str]
    text: str
    verdicts: dict[str, str]

    def as_text(self) -> str:
        """Return the question as it is sent to and fro between two rounds of a call."""
        return json.dumps(asdict(self))

    @classmethod
    def of_text(cls, text: str) -> Question:
        """Return the question of a text that `as_text` made."""
        fields = json.loads(text)
        return cls(fields["pair"], tuple(fields["seen"]), fields["text"], fields["verdicts"])


def question_of(desk: Desk, stored: Stored) -> Question | None:
    """Return what to ask on what was stored; None if it meets no memory, or one that the agent may not change
    itself: whoever answers in its client could speak for it."""
    opened = desk.opened
    if stored.other is None or opened.read_only:
        return None
    new, other = opened.find(stored.id), opened.find(stored.other.id)
    if len(opened.changeable_for(desk.agent, [new, other])) < 2:
        return None
    opened.scan(desk.call.control(wording.COMPARING), [new])
    found = next((each for each in opened.pairs(memory=new) if {each.a, each.b} == {new, other}), None)
    detail = None if found is None else opened.pair(found.id)
    if found is None or detail is None:
        return None
    verdicts = {
        NEW: KEEP_A if found.a == new else KEEP_B,
        OTHER: KEEP_B if found.a == new else KEEP_A,
        BOTH: BOTH_TRUE,
    }
    possible = {choice: each for choice, each in verdicts.items() if each not in detail.blocked}
    return Question(found.id, detail.digests, _text(desk.agent, found, found.a == new), possible)


def settle(desk: Desk, stored: Stored, question: Question, choice: str) -> Stored:
    """Give the person's verdict, and return what was stored with it. Raise Refused if that cannot be done, as
    where one of both was changed meanwhile."""
    verdict = question.verdicts[choice]
    note = wording.answered_to(desk.agent)
    desk.opened.settle(question.pair, verdict, note=note, seen=question.seen)
    return stored.model_copy(update={"decided": wording.DECISIONS[choice]})


def _text(agent: str, pair: Pair, new_is_a: bool) -> str:
    new, other = pair.labels if new_is_a else pair.labels[::-1]
    text = wording.which_holds(agent, new, other, contradicts=pair.family == CONTRADICTION)
    return str(results.shown(text))
