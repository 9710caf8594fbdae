"""The disk and the Git repository that contains a workspace or store (S-64, S-90)."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from memtui.memory.stores import Issue
from memtui.workspace.maintenance import wording

LOW_SPACE = 100 << 20  # free bytes below which a disk is reported
_GIT_SECONDS = 2
TRACKED, UNTRACKED = "tracked", "untracked"


def low_disk_space(path: Path, store: str) -> Iterator[Issue]:
    """Yield an issue if less than 1 % or 100 MB is free on the disk of `path`."""
    usage = shutil.disk_usage(path if path.is_dir() else path.parent)
    if usage.free < max(LOW_SPACE, usage.total // 100):
        text = wording.low_disk_space(usage.free >> 20)
        yield Issue(store, "disk", str(path.parent), text, wording.LOW_DISK_SPACE_MEANING)


def git_state(path: Path) -> str:
    """Return TRACKED, UNTRACKED, or "" outside of repositories, if git ignores it, or does not answer."""
    folder = path if path.is_dir() else path.parent
    if not any((each / ".git").exists() for each in (folder, *folder.parents)):
        return ""
    if _git(folder, "ls-files", "--error-unmatch", "--", str(path)) == 0:
        return TRACKED
    return UNTRACKED if _git(folder, "check-ignore", "-q", "--", str(path)) == 1 else ""


def _git(folder: Path, *arguments: str) -> int | None:
    """Return git's exit code, None if it cannot be run; nothing that the repository configures is run."""
    options = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "--no-optional-locks")
    try:
        done = subprocess.run(
            ["git", *options, "-C", str(folder), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_GIT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.returncode
