"""Where the helper of a workspace is found: a folder beside it that only its user may enter.

Imported before anything is answered: nothing here may take a millisecond to load.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress

SUFFIX = ".hooks"
SOCKET, LOCK, SESSIONS = "socket", "lock", "sessions"


def folder_of(workspace: str) -> str:
    """Return the folder of a workspace, made if it is not there. Raise PermissionError if another user could
    enter it or it is none."""
    folder = workspace + SUFFIX
    with suppress(FileExistsError):
        os.mkdir(folder, 0o700)
    found = os.lstat(folder)
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o077:
        raise PermissionError(folder)
    return folder
