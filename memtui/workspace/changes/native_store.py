"""Our own store, in words: every action has a field here (S-8)."""

from __future__ import annotations

from memtui.formats.contract.adapter import How, Support

_WORDS = {
    "pin": "marks it in memtui",
    "unpin": "takes the mark off in memtui",
    "confirm": "raises its confidence in memtui",
    "restore": "gives it back its status",
    "add": "adds it to memtui's own store",
}
_STATUS = {"dismiss": "dismissed", "supersede": "superseded"}


def supports(action: str, name: str = "") -> Support:
    """What `action` does in the native store."""
    if status := _STATUS.get(action):
        return Support.by_status(status)
    return Support(How.NATIVE, _WORDS.get(action, "changes it in memtui"))
