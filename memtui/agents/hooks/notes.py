"""What is known of a session from one event to the next: in a small file of its own, since a helper may end
at any moment (S-81).

A file that cannot be read counts as none; the oldest go after a week.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from pathlib import Path

_OLDEST = 7 * 86_400.0  # seconds
_MOST = 50  # entries of a list


@dataclass(slots=True)
class Unfixed:
    """A command that failed: the key of the memory about it, and what was changed since."""

    command: str
    key: str
    changes: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Notes:
    """The notes on one session: digests of the statements that were kept, and the commands that failed and
    did not succeed since."""

    kept: list[str] = field(default_factory=list)
    unfixed: list[Unfixed] = field(default_factory=list)


def digest(text: str) -> str:
    """Return what stands for a text."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def read(folder: Path, session: str) -> Notes:
    """Return the notes on a session."""
    try:
        found = json.loads((folder / digest(session)).read_bytes())
        unfixed = [
            Unfixed(str(each["command"]), str(each["key"]), list(each["changes"]))
            for each in found["unfixed"]
        ]
        return Notes([str(each) for each in found["kept"]], unfixed)
    except (OSError, ValueError, KeyError, TypeError):
        return Notes()


def write(folder: Path, session: str, notes: Notes) -> None:
    """Keep the notes on a session: whole or not at all."""
    folder.mkdir(mode=0o700, exist_ok=True)
    path = folder / digest(session)
    new = path.with_name(f"{path.name}.{os.getpid()}")
    short = Notes(notes.kept[-4 * _MOST :], notes.unfixed[-_MOST:])
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(handle, "w", encoding="utf-8") as file:
        json.dump(asdict(short), file, ensure_ascii=True)
    os.replace(new, path)


def forget_old(folder: Path, now: float) -> None:
    """Delete the notes on sessions that nothing happened in for long, `now` in Unix seconds."""
    with suppress(OSError):
        for each in os.scandir(folder):
            if each.stat().st_mtime < now - _OLDEST:
                os.unlink(each.path)
