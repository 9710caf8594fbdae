"""Problems to plant in a minions store."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from tests.support.planted.plants import SECRET, Plant, replace, set_members
from tests.support.stores import minions
from tests.support.stores.minions import AT, item, minion, relative_path, uid

ITEM = relative_path(uid(minions.PROPOSALS))
DEEP = '{"a":' * 600 + "1" + "}" * 600


def healthy_store(folder: Path) -> Path:
    return minions.make(folder).root


def _put(new: dict[str, Any]) -> Plant:
    return lambda root: minions.put(root, new)


def _set(number: int, **members: Any) -> Plant:
    return set_members(relative_path(uid(number)), **members)


def _expiry(number: int) -> dict[str, Any]:
    return minion(number, "expiry", {"memoryId": uid(999), "memoryType": "memory-item", "expiredAt": AT})


def _truncate(root: Path) -> None:
    path = root / ITEM
    path.write_bytes(path.read_bytes()[:-40])


def _remove_index(root: Path) -> None:
    (root / relative_path(uid(101))).unlink()


def _leave_temporary(root: Path) -> None:
    path = root / f"{ITEM}.tmp"
    path.write_bytes(b"{}")
    os.utime(path, (1, 1))


CASES = {
    ("a truncated file", "bad-json"): _truncate,
    ("a JSON file with a list", "no-object"): lambda root: (root / ITEM).write_bytes(b"[1, 2]"),
    ("an empty file", "bad-json"): lambda root: (root / ITEM).write_bytes(b""),
    ("no fields", "no-fields"): set_members(ITEM, fields=None),
    ("a type of another toolbox", "unknown-type"): set_members(ITEM, minionTypeId="memory-dream"),
    ("an id that does not match its file", "odd-id"): set_members(ITEM, id=uid(77)),
    ("a file in the wrong folder", "odd-place"): lambda root: (root / ITEM).rename(
        root / relative_path(uid(101)).rpartition("/")[0] / Path(ITEM).name
    ),
    ("a confidence above the agents' limit", "high-confidence"): set_members(ITEM, fields__confidence=0.99),
    ("a confidence above 1", "odd-confidence"): set_members(ITEM, fields__confidence=7),
    ("a confidence in words", "odd-confidence"): set_members(ITEM, fields__confidence="sure"),
    ("an invalid time", "odd-time"): set_members(ITEM, fields__createdAt="yesterday"),
    ("a time years in the future", "future-time"): set_members(ITEM, updatedAt="2099-01-01T00:00:00Z"),
    ("epoch milliseconds among text times", "mixed-times"): set_members(
        ITEM, fields__createdAt=1_767_323_045_000
    ),
    ("an expiry in the past", "past-expiry"): set_members(ITEM, fields__expiresAt="2026-02-01T00:00:00Z"),
    ("an expiry before the creation", "odd-validity"): set_members(
        ITEM, fields__expiresAt="2020-02-01T00:00:00Z"
    ),
    ("an invalid time of deletion", "odd-time"): set_members(ITEM, deletedAt="some day"),
    ("an unknown status", "odd-status"): set_members(ITEM, status="half-done"),
    ("an unknown scope", "odd-scope"): set_members(ITEM, fields__scope="galaxy"),
    ("a scope that the policy forbids", "policy"): set_members(ITEM, fields__scope="session"),
    ("a key that the policy forbids", "policy"): set_members(ITEM, fields__key="password:mail"),
    ("more memories than its policy allows", "policy"): set_members(
        relative_path(uid(205)), fields__maxItemsPerScope=1
    ),
    ("tags that are not strings", "odd-tags"): set_members(ITEM, tags={"a": 1}),
    ("a blank text", "blank"): set_members(ITEM, fields__value="   "),
    ("a number instead of a text", "odd-text"): set_members(ITEM, fields__value=42),
    ("a secret", "secret"): set_members(ITEM, fields__value=SECRET),
    ("no index record", "no-index"): _remove_index,
    ("an outdated index record", "stale-index"): set_members(ITEM, updatedAt="2026-03-01T00:00:00Z"),
    ("an index record of a missing memory", "dangling-index"): _set(101, fields__memoryId=uid(999)),
    ("two index records of one memory", "double-index"): _put(
        minions.index(150, minions.PROPOSALS, "xyz, short")
    ),
    ("an index record with an invalid vector", "odd-embedding"): _set(101, fields__embedding="[0.25, -0.5"),
    ("an index record with a vector of another length", "other-dimension"): _set(
        102, fields__embedding="[0.25]"
    ),
    ("a reinforcement of a missing memory", "dangling"): _set(201, fields__memoryId=uid(999)),
    ("a reinforcement above 1", "odd-confidence"): _set(201, fields__newConfidence=4),
    ("an expiry of a missing memory", "dangling"): _put(_expiry(203)),
    ("a contradiction of a missing memory", "dangling"): _set(202, fields__memoryIdB=uid(999)),
    ("a memory that contradicts itself", "self-relation"): _set(202, fields__memoryIdB=uid(1)),
    ("an unknown resolution", "odd-resolution"): _set(202, fields__resolution="shrug"),
    ("two memories of one key", "doubled-key"): _put(
        item(50, "client:xyz:proposals", "Client xyz loves long proposals.")
    ),
    ("a duplicate key in a file", "double-key"): replace('"title": ', '"title": "x",\n  "title": ', ITEM),
    ("NaN in a file", "no-number"): replace('"confidence": 0.7', '"confidence": NaN', ITEM),
    ("Infinity in a file", "no-number"): replace('"confidence": 0.7', '"confidence": Infinity', ITEM),
    ("a lone surrogate in a file", "surrogate"): replace(
        "Client xyz prefers", "Client \\ud83d prefers", ITEM
    ),
    ("JSON nested too deeply", "bad-json"): lambda root: (root / ITEM).write_text(DEEP * 30),
    ("a byte order mark", "bom"): lambda root: (root / ITEM).write_bytes(
        b"\xef\xbb\xbf" + (root / ITEM).read_bytes()
    ),
    ("bytes that are not UTF-8", "read-only"): replace("Client xyz prefers", b"Client \xff prefers", ITEM),
    ("the leftover of an interrupted write", "leftover"): _leave_temporary,
    ("a symlink instead of a file", "link"): lambda root: (root / "aa").symlink_to("/etc"),
}
