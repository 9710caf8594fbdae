"""Stable identifiers for memories: the same on every machine and after every attach."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memtui.workspace.mirror import wording

if TYPE_CHECKING:
    from memtui.workspace.db.database import Database

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # no i, l, o, u: nothing to misread
_TAKEN = "SELECT uid FROM memories WHERE uid IN (SELECT value FROM json_each(?))"  # one query for all


def uid_of(format: str, ref: str, salt: str = "") -> str:
    """Return twelve characters derived from a memory's identity in its store.

    `salt` tells apart two stores in one workspace with the same content (a copied folder).
    """
    digest = hashlib.blake2b(f"{format}\0{ref}\0{salt}".encode("utf-8", "replace"), digest_size=8).digest()
    number = int.from_bytes(digest, "big")
    return "".join(_ALPHABET[(number >> (5 * i)) & 31] for i in range(12))


def existing(db: Database, uids: Sequence[str]) -> set[str]:
    """Return which of these uids memories have, removed ones included."""
    return {row[0] for row in db.rows(_TAKEN, (json.dumps(uids),))}


def free_uids(
    db: Database, format: str, refs: Sequence[str], path: str, wanted: Sequence[str] = ()
) -> list[str]:
    """Return uids for new memories, salted with the store's path only where the plain uid is taken.

    A memory gets the uid that is `wanted` for it ("" for none), unless another has it.
    """
    salts = ("", path, *(f"{path}\0{n}" for n in range(1, 100)))
    uids = _first_free(db, wanted) if wanted else [""] * len(refs)
    assigned = set(uids) - {""}
    todo = [i for i, uid in enumerate(uids) if not uid]
    for salt in salts:
        derived = [uid_of(format, refs[i], salt) for i in todo]
        taken = existing(db, derived)
        left = []
        for i, uid in zip(todo, derived, strict=True):
            if uid in taken or uid in assigned:
                left.append(i)
            else:
                assigned.add(uid)
                uids[i] = uid
        if not left:
            return uids
        todo = left
    raise AssertionError("a hundred hashes collide")


def _first_free(db: Database, wanted: Sequence[str]) -> list[str]:
    """Return the wanted uids, "" instead of one that is taken or wanted for an earlier memory."""
    met = existing(db, [uid for uid in wanted if uid])
    free: list[str] = []
    for uid in wanted:
        free.append("" if uid in met else uid)
        met.add(uid)
    return free


def find(db: Database, uid: str) -> int:
    """Return the row id of a uid or of its unambiguous prefix; raise Refused otherwise."""
    # A range, so that the index serves prefixes.
    rows = db.rows(
        "SELECT id, uid FROM memories WHERE uid >= ? AND uid < ? || '~' ORDER BY uid LIMIT 2", (uid, uid)
    )
    if len(rows) == 1 or (rows and rows[0][1] == uid):
        return int(rows[0][0])
    raise wording.ambiguous_uid(uid) if rows else wording.unknown_uid(uid)
