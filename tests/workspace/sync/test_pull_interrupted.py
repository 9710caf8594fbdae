"""After a pull that was interrupted between two transactions, the next one reads its units again (S-5)."""

from __future__ import annotations

import json
from contextlib import closing, suppress
from pathlib import Path

import pytest

from memtui.formats.mcp_memory import incremental
from memtui.workspace.sync import pull
from memtui.workspace.workspace import Workspace
from tests.support.empty_workspace import create_empty


@pytest.mark.parametrize("parts", range(1, 5))
def test_equal_observations_in_reordered_lines_survive_an_interrupted_pull(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parts: int
) -> None:
    monkeypatch.setattr(pull, "CHUNK", 1)
    monkeypatch.setattr(incremental, "SMALL", 0)
    store = tmp_path / "memory.jsonl"
    entity = {"type": "entity", "name": "Zebra", "entityType": "animal"}
    lines = [json.dumps(entity | {"entityType": kind, "observations": ["Has stripes"]}) for kind in "abc"]
    store.write_text("\n".join([*lines, json.dumps(entity | {"name": "Ox", "observations": ["Eats"]})]))
    with closing(Workspace.open(create_empty(tmp_path / "workspace.db"))) as workspace:
        workspace.attach(store)
        before = contents(workspace)
        assert before.count("Has stripes") == 3
        other = json.dumps(entity | {"name": "Ox", "observations": ["Eats"]})
        store.write_text("\n".join([other, *reversed(lines)]))
        remaining = iter(range(parts))

        def interrupt(*_: object) -> None:
            if next(remaining, None) is None:
                raise KeyboardInterrupt

        workspace.report_progress(interrupt)
        with suppress(KeyboardInterrupt):
            workspace.pull()
        workspace.report_progress(lambda *_: None)
        workspace.pull()
        assert contents(workspace) == before


def contents(workspace: Workspace) -> list[str]:
    return sorted(memory.content for memory in workspace.memories(workspace.search("").ids))
