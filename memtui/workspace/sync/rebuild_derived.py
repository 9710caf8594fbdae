"""Rebuilding the derived files of a Cognitive Memory tree (S-83): `_index.json`, the scores in `_state.json`,
CORE.md and REFLECTION.md. No memory changes; the daily backup is made first.
"""

from __future__ import annotations

from memtui.errors import Refused
from memtui.formats.cognitive import Cognitive
from memtui.formats.cognitive.derived.rebuild import FILES
from memtui.formats.media.files import atomic_write
from memtui.formats.media.files.draft import Draft
from memtui.formats.media.files.tree import ensure_writable
from memtui.workspace.context import Context
from memtui.workspace.db.database import translate_errors, unwritable
from memtui.workspace.journal import entries
from memtui.workspace.stores import backups, catalog
from memtui.workspace.sync import wording
from memtui.workspace.sync.pull import pull


def rebuild(ctx: Context, store_name: str, what: str) -> tuple[str, ...]:
    """Rebuild one derived file (index, state, core, reflection) of a store and return the names of the files
    written, none if it was up to date; raise Refused if that is impossible."""
    ctx.writable()
    if what not in FILES:
        raise wording.not_derived(what, FILES)
    store = catalog.find_attached(ctx, store_name)
    adapter = ctx.adapter(store)
    if not isinstance(adapter, Cognitive):
        raise wording.not_cognitive(store.name)
    if why := catalog.locked_reason(store) or adapter.locked_reason():
        raise Refused("read-only", why, wording.NOTHING_CHANGED)
    derived = FILES[what]
    with atomic_write.lock_folder(adapter.root):
        files, modes = adapter.load()
        old, new = files.get(derived.name), derived.build(files, ctx.clock(), ctx.projects)
        if new == old:
            return ()
        ensure_writable(adapter.root, Draft({}, {}), derived.name)
        backups.before_write(ctx, store, adapter)
        mode = modes.get(derived.name, min(modes.values(), default=0o600))
        token = f"{ctx.leases.own()}-{ctx.new_id()[:8]}"
        try:
            atomic_write.change(adapter.root, derived.name, old, new, token, mode)
        except OSError as error:
            raise atomic_write.refusal(error) from error
    done = wording.rebuilt(derived.name, store.name)
    try:
        with translate_errors(ctx.path):
            with ctx.db.atomic():
                entries.add(ctx, ctx.actor, "rebuilt", done, [])
            pull(ctx, store, ctx.actor)
    except (Refused, OSError) as error:
        raise wording.rebuilt_not_read(done, unwritable(error)) from error
    return (derived.name,)
