"""Applying the edits of a write to the bytes of files, and telling how far an interrupted one got (S-7).

Nothing here reads or writes a disk.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memtui.formats.contract.plans import Plan
from memtui.formats.media.files import wording
from memtui.formats.media.files.digests import digest_of
from memtui.formats.media.files.draft import Draft, redo_edit
from memtui.formats.media.files.hunks import FileEdit, is_applied


def edits_by_file(plans: Sequence[Plan]) -> dict[str, list[FileEdit]]:
    """Return the edits of these plans by file name."""
    files: dict[str, list[FileEdit]] = {}
    for plan in plans:
        for edit in plan.edits:
            files.setdefault(edit.name, []).append(edit)
    return files


def modes_of(edits: Sequence[FileEdit]) -> dict[str, int]:
    """Return the permission bits of the files that are created or removed; of a file that is both, those of
    the first edit. Other files need none."""
    return {e.name: e.mode for e in reversed(edits) if None in (e.before, e.after)}


def apply_edits(files: Mapping[str, bytes], edits: Sequence[FileEdit]) -> dict[str, bytes]:
    """Return the files after `edits`. Raises Refused if they are not what the edits were made on."""
    out = dict(files)
    known: dict[str, str | None] = {}
    for edit in edits:
        data = out.get(edit.name)
        if edit.name not in known:
            known[edit.name] = digest_of(data)
        if known[edit.name] != edit.before:
            raise wording.changed_meanwhile(edit.name)
        known[edit.name] = edit.after
        if edit.before is None:
            out[edit.name] = edit.content
        elif edit.after is None:
            del out[edit.name]
        else:
            assert data is not None
            for hunk in edit.hunks:
                view = memoryview(data)
                data = b"".join((view[: hunk.start], hunk.new, view[hunk.start + len(hunk.old) :]))
            out[edit.name] = data
    return out


def has_edits(data: bytes | None, edits: Sequence[FileEdit]) -> bool | None:
    """Return whether a file's edits are applied to it; None if that is unknown."""
    current = digest_of(data)
    if current == edits[-1].after:
        return True
    return False if current == edits[0].before else is_applied(data, edits)


def complete(data: bytes | None, edits: Sequence[FileEdit]) -> bytes | None:
    """Return the file with its edits applied, unless they are already. Raises Refused where their places no
    longer exist."""
    name = edits[0].name
    applied = has_edits(data, edits)
    if applied:
        return data
    files = {} if data is None else {name: data}
    if digest_of(data) == edits[0].before:
        return apply_edits(files, edits).get(name)
    if applied is None:
        raise wording.cannot_complete(name)
    draft = Draft(files)
    for edit in edits:
        redo_edit(draft, edit)
    return draft.files.get(name)
