"""Taking secrets out of a shared memory: its head, its sections, and the name of its file (S-62)."""

from __future__ import annotations

import re

from memtui.formats.base_coat_shared import wording
from memtui.formats.base_coat_shared.document import Document
from memtui.formats.base_coat_shared.reader import read_file
from memtui.formats.contract.plans import Write
from memtui.formats.contract.records import Record
from memtui.formats.media.files import redact_text
from memtui.formats.media.files.draft import Draft
from memtui.formats.syntax import yaml_scalars
from memtui.formats.syntax.yaml_scalars import decode_scalar, split_items
from memtui.memory.secrets.redaction import Replacements
from memtui.values import FieldValue

_ITEM = re.compile(r"^([ \t]*-[ \t]+)(.*?)(?=[ \t\r]*$)", re.MULTILINE)


def redact(draft: Draft, record: Record, write: Write) -> None:
    """Replace the values wherever they are in a memory's file, and in its name. Raise Refused where the file
    would not be read back as it is but for the values."""
    redacted, name = write.redacted, record.position[0]
    assert redacted is not None
    _redact_head(draft, name, redacted, write.fields.get("subject"))
    whole = len(draft.files[name])
    redact_text.redact_part(draft, name, 0, whole, redacted)  # the text, and comments of the head
    read = read_file(name, draft.files[name]).records
    wanted = {**{field: redacted.value(value) for field, value in record.fields.items()}, **write.fields}
    if redacted.held_by(draft.files[name]) or len(read) != 1 or read[0].fields != wanted:
        raise wording.not_redacted(name)
    new_name = redacted.path(name)
    if new_name != name:
        draft.move(name, new_name)


def _redact_head(draft: Draft, name: str, redacted: Replacements, subject: FieldValue) -> None:
    def new_text(key: str, text: str) -> str:
        is_told = key == "subject" and subject and redacted.found_in(text)
        return str(subject) if is_told else redacted.text(text)

    def set_list(key: str, items: list[str]) -> None:
        head = Document(draft.files[name]).head
        assert head is not None
        value = head.values[key]
        raw = draft.files[name][value.start : value.end].decode(errors="replace")
        draft.splice(name, value.start, value.end, _redacted_list(raw, redacted).encode())

    redact_text.redact_head(draft, name, new_text, set_list)


def _redacted_list(raw: str, redacted: Replacements) -> str:
    """Return a list as it is written, [a, b] or lines of "- item", with the items that have a value anew."""

    def item(text: str) -> str:
        found = redacted.found_in(text)
        return yaml_scalars.format_scalar(redacted.text(decode_scalar(text))) if found else text

    if raw.startswith("["):
        return f"[{', '.join(map(item, split_items(raw[1:-1])))}]"
    return _ITEM.sub(lambda match: match[1] + item(match[2]), raw)
