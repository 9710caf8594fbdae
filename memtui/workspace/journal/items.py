"""The items of journal entries: writing them, and reading their bodies (S-7)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memtui.formats.contract.adapter import Adapter
from memtui.formats.contract.plans import Plan
from memtui.memory.encoding import plain
from memtui.memory.memory import LISTS
from memtui.values import Fields, FieldValue, JsonObject
from memtui.workspace.db.models import ItemBody, ItemState, JournalItem
from memtui.workspace.journal import wording

if TYPE_CHECKING:
    from memtui.workspace.db.database import Database

# Entries of an item's fields that are no field of a memory. The values are on disk.
IN_STORE = "here"  # whether the memory is in its store at all
RELATION = "relation"  # a relation made, changed or removed
RELATIONS = "relations"  # relations kept by memtui that come and go with a verdict
RELATION_OVERRIDES = "beside"  # what memtui keeps of a relation that the store cannot hold
VERDICT = "verdict"
FINDING, RULE = "finding", "rule"  # a store's finding, a rule: such items are about no memory
NO_SECRET = "no-secret"  # a value that is none; likewise
POLICY = "policy"  # of an agent; likewise
RULE_FILE = "rule-file"  # of a project; likewise
CONNECTION = "connection"  # of an agent's settings file; likewise
PSEUDO_FIELDS = frozenset(
    {
        *{IN_STORE, RELATION, RELATIONS, RELATION_OVERRIDES, VERDICT},
        *{FINDING, RULE, NO_SECRET, POLICY, RULE_FILE, CONNECTION},
    }
)
_SHORT = 500  # characters; two memories rarely share a longer text


@dataclass(frozen=True, slots=True)
class Item:
    """One memory's part of a journal entry, with its fields before and after.

    `pair` is the item of the other half of a move, where it came first. With `bodiless` only the digests of
    its fields are kept, until `write_bodies`.
    """

    memory_id: int
    uid: str
    store_id: int
    before: Mapping[str, FieldValue]
    after: Mapping[str, FieldValue]
    state: str = "done"
    why: str = ""
    pair: int | None = None
    bodiless: bool = False


def next_item(db: Database) -> int:
    """Return the id of the journal's next item; ids are never reused."""
    # sqlite_sequence is SQLite's own table and has no model.
    last = "SELECT seq AS last FROM sqlite_sequence WHERE name = 'journal_items'"
    return int(db.one(f"SELECT max(last) FROM ({last} UNION ALL SELECT max(id) FROM journal_items)") or 0) + 1


def write_items(db: Database, entry_id: int, items: Sequence[Item], first: int) -> None:
    """Insert the items of an entry with their bodies and states, numbered from `first`.

    One statement per table: a bulk verb or a pull writes thousands of items.
    """
    encoder = _Encoder()
    numbered = list(enumerate(items, first))
    db.insert_many(
        JournalItem,
        ("id", "journal_id", "memory_id", "uid", "store_id", "fields", "pair"),
        [
            (id, entry_id, x.memory_id, x.uid, x.store_id, encoder.digests(x.before, x.after), x.pair)
            for id, x in numbered
        ],
    )
    db.insert_many(
        ItemBody,
        ("item_id", "before", "after"),
        [
            (id, *(encoder.body({} if x.bodiless else side) for side in (x.before, x.after)))
            for id, x in numbered
        ],
    )
    db.insert_many(
        ItemState,
        ("item_id", "state", "why", "effective_item"),
        [(id, x.state, x.why, id) for id, x in numbered],
    )


def write_bodies(
    db: Database, bodies: Sequence[tuple[int, Mapping[str, FieldValue], Mapping[str, FieldValue]]]
) -> None:
    """Give items the fields that they were journaled without: (id, before, after)."""
    encoder = _Encoder()
    rows = [(encoder.body(before), encoder.body(after), id) for id, before, after in bodies]
    db.update_many(ItemBody, ("before", "after"), ("item_id",), rows)


class _Encoder:
    """Encodes fields as JSON, each distinct value once: a bulk verb sets many memories to the same.

    Values are recognized by their repr, which is unambiguous.
    """

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def body(self, fields: Mapping[str, FieldValue]) -> str:
        """Return the fields as JSON."""
        return self._once(repr(fields), lambda: json.dumps(plain(dict(fields)), ensure_ascii=False))

    def digests(self, before: Mapping[str, FieldValue], after: Mapping[str, FieldValue]) -> str:
        """Return each field's digests before and after as JSON; they outlive the bodies."""

        def encode() -> str:
            names = {**before, **after}
            return json.dumps({name: [_digest(before.get(name)), _digest(after.get(name))] for name in names})

        return self._once(repr((before, after)), encode)

    def _once(self, key: str, encode: Callable[[], str]) -> str:
        text = self._known.get(key)
        if text is None:
            text = encode()
            if len(key) < _SHORT:
                self._known[key] = text
        return text


def _digest(value: FieldValue) -> str | None:
    if value is None:
        return None
    text = json.dumps(plain(value), sort_keys=True, ensure_ascii=True)
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def decode_body(text: str | None) -> Fields:
    """Return a body's fields, with lists as tuples; {} if it was erased or is damaged."""
    fields = _decode(text)
    return {n: tuple(v) if n in LISTS and isinstance(v, list) else v for n, v in (fields or {}).items()}


PURGED = ("erased", wording.PURGED)
REDACTED = ("redacted", wording.REDACTED)
DAMAGED = ("damaged", wording.DAMAGED)


def why_not_undoable(before: str | None, after: str | None) -> tuple[str, str] | None:
    """Return why an item's bodies do not allow an undo, as code and sentence; None if they do."""
    if before is None:
        return PURGED
    return DAMAGED if _decode(before) is None or _decode(after) is None else None


def load_plan(adapter: Adapter, text: str) -> Plan:
    """Return a plan as stored in the outbox; raise Refused if it is damaged."""
    try:
        return adapter.load_plan(json.loads(text))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise wording.damaged() from error


def _decode(text: str | None) -> JsonObject | None:
    try:
        value = json.loads(text) if text is not None else {}
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def displayed(*bodies: str | None) -> tuple[list[Fields | None], str]:
    """Return bodies for display, None where one was erased, and why they cannot be shown, or "".

    A damaged body yields no error, so that it does not hide the others.
    """
    if any(text is not None and _decode(text) is None for text in bodies):
        return [{} for _ in bodies], wording.UNREADABLE_CHANGES
    return [decode_body(text) if text is not None else None for text in bodies], ""
