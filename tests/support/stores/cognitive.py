"""A Cognitive Memory tree as its own client leaves it, written by hand."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from memtui.formats.cognitive import Cognitive

REDIS = "a1b2c3d4-e5f6-7890-abcd-ef1234567890"
DROPS = "def789ab-1111-4222-8333-444455556666"
DEPLOY = "0c0ffee0-aaaa-4bbb-8ccc-ddddeeeeffff"
SOCKETS = "d4e5f6a7-0000-4000-8000-000000000001"
EDGE = "77aa88bb-1234-4234-8234-123412341234"
INSIGHT = "beef0123-0000-4000-8000-000000000002"

REDIS_AT = "graph/solutions/fixed-redis-connection-timeouts-a1b2c3.md"
DROPS_AT = "graph/problems/redis-connection-drops-under-load-def789.md"
DEPLOY_AT = "graph/procedures/deploy-major-domo-to-production-0c0ffe.md"
SOCKETS_AT = "vault/chose-websocket-over-polling-d4e5f6.md"
INSIGHT_AT = "graph/insights/timeouts-hide-in-defaults-beef01.md"
EDGE_AT = "graph/edges/fixed-redis--SOLVES--redis-connection-drops-77aa88.md"
DAY_AT = "episodes/2025-12-13.md"

REDIS_FILE = f"""---
id: {REDIS}
type: solution
title: "Fixed Redis connection timeouts"
tags: [redis, timeout, production, homelab]
importance: 0.8
confidence: 0.9
x_source: "session 12"  # nobody knows this key
created: 2025-12-06T16:25:58+00:00
updated: 2025-12-06T16:25:58+00:00
relations:
  - target: {DROPS}
    type: SOLVES
    direction: outgoing
    strength: 0.8
    context: "Keepalive prevents idle disconnections"
    edge_id: {EDGE}
---

Added socket_keepalive=True and socket_timeout=300.

See [the drops](../problems/redis-connection-drops-under-load-def789.md) and
`[code](../problems/redis-connection-drops-under-load-def789.md)` stays as it is.
"""
DROPS_FILE = f"""---
id: {DROPS}
type: problem
title: "Redis connection drops under load"
tags: [redis, homelab]
importance: 0.5
created: 2025-12-05T10:00:00+00:00
updated: 2025-12-05T10:00:00+00:00
relations:
  - target: {REDIS}
    type: SOLVES
    direction: incoming
    strength: 0.8
    context: "Keepalive prevents idle disconnections"
    edge_id: {EDGE}
---

Idle sockets die. Solved by [Redis](../solutions/fixed-redis-connection-timeouts-a1b2c3.md#fix).
"""
DEPLOY_FILE = f"""---
id: {DEPLOY}
type: procedure
title: "Deploy Major Domo to production"
tags: [major-domo, deploy]
importance: 0.7
confidence: 0.8
steps:
  - "Run tests"
  - "Build: docker image"
preconditions:
  - "All tests pass"
postconditions:
  - "Service healthy"
created: 2026-02-13T12:00:00+00:00
updated: 2026-02-13T12:00:00+00:00
---

Standard deploy workflow 🚀.
"""
SOCKETS_FILE = f"""---
id: {SOCKETS}
type: decision
title: "Chose websocket over polling"
tags: [major-domo, architecture]
importance: 0.9
confidence: 0.8
created: 2025-12-13T11:15:00+00:00
updated: 2025-12-13T11:15:00+00:00
---

Lower latency; see [Redis](../graph/solutions/fixed-redis-connection-timeouts-a1b2c3.md).
"""
INSIGHT_FILE = f"""---
id: {INSIGHT}
type: insight
title: "Timeouts hide in defaults"
tags: [redis, major-domo]
importance: 0.6
created: 2026-02-14T12:00:00+00:00
updated: 2026-02-14T12:00:00+00:00
---

Look at the defaults first.
"""
EDGE_FILE = f"""---
id: {EDGE}
type: SOLVES
from_id: {REDIS}
from_title: "Fixed Redis connection timeouts"
to_id: {DROPS}
to_title: "Redis connection drops under load"
strength: 0.8
created: 2025-12-06T16:25:58+00:00
updated: 2025-12-06T16:25:58+00:00
---

The keepalive fix directly resolves the idle disconnection problem.
"""
DAY_FILE = """# 2025-12-13

## 10:30 - Fixed Redis
- **Type:** solution
- **Tags:** major-domo, redis
- **Memory:** [redis](../graph/solutions/fixed-redis-connection-timeouts-a1b2c3.md)
- **Summary:** Keepalive is on

## 11:15 - Chose websocket over polling
- **Type:** decision
- **Tags:** major-domo, architecture
- **Memory:** [sockets](../graph/decisions/chose-websocket-over-polling-d4e5f6.md)
- **Summary:** Lower latency
"""
CORE_FILE = """# Memory Core (auto-generated)

> Last updated: 2025-12-13 | Active memories: 2/5 | Next refresh: daily (systemd timer)

## Critical Solutions

- [Fixed Redis connection timeouts](graph/solutions/fixed-redis-connection-timeouts-a1b2c3.md) (redis)
"""
REFLECTION_FILE = """# Reflection Summary (auto-generated)

## Most Accessed

1. [Fixed Redis connection timeouts](graph/solutions/fixed-redis-connection-timeouts-a1b2c3.md) - 5 accesses
"""


def entry(title: str, type: str, path: str, **more: Any) -> dict[str, Any]:
    """Return an entry of _index.json."""
    fields = {"title": title, "type": type, "tags": [], "importance": 0.5, "confidence": 0.8}
    return {**fields, "created": "", "updated": "", "path": path, "relations": [], **more}


def relation(target: str, direction: str) -> dict[str, Any]:
    """Return the sample's relation as the index lists it."""
    return {
        "target": target,
        "type": "SOLVES",
        "direction": direction,
        "strength": 0.8,
        "context": "Keepalive prevents idle disconnections",
        "edge_id": EDGE,
    }


def times(created: str) -> dict[str, str]:
    return {"created": created, "updated": created}


INDEX = {
    "version": 2,
    "updated": "2026-02-15T10:30:00+00:00",
    "count": 5,
    "edges": {
        EDGE: {"type": "SOLVES", "from_id": REDIS, "to_id": DROPS, "strength": 0.8, "path": EDGE_AT},
    },
    "entries": {
        REDIS: entry(
            "Fixed Redis connection timeouts",
            "solution",
            REDIS_AT,
            tags=["redis", "timeout", "production", "homelab"],
            importance=0.8,
            confidence=0.9,
            relations=[relation(DROPS, "outgoing")],
            **times("2025-12-06T16:25:58+00:00"),
        ),
        DROPS: entry(
            "Redis connection drops under load",
            "problem",
            DROPS_AT,
            tags=["redis", "homelab"],
            relations=[relation(REDIS, "incoming")],
            **times("2025-12-05T10:00:00+00:00"),
        ),
        DEPLOY: entry(
            "Deploy Major Domo to production",
            "procedure",
            DEPLOY_AT,
            tags=["major-domo", "deploy"],
            importance=0.7,
            **times("2026-02-13T12:00:00+00:00"),
        ),
        SOCKETS: entry(
            "Chose websocket over polling",
            "decision",
            SOCKETS_AT,
            tags=["major-domo", "architecture"],
            importance=0.9,
            **times("2025-12-13T11:15:00+00:00"),
        ),
        INSIGHT: entry(
            "Timeouts hide in defaults",
            "insight",
            INSIGHT_AT,
            tags=["redis", "major-domo"],
            importance=0.6,
            **times("2026-02-14T12:00:00+00:00"),
        ),
    },
}
STATE = {
    "version": 1,
    "updated": "2025-12-13T10:30:00+00:00",
    "entries": {
        REDIS: {"access_count": 5, "last_accessed": "2025-12-13T10:15:00+00:00", "decay_score": 0.75},
        SOCKETS: {"access_count": 2, "last_accessed": "2025-12-13T11:15:00+00:00", "decay_score": 999.0},
    },
}
FILES: dict[str, str] = {
    REDIS_AT: REDIS_FILE,
    DROPS_AT: DROPS_FILE,
    DEPLOY_AT: DEPLOY_FILE,
    SOCKETS_AT: SOCKETS_FILE,
    INSIGHT_AT: INSIGHT_FILE,
    EDGE_AT: EDGE_FILE,
    DAY_AT: DAY_FILE,
    "CORE.md": CORE_FILE,
    "REFLECTION.md": REFLECTION_FILE,
    "_index.json": json.dumps(INDEX, indent=2),
    "_state.json": json.dumps(STATE, indent=2),
    "_config.json": json.dumps(
        {"embedding_provider": "openai", "openai_api_key": "-".join(("sk", "x" * 30))}
    ),
    "_embeddings.json": json.dumps({"model": "nomic-embed-text", "entries": {REDIS: [0.1, 0.2]}}),
    ".gitignore": "_state.json\n_index.json\n",
}


def make(root: Path, files: Mapping[str, str | bytes] = FILES) -> Cognitive:
    """Write the tree to `root` and return its store."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        os.chmod(path, 0o640)
    (root / "graph").mkdir(parents=True, exist_ok=True)
    return Cognitive(root)


def memory(id: str, title: str, body: str = "A text.", *more: str, type: str = "fix", head: str = "") -> str:
    """Return the file of one memory; `head` adds lines to its front matter."""
    lines = [f"id: {id}", f"type: {type}", f'title: "{title}"', "tags: [a, b]", "importance: 0.5", *more]
    return "\n".join(
        ["---", *lines, *([head] if head else []), "created: 2026-01-01T00:00:00Z", "---", "", body, ""]
    )
