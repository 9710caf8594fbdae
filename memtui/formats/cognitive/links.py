"""Relative links between the files of a tree: where they lead, and mending them (FORMATS 5)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from posixpath import normpath, relpath
from urllib.parse import unquote

from memtui.formats.media.files.draft import Draft

_CODE = re.compile(rb"^(`{3,}|~{3,}).*?(?:^\1|\Z)|`[^`\n]*`", re.MULTILINE | re.DOTALL)
_LINK = re.compile(
    rb"(?<!!)\[(?P<label>(?:[^\[\]\n]|\[[^\[\]\n]*\])*)\]\(<?(?P<path>[^()<>#\n]+?\.md)(?=[>)#])"
)


@dataclass(frozen=True, slots=True)
class Way:
    """A link in a file: the name that it leads to, and where its path and its label stand."""

    target: str
    start: int
    end: int
    label: str
    label_start: int
    label_end: int


def ways(name: str, data: bytes) -> Iterator[Way]:
    """The links of a file to Markdown files of the tree; what stands in code is none."""
    if b"](" not in data:
        return
    code = [match.span() for match in _CODE.finditer(data)]
    folder = str(PurePosixPath(name).parent)
    for match in _LINK.finditer(data):
        if any(start <= match.start() < end for start, end in code):
            continue
        path = unquote(match["path"].decode(errors="replace")).strip()
        if path.startswith("/") or re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*:", path):
            continue
        target = normpath(f"{folder}/{path}")
        if not target.startswith("../"):
            label = match["label"].decode(errors="replace")
            yield Way(target, *match.span("path"), label, *match.span("label"))


def path_to(target: str, name: str) -> bytes:
    """The path by which a link in the file `name` leads to `target`."""
    return relpath(target, str(PurePosixPath(name).parent)).replace(" ", "%20").encode()


def mend(draft: Draft, name: str, now: Mapping[str, str], labels: Mapping[str, tuple[str, str]]) -> bool:
    """Have the links of a file lead to where files are `now`; whether any led elsewhere. `labels` has for
    a file the title that links showed, and the one that they are to show."""
    found = False
    for way in reversed(list(ways(name, draft.files[name]))):
        target = now.get(way.target)
        if target is None:
            continue
        old, new = labels.get(way.target, ("", ""))
        if target != way.target:
            draft.splice(name, way.start, way.end, path_to(target, name), soft=True)
            found = True
        if old and way.label == old and new != old:
            draft.splice(name, way.label_start, way.label_end, new.encode(), soft=True)
            found = True
    return found


def rebase(draft: Draft, name: str, was: str) -> None:
    """Have the links of a file that stood at `was` lead where they led."""
    if PurePosixPath(name).parent == PurePosixPath(was).parent:
        return
    for way in reversed(list(ways(was, draft.files[name]))):
        if way.target in draft.files or way.target == was:
            target = name if way.target == was else way.target
            draft.splice(name, way.start, way.end, path_to(target, name), soft=True)
