"""How each pair stands now, as SQL: what was found, whether both still say it, what a person said of it
(SPEC 6).

A memory that does not wait for the sweep says what it said when its pairs were found; so digests are
worked out anew only for those that wait, and for pairs with a verdict.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

SAID = "memtui_said"
SAYS = ("title", "subject", "key", "content", "value")


def said_by(row: str) -> str:
    """The digest of what a row of memories says, as SQL: while it is the same, a verdict holds."""
    texts = " || char(31) || ".join(f"coalesce('=' || {row}.{name}, '')" for name in SAYS)
    return f"{SAID}(CAST({texts} AS BLOB))"


def said(told: Any) -> str:
    """The digest of what a memory says."""
    return blake2b(told if isinstance(told, bytes) else b"", digest_size=16).hexdigest()


def _now(row: str, found: str) -> str:
    return f"CASE WHEN told OR {row}_waits THEN {said_by(row)} ELSE {found} END"


# Which of two verdicts: the one that holds, then the newest. A verdict holds while both say what they said.
_VERDICT = (
    "(SELECT v.id FROM verdicts v WHERE v.a = n.a AND v.b = n.b "
    "ORDER BY (v.digest_a = n.now_a AND v.digest_b = n.now_b) DESC, v.id DESC LIMIT 1)"
)


def states(where: str = "1", clauses: str = "'', ''") -> str:
    """Pairs p that pass a condition, each with its `state`, the moment since when it is open, and its
    verdict as v_…, with the columns of what clashes where they are wanted; the one value is now."""
    return (
        "SELECT t.*, CASE WHEN holds AND v_verdict <> 'later' THEN 'settled' WHEN NOT found THEN 'over' "
        "WHEN holds AND coalesce(v_until, 0) > ? THEN 'later' ELSE 'open' END AS state, "
        "max(found_at, CASE WHEN holds THEN coalesce(v_until, 0) ELSE 0 END) AS since FROM ("
        "SELECT n.id, n.a, n.b, n.family, n.kind, n.score, n.words_a, n.words_b, n.reason, n.topic, "
        f"{clauses}, "
        "n.found_at, n.is_current AND n.both_live AND n.now_a = n.digest_a AND n.now_b = n.digest_b AS found, "
        "coalesce(v.digest_a = n.now_a AND v.digest_b = n.now_b, 0) AS holds, v.verdict AS v_verdict, "
        "v.at AS v_at, v.actor AS v_actor, v.note AS v_note, v.until AS v_until, v.entry_id AS v_line FROM ("
        f"SELECT p.*, {_now('one', 'p.digest_a')} AS now_a, {_now('other', 'p.digest_b')} AS now_b, "
        "one.live AND other.live AS both_live FROM ("
        "SELECT p.*, EXISTS (SELECT 1 FROM verdicts WHERE a = p.a AND b = p.b) AS told, "
        "EXISTS (SELECT 1 FROM scan_queue WHERE memory_id = p.a) AS one_waits, "
        "EXISTS (SELECT 1 FROM scan_queue WHERE memory_id = p.b) AS other_waits "
        f"FROM pairs p WHERE {where}) p "
        "JOIN memories one ON one.id = p.a JOIN memories other ON other.id = p.b) n "
        f"LEFT JOIN verdicts v ON v.id = {_VERDICT}) t"
    )


def members(family: str, *wanted: str) -> str:
    """The memories in pairs of a family that stand so, as SQL; the one value is now."""
    named = ", ".join(f"'{state}'" for state in wanted)
    return (
        f"SELECT iif(side, a, b) FROM ({states(f'''p.family = '{family}' ''')}), "
        f"(SELECT 0 AS side UNION ALL SELECT 1) WHERE state IN ({named})"
    )
