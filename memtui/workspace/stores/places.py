"""Places that an export must not write to: the workspace, and what the attached stores consist of."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from memtui.workspace.stores import catalog, wording

if TYPE_CHECKING:
    from memtui.workspace.context import Context

_BESIDE = ("-wal", "-shm", "-journal")  # what SQLite keeps next to a database
_OF_WORKSPACE = (".backups", ".leases")


def require_outside_stores(ctx: Context, path: Path) -> None:
    """Raise Refused if a file or folder at `path` would be of the workspace or of an attached store: agents
    would read it, no journal would name it, and what it replaces could not be undone."""
    place = path.absolute().parent.resolve() / path.name
    own = ctx.path.resolve()
    if _is_of(place, own) or any(_is_of(place, Path(f"{own}{each}")) for each in _OF_WORKSPACE):
        raise wording.place_of_workspace(path)
    for store in catalog.attached(ctx):
        if store.path and _is_of(place, Path(store.path).resolve()):
            raise wording.place_of_store(path, store.name)


def _is_of(place: Path, root: Path) -> bool:
    """Return whether `place` is the store's file, a file that SQLite keeps next to it, or in its folder."""
    return root in (place, *place.parents) or str(place) in [f"{root}{each}" for each in _BESIDE]
