"""The doctor: what is wrong or unusual in the workspace and each attached store, and its repair (S-90, S-91).

Examining changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import apsw
from peewee import PeeweeException

from memtui.errors import Refused
from memtui.memory.stores import Issue
from memtui.workspace.context import NATIVE, Context
from memtui.workspace.db.damage import damage_in
from memtui.workspace.maintenance import repairs, store_checks, wording, wording_repairs, workspace_checks
from memtui.workspace.stores import catalog


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


def repair(ctx: Context, issues: Sequence[Issue]) -> list[str]:
    """Repair what can be repaired; return a sentence for each issue, also for those left as they are."""
    return [_repair(ctx, issue) for issue in issues]


def _repair(ctx: Context, issue: Issue) -> str:
    if not issue.repair:
        return wording_repairs.not_repairable(issue.text)
    try:
        ctx.writable()
        return repairs.of_issue(issue)(ctx, issue)
    except (Refused, OSError, apsw.Error, PeeweeException) as error:
        return wording_repairs.not_repaired(issue.text, error)
