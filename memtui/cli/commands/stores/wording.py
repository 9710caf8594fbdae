"""Every sentence of the commands about stores."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.errors import Refused
from memtui.text import counted, plural

NOTHING_CHANGED = "Nothing was changed."

# Backups.
NO_BACKUPS = "There are no backups yet: the first write of a day to a store makes one."
UNKNOWN_STORE = "(a store that is no longer known)"

# Cognitive Memory.
NO_TREES = "No Cognitive Memory tree is attached: memtui stores attach PATH."
ATTACH_A_TREE = "memtui stores attach PATH attaches one."

# Discovery.
ATTACH_ELSEWHERE = "A store elsewhere: memtui stores attach PATH"

# The doctor.
NOTHING_WRONG = "Nothing is wrong."

# Embedding.
SET_MODEL = 'Set model in the settings, for instance to "".'
READING = "reading by meaning"


def restored(summary: str) -> str:
    return f"{summary}."


def restore_before(id: str) -> str:
    return f"As it was before: memtui backup restore {id}"


def written(path: object) -> str:
    return f"Written: {path}"


def up_to_date(store: str) -> str:
    return f"{store} is already up to date."


def no_tree_attached() -> Refused:
    return Refused("no-store", "No Cognitive Memory tree is attached.", ATTACH_A_TREE)


def which_tree(names: Iterable[str]) -> Refused:
    return Refused("which", f"Which one? There are {', '.join(names)}.", "Name it behind the command.")


def not_a_tree(store: str) -> Refused:
    return Refused("format", f"{store} is no Cognitive Memory tree.", NOTHING_CHANGED)


def not_attached(path: str, quoted: str) -> Refused:
    return Refused(
        "not-attached",
        f"{path} is not attached.",
        f"{NOTHING_CHANGED} Attach it first: memtui stores attach {quoted}",
    )


def unknown_tree(name: str, known: Iterable[str]) -> Refused:
    names = ", ".join(known)
    return Refused(
        "no-store", f"There is no store named {name}.", f"There are: {names}." if names else ATTACH_A_TREE
    )


def attach_by(path: str) -> str:
    return f"Attach one: memtui stores attach {path}"


def nothing_discovered(attached: int, places: Iterable[str]) -> str:
    more = f" beside the {attached:,} that are attached" if attached else ""
    return f"No store was found{more}. Looked in {', '.join(places)}."


def doctor_summary(severe: int, unusual: int, repairable: int) -> str:
    parts = [f"{severe:,} grave"] if severe else []
    parts += [f"{unusual:,} odd"] if unusual else []
    things = plural(severe + unusual, "thing")
    return f"{' and '.join(parts)} {things}" + (f"; --fix mends {repairable:,}." if repairable else ".")


def sqlite_version(version: str, summary: str) -> str:
    return f"SQLite {version}. {summary}"


def more_issues(count: int) -> str:
    return f"And {count:,} more; --json tells all."


def issue(severity: str, store: str, place: str, text: str) -> str:
    return f"{severity}  {store or 'workspace'}: {place}: {text}"


def meaning(text: str) -> str:
    return f"    {text}"


def repair(text: str) -> str:
    return f"    --fix {text}"


def read(count: int, model: str) -> str:
    return f"{_memories(count)} read by {model}."


def reading_stopped(count: int, pending: int) -> str:
    return f"Stopped. {_memories(count)} read, {pending:,} wait; memtui embed goes on from here."


def nothing_pending(embedded: int, model: str) -> str:
    return f"Nothing waits: {_memories(embedded)} read by {model}."


def not_read(count: int, due: str | None, reason: str) -> str:
    return f"Not read: {counted(count, 'memory')}, tried again after {due}: {reason}"


def pending(count: int, reason: str, hint: str) -> str:
    return f"{count:,} wait: {reason} {hint}".rstrip()


def embed_read_only() -> Refused:
    return Refused("read-only", "Nothing was read by meaning: the workspace is only read.", "")


def _memories(count: int) -> str:
    return counted(count, "memory was", "memories were")


def attached(name: str, count: int, path: str) -> str:
    return f"Attached {name}: {counted(count, 'memory')} in {path}"


def findings_left(count: int) -> str:
    findings = counted(count, "odd thing left as it is", "odd things left as they are")
    return f"  {findings}; memtui stores list tells"


def created(name: str, path: str) -> str:
    return f"Made {name} in {path} and attached it."


def read_only(name: str, reason: str) -> str:
    return f"{name} is read-only: {reason}"


def store_error(name: str, error: str) -> str:
    return f"{name}: {error}"


def finding(name: str, place: str, text: str) -> str:
    return f"{name}: {place}: {text}"


def more_findings(name: str, count: int) -> str:
    return f"{name}: and {count:,} more"


def detached(name: str) -> str:
    return f"Detached {name}. Its file is as it was; its pins, notes and history stay in memtui."


def renamed(name: str, new: str) -> str:
    return f"Renamed {name} to {new}."


def locked(name: str) -> str:
    return f"{name} is read-only: memtui refuses every change to it, until --off."


def unlocked(name: str, read_only: str) -> str:
    return f"{name} may be changed{f', but: {read_only}' if read_only else '.'}"
