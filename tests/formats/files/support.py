"""Drafts and lines of the file store tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from memtui.formats.media.files.draft import Draft

REPOSITORY = Path(__file__).parents[3]


def draft_of(before: bytes, change: Callable[[Draft], None]) -> Draft:
    draft = Draft({"f": before})
    change(draft)
    draft.take_edits()
    return draft


LINES = b"".join(b"line number %d of this file\n" % n for n in range(9))
