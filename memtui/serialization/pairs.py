"""Contradictions and duplicates, as JSON (S-82)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.memory.encoding import iso
from memtui.values import JsonObject

if TYPE_CHECKING:
    from memtui.memory.contradictions.pairs import Pair, PairDetail


def pair_as_json(pair: Pair, uids: tuple[str, str]) -> JsonObject:
    """Return a pair with its two memories, whose uids are `uids`; "said" is the decision, if there is one."""
    decision = pair.decision
    sides = zip(uids, pair.stores, pair.labels, pair.words, strict=True)
    a, b = ({"uid": u, "store": s, "label": label, "words": words} for u, s, label, words in sides)
    return {
        "id": pair.id,
        "family": pair.family,
        "kind": pair.kind,
        "score": round(pair.score, 4),
        "reason": pair.reason,
        "topic": pair.topic,
        "words": list(pair.words),
        "clauses": list(pair.clauses),
        "state": pair.state,
        "escalated": pair.escalated,
        "found_at": iso(pair.found_at),
        "a": a,
        "b": b,
        "said": None
        if decision is None
        else {
            "verdict": decision.verdict,
            "at": iso(decision.at),
            "actor": decision.actor,
            "note": decision.note,
            "until": iso(decision.until),
            "journal": decision.entry_id,
        },
    }


def pair_detail_as_json(detail: PairDetail) -> JsonObject:
    """Return a pair with both memories in full, and what each verdict would do."""
    a, b = detail.a.memory, detail.b.memory
    suggestion = detail.suggestion
    return {
        **pair_as_json(detail.pair, (a.uid, b.uid)),
        "memories": {"a": a.to_json(), "b": b.to_json()},
        "relies": {"a": detail.dependents[0], "b": detail.dependents[1]},
        "suggestion": None
        if suggestion is None
        else {"verdict": suggestion.verdict, "reason": suggestion.reason},
        "outcome": {verdict: list(words) for verdict, words in detail.outcomes.items()},
        "blocked": dict(detail.blocked),
        "merged": detail.merged_text,
    }
