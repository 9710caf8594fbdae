"""The memories that a command line names by uid, as arguments or on standard input."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memtui.cli.parser.wording import no_uid_on_stdin
from memtui.cli.runtime import wording

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace


def ids_of(opened: Workspace, uids: Sequence[str]) -> list[int]:
    """Return the rows of these uids; a single "-" reads them from standard input."""
    if list(uids) == ["-"]:
        # Lines of `memtui list` begin with the uid; in other input every word is a uid.
        lines = stdin().splitlines()
        uids = [word for line in lines for word in (line.split("\t")[:1] if "\t" in line else line.split())]
        if not uids:
            raise no_uid_on_stdin()
    return [find(opened, uid) for uid in uids]


def find(opened: Workspace, uid: str) -> int:
    """Return the row of a uid, which may be cut to its beginning; raise Refused if there is none."""
    if not (uid.isascii() and uid.isalnum()):
        raise wording.not_a_uid(uid)
    return opened.find(uid)


def stdin() -> str:
    """Return all of standard input as text."""
    return sys.stdin.buffer.read().decode("utf-8", "replace")
