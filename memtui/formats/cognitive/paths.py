"""Where things stand in a Cognitive Memory tree, and how they are named (FORMATS 5)."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

# Each type of memory and the folder below graph/ in which it stands.
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
RELATIONS = ("SOLVES", "CAUSES", "BUILDS_ON", "ALTERNATIVE_TO", "REQUIRES", "FOLLOWS", "RELATED_TO")
GRAPH, VAULT, EPISODES, EDGES = "graph/", "vault/", "episodes/", "graph/edges/"
CORE, REFLECTION, INDEX, STATE = "CORE.md", "REFLECTION.md", "_index.json", "_state.json"
GENERATED = (CORE, REFLECTION)
_LONG, _LONG_EDGE = 60, 30  # characters of a title in a file's name


def is_memory(name: str) -> bool:
    """Whether a file of this name holds a memory."""
    return name.endswith(".md") and name.startswith((GRAPH, VAULT)) and not name.startswith(EDGES)


def is_edge(name: str) -> bool:
    """Whether a file of this name describes a relation."""
    return name.endswith(".md") and name.startswith(EDGES)


def is_episodes(name: str) -> bool:
    """Whether a file of this name holds a day's episodes."""
    return name.endswith(".md") and name.startswith(EPISODES) and name.count("/") == 1


def is_pinned(name: str) -> bool:
    """Whether a memory stands in the vault."""
    return name.startswith(VAULT)


def folder_of(category: str) -> str:
    """The folder of a type; of an unknown one that of general."""
    return f"{GRAPH}{FOLDERS.get(category, FOLDERS['general'])}"


def file_of(title: str, id: str) -> str:
    """The last part of a memory's file name."""
    return f"{slug(title)}-{mark(id)}.md"


def edge_file(source: str, kind: str, target: str, id: str) -> str:
    """The last part of an edge file's name, of both titles."""
    ends = (slug(title, _LONG_EDGE) for title in (source, target))
    return f"--{kind}--".join(ends) + f"-{mark(id)}.md"


def renamed_edge(name: str, old: str, new: str, *, first: bool) -> str:
    """An edge file's name once the title at one end is another; as it was where it said another thing."""
    parts = PurePosixPath(name).name.split("--")
    if len(parts) != 3:
        return name
    at = 0 if first else 2
    said = parts[at] if first else parts[at].rpartition("-")[0]
    if not said or not slug(old).startswith(said):
        return name
    parts[at] = slug(new, _LONG_EDGE) + parts[at][len(said) :]
    return EDGES + "--".join(parts)


@dataclass(frozen=True, slots=True)
class EdgeName:
    """The parts of an edge file's name."""

    folder: str
    source: str
    kind: str
    target: str
    digits: str

    @property
    def name(self) -> str:
        return f"{self.folder}/{self.source}--{self.kind}--{self.target}-{self.digits}"


def named_edge(name: str) -> EdgeName | None:
    """An edge file's name in parts; None where it is made otherwise."""
    path = PurePosixPath(name)
    parts = path.name.split("--")
    if len(parts) != 3 or "-" not in parts[2]:
        return None
    target, _, digits = parts[2].rpartition("-")
    return EdgeName(str(path.parent), parts[0], parts[1], target, digits)


def retied_edge(name: str, was: str, kind: str, *, turned: bool) -> str:
    """An edge file's name once it is of another kind than it `was`, or `turned` round; as it was where it
    says other things."""
    said = named_edge(name)
    if said is None:
        return name
    said = replace(said, kind=kind if said.kind == was else said.kind)
    return (replace(said, source=said.target, target=said.source) if turned else said).name


def is_id(text: str) -> bool:
    """Whether a text is as plain as the ids that the format gives."""
    return text.isascii() and text.replace("-", "").isalnum()


def mark(id: str) -> str:
    """The six digits of an id that end its file's name."""
    return re.sub(r"[^0-9A-Za-z]", "", id)[:6]


def parted(name: str) -> tuple[str, str]:
    """A memory's file name as it was made: its title's part, and the six digits."""
    called, _, digits = name.rpartition("/")[2].removesuffix(".md").rpartition("-")
    return called, digits


def slug(title: str, longest: int = _LONG) -> str:
    """A title as part of a file's name."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().casefold()
    words = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
    if len(words) > longest:
        cut = words[: longest + 1].rsplit("-", 1)[0]
        words = (cut if len(cut) <= longest else words[:longest]).strip("-")
    return words or "untitled"
