"""Adding, editing, ordering and removing rules: each is one journal entry that can be undone (S-60)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from memtui.memory.results import Change
from memtui.memory.rules import wording
from memtui.memory.rules.checks import checked_actions, checked_name, checked_note
from memtui.memory.rules.file.wording_project import from_file
from memtui.memory.rules.rule import OF_STORE, SETTLE, Action, Rule
from memtui.memory.rules.settling import is_named
from memtui.memory.rules.wording_actions import stays
from memtui.values import Fields
from memtui.workspace.changes.own_records import own_states, rule_rows
from memtui.workspace.journal.items import RULE
from memtui.workspace.search.lexical import parse_query
from memtui.workspace.stores import catalog

if TYPE_CHECKING:
    from memtui.workspace.context import Context

MOST = 500  # rules


def find(ctx: Context, name: str) -> Rule:
    """Return the rule of a name, in any case; raise Refused if there is none."""
    rules = rule_rows.listed(ctx)
    found = [rule for rule in rules if rule.name.casefold() == name.strip().casefold()]
    if not found:
        raise wording.no_rule(name, [rule.name for rule in rules])
    return found[0]


def draft(
    ctx: Context, name: str, when: str, actions: Sequence[str], note: str = "", known: Rule | None = None
) -> Rule:
    """Return a rule that can be kept, in the place of `known`; raise Refused or QueryError for another."""
    rules = rule_rows.listed(ctx)
    name, note, when = checked_name(name), checked_note(note), when.strip()
    taken = (rule for rule in rules if known is None or rule.id != known.id)
    if any(rule.name.casefold() == name.casefold() for rule in taken):
        raise wording.name_taken(name)
    if parse_query(when).is_empty:
        raise wording.no_query()
    parsed = checked_actions(actions)
    refuse_unknown_store(ctx, parsed)
    if known is not None:
        return replace(known, name=name, when=when, actions=parsed, note=note)
    if len(rules) >= MOST:
        raise wording.too_many(MOST)
    position = max((rule.position for rule in rules if not rule.source), default=0) + 1
    return Rule(rule_rows.next_id(ctx), name, when, parsed, note, position)


def own(ctx: Context) -> list[Rule]:
    """Return the rules that a person keeps, in their order: they come before those of projects' files."""
    return [rule for rule in rule_rows.listed(ctx) if not rule.source]


def _find_own(ctx: Context, name: str) -> Rule:
    """Return the rule of a name; raise Refused if it comes from a project's file, too."""
    rule = find(ctx, name)
    if rule.source:
        raise from_file(rule.name, rule.source)
    return rule


def refuse_unknown_store(ctx: Context, actions: Sequence[Action]) -> None:
    """Raise Refused if what is settled in favour of a store names one that is not attached."""
    for action in actions:
        if action.kind == SETTLE and str(action.value).startswith(OF_STORE):
            name, known = str(action.value).removeprefix(OF_STORE), [s.name for s in catalog.attached(ctx)]
            if not any(is_named(name, store) for store in known):
                raise wording.unknown_store(name, known)


def add(ctx: Context, name: str, when: str, actions: Sequence[str], note: str) -> Change:
    """Add a rule, off at first."""
    ctx.writable()
    rule = draft(ctx, name, when, actions, note)
    return change(ctx, "rule-added", wording.added(rule.name), {rule.id: rule})


def edit(
    ctx: Context,
    name: str,
    new_name: str | None,
    when: str | None,
    actions: Sequence[str] | None,
    note: str | None,
) -> Change:
    """Change a rule; what is None stays."""
    ctx.writable()
    rule = _find_own(ctx, name)
    new = draft(
        ctx,
        rule.name if new_name is None else new_name,
        rule.when if when is None else when,
        [each.text for each in rule.actions] if actions is None else actions,
        rule.note if note is None else note,
        known=rule,
    )
    if new == rule:
        raise wording.nothing_changed()
    return change(ctx, "rule-edited", wording.edited(new.name), {rule.id: new})


def remove(ctx: Context, name: str) -> Change:
    """Remove a rule."""
    ctx.writable()
    rule = _find_own(ctx, name)
    return _with_acts(change(ctx, "rule-removed", wording.removed(rule.name), {rule.id: None}), rule)


def turn(ctx: Context, name: str, on: bool) -> Change:
    """Switch a rule on or off."""
    ctx.writable()
    rule = find(ctx, name)
    if rule.on == on:
        raise wording.is_already(rule.name, on=on)
    turned = change(ctx, "rule-edited", wording.turned(rule.name, on=on), {rule.id: replace(rule, on=on)})
    return turned if on else _with_acts(turned, rule)


def _with_acts(change: Change, rule: Rule) -> Change:
    """Return a change that ends what a rule does, with what stays of it in its words, if it was on."""
    kinds = [each.kind for each in rule.actions] if rule.on else ()
    return replace(change, summary=change.summary + stays(kinds))


def move(ctx: Context, name: str, by: int) -> Change:
    """Move a rule by so many places in the order."""
    ctx.writable()
    rule, rules = _find_own(ctx, name), own(ctx)
    at = [each.id for each in rules].index(rule.id)
    to = min(max(at + by, 0), len(rules) - 1)
    if to == at:
        raise wording.no_further(rule.name, up=by < 0)
    rules.insert(to, rules.pop(at))
    moved: dict[int, Rule | None] = {
        each.id: replace(each, position=place)
        for place, each in enumerate(rules, 1)
        if each.position != place
    }
    return change(ctx, "rule-edited", wording.moved(rule.name, to + 1), moved)


def change(
    ctx: Context,
    kind: str,
    summary: str,
    rules: Mapping[int, Rule | None],
    others: Sequence[tuple[str, str, Fields]] = (),
) -> Change:
    """Set the rules with these ids, None removes one, and other states by kind, key and fields, as one entry
    of the journal."""
    store = int(ctx.db.one("SELECT id FROM stores WHERE format = 'native'"))
    states = [
        own_states.State(RULE, str(id), store, rule_rows.fields_of(rule) if rule is not None else {})
        for id, rule in rules.items()
    ]
    states += [own_states.State(name, key, store, fields) for name, key, fields in others]
    return Change(kind, (), summary, own_states.change(ctx, kind, summary, states))
