"""Contradictions and duplicates, as JSON (S-82)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memtui.memory.encoding import iso

if TYPE_CHECKING:
    from memtui.memory.contradictions.pairs import Pair, PairDetail


def pair_as_json(pair: Pair, uids: tuple[str, str]) -> dict[str, Any]:
    said = pair.decision
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
        if said is None
        else {
            "verdict": said.verdict,
            "at": iso(said.at),
            "actor": said.actor,
            "note": said.note,
            "until": iso(said.until),
            "journal": said.entry_id,
        },
    }


def pair_detail_as_json(detail: PairDetail) -> dict[str, Any]:
    a, b = detail.a.memory, detail.b.memory
    told = detail.suggestion
    return {
        **pair_as_json(detail.pair, (a.uid, b.uid)),
        "memories": {"a": a.to_json(), "b": b.to_json()},
        "relies": {"a": detail.dependents[0], "b": detail.dependents[1]},
        "suggestion": None if told is None else {"verdict": told.verdict, "reason": told.reason},
        "outcome": {verdict: list(words) for verdict, words in detail.outcomes.items()},
        "blocked": dict(detail.blocked),
        "merged": detail.merged_text,
    }
