"""The process that answers `memtui hook`: `python -m memtui.cli.runtime.hook_helper FOLDER WORKSPACE`."""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.agents.hooks.helper import Helper
from memtui.settings import load, settings_path

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace


def _open(path: Path) -> Workspace:
    from memtui.cli.runtime.open_workspace import open_with

    return open_with(path, load().settings)


if __name__ == "__main__":
    folder, workspace = map(Path, sys.argv[1:])
    os.umask(0o077)
    os.chdir(folder)
    Helper(workspace, settings_path(), folder, partial(_open, workspace)).run()
