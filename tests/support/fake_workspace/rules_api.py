"""Rules: kept and ordered as the real workspace does, but not applied; a trial is a search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from memtui.memory.query.language import parse
from memtui.memory.results import Change
from memtui.memory.rules import wording
from memtui.memory.rules.file.trusting import TrustedFile
from memtui.memory.rules.rule import MAX_NAME, MAX_NOTE, Action, Rule, fields_of, parse_action
from memtui.memory.rules.trial import RuleCounts, Touched, Trial
from memtui.text import is_clean
from memtui.workspace.background import JobControl
from tests.support.fake_workspace.base import label
from tests.support.fake_workspace.graph_api import GraphApi


class RulesApi(GraphApi):
    """The verbs for rules; their entries cannot be undone here."""

    def rules(self) -> list[Rule]:
        self._gate("rules")
        self._raise_error("rules")
        return list(self.kept_rules)

    def rule_files(self) -> list[TrustedFile]:
        return []

    def rule_counts(self) -> dict[int, RuleCounts]:
        return {rule.id: self.rule_held.get(rule.id, RuleCounts()) for rule in self.kept_rules}

    def add_rule(self, name: str, when: str, actions: Sequence[str], note: str = "") -> Change:
        self._require_writable()
        new = Rule(max((r.id for r in self.kept_rules), default=0) + 1, "", "", ())
        rule = self._draft(new, name, when, actions, note)
        position = max((each.position for each in self.kept_rules), default=0) + 1
        self.kept_rules.append(replace(rule, position=position))
        return self._noted("rule-added", wording.added(rule.name))

    def edit_rule(
        self,
        name: str,
        *,
        new_name: str | None = None,
        when: str | None = None,
        actions: Sequence[str] | None = None,
        note: str | None = None,
    ) -> Change:
        self._require_writable()
        at = self._place_of(name)
        old = self.kept_rules[at]
        kept = [each.text for each in old.actions]
        new = self._draft(
            old,
            old.name if new_name is None else new_name,
            old.when if when is None else when,
            kept if actions is None else actions,
            old.note if note is None else note,
        )
        if new == old:
            raise wording.nothing_changed()
        self.kept_rules[at] = new
        return self._noted("rule-edited", wording.edited(new.name))

    def remove_rule(self, name: str) -> Change:
        self._require_writable()
        rule = self.kept_rules.pop(self._place_of(name))
        return self._noted("rule-removed", wording.removed(rule.name))

    def turn_rule(self, name: str, *, on: bool) -> Change:
        self._require_writable()
        at = self._place_of(name)
        rule = self.kept_rules[at]
        if rule.on == on:
            raise wording.is_already(rule.name, on=on)
        self.kept_rules[at] = replace(rule, on=on)
        return self._noted("rule-edited", wording.turned(rule.name, on=on))

    def move_rule(self, name: str, by: int) -> Change:
        self._require_writable()
        at = self._place_of(name)
        to = min(max(at + by, 0), len(self.kept_rules) - 1)
        rule = self.kept_rules[at]
        if to == at:
            raise wording.no_further(rule.name, up=by < 0)
        self.kept_rules.insert(to, self.kept_rules.pop(at))
        self.kept_rules[:] = [replace(each, position=n) for n, each in enumerate(self.kept_rules, 1)]
        return self._noted("rule-edited", wording.moved(rule.name, to + 1))

    def try_rule(self, rule: Rule) -> Trial:
        self._gate("try_rule")
        self._raise_error("try_rule")
        if rule.name in self.trials:
            return self.trials[rule.name]
        found = self.search(rule.when).ids
        self.searches.pop()
        stores = Counter(self.memories[id].store for id in found)
        touched = [
            Touched(id, m.uid, m.store, label(m), tuple(self._changes(rule, id)))
            for id, m in ((id, self.memories[id]) for id in found)
        ]
        return Trial(len(found), stores.most_common(), touched, (), (), only_refuses=rule.only_refuses)

    def apply_rules(self, control: JobControl | None = None) -> int:
        self._require_writable()
        with suppress(InterruptedError):
            self._gate("apply_rules", control.stop if control is not None else None)
        return 0

    def _changes(self, rule: Rule, id: int) -> list[tuple[str, object, object]]:
        memory = self.memories[id]
        fields = [
            (name, getattr(memory, name), value)
            for action in rule.actions
            for name, value in fields_of(action, memory.tags, memory.created_at or 0.0, "").items()
            if name != "pinned_why"
        ]
        return [each for each in fields if each[1] != each[2]]

    def _draft(self, rule: Rule, name: str, when: str, actions: Sequence[str], note: str) -> Rule:
        name, note = " ".join(name.split()), " ".join(note.split())
        if not 0 < len(name) <= MAX_NAME or not is_clean(name):
            raise wording.bad_name(MAX_NAME)
        if len(note) > MAX_NOTE or not is_clean(note):
            raise wording.bad_note(MAX_NOTE)
        if any(each.name.casefold() == name.casefold() for each in self.kept_rules if each.id != rule.id):
            raise wording.name_taken(name)
        if parse(when).is_empty:
            raise wording.no_query()
        return replace(rule, name=name, when=when.strip(), actions=self._actions(actions), note=note)

    def _actions(self, texts: Sequence[str]) -> tuple[Action, ...]:
        actions = tuple(parse_action(text) for text in texts if text.strip())
        if not actions:
            raise wording.no_action()
        if len({each.kind for each in actions}) < len(actions):
            raise wording.action_twice()
        return actions

    def _place_of(self, name: str) -> int:
        for place, rule in enumerate(self.kept_rules):
            if rule.name.casefold() == name.strip().casefold():
                return place
        raise wording.no_rule(name, [rule.name for rule in self.kept_rules])

    def _noted(self, kind: str, summary: str) -> Change:
        return Change(kind, (), summary, self._carry_out(kind, summary, []))
