"""Taking secrets out of a shared memory: its head, its sections, and the name of its file (S-62)."""

from __future__ import annotations

import re

from memtui.formats.base_coat_shared import wording
from memtui.formats.base_coat_shared.document import Document
from memtui.formats.base_coat_shared.reader import read_file
from memtui.formats.contract.plans import Write
from memtui.formats.contract.records import Record
from memtui.formats.media.files.draft import Draft
from memtui.formats.media.files.redact_text import redact_part
from memtui.formats.syntax import yaml_scalars
from memtui.formats.syntax.yaml_scalars import Style, decode_scalar, split_items
from memtui.memory.secrets.redaction import Replacements
from memtui.values import FieldValue

_ITEM = re.compile(r"^([ \t]*-[ \t]+)(.*?)(?=[ \t\r]*$)", re.MULTILINE)


def redact(draft: Draft, record: Record, write: Write) -> None:
    """Replace the values wherever they are in a memory's file, and in its name. Raise Refused where the file
    would not be read back as it is but for the values."""
    redacted, name = write.redacted, record.position[0]
    assert redacted is not None
    _redact_head(draft, name, redacted, write.fields.get("subject"))
    redact_part(draft, name, 0, len(draft.files[name]), redacted)  # all else: the text, comments in the head
    read = read_file(name, draft.files[name]).records
    wanted = {**{field: redacted.value(value) for field, value in record.fields.items()}, **write.fields}
    if redacted.held_by(draft.files[name]) or len(read) != 1 or read[0].fields != wanted:
        raise wording.not_redacted(name)
    new_name = redacted.path(name)
    if new_name != name:
        draft.move(name, new_name)


def _redact_head(draft: Draft, name: str, redacted: Replacements, subject: FieldValue) -> None:
    head = Document(draft.files[name]).head
    if head is None:
        return
    # From the last on, so that the places of the others stay.
    for key, value in sorted(head.values.items(), key=lambda each: -each[1].start):
        if value.style is Style.LIST and any(map(redacted.found_in, value.items)):
            raw = draft.files[name][value.start : value.end].decode(errors="replace")
            draft.splice(name, value.start, value.end, _redacted_list(raw, redacted).encode())
        elif value.style not in (Style.LIST, Style.MAP) and redacted.found_in(value.text):
            new = str(subject) if key == "subject" and subject else redacted.text(value.text)
            draft.splice(name, *head.put(key, new))


def _redacted_list(raw: str, redacted: Replacements) -> str:
    """Return a list as it is written, [a, b] or lines of "- item", with the items that have a value anew."""

    def item(text: str) -> str:
        found = redacted.found_in(text)
        return yaml_scalars.format_scalar(redacted.text(decode_scalar(text))) if found else text

    if raw.startswith("["):
        return f"[{', '.join(map(item, split_items(raw[1:-1])))}]"
    return _ITEM.sub(lambda match: match[1] + item(match[2]), raw)
