"""Which memories an agent may be given, as conditions on their rows: within its policies and scopes, and in
their time (S-34, S-61)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from memtui.memory.memory import RECALLED
from memtui.values import SqlValue
from memtui.workspace.policies import reading
from memtui.workspace.search import manners

if TYPE_CHECKING:
    from memtui.workspace.context import Context
    from memtui.workspace.search.recall import Caller

# SQL on `m`, a row of memories, and what is bound in it.
Condition: TypeAlias = tuple[str, list[SqlValue]]

_IN_TIME = (
    "(m.expires_at IS NULL OR m.expires_at > ?) AND (m.valid_from IS NULL OR m.valid_from <= ?) "
    "AND (m.valid_to IS NULL OR m.valid_to > ?)"
)


class Sight:
    """What one caller may see at one moment; its policies are read once.

    A condition holds or not within the query that looks for memories, so that what may not be seen takes as
    long as what is not there.
    """

    def __init__(self, ctx: Context, caller: Caller, now: float, *, asks: bool = True) -> None:
        """Raise PolicyRefused, and journal it, if the caller may read nothing; unless it `asks` itself, it
        then sees nothing."""
        self._ctx, self._now = ctx, now
        self._parts = ["m.shown AND m.removed_at IS NULL"]
        self._bindings: list[SqlValue] = []
        if caller.owner:
            allowed, bound = (reading.allowed if asks else reading.visible)(ctx, caller.owner)
            self._parts += allowed
            self._bindings += bound
        if caller.scopes:
            marks = ", ".join("?" for _ in caller.scopes)
            self._parts.append(f"(m.scope IS NULL OR m.scope IN ({marks}))")
            self._bindings += caller.scopes

    def of(self, statuses: Sequence[str], *, category: str = "") -> Condition:
        """Return the condition that a memory is seen, has one of the statuses, has not expired and is valid,
        and is of the category, if one is given.

        Where the statuses are those that agents are given unasked, so are a format's own."""
        sql, bindings = self.in_time()
        marks = ", ".join("?" for _ in statuses)
        given: list[SqlValue] = [*statuses]
        status = f"m.status IN ({marks})"
        if tuple(statuses) == RECALLED:
            for store_id, also in manners.statuses(self._ctx).items():
                marks = ", ".join("?" for _ in also)
                # What memtui takes a status for that it does not know stands in `extra`.
                status += (
                    f" OR (m.store_id = ? AND m.status IN ({marks}) "
                    "AND json_extract(m.extra, '$.status') IS NULL)"
                )
                given += [store_id, *also]
        parts = [sql, f"({status})"] if statuses else [sql]
        bindings += given
        if category:
            parts.append("lower(m.category) = lower(?)")
            bindings.append(category)
        return " AND ".join(parts), bindings

    def in_time(self) -> Condition:
        """Return the condition that a memory is seen, of any status, has not expired and is valid."""
        sql, bindings = self.at_any_time()
        return f"{sql} AND {_IN_TIME}", [*bindings, self._now, self._now, self._now]

    def at_any_time(self) -> Condition:
        """Return the condition that a memory is seen, of any status."""
        return " AND ".join(self._parts), list(self._bindings)
