"""Trying a rule: what it would touch, what nearly matches, which other rules meet it (S-60)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from memtui.errors import QueryError
from memtui.memory.lifecycles.native import Memtui
from memtui.memory.memory import label_of
from memtui.memory.rules.rule import (
    DISMISS,
    HALF_LIFE,
    INBOX,
    REDACT,
    REFUSE,
    SETTLE,
    Action,
    Rule,
    days_text,
    fields_of,
)
from memtui.memory.rules.trial import READ_ONLY, NearMiss, Overlap, SettledPair, Touched, Trial
from memtui.values import FieldValue, SqlRow
from memtui.workspace.changes.own_records import rule_rows
from memtui.workspace.changes.planning import adapter_class_of
from memtui.workspace.db import store_rows
from memtui.workspace.mirror import memory_rows
from memtui.workspace.mirror.without_rules import as_fields
from memtui.workspace.rules import base, held, kept, redacting, settling
from memtui.workspace.rules.settling import Decided
from memtui.workspace.rules.writing import can_set
from memtui.workspace.search.lexical import parse_query
from memtui.workspace.stores.catalog import locked_reason

if TYPE_CHECKING:
    from memtui.workspace.context import Context

LISTED, NEAR = 1_000, 10  # memories that are listed
_NAMED = (
    "SELECT m.id, m.uid, s.name, m.title, m.subject, substr(m.content, 1, 300) FROM json_each(?) e "
    "JOIN memories m ON m.id = e.value JOIN stores s ON s.id = m.store_id ORDER BY m.recency DESC, m.id DESC"
)
_STORES = (
    "SELECT s.name, count(*) FROM json_each(?) e JOIN memories m ON m.id = e.value "
    "JOIN stores s ON s.id = m.store_id GROUP BY s.id ORDER BY 2 DESC, 1"
)


def trial(ctx: Context, rule: Rule) -> Trial:
    """Return what a rule would do; raise QueryError for a bad query."""
    now = ctx.clock()
    found = base.matching(ctx, rule.when, None, now)
    others = list(_others(ctx, rule, found, now))
    settled = list(_in_turn(settling.decided(ctx, [rule], found)))
    secrets = redacting.secrets_of(ctx, found) if rule.does(REDACT) else {}
    pairs = _pairs_of(settled)
    touched = {*secrets, *pairs} if _leaves_others_alone(rule) else found
    ids = json.dumps(list(touched))
    return Trial(
        len(touched),
        ctx.db.rows(_STORES, (ids,)),
        list(_touched(ctx, rule, touched, others, pairs, secrets)),
        _near(ctx, rule.when, found, now),
        [overlap for overlap, _ in others],
        len(secrets),
        rule.only_refuses,
        len(settled),
    )


def _leaves_others_alone(rule: Rule) -> bool:
    """Return whether a rule leaves alone what has no secret to redact and no contradiction to settle."""
    kinds = {each.kind for each in rule.actions}
    return bool(kinds & {REDACT, SETTLE}) and kinds <= {REDACT, SETTLE, REFUSE}


def _in_turn(settled: Iterable[Decided]) -> Iterator[Decided]:
    """Yield the pairs that are still open once those before them are settled."""
    gone: set[int] = set()
    for each in settled:
        if not gone & {each.winner.id, each.loser.id}:
            gone.add(each.loser.id)
            yield each


def _pairs_of(settled: Iterable[Decided]) -> dict[int, list[SettledPair]]:
    """Return the pairs of each memory."""
    pairs: dict[int, list[SettledPair]] = {}
    for each in settled:
        for row, other in ((each.winner, each.loser), (each.loser, each.winner)):
            pair = SettledPair(other.memory.uid, other.label, row is each.winner)
            pairs.setdefault(row.id, []).append(pair)
    return pairs


def _named(ctx: Context, ids: Iterable[int], most: int) -> list[SqlRow]:
    """Return the names of the newest of these memories."""
    return ctx.db.rows(f"{_NAMED} LIMIT {most}", (json.dumps(list(ids)),))


def _touched(
    ctx: Context,
    rule: Rule,
    found: set[int],
    others: Sequence[tuple[Overlap, set[int]]],
    pairs: Mapping[int, Sequence[SettledPair]],
    secrets: Mapping[int, int],
) -> Iterator[Touched]:
    """Yield what the rule would do with each memory, those first of which it would settle something."""
    named = _named(ctx, pairs, LISTED)
    named += _named(ctx, found - pairs.keys(), LISTED - len(named))
    ids = [row[0] for row in named]
    rows = {row.id: row for row in memory_rows.load(ctx.db, ids)}
    stores = store_rows.by_id(ctx.db)
    since, bases, now = kept.since(ctx.db, ids), kept.read(ctx.db, ids), kept.columns_of(ctx.db, ids)
    excepted = held.exceptions(ctx, ids)
    for id, uid, store, title, subject, content in named:
        columns = bases.get(id, {})
        before = as_fields({name: kept.without(columns, name, value) for name, value in now[id].items()})
        changes: list[tuple[str, FieldValue, FieldValue]] = []
        cannot = []
        for action in rule.actions:
            if (id, rule.id, action.kind) in excepted or action.kind == REFUSE or id not in rows:
                continue
            if action.kind == REDACT:
                changes += [(REDACT, secrets[id], 0)] if id in secrets else []
                continue
            if action.kind not in (SETTLE, HALF_LIFE, INBOX) and locked_reason(stores[rows[id].store_id]):
                cannot.append(READ_ONLY)
                continue
            is_settling = action.kind == SETTLE
            if is_settling or not can_set(adapter_class_of(stores[rows[id].store_id]), action):
                cannot += [] if is_settling and id in pairs else [action.kind]
                continue
            if action.kind == HALF_LIFE:
                days, value = _half_life(ctx, before["category"] or rows[id].memory.kind), days_text(action)
                changes += [(HALF_LIFE, days, value)] if days != value else []
                continue
            if action.kind in (DISMISS, INBOX):
                changes.append((action.kind, False, True))
                continue
            fields = fields_of(action, before["tags"], since[id], rule.note or rule.name)
            fields.pop("pinned_why", None)
            changes += [
                (name, before[name], value) for name, value in fields.items() if before[name] != value
            ]
        other = next((o.rule for o, ids in others if o.first and id in ids), "")
        label = label_of(title, subject, content)
        yield Touched(id, uid, store, label, changes, other, pairs.get(id, ()), list(dict.fromkeys(cannot)))


def _half_life(ctx: Context, category: str) -> str:
    """Return the half-life of a category, as an action has it."""
    half_lives = Memtui(ctx.half_lives).half_lives
    return days_text(Action(HALF_LIFE, half_lives.get(category.casefold(), half_lives["other"])))


def _near(ctx: Context, when: str, found: set[int], now: float) -> list[NearMiss]:
    """Return memories that all parts of a query match but one: the newest of each part in turn."""
    query = parse_query(when)
    spans = sorted([(t.start, t.end) for t in query.terms] + [(f.start, f.end) for f in query.filters])
    by_part: list[list[NearMiss]] = []
    for start, end in spans if len(spans) > 1 else ():
        missing = base.matching(ctx, f"{when[:start]} {when[end:]}", None, now) - found
        by_part.append(
            [
                NearMiss(id, uid, store, label_of(*texts), when[start:end])
                for id, uid, store, *texts in _named(ctx, missing, NEAR)
            ]
        )
    return [each for turn in zip_longest(*by_part) for each in turn if each is not None][:NEAR]


def _others(ctx: Context, rule: Rule, found: set[int], now: float) -> Iterator[tuple[Overlap, set[int]]]:
    """Yield the other rules that are on and do the same kind of thing with some of the same memories."""
    for other in rule_rows.listed(ctx):
        kinds = {each.kind: each for each in other.actions}
        same = [each for each in rule.actions if each.kind in kinds]
        if other.id == rule.id or not other.on or not same:
            continue
        try:
            both = base.matching(ctx, other.when, list(found), now)
        except QueryError:
            continue
        for action in same if both else ():
            differs = kinds[action.kind].text != action.text
            first = other.order < rule.order
            yield Overlap(other.name, action.kind, len(both), differs, first), both
