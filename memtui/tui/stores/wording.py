"""Every sentence of the Stores screen and its dialogs."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.memory.contradictions.pairs import CONTRADICTION
from memtui.text import after_colon
from memtui.tui.text.glyphs import counted, grouped

# What could not be done.
SUBJECT = "The list of stores"
STORES_UNREADABLE = "Could not read the stores"
STORE_UNREADABLE = "Could not read the store"
NOT_DISCOVERED = "Could not search this machine for stores"
NOT_EXAMINED = "Could not run the checks"
NOT_ATTACHED = "Could not attach"
NOT_RENAMED = "Could not rename"
NOT_RESTORED = "Could not restore"
VIEW_UNREADABLE = "Could not read what the agent sees"
BACKUPS_UNREADABLE = "Could not read the backups"
FOLDER_UNREADABLE = "Could not read the folder"

# The lists.
FOUND_HEADING = "Found on this machine, not attached"
SEARCHING = "Searching for your agents' stores …"
LOOKING = "searching …"
CHECKING = "checking …"
EXAMINING = "Running checks …"
NO_FINDINGS = "✓ No problems found."
EXAMINE_FAILED = "Could not run the checks: see below."
THE_WORKSPACE = "the workspace"

# What an agent sees.
READING_VIEW = "Reading …"

# Why a key cannot work.
READ_ONLY = "The workspace is read-only: stores can't be attached, detached or changed."
WORKSPACE_FINDING = "This finding is about the workspace itself; select a store."
NOTHING_TO_SHOW = "Nothing selected."
STILL_EXAMINING = "Checks are still running."
NOTHING_TO_REPAIR = "Nothing to repair: there are no findings."
OWN_STORE = {
    "store.detach": "memtui's own store can't be detached.",
    "store.rename": "memtui's own store can't be renamed.",
    "store.lock": "memtui's own store can't be made read-only: only you write to it.",
    "store.agent_view": "No agent loads memtui's own store.",
}

# The text of a store.
UNTOUCHED = "Attaching is read-only. Nothing is written until you change one of its memories."
CONSEQUENCES = "What each action does here"
NONE_YET = "none yet"
NO_BACKUPS_YET = "none yet (made before the first write)"
UNCOUNTABLE = "unknown count"
WHAT_KEYS_DO = "Keys"
OPEN_ATTACHES = "attach it and show its memories"
ATTACH_STAYS = "attach it and stay here"
MEANING = "What it means"
REPAIRS = "How to fix it"

# The welcome.
WELCOME = "Welcome to memtui"
ABOUT = (
    "memtui shows what your AI agents remember and lets you correct it where they read it. "
    "Every change except a purge or a redaction can be undone."
)
DEMO = "To try memtui with sample data, run memtui demo in a shell."
NO_STORE_FOUND = "No agent stores found in the usual places."
ATTACH_A_PATH = "attach a file or folder"
ATTACH_ANOTHER_PATH = "attach another file or folder"
WRITE_YOUR_OWN = "write your own memories"
ATTACH_AND_READ = "attach it and show its memories"
ATTACH_AND_STAY = "attach it and stay here"

# The dialog that attaches.
ATTACH_A_STORE = "Attach a store"
ATTACH_KEYS = "⏎ attach · tab complete · esc cancel"
ATTACH_HELP = "A file or folder. The format is detected. Attaching is read-only."
NO_CANDIDATES = "No matches."
NOT_TYPABLE = "This name has characters that can't be typed. Attach its folder instead."
TYPE_A_PATH = "Type the path of a file or folder."
READING_IT = "Reading …"
READING_ON = "Still reading; this can't be interrupted."

# The dialog of backups.
BACKUP_KEYS = "⏎ restore · esc close"
CONFIRM_KEYS = "y restore · esc cancel"
NO_BACKUPS = "No backups yet."
BACKUPS_ARE_MADE = "One is made before the first write of each day;"
BACKUPS_ARE_KEPT = "the newest ten are kept."
BACKUP_HELP = "A backup is the whole store as it was before the first write of a day."
NOTHING_TO_RESTORE = "There is no backup to restore."
RESTORE_READ_ONLY = "Can't restore: the workspace is read-only."
CHOOSE_A_BACKUP = "Press ⏎, then y, to restore the selected backup."
RESTORING = "Restoring …"
RESTORING_ON = "Still restoring; this can't be interrupted."
WHOLE_WORKSPACE = "This also restores everything memtui keeps: the journal, pins and attached stores."

# The dialog that renames.
RENAME_STORE = "Rename store"
RENAME_KEYS = "⏎ rename · esc cancel"
RENAME_HELP = "Only the name in memtui changes, not the file."

# Changes.
NOTHING_REPAIRED = "Nothing left to repair"


def attached(stores: int, name: str, memories: int) -> str:
    """`name`: of the store, if it is one."""
    return f"Attached {name if stores == 1 else counted(stores, 'store')}: {counted(memories, 'memory')}"


def attached_but(attached: str, refusals: Iterable[str]) -> str:
    return f"{attached}. Not attached: {' '.join(refusals)}"


def detached(name: str) -> str:
    return f"Detached {name}. Its file is unchanged; pins, notes and history stay in memtui"


def locked(name: str) -> str:
    return f"Made {name} read-only: memtui refuses every change to it"


def unlocked(name: str) -> str:
    return f"Made {name} writable again"


def renamed(old: str, new: str) -> str:
    return f"Renamed {old} to {new}"


def position(number: int, total: int) -> str:
    return f"{grouped(number)} of {grouped(total)}" if total else ""


def found(count: int) -> str:
    return f"{grouped(count)} found"


def severe(count: int) -> str:
    return counted(count, "error") if count else ""


def examined(findings: int, severe_count: int) -> str:
    text = counted(findings, "finding") if findings else "no problems found"
    return f"Checks finished: {text}{f', {severe(severe_count)}' if severe_count else ''}."


def try_again(key: str) -> str:
    return f"{key}  try again"


def not_attached(open_key: str) -> str:
    return f"This store is not attached; press {open_key} to attach it."


def no_store(attach: str) -> str:
    return f"No store selected; press {attach} to attach one."


def not_repairable(meaning: str) -> str:
    return f"memtui can't repair this. {meaning}".strip()


def not_importable(reason: str) -> str:
    return f"Can't import to this store: {after_colon(reason)}"


def choose_finding(repair: str) -> str:
    return f"Select a finding, then press {repair} to repair it."


def reading(path: str) -> str:
    return f"Reading {path} …"


def reading_stores(count: int) -> str:
    return f"Reading {counted(count, 'store')} …"


def nothing_to_attach(attach_path: str) -> str:
    return f"Nothing to attach: no other store was found. Press {attach_path} to attach a file or folder."


def stores_key(key: str) -> str:
    return f"{key} stores"


def shows_memories(key: str) -> str:
    return f"{key} show memories"


def attaches_again(key: str) -> str:
    return f"{key} attach again"


def takes_back(key: str) -> str:
    return f"{key} undo"


def unusual(count: int) -> str:
    return f"! {counted(count, 'warning')}"


def locked_by_you(key: str) -> str:
    return f"You made this store read-only; press {key} to allow changes."


def read_only(reason: str) -> str:
    return f"Read-only: {after_colon(reason)}"


def more_findings(count: int, pane_key: str) -> str:
    return f"and {grouped(count)} more; press {pane_key} to see the findings"


def backups(count: int, newest: str, key: str) -> str:
    return f"{grouped(count)}, newest from {newest}; press {key} to list them"


def live(count: int, live_count: int) -> str:
    return f"{grouped(count)}, {grouped(live_count)} live" if count else NONE_YET


def not_attached_store(title: str, count: str) -> str:
    return f"{title} · {count} · not attached"


def repair_needs_you(check: str) -> str:
    return f"Fix this by hand, then press {check} to re-check."


def looked_in(places: str) -> str:
    return f"Searched {places}."


def found_on_machine(count: int) -> str:
    return f"Found {counted(count, 'store')} on this machine."


def attach_all(count: int) -> str:
    return f"attach all {count}"


def failed(what: str, error: str) -> str:
    return f"{what}: {error}"


PROBLEMS_IN_VIEW = "Wrong in this text"


def view_title(client: str, store: str, tokens: int, unit: str, not_loaded: int) -> str:
    """`client` is "" if nothing is loaded at session start; `not_loaded` counts memories."""
    if not client:
        return f"Session start: {store}"
    rest = f" · {counted(not_loaded, 'memory')} not loaded" if not_loaded else ""
    return f"{client} sees {grouped(tokens)} {unit} of {store}{rest}"


def pair_in_view(a: str, b: str, family: str) -> str:
    verb = "contradicts" if family == CONTRADICTION else "duplicates"
    return f"“{a}” {verb} “{b}”."


def more_pairs_in_view(count: int) -> str:
    return f"and {counted(count, 'more pair')}; Review (3) has all"


def more_memories(count: int) -> str:
    return f"and {counted(count, 'memory')} more"


def backups_of(store: str) -> str:
    return f"Backups of {store}"


def confirm_restore(path: str, memories: int, made_at: str, *, is_workspace: bool) -> str:
    text = (
        f"{path} ({counted(memories, 'memory')} now) will be restored to its state as of {made_at}. "
        "Its current state is backed up first."
    )
    return f"{text} {WHOLE_WORKSPACE}" if is_workspace else text
