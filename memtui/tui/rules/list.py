"""The list of rules, in their order, and below them that of policies (S-60, S-61)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memtui.errors import QueryError
from memtui.memory.policies.policy import Policy, folded
from memtui.memory.query.language import parse
from memtui.memory.rules.rule import Rule
from memtui.memory.rules.trial import RuleCounts
from memtui.memory.rules.wording_actions import done
from memtui.memory.secrets.masking import hidden
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.rules import wording
from memtui.tui.rules.policies import wording as policy_wording
from memtui.tui.rules.policies.policy_line import policy_parts
from memtui.tui.rules.policies.reading import Policies
from memtui.tui.text.glyphs import fit

WIDE = 100  # cells from which on a line has the query, too
NARROW = 60  # cells below which a line has no counts
COUNT = 11  # cells of a count
RULE, POLICY = "rule", "policy"

Wanted = tuple[str, str]
"""RULE or POLICY, and a folded name; nothing has the name ""."""


class RuleList(VirtualList):
    """One line per rule: whether it is on, its name, what it does, what it holds and did today, or refused
    where it did nothing else. Below a dividing line one per policy. A section with none has a line that says
    so."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.rules: Sequence[Rule] = []
        self.counts: Mapping[int, RuleCounts] = {}
        self.policies = Policies()
        self.notes = ("", "")
        """The lines of the two sections while they are empty."""

    @property
    def highlighted(self) -> Rule | None:
        """The rule under the cursor."""
        return self.rules[self.cursor] if self.cursor < len(self.rules) else None

    @property
    def policy(self) -> Policy | None:
        """The policy under the cursor."""
        return self._policy_at(self.cursor)

    @property
    def in_agents(self) -> bool:
        """Whether the cursor is in the section of policies."""
        return self.divider is not None and self.cursor >= self.divider

    def show(
        self, rules: Sequence[Rule], counts: Mapping[int, RuleCounts], policies: Policies, wanted: Wanted
    ) -> bool:
        """List the rules and policies as they are now. The cursor goes to the one that is `wanted`, else it
        stays on its own, or in its section. Return whether the wanted one is listed."""
        rule, policy, was_in_agents, at = self.highlighted, self.policy, self.in_agents, self.cursor
        self.rules, self.counts, self.policies = rules, counts, policies
        first = max(1, len(rules))  # the line of the first policy
        count = first + max(1, len(policies.listed)) if rules or policies.listed else 0
        places = {(RULE, folded(each.name)): n for n, each in enumerate(rules)}
        places |= {(POLICY, folded(each.name)): first + n for n, each in enumerate(policies.listed)}
        same = [n for n, each in enumerate(rules) if rule is not None and each.id == rule.id]
        kept = [places.get(wanted), *same, places.get((POLICY, folded(policy.name))) if policy else None]
        low, high = (first, count - 1) if was_in_agents else (0, first - 1)
        cursor = next((each for each in kept if each is not None), max(low, min(at, high)))
        self.refill(count, cursor, keep_place=True, divider=first if count else None)
        return wanted in places

    def divider_text(self) -> str:
        return policy_wording.AGENTS

    def _policy_at(self, index: int) -> Policy | None:
        place = index - (self.divider or 0)
        listed = self.policies.listed
        return listed[place] if self.divider is not None and 0 <= place < len(listed) else None

    def parts(self, index: int, width: int) -> list[Part]:
        if index < len(self.rules):
            return self._rule_parts(self.rules[index], width)
        if policy := self._policy_at(index):
            refused = self.policies.refused_today(policy)
            return policy_parts(policy, refused, _name_width(width), width)
        return [(fit(f" {self.notes[index == self.divider]}", width), "quiet")]

    def _rule_parts(self, rule: Rule, width: int) -> list[Part]:
        sign, style = _sign(rule)
        counts = self.counts.get(rule.id, RuleCounts())
        held = wording.now(counts.held) if rule.on or counts.held else ""
        today = wording.today(counts.today) if counts.today else ""
        refused = wording.refused(counts.refused) if counts.refused else ""
        tail: list[Part] = [
            (fit(held, COUNT, right=True), "plain"),
            (fit(today or refused, COUNT, right=True), "quiet"),
            (" ", "plain"),
        ]
        if width < NARROW:
            tail = []
        room, name = _room(width), _name_width(width)
        text = "plain" if rule.on else "quiet"
        does = f"→ {' · '.join(map(done, rule.actions))}"
        if width >= WIDE:
            when = room * 4 // 10
            columns: list[Part] = [
                (fit(hidden(rule.name), name - 2), text),
                ("  ", "plain"),
                (fit(hidden(rule.when), when - 2), "quiet"),
                ("  ", "plain"),
                (fit(hidden(does), room - name - when), text),
            ]
        else:
            columns = [
                (fit(hidden(rule.name), name - 1), text),
                (" ", "plain"),
                (fit(hidden(does), room - name), text),
            ]
        return [(" ", "plain"), (sign, style), ("  ", "plain"), *columns, *tail]


def _room(width: int) -> int:
    """Return the cells between the sign and the counts of a line."""
    return max(3, width - 8 - (2 * COUNT + 1 if width >= NARROW else 0))


def _name_width(width: int) -> int:
    return _room(width) * 3 // 10 if width >= WIDE else _room(width) * 11 // 20


def _sign(rule: Rule) -> Part:
    """Return whether a rule is on, as sign and word."""
    try:
        parse(rule.when)
    except QueryError:  # written by a later version of memtui
        return wording.BROKEN, "error"
    return (wording.ON, "accent") if rule.on else (wording.OFF, "quiet")
