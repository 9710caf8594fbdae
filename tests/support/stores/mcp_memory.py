"""MCP memory files in all dialects seen in the wild, built from the facts of the format."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from memtui.formats.mcp_memory.adapter import McpMemory


def entity(name: str, *observations: Any, kind: str = "person", **more: Any) -> dict[str, Any]:
    return {"type": "entity", "name": name, "entityType": kind, "observations": list(observations), **more}


def relation(source: str, kind: str, target: str) -> dict[str, Any]:
    return {"type": "relation", "from": source, "to": target, "relationType": kind}


GRAPH = (
    entity("Ada Lövelace", "likes tea", "writes 日本語 ☕", "lives in London"),
    entity("Analytical Engine", "likes tea", "has a mill", kind="machine"),
    entity("Bo", kind="person"),
    relation("Ada Lövelace", "designs for", "Analytical Engine"),
    relation("Bo", "knows", "Ada Lövelace"),
)


def lines(*objects: dict[str, Any], ascii: bool = False, compact: bool = True) -> list[str]:
    """Return a line for each object, by default as a server writes it: compact and unescaped."""
    separators = (",", ":") if compact else (", ", ": ")
    return [json.dumps(each, ensure_ascii=ascii, separators=separators) for each in objects]


def _without_type(record: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in record.items() if key != "type"}


PLAIN = "\n".join(lines(*GRAPH)).encode()
DIALECTS: dict[str, bytes] = {
    "as the server writes it": PLAIN,
    "without a type key": "\n".join(lines(*map(_without_type, GRAPH))).encode(),
    "with _type": "\n".join(lines(*({"_type": g["type"], **_without_type(g)} for g in GRAPH))).encode(),
    "observations with times": "\n".join(
        lines(
            entity(
                "Ada", *({"text": t, "timestamp": "2026-01-02T03:04:05.000Z"} for t in ("tea", "ink", "tea"))
            ),
            relation("Ada", "knows", "Bo"),
        )
    ).encode(),
    "spaced, with a last newline": ("\n".join(lines(*GRAPH, compact=False)) + "\n").encode(),
    "escaped to ASCII": "\n".join(lines(*GRAPH, ascii=True)).encode(),
    "CRLF": ("\r\n".join(lines(*GRAPH)) + "\r\n").encode(),
    "BOM": b"\xef\xbb\xbf" + PLAIN,
    "blank lines between": "\n\n".join(lines(*GRAPH)).encode() + b"\n\n\n",
    "a torn tail": PLAIN + b'\n{"type":"entity","name":"To',
    "a line that is not UTF-8": PLAIN + b'\n{"type":"entity","name":"\xff\xfe","observations":["x"]}\n',
    "a line with trailing text": PLAIN + b'\n{"type":"entity","name":"X","observations":["x"]} x\n',
    "lines that are not a graph": PLAIN + b'\n[1, 2]\n"text"\n{"other": 1}\nnull\n',
    "equal observations": "\n".join(lines(entity("Ada", "tea", "tea", "ink", "tea"))).encode(),
    "equal entities": "\n".join(lines(entity("Ada", "tea"), entity("Ada", "tea", "ink"))).encode(),
    "foreign keys": "\n".join(
        lines(entity("Ada", "tea", weight=1, note={"a": [1e5]}), relation("Ada", "is", "Ada") | {"x": 1})
    ).encode()
    + b'\n{ "zeta" : 0.1000, "observations" : [ "odd \\/ spelling" , 7, "ink" ] ,'
    + b' "name":"Bo", "entityType":"x" }',
    "empty": b"",
}


def make(path: Path, data: bytes = PLAIN) -> McpMemory:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return McpMemory(path)
