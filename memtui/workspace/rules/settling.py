"""Settling contradictions as rules say, with the verdict that a person would give (S-43, S-60).

A rule settles a pair once: what somebody undid, settled otherwise or put off is that person's from then on.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memtui.errors import Refused
from memtui.memory.contradictions.pairs import CONTRADICTION, KEEP_A, KEEP_B, Pair
from memtui.memory.rules.rule import DISMISS, PIN, SETTLE, Rule
from memtui.memory.rules.settling import Side, is_high_risk, winner
from memtui.workspace.contradictions import queue
from memtui.workspace.db import store_rows
from memtui.workspace.db.models import RuleException
from memtui.workspace.mirror import memory_rows
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.mirror.without_rules import TIME
from memtui.workspace.rules import base, held, kept
from memtui.workspace.rules.writing import AGAIN, as_rule
from memtui.workspace.verdicts import settle as verdicts
from memtui.workspace.verdicts.case import blocked_reason

if TYPE_CHECKING:
    from memtui.workspace.context import Context

_LISTED = "(SELECT value FROM json_each(?1))"
# Verdicts that were ever given on pairs, by their first memory, but for those of rules.
_BY_OTHERS = (
    "SELECT json_extract(b.after, '$.verdict.a'), json_extract(b.after, '$.verdict.b') FROM journal_items i "
    "JOIN journal j ON j.id = i.journal_id JOIN item_states st ON st.item_id = i.id "
    f"JOIN bodies b ON b.item_id = i.id WHERE i.memory_id IN {_LISTED} AND j.kind = 'resolved' "
    "AND j.actor NOT GLOB 'rule:*' AND st.state NOT IN ('failed', 'refused') "
    f"UNION SELECT a, b FROM verdicts WHERE a IN {_LISTED} AND actor NOT GLOB 'rule:*'"
)
# When a text was changed last; one that was only undone is as old as it was.
_EDITED = (
    "SELECT i.memory_id, max(j.at) FROM journal_items i JOIN journal j ON j.id = i.journal_id "
    f"JOIN item_states st ON st.item_id = i.id WHERE i.memory_id IN {_LISTED} AND st.state = 'done' "
    "AND st.undone_by IS NULL AND j.kind <> 'undone' AND "
    "json_extract(i.fields, '$.content[0]') <> json_extract(i.fields, '$.content[1]') GROUP BY i.memory_id"
)
_WAITING = f"SELECT memory_id FROM rule_queue WHERE memory_id IN {_LISTED}"


@dataclass(frozen=True, slots=True)
class Decided:
    """A pair that a rule settles: who stays, and who leaves."""

    pair: Pair
    rule: Rule
    winner: MirrorRow
    loser: MirrorRow


def decided(ctx: Context, rules: Sequence[Rule], ids: Collection[int]) -> Iterator[Decided]:
    """Yield the open contradictions of these memories that rules settle: of several rules that match both
    memories the first decides, or leaves the pair alone."""
    settling = [(rule, str(each.value)) for rule in rules for each in rule.actions if each.kind == SETTLE]
    pairs = queue.listed(ctx, family=CONTRADICTION, memories=ids) if settling and ids else []
    if not pairs:
        return
    ends = sorted({id for pair in pairs for id in (pair.a, pair.b)})
    matched = base.judged(ctx, [rule.when for rule, _ in settling], ends, ctx.clock())
    rows = {row.id: row for row in memory_rows.load(ctx.db, ends)}
    sides, stores = _sides(ctx, rows), store_rows.by_id(ctx.db)
    left = _left_alone(ctx, pairs)
    for pair in pairs:
        both = {pair.a, pair.b}
        first = next(
            (each for each, found in zip(settling, matched, strict=True) if found and both <= found), None
        )
        if first is None or (pair.a, pair.b) in left:
            continue
        rule, how = first
        stays = winner(how, pair, sides[pair.a], sides[pair.b])
        if stays is None or any(is_high_risk(rows[id].memory) for id in both):
            continue
        won, lost = rows[(pair.a, pair.b)[stays]], rows[(pair.b, pair.a)[stays]]
        # What the rule pins or dismisses itself comes first.
        if lost.memory.pinned or any(each.kind in (PIN, DISMISS) for each in rule.actions):
            continue
        if not blocked_reason(ctx, "supersede", lost, stores[lost.store_id]):
            yield Decided(pair, rule, won, lost)


def _sides(ctx: Context, rows: dict[int, MirrorRow]) -> dict[int, Side]:
    """Return memories with when their texts were stated, of which no rule's change counts."""
    edited: dict[int, float] = dict(ctx.db.rows(_EDITED, (json.dumps(list(rows)),)))
    bases = kept.read(ctx.db, rows)
    sides = {}
    for id, row in rows.items():
        at = kept.without(bases.get(id, {}), TIME, row.memory.updated_at)
        sides[id] = Side(replace(row.memory, updated_at=at), edited.get(id, 0.0))
    return sides


def _left_alone(ctx: Context, pairs: Iterable[Pair]) -> set[tuple[int, int]]:
    """Return the pairs that a rule settled before, or somebody else ever gave a verdict on."""
    firsts = list({pair.a for pair in pairs})
    known = [(id, action.partition(":")) for id, _, action in held.exceptions(ctx, firsts)]
    by_rules = {(id, int(other)) for id, (kind, _, other) in known if kind == SETTLE}
    return by_rules | set(ctx.db.rows(_BY_OTHERS, (json.dumps(firsts),)))


def settle(ctx: Context, rules: Sequence[Rule], ids: Collection[int]) -> set[int]:
    """Settle what rules settle of these memories; return those to try again soon. Where the other one is
    still to be judged, or being written, the pair waits: a rule may pin it."""
    later: set[int] = set()
    found = list(decided(ctx, rules, ids))
    if not found:
        return later
    ends = json.dumps([id for each in found for id in (each.pair.a, each.pair.b)])
    waiting = {row[0] for row in ctx.db.rows(_WAITING, (ends,))} - set(ids) | held.written_now(ctx)
    for each in found:
        pair = queue.row(ctx, each.pair.id)
        if pair is None or pair.state != "open" or waiting & {pair.a, pair.b}:
            continue

        def begun(entry_id: int, each: Decided = each) -> None:
            _note(ctx, each, entry_id)

        try:
            verdicts.settle(
                as_rule(ctx, each.rule.name),
                pair.id,
                KEEP_A if each.winner.id == pair.a else KEEP_B,
                on_begun=begun,
                journals_refusal=False,
            )
        except Refused as refused:
            later |= {pair.a, pair.b} & set(ids) if refused.code in AGAIN else set()
        except OSError:
            later |= {pair.a, pair.b} & set(ids)
    return later


def _note(ctx: Context, each: Decided, entry_id: int) -> None:
    """Note that a rule settles a pair, which no rule does again."""
    sql = "SELECT id FROM journal_items WHERE journal_id = ? AND memory_id = ?"
    row = (each.pair.a, each.rule.id, f"{SETTLE}:{each.pair.b}", ctx.db.one(sql, (entry_id, each.pair.a)))
    names = ("memory_id", "rule_id", "action", "item_id")
    ctx.db.insert_many(RuleException, names, [row], replace=True)
