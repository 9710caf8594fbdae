"""Trying a rule: what it would touch, what nearly matches, which other rules meet it (S-60)."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from memtui.errors import QueryError
from memtui.memory.memory import label_of
from memtui.memory.rules.rule import DISMISS, INBOX, REDACT, REFUSE, Rule, fields_of
from memtui.memory.rules.trial import NearMiss, Overlap, Touched, Trial
from memtui.values import FieldValue
from memtui.workspace.changes import rule_rows
from memtui.workspace.changes.planning import adapter_class_of
from memtui.workspace.db import store_rows
from memtui.workspace.mirror import memory_rows
from memtui.workspace.rules import base, held, kept, redacting
from memtui.workspace.rules.writing import can_set
from memtui.workspace.search.lexical import parse_query

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
    secrets = redacting.secrets_of(ctx, found) if rule.does(REDACT) else {}
    touched = {*secrets} if _secrets_only(rule) else found
    ids = json.dumps(list(touched))
    return Trial(
        len(touched),
        ctx.db.rows(_STORES, (ids,)),
        list(_touched(ctx, rule, touched, others, secrets)),
        list(_near(ctx, rule.when, found, now)),
        [overlap for overlap, _ in others],
        len(secrets),
        rule.only_refuses,
    )


def _secrets_only(rule: Rule) -> bool:
    """Return whether a rule leaves memories without a secret alone."""
    return rule.does(REDACT) and all(each.kind in (REDACT, REFUSE) for each in rule.actions)


def _touched(
    ctx: Context,
    rule: Rule,
    found: Collection[int],
    others: Sequence[tuple[Overlap, set[int]]],
    secrets: Mapping[int, int],
) -> Iterator[Touched]:
    named = ctx.db.rows(f"{_NAMED} LIMIT {LISTED}", (json.dumps(list(found)),))
    ids = [row[0] for row in named]
    rows = {row.id: row for row in memory_rows.load(ctx.db, ids)}
    stores = store_rows.by_id(ctx.db)
    since, bases, now = kept.since(ctx.db, ids), kept.read(ctx.db, ids), kept.columns_of(ctx.db, ids)
    excepted = held.exceptions(ctx, ids)
    for id, uid, store, title, subject, content in named:
        columns = bases.get(id, {})
        before = kept.fields({name: kept.without(columns, name, value) for name, value in now[id].items()})
        changes: list[tuple[str, FieldValue, FieldValue]] = []
        for action in rule.actions:
            if (id, rule.id, action.kind) in excepted or action.kind == REFUSE:
                continue
            if action.kind == REDACT:
                changes += [(REDACT, secrets[id], 0)] if id in secrets else []
                continue
            if id not in rows or not can_set(adapter_class_of(stores[rows[id].store_id]), action):
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
        yield Touched(id, uid, store, label_of(title, subject, content), changes, other)


def _near(ctx: Context, when: str, found: Collection[int], now: float) -> Iterator[NearMiss]:
    """Yield the newest memories that match all parts of a query but one."""
    query = parse_query(when)
    spans = sorted([(t.start, t.end) for t in query.terms] + [(f.start, f.end) for f in query.filters])
    left = NEAR
    for start, end in spans if len(spans) > 1 else ():
        without = f"{when[:start]} {when[end:]}"
        missing = base.matching(ctx, without, None, now) - set(found)
        for row in ctx.db.rows(f"{_NAMED} LIMIT {left}", (json.dumps(list(missing)),)):
            id, uid, store, *texts = row
            yield NearMiss(id, uid, store, label_of(*texts), when[start:end])
            left -= 1
        if not left:
            return


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
