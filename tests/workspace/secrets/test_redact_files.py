"""Redacting where a memory is a file of its own: in minions and in Base Coat's shared memories (S-62)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memtui.workspace.workspace import Workspace
from tests.support.contradiction_stores import ContradictionStores
from tests.support.demo_workspace import Clock, refusal
from tests.support.empty_workspace import create_empty
from tests.support.stores import base_coat_shared, minions
from tests.support.stores.files import read_tree
from tests.workspace.secrets.test_redact import REDACTED, SECRET, files_with

CARD = 4111111111111111
SMALL = SECRET.lower()


def attached(folder: Path, root: Path) -> Workspace:
    workspace = Workspace.open(create_empty(folder / "own" / "w.db"), clock=Clock())
    workspace.attach(root, "notes")
    return workspace


def found(workspace: Workspace, words: str) -> int:
    """Return the memory whose title or text has these words."""
    ids = workspace.search("store:notes", live=False).ids
    memories = zip(ids, workspace.memories(ids), strict=True)
    return next(id for id, each in memories if words in f"{each.title} {each.content}")


def changed_lines(before: bytes, after: bytes) -> list[tuple[str, str]]:
    """Return the lines in which two files of equally many lines differ."""
    lines = zip(before.decode().splitlines(), after.decode().splitlines(), strict=True)
    return [(old.strip(), new.strip()) for old, new in lines if old != new]


@pytest.mark.parametrize("format", ["minions", "base-coat-shared"])
def test_undoing_all_leaves_the_store_as_it_was_but_for_the_value(tmp_path: Path, format: str) -> None:
    stores = ContradictionStores(tmp_path, (format,)).create()
    before = stores.snapshot()
    with stores.opened() as workspace:
        id, other, *_ = stores.sample_ids(workspace, format)
        workspace.edit([id], {"content": f"Uses {SECRET} now."})
        workspace.pin([id])
        workspace.confirm([id])
        workspace.edit([other], {"content": "Nothing of that kind."})
        workspace.edit([id], {"content": f"Uses {SECRET} again."})
        workspace.dismiss([id])
        redacted = workspace.redact([id])
        assert redacted.count == 1
        states = [stores.snapshot()]
        for _ in range(6):
            workspace.undo()
            states.append(stores.snapshot())
        assert states.pop() == before
        for state in reversed(states):
            workspace.redo()
            assert stores.snapshot() == state
        assert workspace.pull().total == 0
        workspace.delete_backups([each.id for each in redacted.backups])
        assert not files_with(tmp_path, SECRET)


def minions_with_secrets(folder: Path) -> Path:
    quoted = f'Key {SECRET}\nand "{SECRET}"'
    nested: dict[str, Any] = {"deep": [SECRET, {f"x {SECRET}": 1}]}
    reason = {"reason": f"saw {SECRET}", "memoryId": minions.uid(1), "memoryType": "memory-item"}
    ends = {"memoryIdA": minions.uid(1), "memoryIdB": minions.uid(2)}
    return minions.make(
        folder,
        minions.item(
            1, f"aws:{SECRET}", quoted, tags=["a", SECRET], title=f"The {SECRET}", mood=nested,
            searchableText=f"the {SMALL} scout private aws:{SMALL} {quoted.lower()} agent-run run-7",
        ),
        minions.index(101, 1, f"aws, {SMALL}, prod", title=f"Index of The {SECRET}"),
        minions.item(2, "card", CARD),  # type: ignore[arg-type]
        minions.index(102, 2, [str(CARD), "card"], embedding=[1, 2]),
        minions.minion(201, "reinforcement", reason, title=f"Reinforcement of {SECRET}"),
        minions.minion(202, "contradiction", {**ends, "description": f"has {SECRET}", "resolution": ""}),
        minions.minion(204, "query", {"query": f"what is {SECRET}?", "topResultIds": minions.uid(1)}),
        minions.item(7, "other", f"Mine is {SECRET}, too."),
    ).root  # fmt: skip


def test_all_minions_that_repeat_a_memory_are_redacted_with_it(tmp_path: Path) -> None:
    root = minions_with_secrets(tmp_path / "store")
    workspace = attached(tmp_path, root)
    before = read_tree(root)
    redacted = workspace.redact([found(workspace, "The ")])
    after = read_tree(root)
    assert any("other memory has the same value" in note for note in redacted.notes)
    for name in before:
        for old, new in changed_lines(before[name], after[name]):
            is_told = SMALL in old.lower() and "[redacted: aws key]" in new.lower()
            is_name = '"key"' in old and "redacted-aws-key" in new
            is_index = any(member in old for member in ('"keywords"', '"embedding"', '"indexedAt"'))
            assert is_told or is_name or is_index or '"updatedAt"' in old, (old, new)
    item, index = minions.read_minion(root, 1), minions.read_minion(root, 101)
    assert item["fields"]["value"] == f'Key {REDACTED}\nand "{REDACTED}"'
    assert item["fields"]["mood"] == {"deep": [REDACTED, {f"x {REDACTED}": 1}]}
    assert index["fields"]["keywords"] == "aws, prod"
    assert index["fields"]["embedding"] == ""
    own = root / minions.relative_path(minions.uid(7))
    assert files_with(root, SECRET) == {own}  # of a memory that was not asked for
    assert workspace.pull().total == 0
    workspace.close()


def test_a_minion_that_repeats_what_the_memory_no_longer_says_is_redacted(tmp_path: Path) -> None:
    root = minions.make(tmp_path / "store", minions.item(1, "tea", "Tea at four.")).root
    workspace = attached(tmp_path, root)
    id = found(workspace, "Tea at four")
    workspace.edit([id], {"title": f"Tea {SECRET}"})
    workspace.confirm([id])  # which adds a reinforcement that names the memory
    workspace.edit([id], {"title": "Tea"})
    before = read_tree(root)
    assert len(files_with(root, SECRET)) == 2
    workspace.redact([id])
    after = read_tree(root)
    changed = (changed_lines(before[name], after[name]) for name in before if before[name] != after[name])
    assert sorted(changed) == [
        [(f'"title": "{what} of Tea {SECRET}",', f'"title": "{what} of Tea {REDACTED}",')]
        for what in ("Index", "Reinforcement")
    ]
    workspace.undo()
    assert workspace.memories([id])[0].title == f"Tea {REDACTED}"
    assert not files_with(tmp_path, SECRET)
    workspace.close()


def test_a_number_in_a_minion_becomes_a_text_and_is_told_first(tmp_path: Path) -> None:
    root = minions_with_secrets(tmp_path / "store")
    workspace = attached(tmp_path, root)
    id = found(workspace, str(CARD))
    ((told,), _) = workspace.redact_preview([id])
    assert told.numbers == ("content",)
    workspace.redact([id])
    assert minions.read_minion(root, 2)["fields"]["value"] == "[redacted: card number]"
    assert minions.read_minion(root, 102)["fields"]["keywords"] == ["card"]
    assert not files_with(root, str(CARD))
    workspace.close()


def test_a_minion_that_cannot_be_rewritten_is_refused_with_its_place(tmp_path: Path) -> None:
    root = minions_with_secrets(tmp_path / "store")
    path = root / minions.relative_path(minions.uid(7))
    path.write_bytes(path.read_bytes().replace(b'"scope"', b'"value": "x", "scope"'))
    workspace = attached(tmp_path, root)
    refused = refusal(lambda: workspace.redact([found(workspace, "Mine is")]))
    assert refused.code == "double-key"
    assert "line 9, column 23" in refused.advice
    workspace.close()


HEAD = f"tags: [a, '{SECRET}']\nowner: {SECRET} # not {SECRET}\nmore:\n  - x {SECRET}\n  - y\n"


def test_a_shared_memory_is_redacted_in_its_head_its_sections_and_its_name(tmp_path: Path) -> None:
    secret = base_coat_shared.document(
        f"ci:{SECRET}", f"Use {SECRET} here.", front_matter=HEAD, evidence=f"- saw {SECRET}", title=SECRET
    )
    files = {
        f"ci/{SMALL}.md": secret.replace("\n", "\r\n"),
        "ci/other.md": base_coat_shared.document("ci:other", f"See ci:{SMALL}."),
    }
    root = base_coat_shared.make(tmp_path / "memories", files).root
    workspace = attached(tmp_path, root)
    id = found(workspace, "Use ")
    workspace.edit([id], {"content": f"Take {SECRET} there."})
    workspace.edit([id], {"content": f"Have {SECRET} there."})
    redacted = workspace.redact([id])
    assert any("in small letters, or a name that was made of it" in note for note in redacted.notes)
    assert any(note.startswith("memories/ci/other.md still has") for note in redacted.notes)
    assert workspace.memories([id])[0].content == f"Have {REDACTED} there."
    workspace.undo()
    workspace.undo()
    after = read_tree(root)
    assert after.pop("ci/other.md") == files["ci/other.md"].encode()
    ((name, data),) = after.items()
    assert name == "ci/redacted-aws-key.md"
    quoted = secret.replace(f"owner: {SECRET}", f'owner: "{SECRET}"').replace(
        f"- x {SECRET}", f'- "x {SECRET}"'
    )
    quoted = quoted.replace(f"'{SECRET}'", f'"{SECRET}"')
    assert data.decode() == quoted.replace(SECRET, REDACTED).replace("\n", "\r\n")
    memory = workspace.memories([id])[0]
    assert (memory.ref, memory.subject) == (name, f"ci:{REDACTED}")
    assert workspace.pull().total == 0
    workspace.close()


def test_a_pattern_that_becomes_too_long_is_redacted_nevertheless(tmp_path: Path) -> None:
    pattern = f"{'x' * 175} password: hunter2Q9!"
    root = base_coat_shared.make(
        tmp_path / "memories", {"ci/long.md": base_coat_shared.document("ci:long", pattern, title="Long")}
    ).root
    workspace = attached(tmp_path, root)
    workspace.redact([found(workspace, "Long")])
    assert b"password: [redacted: password]\n" in read_tree(root)["ci/long.md"]
    workspace.close()
