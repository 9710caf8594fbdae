"""What is planted in a Cognitive Memory tree."""

from __future__ import annotations

import json
import math
from pathlib import Path

from tests.support.planted.harm import Plant, add, put
from tests.support.stores import cognitive as store
from tests.support.stores.cognitive import (
    CORE_FILE,
    DAY_AT,
    DEPLOY_AT,
    DROPS,
    DROPS_AT,
    EDGE,
    EDGE_AT,
    FILES,
    INSIGHT_AT,
    REDIS,
    REDIS_AT,
    memory,
)


def sound(folder: Path) -> Path:
    day = FILES[DAY_AT].replace("graph/decisions/chose", "vault/chose")
    return store.make(folder / "memory", {**FILES, DAY_AT: day}).root


def _index(**said: object) -> Plant:
    def plant(root: Path) -> None:
        path = root / "_index.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), **said}, indent=2))

    return plant


CASES = {
    ("no head", "no-head"): add(INSIGHT_AT, "Only words.\n"),
    ("no id", "no-id"): put("id: beef0123-0000-4000-8000-000000000002\n", "", INSIGHT_AT),
    ("an id that stands twice", "doubled"): add(
        "graph/insights/twin-a1b2c3.md", memory(REDIS, "Twin", type="insight")
    ),
    ("a name without the digits of its id", "odd-name"): lambda root: (root / INSIGHT_AT).rename(
        root / "graph/insights/timeouts-hide-in-defaults-000000.md"
    ),
    ("a name that is not of its title", "odd-slug"): put(
        "Timeouts hide in defaults", "Fish can swim", INSIGHT_AT
    ),
    ("no type", "no-type"): put("type: insight\n", "", INSIGHT_AT),
    ("a type that nobody knows", "odd-type"): put("type: insight", "type: dream", INSIGHT_AT),
    ("a type of another folder", "odd-folder"): put("type: insight", "type: fix", INSIGHT_AT),
    ("no title", "no-title"): put('title: "Timeouts hide in defaults"\n', "", INSIGHT_AT),
    ("an importance beyond 1", "odd-number"): put("importance: 0.6", "importance: 6", INSIGHT_AT),
    ("a confidence of words", "odd-number"): put("confidence: 0.9", "confidence: high", REDIS_AT),
    ("a time that is none", "odd-time"): put(
        "created: 2026-02-14T12:00:00+00:00", "created: May", INSIGHT_AT
    ),
    ("seconds among texts", "mixed-times"): put(
        "created: 2026-02-14T12:00:00+00:00", "created: 1771070400", INSIGHT_AT
    ),
    ("a time years ahead", "future-time"): put("updated: 2026-02-14", "updated: 2066-02-14", INSIGHT_AT),
    ("changed before it was made", "odd-order"): put(
        "updated: 2026-02-14", "updated: 2016-02-14", INSIGHT_AT
    ),
    ("a text of blanks", "blank"): put("Look at the defaults first.", "", INSIGHT_AT),
    ("a relation to nothing", "dangling"): put(f"target: {DROPS}", "target: nobody", REDIS_AT),
    ("a relation that the other end lacks", "one-sided"): lambda root: [
        put("direction: incoming", "direction: outgoing", DROPS_AT)(root),
    ],
    ("a relation of no known kind", "odd-relation"): put("type: SOLVES", "type: ADMIRES", REDIS_AT),
    ("a strength beyond 1", "odd-number"): put("strength: 0.8", "strength: 8", REDIS_AT),
    ("an edge of nothing", "dangling-edge"): put(f"to_id: {DROPS}", "to_id: nobody", EDGE_AT),
    ("an edge that nobody tells", "stray-edge"): lambda root: [
        (root / REDIS_AT).write_text(store.memory(REDIS, "Fixed Redis connection timeouts", type="solution")),
        (root / DROPS_AT).write_text(
            store.memory(DROPS, "Redis connection drops under load", type="problem")
        ),
    ],
    ("a relation without its edge", "dangling"): lambda root: (root / EDGE_AT).unlink(),
    ("an edge that says other titles", "stale-edge"): put(
        'from_title: "Fixed Redis', 'from_title: "Repaired Redis', EDGE_AT
    ),
    ("a link to no file", "dangling-link"): put("solutions/fixed-redis", "solutions/broken-redis", DROPS_AT),
    ("an index that is no JSON", "broken-index"): add("_index.json", "{"),
    ("an index that lacks a memory", "stale-index"): _index(entries={}),
    ("an index of another count", "stale-index"): _index(count=77),
    ("an index with a key twice", "double-key"): put(
        '"version": 2,', '"version": 2,\n  "version": 2,', "_index.json"
    ),
    ("an index of the future", "newer-schema"): _index(version=9),
    ("a schema of the future", "newer-schema"): _index(version="4.0.0"),
    ("a title of two memories", "double-title"): put(
        "Timeouts hide in defaults", "Fixed Redis connection timeouts", INSIGHT_AT
    ),
    ("a state that is no JSON", "broken-state"): add("_state.json", "{"),
    ("a state of the future", "newer-schema"): put('"version": 1', '"version": 7', "_state.json"),
    ("uses of what is gone", "stray-state"): put(f'"{REDIS}"', '"gone"', "_state.json"),
    ("uses below nothing", "odd-count"): put('"access_count": 5', '"access_count": -5', "_state.json"),
    ("vectors of what is gone", "stray-vectors"): put(f'"{REDIS}"', '"gone"', "_embeddings.json"),
    ("vectors of another length", "other-dimension"): add(
        "_embeddings.json", json.dumps({"model": "m", "entries": {REDIS: [0.1, 0.2], DROPS: [0.1]}})
    ),
    ("vectors with NaN", "odd-embedding"): add(
        "_embeddings.json", json.dumps({"model": "m", "entries": {REDIS: [math.nan, 0.2]}})
    ),
    ("a core that is out of date", "stale-core"): add(
        "CORE.md", CORE_FILE.replace("fixed-redis-connection", "mended-redis-connection")
    ),
    ("steps that are no list", "odd-list"): put(
        'steps:\n  - "Run tests"\n  - "Build: docker image"', "steps: run it", DEPLOY_AT
    ),
    ("an unquoted colon", "unquoted"): put('"Timeouts hide in defaults"', "Timeouts: hidden", INSIGHT_AT),
    ("a list for a head", "list-head"): add(INSIGHT_AT, "---\n- one\n- two\n---\n\nWords.\n"),
    ("an edge id of a letter too much", "dangling"): put(f"edge_id: {EDGE}", f"edge_id: {EDGE}0", REDIS_AT),
    ("a link out of the tree", "link"): lambda root: (root / "graph/insights/out.md").symlink_to(
        "/etc/hosts"
    ),
}
