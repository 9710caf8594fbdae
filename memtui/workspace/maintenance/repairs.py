"""Mending what the workspace's own health says: only what is certain (S-91)."""

from __future__ import annotations

import stat
from collections.abc import Callable

from memtui.memory.stores import Issue
from memtui.text import counted
from memtui.workspace.context import Context
from memtui.workspace.db import backup_files
from memtui.workspace.maintenance import vector_checks
from memtui.workspace.maintenance.text_integrity import comes_back, flipped, former_text
from memtui.workspace.maintenance.workspace_checks import MAY_GO, private_places


def mend_orphans(ctx: Context, ailment: Issue) -> str:
    """Delete rows that say nothing without the ones that are gone."""
    table, parent = ailment.names
    if table not in MAY_GO:
        return f"{ailment.text} They stay: the journal is append-only."
    ties = ctx.db.rows(
        'SELECT "from", coalesce("to", \'id\') FROM pragma_foreign_key_list(?) WHERE "table" = ?',
        (table, parent),
    )
    with ctx.db.atomic():
        before = ctx.db.connection().total_changes()
        for column, to in ties:
            ctx.db.run(
                f"DELETE FROM {table} WHERE NOT EXISTS "
                f"(SELECT 1 FROM {parent} p WHERE p.{to} = {table}.{column})"
            )
        count = ctx.db.connection().total_changes() - before
    return f"Deleted {counted(count, 'row')} of {table} that belonged to nothing."


def mend_words(ctx: Context, ailment: Issue) -> str:
    """Make the index anew."""
    with ctx.db.atomic():
        ctx.db.run("INSERT INTO words (words) VALUES ('rebuild')")
    return "Made the words index anew from the memories."


def mend_vectors(ctx: Context, ailment: Issue) -> str:
    """Put right what is wrong with vectors, and with what waits for one."""
    kind = next(kind for kind in vector_checks.KINDS if kind.code == ailment.code)
    with ctx.db.atomic():
        count = kind.put_right(ctx.db)
    return kind.mended.format(count)


def mend_text(ctx: Context, ailment: Issue) -> str:
    """Give a row its text back, or let the next pull do so."""
    (uid,) = ailment.names
    found = next((each for each in flipped(ctx) if each[1] == uid), None)
    if found is None:
        return f"{ailment.place}: its text is what was written by now."
    id, _, row = found
    with ctx.db.atomic():
        # The index takes a changed text out by what the row says now, so it must hold just that.
        ctx.db.run("INSERT INTO words (words) VALUES ('rebuild')")
        if comes_back(ctx, id):
            ctx.db.run("UPDATE memories SET digest = '' WHERE id = ?", (id,))
            ctx.db.run("UPDATE stores SET stamp = '' WHERE id = ?", (row["store_id"],))
            ctx.db.run("DELETE FROM units WHERE store_id = ?", (row["store_id"],))
            return f"{ailment.place}: the next pull takes its text anew from its store."
        former = former_text(ctx, id, row)
        if former is None:
            return f"{ailment.place}: no other copy of its text is known; it stays as it is."
        ctx.db.run(f"UPDATE memories SET {former[0]} = ? WHERE id = ?", (former[1], id))
    return f"{ailment.place}: has the {former[0]} again that the journal holds."


def mend_leases(ctx: Context, ailment: Issue) -> str:
    """Remove the lock files of ended processes."""
    ctx.leases.sweep()
    return "Removed the lock files of ended processes."


def mend_half_made(ctx: Context, ailment: Issue) -> str:
    """Remove what is left of cut-off backups, unless one is being made."""
    with backup_files.held(ctx.path):
        return "Removed what was left of backups that were cut off."


def mend_permissions(ctx: Context, ailment: Issue) -> str:
    """Take away what others may do."""
    for path, wanted in private_places(ctx):
        if str(path) == ailment.place:
            mode = stat.S_IMODE(path.stat().st_mode) & wanted
            path.chmod(mode)
            return f"{path} is private now (mode {mode:o})."
    return f"{ailment.place} is none of the workspace's places; it was left as it is."


MENDS: dict[str, Callable[[Context, Issue], str]] = {
    "orphans": mend_orphans,
    "words": mend_words,
    "text": mend_text,
    **{kind.code: mend_vectors for kind in vector_checks.KINDS},
    "stale-leases": mend_leases,
    "half-backup": mend_half_made,
    "permissions": mend_permissions,
}
