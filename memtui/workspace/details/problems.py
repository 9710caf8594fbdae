"""What is wrong with one memory, or odd: what clashes with it, what its place suffers from, what it should
not hold, and what of it leads nowhere."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import islice

from memtui.formats.contract.adapter import Adapter, Reading, Record
from memtui.memory.contradictions.pairs import CONTRADICTION, certainty
from memtui.memory.detail import Problem
from memtui.memory.encoding import iso
from memtui.memory.memory import LIVE, RECORD_FIELDS
from memtui.memory.relations import Lineage, Relation
from memtui.workspace.context import Context
from memtui.workspace.contradictions import queue
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.mirror import memory_rows
from memtui.workspace.mirror.memory_rows import MirrorRow

MOST = 10  # of each sort
_LOOKED = 200_000  # characters that are searched for secrets
_NAME = 80  # characters of another memory's label
_TEXTS = ("content", "title", "value", "note", "source_excerpt")  # as `is:secret` looks at them


def wrongs(
    ctx: Context,
    held: MirrorRow,
    store: StoreRow,
    adapter: Adapter | None,
    relations: Sequence[Relation],
    lineage: Sequence[Lineage],
) -> tuple[Problem, ...]:
    """All of it, what a person should see first in front; nothing is looked for outside the workspace."""
    found = [*_gone(held), *_clashing(ctx, held), *_secrets(held), *_overdue(ctx, held, adapter)]
    odd = list(islice(_odd(held, store), MOST))
    nowhere = (each for each in _nowhere(held, relations, lineage) if not _known(each, odd))
    return (*found, *odd, *islice(nowhere, MOST))


def _gone(held: MirrorRow) -> Iterator[Problem]:
    if held.removed_at is not None:
        yield Problem("removed", f"It is no longer in its store, since {_day(held.removed_at)}.")


def _clashing(ctx: Context, held: MirrorRow) -> Iterator[Problem]:
    """What the sweep found and nobody has settled."""
    found = queue.listed(ctx, memory=held.id)
    others = {pair.id: pair.b if pair.a == held.id else pair.a for pair in found[:MOST]}
    rows = memory_rows.held(ctx.db, list(others.values())) if others else []
    uids = {each.id: each.memory.uid for each in rows}
    for pair in found[:MOST]:
        other = others[pair.id]
        does = "contradicts" if pair.family == CONTRADICTION else "repeats"
        label = _named(pair.labels[0 if other == pair.a else 1])
        words = f"It {does} {label} ({certainty(pair.score)}): {pair.reason}".rstrip(": ")
        yield Problem(pair.family, words, other, uids.get(other, ""))
    if len(found) > MOST:
        yield Problem("more", f"{len(found) - MOST:,} more memories contradict or repeat it.")


def _secrets(held: MirrorRow) -> Iterator[Problem]:
    from memtui.memory import secrets  # its many patterns are read where they are wanted

    said = (memory_rows.stored(name, getattr(held.memory, name)) for name in _TEXTS)
    text = "\n".join(each for each in said if each)[:_LOOKED]
    if kinds := dict.fromkeys(secret.what for secret in secrets.find(text)):
        yield Problem("secret", f"It seems to hold a secret: {', '.join(kinds)}.")


def _overdue(ctx: Context, held: MirrorRow, adapter: Adapter | None) -> Iterator[Problem]:
    """What time made odd, by the word of its format; in our own store what is past its time."""
    memory, now = held.memory, ctx.clock()
    if held.removed_at is not None or held.moved is not None or memory.status not in LIVE:
        return
    if adapter is not None:
        fields = {name: getattr(memory, name) for name in RECORD_FIELDS}
        record = Record(memory.ref, fields, held.anchor, held.place)
        for finding in adapter.aged(Reading([record]), now):
            yield Problem(finding.code, finding.text)
        return
    over = [at for at in (memory.expires_at, memory.valid_to) if at is not None and at < now]
    if over:
        yield Problem("past-expiry", f"It still stands there, though its time was over on {_day(min(over))}.")


def _odd(held: MirrorRow, store: StoreRow) -> Iterator[Problem]:
    """What the reader of its store met at its very place."""
    place = held.place
    # A store may have a thousand findings, and most memories none: one look tells.
    if not place or held.removed_at is not None or json.dumps(place)[1:-1] not in store.findings:
        return
    for code, where, words in json.loads(store.findings):
        if where == place or where.startswith(f"{place}, line "):
            yield Problem(code, words)


def _nowhere(held: MirrorRow, relations: Sequence[Relation], lineage: Sequence[Lineage]) -> Iterator[Problem]:
    for each in lineage:
        if each.id is None:
            yield Problem("dangling", f"It gave way to {each.uid}, and there is no such memory any more.")
    for relation in relations:
        if relation.target_id is None:
            words = f"“{relation.kind}” leads to {_named(relation.target)}, and there is no such memory."
            yield Problem("dangling", words)
        elif relation.source_id is None:
            words = f"“{relation.kind}” comes from {_named(relation.source)}, and there is no such memory."
            yield Problem("dangling", words)


def _known(each: Problem, odd: Sequence[Problem]) -> bool:
    """Whether the store's reader says the same of a link: both name what it leads to."""
    names = [part.partition("”")[0] for part in each.text.split("“")[1:]]
    return any(other.code == each.code and names and f"“{names[-1]}”" in other.text for other in odd)


def _named(label: str) -> str:
    return f"“{label if len(label) <= _NAME else label[: _NAME - 1].rstrip() + '…'}”"


def _day(at: float) -> str:
    return (iso(at) or "an unknown day")[:10]
