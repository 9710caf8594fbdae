"""What is planted in a minions store."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.support.planted.harm import SECRET, Plant, members, put
from tests.support.stores import minions
from tests.support.stores.minions import AT, item, minion, place, uid

ITEM = place(uid(minions.PROPOSALS))
_DEEP = '{"a":' * 600 + "1" + "}" * 600


def sound(folder: Path) -> Path:
    return minions.make(folder).root


def _put(new: dict[str, Any], data: bytes | None = None) -> Plant:
    def plant(root: Path) -> None:
        minions.put(root, new, data)

    return plant


def _index(number: int, **said: Any) -> Plant:
    return members(place(uid(number)), **said)


def _expiry(number: int) -> dict[str, Any]:
    return minion(number, "expiry", {"memoryId": uid(999), "memoryType": "memory-item", "expiredAt": AT})


def _torn(root: Path) -> None:
    path = root / ITEM
    path.write_bytes(path.read_bytes()[:-40])


def _without_index(root: Path) -> None:
    (root / place(uid(101))).unlink()


def _leftover(root: Path) -> None:
    import os

    path = root / f"{ITEM}.tmp"
    path.write_bytes(b"{}")
    os.utime(path, (1, 1))


CASES = {
    ("a torn file", "bad-json"): _torn,
    ("a file that is a list", "no-object"): lambda root: (root / ITEM).write_bytes(b"[1, 2]"),
    ("nothing in a file", "bad-json"): lambda root: (root / ITEM).write_bytes(b""),
    ("no fields", "no-fields"): members(ITEM, fields=None),
    ("a type of another toolbox", "unknown-type"): members(ITEM, minionTypeId="memory-dream"),
    ("an id of another file", "odd-id"): members(ITEM, id=uid(77)),
    ("a file at another place", "odd-place"): lambda root: (root / ITEM).rename(
        root / place(uid(101)).rpartition("/")[0] / Path(ITEM).name
    ),
    ("a confidence beyond what agents may set", "high-confidence"): members(ITEM, fields__confidence=0.99),
    ("a confidence beyond 1", "odd-confidence"): members(ITEM, fields__confidence=7),
    ("a confidence of words", "odd-confidence"): members(ITEM, fields__confidence="sure"),
    ("a time that is none", "odd-time"): members(ITEM, fields__createdAt="yesterday"),
    ("a time years ahead", "future-time"): members(ITEM, updatedAt="2099-01-01T00:00:00Z"),
    ("milliseconds among texts", "mixed-times"): members(ITEM, fields__createdAt=1_767_323_045_000),
    ("an expiry that is over", "past-expiry"): members(ITEM, fields__expiresAt="2026-02-01T00:00:00Z"),
    ("an expiry before it was made", "odd-validity"): members(ITEM, fields__expiresAt="2020-02-01T00:00:00Z"),
    ("a deletion at no time", "odd-time"): members(ITEM, deletedAt="some day"),
    ("a status that nobody knows", "odd-status"): members(ITEM, status="half-done"),
    ("a scope that nobody knows", "odd-scope"): members(ITEM, fields__scope="galaxy"),
    ("a scope that its policy forbids", "policy"): members(ITEM, fields__scope="session"),
    ("a key that its policy forbids", "policy"): members(ITEM, fields__key="password:mail"),
    ("more memories than its policy allows", "policy"): members(place(uid(205)), fields__maxItemsPerScope=1),
    ("tags that are no words", "odd-tags"): members(ITEM, tags={"a": 1}),
    ("a text of blanks", "blank"): members(ITEM, fields__value="   "),
    ("a number for a text", "odd-text"): members(ITEM, fields__value=42),
    ("a secret", "secret"): members(ITEM, fields__value=SECRET),
    ("no index", "no-index"): _without_index,
    ("an index older than its memory", "stale-index"): members(ITEM, updatedAt="2026-03-01T00:00:00Z"),
    ("an index of nothing", "dangling-index"): _index(101, fields__memoryId=uid(999)),
    ("two indexes of one memory", "double-index"): _put(minions.index(150, minions.PROPOSALS, "xyz, short")),
    ("an index with a vector that is none", "odd-embedding"): _index(101, fields__embedding="[0.25, -0.5"),
    ("an index with a vector of another length", "other-dimension"): _index(102, fields__embedding="[0.25]"),
    ("a reinforcement of nothing", "dangling"): _index(201, fields__memoryId=uid(999)),
    ("a reinforcement beyond 1", "odd-confidence"): _index(201, fields__newConfidence=4),
    ("an expiry of nothing", "dangling"): _put(_expiry(203)),
    ("a contradiction of nothing", "dangling"): _index(202, fields__memoryIdB=uid(999)),
    ("a contradiction of a memory with itself", "self-relation"): _index(202, fields__memoryIdB=uid(1)),
    ("a contradiction settled in no known way", "odd-resolution"): _index(202, fields__resolution="shrug"),
    ("a key of which two memories speak", "doubled-key"): _put(
        item(50, "client:xyz:proposals", "Client xyz loves long proposals.")
    ),
    ("a key that stands twice in a file", "double-key"): put('"title": ', '"title": "x",\n  "title": ', ITEM),
    ("NaN in a file", "no-number"): put('"confidence": 0.7', '"confidence": NaN', ITEM),
    ("Infinity in a file", "no-number"): put('"confidence": 0.7', '"confidence": Infinity', ITEM),
    ("half a letter in a file", "surrogate"): put("Client xyz prefers", "Client \\ud83d prefers", ITEM),
    ("a file nested too deep", "bad-json"): lambda root: (root / ITEM).write_text(_DEEP * 30),
    ("a byte order mark", "bom"): lambda root: (root / ITEM).write_bytes(
        b"\xef\xbb\xbf" + (root / ITEM).read_bytes()
    ),
    ("bytes that are no UTF-8", "read-only"): put("Client xyz prefers", b"Client \xff prefers", ITEM),
    ("what a cut-off write left", "leftover"): _leftover,
    ("a link in place of a file", "link"): lambda root: (root / "aa").symlink_to("/etc"),
}
