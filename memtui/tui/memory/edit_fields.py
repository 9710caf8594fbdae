"""The fields of the editor: their names on the screen, and their values as text and back."""

from __future__ import annotations

from memtui.memory.encoding import iso
from memtui.memory.memory import SHARES, TIMES, Memory
from memtui.memory.query.ranges import moment_ahead, share
from memtui.tui.memory import wording_dialogs as wording
from memtui.values import FieldValue

LINE_FIELDS = ("title", "category", "tags")
FIELDS = ("content", *LINE_FIELDS)
# Behind a key, since they are rarely edited; the last three only of a new memory.
MORE_FIELDS = (
    *("subject", "key", "note", "scope", "importance", "confidence"),
    *("expires_at", "valid_from", "valid_to"),
)
ADD_FIELDS = ("kind", "owner", "source_ref")

_LABELS = {"expires_at": "expires", "source_ref": "source"}


def label_of(name: str) -> str:
    """Return a field's name for the screen: expires_at as Expires."""
    return _LABELS.get(name, name.replace("_", " ")).capitalize()


def text_of(memory: Memory | None, name: str) -> str:
    """Return a field as text; "" where there is none. Raw: show it through safe_text."""
    value = getattr(memory, name) if memory is not None else None
    if value is None:
        return ""
    if name == "tags":
        return ", ".join(value)
    if name in TIMES:
        return (iso(value) or "").removesuffix("T00:00:00Z")
    return f"{value:g}" if name in SHARES else str(value)


def value_of(name: str, text: str, now: float) -> FieldValue:
    """Return the value that a text stands for, None for an empty one; raise NotSaved if it is none."""
    if name == "tags":
        return tuple(part.strip() for part in text.split(",") if part.strip())
    if name in FIELDS:
        return text
    text = text.strip()
    if not text:
        return None
    if name in SHARES:
        try:
            return share(text)
        except ValueError:
            raise wording.not_a_share(label_of(name)) from None
    if name in TIMES:
        moment = moment_ahead(text, now)
        if moment is None:
            raise wording.not_a_date(label_of(name))
        return moment
    return text
