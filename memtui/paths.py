"""Where things are (S-1, S-2)."""

from __future__ import annotations

import os
from pathlib import Path

from memtui.errors import Refused

FOLDER, FILE = ".memtui", "workspace.db"


def workspace_path(given: str | None) -> Path:
    """The workspace to open: given, else $MEMTUI_WORKSPACE, else the nearest
    `.memtui/workspace.db` upward, else the user data folder (S-1)."""
    named = given or os.environ.get("MEMTUI_WORKSPACE")
    if named:
        path = Path(named).expanduser().absolute()
        return path / FILE if path.is_dir() else path
    return _upward(Path.cwd()) or _user_data()


def _upward(start: Path) -> Path | None:
    """The nearest workspace upward; refused if it is another user's (S-2)."""
    for folder in (start, *start.parents):
        path = folder / FOLDER / FILE
        if path.is_file():
            if path.stat().st_uid != os.getuid() or path.parent.stat().st_uid != os.getuid():
                raise Refused(
                    "not-yours",
                    f"{path} belongs to another user and is not opened.",
                    "Name a workspace of yours with --workspace PATH.",
                )
            return path
    return None


def _user_data() -> Path:
    from platformdirs import user_data_path

    return user_data_path("memtui", appauthor=False) / FILE


def shipped(folder: str) -> Path:
    """A folder of data that ships with memtui: inside the package if there, else beside it."""
    inside = Path(__file__).parent / folder
    return inside if inside.is_dir() else Path(__file__).parent.parent / folder
