"""Folders and file names of a Cognitive Memory tree (FORMATS 5)."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

# The folder below graph/ of each type of memory.
FOLDERS = {
    "solution": "solutions",
    "fix": "fixes",
    "decision": "decisions",
    "configuration": "configurations",
    "problem": "problems",
    "workflow": "workflows",
    "code_pattern": "code-patterns",
    "error": "errors",
    "general": "general",
    "procedure": "procedures",
    "insight": "insights",
}
RELATION_KINDS = ("SOLVES", "CAUSES", "BUILDS_ON", "ALTERNATIVE_TO", "REQUIRES", "FOLLOWS", "RELATED_TO")
GRAPH, VAULT, EPISODES, EDGES = "graph/", "vault/", "episodes/", "graph/edges/"
CORE, REFLECTION, INDEX, STATE = "CORE.md", "REFLECTION.md", "_index.json", "_state.json"
CONFIG = "_config.json"  # which may hold an API key
GENERATED = (CORE, REFLECTION)
SHORT_ID = 6  # characters of an id at the end of its file's name
_MAX_SLUG, _MAX_EDGE_SLUG = 60, 30  # characters of a title in the name of a memory's file and of an edge's


def is_memory(name: str) -> bool:
    """Return whether a file of this name holds a memory."""
    return name.endswith(".md") and name.startswith((GRAPH, VAULT)) and not name.startswith(EDGES)


def is_edge(name: str) -> bool:
    """Return whether a file of this name describes a relation."""
    return name.endswith(".md") and name.startswith(EDGES)


def is_episodes(name: str) -> bool:
    """Return whether a file of this name holds a day's episodes."""
    return name.endswith(".md") and name.startswith(EPISODES) and name.count("/") == 1


def is_pinned(name: str) -> bool:
    """Return whether the file of a memory is in the vault."""
    return name.startswith(VAULT)


def folder_of(category: str) -> str:
    """Return the folder of a type; that of general for an unknown one."""
    return f"{GRAPH}{FOLDERS.get(category, FOLDERS['general'])}"


def file_name(title: str, id: str) -> str:
    """Return the last part of the name of a memory's file."""
    return f"{slug(title)}-{short_id(id)}.md"


def edge_file_name(source: str, kind: str, target: str, id: str) -> str:
    """Return the last part of an edge file's name; `source` and `target` are titles."""
    ends = (slug(title, _MAX_EDGE_SLUG) for title in (source, target))
    return f"--{kind}--".join(ends) + f"-{short_id(id)}.md"


def retitled_edge(name: str, old: str, new: str, *, at_source: bool) -> str:
    """Return an edge file's name after the memory at one end was retitled from `old` to `new`; the same name
    if that end was not named for the old title."""
    parts = PurePosixPath(name).name.split("--")
    if len(parts) != 3:
        return name
    at = 0 if at_source else 2
    end = parts[at] if at_source else parts[at].rpartition("-")[0]
    if not end or not slug(old).startswith(end):
        return name
    parts[at] = slug(new, _MAX_EDGE_SLUG) + parts[at][len(end) :]
    return EDGES + "--".join(parts)


@dataclass(frozen=True, slots=True)
class EdgeName:
    """The parts of an edge file's name."""

    folder: str
    source: str
    kind: str
    target: str
    short_id: str

    @property
    def name(self) -> str:
        return f"{self.folder}/{self.source}--{self.kind}--{self.target}-{self.short_id}"


def parse_edge_name(name: str) -> EdgeName | None:
    """Return the parts of an edge file's name; None if it has another form."""
    path = PurePosixPath(name)
    parts = path.name.split("--")
    if len(parts) != 3 or "-" not in parts[2]:
        return None
    target, _, short_id = parts[2].rpartition("-")
    return EdgeName(str(path.parent), parts[0], parts[1], target, short_id)


def updated_edge(name: str, old_kind: str, new_kind: str, *, reverse: bool) -> str:
    """Return an edge file's name after its relation got another kind or, with `reverse`, the other direction;
    a part that did not fit the old relation stays."""
    parts = parse_edge_name(name)
    if parts is None:
        return name
    parts = replace(parts, kind=new_kind if parts.kind == old_kind else parts.kind)
    return (replace(parts, source=parts.target, target=parts.source) if reverse else parts).name


def is_plain_id(text: str) -> bool:
    """Return whether a text consists of ASCII letters, digits and hyphens only, as the format's ids do."""
    return text.isascii() and text.replace("-", "").isalnum()


def short_id(id: str) -> str:
    """Return the first six letters and digits of an id, which end its file's name."""
    return re.sub(r"[^0-9A-Za-z]", "", id)[:SHORT_ID]


def split_name(name: str) -> tuple[str, str]:
    """Return the slug of the title and the short id in the name of a memory's file."""
    title_slug, _, short_id = name.rpartition("/")[2].removesuffix(".md").rpartition("-")
    return title_slug, short_id


def slug(title: str, longest: int = _MAX_SLUG) -> str:
    """Return a title as part of a file's name, cut between words at `longest` characters."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().casefold()
    words = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
    if len(words) > longest:
        cut = words[: longest + 1].rsplit("-", 1)[0]
        words = (cut if len(cut) <= longest else words[:longest]).strip("-")
    return words or "untitled"
