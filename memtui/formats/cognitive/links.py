"""Relative links between the files of a tree: finding them, and updating them when files move (FORMATS 5)."""

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
class FileLink:
    """A link to the file `target`; its path is data[start:end], its label data[label_start:label_end]."""

    target: str
    start: int
    end: int
    label: str
    label_start: int
    label_end: int


def find_links(name: str, data: bytes) -> Iterator[FileLink]:
    """Yield the links of the file `name` to Markdown files of the tree, except those in code."""
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
            yield FileLink(target, *match.span("path"), label, *match.span("label"))


def path_to(target: str, name: str) -> bytes:
    """Return the path in a link from the file `name` to `target`."""
    return relpath(target, str(PurePosixPath(name).parent)).replace(" ", "%20").encode()


def update_links(
    draft: Draft, name: str, moved: Mapping[str, str], labels: Mapping[str, tuple[str, str]]
) -> bool:
    """Update the links of a file to moved files, and return whether any changed.

    `moved` maps old file names to new ones, `labels` an old file name to its old and its new title; a link
    that shows the old title gets the new one."""
    changed = False
    for link in reversed(list(find_links(name, draft.files[name]))):
        target = moved.get(link.target)
        if target is None:
            continue
        old, new = labels.get(link.target, ("", ""))
        if target != link.target:
            draft.splice(name, link.start, link.end, path_to(target, name), best_effort=True)
            changed = True
        if old and link.label == old and new != old:
            draft.splice(name, link.label_start, link.label_end, new.encode(), best_effort=True)
            changed = True
    return changed


def with_renames(name: str, text: str, renamed: Mapping[str, str]) -> str:
    """Return a text of the file `name` in which links lead to renamed files; `renamed` maps old to new."""
    data = text.encode()
    for link in reversed(list(find_links(name, data)) if renamed else []):
        if link.target in renamed:
            data = data[: link.start] + path_to(renamed[link.target], name) + data[link.end :]
    return data.decode()


def rebase(draft: Draft, name: str, old_name: str) -> None:
    """Update the links of a file that was moved from `old_name` so that their targets stay the same."""
    if PurePosixPath(name).parent == PurePosixPath(old_name).parent:
        return
    for link in reversed(list(find_links(old_name, draft.files[name]))):
        if link.target in draft.files or link.target == old_name:
            target = name if link.target == old_name else link.target
            draft.splice(name, link.start, link.end, path_to(target, name), best_effort=True)
