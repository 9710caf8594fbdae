"""Texts that try to control a terminal, and a workspace with them in every field of every store."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path
from typing import Any

import apsw

from memtui.workspace.workspace import Workspace
from tests.support.stores import claude_code, databases, founder_os

NOW = 1_790_000_000.0
MARK = "UNIQUE"
# Each contains the mark, which tells it apart from the sequences that a program writes itself.
TEXTS = {
    "colour": f"\x1b[31;7{MARK}m red",
    "clipboard": f"\x1b]52;c;{MARK}VQ==\x07",
    "link": f"\x1b]8;;http://{MARK}.example\x1b\\click\x1b]8;;\x1b\\",
    "title": f"\x1b]0;{MARK}\x07",
    "report": f"\x1b[6n{MARK}\x1bc",
    "screen": f"\x1b[2J\x1b[H{MARK}\x1b[?1049l",
    "device": f"\x1bP+q{MARK}\x1b\\\x1b_{MARK}\x1b\\\x1b^{MARK}\x1b\\",
    "eight bit": f"\x9b31m{MARK}\x9d52;c;{MARK}\x9c\x90{MARK}\x85",
    "bells": f"\x07\x08\x0b\x0c\x0e\x0f\x7f{MARK}",
    "bidi": f"user\u202egnp.{MARK}\u2066\u2069\u200f\u061c",
    "invisible": f"pass\u200bw\u200co\u200dr\u2060d\ufeff\u00ad{MARK}\U000e0041",
    "surrogates": f"{MARK}\ud800 half \udfff",
    "nul": f"{MARK}\0nul",
    "markup": f"[@click=app.quit]{MARK}[/] [/foo] [bold]x[/bold] [link=file:///etc/passwd]y[/link]",
    "markdown": f"# {MARK}\n[a](javascript:alert) <script>x</script> | a | b |\n|---|---|",
    "return": f"visible{MARK}\rhidden\r\nnext\n\n\n\ttab\tbed",
    "right to left": f"שלום {MARK} مرحبا",
    "emoji": f"👩‍🔬{MARK}👨‍👩‍👧🏳️‍🌈é",
    "wide": f"漢字{MARK}" * 40,
}
LONG = "long " + "x" * 999_995
_NOT_TEXT = {"surrogates", "nul"}  # a text file cannot hold these


def unsafe_characters(text: str) -> set[str]:
    """Return the characters of an output that may control a terminal, are invisible or reorder text."""
    deceptive = {"\u200b", "\u200c", "\u2060", "\ufeff", "\u00ad", "\u061c", "\u200e", "\u200f"}
    deceptive |= set(map(chr, [*range(0x202A, 0x202F), *range(0x2066, 0x206A), *range(0xE0000, 0xE0080)]))
    return {
        char
        for char in set(text)
        if char in deceptive or (unicodedata.category(char) in ("Cc", "Cs") and char not in "\n\t")
    }


def make_workspace(folder: Path) -> Path:
    """Make a workspace of four stores in folders with hostile names."""
    hostile = folder / "a\x1b[31mb\u202ec[@click=app.quit]"
    hostile.mkdir(parents=True)
    path = hostile / "w\x1b]0;UNIQUE\x07.db"
    workspace = Workspace.open(path, clock=lambda: NOW)
    workspace.attach(_founder(hostile / "f\x9bo" / "memory.db"))
    workspace.attach(_claude(hostile / "c\x1b[5mo"))
    workspace.attach(_mcp(hostile / "m\x07p" / "memory.jsonl"))
    for text in (*TEXTS.values(), LONG):
        workspace.add(
            dict.fromkeys(("content", "title", "category", "key", "subject"), text) | {"tags": (text, "t")}
        )
    ids = workspace.search("", live=False).ids
    for id in ids[::7]:
        workspace.pin([id], TEXTS["colour"].replace("\0", ""))
    workspace.close()
    _insert_raw(path)
    return path


_TEXT_COLUMNS = (
    "ref anchor place owner scope session_id kind category key subject title content note pinned_by "
    "pinned_why tier heat source_type source_ref source_excerpt company_id superseded_by tone"
).split()


def _insert_raw(path: Path) -> None:
    """Insert what no command would store: escape codes and NUL in fields that users cannot fill."""
    connection = apsw.Connection(str(path))
    connection.enable_load_extension(True)
    for name, text in TEXTS.items():
        if name == "surrogates":
            continue
        marked = f"{text}{name}"
        row = dict.fromkeys(_TEXT_COLUMNS, marked) | {
            "uid": f"raw{name.replace(' ', '')}",
            "store_id": 1,
            "seen_at": NOW,
            "value": json.dumps(marked),
            "tags": json.dumps([marked]),
            "status": "confirmed",
            "pinned": 1,
            "steps": json.dumps([marked]),
            "extra": json.dumps({marked: marked, "deep": [{marked: marked}]}),
        }
        databases.insert(connection, "memories", row)
    connection.execute("UPDATE stores SET error = ? WHERE id = 2", (TEXTS["colour"],))
    connection.execute(
        "INSERT INTO journal (at, actor, kind, summary) VALUES (?, ?, ?, ?)",
        (
            NOW,
            f"agent:{TEXTS['link']}",
            TEXTS["colour"],
            "".join(TEXTS[n] for n in TEXTS if n != "surrogates"),
        ),
    )
    connection.execute(
        "UPDATE stores SET findings = ? WHERE id = 1", (json.dumps([[t, t, t] for t in TEXTS.values()]),)
    )
    connection.close()


def _founder(path: Path) -> Path:
    memories: list[dict[str, Any]] = [
        {
            "id": f"{number:032x}",
            "key": f"{number}{text}",
            "category": text,
            "content": text,
            "source_plugin": text,
            "company_id": text,
            "tags": json.dumps([text, f"{text}2"]),
            "embedding": "[0.5]",
            "confidence": 50,
            "status": "confirmed",
            "created_at": 1_780_000_000,
            "updated_at": text,
        }
        for number, (name, text) in enumerate(TEXTS.items())
        if name != "surrogates"
    ]
    memories.append({**memories[0], "id": "f" * 32, "key": "long", "content": LONG})
    return founder_os.make(path, memories, columns=founder_os.UNTYPED_COLUMNS, adaptations=())


def _claude(folder: Path) -> Path:
    files = {"MEMORY.md": ""}
    for number, (name, text) in enumerate(TEXTS.items()):
        if name in _NOT_TEXT:
            continue
        quoted = json.dumps(text, ensure_ascii=name != "emoji")
        files[f"m{number}\x1b[1m\u202e.md"] = (
            f"---\nname: {quoted}\ndescription: {quoted}\ntype: {quoted}\n"
            f"more{number}: {quoted}\n---\n\n{text}\n"
        )
        files["MEMORY.md"] += f"- [{text}](m{number}\x1b[1m\u202e.md) — {text}\n- {text}\n"
    claude_code.make(folder, {"feedback_x.md": claude_code.flat("x", "feedback", "so"), **files})
    return folder


def _mcp(path: Path) -> Path:
    path.parent.mkdir(parents=True)
    lines: list[dict[str, Any]] = []
    for text in TEXTS.values():
        lines.append(
            {
                "type": "entity",
                "name": text,
                "entityType": text,
                "observations": [text, f"{text} too"],
                text: 1,
            }
        )
        lines.append({"type": "relation", "from": text, "to": TEXTS["colour"], "relationType": text})
    lines.append({"type": "entity", "name": "long", "entityType": "x", "observations": [LONG]})
    lines.append({"type": TEXTS["colour"]})
    path.write_text("\n".join(map(json.dumps, lines)) + "\n{torn " + TEXTS["colour"], "utf-8")
    return path
