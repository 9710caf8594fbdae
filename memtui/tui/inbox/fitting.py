"""Which keys fit which item of the Inbox, and why the others do not: pure functions (S-52)."""

from __future__ import annotations

from collections.abc import Callable

from memtui.memory.inbox.items import (
    BREACH,
    CANDIDATES,
    FINDINGS,
    LEAVING,
    PAIRS,
    PENDING,
    RULE,
    SECRET,
    STORE,
    InboxItem,
)
from memtui.tui.inbox import wording

Key = Callable[[str], str]

VERDICTS = ("pair.keep_a", "pair.keep_b", "pair.merge", "pair.both", "pair.not_so")
ON_PAIRS = ("memory.graph", "memory.pairs", "memory.snooze")
ON_FINDINGS = ("memory.snooze",)
_DECIDING = {
    RULE: ("confirm", "dismiss"),
    PENDING: ("confirm", "dismiss"),
    CANDIDATES: ("confirm", "dismiss"),
    LEAVING: ("dismiss",),
}


def deciding(item: InboxItem) -> tuple[str, ...]:
    """Return the verbs after which an item is dealt with; what else is done leaves the cursor on it. A
    secret stays in its store when its memory is dismissed; whether a pin or a confirmation keeps a memory
    depends on its format."""
    helps = item.data.get("helps")
    return (*(map(str, helps) if isinstance(helps, list) else ()), *_DECIDING.get(item.kind, ()))


_BULK = {
    RULE: ("memory.confirm", "memory.dismiss"),
    SECRET: ("memory.redact",),
    PENDING: ("memory.confirm", "memory.dismiss"),
    LEAVING: ("memory.pin", "memory.confirm"),
    CANDIDATES: ("memory.confirm", "memory.dismiss"),
}
_FIRST = {
    RULE: ("memory.confirm", "memory.dismiss", "memory.edit", "memory.snooze"),
    SECRET: ("memory.redact", "memory.reveal", "pair.not_so", "memory.edit", "memory.snooze"),
    PENDING: ("memory.confirm", "memory.dismiss", "memory.edit", "memory.snooze"),
    LEAVING: ("memory.pin", "memory.confirm", "memory.dismiss", "memory.snooze"),
    CANDIDATES: ("memory.confirm", "memory.dismiss", "memory.edit", "memory.snooze"),
    STORE: ("inbox.open", "memory.snooze"),
    BREACH: ("inbox.open", "memory.snooze"),
}
"""By kind, the keys that a narrow footer keeps."""


def is_pair(item: InboxItem | None) -> bool:
    """Return whether an item is a pair of memories."""
    return item is not None and item.kind in PAIRS


def is_summary(item: InboxItem) -> bool:
    """Return whether an item stands for all candidates of a store."""
    return item.kind == CANDIDATES and item.id is None


def misfit(item: InboxItem | None, command: str, key: Key) -> str:
    """Return why a command cannot act on an item, "" if it can."""
    if command in VERDICTS:
        is_found = item is not None and item.kind == SECRET and command == "pair.not_so"
        return "" if is_pair(item) or is_found else wording.NOT_A_PAIR
    if command == "inbox.repair":
        if item is None or item.kind != STORE:
            return wording.NO_FINDING
        return "" if item.data.get("repairable") else wording.not_repairable(key("inbox.open"))
    if item is None or not command.startswith("memory."):
        return ""
    if is_pair(item):
        if command in ON_PAIRS:
            return ""
        return wording.settle_pair(verdict_keys(key), key("memory.pairs"))
    if command == "memory.redact" and item.kind != SECRET:
        return wording.NO_SECRET
    if item.kind in FINDINGS:
        about = wording.about_store if item.kind == STORE else wording.about_agent
        return "" if command in ON_FINDINGS else about(key("inbox.open"))
    return wording.list_first(key("inbox.open")) if is_summary(item) else ""


def acts(command: str) -> bool:
    """Return whether a command needs an item."""
    return command.startswith("memory.") or command == "inbox.open"


def bulk_keys(kind: str) -> tuple[str, ...]:
    """Return the commands that act on marked items of a kind."""
    return (*_BULK[kind], "memory.snooze")


def first_keys(item: InboxItem | None) -> tuple[str, ...]:
    """Return the commands that matter most on an item, for the footer, the most important first."""
    if item is None:
        return ()
    return (*VERDICTS[:-1], "memory.snooze") if is_pair(item) else _FIRST.get(item.kind, ())


def verdict_keys(key: Key) -> str:
    """Return the keys of the verdicts: a b m t n."""
    return " ".join(map(key, VERDICTS))


def hint(item: InboxItem, key: Key, label: Callable[[str], str]) -> str:
    """Return the keys that work on an item, for its line: "v confirm  d dismiss"."""
    if is_pair(item):
        return wording.settle_keys(verdict_keys(key))
    if item.kind == STORE and item.data.get("repairable"):
        return f"{key('inbox.repair')} {label('inbox.repair')}"
    if item.kind in FINDINGS or is_summary(item):
        return f"{key('inbox.open')} {label('inbox.open')}"
    verbs = ("redact", "edit") if item.kind == SECRET else deciding(item)[:2]
    return "  ".join(f"{key(id)} {label(id)}" for id in (f"memory.{verb}" for verb in verbs))
