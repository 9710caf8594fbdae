"""Claude Code memory folders in both dialects, with their usual flaws, built from the facts of the format."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from memtui.formats.claude_code import ClaudeCode


def flat(name: str, kind: str, body: str, description: str = "what it is about") -> str:
    """Return a file whose type and session are keys of the head itself."""
    return (
        f"---\nname: {name}\ndescription: {description}\ntype: {kind}\n"
        f"originSessionId: 0f1e2d3c-4b5a\n---\n\n{body}\n"
    )


def nested(name: str, kind: str, body: str, modified: str = "2026-03-04T05:06:07.123Z") -> str:
    """Return a file whose type and session are nested in `metadata`; real files have the blank after it."""
    return (
        f'---\nname: {name}\ndescription: "quoted: \\"so\\""\n'
        f"metadata: \n  node_type: memory\n  type: {kind}\n"
        f"  originSessionId: 0f1e2d3c-4b5a\n  modified: {modified}\n---\n\n{body}\n"
    )


RULE = "Run the tests before saying done.\n\n**Why:** it was wrong twice.\n\n**How to apply:** always."

FILES: dict[str, str] = {
    "MEMORY.md": (
        "# Memory Index\n"
        "\n"
        "## Ways\n"
        "- [Testing first](feedback_testing.md) — run them before done\n"
        "- [User's role [in short]](user_role.md) - data scientist\n"
        "- [Release freeze](release-freeze.md)\n"
        "- [Gone](project_gone.md) — its file is missing\n"
        "\n"
        "## Loose\n"
        "<!-- no memory -->\n"
        "- Deploys go out on Thursdays,\n"
        "  never on Fridays\n"
        "- Ünïcode ☕ café\n"
        "- Deploys go out on Thursdays,\n"
        "  never on Fridays\n"
        "\n"
        "The staging database is rebuilt\n"
        "every night.\n"
        "\n"
        "```sh\n"
        "- [not an index line](x.md)\n"
        "\n"
        "make deploy\n"
        "```\n"
    ),
    "feedback_testing.md": flat("Testing: first?", "feedback", RULE).replace(
        "name: Testing: first?", "name: 'Testing first'"
    ),
    "user_role.md": flat("User role", "user", "A data scientist. See [[release-freeze]] and [[nobody]]."),
    "release-freeze.md": nested(
        "release-freeze", "project", "No merges after 2026-03-05; see [how](feedback_testing.md)."
    ),
    "reference_board.md": flat("Board", "reference", "Bugs live in the board `ALPHA`."),
}
CRLF = {name: text.replace("\n", "\r\n") for name, text in FILES.items()}
WITH_BOM = {name: "\ufeff" + text for name, text in FILES.items()}
NO_LAST_NEWLINE = {name: text.rstrip("\n") for name, text in FILES.items()}
ALL_NESTED = {
    "MEMORY.md": "- [One](one.md) — 1\n- [Two](two.md): 2\n- [Three](three.md) – 3\n",
    **{f"{each}.md": nested(each, "project", f"The text of {each}.") for each in ("one", "two", "three")},
}
FREE_TEXT = {"MEMORY.md": "# Notes\n- one\n- two\n  and more\n\nA paragraph.\n"}

STORES: dict[str, Mapping[str, str]] = {
    "both dialects": FILES,
    "CRLF": CRLF,
    "BOM": WITH_BOM,
    "no last newline": NO_LAST_NEWLINE,
    "nested only": ALL_NESTED,
    "free text only": FREE_TEXT,
    "files only": {name: text for name, text in FILES.items() if name != "MEMORY.md"},
}


def make(folder: Path, files: Mapping[str, str | bytes] = FILES) -> ClaudeCode:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return ClaudeCode(folder)
