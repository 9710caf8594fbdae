"""What the doctor finds in stores, kept for the Inbox, and looked for again where it may have changed (S-52,
S-91).

Examining reads a whole store, so it is done in the background and takes a small part of the time.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from memtui.workspace.context import NATIVE
from memtui.workspace.db.models import Checkup
from memtui.workspace.maintenance import store_checks
from memtui.workspace.stores import catalog

if TYPE_CHECKING:
    from memtui.memory.stores import Issue
    from memtui.workspace.background import JobControl
    from memtui.workspace.context import Context
    from memtui.workspace.db.store_rows import StoreRow

# After how many of its own durations a store is examined again, and after how many seconds at least: one that
# changed, one in which something was found (it may be repaired from outside), any.
_CHANGED, _FOUND, _ANY = (30, 2.0), (100, 60.0), (1_000, 86_400.0)


@dataclass(frozen=True, slots=True)
class Found:
    """The findings of one kind in a store: how many there are, how many memtui can repair, and the text,
    place and meaning of the first. The reader of the store has those that are not `own`, too."""

    text: str
    place: str
    meaning: str
    count: int
    repairable: int
    severe: bool
    own: bool


def run(ctx: Context, control: JobControl) -> bool:
    """Examine the stores that are due; return whether anything else was found than before."""
    changed = False
    for store in catalog.attached(ctx):
        if control.stop() or ctx.read_only:
            break
        if store.format != NATIVE and _is_due(ctx, store):
            control.wait()
            changed |= renew(ctx, store)
    return changed


def renew(ctx: Context, store: StoreRow) -> bool:
    """Examine a store; return whether anything else was found than before."""
    began = time.thread_time()
    mark = _mark(store)
    found = _by_code(store_checks.examine(ctx, store, set()), _codes_of_reader(store))
    row = {
        "store_id": store.id,
        "at": ctx.clock(),
        "seconds": time.thread_time() - began,
        "mark": mark,
        "findings": json.dumps({code: asdict(each) for code, each in found.items()}),
    }
    with ctx.writing, ctx.db.atomic():
        before = ctx.db.find(Checkup, store.id)
        ctx.db.write(Checkup.insert(row).on_conflict_replace())
    return (before.findings if before is not None else "{}") != row["findings"]


def found_in(ctx: Context, store: StoreRow) -> Mapping[str, Found]:
    """Return what was found in a store when it was examined last, by code, the severe first."""
    row = ctx.db.find(Checkup, store.id)
    return {} if row is None else {code: Found(**each) for code, each in json.loads(row.findings).items()}


def _by_code(issues: Iterable[Issue], of_reader: frozenset[str]) -> dict[str, Found]:
    groups: dict[str, list[Issue]] = {}
    for issue in issues:
        groups.setdefault(issue.code, []).append(issue)
    found = {
        code: Found(
            group[0].text,
            group[0].place,
            group[0].meaning,
            len(group),
            sum(bool(each.repair) for each in group),
            any(each.severe for each in group),
            code not in of_reader,
        )
        for code, group in groups.items()
    }
    return dict(sorted(found.items(), key=lambda each: not each[1].severe))


def _codes_of_reader(store: StoreRow) -> frozenset[str]:
    """Return the codes of what the last pull met, which the list of stores has already."""
    return frozenset({finding[0] for finding in json.loads(store.findings)} | {store.error_code})


def _is_due(ctx: Context, store: StoreRow) -> bool:
    last = ctx.db.find(Checkup, store.id)
    if last is None:
        return True
    since = ctx.clock() - last.at
    waits = [_ANY]
    if last.mark != _mark(store):
        waits.append(_CHANGED)
    if last.findings != "{}":
        waits.append(_FOUND)
    return any(since >= max(least, durations * last.seconds) for durations, least in waits)


def _mark(store: StoreRow) -> str:
    """Return what is the same while a store is."""
    return f"{store.epoch} {store.stamp} {store.error_code}"
