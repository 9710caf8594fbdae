"""Splitting one memory into several in all formats (SPEC 7): the store's bytes, one undo, redo, refusals."""

from __future__ import annotations

from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from memtui.errors import Conflict, Refused
from memtui.formats import registry
from memtui.formats.media.files.store import FileStore
from memtui.memory.memory import Memory
from memtui.values import Fields
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import (
    CLAUDE,
    FOUNDER,
    MCP,
    NATIVE,
    SAMPLE,
    DemoWorkspace,
    agent_executes,
    all_contents,
    detail_of,
    find_id,
    memory,
    refusal,
)
from tests.support.sizes import sample_cases
from tests.support.stores.files import read_tree
from tests.support.stores.mem_skill import rows_in

FORMATS = [each.format for each in registry.formats()]
TEXT = "Acme pays late.\n\nAcme is in Bern.\n\nAsk Acme for its order number."
PARTS = ("Acme pays late.", "Acme is in Bern.", "Ask Acme for its order number.")
SAME = (
    "store",
    "kind",
    "category",
    "tags",
    "owner",
    "scope",
    "status",
    "expires_at",
    "importance",
    "valid_to",
)


def filled(tmp_path: Path, format: str) -> tuple[Workspace, list[int], Path | None]:
    """Return a workspace with a store of a format, with a memory to split between two others."""
    workspace, path = Workspace.open(tmp_path / "w.db"), None
    if format != NATIVE:
        (tmp_path / "store").mkdir()
        name = {"mcp-memory": "memory.jsonl", "founder-os": "memory.db"}.get(format, "")
        path = Path(workspace.create_store(format, tmp_path / "store" / name, format).path)
    has_key = path is None or "key" in registry.by_name(format)(path).fields
    ids = []
    for number, text in enumerate(("Before it.", TEXT, "After it.")):
        fields: Fields = {"content": text, "title": f"Terms {number}", "subject": f"clients:Acme {number}"}
        fields |= {"tags": ("acme", "terms"), "expires_at": 4_000_000_000.0, "confidence": 0.6}
        fields |= {"key": f"terms{'-' if format == 'founder-os' else '_'}{number}"} if has_key else {}
        ids.append(workspace.add(fields, format).ids[0])
    return workspace, ids, path


def stored(path: Path | None) -> Any:
    """Return what a store holds: the bytes of files, the rows of a database."""
    if path is None:
        return None
    database = (
        path if path.suffix == ".db" else next(iter(path.glob("*.db")), None) if path.is_dir() else None
    )
    if database is not None:
        return rows_in(database)
    return path.read_bytes() if path.is_file() else read_tree(path)


def texts(workspace: Workspace) -> list[str]:
    return [each.content for each in workspace.memories(list(workspace.search("", live=False).ids))]


def related(workspace: Workspace, id: int) -> set[tuple[str, str, str]]:
    found = detail_of(workspace, id).relations
    return {(each.source_uid, each.kind, each.target_uid) for each in found}


# -- all formats


@pytest.mark.parametrize("format", sample_cases([*FORMATS, NATIVE], 5))
def test_one_memory_becomes_three_and_one_undo_brings_the_store_back(tmp_path: Path, format: str) -> None:
    workspace, ids, path = filled(tmp_path, format)
    with closing(workspace):
        _, id, _ = ids
        workspace.pin([id], "legal")
        before, shown = stored(path), workspace.memories(ids)
        whole = shown[1]
        preview = workspace.split_preview(id, PARTS)
        assert "3 parts: 1 stays, 2 new in " in preview.where
        assert (stored(path), preview.reworded) == (before, False)

        change = workspace.split(id, PARTS)

        assert (change.kind, len(change.ids), change.ids[0]) == ("split", 3, id)
        assert change.summary.startswith("Split into 3 memories in ")
        first, *new = parts = workspace.memories(change.ids)
        if whole.title and any(each.title for each in new):
            assert [each.title for each in new] == [f"{whole.title} ({number})" for number in (2, 3)]
        assert tuple(each.content for each in parts) == PARTS
        assert (first.uid, first.key, first.pinned, first.pinned_why) == (whole.uid, whole.key, True, "legal")
        _check_new(workspace, first, new, preview.keys)
        assert [each for each in workspace.memories(ids) if each.uid != first.uid] == [shown[0], shown[2]]
        assert workspace.pull().total == 0
        assert workspace.memories(change.ids) == parts
        after = stored(path)
        assert path is None or after != before

        assert "Split into 3 memories" in workspace.undo().summary
        assert stored(path) == before
        assert workspace.memories(ids) == shown
        assert len(texts(workspace)) == 3
        workspace.redo()
        assert [each.content for each in workspace.memories(change.ids)] == list(PARTS)
        assert workspace.pull().total == 0
        workspace.undo()
        assert stored(path) == before


def _check_new(workspace: Workspace, first: Memory, new: list[Memory], keys: tuple[str, ...]) -> None:
    """Check that new parts have what the first has, a key of their own, and where they come from."""
    for each in new:
        assert {name: getattr(each, name) for name in SAME} == {name: getattr(first, name) for name in SAME}
        assert each.confidence == first.confidence
        assert (each.pinned, each.source_type) == (False, "split")
        lineage = detail_of(workspace, workspace.find(each.uid)).lineage
        assert [(line.kind, line.uid) for line in lineage] == [("based-on", first.uid)]
    if first.key in ("terms_1", "terms-1"):
        mark = first.key[5]
        assert [each.key for each in new] == [f"{first.key}{mark}2", f"{first.key}{mark}3"] == list(keys)


@pytest.mark.parametrize(
    "format", sample_cases(["base-coat", "cognitive", "mcp-memory", "minions", NATIVE], 3)
)
def test_relations_stay_with_the_first_part_are_copied_or_are_removed(tmp_path: Path, format: str) -> None:
    workspace, (a, id, b), path = filled(tmp_path, format)
    with closing(workspace):
        workspace.relate(id, "supports", a)
        workspace.relate(b, "contradicts", id)
        before, known = stored(path), [related(workspace, each) for each in (a, id, b)]
        uid_a, uid, uid_b = (each.uid for each in workspace.memories([a, id, b]))
        assert known[1] == {(uid, "supports", uid_a), (uid_b, "contradicts", uid)}
        of_entity = format == "mcp-memory"
        for choice, words in (
            ("first", "2 relations stay with the first"),
            ("all", "2 relations stay with the first and are copied to the new ones"),
            ("none", "2 relations are removed"),
        ):
            preview = workspace.split_preview(id, PARTS, choice)
            assert ("2 relations belong to the entity" if of_entity else words) in preview.where
            assert preview.relations == (0 if of_entity else 2)
            first, *new = workspace.split(id, PARTS, relations=choice).ids
            kept = choice != "none" or of_entity
            assert related(workspace, first) == (known[1] if kept else set()), choice
            for each in workspace.memories(new):
                copied = {(each.uid, "supports", uid_a), (uid_b, "contradicts", each.uid)}
                found = related(workspace, workspace.find(each.uid))
                assert found == (copied if choice == "all" or of_entity else set()), choice
            assert workspace.pull().total == 0
            workspace.undo()
            assert stored(path) == before
            assert [related(workspace, each) for each in (a, id, b)] == known
            workspace.redo()
            workspace.undo()
            assert stored(path) == before
            assert [related(workspace, each) for each in (a, id, b)] == known


def test_keys_that_are_taken_are_passed_over(tmp_path: Path) -> None:
    workspace, (_, id, _), path = filled(tmp_path, "founder-os")
    with closing(workspace):
        assert path is not None
        workspace.add({"content": "Other terms.", "key": "terms-1-2"}, "founder-os")
        assert workspace.split_preview(id, PARTS).keys == ("terms-1-3", "terms-1-4")
        agent_executes(path, "UPDATE memories SET key = 'Terms_1' WHERE key = 'terms-1'")  # odd, but there
        workspace.pull()
        new = workspace.memories(workspace.split(id, PARTS).ids)[1:]
        assert [each.key for each in new] == ["terms-1-2-2", "terms-1-3"]


# -- refusals


def test_what_cannot_be_split_is_refused_before_anything_is_written(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    before = all_contents(demo_workspace.folder)
    id = find_id(workspace, SAMPLE[FOUNDER])
    text = memory(workspace, id).content
    for parts, code in (
        ([text], "parts"),
        (["One", "One"], "parts"),
        (["One", " "], "parts"),
        ([text, "Two"], "parts"),
    ):
        assert refusal(lambda parts=parts: workspace.split(id, parts)).code == code  # type: ignore[misc]
    assert refusal(lambda: workspace.split(id, ["One", "Two"], relations="some")).code == "relations"
    assert refusal(lambda: workspace.split(999_999, ["One", "Two"])).code == "nothing"
    assert all_contents(demo_workspace.folder) == before
    workspace.dismiss([id])
    assert "restore it first" in refusal(lambda: workspace.split(id, ["One", "Two"])).message
    workspace.undo()
    workspace.lock_store(FOUNDER, True)
    assert "read-only" in refusal(lambda: workspace.split(id, ["One", "Two"])).message
    assert detail_of(workspace, id).blocked["split"]
    assert all_contents(demo_workspace.folder) == before


def test_a_part_over_the_formats_limit_refuses_all_parts(tmp_path: Path) -> None:
    workspace, (_, id, _), path = filled(tmp_path, "base-coat-shared")
    with closing(workspace):
        before = stored(path)
        long = "Acme " * 1000
        for call in (workspace.split_preview, workspace.split):
            assert "Not saved" in refusal(lambda call=call: call(id, ["Acme pays late.", long])).message  # type: ignore[misc]
        assert stored(path) == before
        assert len(texts(workspace)) == 3


def test_a_text_that_an_agent_changed_is_a_conflict(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    id = find_id(workspace, SAMPLE[FOUNDER])
    whole = memory(workspace, id)
    agent_executes(
        demo_workspace.store_paths[FOUNDER],
        "UPDATE memories SET content = 'Euros now.' WHERE key = ?",
        whole.key,
    )
    before = all_contents(demo_workspace.folder)
    with pytest.raises(Conflict) as conflict:
        workspace.split(id, ["One", "Two"], seen={"content": whole.content})
    assert conflict.value.stored == {"content": "Euros now."}
    assert conflict.value.intended == {"content": "One"}
    assert memory(workspace, id).content == "Euros now."
    with pytest.raises(Conflict):  # what was seen is no longer what was read
        workspace.split(id, ["One", "Two"], seen={"content": whole.content})
    assert all_contents(demo_workspace.folder) == before
    change = workspace.split(id, ["One", "Two"], seen={"content": "Euros now."})
    workspace.edit([change.ids[1]], {"content": "Two, reworded"})
    assert refusal(lambda: workspace.undo(change.journal_id)).code == "changed-since"
    assert [each.content for each in workspace.memories(change.ids)] == ["One", "Two, reworded"]


# -- interruptions


class Interrupted(Exception):
    """Stands for the end of the process."""


@pytest.mark.parametrize("store", [CLAUDE, FOUNDER, MCP])
@pytest.mark.parametrize("undoing", [False, True])
def test_an_interrupted_split_is_done_or_not_done_and_loses_nothing(
    demo_workspace: DemoWorkspace, store: str, undoing: bool
) -> None:
    before = all_contents(demo_workspace.folder)
    for stop_at in ("before the foreign write", "after the foreign write", "after settling"):
        armed: list[str] = []

        def interrupt(step: str, armed: list[str] = armed) -> None:
            if step in armed:
                raise Interrupted

        with demo_workspace.opened(on_step=interrupt) as workspace:
            id = find_id(workspace, SAMPLE[store])
            whole, count = memory(workspace, id).content, len(texts(workspace))
            parts = [whole[: len(whole) // 2].strip(), whole[len(whole) // 2 :].strip()]
            if undoing:
                workspace.split(id, parts)
            armed.append(stop_at)
            with suppress(Interrupted):
                workspace.undo() if undoing else workspace.split(id, parts)
            workspace._ctx.leases.close()
        with demo_workspace.opened() as workspace:
            is_split = memory(workspace, id).content == parts[0]
            assert is_split is ((stop_at == "before the foreign write") is undoing)
            assert len(texts(workspace)) == count + is_split
            assert workspace.pull().total == 0
            if is_split:
                assert parts[1] in texts(workspace)
                workspace.undo()
            assert all_contents(demo_workspace.folder) == before
            assert memory(workspace, id).content == whole
            assert len(texts(workspace)) == count


def test_a_split_of_files_that_stops_between_two_of_them_is_completed(
    demo_workspace: DemoWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memtui.formats.media.files import atomic_write

    before, written = all_contents(demo_workspace.folder), list[str]()
    change = atomic_write.change

    def ends(folder: Path, name: str, *args: Any, **more: Any) -> None:
        if written:
            raise Interrupted
        written.append(name)
        change(folder, name, *args, **more)

    with demo_workspace.opened() as workspace:
        id = find_id(workspace, SAMPLE[CLAUDE])
        count = len(texts(workspace))
        monkeypatch.setattr(atomic_write, "change", ends)
        with suppress(Interrupted):
            workspace.split(id, ["The tests are real.", "They broke once.", "Start them with make."])
        monkeypatch.undo()
        workspace._ctx.leases.close()
    assert len(written) == 1
    with demo_workspace.opened() as workspace:
        assert len(texts(workspace)) == count + 2
        assert workspace.pull().total == 0
        workspace.undo()
        assert all_contents(demo_workspace.folder) == before


@pytest.mark.parametrize("relations", ["first", "none"])
def test_a_store_that_refuses_the_write_leaves_all_as_it_was(
    demo_workspace: DemoWorkspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch, relations: str
) -> None:
    before = all_contents(demo_workspace.folder)
    id, other = find_id(workspace, SAMPLE[CLAUDE]), find_id(workspace, SAMPLE[NATIVE])
    workspace.relate(other, "supports", id)
    known, count = related(workspace, other), len(texts(workspace))

    def busy(self: object, plans: object, token: str) -> None:
        raise Refused("busy", "The store is busy.", "Nothing was changed.")

    monkeypatch.setattr(FileStore, "apply", busy)
    assert refusal(lambda: workspace.split(id, ["One", "Two"], relations=relations)).code == "busy"
    monkeypatch.undo()
    assert all_contents(demo_workspace.folder) == before
    assert related(workspace, other) == known
    assert len(texts(workspace)) == count
    assert workspace.split(id, ["One", "Two"], relations=relations).kind == "split"
