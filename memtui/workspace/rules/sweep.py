"""Applying the rules: memory by memory, in the background and after every change (S-60).

For each memory that is queued, what the rules want of it is worked out from its base, compared with what they
have set, and the difference is written: each as a journal entry with the rule as its actor. What was written,
or changed meanwhile, stays on the queue and is judged again; nothing is left to do then.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from memtui.errors import Refused
from memtui.memory.memory import LIVE
from memtui.memory.rules.rule import ACTS, DISMISS, INBOX, REDACT, REFUSE, SETTINGS, Action, Rule
from memtui.workspace.background import JobControl
from memtui.workspace.changes.own_records import rule_rows
from memtui.workspace.db import rule_queue
from memtui.workspace.db.database import translate_errors
from memtui.workspace.db.models import Checkpoint, RuleQueue
from memtui.workspace.mirror import memory_rows
from memtui.workspace.rules import base, held, redacting, settling
from memtui.workspace.rules.held import Held
from memtui.workspace.rules.kept import COLUMNS
from memtui.workspace.rules.writing import Wanted, dismiss, hold, remove, set_fields

if TYPE_CHECKING:
    from memtui.workspace.context import Context

BATCH = 200  # memories of a batch
_LAPS = 3  # through the queue at once: what is still there then waits for the next sweep
_DUE = 3_600.0  # seconds after which all memories are judged again: some conditions come true in time
_SWEPT = "rules"  # the checkpoint of that
_PATIENCE = 0.2  # seconds to wait for another memtui that applies or decides what rules are about
_PERSISTENCE = 5.0  # seconds after which a sweep gives up; between its tries other threads may write
_REST = 0.05  # seconds after a batch, at most: others that wait for their turn look every 5 ms
_SHARE = 0.1  # of a batch's time, for that rest


def run(ctx: Context, control: JobControl | None = None) -> int:
    """Apply the rules to the queued memories until `control` stops it; return how many were judged. Raise
    Refused if the workspace is read-only."""
    ctx.writable()
    control, done = control or JobControl(), 0
    duplicates = base.Duplicates(ctx, ctx.clock())
    with translate_errors(ctx.path):
        _queue_all_if_due(ctx)
        for _ in range(_LAPS):
            last = 0
            while not control.stop() and (queued := _queued(ctx, last)):
                last = max(queued)
                began = time.monotonic()
                _apply_patiently(ctx, queued, duplicates, control)
                control.nap(min(_REST, _SHARE * (time.monotonic() - began)))
                done += len(queued)
                control.report(done, waiting(ctx))
                control.wait()
    return done


def _apply_patiently(
    ctx: Context, queued: Mapping[int, int], duplicates: base.Duplicates, control: JobControl
) -> None:
    """Apply the rules to a batch; raise Refused if other processes let it have no turn."""
    end = time.monotonic() + _PERSISTENCE
    while True:
        try:
            with ctx.writing:
                ctx.finish_writes()
                return apply(ctx, queued, duplicates)
        except Refused as refused:
            if refused.code != "busy" or time.monotonic() > end or control.stop():
                raise
            control.nap(_REST)


def apply_few(ctx: Context) -> None:
    """Apply the rules after a change, where it concerns few memories; the sweep does the others, and what
    fails."""
    with suppress(Refused, OSError), translate_errors(ctx.path):
        for _ in range(2):
            queued = _queued(ctx, 0, BATCH + 1)
            if not 0 < len(queued) <= BATCH:
                return
            apply(ctx, queued)


def waiting(ctx: Context) -> int:
    """Return how many memories are not judged yet."""
    return int(ctx.db.one("SELECT count(*) FROM rule_queue") or 0)


def _queued(ctx: Context, after: int, most: int = BATCH) -> dict[int, int]:
    """Return the next memories of the queue, each with its turn."""
    sql = "SELECT memory_id, turn FROM rule_queue WHERE memory_id > ? ORDER BY memory_id LIMIT ?"
    return dict(ctx.db.rows(sql, (after, most)))


def _queue_all_if_due(ctx: Context) -> None:
    """Queue all memories once an hour while a rule is on, or holds something that could not be taken back."""
    if not ctx.db.one(
        "SELECT EXISTS (SELECT 1 FROM rules WHERE is_on) OR EXISTS (SELECT 1 FROM rule_settings)"
    ):
        return
    last = ctx.db.find(Checkpoint, _SWEPT)
    if last is None or not 0 <= ctx.clock() - last.at < _DUE:
        with ctx.writing, ctx.db.atomic():
            ctx.db.run(rule_queue.ALL)
            ctx.db.write(Checkpoint.insert(name=_SWEPT, entry_id=0, at=ctx.clock()).on_conflict_replace())


def apply(ctx: Context, queued: Mapping[int, int], duplicates: base.Duplicates | None = None) -> None:
    """Apply the rules to these memories, and take off the queue those that nobody changed meanwhile. Raise
    Refused if another memtui is applying them."""
    with ctx.leases.alone(_PATIENCE):
        under_way = held.written_now(ctx)
        free = {id: turn for id, turn in queued.items() if id not in under_way}
        later = _apply(ctx, list(free), duplicates) if free else set()
        judged = [(id, turn) for id, turn in free.items() if id not in later]
        with ctx.db.unsynced(), ctx.db.atomic():  # what a power cut brings back is judged again
            ctx.db.delete_many(RuleQueue, ("memory_id", "turn"), judged)


def _apply(ctx: Context, ids: Sequence[int], duplicates: base.Duplicates | None) -> set[int]:
    """Apply the rules to these memories; return those to try again soon."""
    rules = [rule for rule in rule_rows.listed(ctx) if rule.on]
    live = [
        row.id
        for row in memory_rows.load(ctx.db, ids)
        if row.removed_at is None and row.memory.status in LIVE
    ]
    held.settle(ctx, live)
    redacting.forget_refused(ctx, live)
    in_inbox = [each for each in held.of(ctx, live) if each.action == INBOX]
    held.except_from(ctx, held.confirmed_since(ctx, in_inbox), again=False)  # a person has dealt with it
    while True:
        wanted, unread = _wanted(ctx, rules, live, duplicates)
        gone = [each for each in held.of(ctx, live) if each.rule_id not in unread and _is_gone(each, wanted)]
        if not (confirmed := held.confirmed_since(ctx, (each for each in gone if each.action in COLUMNS))):
            break
        held.except_from(ctx, confirmed, again=False)  # now the person's, so that other rules look at it
    gone += _set_anew(wanted, [each for each in held.of(ctx, live) if each not in gone])
    redacted, later = redacting.redact(ctx, [want for key, want in wanted.items() if key[1] == REDACT])
    # Those changed, and wait to be judged anew.
    gone = [each for each in gone if each.memory_id not in redacted]
    wanted = {key: want for key, want in wanted.items() if key[0] not in redacted}
    names = {rule.id: rule.name for rule in rules}
    later |= remove(ctx, gone, names)
    have = {(each.memory_id, each.action) for each in held.of(ctx, live)}
    later |= _set(ctx, [want for key, want in wanted.items() if key not in have and key[1] not in ACTS])
    later |= dismiss(ctx, [want for key, want in wanted.items() if key[1] == DISMISS])
    return later | settling.settle(ctx, rules, set(live) - later - redacted)


def _set_anew(wanted: dict[tuple[int, str], Wanted], have: Iterable[Held]) -> list[Held]:
    """Return what is as its rule wants it, but tells of the rule what it no longer says; once it is taken
    back, it is set anew, and held since when it was."""
    told = []
    for each in have:
        key = (each.memory_id, each.action)
        if not _is_gone(each, wanted) and wanted[key].done != each.done:
            wanted[key] = replace(wanted[key], since=each.since)
            told.append(each)
    return told


def _is_gone(each: Held, wanted: Mapping[tuple[int, str], Wanted]) -> bool:
    """Return whether what a rule holds is wanted no more, or otherwise."""
    want = wanted.get((each.memory_id, each.action))
    return want is None or (want.rule.id, want.action.text) != (each.rule_id, each.text)


def _wanted(
    ctx: Context, rules: Sequence[Rule], ids: Sequence[int], duplicates: base.Duplicates | None
) -> tuple[dict[tuple[int, str], Wanted], set[int]]:
    """Return what the rules want, by memory and kind of action: of several rules the first; and the rules
    whose query cannot be read, as of a later memtui: what they hold stays."""
    wanted: dict[tuple[int, str], Wanted] = {}
    excepted, unread = held.exceptions(ctx, ids), set()
    matched = base.judged(ctx, [rule.when for rule in rules], ids, ctx.clock(), duplicates)
    for rule, found in zip(rules, matched, strict=True):
        if found is None:
            unread.add(rule.id)
            continue
        for action in rule.actions:
            for id in found if action.kind != REFUSE else ():
                if (id, rule.id, action.kind) not in excepted:
                    wanted.setdefault((id, action.kind), Wanted(id, rule, action))
    return wanted, unread


def _set(ctx: Context, wanted: Iterable[Wanted]) -> set[int]:
    """Do what rules want, rule by rule and action by action; return the memories to try again soon."""
    groups: dict[tuple[int, Action], list[Wanted]] = {}
    for each in wanted:
        groups.setdefault((each.rule.id, each.action), []).append(each)
    later: set[int] = set()
    for (_, action), group in groups.items():
        if action.kind in SETTINGS:
            later |= set_fields(ctx, group)
        else:
            hold(ctx, group)
    return later
