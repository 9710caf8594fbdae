"""What is planted in an MCP memory file."""

from __future__ import annotations

from pathlib import Path

from tests.support.planted.harm import SECRET, Plant, put
from tests.support.stores import mcp_memory as store
from tests.support.stores.mcp_memory import entity, lines, relation


def sound(folder: Path) -> Path:
    return store.make(folder / "memory.jsonl").root


def _more(*objects: object) -> Plant:
    """Lines that come behind the others."""

    def plant(root: Path) -> None:
        new = [each if isinstance(each, str) else lines(each)[0] for each in objects]  # type: ignore[arg-type]
        root.write_bytes(root.read_bytes() + "".join(f"\n{each}" for each in new).encode("utf-8", "replace"))

    return plant


CASES = {
    ("a torn tail", "bad-line"): _more('{"type":"entity","name":"To'),
    ("a line that is no graph", "bad-line"): _more('{"other": 1}'),
    ("a line nested too deep", "bad-line"): _more(
        '{"type":"entity","name":"x","observations":' + "[" * 900 + "]" * 900 + "}"
    ),
    ("bytes that are no UTF-8", "bad-line"): put("likes tea", b"likes \xff tea"),
    ("a relation to nobody", "dangling"): _more(relation("Bo", "knows", "Nobody")),
    ("a relation spelled otherwise", "dangling"): _more(relation("Bo", "admires", "ada lövelace")),
    ("a relation of an entity to itself", "self-relation"): _more(relation("Bo", "knows", "Bo")),
    ("a relation without a kind", "no-kind"): _more(relation("Bo", "", "Ada Lövelace")),
    ("a relation that stands twice", "twice-told"): _more(relation("Bo", "knows", "Ada Lövelace")),
    ("an entity that stands twice", "double-entity"): _more(entity("Bo", "is tall")),
    ("an entity spelled in two ways", "near-entity"): _more(
        entity("analytical engine", "is large", kind="machine")
    ),
    ("an entity without a name", "no-name"): _more(entity("", "is nameless")),
    ("an entity without a type", "no-type"): _more(entity("Eve", "is new", kind="")),
    ("an observation that is no text", "odd-observation"): _more(entity("Eve", 42)),
    ("an observation of blanks", "blank"): _more(entity("Eve", "  ")),
    ("an observation that stands twice", "double-observation"): _more(entity("Eve", "sings", "sings")),
    ("observations that are no list", "odd-observation"): _more(
        '{"type":"entity","name":"Eve","entityType":"p","observations":"sings"}'
    ),
    ("a secret", "secret"): _more(entity("Eve", SECRET)),
    ("a key that stands twice", "double-key"): _more(
        '{"type":"entity","name":"Eve","name":"Eva","entityType":"p","observations":[]}'
    ),
    ("NaN", "no-number"): _more('{"type":"entity","name":"Eve","entityType":"p","observations":[],"x":NaN}'),
    ("half a letter", "surrogate"): _more(
        '{"type":"entity","name":"Eve","entityType":"p","observations":["\\ud83d"]}'
    ),
    ("a NUL", "nul"): _more('{"type":"entity","name":"Eve","entityType":"p","observations":["a\\u0000b"]}'),
    ("a byte order mark", "bom"): lambda root: root.write_bytes(b"\xef\xbb\xbf" + root.read_bytes()),
    ("two kinds of line ends", "mixed-newlines"): lambda root: root.write_bytes(
        root.read_bytes().replace(b"\n", b"\r\n", 1)
    ),
    ("a line without an end", "long-line"): _more(entity("Eve", "word " * 60_000)),
    ("a time that is none", "odd-time"): _more(entity("Eve", {"text": "sings", "timestamp": "lately"})),
    ("a time years ahead", "future-time"): _more(
        entity("Eve", {"text": "sings", "timestamp": "2090-01-01T00:00:00Z"})
    ),
}
