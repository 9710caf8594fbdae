"""The list of rules, in their order (S-60)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.cells import cell_len

from memtui.errors import QueryError
from memtui.memory.query.language import parse
from memtui.memory.rules.rule import Rule
from memtui.memory.rules.trial import RuleCounts
from memtui.memory.rules.wording_actions import done
from memtui.memory.secrets.masking import hidden
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.rules import wording
from memtui.tui.text.glyphs import fit

WIDE = 100  # cells from which on a line has the query, too
NARROW = 60  # cells below which a line has no counts
COUNT = 11  # cells of a count


class RuleList(VirtualList):
    """One line per rule: whether it is on, its name, what it does, what it holds and did today; what it
    refused where it did nothing else."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.rules: Sequence[Rule] = []
        self.counts: Mapping[int, RuleCounts] = {}

    @property
    def highlighted(self) -> Rule | None:
        """The rule under the cursor."""
        return self.rules[self.cursor] if self.cursor < len(self.rules) else None

    def show(self, rules: Sequence[Rule], counts: Mapping[int, RuleCounts], cursor: int) -> None:
        """List the rules as they are now."""
        self.rules, self.counts = rules, counts
        self.refill(len(rules), cursor, keep_place=True)

    def parts(self, index: int, width: int) -> list[Part]:
        rule = self.rules[index]
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
        room = max(3, width - 8 - sum(cell_len(text) for text, _ in tail))
        text = "plain" if rule.on else "quiet"
        does = f"→ {' · '.join(map(done, rule.actions))}"
        if width >= WIDE:
            name, when = room * 3 // 10, room * 4 // 10
            columns: list[Part] = [
                (fit(hidden(rule.name), name - 2), text),
                ("  ", "plain"),
                (fit(hidden(rule.when), when - 2), "quiet"),
                ("  ", "plain"),
                (fit(hidden(does), room - name - when), text),
            ]
        else:
            name = room * 11 // 20
            columns = [
                (fit(hidden(rule.name), name - 1), text),
                (" ", "plain"),
                (fit(hidden(does), room - name), text),
            ]
        return [(" ", "plain"), (sign, style), ("  ", "plain"), *columns, *tail]


def _sign(rule: Rule) -> Part:
    """Return whether a rule is on, as sign and word."""
    try:
        parse(rule.when)
    except QueryError:  # written by a later version of memtui
        return wording.BROKEN, "error"
    return (wording.ON, "accent") if rule.on else (wording.OFF, "quiet")
