"""The status of each pair, as SQL: open, settled, snoozed or over (SPEC 6). A pair is snoozed by a verdict,
or with one of its memories.

A memory outside the scan queue is unchanged since its pairs were found, so digests are computed only for
queued memories and for pairs with a verdict.
"""

from __future__ import annotations

from hashlib import blake2b

from memtui.values import SqlValue

DIGEST = "memtui_digest"  # the SQL function
DIGESTED = ("title", "subject", "key", "content", "value")


def digest_of(row: str) -> str:
    """Return SQL for the digest of a row of `memories`; a verdict holds while it is the same."""
    texts = " || char(31) || ".join(f"coalesce('=' || {row}.{name}, '')" for name in DIGESTED)
    return f"{DIGEST}(CAST({texts} AS BLOB))"


def digest(content: SqlValue) -> str:
    """Return the digest of a memory's joined texts."""
    return blake2b(content if isinstance(content, bytes) else b"", digest_size=16).hexdigest()


def _now(row: str, found: str) -> str:
    return f"CASE WHEN judged OR {row}_waits THEN {digest_of(row)} ELSE {found} END"


# Of several verdicts: one that holds (both contents are unchanged) before others, then the newest.
_VERDICT = (
    "(SELECT v.id FROM verdicts v WHERE v.a = n.a AND v.b = n.b "
    "ORDER BY (v.digest_a = n.now_a AND v.digest_b = n.now_b) DESC, v.id DESC LIMIT 1)"
)


def states(where: str = "1", clauses: str = "'', ''") -> str:
    """Return SQL for the pairs `p` that meet a condition, each with its `state`, since when it is open, and
    its verdict as v_…; `clauses` are two columns for the conflicting clauses. Its one parameter is now."""
    return (
        "SELECT t.*, CASE WHEN holds AND v_verdict <> 'later' THEN 'settled' WHEN NOT found THEN 'over' "
        "WHEN until > ? THEN 'later' ELSE 'open' END AS state, max(found_at, until) AS since FROM ("
        "SELECT u.*, max(snoozed_until, CASE WHEN holds THEN coalesce(v_until, 0) ELSE 0 END) AS until FROM ("
        "SELECT n.id, n.a, n.b, n.family, n.kind, n.score, n.words_a, n.words_b, n.reason, n.topic, "
        f"{clauses}, "
        "n.found_at, "
        "n.is_current AND n.both_live AND n.now_a = n.digest_a AND n.now_b = n.digest_b AS found, "
        "coalesce(v.digest_a = n.now_a AND v.digest_b = n.now_b, 0) AS holds, v.verdict AS v_verdict, "
        "v.at AS v_at, v.actor AS v_actor, v.note AS v_note, v.until AS v_until, v.entry_id AS v_line, "
        "n.snoozed_until FROM ("
        f"SELECT p.*, {_now('one', 'p.digest_a')} AS now_a, {_now('other', 'p.digest_b')} AS now_b, "
        "one.live AND other.live AS both_live, "
        "max(coalesce(one.snoozed_until, 0), coalesce(other.snoozed_until, 0)) AS snoozed_until FROM ("
        "SELECT p.*, EXISTS (SELECT 1 FROM verdicts WHERE a = p.a AND b = p.b) AS judged, "
        "EXISTS (SELECT 1 FROM scan_queue WHERE memory_id = p.a) AS one_waits, "
        "EXISTS (SELECT 1 FROM scan_queue WHERE memory_id = p.b) AS other_waits "
        f"FROM pairs p WHERE {where}) p "
        "JOIN memories one ON one.id = p.a JOIN memories other ON other.id = p.b) n "
        f"LEFT JOIN verdicts v ON v.id = {_VERDICT}) u) t"
    )


def members(family: str, *wanted: str) -> str:
    """Return SQL for the ids of memories in pairs of a family with these states. Its one parameter is now."""
    named = ", ".join(f"'{state}'" for state in wanted)
    return (
        f"SELECT iif(side, a, b) FROM ({states(f'''p.family = '{family}' ''')}), "
        f"(SELECT 0 AS side UNION ALL SELECT 1) WHERE state IN ({named})"
    )
