"""Making minions, and times in the form that a file has them in."""

from __future__ import annotations

import json
from collections import Counter
from itertools import islice
from typing import Any

from memtui.errors import NotSaved
from memtui.formats.contract.adapter import clean
from memtui.formats.media.files.draft import Draft
from memtui.formats.minions import paths
from memtui.formats.minions.document import Sheet
from memtui.formats.minions.json_decode import time_of
from memtui.formats.minions.references import known
from memtui.formats.syntax.timestamps import in_the_form_of

_SOME = 20  # files that tell how a store ends its files


def moment(seconds: float) -> str:
    """A time as the format documents it: 2026-01-02T03:04:05.678Z."""
    return str(_in_form(seconds, "2000-01-01T00:00:00.000Z"))


def timed(seconds: float, sheet: Sheet, name: str, *, inside: bool) -> Any:
    """A time in the form in which it stood there, else in that of the minion's making."""
    made = sheet.says("createdAt"), sheet.says("createdAt", inside=False)
    for old in (sheet.says(name, inside=inside), *made):
        if old not in (None, "") and time_of(old) is not None:
            return _in_form(seconds, old)
    return moment(seconds)


def _in_form(seconds: float, like: Any) -> Any:
    try:
        return in_the_form_of(seconds, like)
    except (OverflowError, ValueError, OSError):
        raise NotSaved("time", "the time is beyond all calendars.") from None


def stamp(sheet: Sheet, name: str, now: float, *, inside: bool = False) -> None:
    """Renew a time of change; where it is changed again, taking the rest back leaves it."""
    sheet.set(name, timed(now, sheet, name, inside=inside), inside=inside, soft=True)


def minion(type_id: str, title: str, fields: dict[str, Any], now: float, **more: Any) -> dict[str, Any]:
    """A new minion, its members in the order of the original."""
    at = moment(now)
    envelope = {"id": paths.fresh_id(), "title": title, "minionTypeId": type_id, "fields": fields}
    return envelope | {"createdAt": at, "updatedAt": at} | more


def create(draft: Draft, minion: dict[str, Any]) -> str:
    """Put a new minion into its shard, as the store's other files are; the name of its file."""
    name = paths.name_of(minion["id"])
    ends = [data.endswith(b"\n") for data in islice(draft.files.values(), _SOME)]
    modes = Counter(islice(draft.modes.values(), _SOME))
    text = json.dumps(minion, ensure_ascii=False, indent=2) + ("\n" if sum(ends) * 2 > len(ends) else "")
    draft.create(name, clean(text).encode(), modes.most_common(1)[0][0] if modes else 0o600)
    known(draft).add(name, draft.files[name])
    return name
