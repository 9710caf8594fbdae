"""How the list of the attached stores was viewed last: its grouping, its order (S-31, S-32)."""

from __future__ import annotations

from memtui.workspace.context import Context
from memtui.workspace.db.models import ViewState
from memtui.workspace.search.lexical import SORTS

_STORES = (
    "SELECT group_concat(name, char(10)) FROM (SELECT name FROM stores WHERE detached_at IS NULL ORDER BY 1)"
)
_SORTING = "sorting"


def saved(ctx: Context, view: str) -> str | None:
    """Return what was chosen last for the attached stores; None if nothing was."""
    row = ctx.db.find(ViewState, _name(ctx, view))
    return str(row.value) if row is not None else None


def save(ctx: Context, view: str, value: str) -> None:
    """Remember a choice for the attached stores."""
    ctx.db.write(ViewState.insert(name=_name(ctx, view), value=value).on_conflict_replace())


def sorting(ctx: Context) -> str:
    """Return the order of the list that was chosen last, "" for the newest first."""
    chosen = saved(ctx, _SORTING)
    return chosen if chosen in SORTS else ""


def save_sorting(ctx: Context, sort: str) -> None:
    """Remember the order of the list of the attached stores."""
    save(ctx, _SORTING, sort)


def _name(ctx: Context, view: str) -> str:
    return f"{view}\n{ctx.db.one(_STORES) or ''}"
