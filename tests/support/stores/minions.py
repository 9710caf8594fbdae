"""A minions store built from the facts of the format: two-space JSON in shards, as its writers leave it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from memtui.formats.minions import Minions

AT = "2026-01-02T03:04:05.000Z"


def uid(number: int) -> str:
    """Return the id of a numbered minion."""
    return f"{number * 0x9E3779B1 % (1 << 32):08x}-1111-4222-8333-{number:012x}"


def relative_path(id: str) -> str:
    """Return the path of a minion in its store, computed without the code under test."""
    hex = id.replace("-", "")
    return "/".join((hex[0:2], hex[2:4], f"{id}.json"))


def minion(number: int, kind: str, fields: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a minion as an SDK builds it; `kind` is the short name of its type."""
    return {
        "id": uid(number),
        "title": more.pop("title", f"{kind} {number}"),
        "minionTypeId": f"memory-memory-{kind}",
        "fields": fields,
        "createdAt": AT,
        "updatedAt": AT,
        **more,
    }


def item(number: int, key: str, value: str, **more: Any) -> dict[str, Any]:
    """Return a memory item; `more` sets fields of the item (`ITEM_FIELDS`) or of its minion."""
    own = {"confidence": 0.7, "agentId": "scout", "scope": "private"}
    own |= {name: more.pop(name) for name in list(more) if name in ITEM_FIELDS}
    fields = {
        "agentId": own.pop("agentId"),
        "scope": own.pop("scope"),
        "key": key,
        "value": value,
        "confidence": own.pop("confidence"),
        "sourceRefType": "agent-run",
        "sourceRefId": "run-7",
        "createdAt": AT,
        "lastAccessedAt": AT,
        "lastReinforcedAt": AT,
        "expiresAt": None,
        **own,
    }
    return minion(number, "item", fields, **{"title": key, **more})


ITEM_FIELDS = {"agentId", "scope", "confidence", "expiresAt", "mood", "lastAccessedAt", "lastReinforcedAt"}


def index(number: int, of: int, keywords: Any, kind: str = "memory-item", **more: Any) -> dict[str, Any]:
    """Return the index record of the memory numbered `of`."""
    fields = {
        "memoryId": uid(of),
        "memoryType": kind,
        "keywords": keywords,
        "embedding": more.pop("embedding", "[0.25, -0.5, 1e-3]"),
        "indexedAt": AT,
    }
    return minion(number, "index", fields, **more)


PROPOSALS, DETAIL, LESSON, SUMMARY, DELETED, EMOJI = 1, 2, 3, 4, 5, 6

SAMPLE = (
    item(PROPOSALS, "client:xyz:proposals", "Client xyz prefers short proposals.", tags=["client", "xyz"]),
    index(101, PROPOSALS, "client, xyz, short, proposals, terse reader"),
    item(DETAIL, "client:xyz:detail", "Client xyz asked for detail.", confidence=0.9),
    index(102, DETAIL, "client xyz detail"),
    minion(
        LESSON,
        "lesson",
        {
            "sourceType": "task-outcome",
            "sourceId": "task-9",
            "lesson": "Monday applications get faster replies.",
            "domain": "applications",
            "confidence": 0.6,
            "reinforcedCount": 2,
            "createdAt": AT,
            "lastReinforcedAt": AT,
        },
        title="Apply on Mondays",
    ),
    index(103, LESSON, ["monday", "applications"], "memory-lesson", embedding=[0.1, 0.2, 0.3]),
    minion(
        SUMMARY,
        "summary",
        {
            "agentId": "scout",
            "sessionId": "run-7",
            "summary": "We settled the offer for xyz.",
            "keyFacts": "- offer is 4,000\n- due on Friday",
            "emotionalContext": "relaxed",
            "createdAt": AT,
            "tokenCount": 412,
        },
    ),
    index(104, SUMMARY, "offer xyz", "memory-summary"),
    item(
        DELETED,
        "office:city",
        "The office is in Bern.",
        deletedAt="2026-02-01T00:00:00.000Z",
        deletedBy="janitor",
    ),
    item(
        EMOJI,
        "tone:✨",
        'Say "hi" 👋\nand\tno \\ slashes; naïve.',
        title='The "✨" tone',
        mood="sunny",
        priority="high",
        status="active",
        _legacy={"rank": 7},
    ),
    index(106, EMOJI, "", embedding=None),
    minion(
        201,
        "reinforcement",
        {
            "memoryId": uid(PROPOSALS),
            "memoryType": "memory-item",
            "reinforcedBy": "run-8",
            "previousConfidence": 0.6,
            "newConfidence": 0.7,
            "reinforcedAt": AT,
            "reason": "seen again",
        },
    ),
    minion(
        202,
        "contradiction",
        {
            "memoryIdA": uid(PROPOSALS),
            "memoryIdB": uid(DETAIL),
            "description": "short or detailed",
            "detectedAt": AT,
            "detectedBy": "scout",
            "resolution": "unresolved",
        },
    ),
    minion(
        203,
        "expiry",
        {
            "memoryId": uid(DELETED),
            "memoryType": "memory-item",
            "reason": "ttl-elapsed",
            "expiredAt": AT,
            "expiredBy": "janitor",
        },
    ),
    minion(
        204,
        "query",
        {
            "agentId": "scout",
            "query": "how does xyz like proposals?",
            "strategy": "hybrid",
            "resultsFound": 2,
            "topResultIds": f"{uid(PROPOSALS)}, {uid(DETAIL)}",
            "executedAt": AT,
            "usedInRunId": "run-9",
        },
    ),
    minion(
        205,
        "scope-policy",
        {
            "agentId": "scout",
            "allowedScopes": "private, fleet",
            "maxItemsPerScope": 100,
            "defaultExpiry": "30d",
            "sensitiveKeyPatterns": "password:*",
        },
    ),
)


def encode(minion: dict[str, Any]) -> bytes:
    """Return the bytes of a file as the original writes it."""
    return json.dumps(minion, indent=2, ensure_ascii=False).encode()


def put(root: Path, minion: dict[str, Any], data: bytes | None = None) -> Path:
    """Write a minion as an agent does: to a temporary file that replaces the old one."""
    path = root / relative_path(minion["id"])
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{path.name}.tmp")
    temporary.write_bytes(encode(minion) if data is None else data)
    temporary.rename(path)
    return path


def make(folder: Path, *minions: dict[str, Any]) -> Minions:
    """Make a store of these minions, or of the sample ones, in `folder`/.minions."""
    root = folder / ".minions"
    root.mkdir(parents=True, exist_ok=True)
    for each in minions or SAMPLE:
        put(root, each)
    return Minions(root)


def read_minion(root: Path, number: int) -> dict[str, Any]:
    """Return a numbered minion as any JSON reader sees it."""
    found = json.loads((root / relative_path(uid(number))).read_text("utf-8"))
    assert isinstance(found, dict)
    return found


def of_type(root: Path, kind: str) -> list[dict[str, Any]]:
    """Return all minions of a type, given by its short name."""
    found = [json.loads(path.read_text("utf-8")) for path in sorted(root.rglob("*.json"))]
    return [each for each in found if each["minionTypeId"].endswith(f"memory-{kind}")]
