"""Where things are (S-1, S-2)."""

from __future__ import annotations

import os
import re
from pathlib import Path

from memtui.errors import Refused

FOLDER, FILE = ".memtui", "workspace.db"


def workspace_path(given: str | None) -> Path:
    """The workspace to open: given, else $MEMTUI_WORKSPACE, else the nearest
    `.memtui/workspace.db` upward, else the user data folder (S-1)."""
    named = given or os.environ.get("MEMTUI_WORKSPACE")
    if named:
        no_url(named)
        path = Path(named).expanduser().absolute()
        return path / FILE if path.is_dir() else path
    return _upward(Path.cwd()) or _user_data()


def no_url(text: str) -> None:
    """Refuse a URL where a path is wanted, which would make folders of its name; only its scheme is shown,
    since the rest may hold a password (S-107)."""
    if url := re.match(r"\s*([A-Za-z][A-Za-z0-9+.-]*)://", text):
        raise Refused(
            "url",
            f"memtui cannot open {url[1]}:// URLs: it takes paths of files and folders.",
            "Nothing was made or changed.",
        )


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
