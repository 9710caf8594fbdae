"""A minions store made from the facts of the format: two-space JSON in shards, as its writers leave it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from memtui.formats.minions import Minions

AT = "2026-01-02T03:04:05.000Z"


def uid(number: int) -> str:
    """The id of the minion of this number."""
    return f"{number * 0x9E3779B1 % (1 << 32):08x}-1111-4222-8333-{number:012x}"


def place(id: str) -> str:
    """Where a minion belongs, worked out anew here."""
    hex = "".join(sign for sign in id if sign != "-")
    return "/".join((hex[0:2], hex[2:4], f"{id}.json"))


def minion(number: int, kind: str, fields: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A minion of a type, by its short name, as an SDK builds it."""
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
    said = {"confidence": 0.7, "agentId": "scout", "scope": "private"}
    said |= {name: more.pop(name) for name in list(more) if name in FIELDS}
    fields = {
        "agentId": said.pop("agentId"),
        "scope": said.pop("scope"),
        "key": key,
        "value": value,
        "confidence": said.pop("confidence"),
        "sourceRefType": "agent-run",
        "sourceRefId": "run-7",
        "createdAt": AT,
        "lastAccessedAt": AT,
        "lastReinforcedAt": AT,
        "expiresAt": None,
        **said,
    }
    return minion(number, "item", fields, **{"title": key, **more})


FIELDS = {"agentId", "scope", "confidence", "expiresAt", "mood", "lastAccessedAt", "lastReinforcedAt"}


def index(number: int, of: int, keywords: Any, kind: str = "memory-item", **more: Any) -> dict[str, Any]:
    fields = {
        "memoryId": uid(of),
        "memoryType": kind,
        "keywords": keywords,
        "embedding": more.pop("embedding", "[0.25, -0.5, 1e-3]"),
        "indexedAt": AT,
    }
    return minion(number, "index", fields, **more)


PROPOSALS, DETAIL, LESSON, SUMMARY, DELETED, EMOJI = 1, 2, 3, 4, 5, 6

OFFICE = (
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


def spelled(minion: dict[str, Any]) -> bytes:
    """A file as the original writes it."""
    return json.dumps(minion, indent=2, ensure_ascii=False).encode()


def put(root: Path, minion: dict[str, Any], data: bytes | None = None) -> Path:
    """Write a minion as an agent does: beside its file, then in its place."""
    path = root / place(minion["id"])
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.tmp")
    fresh.write_bytes(spelled(minion) if data is None else data)
    fresh.rename(path)
    return path


def make(folder: Path, *minions: dict[str, Any]) -> Minions:
    """A store of these minions, else the rich one, in `folder`/.minions."""
    root = folder / ".minions"
    root.mkdir(parents=True, exist_ok=True)
    for each in minions or OFFICE:
        put(root, each)
    return Minions(root)


def told(root: Path, number: int) -> dict[str, Any]:
    """The minion of this number as any JSON reader sees it."""
    found = json.loads((root / place(uid(number))).read_text("utf-8"))
    assert isinstance(found, dict)
    return found


def of_type(root: Path, kind: str) -> list[dict[str, Any]]:
    """All minions of a type, by its short name."""
    found = [json.loads(path.read_text("utf-8")) for path in sorted(root.rglob("*.json"))]
    return [each for each in found if each["minionTypeId"].endswith(f"memory-{kind}")]
