"""Memories as a command line names them: by uid, as words or on standard input."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memtui.errors import Refused, Usage

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace


def ids_of(opened: Workspace, uids: Sequence[str]) -> list[int]:
    if list(uids) == ["-"]:
        # Lines of `memtui list` have the uid in front; else all words are uids.
        lines = stdin().splitlines()
        uids = [word for line in lines for word in (line.split("\t")[:1] if "\t" in line else line.split())]
        if not uids:
            raise Usage("no uid on standard input", "memtui: no uid on standard input\n")
    return [find(opened, uid) for uid in uids]


def find(opened: Workspace, uid: str) -> int:
    if not (uid.isascii() and uid.isalnum()):
        raise Refused(
            "no-memory", f"“{uid}” is no uid: uids are letters and digits.", "memtui list shows them."
        )
    return opened.find(uid)


def stdin() -> str:
    return sys.stdin.buffer.read().decode("utf-8", "replace")
