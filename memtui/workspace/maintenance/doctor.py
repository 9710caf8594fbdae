"""The doctor: what is wrong or unusual in the workspace and each attached store, and its repair (S-90, S-91).

Examining changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import apsw
from peewee import PeeweeException

from memtui.errors import Refused
from memtui.memory.stores import Issue
from memtui.workspace.context import NATIVE, Context
from memtui.workspace.db import store_rows
from memtui.workspace.db.damage import damage_in
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.maintenance import (
    checkup,
    repairs,
    store_checks,
    wording,
    wording_repairs,
    workspace_checks,
)
from memtui.workspace.stores import catalog
from memtui.workspace.sync.pull import pull


def damage(ctx: Context) -> str:
    """Return the damage in the workspace's file, or ""; reads all of it."""
    return damage_in(ctx.db.connection())


def examine(ctx: Context) -> list[Issue]:
    """Return all issues, severe ones first."""
    found = workspace_checks.examine(ctx)
    try:
        stores = [store for store in catalog.attached(ctx) if store.format != NATIVE]
    except Exception as error:  # the table of stores is damaged
        stores = []
        found.append(Issue("", "unchecked", ctx.path.name, wording.stores_not_listed(error)))
    disks = {ctx.path.stat().st_dev} if ctx.path.exists() else set()
    for store in stores:
        found += store_checks.examine(ctx, store, disks)
    return sorted(found, key=lambda each: not each.severe)


def repairable(ctx: Context, store: str, code: str) -> list[Issue]:
    """Return those of a store's issues of one kind that can be repaired. Raise Refused if it is detached."""
    found = store_checks.examine(ctx, catalog.find_attached(ctx, store), set())
    return [issue for issue in found if issue.code == code and issue.repair]


def repair(ctx: Context, issues: Sequence[Issue]) -> list[str]:
    """Repair what can be repaired, all of one code in a store as one change; return sentences about it, also
    about issues left as they are."""
    groups: dict[tuple[str, str, int], list[Issue]] = {}
    for number, issue in enumerate(issues):
        place = 0 if repairs.of_one_change(issue) else number
        groups.setdefault((issue.store, issue.code, place), []).append(issue)
    said = [sentence for group in groups.values() for sentence in _repair(ctx, group)]
    for store in catalog.attached(ctx) if not ctx.read_only else ():
        if any(issue.store == store.name for issue in issues):
            _renew(ctx, store)
    return said


def _renew(ctx: Context, store: StoreRow) -> None:
    """Have the lists of stores and the Inbox show what is left; if that fails, the next pull does."""
    with suppress(Refused, OSError):
        pull(ctx, store)
        checkup.renew(ctx, store_rows.get(ctx.db, store.id))


def _repair(ctx: Context, issues: Sequence[Issue]) -> list[str]:
    """Repair an issue, or several as one change."""
    said = [wording_repairs.not_repairable(issue.text) for issue in issues if not issue.repair]
    repairable = [issue for issue in issues if issue.repair]
    try:
        ctx.writable()
        said += repairs.carry_out(ctx, repairable) if repairable else ()
    except (Refused, OSError, apsw.Error, PeeweeException) as error:
        said.append(wording_repairs.not_repaired(repairable[0].text, error))
    return said
