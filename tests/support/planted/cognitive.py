"""Problems to plant in a Cognitive Memory tree."""

from __future__ import annotations

import json
import math
from pathlib import Path

from tests.support.planted.plants import Plant, replace, write
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


def healthy_store(folder: Path) -> Path:
    day = FILES[DAY_AT].replace("graph/decisions/chose", "vault/chose")
    return store.make(folder / "memory", {**FILES, DAY_AT: day}).root


def _index(**members: object) -> Plant:
    def plant(root: Path) -> None:
        path = root / "_index.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), **members}, indent=2))

    return plant


CASES = {
    ("no front matter", "no-head"): write(INSIGHT_AT, "Only words.\n"),
    ("no id", "no-id"): replace("id: beef0123-0000-4000-8000-000000000002\n", "", INSIGHT_AT),
    ("a duplicate id", "doubled"): write(
        "graph/insights/twin-a1b2c3.md", memory(REDIS, "Twin", type="insight")
    ),
    ("a file name without the digits of its id", "odd-name"): lambda root: (root / INSIGHT_AT).rename(
        root / "graph/insights/timeouts-hide-in-defaults-000000.md"
    ),
    ("a file name that does not match the title", "odd-slug"): replace(
        "Timeouts hide in defaults", "Fish can swim", INSIGHT_AT
    ),
    ("no type", "no-type"): replace("type: insight\n", "", INSIGHT_AT),
    ("an unknown type", "odd-type"): replace("type: insight", "type: dream", INSIGHT_AT),
    ("a type that does not match its folder", "odd-folder"): replace(
        "type: insight", "type: fix", INSIGHT_AT
    ),
    ("no title", "no-title"): replace('title: "Timeouts hide in defaults"\n', "", INSIGHT_AT),
    ("an importance above 1", "odd-number"): replace("importance: 0.6", "importance: 6", INSIGHT_AT),
    ("a confidence in words", "odd-number"): replace("confidence: 0.9", "confidence: high", REDIS_AT),
    ("an invalid time", "odd-time"): replace(
        "created: 2026-02-14T12:00:00+00:00", "created: May", INSIGHT_AT
    ),
    ("epoch seconds among text times", "mixed-times"): replace(
        "created: 2026-02-14T12:00:00+00:00", "created: 1771070400", INSIGHT_AT
    ),
    ("a time years in the future", "future-time"): replace(
        "updated: 2026-02-14", "updated: 2066-02-14", INSIGHT_AT
    ),
    ("a change before the creation", "odd-order"): replace(
        "updated: 2026-02-14", "updated: 2016-02-14", INSIGHT_AT
    ),
    ("a blank text", "blank"): replace("Look at the defaults first.", "", INSIGHT_AT),
    ("a relation to a missing memory", "dangling"): replace(f"target: {DROPS}", "target: nobody", REDIS_AT),
    ("a relation missing at the other end", "one-sided"): lambda root: [
        replace("direction: incoming", "direction: outgoing", DROPS_AT)(root),
    ],
    ("an unknown kind of relation", "odd-relation"): replace("type: SOLVES", "type: ADMIRES", REDIS_AT),
    ("a strength above 1", "odd-number"): replace("strength: 0.8", "strength: 8", REDIS_AT),
    ("an edge to a missing memory", "dangling-edge"): replace(f"to_id: {DROPS}", "to_id: nobody", EDGE_AT),
    ("an edge file without a relation", "stray-edge"): lambda root: [
        (root / REDIS_AT).write_text(store.memory(REDIS, "Fixed Redis connection timeouts", type="solution")),
        (root / DROPS_AT).write_text(
            store.memory(DROPS, "Redis connection drops under load", type="problem")
        ),
    ],
    ("a relation without its edge file", "dangling"): lambda root: (root / EDGE_AT).unlink(),
    ("an edge file with outdated titles", "stale-edge"): replace(
        'from_title: "Fixed Redis', 'from_title: "Repaired Redis', EDGE_AT
    ),
    ("a link to a missing file", "dangling-link"): replace(
        "solutions/fixed-redis", "solutions/broken-redis", DROPS_AT
    ),
    ("an index that is not JSON", "broken-index"): write("_index.json", "{"),
    ("an index that lacks a memory", "stale-index"): _index(entries={}),
    ("an index with a wrong count", "stale-index"): _index(count=77),
    ("an index with a duplicate key", "double-key"): replace(
        '"version": 2,', '"version": 2,\n  "version": 2,', "_index.json"
    ),
    ("an index of a newer version", "newer-schema"): _index(version=9),
    ("a newer schema", "newer-schema"): _index(version="4.0.0"),
    ("a title used by two memories", "double-title"): replace(
        "Timeouts hide in defaults", "Fixed Redis connection timeouts", INSIGHT_AT
    ),
    ("a state file that is not JSON", "broken-state"): write("_state.json", "{"),
    ("a newer state file", "newer-schema"): replace('"version": 1', '"version": 7', "_state.json"),
    ("uses of a missing memory", "stray-state"): replace(f'"{REDIS}"', '"gone"', "_state.json"),
    ("a negative use count", "odd-count"): replace('"access_count": 5', '"access_count": -5', "_state.json"),
    ("vectors of a missing memory", "stray-vectors"): replace(f'"{REDIS}"', '"gone"', "_embeddings.json"),
    ("vectors of another length", "other-dimension"): write(
        "_embeddings.json", json.dumps({"model": "m", "entries": {REDIS: [0.1, 0.2], DROPS: [0.1]}})
    ),
    ("vectors with NaN", "odd-embedding"): write(
        "_embeddings.json", json.dumps({"model": "m", "entries": {REDIS: [math.nan, 0.2]}})
    ),
    ("an outdated core file", "stale-core"): write(
        "CORE.md", CORE_FILE.replace("fixed-redis-connection", "mended-redis-connection")
    ),
    ("steps that are not a list", "odd-list"): replace(
        'steps:\n  - "Run tests"\n  - "Build: docker image"', "steps: run it", DEPLOY_AT
    ),
    ("an unquoted colon", "unquoted"): replace('"Timeouts hide in defaults"', "Timeouts: hidden", INSIGHT_AT),
    ("front matter that is a list", "list-head"): write(INSIGHT_AT, "---\n- one\n- two\n---\n\nWords.\n"),
    ("an edge id with an extra letter", "dangling"): replace(
        f"edge_id: {EDGE}", f"edge_id: {EDGE}0", REDIS_AT
    ),
    ("a symlink out of the tree", "link"): lambda root: (root / "graph/insights/out.md").symlink_to(
        "/etc/hosts"
    ),
}
