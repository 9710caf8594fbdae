"""Verdict rows, which come and go with their journal items (S-42, S-51).

`judged` are the digests of both texts when the verdict was given: it holds while they stay the same, and
cannot be given again for other texts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from memtui.memory.contradictions.pairs import MERGE
from memtui.values import FieldValue
from memtui.workspace.changes import wording_undo
from memtui.workspace.db.models import JournalItem, Verdict

if TYPE_CHECKING:
    from memtui.workspace.context import Context

_KEY = ("a", "b", "verdict", "at")
_REST = ("note", "actor", "until", "topic", "subject")


def swap(
    ctx: Context,
    item_id: int,
    removed: Mapping[str, FieldValue] | None,
    added: Mapping[str, FieldValue] | None,
) -> None:
    """Delete one verdict and insert another, with the texts judged; of a merge, A's text as it is now."""
    if removed is not None:
        ctx.db.delete_many(Verdict, _KEY, [tuple(removed[name] for name in _KEY)])
    if added is None:
        return
    digest_a, digest_b = added["judged"]
    if added["verdict"] == MERGE:
        digest_a = _current_digests(ctx, added).get(added["a"], digest_a)
    values = {name: added[name] for name in (*_KEY, *_REST)}
    values |= {"digest_a": digest_a, "digest_b": digest_b}
    values["entry_id"] = ctx.db.get(JournalItem, item_id).journal_id
    ctx.db.write(Verdict.insert(values))


def conflict(ctx: Context, verdict: Mapping[str, FieldValue] | None) -> str:
    """Return why a verdict that was undone cannot be given again, "" if both texts are those judged."""
    if verdict is None:
        return ""
    now = _current_digests(ctx, verdict)
    if [now.get(verdict["a"]), now.get(verdict["b"])] == list(verdict["judged"]):
        return ""
    return wording_undo.JUDGED_TEXT_CHANGED


def _current_digests(ctx: Context, verdict: Mapping[str, FieldValue]) -> dict[int, str]:
    from memtui.workspace.contradictions.compared import current_digests

    return current_digests(ctx, [verdict["a"], verdict["b"]])
