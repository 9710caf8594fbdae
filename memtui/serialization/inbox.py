"""The Inbox and memories with secrets, as JSON (S-82)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.memory.encoding import iso
from memtui.memory.inbox.items import PAIRS
from memtui.memory.inbox.wording import reason
from memtui.values import JsonObject

if TYPE_CHECKING:
    from memtui.memory.inbox.items import InboxItem
    from memtui.workspace.secrets.found import MemoryWithSecrets


def item_as_json(item: InboxItem) -> JsonObject:
    """Return an item: "uid" of a memory, "pair" and "uids" of a pair, neither of a whole store."""
    return {
        "kind": item.kind,
        "uid": item.uids[0] if item.id is not None else None,
        "pair": item.pair,
        "uids": list(item.uids),
        "store": item.store,
        "label": item.label,
        "code": item.code,
        "reason": reason(item),
        "since": iso(item.since),
        "count": item.count,
        "family": "pair" if item.kind in PAIRS else "memory" if item.id is not None else "store",
    }


def memory_with_secrets_as_json(found: MemoryWithSecrets, masked: str) -> JsonObject:
    """Return a memory with the kinds of its secrets; `masked` is its text with each secret masked."""
    return {
        "uid": found.uid,
        "store": found.store,
        "kind": found.kinds[0],
        "kinds": list(found.kinds),
        "masked": masked,
        "since": iso(found.found_at),
    }
