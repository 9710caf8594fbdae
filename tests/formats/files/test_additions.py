"""Memories added in one batch give the bytes of memories added one by one, whatever the store looks like."""

from __future__ import annotations

import uuid
from itertools import count
from pathlib import Path

import pytest

from memtui.formats.base_coat_shared import BaseCoatShared
from memtui.formats.claude_code import ClaudeCode
from memtui.formats.cognitive import Cognitive
from memtui.formats.contract.adapter import Adapter
from memtui.formats.contract.plans import Plan, Write
from memtui.formats.mcp_memory import McpMemory
from memtui.values import Fields

NOW = 1_750_000_000.0
INDEX, A = "MEMORY.md", b"---\r\nname: A\r\ntype: user\r\n---\r\n\r\nText\r\n"
CLAUDE: list[dict[str, bytes]] = [
    {INDEX: b""},
    {INDEX: b"# Index\r\n\r\n- [A](a.md) - x\r\n", "a.md": A},
    {INDEX: b"- [A](a.md) - x", "a.md": A},  # no final newline
    {INDEX: b"- [A](a.md)\n  continued\n\nfree after\n- bullet\n", "a.md": A},
    {INDEX: b"\xef\xbb\xbffree text\n\nmore"},
    {INDEX: b"- [A](a.md)\r- [B](b.md)\r<!-- c\n-->"},
    {},
]
MCP = [
    b'{"type":"entity","name":"tea","entityType":"fact","observations":["a, b"]}\r\n'
    b'{"type":"relation","from":"a","to":"b","relationType":"k"}',
    b'\xef\xbb\xbf{"name": "tea", "entityType": "fact", "observations": []}\n\nbad line\n'
    b'{"_type":"entity","name":"milk","entityType":"fact","observations":[{"text":"q","timestamp":"2026"}]}\n',
    b'{"type":"entity","name":"tea","entityType":"fact","observations":["caf\\u00e9"]}\n'
    b'{"type":"entity","name":"tea","entityType":"fact","observations":["z"]}\n'
    b'{"type":"entity","name":"none","entityType":"fact"}\n',
]
GRAPH = b'{\n  "version": 2,\n  "count": 0,\n  "entries": {},\n  "edges": {}\n}\n'


def fields(kind: type[Adapter]) -> list[Fields]:
    """Return memories with equal titles and subjects, odd categories, links, and what is refused."""
    out: list[Fields] = []
    for n in range(12):
        subject = ("tea", "milk", "new one", "none", "C:\\users, “é”")[n % 5]
        text = f"Text {n}.\r\n\r\n- see [[a]], C:\\users" if n % 4 == 0 else f"Text, {n} é"
        given: Fields = {"content": "" if n == 7 else text, "subject": subject, "created_at": NOW + n}
        category: dict[type[Adapter], str] = {
            ClaudeCode: ("user", "a/(b")[n % 5 == 4],
            Cognitive: "fix",
            BaseCoatShared: "decision",
        }
        if kind is not McpMemory:
            given |= {"title": "The same" if n % 2 else f"Tïtle [{n}]", "category": category[kind]}
        if kind is BaseCoatShared:
            given |= {
                "content": given["content"] and f"Text {n}.",
                "subject": f"general:{n if n % 3 else 'tea'}",
            }
        out.append(given)
    return out


def add(store: Adapter, memories: list[Fields]) -> list[str]:
    """Add memories in one batch; return the refs or the reasons."""
    results = store.plan([Write("add", "", each, {}, NOW) for each in memories])
    plans = [each for each in results if isinstance(each, Plan)]
    if plans:
        store.apply(plans, "t")
    return [str(each.ref_after) if isinstance(each, Plan) else each.reason for each in results]


def bytes_in(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Return the bytes and permission bits of all files."""
    files = (each for each in folder.rglob("*") if each.is_file())
    return {str(each.relative_to(folder)): (each.read_bytes(), each.stat().st_mode) for each in files}


def starts() -> list[tuple[type[Adapter], dict[str, bytes]]]:
    return [
        *((ClaudeCode, files) for files in CLAUDE),
        *((McpMemory, {"memory.jsonl": data}) for data in MCP),
        (
            BaseCoatShared,
            {"general/tea.md": b"---\r\nsubject: general:tea\r\n---\r\n\r\n## Pattern\r\n\r\nX\r\n"},
        ),
        (Cognitive, {"_index.json": GRAPH, "graph/general/x-aaaaaa.md": A}),
    ]


@pytest.mark.parametrize(("kind", "files"), starts())
def test_a_batch_gives_the_bytes_of_single_additions(
    kind: type[Adapter], files: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    roots, answers = [], []
    for way in ("batch", "single"):
        numbers = count(1)
        monkeypatch.setattr(
            Cognitive, "new_id", lambda numbers=numbers: str(uuid.UUID(int=next(numbers) << 96))
        )
        folder = tmp_path / way / "memory"
        for name, data in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
        folder.mkdir(parents=True, exist_ok=True)
        root = folder / "memory.jsonl" if kind is McpMemory else folder
        memories = fields(kind)
        parts = [memories] if way == "batch" else [[each] for each in memories]
        answers.append([answer for part in parts for answer in add(kind(root), part)])
        roots.append(folder)
    assert answers[0] == answers[1]
    assert bytes_in(roots[0]) == bytes_in(roots[1])
    assert len(set(answers[0])) > len(answers[0]) // 2, "most were added"
