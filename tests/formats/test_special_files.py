"""A pipe, socket, folder or broken symlink in a store is one finding; everything else is read (S-5, S-90)."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.formats import backup_copy, registry
from memtui.formats.discovery import discover
from memtui.formats.mcp_memory.adapter import McpMemory
from tests.support.contradiction_stores import ContradictionStores


def _socket(path: Path) -> None:
    server = socket.socket(socket.AF_UNIX)
    previous = Path.cwd()
    os.chdir(path.parent)  # the absolute path may be too long for a socket
    try:
        server.bind(path.name)
    finally:
        os.chdir(previous)
        server.close()


ENTRIES: dict[str, tuple[str, Callable[[Path], None]]] = {
    "pipe": ("no-file", os.mkfifo),
    "socket": ("no-file", _socket),
    "folder": ("no-file", Path.mkdir),
    "loop": ("link", lambda path: path.symlink_to(path.name)),
    "dangling": ("link", lambda path: path.symlink_to("missing.md")),
    "through-a-file": ("link", lambda path: path.symlink_to("nowhere/x.md")),
    "device": ("link", lambda path: path.symlink_to("/dev/zero")),
}
FOLDERS = [("claude-code", ".md"), ("cognitive", ".md"), ("minions", ".json"), ("base-coat-shared", ".md")]


@pytest.mark.parametrize(("format", "suffix"), FOLDERS)
def test_each_special_file_is_one_finding_and_the_rest_is_read(
    tmp_path: Path, format: str, suffix: str
) -> None:
    stores = ContradictionStores(tmp_path, (format,))
    stores.build()
    root = stores.store_paths[format]
    kind = registry.by_name(format)
    digests = {record.ref: record.digest for record in kind(root).read().records}
    folder = root / "vault" if format == "cognitive" else root
    names = {name: folder / f"a-{name}{suffix}" for name in ENTRIES}
    with stores.opened() as workspace:
        for name, (_, make) in ENTRIES.items():
            make(names[name])
        pulled = workspace.pull()
        assert (pulled.total, pulled.errors) == (0, {})
        (info,) = (each for each in workspace.stores() if each.format == format)
        found = [(each.place, each.code) for each in info.findings]
    for name, (code, _) in ENTRIES.items():
        place = str(names[name].relative_to(root))
        assert [each for each in found if each[0] == place] == [(place, code)]
    assert {record.ref: record.digest for record in kind(root).read().records} == digests
    assert registry.find(root) == [(kind, root)]
    assert discover(home=tmp_path, cwd=root.parent, environ={}) is not None
    (copy := tmp_path / "copy.tar").touch()
    backup_copy.copy_store(kind(root), copy)
    backup_copy.verify(copy)


def test_changes_of_a_large_folder_are_pulled_despite_special_files(tmp_path: Path) -> None:
    folder = tmp_path / "memory"
    folder.mkdir()
    for number in range(120):
        text = f"---\nname: n{number}\ndescription: d\ntype: user\n---\nSays {number}.\n"
        (folder / f"n{number}.md").write_text(text)
    (folder / "a-circle.md").symlink_to("a-circle.md")
    os.mkfifo(folder / "a-pipe.md")
    stores = ContradictionStores(tmp_path / "w", ())
    stores.build()
    with stores.opened() as workspace:
        (info,) = workspace.attach(folder)
        assert info.count == 120
        (folder / "n7.md").write_text("---\nname: n7\ndescription: d\ntype: user\n---\nSays more.\n")
        pulled = workspace.pull()
        assert (pulled.total, pulled.errors) == (1, {})


def test_a_file_name_that_is_not_utf8_is_one_finding(tmp_path: Path) -> None:
    folder = tmp_path / "memory"
    folder.mkdir()
    name = os.fsdecode(b"caf\xe9.md")
    (folder / name).write_text("---\nname: cafe\ndescription: d\ntype: user\n---\nA place.\n")
    (folder / "MEMORY.md").write_bytes(b"- [Cafe](caf\xe9.md)\n")
    reading = registry.by_name("claude-code")(folder).read()
    assert [record.fields["content"] for record in reading.records] == ["A place."]
    assert ("odd-name", "caf\ufffd.md") in [(finding.code, finding.place) for finding in reading.findings]


@pytest.mark.parametrize("make", [os.mkfifo, Path.mkdir])
def test_a_pipe_or_folder_in_place_of_a_graph_does_not_block_reading(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    path = tmp_path / "memory.jsonl"
    make(path)
    with pytest.raises(OSError, match="Not a regular file"):
        McpMemory(path).read()
    assert registry.find(path) == []
