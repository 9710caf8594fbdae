"""Relations kept by memtui whose target memory is gone (S-90)."""

from __future__ import annotations

from collections.abc import Iterator

from memtui.memory.memory import label_of
from memtui.memory.secrets.masking import shortened
from memtui.memory.stores import Issue
from memtui.workspace.context import Context
from memtui.workspace.relations import wording

_SHOWN = 100  # reported one by one
_LONGEST = 80  # characters of a label or kind
# Only of memories that are present: relations of removed or detached ones do not matter.
_DANGLING = (
    "FROM local_relations l JOIN memories a ON a.id = l.source_id LEFT JOIN memories b ON b.uid = l.target "
    "WHERE a.removed_at IS NULL AND a.shown AND (b.id IS NULL OR b.removed_at IS NOT NULL)"
)
_NAMES = ", ".join(f"{m}.uid, {m}.title, {m}.subject, substr({m}.content, 1, 1000)" for m in "ab")


def issues(ctx: Context) -> Iterator[Issue]:
    """Yield an issue for each dangling relation."""
    found = ctx.db.rows(
        f"SELECT l.kind, l.target, {_NAMES} {_DANGLING} ORDER BY l.source_id, l.rowid LIMIT {_SHOWN}"
    )
    for kind, target, *names in found:
        source, label = _label(*names[:4]) or names[0], _label(*names[4:])
        if label:
            text = wording.target_removed(shortened(kind, _LONGEST), source, label)
            meaning = wording.target_removed_hint(target)
        else:
            named = shortened(kind, _LONGEST), source, shortened(target, _LONGEST)
            text = wording.target_missing(*named)
            meaning = wording.ORPHANED
        yield Issue("", "loose-tie", f"memory {names[0]}", text, meaning)
    rest = ctx.db.one(f"SELECT count(*) {_DANGLING}") - len(found) if len(found) == _SHOWN else 0
    if rest:
        yield Issue("", "loose-tie", ctx.path.name, wording.more_dangling(rest))


def _label(uid: str | None, title: str | None, subject: str | None, content: str | None) -> str:
    """Return a memory's label; "" for one that does not exist, or was purged."""
    if uid is None or not (title or subject or (content or "").strip()):
        return ""
    return shortened(label_of(title, subject, content or ""), _LONGEST)
