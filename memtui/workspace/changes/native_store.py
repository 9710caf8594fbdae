"""What each action does in memtui's own store: every one has a field there (S-8)."""

from __future__ import annotations

from memtui.formats.contract.adapter import Support, SupportKind
from memtui.workspace.changes import wording

_STATUS = {"dismiss": "dismissed", "supersede": "superseded"}


def support_for(action: str, name: str = "") -> Support:
    """Return what `action` does, as `Adapter.support_for` does for other stores."""
    if status := _STATUS.get(action):
        return Support.by_status(status)
    return Support(SupportKind.NATIVE, wording.NATIVE_SUPPORT.get(action, wording.OTHER_NATIVE_SUPPORT))
