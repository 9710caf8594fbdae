"""Taking edits back where files were renamed, by them or since (S-51).

A file's name has two parts that change for reasons of their own: its folder (a pin) and its last
part (a title). Each change of a name takes back only its own part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from memtui.errors import Refused
from memtui.formats.media.files.draft import Draft, FileEdit, digest, undo_edit


def take_back(draft: Draft, edits: Sequence[FileEdit]) -> None:
    """Undo these edits, last first, each in its file under the name that it has now. Raises Refused
    with code "changed-since" where one cannot be."""
    came = {edit.name: edit for edit in edits if edit.before is None}
    done: set[str] = set()
    for edit in reversed(edits):
        if edit.name in done:
            continue
        if edit.after is None and edit.moved_to in came:
            _move_back(draft, edit, came[edit.moved_to])
        elif edit.before is None and any(other.moved_to == edit.name for other in edits):
            gone = next(other for other in edits if other.moved_to == edit.name)
            _move_back(draft, gone, edit)
            done.add(gone.name)
        elif edit.before is not None and edit.after is not None:
            undo_edit(draft, replace(edit, name=_now(draft, edit)))
        else:
            undo_edit(draft, edit)
        done |= {edit.moved_to} - {""}


def _now(draft: Draft, edit: FileEdit) -> str:
    """The name that an edited file has now."""
    data = draft.files.get(edit.name)
    if not edit.of or (data is not None and draft.identity(edit.name, data) == edit.of):
        return edit.name
    found = [name for name, data in draft.files.items() if draft.identity(name, data) == edit.of]
    return found[0] if len(found) == 1 else edit.name


def _move_back(draft: Draft, gone: FileEdit, came: FileEdit) -> None:
    name = _now(draft, came)
    if name not in draft.files:
        raise _since(came.name)
    old, new, now = PurePosixPath(gone.name), PurePosixPath(came.name), PurePosixPath(name)
    folder = old.parent if old.parent != new.parent and now.parent == new.parent else now.parent
    if old.parent != new.parent and now.parent != new.parent:
        raise _since(name)
    last = now.name
    if old.name != new.name:
        if now.name != new.name:
            raise _since(name)
        last = old.name
    target = str(folder / last)
    if came.hunks:
        undo_edit(draft, FileEdit(name, digest(gone.whole), came.after, came.hunks))
    if target != name:
        if target in draft.files:
            raise Refused("exists", f"{target} is there again already.", "Nothing was changed.")
        draft.move(name, target)


def _since(name: str) -> Refused:
    return Refused(
        "changed-since",
        f"{name} changed since: it is no longer where the change left it.",
        "Nothing was written. Open the memory to see what stands there now.",
    )
