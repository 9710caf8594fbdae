"""Relations that memtui keeps itself and that lead to a memory which is gone (S-90)."""

from __future__ import annotations

from collections.abc import Iterator

from memtui.memory.memory import label_of
from memtui.memory.stores import Issue
from memtui.text import counted, plural
from memtui.workspace.context import Context

_SHOWN = 100  # that are told one by one
_NAME = 80  # characters of a memory's or a kind's name
# Of memories that stand and are shown: what is removed itself, or detached, misleads nobody.
_LOOSE = (
    "FROM local_relations t JOIN memories a ON a.id = t.source_id LEFT JOIN memories b ON b.uid = t.target "
    "WHERE a.removed_at IS NULL AND a.shown AND (b.id IS NULL OR b.removed_at IS NOT NULL)"
)
_NAMES = ", ".join(f"{m}.uid, {m}.title, {m}.subject, substr({m}.content, 1, 1000)" for m in "ab")


def look(ctx: Context) -> Iterator[Issue]:
    """Relations that memtui keeps."""
    found = ctx.db.rows(
        f"SELECT t.kind, t.target, {_NAMES} {_LOOSE} ORDER BY t.source_id, t.rowid LIMIT {_SHOWN}"
    )
    for kind, target, *names in found:
        one, other = _called(*names[:4]), _called(*names[4:])
        tie = f"The relation “{_short(kind)}” that memtui keeps from “{one or names[0]}” leads to"
        if other:
            words = f"{tie} “{other}”, which is removed from its store."
            then = (
                f"It rests on a memory that no agent is given any more. Bring that back with memtui restore "
                f"{target}, or take the relation away with memtui unrelate."
            )
        else:
            words = f"{tie} {_short(target)}, and there is no such memory any more."
            then = "It says nothing without the other memory."
        yield Issue("", "loose-tie", f"memory {names[0]}", words, then)
    rest = ctx.db.one(f"SELECT count(*) {_LOOSE}") - len(found) if len(found) == _SHOWN else 0
    if rest:
        words = f"There {plural(rest, 'is', 'are')} {counted(rest, 'more such relation')}."
        yield Issue("", "loose-tie", ctx.path.name, words)


def _called(uid: str | None, title: str | None, subject: str | None, content: str | None) -> str:
    """What a memory is called; "" for one that is not there, or was purged and says nothing any more."""
    if uid is None or not (title or subject or (content or "").strip()):
        return ""
    return _short(label_of(title, subject, content or ""))


def _short(text: str) -> str:
    return text if len(text) <= _NAME else f"{text[: _NAME - 1]}…"
