"""What rules hold of memories now, and what they leave alone (S-60)."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from memtui.workspace.db.models import RuleException, RuleSetting
from memtui.workspace.journal.items import next_item
from memtui.workspace.rules import kept, leaving

if TYPE_CHECKING:
    from memtui.workspace.changes.change_item import ChangeItem
    from memtui.workspace.context import Context
    from memtui.workspace.rules.writing import Wanted

GOING = ""  # instead of what was done, while it is taken back
_LISTED = "(SELECT value FROM json_each(?))"
_STATES = (
    "SELECT s.memory_id, s.action, st.state FROM rule_settings s "
    f"JOIN item_states st ON st.item_id = s.item_id WHERE s.memory_id IN {_LISTED}"
)
# An act that came to nothing, or that a rule took back itself, is none.
_EXCEPTED = (
    "SELECT e.memory_id, e.rule_id, e.action FROM rule_exceptions e "
    "LEFT JOIN item_states st ON st.item_id = e.item_id LEFT JOIN journal j ON j.id = st.undone_by "
    f"WHERE e.memory_id IN {_LISTED} AND coalesce(st.state, 'done') NOT IN ('failed', 'refused') "
    "AND NOT (coalesce(j.actor, '') GLOB 'rule:*' AND (e.action = 'dismiss' OR e.action GLOB 'settle:*'))"
)
_UNDONE = (
    "SELECT e.memory_id, e.rule_id, e.action, e.held FROM rule_exceptions e "
    f"JOIN item_states st ON st.item_id = e.item_id WHERE e.memory_id IN {_LISTED} "
    "AND e.held IS NOT NULL AND st.undone_by IS NOT NULL"
)
_NAMES = "SELECT id, name FROM rules"
_LAST_CHANGE = (
    "SELECT i.memory_id, max(i.id) FROM journal_items i JOIN item_states st ON st.item_id = i.id "
    f"WHERE i.memory_id IN {_LISTED} AND st.state = 'done' AND st.undone_by IS NULL GROUP BY i.memory_id"
)
_WRITTEN_NOW = (
    "SELECT DISTINCT i.memory_id FROM outbox o JOIN journal_items i ON i.id = o.item_id "
    "WHERE o.state = 'intended'"
)
_CONFIRMED = (
    "SELECT 1 FROM journal_items i JOIN journal j ON j.id = i.journal_id "
    "JOIN item_states st ON st.item_id = i.id WHERE i.memory_id = ? AND i.id > ? AND j.actor = 'person' "
    "AND j.kind = 'confirmed' AND st.state = 'done' AND st.undone_by IS NULL LIMIT 1"
)


class Held(NamedTuple):
    """One setting of a memory that a rule made."""

    memory_id: int
    action: str
    rule_id: int
    rule: str
    done: str
    item_id: int | None
    since: int

    @property
    def text(self) -> str:
        """The action as it is typed."""
        return self.done.partition("\n")[0]


def of(ctx: Context, ids: Sequence[int]) -> list[Held]:
    """Return what rules hold of these memories."""
    sql = f"SELECT {', '.join(Held._fields)} FROM rule_settings WHERE memory_id IN {_LISTED}"
    return [Held(*row) for row in ctx.db.rows(sql, (json.dumps(list(ids)),))]


def exceptions(ctx: Context, ids: Sequence[int]) -> set[tuple[int, int, str]]:
    """Return what is not done again: memory, rule and kind of action."""
    return set(ctx.db.rows(_EXCEPTED, (json.dumps(list(ids)),)))


def written_now(ctx: Context) -> set[int]:
    """Return the memories of which a change is under way, or could not be settled yet."""
    return {row[0] for row in ctx.db.rows(_WRITTEN_NOW)}


def note(ctx: Context, wanted: Sequence[Wanted], items: Sequence[int | None] = ()) -> None:
    """Note what rules hold from now on, with the items of the journal that set it."""
    last = next_item(ctx.db) - 1  # what is confirmed later is dealt with
    rows = [
        (want.memory_id, want.action.kind, want.rule.id, want.rule.name, want.done, item, want.since or last)
        for want, item in zip(wanted, items or [None] * len(wanted), strict=True)
    ]
    ctx.db.insert_many(RuleSetting, Held._fields, rows, replace=True)


def note_going(ctx: Context, kind: str, items: Sequence[ChangeItem]) -> None:
    """Note that these items take a kind of setting back."""
    rows = [(GOING, item.item_id, item.memory_id, kind) for item in items]
    ctx.db.update_many(RuleSetting, ("done", "item_id"), ("memory_id", "action"), rows)


def settle(ctx: Context, ids: Sequence[int]) -> None:
    """Bring what is held of these memories up to date: with writes that came to nothing or were interrupted,
    and with what somebody changed, or undid, since: the rule leaves that from then on, and holds it again
    once that is undone in its turn."""
    except_from(ctx, changed(ctx, ids), again=True)
    hold_again(ctx, ids)


def changed(ctx: Context, ids: Sequence[int]) -> list[Held]:
    """Return what is held of these memories that somebody changed since; forget what came to nothing."""
    kept.finish(ctx.db, ids)
    states = {row[:2]: row[2] for row in ctx.db.rows(_STATES, (json.dumps(list(ids)),))}
    gone, found = [], []
    bases, now = kept.read(ctx.db, ids), kept.columns_of(ctx.db, ids)
    for each in of(ctx, ids):
        state = states.get(each[:2], "done")
        if state == "done" if each.done == GOING else state != "done":
            gone.append(each)
        elif _is_changed(each, bases.get(each.memory_id, {}), now[each.memory_id]):
            found.append(each)
    drop(ctx, gone)
    return found


def _is_changed(each: Held, columns: kept.Kept, now: dict[str, object]) -> bool:
    names = kept.COLUMNS.get(each.action, ())
    return any(name in columns and columns[name][1] != now[name] for name in names)


def hold_again(ctx: Context, ids: Sequence[int]) -> None:
    """Hold again what somebody had changed, where that is undone."""
    found = ctx.db.rows(_UNDONE, (json.dumps(list(ids)),))
    if not found:
        return
    now, bases = kept.columns_of(ctx.db, ids), kept.read(ctx.db, ids)
    taken = {each[:2] for each in of(ctx, ids)}
    rules: dict[int, str] = dict(ctx.db.rows(_NAMES))
    rows, gone = [], []
    for memory_id, rule_id, action, text in found:
        (rule, done, item, since), columns = json.loads(text)
        same = all(now[memory_id][name] == entry[1] for name, entry in columns.items())
        if same and (memory_id, action) not in taken:
            rows.append(Held(memory_id, action, rule_id, rules.get(rule_id, rule), done, item, since))
            bases.setdefault(memory_id, {}).update(columns)
            gone.append((memory_id, rule_id, action))
    with ctx.db.atomic():
        kept.write(ctx.db, {row.memory_id: bases[row.memory_id] for row in rows})
        ctx.db.insert_many(RuleSetting, Held._fields, rows)
        ctx.db.delete_many(RuleException, ("memory_id", "rule_id", "action"), gone)


def confirmed_since(ctx: Context, held: Iterable[Held]) -> set[Held]:
    """Return those whose memory a person confirmed since: they stay, as the person's."""
    return {each for each in held if ctx.db.one(_CONFIRMED, (each.memory_id, each.since))}


def drop(ctx: Context, held: Collection[Held]) -> None:
    """Forget that rules hold these, and what was before."""
    if not held:
        return
    with ctx.db.atomic():
        bases = kept.read(ctx.db, {each.memory_id for each in held})
        for each in held:
            for name in kept.COLUMNS.get(each.action, ()):
                bases.get(each.memory_id, {}).pop(name, None)
        kept.write(ctx.db, bases)
        ctx.db.delete_many(RuleSetting, ("memory_id", "action"), [each[:2] for each in held])


def except_from(ctx: Context, held: Collection[Held], *, again: bool) -> None:
    """Forget that rules hold these, which they do not set again, and journal what stays; with `again`, they
    hold them again once the change that brought this is undone, else a person confirmed the memories."""
    if not held:
        return
    ids = {each.memory_id for each in held}
    bases = kept.read(ctx.db, ids)
    last: dict[int, int] = dict(ctx.db.rows(_LAST_CHANGE, (json.dumps(list(ids)),)))
    rows = []
    for each in held:
        found = bases.get(each.memory_id, {})
        columns = {name: found[name][:2] for name in kept.COLUMNS.get(each.action, ()) if name in found}
        text = json.dumps([[each.rule, each.done, each.item_id, each.since], columns]) if again else None
        rows.append((each.memory_id, each.rule_id, each.action, last.get(each.memory_id), text))
    names = ("memory_id", "rule_id", "action", "item_id", "held")
    with ctx.db.atomic():
        drop(ctx, held)
        leaving.journal(ctx, [each for each in held if each.action in kept.COLUMNS], confirmed=not again)
        ctx.db.insert_many(RuleException, names, rows, replace=True)
