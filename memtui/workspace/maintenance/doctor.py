"""The doctor: what is wrong or odd, with the workspace and with each attached store, and what it means
(S-90, S-91). Looking changes nothing; mending does only what is certain."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import apsw

from memtui.errors import Refused
from memtui.formats import registry
from memtui.formats.checkup import told
from memtui.formats.contract.adapter import Adapter, Reading
from memtui.formats.media.sqlite.connection import opened
from memtui.formats.media.sqlite.store import SqliteStore
from memtui.formats.relation_checks import tangles
from memtui.memory.stores import Issue
from memtui.workspace.changes import index_line, repair_link
from memtui.workspace.changes.reconcile import reconcile
from memtui.workspace.context import NATIVE, Context
from memtui.workspace.db.database import damage_in
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.maintenance import finding_help, repairs, workspace_checks
from memtui.workspace.stores import catalog

linked = workspace_checks.linked
_PERSONAL = frozenset(
    {"user", "preference", "contact", "identity", "hard_preference", "soft_preference", "health"}
)
_CHECKED = 1 << 26  # bytes of a database whose pages are all looked at
_AGED = 100  # findings of what time made odd
_LENGTH = 800  # characters of a sentence that quotes a store
_ENTRIES = 5_000  # of a store's folder that are looked at
_KEPT = "What memtui last read of it is kept and shown."
# A store that cannot be read now: (what it means, whether memories are at risk).
_TROUBLES = {
    "missing": (f"{_KEPT} Put it back, or detach it: memtui stores detach.", True),
    "damaged": (
        f"{_KEPT} Its agent can no longer read it either; a backup may hold it: memtui backup.",
        True,
    ),
    "unknown-schema": (f"{_KEPT} Something else stands in its place.", True),
    "busy": (f"Nothing is lost: another program is writing to it. {_KEPT} Ask again in a moment.", False),
    "unreadable": (f"{_KEPT} This user may not read the store.", False),
}


def damaged(ctx: Context) -> str:
    """What is broken in the workspace's file, in words for a screen; "" if nothing is. Reads all of it."""
    return damage_in(ctx.db.connection())


def examine(ctx: Context) -> list[Issue]:
    """Everything that is wrong or odd, the grave first. Changes nothing."""
    found = workspace_checks.examine(ctx)
    try:
        stores = [store for store in catalog.attached(ctx) if store.format != NATIVE]
    except Exception as trouble:  # a workspace that is damaged just there
        stores = []
        found.append(Issue("", "unchecked", ctx.path.name, f"The stores cannot be listed: {trouble}."))
    disks = {ctx.path.stat().st_dev} if ctx.path.exists() else set()
    for store in stores:
        found += of_store(ctx, store, disks)
    return sorted(found, key=lambda each: not each.severe)


# -- one store


def of_store(ctx: Context, store: StoreRow, disks: set[int]) -> list[Issue]:
    """What is wrong with one store; its trouble never hides another's."""
    name = str(store.name)
    found: list[Issue] = []
    try:
        adapter = ctx.adapter(store)
        assert adapter is not None
        found += _place(adapter, name, disks)
        if type(adapter).recognise(adapter.root) is None and not _is_empty(adapter):
            raise _damaged_or_other(adapter)
        reading = adapter.read()
        tangled = list(tangles(reading))
        reading.findings += islice(adapter.aged(reading, ctx.clock()), _AGED)
        reading.findings += tangled
        found += _checkup(adapter, name, reading, ctx.clock())
        found += _reading(adapter, name, reading)
        found += _shared(adapter, name, reading)
        found += _writing(adapter, name)
        found += _strays(ctx, adapter, name)
        if isinstance(adapter, SqliteStore):
            found += _pages(adapter, name)
    except Refused as refusal:
        meaning, grave = _TROUBLES.get(refusal.code, (_KEPT, False))
        found.append(Issue(name, refusal.code, str(store.path), refusal.message, meaning, "", grave))
    except Exception as trouble:
        why = trouble.strerror if isinstance(trouble, OSError) and trouble.strerror else repr(trouble)
        found.append(Issue(name, "unreadable", str(store.path), f"It cannot be read: {why}.", _KEPT))
    return found


def _is_empty(adapter: Adapter) -> bool:
    """A file that was emptied is still its format's, whatever it is called."""
    return adapter.root.is_file() and adapter.root.stat().st_size == 0


def _damaged_or_other(adapter: Adapter) -> Refused:
    """Why what stands at a store's place is no store of its format."""
    refusal = registry.explain(adapter.root)
    broken = isinstance(adapter, SqliteStore) and refusal.code == "unknown-file"
    if refusal.code in ("busy", "unreadable"):
        return refusal
    what = f"It can no longer be read as {adapter.title}"
    return Refused("damaged" if broken else "unknown-schema", f"{what}: {refusal.why}")


def _place(adapter: Adapter, name: str, disks: set[int]) -> Iterator[Issue]:
    root = adapter.root
    if root.is_symlink() or root.resolve() != root:
        yield Issue(
            name,
            "symlink",
            str(root),
            f"Its place has become a link, to {root.resolve()}.",
            "Somebody moved the store since it was attached; memtui reads what the link leads to.",
        )
    if root.stat().st_dev not in disks:
        disks.add(root.stat().st_dev)
        yield from workspace_checks.short_of_space(root, name)


def _checkup(adapter: Adapter, name: str, reading: Reading, now: float) -> Iterator[Issue]:
    """Add to the reading what only the doctor looks for; where that fails, the rest is told all the same."""
    try:
        reading.findings += told(adapter.checkup(reading, now))
    except (apsw.Error, OSError, ValueError) as trouble:
        yield Issue(name, "unchecked", str(adapter.root), f"Not all of it could be looked at: {trouble}.")


def _reading(adapter: Adapter, name: str, reading: Reading) -> Iterator[Issue]:
    """What the reader met, with what follows from it."""
    odd = any(finding.code in repair_link.CODES for finding in reading.findings)
    meant = repair_link.meant(adapter) if odd else {}
    for finding in reading.findings:
        mend = index_line.MEND if index_line.can_mend(adapter, finding.code) else ""
        words, place = finding.text, finding.place or adapter.root.name
        if right := meant.get((finding.code, finding.place, finding.about)):
            mend = repair_link.MEND.format(_cut(finding.about), _cut(right))
            words = repair_link.WORDS.format(words, right)
        yield Issue(
            name,
            finding.code,
            place if mend else _cut(place),  # mending goes by it
            _cut(words),
            finding_help.meaning(adapter, finding.code),
            mend,
            finding.code in adapter.grave,
            finding.about if mend else _cut(finding.about),
        )


def _cut(words: str) -> str:
    """A sentence whose end is seen however long a name in it is."""
    return words if len(words) <= _LENGTH else f"{words[: _LENGTH - 100]}…{words[-99:]}"


def _shared(adapter: Adapter, name: str, reading: Reading) -> Iterator[Issue]:
    """Who else gets to read the store: other users of the machine, and those of a repository."""
    personal = sum(record.fields.get("category") in _PERSONAL for record in reading.records)
    about = f"Memories about a person in it: {personal:,}." if personal else ""
    open_files = [file for file in _files(adapter.root) if _world_may(file, 0o004)]
    if any(_world_may(file, 0o002) for file in _files(adapter.root)):
        yield Issue(
            name,
            "world-writable",
            str(adapter.root),
            "Any user on this machine can change it.",
            f"Anyone could plant false memories. To fix: chmod -R o= {shlex.quote(str(adapter.root))}",
        )
    if open_files:
        what = open_files[0].name if len(open_files) == 1 else f"{len(open_files):,} files"
        yield Issue(
            name,
            "world-readable",
            str(adapter.root),
            f"Every user of this machine may read {what}.",
            f"{about} To make it private: chmod -R o= {shlex.quote(str(adapter.root))}".strip(),
        )
    if workspace_checks.in_git(_within(adapter.root)) == "tracked":
        yield Issue(
            name,
            "git",
            str(adapter.root),
            "Git tracks this store.",
            f"{about} Whoever gets the repository reads it, a checkout may bring an old one back.".strip(),
        )


def _within(root: Path) -> Path:
    """What git can be asked about: a folder is tracked if a file in it is."""
    return next(iter(_files(root)), root)


def _world_may(path: Path, what: int) -> bool:
    """Whether users without a tie to the file can get to it, and may do this to it."""
    if not path.stat(follow_symlinks=False).st_mode & what:
        return False
    return all(folder.stat().st_mode & 0o001 for folder in path.resolve().parents)


def _writing(adapter: Adapter, name: str) -> Iterator[Issue]:
    """What keeps memtui from changing the store."""
    for file in _files(adapter.root):
        if file.stat(follow_symlinks=False).st_nlink > 1:
            yield Issue(
                name,
                "hard-link",
                str(file),
                f"{file.name} has a second name (a hard link).",
                "Writing could tear the two names apart or damage a database, so memtui only reads it.",
            )
            return
    why = adapter.locked()
    if why:
        yield Issue(
            name,
            adapter.lock_code(),
            str(adapter.root),
            why,
            "memtui shows its memories and changes nothing in it.",
        )


def _pages(adapter: Adapter, name: str) -> Iterator[Issue]:
    """Whether all pages of a database can be read."""
    if adapter.root.stat().st_size > _CHECKED:
        return
    with opened(adapter.root) as connection:
        damage = damage_in(connection)
    if damage:
        yield Issue(
            name,
            "damaged",
            str(adapter.root),
            f"The database is damaged: {damage}.",
            *_TROUBLES["damaged"][:1],
            "",
            True,
        )


def _strays(ctx: Context, adapter: Adapter, name: str) -> Iterator[Issue]:
    """Hidden files that a write of memtui's left when it was cut off."""
    for file in stray_files(ctx, adapter):
        ours = file.name.endswith(".new")
        yield Issue(
            name,
            "stray",
            str(file),
            f"{file.name} was left by a change that was cut off.",
            "No agent reads it."
            if ours
            else "It may hold what an agent wrote in that moment: compare it with the file beside it.",
            "removes it" if ours and not ctx.read_only else "",
        )


def stray_files(ctx: Context, adapter: Adapter) -> Iterator[Path]:
    """The hidden files of no write that is under way, and those brought back to sight."""
    tokens = [row[0] for row in ctx.db.rows("SELECT DISTINCT token FROM outbox WHERE state = 'intended'")]
    folder = adapter.root if adapter.root.is_dir() else adapter.root.parent
    for file in _entries(folder):
        _, sign, token = file.name.rpartition(".memtui-")
        if not sign:
            continue
        if token.startswith("recovered-"):
            yield file
            continue
        token, _, what = token.rpartition(".")
        if file.name.startswith(".") and what in ("new", "old") and token not in tokens:
            yield file


def _files(root: Path) -> Iterator[Path]:
    """The files of a store."""
    if not root.is_dir():
        yield root
        return
    yield from (file for file in _entries(root) if file.suffix in (".md", ".json", ".jsonl"))


def _entries(folder: Path) -> Iterator[Path]:
    """The files below a folder, so many and not through links."""
    yield from (file for file in islice(_walked(folder), _ENTRIES) if not file.is_symlink())


def _walked(folder: Path) -> Iterator[Path]:
    """In the same order each time, whatever the disk's."""
    for each, folders, names in os.walk(folder, followlinks=False):
        folders.sort()
        yield from (Path(each, name) for name in sorted(names))


# -- mending


def mend(ctx: Context, ailments: Sequence[Issue]) -> list[str]:
    """Mend what can be mended; a sentence for each, also for what stays as it is."""
    return [_mended(ctx, ailment) for ailment in ailments]


def _mended(ctx: Context, ailment: Issue) -> str:
    if not ailment.repair:
        return f"Left as it is: {ailment.text}"
    try:
        ctx.writable()
        return _mend_of(ailment)(ctx, ailment)
    except (Refused, OSError, apsw.Error) as trouble:
        return f"Not mended: {ailment.text} ({trouble})"


def _mend_of(ailment: Issue) -> Callable[[Context, Issue], str]:
    if ailment.store:
        return _STORE_MENDS[ailment.code]
    return repairs.MENDS[ailment.code]


def _settle(ctx: Context, ailment: Issue) -> str:
    """Ask the store what became of a change that was cut off."""
    told = reconcile(ctx)
    return " ".join(told) if told else "All changes are settled by now."


def _remove_stray(ctx: Context, ailment: Issue) -> str:
    """Remove a file of ours, if it is one that the doctor would find again."""
    adapter = ctx.adapter(catalog.named(ctx, ailment.store))
    file = Path(ailment.place)
    if adapter is None or file not in set(stray_files(ctx, adapter)) or not file.name.endswith(".new"):
        return f"{file.name} is not there any more, or belongs to a change under way."
    file.unlink()
    return f"Removed {file.name}."


_STORE_MENDS: dict[str, Callable[[Context, Issue], str]] = {
    "unsettled": _settle,
    "stray": _remove_stray,
    index_line.CODE: index_line.mend,
    **dict.fromkeys(repair_link.CODES, repair_link.mend),
}
