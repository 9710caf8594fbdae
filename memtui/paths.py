"""Paths of the workspace and of data_folder data (S-1, S-2).

`memtui hook` loads this before it answers, so the sentences are loaded only for a refusal.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

FOLDER, FILE = ".memtui", "workspace.db"


def workspace_path(given: str | None) -> Path:
    """Return the workspace to open: the given one, else $MEMTUI_WORKSPACE, else the nearest
    `.memtui/workspace.db` in this folder or above, else the one in the user data folder (S-1)."""
    named = given or os.environ.get("MEMTUI_WORKSPACE")
    if named:
        refuse_url(named)
        path = Path(named).expanduser().absolute()
        return path / FILE if path.is_dir() else path
    return _upward(Path.cwd()) or default_workspace()


def refuse_url(text: str) -> None:
    """Raise Refused for a URL in place of a path, which would create folders of its name.

    Only its scheme is shown, because the rest may contain a password (S-107).
    """
    if url := re.match(r"\s*([A-Za-z][A-Za-z0-9+.-]*)://", text):
        from memtui import wording

        raise wording.url_not_supported(url[1])


def _upward(start: Path) -> Path | None:
    """Return the nearest workspace in `start` or above; raise Refused if it is another user's (S-2)."""
    for folder in (start, *start.parents):
        path = folder / FOLDER / FILE
        if path.is_file():
            if path.stat().st_uid != os.getuid() or path.parent.stat().st_uid != os.getuid():
                from memtui import wording

                raise wording.foreign_workspace(path)
            return path
    return None


def default_workspace() -> Path:
    """Return the workspace in the user data folder, which is meant where nothing names another."""
    from platformdirs import user_data_path

    return user_data_path("memtui", appauthor=False) / FILE


def data_folder(folder: str) -> Path:
    """Return a folder of data that ships with memtui: in the package if it is installed, else next to it."""
    inside = Path(__file__).parent / folder
    return inside if inside.is_dir() else Path(__file__).parent.parent / folder
