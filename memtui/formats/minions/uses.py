"""What a recall leaves in a store: when each item was last given to an agent, and a query minion with the
question (FORMATS 2, S-34).

Only the files of these memories are read: a store has a file for each of thousands.
"""

from __future__ import annotations

import stat
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from memtui.errors import Refused
from memtui.formats.contract.recalling import Asked
from memtui.formats.media.files import atomic_write
from memtui.formats.media.files.commit import write_files
from memtui.formats.media.files.digests import digest_of
from memtui.formats.media.files.draft import Draft
from memtui.formats.media.files.hunks import FileEdit
from memtui.formats.media.files.tree import bytes_of
from memtui.formats.minions import factory, paths, wording
from memtui.formats.minions.document import MinionEditor
from memtui.formats.minions.json_decode import decode
from memtui.formats.minions.reader import read_file
from memtui.formats.minions.schema import type_id
from memtui.values import Json, JsonObject

SLUG = "memory-query"
_LAST_USED, _UPDATED = "lastAccessedAt", "updatedAt"
_MAX_TITLE = 60  # characters of the question in a title


def note(folder: Path, refs: Sequence[str], asked: Asked, now: float) -> None:
    """Write that an agent was given these memories at `now` (Unix seconds); one that is not where its id says
    is only named. Raise Refused if nothing could be written."""
    with atomic_write.lock_folder(folder):
        files, modes = _files_of(folder, refs)
        draft = Draft(files, modes)
        types = [type for name in files if (type := _touch(draft, folder, name, now))]
        minion = _query(type_id(SLUG, types[0] if types else ""), refs, asked, now)
        created = factory.create_file(draft, minion)
        names = [name for name in draft.files if files.get(name) != draft.files[name]]
        try:
            atomic_write.make_folders((folder / created).parent)
            token = f"uses-{minion['id'][:8]}"
            # Syncing each folder would take most of the time that an agent waits for its answer.
            write_files(folder, files, draft.files, names, draft.modes, token, lasting=False)
        except OSError as error:
            raise atomic_write.refusal(error) from error


def as_recalled(edit: FileEdit, draft: Draft) -> FileEdit:
    """Return an edit that created a file, with what the file is now as what it left, if only its times of use
    and update differ: recalls set the one, and changes undone in another order leave the other. Else the same
    edit: then the file is not known to be the change's alone."""
    data = draft.files.get(edit.name)
    if edit.before is not None or edit.after is None or data is None or draft.matches(edit):
        return edit
    same = _without_times(data) == _without_times(edit.content)
    return replace(edit, after=digest_of(data)) if same else edit


def _without_times(data: bytes) -> Json:
    minion = decode(data)[0]
    fields = minion.get("fields") if isinstance(minion, dict) else None
    if not isinstance(minion, dict) or not isinstance(fields, dict):
        return minion
    return {**minion, _UPDATED: None, "fields": {**fields, _LAST_USED: None}}


def _files_of(folder: Path, refs: Sequence[str]) -> tuple[dict[str, bytes], dict[str, int]]:
    files: dict[str, bytes] = {}
    modes: dict[str, int] = {}
    for name in (paths.file_name(ref) for ref in refs if paths.is_id(ref)):
        path = folder / name
        if not path.is_symlink() and (data := bytes_of(path)) is not None:
            files[name], modes[name] = data, stat.S_IMODE(path.stat().st_mode)
    return files, modes


def _touch(draft: Draft, folder: Path, name: str, now: float) -> str:
    """Set when an item was last used, and return the type id of any memory; "" if the file is none."""
    records = read_file(name, draft.files[name]).records
    try:
        editor = MinionEditor(draft, folder, name)
    except (Refused, ValueError):  # it stays as it is; the query names it nevertheless
        return ""
    if not records:
        return ""
    if records[0].fields["kind"] == "item":
        time = factory.time_for_member(now, editor, _LAST_USED, in_fields=True)
        editor.set(_LAST_USED, time)
        editor.apply()
    return str(editor.value("minionTypeId", in_fields=False) or "")


def _query(type: str, refs: Sequence[str], asked: Asked, now: float) -> JsonObject:
    question = " ".join(asked.text.split())
    title = question if len(question) <= _MAX_TITLE else question[:_MAX_TITLE].rsplit(" ", 1)[0] + "…"
    fields: JsonObject = {
        "agentId": asked.agent,
        "query": asked.text,
        "strategy": asked.strategy,
        "resultsFound": len(refs),
        "topResultIds": ", ".join(refs),
        "executedAt": factory.format_time(now),
        "usedInRunId": asked.run,
    }
    return factory.new_minion(type, wording.QUERY_TITLE.format(question=title), fields, now)
