"""Every sentence of the Stores screen and its dialogs."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.tui.text.glyphs import counted, grouped

# What could not be done.
SUBJECT = "The list of stores"
STORES_UNREADABLE = "The stores could not be read"
STORE_UNREADABLE = "The store could not be read"
NOT_DISCOVERED = "This machine could not be looked over"
NOT_EXAMINED = "The doctor could not look"
NOT_ATTACHED = "It could not be attached"
NOT_RENAMED = "Not renamed"
NOT_RESTORED = "Not restored"
BACKUPS_UNREADABLE = "The backups could not be read"
FOLDER_UNREADABLE = "The folder could not be read"

# The lists.
FOUND_HEADING = "Found on this machine, not attached"
SEARCHING = "Looking for the stores of your agents …"
LOOKING = "looking …"
EXAMINING = "The doctor is looking …"
NO_FINDINGS = "✓ Nothing is wrong or odd."
EXAMINE_FAILED = "The doctor could not look: see below."
THE_WORKSPACE = "the workspace"

# Why a key cannot work.
READ_ONLY = "The workspace was opened read-only: nothing is attached, detached or changed."
WORKSPACE_FINDING = "This finding is of the workspace itself; choose a store."
NOTHING_TO_SHOW = "Nothing to show: nothing is under the cursor."
STILL_EXAMINING = "The doctor is still looking."
NOTHING_TO_REPAIR = "Nothing to mend: there is no finding."
OWN_STORE = {
    "store.detach": "memtui's own store cannot be detached.",
    "store.rename": "memtui's own store keeps its name.",
    "store.lock": "memtui's own store is written by you alone; it needs no lock.",
}

# The text of a store.
UNTOUCHED = "Attaching only reads. Nothing is written to it until you change one of its memories."
CONSEQUENCES = "What a change does here"
NONE_YET = "none yet"
NO_BACKUPS_YET = "none yet: one is made before a first write"
UNCOUNTABLE = "cannot be counted"
WHAT_KEYS_DO = "What the keys do"
OPEN_ATTACHES = "attaches it and shows its memories"
ATTACH_STAYS = "attaches it, and stays here"
MEANING = "What it means"
REPAIRS = "What can be done"

# The welcome.
WELCOME = "Welcome to memtui"
ABOUT = (
    "memtui shows what your AI agents remember, and lets you correct it where the agents read it. "
    "Every change can be taken back."
)
DEMO = "memtui demo, in a shell, opens a made-up company to try it on."
NO_STORE_FOUND = "No store of an agent was found in the known places."
ATTACH_A_PATH = "attach a file or folder"
ATTACH_ANOTHER_PATH = "attach another file or folder"
WRITE_YOUR_OWN = "write memories of your own"
ATTACH_AND_READ = "attach it, read its memories"
ATTACH_AND_STAY = "attach it, stay here"

# The dialog that attaches.
ATTACH_A_STORE = "Attach a store"
ATTACH_KEYS = "⏎ attach · tab complete · esc cancel"
ATTACH_HELP = "A file or a folder. What it is shows in its content; attaching only reads it."
NO_CANDIDATES = "Nothing here begins so."
NOT_TYPABLE = "This name holds characters that cannot be typed. Attach the folder that it is in."
TYPE_A_PATH = "Type the path of a file or a folder."
READING_IT = "Reading it …"
READING_ON = "It is being read; what is begun is finished first."

# The dialog of backups.
BACKUP_KEYS = "⏎ restore · esc close"
CONFIRM_KEYS = "y restore it · esc keep what is there"
NO_BACKUPS = "No backups yet."
BACKUPS_ARE_MADE = "One is made before the first write of a day;"
BACKUPS_ARE_KEPT = "the newest ten are kept."
BACKUP_HELP = "A backup is the whole store as it was before a day's first write."
NOTHING_TO_RESTORE = "There is nothing to restore."
RESTORE_READ_ONLY = "Not restored: the workspace was opened read-only."
CHOOSE_A_BACKUP = "⏎ chooses the backup under the cursor; y then restores it."
RESTORING = "Restoring …"
RESTORING_ON = "It is being restored; what is begun is finished first."
WHOLE_WORKSPACE = "All that memtui keeps goes back with it: the journal since then, pins, attached stores."

# The dialog that renames.
RENAME_STORE = "Rename store"
RENAME_KEYS = "⏎ rename · esc cancel"
RENAME_HELP = "Only memtui calls it so; its file is not touched."

# Changes.
NOTHING_REPAIRED = "Nothing was left to mend"


def attached(stores: int, name: str, memories: int) -> str:
    """`name`: of the store, if it is one."""
    return f"Attached {name if stores == 1 else counted(stores, 'store')}: {counted(memories, 'memory')}"


def attached_but(attached: str, refusals: Iterable[str]) -> str:
    return f"{attached}. Not: {' '.join(refusals)}"


def detached(name: str) -> str:
    return f"Detached {name}. Its file is as it was; pins, notes and history stay here"


def locked(name: str) -> str:
    return f"{name} is read-only now: memtui reads it and refuses every change to it"


def unlocked(name: str) -> str:
    return f"{name} may be changed again"


def renamed(old: str, new: str) -> str:
    return f"Renamed {old} to {new}"


def position(number: int, total: int) -> str:
    return f"{grouped(number)} of {grouped(total)}" if total else ""


def found(count: int) -> str:
    return f"{grouped(count)} found"


def severe(count: int) -> str:
    return f"{grouped(count)} grave" if count else ""


def examined(findings: int, severe_count: int) -> str:
    text = counted(findings, "finding") if findings else "nothing is wrong or odd"
    return f"The doctor looked: {text}{f', {severe(severe_count)}' if severe_count else ''}."


def try_again(key: str) -> str:
    return f"{key}  try again"


def not_attached(open_key: str) -> str:
    return f"This store is not attached; {open_key} attaches it."


def no_store(attach: str) -> str:
    return f"No store is under the cursor; {attach} attaches one."


def not_repairable(meaning: str) -> str:
    return f"memtui cannot mend this. {meaning}".strip()


def choose_finding(repair: str) -> str:
    return f"Choose a finding; {repair} mends it."


def reading(path: str) -> str:
    return f"Reading {path} …"


def reading_stores(count: int) -> str:
    return f"Reading {counted(count, 'store')} …"


def nothing_to_attach(attach_path: str) -> str:
    return f"Nothing to attach: no other store was found. {attach_path} attaches a path."


def stores_key(key: str) -> str:
    return f"{key} the stores"


def shows_memories(key: str) -> str:
    return f"{key} shows the memories"


def attaches_again(key: str) -> str:
    return f"{key} attaches it again"


def takes_back(key: str) -> str:
    return f"{key} takes it back"


def unusual(count: int) -> str:
    return f"! {grouped(count)} odd"


def locked_by_you(key: str) -> str:
    return f"Read-only by your word; {key} allows changes again."


def read_only(reason: str) -> str:
    return f"Read-only: {reason}"


def more_findings(count: int, pane_key: str) -> str:
    return f"and {grouped(count)} more: {pane_key} goes to the findings"


def backups(count: int, newest: str, key: str) -> str:
    return f"{grouped(count)}, the newest of {newest}; {key} shows them"


def live(count: int, live_count: int) -> str:
    return f"{grouped(count)}, {grouped(live_count)} live" if count else NONE_YET


def not_attached_store(title: str, count: str) -> str:
    return f"{title} · {count} · not attached"


def repair_needs_you(check: str) -> str:
    return f"This takes a person; {check} looks again then."


def looked_in(places: str) -> str:
    return f"Looked in {places}."


def found_on_machine(count: int) -> str:
    return f"{counted(count, 'store')} found on this machine."


def attach_all(count: int) -> str:
    return f"attach all {count}"


def failed(what: str, error: str) -> str:
    return f"{what}: {error}"


def backups_of(store: str) -> str:
    return f"Backups of {store}"


def confirm_restore(path: str, memories: int, made_at: str, *, is_workspace: bool) -> str:
    text = (
        f"{path}, {counted(memories, 'memory')} now, becomes what it was at {made_at}. "
        "What stands there now is backed up first."
    )
    return f"{text} {WHOLE_WORKSPACE}" if is_workspace else text
