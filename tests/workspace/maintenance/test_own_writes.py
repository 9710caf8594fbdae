"""The doctor reports nothing about what memtui itself creates and writes, in any format."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from memtui.errors import Refused
from memtui.formats import registry
from memtui.workspace.workspace import Workspace
from tests.support.planted import STORES


@pytest.mark.parametrize("format", STORES)
def test_the_doctor_finds_nothing_in_stores_written_by_memtui(format: str, tmp_path: Path) -> None:
    path = tmp_path / ("memory.jsonl" if format == "mcp-memory" else "store")
    root = registry.by_name(format).create(path)
    workspace = Workspace.open(tmp_path / "w.db", clock=time.time)
    workspace.attach(root, "ours")
    texts = ("Tea is served at four.", "The office is closed on Friday.", "Bo likes larch.")
    for number, text in enumerate(texts):
        fields = {"content": text, "title": f"Title {number}", "subject": f"domain:subject-{number}"}
        workspace.add(fields, store="ours")
    ids = list(workspace.search("store:ours").ids)
    assert len(ids) == len(texts)
    actions: tuple[Callable[[], object], ...] = (
        lambda: workspace.confirm(ids[:1]),
        lambda: workspace.edit(ids[:1], {"content": "Tea is served at five."}),
        lambda: workspace.pin(ids[:1], "so"),
        lambda: workspace.dismiss(ids[1:2]),
        lambda: workspace.restore(ids[1:2]),
        lambda: workspace.dismiss(ids[2:3]),
    )
    for action in actions:
        with suppress(Refused):
            action()
    workspace.pull()
    assert [(each.code, each.text) for each in workspace.doctor() if each.code != "world-readable"] == []
    workspace.close()
