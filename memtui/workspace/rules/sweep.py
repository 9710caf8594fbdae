"""Applying the rules: memory by memory, in the background and after every change (S-60).

For each memory that is queued, what the rules want of it is worked out from its base, compared with what they
have set, and the difference is written: each as a journal entry with the rule as its actor.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from memtui.errors import QueryError
from memtui.memory.memory import LIVE
from memtui.memory.rules.rule import DISMISS, INBOX, SETTINGS, Action, Rule
from memtui.workspace.background import JobControl
from memtui.workspace.changes import rule_rows
from memtui.workspace.db.database import translate_errors
from memtui.workspace.db.models import Checkpoint, RuleQueue
from memtui.workspace.mirror import memory_rows
from memtui.workspace.rules import base, held
from memtui.workspace.rules.writing import Wanted, dismiss, remove, set_fields

if TYPE_CHECKING:
    from memtui.workspace.context import Context

BATCH = 200  # memories of a batch
_DUE = 3_600.0  # seconds after which all memories are judged again: some conditions come true in time
_SWEPT = "rules"  # the checkpoint of that
_QUEUE_ALL = "INSERT OR IGNORE INTO rule_queue (memory_id) SELECT id FROM memories"


def run(ctx: Context, control: JobControl | None = None) -> int:
    """Apply the rules to the queued memories until `control` stops it; return how many were judged. Raise
    Refused if the workspace is read-only."""
    ctx.writable()
    control, done = control or JobControl(), 0
    with translate_errors(ctx.path):
        _queue_all_if_due(ctx)
        while not control.stop() and (ids := _queued(ctx)):
            with ctx.writing:
                ctx.finish_writes()
                apply(ctx, ids)
            done += len(ids)
            control.report(done, waiting(ctx))
            control.wait()
    return done


def apply_few(ctx: Context) -> None:
    """Apply the rules after a change, where it concerns few memories; the sweep does the others."""
    ids = [row[0] for row in ctx.db.rows("SELECT memory_id FROM rule_queue LIMIT ?", (BATCH + 1,))]
    if 0 < len(ids) <= BATCH:
        apply(ctx, ids)


def waiting(ctx: Context) -> int:
    """Return how many memories are not judged yet."""
    return int(ctx.db.one("SELECT count(*) FROM rule_queue") or 0)


def _queued(ctx: Context) -> list[int]:
    return [row[0] for row in ctx.db.rows("SELECT memory_id FROM rule_queue LIMIT ?", (BATCH,))]


def _queue_all_if_due(ctx: Context) -> None:
    if not any(rule.on for rule in rule_rows.listed(ctx)):
        return
    last = ctx.db.find(Checkpoint, _SWEPT)
    if last is None or ctx.clock() - last.at >= _DUE:
        with ctx.writing, ctx.db.atomic():
            ctx.db.run(_QUEUE_ALL)
            ctx.db.write(Checkpoint.insert(name=_SWEPT, entry_id=0, at=ctx.clock()).on_conflict_replace())


def apply(ctx: Context, ids: Sequence[int]) -> None:
    """Apply the rules to these memories, and take them off the queue."""
    rules = [rule for rule in rule_rows.listed(ctx) if rule.on]
    rows = {row.id: row for row in memory_rows.load(ctx.db, ids)}
    live = [id for id, row in rows.items() if row.removed_at is None and row.memory.status in LIVE]
    held.let_go_of_changed(ctx, live)
    in_inbox = [each for each in held.of(ctx, live) if each.action == INBOX]
    held.drop(ctx, held.confirmed_since(ctx, in_inbox), excepted=True)  # a person has dealt with it
    wanted = _wanted(ctx, rules, live)
    now = held.of(ctx, live)
    names = {rule.id: rule.name for rule in rules}
    gone = [
        each
        for each in now
        if (want := wanted.get((each.memory_id, each.action))) is None
        or (want.rule.id, want.action.text) != (each.rule_id, each.done)
    ]
    confirmed = held.confirmed_since(ctx, gone)
    held.drop(ctx, [each for each in gone if each in confirmed], excepted=True)
    remove(ctx, [each for each in gone if each not in confirmed], names)
    have = {(each.memory_id, each.action) for each in held.of(ctx, live)}
    new = [want for key, want in wanted.items() if key not in have and key[1] != DISMISS]
    _set(ctx, new)
    dismiss(ctx, [want for key, want in wanted.items() if key[1] == DISMISS])
    # What was written has queued its memories again.
    ctx.db.delete_many(RuleQueue, ("memory_id",), [(id,) for id in ids])


def _wanted(ctx: Context, rules: Iterable[Rule], ids: Sequence[int]) -> dict[tuple[int, str], Wanted]:
    """Return what the rules want, by memory and kind of action: of several rules the first."""
    wanted: dict[tuple[int, str], Wanted] = {}
    excepted = held.exceptions(ctx, ids)
    for rule in rules:
        try:
            found = base.matching(ctx, rule.when, ids, ctx.clock())
        except QueryError:  # of a later version of memtui: shown with the rule
            continue
        for action in rule.actions:
            for id in found:
                if (id, rule.id, action.kind) not in excepted:
                    wanted.setdefault((id, action.kind), Wanted(id, rule, action))
    return wanted


def _set(ctx: Context, wanted: Sequence[Wanted]) -> None:
    """Do what rules want, rule by rule and action by action; what cannot be done is left."""
    groups: dict[tuple[int, Action], list[Wanted]] = {}
    for each in wanted:
        groups.setdefault((each.rule.id, each.action), []).append(each)
    for (_, action), group in groups.items():
        if action.kind in SETTINGS:
            set_fields(ctx, group)
        else:
            held.note(ctx, group)
