"""What is wrong with one memory, or unusual: contradictions, findings of its store's reader, secrets, expiry,
and relations to missing memories."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import islice

from memtui.formats.contract.adapter import Adapter
from memtui.formats.contract.records import Reading, Record
from memtui.memory.contradictions.pairs import CONTRADICTION, certainty
from memtui.memory.detail import Problem
from memtui.memory.encoding import iso
from memtui.memory.memory import LIVE, RECORD_FIELDS
from memtui.memory.relations import Lineage, Relation
from memtui.memory.secrets.masking import shortened
from memtui.workspace.context import Context
from memtui.workspace.contradictions import queue
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.details import wording
from memtui.workspace.mirror import memory_rows
from memtui.workspace.mirror.memory_rows import MirrorRow

_MAX_OF_KIND = 10
_MAX_TEXT = 200_000  # characters that are searched for secrets
_MAX_LABEL = 80  # characters of another memory's label
_TEXTS = ("content", "title", "value", "note", "source_excerpt")  # those of the filter `is:secret`


def find_problems(
    ctx: Context,
    row: MirrorRow,
    store: StoreRow,
    adapter: Adapter | None,
    relations: Sequence[Relation],
    lineage: Sequence[Lineage],
) -> tuple[Problem, ...]:
    """Return the problems of a memory, the most important first; only the workspace is read."""
    found = [*_removed(row), *_conflicts(ctx, row), *_secrets(row), *_overdue(ctx, row, adapter)]
    findings = list(islice(_findings(row, store), _MAX_OF_KIND))
    dangling = (
        problem
        for name, problem in _dangling(relations, lineage)
        if not _is_reported(problem.code, name, findings)
    )
    return (*found, *findings, *islice(dangling, _MAX_OF_KIND))


def _removed(row: MirrorRow) -> Iterator[Problem]:
    if row.removed_at is not None:
        yield Problem("removed", wording.removed(_day(row.removed_at)))


def _conflicts(ctx: Context, row: MirrorRow) -> Iterator[Problem]:
    """Yield the open contradictions and duplicates that the scan found."""
    pairs = queue.listed(ctx, memories=[row.id])
    others = {pair.id: pair.b if pair.a == row.id else pair.a for pair in pairs[:_MAX_OF_KIND]}
    rows = memory_rows.load(ctx.db, list(others.values())) if others else []
    uids = {other.id: other.memory.uid for other in rows}
    for pair in pairs[:_MAX_OF_KIND]:
        other_id = others[pair.id]
        label = _quoted(pair.labels[0 if other_id == pair.a else 1])
        describe = wording.contradicts if pair.family == CONTRADICTION else wording.repeats
        text = describe(label, certainty(pair.score), pair.reason)
        yield Problem(pair.family, text, other_id, uids.get(other_id, ""), label)
    if len(pairs) > _MAX_OF_KIND:
        yield Problem("more", wording.more_conflicts(len(pairs) - _MAX_OF_KIND))


def _secrets(row: MirrorRow) -> Iterator[Problem]:
    from memtui.memory import secrets  # its many patterns are compiled on import
    from memtui.memory.secrets.wording import name_of

    texts = (memory_rows.stored(name, getattr(row.memory, name)) for name in _TEXTS)
    text = "\n".join(each for each in texts if each)[:_MAX_TEXT]
    if kinds := dict.fromkeys(name_of(secret.kind) for secret in secrets.find(text)):
        yield Problem("secret", wording.secret(kinds))


def _overdue(ctx: Context, row: MirrorRow, adapter: Adapter | None) -> Iterator[Problem]:
    """Yield what the time makes unusual according to the format; in memtui's own store, a past expiry."""
    memory, now = row.memory, ctx.clock()
    if row.removed_at is not None or row.moved is not None or memory.status not in LIVE:
        return
    if adapter is not None:
        fields = {name: getattr(memory, name) for name in RECORD_FIELDS}
        record = Record(memory.ref, fields, row.anchor, row.place)
        for finding in adapter.age_findings(Reading([record]), now):
            yield Problem(finding.code, finding.text)
        return
    past = [at for at in (memory.expires_at, memory.valid_to) if at is not None and at < now]
    if past:
        yield Problem("past-expiry", wording.past_expiry(_day(min(past))))


def _findings(row: MirrorRow, store: StoreRow) -> Iterator[Problem]:
    """Yield the findings of the store's reader at the memory's place."""
    place = row.place
    # Parsing is avoided: a store may have a thousand findings, and most memories have none.
    if not place or row.removed_at is not None or json.dumps(place)[1:-1] not in store.findings:
        return
    for code, where, text in json.loads(store.findings):
        if where == place or where.startswith(f"{place}, line "):
            yield Problem(code, text)


def _dangling(relations: Sequence[Relation], lineage: Sequence[Lineage]) -> Iterator[tuple[str, Problem]]:
    """Yield the relations to missing memories, each with the missing name as quoted, or ""."""
    for each in lineage:
        if each.id is None:
            yield "", Problem("dangling", wording.NO_SUCCESSOR)
    for relation in relations:
        if relation.target_id is None:
            name = _quoted(relation.target)
            yield name, Problem("dangling", wording.no_target(relation.kind, name))
        elif relation.source_id is None:
            name = _quoted(relation.source)
            yield name, Problem("dangling", wording.no_source(relation.kind, name))


def _is_reported(code: str, name: str, findings: Sequence[Problem]) -> bool:
    """Return whether a finding of the reader is about the same relation: it quotes the same name. A stored
    finding has code, place and text alone."""
    return any(each.code == code and name != "" and name in each.text for each in findings)


def _quoted(label: str) -> str:
    return f"“{shortened(label, _MAX_LABEL)}”"


def _day(at: float) -> str:
    return (iso(at) or wording.UNKNOWN_DAY)[:10]
