"""The edits of a write, made in the bytes of files, and how far a cut-off one came (S-7).

Nothing here touches a disk.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memtui.errors import NotSaved, Refused
from memtui.formats.contract.adapter import Planned
from memtui.formats.media.files.draft import Draft, FileEdit, digest, redo_edit, stood


def by_file(plans: Sequence[Planned]) -> dict[str, list[FileEdit]]:
    """The edits of these plans, file by file."""
    files: dict[str, list[FileEdit]] = {}
    for plan in plans:
        for edit in plan.edits:
            files.setdefault(edit.name, []).append(edit)
    return files


def modes_of(edits: Sequence[FileEdit]) -> dict[str, int]:
    """The permission bits of the files that are made or taken away; of a file that is both, those of the
    first edit. Others need none."""
    return {e.name: e.mode for e in reversed(edits) if None in (e.before, e.after)}


def digest_of(data: bytes | None) -> str | None:
    """The digest of a file; None where there is none."""
    return None if data is None else digest(data)


def applied(files: Mapping[str, bytes], edits: Sequence[FileEdit]) -> dict[str, bytes]:
    """The files after `edits`; Refused if they are not what the edits were made on."""
    out = dict(files)
    known: dict[str, str | None] = {}
    for edit in edits:
        data = out.get(edit.name)
        if edit.name not in known:
            known[edit.name] = digest_of(data)
        if known[edit.name] != edit.before:
            raise NotSaved(
                "changed",
                f"{edit.name} changed while the change was being made.",
                "Nothing was written. Try again.",
            )
        known[edit.name] = edit.after
        if edit.before is None:
            out[edit.name] = edit.whole
        elif edit.after is None:
            del out[edit.name]
        else:
            assert data is not None
            for hunk in edit.hunks:
                view = memoryview(data)
                data = b"".join((view[: hunk.start], hunk.new, view[hunk.start + len(hunk.old) :]))
            out[edit.name] = data
    return out


def made_in(data: bytes | None, edits: Sequence[FileEdit]) -> bool | None:
    """Whether a file's edits are made in it; None where neither can be told."""
    mark = digest_of(data)
    if mark == edits[-1].after:
        return True
    return False if mark == edits[0].before else stood(data, edits)


def completed(data: bytes | None, edits: Sequence[FileEdit]) -> bytes | None:
    """A file with its edits made, if they are not yet; Refused where their places are gone."""
    name = edits[0].name
    made = made_in(data, edits)
    if made:
        return data
    files = {} if data is None else {name: data}
    if digest_of(data) == edits[0].before:
        return applied(files, edits).get(name)
    if made is None:
        raise Refused("changed", f"{name} changed since.", "It was left as it is.")
    draft = Draft(files)
    for edit in edits:
        redo_edit(draft, edit)
    return draft.files.get(name)
