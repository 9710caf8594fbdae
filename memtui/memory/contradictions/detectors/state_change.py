"""One clause describes a change ("moved from Slack to Discord"), the other states what was before as
current."""

from __future__ import annotations

from memtui.memory.contradictions import wording
from memtui.memory.contradictions.comparison.clause_pair import ClausePair, has_scope
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.tokens import Token
from memtui.memory.contradictions.pairs import ClauseConflict
from memtui.memory.contradictions.states.change_marks import is_planned, is_scheduled

KIND = "change"
_CHANGE_VERBS = frozenset(
    "move switch migrate change convert transition upgrade rename replace swap go relocate shift port".split()
)


def find(pair: ClausePair) -> ClauseConflict | None:
    """ "We moved from Slack to Discord." and "We use Slack."."""
    return _find_outdated(pair, pair.a, pair.b, False) or _find_outdated(pair, pair.b, pair.a, True)


def _find_outdated(pair: ClausePair, changed: Clause, stale: Clause, swapped: bool) -> ClauseConflict | None:
    """Return a conflict if `stale` still states what `changed` says is no longer so."""
    parts = _old_and_new(changed)
    if parts is None or stale.negated or changed.negated or stale.event or stale.past or not stale.definite:
        return None
    old, new = parts
    if new and all(token.quantity is not None for token in new):
        return None  # "upgraded from PostgreSQL 13 to 15": it still is PostgreSQL
    old_lemmas = {token.lemma for token in old}
    if not old_lemmas or not old_lemmas <= stale.bag or {token.lemma for token in new} & stale.bag:
        return None
    if any(lemma in _CHANGE_VERBS for lemma in stale.bag):
        return None
    rest = [
        token for token in stale.content if token.lemma not in changed.bag and not token.lemma.startswith("@")
    ]
    rest = [token for token in rest if token.position > 0 or not stale.subject_end]
    common = (stale.bag & changed.bag) - old_lemmas
    if (
        has_scope(rest)
        or len(rest) > 2
        or not (common or pair.shared_subject or (not changed.subject_end and not stale.subject_end))
    ):
        return None
    words = " ".join(t.text for t in new)[:60] or wording.CHANGED, " ".join(t.text for t in old)[:60]
    reason = wording.given_up(words[1])
    return ClauseConflict(KIND, 0.7, words[::-1] if swapped else words, reason)


def _old_and_new(clause: Clause) -> tuple[list[Token], list[Token]] | None:
    """Return what was before and what is now, or None if a clause describes no change."""
    if is_planned(clause.text) or is_scheduled(clause.text):
        return None
    verbs = [k for k, token in enumerate(clause.content) if token.lemma in _CHANGE_VERBS]
    if not verbs:
        return None
    following = clause.content[verbs[0] + 1 :]
    if clause.content[verbs[0]].lemma == "replace":
        new = [t for t in following if t.marker in ("with", "by")]
        old = [t for t in following if t.marker not in ("with", "by")]
        if not new and clause.subject_end and verbs[0] >= clause.subject_end:
            new = clause.content[: clause.subject_end]  # "Playwright replaced Cypress for all tests"
            old = [t for t in following if not t.marker]
        return (old[:2], new[:2]) if old and new else None
    old = [t for t in following if t.marker == "from"]
    new = [t for t in following if t.marker in ("to", "into")]
    return (old[:2], new[:2]) if old and (new or verbs) else None
