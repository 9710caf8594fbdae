"""An export within a budget: what is chosen, the text, and the tokens of the whole text (S-71)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from memtui.export.exporter import Entry, Exporter, Rendered
from memtui.memory.secrets import contains_secret
from memtui.memory.secrets.masking import holds_mask
from memtui.memory.selection.budget import MARK, OMIT, Choice, Judged, Ranking, Reason, reason_of
from memtui.memory.selection.candidate import Candidate
from memtui.memory.tokens import TokenCounter

_MAX_ROUNDS = 8  # until headings and lines fit as well
_SPARE = 1 / 32  # of a budget, which is not worth another round


@dataclass(frozen=True, slots=True)
class Pack:
    """An export: its text, the `tokens` of all of it, and which memories are in and left out, with reasons.

    `tokens` is None where they were not counted: of data without a budget. Those of each memory are counted
    within a budget only, and else 0. `over` is by how many tokens the text exceeds the budget, because of
    what the user included, or of what the format has without any memory. `secrets` are the uids of included
    memories that contain one, known where tokens were counted: data without a budget is a copy of everything.
    """

    text: str
    tokens: int | None
    unit: str
    counter: str
    included: tuple[Judged, ...]
    left_out: tuple[Judged, ...]
    over: int = 0
    secrets: frozenset[str] = frozenset()


def pack(
    exporter: Exporter,
    candidates: Sequence[Candidate],
    budget: int | None,
    counter: TokenCounter,
    now: float,
    *,
    contradictions: str = OMIT,
    overrides: Mapping[str, bool] | None = None,
) -> Pack:
    """Return the export of the candidates within a `budget` of tokens; None is no limit.

    The budget holds for the whole text. A memory costs the tokens of an export of it alone without those of
    an empty export. The whole takes more or less than the sum, as memories share headings: the choice is made
    again with as much less or more room, until the text fits and little of the budget is left.
    """
    refused = {each.memory.uid: why for each in candidates if (why := exporter.refuse(each))}
    left = [_beyond(Judged(each, Reason.OTHER), refused) for each in candidates if each.memory.uid in refused]
    candidates = [each for each in candidates if each.memory.uid not in refused]
    if exporter.is_data and budget is None:
        everything = _everything_but(overrides or {}, candidates)
        rendered = exporter.render(_entries(everything, contradictions))
        return _packed(exporter, everything, rendered, None, counter, left)
    costs = _costs(exporter, candidates, counter) if budget is not None else _uncounted(candidates)
    room = None if budget is None else budget - counter.count([exporter.render(()).text])[0]
    ranking = Ranking(candidates, now)

    def attempt(room: int | None) -> Pack:
        choice = ranking.choose(costs, room, contradictions=contradictions, overrides=overrides)
        rendered = exporter.render(_entries(choice, contradictions))
        [tokens] = counter.count([rendered.text])
        return _packed(exporter, choice, rendered, tokens, counter, left)

    found = attempt(None) if budget is None or room is None else _fitted(attempt, room, budget)
    return replace(found, secrets=_secrets(found.included))


def _fitted(attempt: Callable[[int], Pack], room: int, budget: int) -> Pack:
    """Return the attempt with the most room whose text is within the budget; if none is, the last one."""
    fitting: tuple[int, Pack] | None = None
    too_much: int | None = None  # the least room whose text was over the budget
    for _ in range(_MAX_ROUNDS):
        found = attempt(room)
        spare = budget - (found.tokens or 0)
        if spare >= 0:
            fitting = room, found
            if spare <= budget * _SPARE or all(each.reason is not Reason.NO_ROOM for each in found.left_out):
                break
        else:
            too_much = room
            if all(each.reason is Reason.CHOSEN for each in found.included):
                break
        room += spare
        if fitting and too_much is not None and not fitting[0] < room < too_much:
            room = (fitting[0] + too_much) // 2
            if room == fitting[0]:
                break
    return fitting[1] if fitting else replace(found, over=-spare)


def _secrets(included: Sequence[Judged]) -> frozenset[str]:
    memories = [each.candidate.memory for each in included]
    return frozenset(
        each.uid
        for each in memories
        if (text := "\n".join(filter(None, (each.subject, each.title, each.content))))
        and (holds_mask(text) or contains_secret(text))
    )


def _everything_but(overrides: Mapping[str, bool], candidates: Sequence[Candidate]) -> Choice:
    """Return all candidates in their order, without those that the user took out."""
    out = {uid for uid, wanted in overrides.items() if not wanted}
    return Choice(
        tuple(Judged(each, reason_of(each)) for each in candidates if each.memory.uid not in out),
        tuple(Judged(each, Reason.TAKEN_OUT) for each in candidates if each.memory.uid in out),
    )


def _packed(
    exporter: Exporter,
    choice: Choice,
    rendered: Rendered,
    tokens: int | None,
    counter: TokenCounter,
    left: Sequence[Judged],
) -> Pack:
    """Return the export; `left` is what the format refused before anything was chosen."""
    dropped = rendered.dropped
    return Pack(
        rendered.text,
        tokens,
        counter.unit,
        counter.name,
        tuple(each for each in choice.included if each.uid not in dropped),
        (
            *(_beyond(each, dropped) for each in choice.included if each.uid in dropped),
            *choice.left_out,
            *left,
        ),
    )


def _beyond(judged: Judged, limits: Mapping[str, str]) -> Judged:
    """Return what a limit of the format leaves out, with the name of that limit."""
    return replace(judged, reason=Reason.FORMAT_LIMIT, other=limits[judged.uid])


def _costs(exporter: Exporter, candidates: Sequence[Candidate], counter: TokenCounter) -> dict[str, int]:
    """Return the tokens that each candidate takes; at least one."""
    alone = [exporter.render((Entry(each),)).text for each in candidates]
    [empty] = counter.count([exporter.render(()).text])
    counts = counter.count(alone)
    return {each.memory.uid: max(1, count - empty) for each, count in zip(candidates, counts, strict=True)}


def _uncounted(candidates: Sequence[Candidate]) -> dict[str, int]:
    return dict.fromkeys((each.memory.uid for each in candidates), 0)


def _entries(choice: Choice, contradictions: str) -> list[Entry]:
    """Return what is included; with MARK, each with what contradicts it there."""
    uids = {each.uid for each in choice.included} if contradictions == MARK else frozenset()
    return [
        Entry(each.candidate, tuple(sorted(each.candidate.contradicts & uids))) for each in choice.included
    ]
