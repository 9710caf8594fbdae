"""A verdict's row: it comes and goes with its journal item (S-42, S-51).

What the two said when it was given is `judged`: it holds for that, and is given anew for nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from memtui.memory.contradictions.pairs import MERGE

if TYPE_CHECKING:
    from memtui.workspace.context import Context

_NAME = ("a", "b", "verdict", "at")
_REST = ("note", "actor", "until", "topic", "subject")


def put(ctx: Context, item: int, gone: Mapping[str, Any] | None, come: Mapping[str, Any] | None) -> None:
    """Take one verdict away, and put another down with what was judged; a merge with what A says then."""
    if gone is not None:
        where = " AND ".join(f"{name} = ?" for name in _NAME)
        ctx.db.run(f"DELETE FROM verdicts WHERE {where}", tuple(gone[name] for name in _NAME))
    if come is None:
        return
    digest_a, digest_b = come["judged"]
    if come["verdict"] == MERGE:
        digest_a = _said_now(ctx, come).get(come["a"], digest_a)
    values = {name: come[name] for name in (*_NAME, *_REST)}
    values |= {"digest_a": digest_a, "digest_b": digest_b}
    values["entry_id"] = ctx.db.one("SELECT journal_id FROM journal_items WHERE id = ?", (item,))
    marks = ", ".join("?" for _ in values)
    ctx.db.run(f"INSERT INTO verdicts ({', '.join(values)}) VALUES ({marks})", tuple(values.values()))


def why_not_again(ctx: Context, come: Mapping[str, Any] | None) -> str:
    """Why a verdict that was taken back cannot be given again; "" where both say what was judged."""
    if come is None:
        return ""
    now = _said_now(ctx, come)
    if [now.get(come["a"]), now.get(come["b"])] == list(come["judged"]):
        return ""
    return "one of the two says something else since, or is gone."


def _said_now(ctx: Context, verdict: Mapping[str, Any]) -> dict[int, str]:
    from memtui.workspace.contradictions.queue import said_now

    return said_now(ctx, [verdict["a"], verdict["b"]])
