"""Repairs of the doctor's issues: only what is certain (S-91).

Repairs work on a database that may be damaged. What a repair sets by key goes through the models; commands of
the full-text index and orphans of any table, found by the schema's own foreign keys, are raw SQL.
"""

from __future__ import annotations

import stat
from collections.abc import Callable, Sequence
from pathlib import Path

from memtui.memory.stores import Issue
from memtui.workspace.changes import store_repairs
from memtui.workspace.changes.reconcile import reconcile
from memtui.workspace.context import Context
from memtui.workspace.db import backup_files
from memtui.workspace.db.models import Memory, Store, Unit
from memtui.workspace.maintenance import vector_checks
from memtui.workspace.maintenance import wording_repairs as wording
from memtui.workspace.maintenance.store_checks import stray_files
from memtui.workspace.maintenance.text_integrity import corrupted_rows, is_in_store, journaled_text
from memtui.workspace.maintenance.workspace_checks import DELETABLE, private_paths
from memtui.workspace.stores import catalog

_REBUILD_WORDS = "INSERT INTO words (words) VALUES ('rebuild')"


def carry_out(ctx: Context, issues: Sequence[Issue]) -> list[str]:
    """Repair an issue, or all `of_one_change`; return sentences about what was done."""
    store, code = issues[0].store, issues[0].code
    if of_one_change(issues[0]):
        return _TOGETHER[code](ctx, issues)
    repair = (_STORE_REPAIRS if store else _WORKSPACE_REPAIRS)[code]
    return [repair(ctx, issue) for issue in issues]


def of_one_change(issue: Issue) -> bool:
    """Return whether all such issues of a store are repaired as one change."""
    return bool(issue.store) and issue.code in _TOGETHER


# -- the workspace


def _delete_orphans(ctx: Context, issue: Issue) -> str:
    """Delete rows that refer to rows which are gone."""
    table, parent = issue.names
    if table not in DELETABLE:
        return wording.orphans_kept(issue.text)
    keys = ctx.db.rows(
        'SELECT "from", coalesce("to", \'id\') FROM pragma_foreign_key_list(?) WHERE "table" = ?',
        (table, parent),
    )
    with ctx.db.atomic():
        before = ctx.db.connection().total_changes()
        for column, referred in keys:
            ctx.db.run(
                f"DELETE FROM {table} WHERE NOT EXISTS "
                f"(SELECT 1 FROM {parent} p WHERE p.{referred} = {table}.{column})"
            )
        count = ctx.db.connection().total_changes() - before
    return wording.orphans_deleted(count, table)


def _rebuild_words(ctx: Context, issue: Issue) -> str:
    with ctx.db.atomic():
        ctx.db.run(_REBUILD_WORDS)
    return wording.WORDS_REBUILT


def _repair_vectors(ctx: Context, issue: Issue) -> str:
    check = next(check for check in vector_checks.CHECKS if check.code == issue.code)
    with ctx.db.atomic():
        count = check.repair(ctx.db)
    return check.texts.repaired.format(count)


def _restore_text(ctx: Context, issue: Issue) -> str:
    """Give a row its text back, or have the next pull do so."""
    (uid,) = issue.names
    row = next((each for each in corrupted_rows(ctx) if each.uid == uid), None)
    if row is None:
        return wording.text_intact(issue.place)
    with ctx.db.atomic():
        # The index removes a changed text by the row's current text, so it must contain exactly that.
        ctx.db.run(_REBUILD_WORDS)
        if is_in_store(ctx, row.id):
            ctx.db.write(Memory.update(digest="").where(Memory.id == row.id))
            ctx.db.write(Store.update(stamp="").where(Store.id == row.store_id))
            ctx.db.write(Unit.delete().where(Unit.store_id == row.store_id))
            return wording.text_from_store(issue.place)
        found = journaled_text(ctx, row)
        if found is None:
            return wording.text_lost(issue.place)
        field, value = found
        ctx.db.update_many(Memory, (field,), ("id",), [(value, row.id)])
    return wording.text_restored(issue.place, field)


def _remove_leases(ctx: Context, issue: Issue) -> str:
    ctx.leases.sweep()
    return wording.LEASES_REMOVED


def _remove_unfinished_backups(ctx: Context, issue: Issue) -> str:
    """Remove what interrupted backups left, unless one is being made."""
    with backup_files.held(ctx.path):
        return wording.BACKUPS_CLEARED


def _make_private(ctx: Context, issue: Issue) -> str:
    for path, allowed in private_paths(ctx):
        if str(path) == issue.place:
            mode = stat.S_IMODE(path.stat().st_mode) & allowed
            path.chmod(mode)
            return wording.made_private(path, mode)
    return wording.not_private_path(issue.place)


_WORKSPACE_REPAIRS: dict[str, Callable[[Context, Issue], str]] = {
    "orphans": _delete_orphans,
    "words": _rebuild_words,
    "text": _restore_text,
    **{check.code: _repair_vectors for check in vector_checks.CHECKS},
    "stale-leases": _remove_leases,
    "half-backup": _remove_unfinished_backups,
    "permissions": _make_private,
}

# -- stores


def _settle(ctx: Context, issue: Issue) -> str:
    """Find out from the store what became of an interrupted change."""
    return " ".join(reconcile(ctx)) or wording.ALL_SETTLED


def _remove_stray(ctx: Context, issue: Issue) -> str:
    """Remove a file that memtui wrote, if the doctor would still report it."""
    adapter = ctx.adapter(catalog.find_attached(ctx, issue.store))
    file = Path(issue.place)
    if adapter is None or file not in set(stray_files(ctx, adapter)) or not file.name.endswith(".new"):
        return wording.stray_gone(file.name)
    file.unlink()
    return wording.stray_removed(file.name)


_STORE_REPAIRS: dict[str, Callable[[Context, Issue], str]] = {
    "unsettled": _settle,
    "stray": _remove_stray,
}
_TOGETHER = {
    store_repairs.UNLISTED: store_repairs.add_lines,
    **dict.fromkeys(store_repairs.LINK_CODES, store_repairs.correct_links),
}
"""Repairs that change memories: all of one code in a store are one change with one undo."""
