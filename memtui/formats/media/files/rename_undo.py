"""Undoing edits where files were renamed, by them or since (S-51).

A file's path has two parts that change for independent reasons: its folder (a pin) and its last part (a
title). Undoing a rename restores only the part that it changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from memtui.formats.media.files import wording
from memtui.formats.media.files.digests import digest
from memtui.formats.media.files.draft import Draft, undo_edit
from memtui.formats.media.files.hunks import FileEdit


def undo_edits(draft: Draft, edits: Sequence[FileEdit]) -> None:
    """Undo these edits, last first, each in its file under the file's current name. Raises Refused with code
    "changed-since" where one cannot be undone."""
    created = {edit.name: edit for edit in edits if edit.before is None}
    done: set[str] = set()
    for edit in reversed(edits):
        if edit.name in done:
            continue
        if edit.after is None and edit.moved_to in created:
            _move_back(draft, edit, created[edit.moved_to])
        elif edit.before is None and any(other.moved_to == edit.name for other in edits):
            removed = next(other for other in edits if other.moved_to == edit.name)
            _move_back(draft, removed, edit)
            done.add(removed.name)
        elif edit.before is not None and edit.after is not None:
            undo_edit(draft, replace(edit, name=_current_name(draft, edit)))
        else:
            undo_edit(draft, edit)
        done |= {edit.moved_to} - {""}


def _current_name(draft: Draft, edit: FileEdit) -> str:
    data = draft.files.get(edit.name)
    if not edit.identity or (data is not None and draft.identity(edit.name, data) == edit.identity):
        return edit.name
    found = [name for name, data in draft.files.items() if draft.identity(name, data) == edit.identity]
    return found[0] if len(found) == 1 else edit.name


def _move_back(draft: Draft, removed: FileEdit, created: FileEdit) -> None:
    name = _current_name(draft, created)
    if name not in draft.files:
        raise wording.moved_since(created.name)
    old, new, now = PurePosixPath(removed.name), PurePosixPath(created.name), PurePosixPath(name)
    folder = old.parent if old.parent != new.parent and now.parent == new.parent else now.parent
    if old.parent != new.parent and now.parent != new.parent:
        raise wording.moved_since(name)
    last = now.name
    if old.name != new.name:
        if now.name != new.name:
            raise wording.moved_since(name)
        last = old.name
    target = str(folder / last)
    if created.hunks:
        undo_edit(draft, FileEdit(name, digest(removed.content), created.after, created.hunks))
    if target != name:
        if target in draft.files:
            raise wording.name_taken_again(target)
        draft.move(name, target)
