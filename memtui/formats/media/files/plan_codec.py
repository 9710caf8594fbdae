"""A plan of changes to files, kept as JSON and read back (S-7).

Bytes become text that gives back the same bytes, whatever they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from memtui.formats.contract.adapter import Planned
from memtui.formats.media.files.draft import FileEdit, Hunk


def dumped(planned: Planned) -> dict[str, Any]:
    """A plan as JSON."""
    return {
        "ref": planned.ref,
        "ref_after": planned.ref_after,
        "words": planned.words,
        "also": list(planned.also),
        "changes": list(planned.changes),
        "left": planned.left,
        "removed": None if planned.removed is None else dict(planned.removed),
        "edits": [
            {
                "name": e.name,
                "before": e.before,
                "after": e.after,
                "whole": _text(e.whole),
                "mode": e.mode,
                "moved_to": e.moved_to,
                "of": e.of,
                "folders": e.folders,
                "hunks": [
                    [h.start, _text(h.old), _text(h.new), _text(h.head), _text(h.tail), h.soft]
                    for h in e.hunks
                ],
            }
            for e in planned.edits
        ],
    }


def loaded(data: Mapping[str, Any]) -> Planned:
    """A plan from JSON."""
    edits = tuple(
        FileEdit(
            e["name"],
            e["before"],
            e["after"],
            tuple(_hunk(h) for h in e["hunks"]),
            _bytes(e["whole"]),
            e["mode"],
            e.get("moved_to", ""),  # plans that were kept before there were such edits
            e.get("of", ""),
            e.get("folders", 0),
        )
        for e in data["edits"]
    )
    removed = data["removed"]
    if removed is not None:
        removed = {k: tuple(v) if isinstance(v, list) else v for k, v in removed.items()}
    return Planned(
        data["ref"],
        data["ref_after"],
        edits,
        data["words"],
        tuple(data["also"]),
        tuple(data["changes"]),
        data["left"],
        removed,
    )


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _hunk(kept: Sequence[Any]) -> Hunk:
    start, old, new, head, tail, soft = kept
    return Hunk(start, _bytes(old), _bytes(new), _bytes(head), _bytes(tail), soft)
