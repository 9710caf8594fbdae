"""An import, from the path to the change: what is read and compared, what is taken, and one verb (S-74)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from memtui.memory.imported import ImportItem, ImportPreview
from memtui.tui.stores.importing import wording
from memtui.tui.stores.importing.path import ImportPathDialog
from memtui.tui.stores.importing.preview_dialog import ImportDialog

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace


def begin(app: MemtuiApp, workspace: Workspace, store: str) -> None:
    """Ask which file or store to import to this store."""
    app.push_screen(ImportPathDialog(workspace, store), partial(_review, app, workspace))


def _review(app: MemtuiApp, workspace: Workspace, preview: ImportPreview | None) -> None:
    if preview is not None:
        app.push_screen(ImportDialog(workspace, preview), partial(_run, app, workspace, preview.store))


def _run(app: MemtuiApp, workspace: Workspace, store: str, chosen: Sequence[ImportItem] | None) -> None:
    if chosen:
        verb = partial(workspace.import_memories, chosen, store)
        app.run_bulk(verb, wording.DOING, len(chosen), app.announce)
