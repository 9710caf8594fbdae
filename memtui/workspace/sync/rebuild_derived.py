"""Rebuilding what a Cognitive Memory tree derives from its memories (S-83): `_index.json`, the scores in
`_state.json`, CORE.md and REFLECTION.md. No memory changes; the day's backup comes first.
"""

from __future__ import annotations

from memtui.errors import Refused
from memtui.formats.cognitive import Cognitive
from memtui.formats.cognitive.derived.rebuild import FILES
from memtui.formats.media.files import atomic_write
from memtui.formats.media.files.draft import Draft
from memtui.formats.media.files.tree import may_write
from memtui.workspace.context import Context
from memtui.workspace.db.database import in_words, unwritable
from memtui.workspace.journal import entries
from memtui.workspace.stores import backups, catalog
from memtui.workspace.sync.pull import pull

_UNCHANGED = "Nothing was changed."


def rebuild(ctx: Context, store_name: str, what: str) -> tuple[str, ...]:
    """Rebuild one derived file (index, state, core, reflection) of a store; the names of what was
    written, none where it was up to date. Raises Refused."""
    ctx.writable()
    if what not in FILES:
        raise Refused("what", f"Nothing is called {what}: it is {', '.join(FILES)}.", _UNCHANGED)
    store = catalog.named(ctx, store_name)
    adapter = ctx.adapter(store)
    if not isinstance(adapter, Cognitive):
        raise Refused("format", f"{store.name} is no Cognitive Memory tree.", _UNCHANGED)
    if why := catalog.locked(store) or adapter.locked():
        raise Refused("read-only", why, _UNCHANGED)
    derived = FILES[what]
    with atomic_write.alone(adapter.root):
        files, modes = adapter.load()
        old, new = files.get(derived.name), derived.make(files, ctx.clock(), ctx.projects)
        if new == old:
            return ()
        may_write(adapter.root, Draft({}, {}), derived.name)
        backups.before_write(ctx, store, adapter)
        mode = modes.get(derived.name, min(modes.values(), default=0o600))
        token = f"{ctx.leases.mine()}-{ctx.new_id()[:8]}"
        try:
            atomic_write.change(adapter.root, derived.name, old, new, token, mode)
        except OSError as trouble:
            raise atomic_write.refusal(trouble) from trouble
    done = f"Rebuilt {derived.name} of {store.name}"
    try:
        with in_words(ctx.path):
            with ctx.db.atomic():
                entries.note(ctx, ctx.actor, "rebuilt", done, [])
            pull(ctx, store, ctx.actor)
    except (Refused, OSError) as trouble:
        why = f"{done}, but memtui could not take that in: {unwritable(trouble)}."
        raise Refused("half", why, "The file is written. memtui reads it when it next starts.") from trouble
    return (derived.name,)
