"""Every sentence of the commands about stores."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.errors import Refused
from memtui.text import after_colon, counted

NOTHING_CHANGED = "Nothing was changed."

# Backups.
NO_BACKUPS = "No backups yet. A store is backed up before the first write of each day."
UNKNOWN_STORE = "(unknown store)"

# Cognitive Memory.
ATTACH_ONE = "To attach one: memtui stores attach PATH"
NO_COGNITIVE = f"No Cognitive Memory store is attached. {ATTACH_ONE}"

# Discovery.
ATTACH_ELSEWHERE = "To attach a store from elsewhere: memtui stores attach PATH"

# The doctor.
NOTHING_WRONG = "No problems found."
ERROR = "error"
WARNING = "warning"

# Embedding.
SET_MODEL = 'Set model in the settings; "" is the built-in model.'
INDEXING = "indexing"


def restored(summary: str) -> str:
    return f"{summary}."


def restore_before(id: str) -> str:
    return f"To go back to the previous state: memtui backup restore {id}"


def written(path: object) -> str:
    return f"Wrote {path}"


def up_to_date(store: str) -> str:
    return f"{store} is already up to date."


def no_cognitive_attached() -> Refused:
    return Refused("no-store", "No Cognitive Memory store is attached.", ATTACH_ONE)


def which_cognitive(names: Iterable[str]) -> Refused:
    return Refused(
        "which",
        f"Several Cognitive Memory stores are attached: {', '.join(names)}.",
        "Specify one of these names after the command.",
    )


def not_cognitive(store: str) -> Refused:
    return Refused("format", f"{store} is not a Cognitive Memory store.", NOTHING_CHANGED)


def not_attached(path: str, quoted: str) -> Refused:
    return Refused(
        "not-attached",
        f"{path} is not attached.",
        f"{NOTHING_CHANGED} Attach it first: memtui stores attach {quoted}",
    )


def unknown_cognitive(name: str, known: Iterable[str]) -> Refused:
    names = ", ".join(known)
    return Refused("no-store", f"No store named {name}.", f"Attached: {names}." if names else ATTACH_ONE)


def attach_by(path: str) -> str:
    return f"To attach one: memtui stores attach {path}"


def nothing_discovered(attached: int, places: Iterable[str]) -> str:
    found = f"No other stores found ({attached:,} attached)" if attached else "No stores found"
    return f"{found}. Searched {', '.join(places)}."


def doctor_summary(errors: int, warnings: int, repairable: int) -> str:
    parts = [counted(errors, ERROR)] if errors else []
    parts += [counted(warnings, WARNING)] if warnings else []
    return " and ".join(parts) + (f"; --fix repairs {repairable:,}." if repairable else ".")


def sqlite_version(version: str, summary: str) -> str:
    return f"SQLite {version}. {summary}"


def more_issues(count: int) -> str:
    return f"And {count:,} more; --json shows all."


def issue(severity: str, store: str, place: str, text: str) -> str:
    return f"{severity}  {store or 'workspace'}: {place}: {text}"


def meaning(text: str) -> str:
    return f"    {text}"


def repair(text: str) -> str:
    return f"    --fix {text}"


def indexed(count: int, model: str) -> str:
    return f"Indexed {counted(count, 'memory')} with {model}."


def indexing_stopped(count: int, pending: int) -> str:
    return f"Stopped. Indexed {counted(count, 'memory')}, {pending:,} left. To continue: memtui embed"


def nothing_pending(embedded: int, model: str) -> str:
    return f"Already up to date: {counted(embedded, 'memory')} indexed with {model}."


def not_indexed(count: int, due: str | None, reason: str) -> str:
    return f"Not indexed: {counted(count, 'memory')} (next try after {due}): {reason}"


def pending(count: int, reason: str, hint: str) -> str:
    return f"{counted(count, 'memory')} not indexed: {reason} {hint}".rstrip()


def embed_read_only() -> Refused:
    return Refused("read-only", "Nothing was indexed: the workspace is open read-only.", "")


def attached(name: str, count: int, path: str) -> str:
    return f"Attached {name}: {counted(count, 'memory')} in {path}"


def already_attached(name: str, count: int, path: str) -> str:
    return f"{name} is already attached: {counted(count, 'memory')} in {path}"


def findings_left(count: int) -> str:
    return f"  {counted(count, WARNING)}. To list them: memtui stores list"


def created(name: str, path: str) -> str:
    return f"Created {name} in {path} and attached it."


def read_only(name: str, reason: str) -> str:
    return f"{name} is read-only: {after_colon(reason)}"


def store_error(name: str, error: str) -> str:
    return f"{name}: {error}"


def finding(name: str, place: str, text: str) -> str:
    return f"{name}: {place}: {text}"


def more_findings(name: str, count: int) -> str:
    return f"{name}: and {count:,} more"


def detached(name: str) -> str:
    return f"Detached {name}. Its files were not changed; its pins, notes and history stay in memtui."


def renamed(name: str, new: str) -> str:
    return f"Renamed {name} to {new}."


def locked(name: str) -> str:
    return f"{name} is now read-only in memtui. --off allows changes again."


def unlocked(name: str, read_only: str) -> str:
    if read_only:
        return f"Removed your read-only setting, but {name} still can't be changed: {read_only}"
    return f"{name} can be changed again."
