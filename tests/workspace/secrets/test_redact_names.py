"""A secret in the name of a file is redacted as a rename, with all links (S-62)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from memtui.errors import Refused
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import NOW, Clock, detail_of
from tests.support.empty_workspace import create_empty
from tests.support.kills.kill_harness import KillHarness
from tests.support.sizes import shard
from tests.support.stores import claude_code
from tests.support.stores.files import read_tree
from tests.workspace.secrets.test_redact import REDACTED, SECRET, files_with

SLUG = SECRET.casefold()
OWN = {
    "flat": (
        f"project_key_{SLUG}.md",
        "project_key_redacted_aws_key.md",
        f"---\nname: 'Key {SECRET}'\ndescription: Says {SECRET}\ntype: project\n---\n\n"
        f"The key is {SECRET}.\n",
    ),
    "nested": (
        f"key_{SLUG}.md",
        "key_redacted_aws_key.md",
        f"---\nname: key-{SLUG}\ndescription: A key\nmetadata:\n  node_type: memory\n  type: project\n"
        "---\n\n"
        f"The key is {SECRET}.\n",
    ),
    "its very name": (
        f"Key {SECRET}.md",
        "Key redacted-aws-key.md",
        f"---\nname: Old key\ndescription: A key\ntype: project\n---\n\nThe key is {SECRET}.\n",
    ),
    "cut off": (
        f"project_the_deploy_of_all_{SLUG[:14]}.md",
        "project_the_deploy_of_all_redacted_aws_key.md",
        f"---\nname: Deploys\ndescription: A key\ntype: project\n---\n\nThe key is {SECRET}.\n",
    ),
}


def attached(tmp_path: Path, files: dict[str, str]) -> Workspace:
    claude_code.make(tmp_path / "s" / "memory", files)
    workspace = Workspace.open(create_empty(tmp_path / "w" / "workspace.db"), clock=Clock())
    workspace.attach(tmp_path / "s" / "memory", "claude")
    return workspace


def assert_gone(tmp_path: Path, backups: Iterable[Any] = (), words: tuple[str, ...] = (SECRET,)) -> None:
    copies = {Path(each.path) for each in backups}
    assert files_with(tmp_path, *words) <= copies
    names = [path.name.casefold() for path in tmp_path.rglob("*")]
    assert not [name for name in names for word in words if word.casefold() in name]


def id_of(workspace: Workspace, words: str) -> int:
    (id,) = workspace.search(f'"{words}"', live=False).ids
    return id


def plain(files: dict[str, bytes]) -> dict[str, bytes]:
    """Return files without the quotes and escapes that brackets need in a head and in a label."""
    return {path: re.sub(rb"[\"'\\\\]", b"", data) for path, data in files.items()}


@pytest.mark.parametrize("dialect", OWN)
def test_a_note_is_renamed_with_its_links(tmp_path: Path, dialect: str) -> None:
    old, new, text = OWN[dialect]
    key = old.removesuffix(".md")
    link = f"key-{SLUG}" if dialect == "nested" else key
    files = {
        "MEMORY.md": f"# Index\n\n- [Key {SECRET}]({old}) — uses {SECRET}\n- [Kettle](kettle.md) — tea\n",
        old: text,
        "kettle.md": "---\nname: Kettle\ndescription: Tea\ntype: project\n---\n\n"
        f"The kettle is left; see [[{link}]] and [it]({old.replace(' ', '%20')}).\n",
    }
    workspace = attached(tmp_path, files)
    root = tmp_path / "s" / "memory"
    before = read_tree(root)
    id, near = id_of(workspace, "key is"), id_of(workspace, "kettle is")
    workspace.edit([id], {"content": f"The key was {SECRET}."})
    workspace.pin([id])
    workspace.edit([near], {"content": str(workspace.memories([near])[0].content).replace("left", "right")})
    workspace.dismiss([id])
    workspace.undo()
    redacted = workspace.redact([id])
    assert (root / new).exists()
    assert f"]({new.replace(' ', '%20')})" in (root / "MEMORY.md").read_text().replace(" r", "%20r")
    assert_gone(tmp_path, redacted.backups)
    assert workspace.pull().total == 0
    memory = workspace.memories([id])[0]
    assert (memory.ref, memory.content) == (new, f"The key was {REDACTED}.")
    assert detail_of(workspace, near).relations[0].target_id == id
    workspace.undo()
    for _ in range(2):
        workspace.undo()
    assert workspace.pull().total == 0
    name = new.removesuffix(".md")
    without = {
        path.replace(key, name): data.replace(key.encode(), name.encode())
        .replace(f"key-{SLUG}".encode(), b"key-redacted-aws-key")
        .replace(key.replace(" ", "%20").encode(), name.replace(" ", "%20").encode())
        .replace(SECRET.encode(), REDACTED.encode())
        for path, data in before.items()
    }
    assert plain(read_tree(root)) == plain(without)
    assert_gone(tmp_path, redacted.backups)
    workspace.redo()
    assert workspace.memories([id])[0].content == f"The key was {REDACTED}."
    workspace.delete_backups([each.id for each in redacted.backups])
    workspace.close()
    assert_gone(tmp_path)


def test_notes_that_link_to_each_other_are_renamed_together_and_apart(tmp_path: Path) -> None:
    names = [f"key_{SLUG}.md", f"deploy_{SLUG}.md", f"key-{SLUG}.md"]
    bodies = (
        f"One {SECRET}, see [[deploy_{SLUG}]].",
        f"Two {SECRET}, see [[key_{SLUG}]].",
        f"Three {SECRET}.",
    )
    heads = "---\nname: A key\ndescription: A key\ntype: project\n---\n\n"
    workspace = attached(
        tmp_path,
        {
            "MEMORY.md": "".join(f"- [Key {n}]({name})\n" for n, name in enumerate(names)),
            **{name: f"{heads}{body}\n" for name, body in zip(names, bodies, strict=True)},
        },
    )
    ids = [id_of(workspace, word) for word in ("One", "Two", "Three")]
    workspace.dismiss(ids[2:])
    redacted = workspace.redact(ids)
    assert redacted.count == 3
    assert_gone(tmp_path, redacted.backups)
    assert workspace.pull().total == 0
    assert [
        each.target_id for each in detail_of(workspace, ids[0]).relations if each.source_id == ids[0]
    ] == ids[1:2]
    workspace.undo()
    assert workspace.memories(ids[2:])[0].content == f"Three {REDACTED}."
    assert workspace.pull().total == 0
    workspace.close()
    assert_gone(tmp_path, redacted.backups)


@pytest.mark.parametrize("number", range(3))
def test_a_killed_rename_is_finished_by_a_second_redaction(
    tmp_path: Path, kill_harness: KillHarness, number: int
) -> None:
    old, new, text = OWN["nested"]
    workspace = attached(tmp_path, {"MEMORY.md": f"- [Key]({old})\n", old: text})
    id = id_of(workspace, "key is")
    workspace.edit([id], {"content": f"Now {SECRET}."})
    workspace.close()
    path = tmp_path / "w" / "workspace.db"
    for at in shard(range(9), number, 3):
        step = {"kind": "step", "at": at, "after": False, "early": False}
        if not kill_harness.run(path, ["redact", [id]], step)["killed"]:
            break
    with closing(Workspace.open(path, clock=Clock(NOW + 10_000))) as again:
        with suppress(Refused):  # it was finished already
            again.redact([id])
        assert again.memories([id])[0].ref == new
        assert again.pull().total == 0
        backups = again.backups()
        again.undo()
        assert again.memories([id])[0].content == f"The key is {REDACTED}."
    assert_gone(tmp_path, backups)
