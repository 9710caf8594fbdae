"""Writing the files of a batch of plans, all or none (S-6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from memtui.errors import Refused
from memtui.formats.media.files import atomic_write, wording

NEW_MODE = 0o600  # permission bits of a file for which none are known


def write_files(
    folder: Path,
    before: Mapping[str, bytes],
    after: Mapping[str, bytes],
    names: Sequence[str],
    modes: Mapping[str, int],
    token: str,
    on_step: Callable[[], None] = lambda: None,
    *,
    lasting: bool = True,
) -> None:
    """Bring these files of a folder from `before` to `after`; call `on_step` before each. What need not be
    `lasting` a power cut may undo, file by file.

    Raises Refused if that fails, after putting back what was written; with code "partly" if that fails too.
    """
    tried: list[str] = []
    try:
        for name in names:
            on_step()
            tried.append(name)
            old, new, mode = before.get(name), after.get(name), modes.get(name, NEW_MODE)
            atomic_write.change(folder, name, old, new, token, mode, sync=False, lasting=lasting)
        folders = {(folder / name).parent for name in names} if lasting else ()
        for each in folders:  # each folder once, for all its files
            atomic_write.sync_folder(each)
    except (Refused, OSError) as error:
        refusal = atomic_write.refusal(error) if isinstance(error, OSError) else error
        stuck = _put_back(folder, before, after, tried, modes, token)
        raise (wording.not_put_back(refusal.message, stuck) if stuck else refusal) from error


def _put_back(
    folder: Path,
    before: Mapping[str, bytes],
    after: Mapping[str, bytes],
    tried: Sequence[str],
    modes: Mapping[str, int],
    token: str,
) -> list[str]:
    """Put these files back, last first; return those that could not be."""
    stuck: list[str] = []
    for name in reversed(tried):
        try:
            if name == tried[-1] and atomic_write.read(folder, name) != after.get(name):
                continue  # this is the one that failed: it was not written
            old, new, mode = after.get(name), before.get(name), modes.get(name, NEW_MODE)
            atomic_write.change(folder, name, old, new, token, mode)
        except (Refused, OSError):
            if name != tried[-1] and not _holds(folder, name, before.get(name)):
                stuck.append(name)
    return stuck


def _holds(folder: Path, name: str, data: bytes | None) -> bool:
    try:
        return atomic_write.read(folder, name) == data
    except OSError:
        return False
