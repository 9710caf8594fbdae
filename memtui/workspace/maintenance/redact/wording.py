"""Every sentence of a redaction."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.errors import Refused
from memtui.text import after_colon, counted, plural

NOTHING_REDACTED = "Nothing was redacted."


FINISHED_EARLIER = "An earlier redaction or purge is now finished: nothing of it is left in unused space."


def no_such_memory() -> Refused:
    return Refused("nothing", "No such memory.", NOTHING_REDACTED)


def no_secret() -> Refused:
    return Refused("nothing", "It holds no secret.", NOTHING_REDACTED)


def read_only(reason: str) -> Refused:
    return Refused("read-only", f"Not redacted: {after_colon(reason)}", NOTHING_REDACTED)


def detached(store: str) -> Refused:
    return Refused("detached", f"{store} is detached.", f"{NOTHING_REDACTED} Attach it again first.")


def changed_meanwhile(store: str) -> Refused:
    return Refused("conflict", f"It has changed in {store} since it was read.", "Redact it again.")


def not_redacted_in(title: str) -> Refused:
    return Refused(
        "unsupported",
        f"memtui can't redact in {title} stores yet.",
        "Edit the secret out of the memory, and change the key.",
    )


def field_not_writable(field: str, store: str) -> Refused:
    name = field.replace("_", " ")
    return Refused("unsupported", f"The secret is in the {name}, which memtui can't change in {store}.")


def in_file_name(store: str) -> Refused:
    return Refused(
        "unsupported", f"The secret is in the name of the memory's file in {store}. Rename the file."
    )


def at_place(refusal: Refused, file: str, line: int, column: int) -> Refused:
    """A refusal, with the place of the value in a file that cannot be rewritten."""
    where = f"The secret is in {file}, line {line}, column {column}."
    return Refused(refusal.code, refusal.reason, where)


def incomplete(stores: Iterable[str], reason: str) -> Refused:
    done = f"Redacted in {', '.join(dict.fromkeys(stores))}, but not in memtui: {reason}."
    return Refused("half", done, "It is finished with the next change, or when memtui starts.")


def still_prevented(notes: Iterable[str]) -> Refused:
    return Refused("half", " ".join(notes), "Redact it again to finish.")


# -- what was done


def summary(count: str, stores: Iterable[str]) -> str:
    """The journal's summary; `count` says how many memories."""
    return f"Redacted {count} in {', '.join(dict.fromkeys(stores))}"


def left(uid: str, reason: str) -> str:
    return f"{uid} was not redacted: {after_colon(reason)}"


def others_hold(uids: list[str]) -> str:
    verb = "keeps" if len(uids) == 1 else "keep"
    return f"{_others(uids)} the same value, and {verb} it: {_named(uids)}."


def others_have_trace(uids: list[str]) -> str:
    return f"{_others(uids)} it in small letters, or a name that was made of it: {_named(uids)}."


def _others(uids: list[str]) -> str:
    return counted(len(uids), "other memory has", "other memories have")


def _named(uids: list[str]) -> str:
    return ", ".join(uids[:5]) + (", …" if len(uids) > 5 else "")


def not_undoable(count: int) -> str:
    return f"{counted(count, 'earlier change')} can no longer be undone, since the value was part of it."


def rules_stopped(names: list[str]) -> str:
    """Rules whose query had the value."""
    why = "off now, because the value was in what"
    return (
        f"{counted(len(names), f'rule is {why} it matches', f'rules are {why} they match')}: {_named(names)}."
    )


def change_now(values: int) -> str:
    """What to do about the redacted values themselves."""
    if values == 1:
        return "Change this key now: whoever has read it still has it."
    return f"Change these {values:,} keys now: whoever has read them still has them."


# -- what a process that died left to do


def finished() -> str:
    return "Finished an interrupted redaction."


def not_finished_yet(reason: str) -> str:
    return f"A redaction isn't finished yet: {after_colon(reason)}"


def backups_hold(ids: list[str]) -> str:
    return (
        f"{counted(len(ids), 'backup')} still {plural(len(ids), 'has', 'have')} the value: {', '.join(ids)}."
    )


# -- where it may still be


def still_in(file: str) -> str:
    return f"{file} still has the value."


def trace_in(file: str) -> str:
    return f"{file} still has the value in small letters, or in a name that was made of it."


def unused_parts_of_store(file: str) -> str:
    return f"{file} belongs to another program: its unused space may have the value until it is compacted."


def in_git(folder: str) -> str:
    return f"The store is under version control: the history in {folder} may have the value."
