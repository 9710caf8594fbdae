"""Problems to plant in an MCP memory file."""

from __future__ import annotations

from pathlib import Path

from tests.support.planted.plants import SECRET, Plant, replace
from tests.support.stores import mcp_memory as store
from tests.support.stores.mcp_memory import entity, lines, relation


def healthy_store(folder: Path) -> Path:
    return store.make(folder / "memory.jsonl").root


def _append(*objects: object) -> Plant:
    """Append lines: each a string as it is, or an object."""

    def plant(root: Path) -> None:
        new = [item if isinstance(item, str) else lines(item)[0] for item in objects]  # type: ignore[arg-type]
        root.write_bytes(root.read_bytes() + "".join(f"\n{line}" for line in new).encode("utf-8", "replace"))

    return plant


CASES = {
    ("a truncated last line", "bad-line"): _append('{"type":"entity","name":"To'),
    ("a line that is not part of a graph", "bad-line"): _append('{"other": 1}'),
    ("a line nested too deeply", "bad-line"): _append(
        '{"type":"entity","name":"x","observations":' + "[" * 900 + "]" * 900 + "}"
    ),
    ("bytes that are not UTF-8", "bad-line"): replace("likes tea", b"likes \xff tea"),
    ("a relation to a missing entity", "dangling"): _append(relation("Bo", "knows", "Nobody")),
    ("a relation to a misspelled entity", "dangling"): _append(relation("Bo", "admires", "ada lövelace")),
    ("a relation from an entity to itself", "self-relation"): _append(relation("Bo", "knows", "Bo")),
    ("a relation without a kind", "no-kind"): _append(relation("Bo", "", "Ada Lövelace")),
    ("a duplicate relation", "twice-told"): _append(relation("Bo", "knows", "Ada Lövelace")),
    ("a duplicate entity", "double-entity"): _append(entity("Bo", "is tall")),
    ("an entity with two spellings", "near-entity"): _append(
        entity("analytical engine", "is large", kind="machine")
    ),
    ("an entity without a name", "no-name"): _append(entity("", "is nameless")),
    ("an entity without a type", "no-type"): _append(entity("Eve", "is new", kind="")),
    ("an observation that is not a text", "odd-observation"): _append(entity("Eve", 42)),
    ("a blank observation", "blank"): _append(entity("Eve", "  ")),
    ("a duplicate observation", "double-observation"): _append(entity("Eve", "sings", "sings")),
    ("observations that are not a list", "odd-observation"): _append(
        '{"type":"entity","name":"Eve","entityType":"p","observations":"sings"}'
    ),
    ("a secret", "secret"): _append(entity("Eve", SECRET)),
    ("a duplicate key", "double-key"): _append(
        '{"type":"entity","name":"Eve","name":"Eva","entityType":"p","observations":[]}'
    ),
    ("NaN", "no-number"): _append(
        '{"type":"entity","name":"Eve","entityType":"p","observations":[],"x":NaN}'
    ),
    ("a lone surrogate", "surrogate"): _append(
        '{"type":"entity","name":"Eve","entityType":"p","observations":["\\ud83d"]}'
    ),
    ("a NUL character", "nul"): _append(
        '{"type":"entity","name":"Eve","entityType":"p","observations":["a\\u0000b"]}'
    ),
    ("a byte order mark", "bom"): lambda root: root.write_bytes(b"\xef\xbb\xbf" + root.read_bytes()),
    ("mixed line endings", "mixed-newlines"): lambda root: root.write_bytes(
        root.read_bytes().replace(b"\n", b"\r\n", 1)
    ),
    ("a very long line", "long-line"): _append(entity("Eve", "word " * 60_000)),
    ("an invalid time", "odd-time"): _append(entity("Eve", {"text": "sings", "timestamp": "lately"})),
    ("a time years in the future", "future-time"): _append(
        entity("Eve", {"text": "sings", "timestamp": "2090-01-01T00:00:00Z"})
    ),
}
