"""What is undone around a redaction: the redacted memory's past, and that of others (S-51)."""

from __future__ import annotations

from random import Random

import pytest

from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import (
    CLAUDE,
    FOUNDER,
    MCP,
    NATIVE,
    DemoWorkspace,
    assert_in_sync,
    contents,
    memory,
)
from tests.support.secret_texts.tokens import UPPER, some

SECRET = f"AKIA{some(Random(5), UPPER, 16)}"
WHOLE = (NATIVE, CLAUDE, MCP, FOUNDER)


def _add(workspace: Workspace, store: str, text: str, title: str) -> int:
    fields = {"content": text, "subject": "Bo Janssen"}
    return workspace.add(fields | ({"title": title} if store == CLAUDE else {}), store).ids[0]


@pytest.mark.parametrize("store", WHOLE)
def test_the_addition_of_a_redacted_memory_is_undone(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    before = contents(demo_workspace.store_paths[store]) if store != NATIVE else None
    id = _add(workspace, store, f"The deploy uses {SECRET}.", "Deploys")
    workspace.redact([id])
    assert workspace.undo().ids == (id,)
    assert_in_sync(workspace)
    if before is not None:
        assert contents(demo_workspace.store_paths[store]) == before


@pytest.mark.parametrize("store", WHOLE)
def test_another_memory_that_keeps_the_value_has_it_after_undo_and_restore(
    workspace: Workspace, store: str
) -> None:
    one, two = (_add(workspace, store, f"Deploy {n} runs.", f"Deploy {n}") for n in (1, 2))
    for id in (one, two):
        workspace.edit([id], {"content": f"Deploy {id} uses {SECRET}."})
    workspace.dismiss([one])
    workspace.redact([two])
    workspace.undo()
    assert memory(workspace, one).content == f"Deploy {one} uses {SECRET}."
    assert_in_sync(workspace)
    if store in (NATIVE, FOUNDER):  # elsewhere, both are in one file or index
        for _ in range(2):
            workspace.undo()
        assert [memory(workspace, id).content for id in (one, two)] == ["Deploy 1 runs.", "Deploy 2 runs."]
        assert_in_sync(workspace)
