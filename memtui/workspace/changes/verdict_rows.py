"""A verdict's row: it comes and goes with its journal item (S-42, S-51).

What the two said when it was given is `judged`: it holds for that, and is given anew for nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from memtui.memory.contradictions.pairs import MERGE

if TYPE_CHECKING:
    from memtui.workspace.context import Core

_NAME = ("a", "b", "verdict", "at")
_REST = ("note", "actor", "until", "topic", "subject")


def put(core: Core, item: int, gone: Mapping[str, Any] | None, come: Mapping[str, Any] | None) -> None:
    """Take one verdict away, and put another down with what was judged; a merge with what A says then."""
    if gone is not None:
        where = " AND ".join(f"{name} = ?" for name in _NAME)
        core.db.run(f"DELETE FROM verdicts WHERE {where}", tuple(gone[name] for name in _NAME))
    if come is None:
        return
    said_a, said_b = come["judged"]
    if come["verdict"] == MERGE:
        said_a = _said_now(core, come).get(come["a"], said_a)
    values = {name: come[name] for name in (*_NAME, *_REST)}
    values |= {"said_a": said_a, "said_b": said_b}
    values["line"] = core.db.one("SELECT journal_id FROM journal_items WHERE id = ?", (item,))
    marks = ", ".join("?" for _ in values)
    core.db.run(f"INSERT INTO verdicts ({', '.join(values)}) VALUES ({marks})", tuple(values.values()))


def why_not_again(core: Core, come: Mapping[str, Any] | None) -> str:
    """Why a verdict that was taken back cannot be given again; "" where both say what was judged."""
    if come is None:
        return ""
    now = _said_now(core, come)
    if [now.get(come["a"]), now.get(come["b"])] == list(come["judged"]):
        return ""
    return "one of the two says something else since, or is gone."


def _said_now(core: Core, verdict: Mapping[str, Any]) -> dict[int, str]:
    from memtui.workspace.contradictions.queue import said_now

    return said_now(core, [verdict["a"], verdict["b"]])
