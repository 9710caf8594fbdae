"""The member `searchableText`, which the SDK's search uses: it follows changes of a minion (FORMATS 2)."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from memtui.errors import Refused
from memtui.formats.media.files.draft import Draft
from memtui.formats.minions.document import MinionEditor
from memtui.formats.minions.json_decode import decode
from memtui.formats.minions.schema import MEMBERS
from memtui.memory.memory import TIMES
from memtui.values import Json, JsonObject

_TIME_MEMBERS = {member for names in MEMBERS.values() for name, member in names.items() if name in TIMES}


def build(minion: Mapping[str, Json]) -> str:
    """Return the text that the SDK itself would build."""
    return " ".join(filter(None, _texts(minion).values()))


def update(draft: Draft, folder: Path, name: str, before: JsonObject, *, best_effort: bool = True) -> None:
    """Update the text after an edit of a minion that was `before`. Without the member, the SDK searches the
    title alone: every edit adds it, as the SDK's own edits do."""
    editor = MinionEditor(draft, folder, name)
    text = editor.value("searchableText", in_fields=False)
    old, new = _texts(before), _texts(editor.minion)
    if not isinstance(text, str | None) or (text and old == new):
        return
    updated = build(editor.minion)
    if text and text != build(before):
        updated = _with_new_values(text, old, new) or updated
    editor.set("searchableText", updated, in_fields=False, best_effort=best_effort)
    editor.apply()


def update_after_undo(draft: Draft, folder: Path, name: str, before: bytes) -> None:
    """Update the text after an undo in a file that was `before` and had changed since the undone edit: the
    old text is not restored where a later one is."""
    old, new = decode(before)[0], decode(draft.files[name])[0]
    texts = [each.get("searchableText") for each in (old, new) if isinstance(each, dict)]
    if len(texts) == 2 and texts[0] and texts[0] == texts[1]:
        with suppress(Refused):  # a file that cannot be written does not prevent the undo
            update(draft, folder, name, old)


def _texts(minion: Mapping[str, Json]) -> dict[str, str]:
    """Return the lower-case text of each searchable member, by path; members without a text are left out."""
    values = {"title": minion.get("title"), "description": minion.get("description")}
    fields = minion.get("fields")
    fields = fields if isinstance(fields, dict) else {}
    values |= {f"fields.{name}": value for name, value in fields.items() if name not in _TIME_MEMBERS}
    return {path: value.lower() for path, value in values.items() if isinstance(value, str)}


def _with_new_values(text: str, old: Mapping[str, str], new: Mapping[str, str]) -> str:
    """Return `text`, as its writer laid it out, with old values replaced by new ones; "" if a new value has
    no place in it."""
    included = [path for path, value in old.items() if value and value in text]
    if any(old.get(path) != value and path not in included for path, value in new.items()):
        return ""
    for path in included:
        if old[path] != new.get(path):
            text = text.replace(old[path], new.get(path, ""), 1)
    return text if all(new.get(path, "") in text for path in included) else ""
