"""A file of more than 1 MiB is named by the Stores screen and the doctor, and loses no memory (S-5, S-91)."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from memtui.formats.media.files import tree
from memtui.workspace.workspace import Workspace
from tests.support.sizes import sample_cases

TREES = ("base-coat-shared", "claude-code", "cognitive", "minions")
EXPECTED = "{name} is larger than 1 MiB, so its current content is not shown."


@pytest.mark.parametrize("is_small", [True, False])
@pytest.mark.parametrize("format", sample_cases(TREES, 3))
def test_a_file_that_grows_too_large_is_named_and_its_memory_stays_as_last_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format: str, is_small: bool
) -> None:
    monkeypatch.setattr(
        "memtui.formats.claude_code.incremental.SMALL"
        if format == "claude-code"
        else "memtui.formats.media.files.tree.SMALL",
        100 if is_small else 0,
    )
    with closing(Workspace.open(tmp_path / "w.db")) as workspace:
        (tmp_path / "s").mkdir()
        root = Path(workspace.create_store(format, tmp_path / "s", "s").path)
        for name in ("Tea", "Coffee"):
            workspace.add({"content": f"{name} at four.", "subject": f"drinks:{name}", "title": name}, "s")
        workspace.pull()
        files = (path for path in root.rglob("*.*") if path.is_file() and path.name != "MEMORY.md")
        (file,) = (path for path in files if b"Tea at four." in path.read_bytes())
        before, listed = file.read_bytes(), set(workspace.search("").ids)

        def told() -> set[str]:
            issues = {issue.text for issue in workspace.doctor() if issue.code == "too-large"}
            store = next(each for each in workspace.stores() if each.name == "s")
            assert {each.text for each in store.findings if each.code == "too-large"} == issues
            return issues

        assert told() == set()
        file.write_bytes(before.replace(b"Tea at four.", b"Tea at four. " + b"x" * (tree.LIMIT + 1)))
        assert workspace.pull().total == 0
        assert set(workspace.search("").ids) == listed
        assert told() == {EXPECTED.format(name=file.relative_to(root).as_posix())}
        file.write_bytes(before)
        assert workspace.pull().total == 0
        if is_small:
            assert told() == set()
