"""Redacting replaces a secret in its store and in all that memtui keeps, for good (S-50, S-62)."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from memtui.memory.results import ErasureResult
from memtui.memory.secrets.masking import masked_deep
from memtui.memory.secrets.redaction import Replacements
from memtui.workspace.background import JobControl
from memtui.workspace.changes import parts
from memtui.workspace.workspace import Workspace
from tests.support.contradiction_stores import FORMATS, ContradictionStores
from tests.support.demo_workspace import (
    CLAUDE,
    FOUNDER,
    MCP,
    NATIVE,
    DemoWorkspace,
    agent_replaces,
    assert_in_sync,
    contents,
    find_id,
    memory,
    refusal,
)
from tests.support.kills.kill_harness import KillHarness
from tests.support.sizes import shard

# A key as Amazon's look, put together here so that no scanner takes this file for a leak.
SECRET = "AKIA" + "Q7ZK3M9WX2R5T8VB"
REDACTED = "[redacted: AWS key]"
WHOLE = (NATIVE, CLAUDE, MCP, FOUNDER)


def files_with(folder: Path, *words: str) -> set[Path]:
    """Return the files below a folder that have one of the words, in any case."""
    found = subprocess.run(
        ["grep", "-rlaiF", "--", "\n".join(words), str(folder)], capture_output=True, text=True
    )
    return {Path(line) for line in found.stdout.splitlines()}


def assert_gone(demo: DemoWorkspace, redacted: ErasureResult) -> None:
    listed = {Path(each.path) for each in redacted.backups}
    assert files_with(demo.path.parent, SECRET) <= listed


def add(workspace: Workspace, store: str, text: str = f"The deploy uses {SECRET} at night.") -> int:
    fields = {"content": text, "subject": "Bo Janssen"}
    if store == CLAUDE:  # which names the file after it
        fields["title"] = "Deploys"
    return workspace.add(fields, store).ids[0]


@pytest.mark.parametrize("store", WHOLE)
def test_a_redacted_value_is_nowhere_and_undo_does_not_bring_it_back(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    near = workspace.add({"content": "The kettle stands left.", "subject": "Bo Janssen"}, store).ids[0]
    before = contents(demo_workspace.store_paths[store]) if store != NATIVE else None
    id = add(workspace, store, "The deploy runs at night.")
    workspace.edit([id], {"content": f"The deploy uses {SECRET} at night."})
    workspace.pin([id])
    workspace.edit([near], {"content": "The kettle stands right."})
    workspace.edit([id], {"content": f"The deploy uses {SECRET} at dawn."})
    workspace.dismiss([near])
    assert files_with(demo_workspace.path.parent, SECRET)
    redacted = workspace.redact([id])
    assert memory(workspace, id).content == f"The deploy uses {REDACTED} at dawn."
    assert redacted.count == 1
    assert "Change this key now" in redacted.notes[-1]
    assert_gone(demo_workspace, redacted)
    assert_in_sync(workspace)
    entry = workspace.journal(1)[0]
    assert (entry.kind, entry.undoable) == ("redacted", False)
    (item,) = workspace.journal_items(entry.id)
    assert "•" in str(item.before)
    assert REDACTED in str(item.after)
    for _ in range(3):
        workspace.undo()
    assert memory(workspace, id).content == f"The deploy uses {REDACTED} at night."
    assert memory(workspace, near).content == "The kettle stands left."
    for _ in range(2):
        workspace.undo()
    assert memory(workspace, id).content == "The deploy runs at night."
    assert_in_sync(workspace)
    workspace.redo()
    assert memory(workspace, id).content == f"The deploy uses {REDACTED} at night."
    workspace.undo()
    workspace.undo()
    if before is not None:
        assert contents(demo_workspace.store_paths[store]) == before
    assert_gone(demo_workspace, redacted)
    assert_in_sync(workspace)
    workspace.close()
    assert_gone(demo_workspace, redacted)


def test_what_repeats_a_memory_of_claude_code_is_redacted_with_it(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    root = demo_workspace.store_paths[CLAUDE]
    id = workspace.add({"content": f"{SECRET} is the key.", "title": "Key: old"}, CLAUDE).ids[0]
    workspace.edit([id], {"title": f"Key {SECRET}: old"})
    assert len(files_with(root, SECRET)) == 2
    redacted = workspace.redact([id])
    assert memory(workspace, id).title == f"Key {REDACTED}: old"
    assert "Key" in (root / "MEMORY.md").read_text()
    assert_gone(demo_workspace, redacted)
    assert_in_sync(workspace)


def test_the_name_of_an_entity_is_redacted_with_its_relations(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    one = workspace.add({"content": "Runs at night.", "subject": f"job {SECRET}"}, MCP).ids[0]
    two = workspace.add({"content": "Needs the job.", "subject": "billing"}, MCP).ids[0]
    workspace.relate(two, "depends on", one)
    redacted = workspace.redact([one])
    assert memory(workspace, one).subject == f"job {REDACTED}"
    assert f"job {REDACTED}" in str(workspace.detail(two))
    assert_gone(demo_workspace, redacted)
    assert_in_sync(workspace)
    workspace.undo()
    assert_in_sync(workspace)
    workspace.undo()
    workspace.undo()
    assert_gone(demo_workspace, redacted)
    assert_in_sync(workspace)


def test_no_part_of_a_value_is_in_a_summary_or_finding(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    name = f"a job that has {SECRET} in the middle of its name"  # of which a sentence would show a part
    one = workspace.add({"content": "Runs at night.", "subject": name}, MCP).ids[0]
    two = workspace.add({"content": "Needs the job.", "subject": "billing"}, MCP).ids[0]
    workspace.relate(two, f"needs {SECRET} of", one)
    assert SECRET[:8] not in workspace.dismiss([one]).summary
    workspace.undo()
    workspace.forget([one])
    assert SECRET[:8] not in str(masked_deep(workspace.doctor()))
    assert SECRET[:8] not in str([entry.summary for entry in workspace.journal()])


def test_a_dismissed_memory_is_restored_without_its_secret(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    for store in WHOLE:
        id = add(workspace, store)
        workspace.dismiss([id])
        redacted = workspace.redact([id])
        assert_gone(demo_workspace, redacted)
        workspace.restore([id])
        assert memory(workspace, id).content == f"The deploy uses {REDACTED} at night."
        assert_gone(demo_workspace, redacted)
        assert_in_sync(workspace)


def test_a_secret_that_only_the_history_has_is_erased(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id = add(workspace, MCP)
    workspace.edit([id], {"content": "The deploy needs no key."})
    redacted = workspace.redact([id])
    assert_gone(demo_workspace, redacted)
    workspace.undo()
    assert memory(workspace, id).content == f"The deploy uses {REDACTED} at night."
    assert refusal(lambda: workspace.redact([find_id(workspace, "staging host")])).code == "nothing"


def test_backups_that_hold_the_value_are_named(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    id = add(workspace, MCP)
    ((told,), _) = workspace.redact_preview([id])
    assert not told.backup  # today's was made before the secret was added
    demo_workspace.clock.now += 86_400
    ((told,), _) = workspace.redact_preview([id])
    assert told.backup
    workspace.pin([id])
    workspace.edit([id], {"category": "bot"})
    ((told,), held) = workspace.redact_preview([id])
    assert not told.backup
    assert MCP in {each.store for each in held}
    redacted = workspace.redact([id])
    assert MCP in {each.store for each in redacted.backups}
    assert_gone(demo_workspace, redacted)
    workspace.delete_backups([each.id for each in redacted.backups])
    assert not files_with(demo_workspace.path.parent, SECRET)


def test_another_memory_with_the_value_is_named_and_keeps_it(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    one, two = add(workspace, MCP), add(workspace, MCP, f"Also {SECRET}.")
    workspace.edit([two], {"content": f"And {SECRET}."})
    redacted = workspace.redact([one])
    assert any(memory(workspace, two).uid in note for note in redacted.notes)
    assert any("memory.json" in note and "still has the value" in note for note in redacted.notes)
    assert memory(workspace, two).content == f"And {SECRET}."
    assert_in_sync(workspace)
    workspace.redact([two])
    assert not files_with(demo_workspace.folder, SECRET) - {Path(each.path) for each in workspace.backups()}


def test_what_still_holds_a_secret_is_not_taken_off_the_list(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = add(workspace, NATIVE)
    workspace.sweep_secrets()
    monkeypatch.setattr(Replacements, "_spans", lambda self, text: [])  # as if it found no value in the text
    workspace.redact([id])
    workspace.sweep_secrets()
    assert [each.id for each in workspace.memories_with_secrets()] == [id]


def test_it_is_judged_as_its_store_has_it_now(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    id = add(workspace, CLAUDE)
    agent_replaces(
        demo_workspace.store_paths[CLAUDE] / memory(workspace, id).ref,
        f"\nThe deploy uses {SECRET} at",
        f"\nThe deploy has {SECRET} by",
    )
    workspace.redact([id])
    assert memory(workspace, id).content == f"The deploy has {REDACTED} by night."


def test_a_store_that_an_agent_appends_to_meanwhile_is_planned_again(demo_workspace: DemoWorkspace) -> None:
    path, lines = demo_workspace.store_paths[MCP], list[str]()

    def append(step: str) -> None:
        if step == "before the foreign write" and active:
            lines.append(
                f'{{"type":"entity","name":"Agent {len(lines)}","entityType":"x","observations":[]}}'
            )
            path.write_text(f"{path.read_text().rstrip()}\n{lines[-1]}\n")

    active = False
    with demo_workspace.opened(on_step=append) as workspace:
        id = add(workspace, MCP)
        active = True
        assert workspace.redact([id]).count == 1
    assert lines
    assert lines[0] in path.read_text()
    assert SECRET not in path.read_text()


def test_what_cannot_be_redacted_says_why(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    id = add(workspace, MCP)
    workspace.lock_store(MCP, True)
    assert refusal(lambda: workspace.redact([id])).code == "read-only"
    workspace.lock_store(MCP, False)
    workspace.detach(MCP)
    assert refusal(lambda: workspace.redact([id])).code == "detached"
    assert SECRET in memory(workspace, id).content


def test_a_stopped_redaction_reaches_a_part(
    demo_workspace: DemoWorkspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "FIRST", 1)
    monkeypatch.setattr(parts, "GOAL", 0.0)
    ids = [add(workspace, MCP, f"Number {n} is {SECRET[:-1]}{'ABC'[n]}.") for n in range(3)]
    done: list[int] = []
    control = JobControl(stop=lambda: len(done) >= 1, report=lambda each, _: done.append(each))
    redacted = workspace.redact(ids, control)
    assert (redacted.count, redacted.unreached) == (1, 2)
    assert [REDACTED in memory(workspace, id).content for id in ids] == [True, False, False]
    assert workspace.redact(ids[1:]).count == 2


@pytest.mark.parametrize(("number", "store"), list(enumerate(WHOLE)))
def test_a_killed_redaction_is_finished_by_the_next_start(
    demo_workspace: DemoWorkspace, kill_harness: KillHarness, number: int, store: str
) -> None:
    for at in shard(range(6), number, 3):
        secret = f"{SECRET[:-1]}{'ABCDEF'[at]}"
        with demo_workspace.opened() as workspace:
            id = add(workspace, store, f"The deploy uses {secret} at night.")
            workspace.edit([id], {"content": f"The deploy uses {secret} by day."})
        kill = {"kind": "step", "at": at, "after": False, "early": False}
        kill_harness.run(demo_workspace.path, ["redact", [id], None, True], kill)
        with demo_workspace.opened() as workspace:
            assert_in_sync(workspace)
            content, held = memory(workspace, id).content, files_with(demo_workspace.folder, secret)
            assert (content, bool(held)) in (
                (f"The deploy uses {secret} by day.", True),
                (f"The deploy uses {REDACTED} by day.", False),
            )
            if held:
                workspace.redact([id], None, True)
        assert not files_with(demo_workspace.folder, secret)


def test_what_is_left_of_a_redaction_is_told_with_the_backups_that_hold_the_value(
    demo_workspace: DemoWorkspace, kill_harness: KillHarness
) -> None:
    with demo_workspace.opened() as workspace:
        id = add(workspace, MCP)
        demo_workspace.clock.now += 86_400
        workspace.pin([id])
        workspace.edit([id], {"category": "bot"})
    kill = {"kind": "step", "at": 0, "after": False, "early": False, "from": "before erasing"}
    kill_harness.run(demo_workspace.path, ["redact", [id]], kill | {"kind": "sql"})
    with demo_workspace.opened() as workspace:
        told = " ".join(workspace.reconciled)
        assert "Finished an interrupted redaction." in told
        assert "2 backups still have the value" in told
        assert "Change this key now" in told
        copies = {Path(each.path) for each in workspace.backups()}
        assert files_with(demo_workspace.folder, SECRET) <= copies
    with demo_workspace.opened() as workspace:
        assert not workspace.reconciled


@pytest.mark.parametrize("format", FORMATS)
def test_each_format_redacts(tmp_path: Path, format: str) -> None:
    stores = ContradictionStores(tmp_path, (format,)).create()
    with stores.opened() as workspace:
        id = stores.sample_ids(workspace, format)[0]
        workspace.edit([id], {"content": f"Uses {SECRET} now."})
        workspace.edit([id], {"content": f"Uses {SECRET} again."})
        redacted = workspace.redact([id])
        assert files_with(tmp_path, SECRET) <= {Path(each.path) for each in redacted.backups}
        workspace.undo()
        assert workspace.memories([id])[0].content.strip() == f"Uses {REDACTED} now."
        workspace.undo()
        workspace.redo()
        assert workspace.memories([id])[0].content.strip() == f"Uses {REDACTED} now."
        assert workspace.pull().total == 0


def test_a_private_key_within_a_text_that_is_json_is_redacted(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj"
    lines = ("-----BEGIN PRIVATE " + "KEY-----", body, body[::-1], "-----END PRIVATE " + "KEY-----")
    text = json.dumps({"type": "service_account", "private_key": "\n".join(lines) + "\n", "port": 8080})
    for store in WHOLE:
        id = add(workspace, store, text)
        redacted = workspace.redact([id])
        assert not [note for note in redacted.notes if "still has the value" in note], store
        assert json.loads(memory(workspace, id).content) == {
            "type": "service_account", "private_key": "[redacted: private key]\n", "port": 8080
        }  # fmt: skip
        listed = {Path(each.path) for each in redacted.backups}
        assert files_with(demo_workspace.path.parent, body, body[::-1]) <= listed
    assert_in_sync(workspace)


def test_a_number_becomes_a_text_and_is_told_first(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id = add(workspace, NATIVE, "Pays by card.")
    workspace._ctx.db.run("UPDATE memories SET value = '{\"card\": 4111111111111111}' WHERE id = ?", (id,))
    ((told,), _) = workspace.redact_preview([id])
    assert told.numbers == ("value",)
    workspace.redact([id])
    assert memory(workspace, id).value == {"card": "[redacted: card number]"}
