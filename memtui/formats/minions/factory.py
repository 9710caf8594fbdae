"""New minions, and times in the form that a file uses."""

from __future__ import annotations

import json
from collections import Counter
from itertools import islice

from memtui.formats.contract.records import clean
from memtui.formats.media.files.draft import Draft
from memtui.formats.minions import paths, wording
from memtui.formats.minions.document import MinionEditor
from memtui.formats.minions.json_decode import time_of
from memtui.formats.minions.references import references
from memtui.formats.syntax.timestamps import format_like
from memtui.values import Json, JsonObject

_SAMPLE = 20  # files that show how a store ends its files, and their permissions


def format_time(seconds: float) -> str:
    """Return a time in the documented form: 2026-01-02T03:04:05.678Z. Raise Refused where that cannot
    hold it."""
    return str(_in_form(seconds, "2000-01-01T00:00:00.000Z"))


def time_for_member(seconds: float, editor: MinionEditor, name: str, *, in_fields: bool) -> Json:
    """Return a time in the form of the member's value, else in that of createdAt."""
    created = editor.value("createdAt"), editor.value("createdAt", in_fields=False)
    for old in (editor.value(name, in_fields=in_fields), *created):
        if old not in (None, "") and time_of(old) is not None:
            return _in_form(seconds, old)
    return format_time(seconds)


def _in_form(seconds: float, like: Json) -> Json:
    try:
        return format_like(seconds, like)
    except (OverflowError, ValueError, OSError):
        raise wording.time_out_of_range() from None


def touch(editor: MinionEditor, name: str, now: float, *, in_fields: bool = False) -> None:
    """Set a time of change, as best effort: undo leaves it where it was changed again."""
    time = time_for_member(now, editor, name, in_fields=in_fields)
    editor.set(name, time, in_fields=in_fields, best_effort=True)


def new_minion(type_id: str, title: str, fields: JsonObject, now: float) -> JsonObject:
    """Return a new minion, its members in the SDK's order."""
    at = format_time(now)
    envelope = {"id": paths.new_id(), "title": title, "minionTypeId": type_id, "fields": fields}
    return envelope | {"createdAt": at, "updatedAt": at}


def create_file(draft: Draft, minion: JsonObject) -> str:
    """Add a new minion's file, laid out like the others of the store, and return its name."""
    name = paths.file_name(minion["id"])
    line_ends = [data.endswith(b"\n") for data in islice(draft.files.values(), _SAMPLE)]
    modes = Counter(islice(draft.modes.values(), _SAMPLE))
    text = json.dumps(minion, ensure_ascii=False, indent=2)
    if sum(line_ends) * 2 > len(line_ends):
        text += "\n"
    draft.create(name, clean(text).encode(), modes.most_common(1)[0][0] if modes else 0o600)
    references(draft).add(name, draft.files[name])
    return name
