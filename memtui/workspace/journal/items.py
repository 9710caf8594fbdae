"""The journal's texts and their digests: an item, its bodies, its standing (S-7)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memtui.errors import Refused
from memtui.formats.contract.adapter import Adapter, Planned
from memtui.memory.encoding import plain
from memtui.memory.memory import LISTS

if TYPE_CHECKING:
    from memtui.workspace.db.database import Database

# The journal's names for what is no field of a memory: what relate makes, relations that memtui keeps and
# that come and go with a verdict, what it keeps beside one that a store tells, and the verdict itself.
RELATION, RELATIONS, BESIDE, VERDICT = "relation", "relations", "beside", "verdict"
NO_FIELDS = frozenset({"here", RELATION, RELATIONS, BESIDE, VERDICT})
_SHORT = 500  # characters: longer texts are hardly those of two memories


@dataclass(frozen=True, slots=True)
class Item:
    """One memory's part of a journal line: its row, its uid, its store's row, and what it said before and
    after. `pair` is the item that it belongs to."""

    memory_id: int
    uid: str
    store_id: int
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    state: str = "done"
    why: str = ""
    pair: int | None = None


def next_item(db: Database) -> int:
    """The number of the journal's next item; they are never given twice."""
    said = "SELECT seq AS last FROM sqlite_sequence WHERE name = 'journal_items'"
    return int(db.one(f"SELECT max(last) FROM ({said} UNION ALL SELECT max(id) FROM journal_items)") or 0) + 1


def write_items(db: Database, line: int, items: Sequence[Item], first: int) -> None:
    """The items of a line with their bodies and standings, numbered from `first` on.

    One statement for each table: a bulk verb or a pull writes thousands of these."""
    texts = Texts()
    numbered = list(enumerate(items, first))
    db.run_many(
        "INSERT INTO journal_items (id, journal_id, memory_id, uid, store_id, fields, pair) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            (id, line, x.memory_id, x.uid, x.store_id, texts.digests(x.before, x.after), x.pair)
            for id, x in numbered
        ],
    )
    db.run_many(
        "INSERT INTO bodies (item_id, before, after) VALUES (?, ?, ?)",
        [(id, texts.body(x.before), texts.body(x.after)) for id, x in numbered],
    )
    db.run_many(
        "INSERT INTO item_states (item_id, state, why, effective_item) VALUES (?, ?, ?, ?)",
        [(id, x.state, x.why, id) for id, x in numbered],
    )


class Texts:
    """Fields as the journal writes them down. A bulk verb sets many memories to the same: that is spelled
    once, and known again by its repr, which no two values share."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def body(self, fields: Mapping[str, Any]) -> str:
        """The fields and what they say."""
        return self._once(repr(fields), lambda: json.dumps(plain(dict(fields)), ensure_ascii=False))

    def digests(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
        """Each field touched with the digests of its values, which are kept for ever."""

        def spelled() -> str:
            names = {**before, **after}
            return json.dumps({name: [_digest(before.get(name)), _digest(after.get(name))] for name in names})

        return self._once(repr((before, after)), spelled)

    def _once(self, mark: str, spelled: Callable[[], str]) -> str:
        text = self._known.get(mark)
        if text is None:
            text = spelled()
            if len(mark) < _SHORT:
                self._known[mark] = text
        return text


def _digest(value: Any) -> str | None:
    if value is None:
        return None
    text = json.dumps(plain(value), sort_keys=True, ensure_ascii=True)
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def unbody(text: str | None) -> dict[str, Any]:
    """A body's fields, lists as records hold them; {} where it was erased, or is damaged."""
    said = _read(text)
    return {n: tuple(v) if n in LISTS and isinstance(v, list) else v for n, v in (said or {}).items()}


ERASED, DAMAGED = ("erased", "Its text was erased."), ("damaged", "Its journal entry is damaged.")


def unreadable(before: str | None, after: str | None) -> tuple[str, str] | None:
    """Why an item cannot be taken back by its bodies, as a code and in words; None where it can."""
    if before is None:
        return ERASED
    return DAMAGED if _read(before) is None or _read(after) is None else None


def planned(adapter: Adapter, text: str) -> Planned:
    """A plan as it was kept. Raises Refused where it is damaged."""
    try:
        return adapter.load_plan(json.loads(text))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as trouble:
        raise Refused(*DAMAGED, "Nothing was changed.") from trouble


def _read(text: str | None) -> dict[str, Any] | None:
    try:
        said = json.loads(text) if text is not None else {}
    except (ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) else None


def told(*bodies: str | None) -> tuple[list[dict[str, Any] | None], str]:
    """Bodies to be shown, None where one was erased; or why they cannot be, which hides no others."""
    if any(text is not None and _read(text) is None for text in bodies):
        return [{} for _ in bodies], "What it changed cannot be read."
    return [unbody(text) if text is not None else None for text in bodies], ""
