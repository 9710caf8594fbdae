"""One tells of a change ("moved from Slack to Discord"), the other of what was before as if it still were."""

from __future__ import annotations

from memtui.memory.contradictions.comparison.clause_pair import ClausePair, scoped
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.tokens import Token
from memtui.memory.contradictions.pairs import ClauseConflict
from memtui.memory.contradictions.states.marks import is_scheduled, is_planned

KIND = "change"
_CHANGES = frozenset(
    "move switch migrate change convert transition upgrade rename replace swap go relocate shift port".split()
)


def find(meeting: ClausePair) -> ClauseConflict | None:
    return _stale(meeting, meeting.a, meeting.b, False) or _stale(meeting, meeting.b, meeting.a, True)


def _stale(meeting: ClausePair, told: Clause, other: Clause, turned: bool) -> ClauseConflict | None:
    """Whether `other` still says what `about` says has changed."""
    change = _change(told)
    if change is None or other.negated or told.negated or other.event or other.past or not other.definite:
        return None
    old, new = change
    if new and all(token.quantity is not None for token in new):
        return None  # "upgraded from PostgreSQL 13 to 15": it still is PostgreSQL
    was = {token.lemma for token in old}
    if not was or not was <= other.bag or {token.lemma for token in new} & other.bag:
        return None
    if any(lemma in _CHANGES for lemma in other.bag):
        return None
    rest = [
        token for token in other.content if token.lemma not in told.bag and not token.lemma.startswith("@")
    ]
    rest = [token for token in rest if token.position > 0 or not other.subject]
    common = (other.bag & told.bag) - was
    if (
        scoped(rest)
        or len(rest) > 2
        or not (common or meeting.shared_subject or (not told.subject and not other.subject))
    ):
        return None
    words = " ".join(t.text for t in new)[:60] or "changed", " ".join(t.text for t in old)[:60]
    reason = f"One says that “{words[1]}” was given up, the other that it still is so."
    return ClauseConflict(KIND, 0.7, words[::-1] if turned else words, reason)


def _change(clause: Clause) -> tuple[list[Token], list[Token]] | None:
    """What was before and what is now, where a clause tells of a change."""
    if is_planned(clause.text) or is_scheduled(clause.text):
        return None
    verbs = [k for k, token in enumerate(clause.content) if token.lemma in _CHANGES]
    if not verbs:
        return None
    behind = clause.content[verbs[0] + 1 :]
    if clause.content[verbs[0]].lemma == "replace":
        new = [t for t in behind if t.marker in ("with", "by")]
        old = [t for t in behind if t.marker not in ("with", "by")]
        if not new and clause.subject and verbs[0] >= clause.subject:
            new = clause.content[: clause.subject]  # "Playwright replaced Cypress for all tests"
            old = [t for t in behind if not t.marker]
        return (old[:2], new[:2]) if old and new else None
    old = [t for t in behind if t.marker == "from"]
    new = [t for t in behind if t.marker in ("to", "into")]
    return (old[:2], new[:2]) if old and (new or verbs) else None
