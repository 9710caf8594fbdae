"""A pull that is cut off between two of its parts: the next one reads again all that it was reading (S-5)."""

from __future__ import annotations

import json
from contextlib import closing, suppress
from pathlib import Path

import pytest

from memtui.formats.mcp_memory import incremental
from memtui.workspace.sync import pull
from memtui.workspace.workspace import Workspace
from tests.support.empty_workspace import empty


@pytest.mark.parametrize("parts", range(1, 5))
def test_equal_observations_in_lines_that_changed_places_are_all_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parts: int
) -> None:
    monkeypatch.setattr(pull, "CHUNK", 1)
    monkeypatch.setattr(incremental, "SMALL", 0)
    store = tmp_path / "memory.jsonl"
    entity = {"type": "entity", "name": "Zebra", "entityType": "animal"}
    lines = [json.dumps(entity | {"entityType": kind, "observations": ["Has stripes"]}) for kind in "abc"]
    store.write_text("\n".join([*lines, json.dumps(entity | {"name": "Ox", "observations": ["Eats"]})]))
    with closing(Workspace.open(empty(tmp_path / "workspace.db"))) as workspace:
        workspace.attach(store)
        before = said(workspace)
        assert before.count("Has stripes") == 3
        other = json.dumps(entity | {"name": "Ox", "observations": ["Eats"]})
        store.write_text("\n".join([other, *reversed(lines)]))
        left = iter(range(parts))

        def cut_off(*_: object) -> None:
            if next(left, None) is None:
                raise KeyboardInterrupt

        workspace.tell_progress(cut_off)
        with suppress(KeyboardInterrupt):
            workspace.pull()
        workspace.tell_progress(lambda *_: None)
        workspace.pull()
        assert said(workspace) == before


def said(workspace: Workspace) -> list[str]:
    return sorted(memory.content for memory in workspace.memories(workspace.search("").ids))
