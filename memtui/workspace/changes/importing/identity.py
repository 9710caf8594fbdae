"""Telling whether a store has a memory already, by what it says, is about, and is called."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Set
from typing import TYPE_CHECKING

from memtui.formats.contract.records import clean
from memtui.memory.memory import LIVE
from memtui.values import FieldValue
from memtui.workspace.changes import full_adds

if TYPE_CHECKING:
    from memtui.formats.contract.adapter import Adapter
    from memtui.workspace.context import Context

# What a store may give a memory that came without it; a memory that has it is compared by it.
_NAMES = ("subject", "key", "owner", "title", "kind")
_TITLE = _NAMES.index("title")
# Rows of one store, without model instances: there may be a hundred thousand.
_ROWS = (
    f"SELECT id, uid, status, content, {', '.join(_NAMES)} FROM memories "
    "WHERE store_id = ? AND removed_at IS NULL"
)


class Known:
    """The memories of a store, and those of an import that were met so far."""

    def __init__(self, ctx: Context, store_id: int, adapter: Adapter | None) -> None:
        self._adapter = adapter
        self._by_text: dict[bytes, list[tuple[tuple[str, ...], int]]] = {}
        self._rows: dict[int, tuple[str, str]] = {}
        for id, uid, status, content, *names in ctx.db.rows(_ROWS, (store_id,)):
            texts = tuple(name or "" for name in names)
            self._by_text.setdefault(_digest(content, texts[_TITLE]), []).append((texts, id))
            self._rows[id] = (uid, "" if status in LIVE else status)

    def find(self, fields: Mapping[str, FieldValue]) -> int | None:
        """Return the row of the memory that says this already, 0 for an earlier one of the import, None if
        there is none."""
        names = _names(fields)
        alike = self._by_text.get(_digest(fields.get("content") or "", names[_TITLE]), ())
        if not alike:
            return None
        changed, absent = self._not_held(fields)
        numbered = self._adapter is not None and self._adapter.unique_keys

        def is_same(at: int, known: str) -> bool:
            name, wanted = _NAMES[at], names[at]
            return (
                wanted in ("", known)
                or name in changed
                or (name in absent and (not known or name == "key"))
                or (numbered and name == "key" and full_adds.is_numbered(known, wanted))
            )

        for known, id in alike:
            if all(is_same(at, each) for at, each in enumerate(known)):
                return id
        return None

    def _not_held(self, fields: Mapping[str, FieldValue]) -> tuple[Set[str], Set[str]]:
        """Return the names that the store holds otherwise than they are, and those for which it has no place:
        another workspace kept them, or no one did."""
        if self._adapter is None:
            return frozenset(), frozenset()
        fits = full_adds.fitted(self._adapter, fields)
        absent = frozenset(_NAMES) - fits.fields.keys()
        return fits.changed.keys() | (full_adds.LEFT_OUT & absent), absent

    def add(self, fields: Mapping[str, FieldValue]) -> None:
        """Remember a memory of the import."""
        names = _names(fields)
        self._by_text.setdefault(_digest(fields.get("content") or "", names[_TITLE]), []).append((names, 0))

    def uid_and_status(self, id: int) -> tuple[str, str]:
        """Return the uid of a row, and its status if it is not live."""
        return self._rows.get(id, ("", ""))


def _names(fields: Mapping[str, FieldValue]) -> tuple[str, ...]:
    return tuple(clean(str(fields.get(name) or "")) for name in _NAMES)


def _digest(content: str, title: str) -> bytes:
    """Return a digest of a text but for the space around its lines and how they end; of the title where
    there is no text."""
    text = content.strip() or title
    if "\r" in text:  # files keep no carriage return
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    plain = "\n".join(line.strip() for line in text.split("\n")) if "\n" in text else text
    return hashlib.blake2b(plain.encode("utf-8", "replace"), digest_size=16).digest()
