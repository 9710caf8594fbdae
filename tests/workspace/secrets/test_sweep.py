"""The sweep knows which memories contain a secret, in whatever field, and follows every change (S-62)."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from memtui.errors import Refused
from memtui.memory.imported import Imported
from memtui.memory.inbox.items import SECRET
from memtui.memory.secrets import masked
from memtui.values import FieldValue
from memtui.workspace.background import JobControl
from memtui.workspace.db.models import SecretQueue
from memtui.workspace.secrets import sweep
from memtui.workspace.workspace import Workspace

TOKEN = "gh" + "p_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7aB3dE6gH9"


def found(workspace: Workspace) -> dict[str, tuple[str, ...]]:
    workspace.sweep_secrets()
    rows = workspace.memories_with_secrets()
    memories = workspace.memories([row.id for row in rows])
    return {memory.content: row.kinds for row, memory in zip(rows, memories, strict=True)}


@pytest.mark.parametrize(
    "field", ["title", "key", "subject", "category", "note", "tags", "value", "source_excerpt", "steps"]
)
def test_a_secret_is_found_in_any_field(workspace: Workspace, field: str) -> None:
    values: dict[str, FieldValue] = {
        "tags": ("a", f"t {TOKEN}"), "steps": (f"run with {TOKEN}",), "value": {"deep": [TOKEN]}
    }  # fmt: skip
    memory = Imported(0, {"content": "Deploys on Friday", field: values.get(field, f"a {TOKEN}")})
    workspace.import_memories(workspace.import_preview([memory]).items)
    assert found(workspace) == {"Deploys on Friday": ("github-token",)}


def test_the_list_follows_edits_undo_and_removals(workspace: Workspace) -> None:
    id = workspace.add({"content": f"Deploys with {TOKEN}"}).ids[0]
    workspace.add({"content": "The password policy says twelve characters."})
    assert found(workspace) == {f"Deploys with {TOKEN}": ("github-token",)}
    first = workspace.memories_with_secrets()[0].found_at
    workspace.edit([id], {"content": f"Deploys with {TOKEN} and {TOKEN}"})
    assert list(found(workspace).values()) == [("github-token", "github-token")]
    assert workspace.memories_with_secrets()[0].found_at == first
    workspace.edit([id], {"content": "Deploys with the vault"})
    assert found(workspace) == {}
    workspace.undo()
    assert len(found(workspace)) == 1
    workspace.forget([id])
    assert found(workspace) == {}


def test_a_filter_knows_what_the_sweep_has_not_reached(workspace: Workspace) -> None:
    id = workspace.add({"content": f"Deploys with {TOKEN}"}).ids[0]
    assert list(workspace.search("is:secret").ids) == [id]
    workspace.sweep_secrets()
    assert list(workspace.search("is:secret").ids) == [id]
    workspace.edit([id], {"content": "Deploys with the vault"})
    assert not list(workspace.search("is:secret").ids)


def test_a_stop_between_two_batches_loses_nothing(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep, "BATCH", 3)
    waiting = sweep.queued(workspace._ctx)
    stops = iter((False, False, True))
    assert workspace.sweep_secrets(JobControl(stop=lambda: next(stops))) == 6
    assert sweep.queued(workspace._ctx) == waiting - 6
    assert workspace.sweep_secrets() == waiting - 6


def test_new_detectors_search_everything_again(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace.sweep_secrets()
    assert workspace.sweep_secrets() == 0
    monkeypatch.setattr(sweep, "_rules", lambda: "other")
    assert workspace.sweep_secrets() == len(workspace._ctx.db.rows("SELECT id FROM memories"))
    assert not workspace._ctx.db.fetch(SecretQueue.select())


def test_a_read_only_workspace_is_not_searched(tmp_path: Path) -> None:
    Workspace.open(tmp_path / "w.db").close()
    workspace = Workspace.open(tmp_path / "w.db", read_only=True)
    with pytest.raises(Refused):
        workspace.sweep_secrets()
    workspace.close()


def test_no_mask_becomes_a_tag(workspace: Workspace) -> None:
    id = workspace.add({"content": "Deploys at four", "tags": (TOKEN,)}).ids[0]
    with pytest.raises(Refused, match="mask"):
        workspace.edit([id], {}, retag=lambda tags: (*tags, "•" * len(TOKEN)))
    workspace.edit([id], {}, retag=lambda tags: (*tags, "deploys"))
    assert workspace.memories([id])[0].tags == (TOKEN, "deploys")


def test_what_is_no_secret_is_shown_and_listed_no_more_until_undone(workspace: Workspace) -> None:
    id, other = (workspace.add({"content": text}).ids[0] for text in (f"Not a key: {TOKEN}", f"Nor {TOKEN}"))
    workspace.sweep_secrets()
    assert {item.id for item in workspace.inbox().items if item.kind == SECRET} >= {id, other}
    change = workspace.mark_no_secret([id])
    assert "Marked 1 value as no secret" in change.summary
    assert not {item.id for item in workspace.inbox().items if item.kind == SECRET} & {id, other}
    assert TOKEN in masked(f"as {TOKEN} shows")
    workspace.sweep_secrets()
    assert not [text for text in found(workspace) if TOKEN in text]
    path = workspace.path
    workspace.undo()
    workspace.sweep_secrets()
    assert len([text for text in found(workspace) if TOKEN in text]) == 2
    workspace.redo()
    with closing(Workspace.open(path)):
        assert TOKEN in masked(TOKEN)
    workspace.undo()
    assert TOKEN not in masked(TOKEN)
    with pytest.raises(Refused):
        workspace.mark_no_secret([workspace.add({"content": "Tea at four"}).ids[0]])
