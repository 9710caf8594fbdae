"""Importing: what each memory is to those that are there, all fields, one undo, parts (S-74)."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from memtui.errors import Refused
from memtui.formats import registry
from memtui.importing import sources
from memtui.memory.imported import Imported, ImportPreview, Verdict
from memtui.memory.memory import Memory
from memtui.workspace.background import JobControl
from memtui.workspace.changes import parts, wording
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import CLAUDE, FOREIGN, FOUNDER, MCP, DemoWorkspace, contents, item_states
from tests.workspace.changes.test_round_trip import create_store

ALL = tuple(Verdict)


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Workspace]:
    workspace = Workspace.open(tmp_path / "empty.db")
    yield workspace
    workspace.close()


def write_jsonl(path: Path, memories: list[Memory]) -> Path:
    """Write memories as `memtui export --as jsonl` does."""
    path.write_text("".join(json.dumps(each.to_json()) + "\n" for each in memories), "utf-8")
    return path


def counts(preview: ImportPreview) -> dict[str, int]:
    """Return the counts that are not 0."""
    return {verdict.value: count for verdict, count in preview.counts.items() if count}


def run(workspace: Workspace, preview: ImportPreview, take: tuple[Verdict, ...] = ()) -> tuple[int, ...]:
    chosen = [each for each in preview.items if each.is_taken(take)]
    return workspace.import_memories(chosen, preview.store).ids


def texts(*contents: str, **fields: object) -> list[Imported]:
    return [Imported(number, {"content": each, **fields}) for number, each in enumerate(contents, 1)]


def identity(memory: Memory) -> tuple[object, ...]:
    return memory.content, memory.title, memory.subject, memory.key, memory.owner


def test_all_fields_come_back_and_the_same_import_adds_nothing(
    workspace: Workspace, empty: Workspace, tmp_path: Path
) -> None:
    ids = list(workspace.search("", live=False).ids)
    workspace.pin(ids[:1], "always")
    workspace.snooze(ids[1:2], 1_800_000_000.0)
    memories = workspace.memories(ids)
    file = write_jsonl(tmp_path / "all.jsonl", memories)
    preview = empty.import_preview(sources.read(file))
    assert set(counts(preview)) <= {"new", "same", "flagged", "refused"}
    assert not preview.ignored
    restored = {identity(each): each for each in empty.memories(run(empty, preview, ALL))}
    kept = [each for each in memories if each.content or each.title]
    assert restored.keys() == {identity(each) for each in kept}
    for each in kept:
        twin = restored[identity(each)]
        own = {"uid": twin.uid, "store": twin.store, "ref": twin.ref, "superseded_by": None}
        assert twin.to_json() == {**each.to_json(), **own}
    again = empty.import_preview(sources.read(file))
    assert set(counts(again)) <= {"same", "refused"}
    assert run(empty, preview, ALL) == ()
    empty.undo()
    assert empty.counts().live == 0
    assert counts(empty.import_preview(sources.read(file))) == counts(preview)


@pytest.mark.parametrize("store", FOREIGN)
def test_one_undo_returns_the_store_to_its_bytes(
    demo_workspace: DemoWorkspace,
    workspace: Workspace,
    store: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(parts, "FIRST", 3)
    monkeypatch.setattr(parts, "MOST", 10_000)
    memories = workspace.memories(list(workspace.search(f"-store:{store}").ids))[:12]
    file = write_jsonl(tmp_path / "some.jsonl", memories)
    path = demo_workspace.store_paths[store]
    before = contents(path)
    preview = workspace.import_preview(sources.read(file), store)
    ids = run(workspace, preview, ALL)
    assert len(ids) == sum(each.is_taken(ALL) for each in preview.items) > 6
    assert contents(path) != before
    workspace.pull()
    added = workspace.memories(ids)
    assert {each.store for each in added} == {store}
    assert {each.content for each in added} <= {each.content for each in memories}
    again = workspace.import_preview(sources.read(file), store)
    assert again.counts[Verdict.SAME] == len(ids)
    assert run(workspace, again, ALL) == ()
    workspace.undo()
    assert contents(path) == before


def test_duplicates_contradictions_and_secrets_are_left_unless_taken(workspace: Workspace) -> None:
    (old,) = run(
        workspace, workspace.import_preview(texts("The gate code of the yard is kept by Mehmet Aydin."))
    )
    uid = workspace.memories([old])[0].uid
    known = workspace.import_preview(texts("The gate code of the yard is kept by Mehmet Aydin."))
    assert [(each.verdict, each.other) for each in known.items] == [(Verdict.SAME, uid)]
    found = texts(
        "the gate code of the yard is kept by Mehmet Aydin!",
        "The gate code of the yard is not kept by Mehmet Aydin.",
        "Use postgres://bob:hunter2secret@db/prod for it",
        "Something else altogether",
        "Something else altogether",
        " ",
        "a\0b",
    )
    preview = workspace.import_preview(found)
    assert [(each.verdict.value, each.code) for each in preview.items] == [
        ("near", "exact"),
        ("contradicting", "polarity"),
        ("flagged", "secret"),
        ("new", ""),
        ("same", "repeated"),
        ("refused", "no-text"),
        ("refused", "unstorable"),
    ]
    assert [each.other for each in preview.items[:3]] == [uid, uid, ""]
    assert "hunter2secret" not in preview.items[2].label
    assert len(run(workspace, preview)) == 1
    assert len(run(workspace, preview, (Verdict.NEAR, Verdict.FLAGGED))) == 2


def test_what_was_dismissed_is_not_brought_back(workspace: Workspace) -> None:
    ids = run(workspace, workspace.import_preview(texts("Goats like oats", subject="goats")))
    workspace.dismiss(ids)
    preview = workspace.import_preview(texts("Goats like oats"))
    assert [(each.verdict, each.code) for each in preview.items] == [(Verdict.SAME, "dismissed")]


def test_equal_keys_and_one_entity_come_in_together(workspace: Workspace) -> None:
    found = [replace(each, fields={**each.fields, "key": "k"}) for each in texts("One.", "Two.", "Three.")]
    preview = workspace.import_preview(found, FOUNDER)
    assert counts(preview) == {"new": 3}
    assert {each.key for each in workspace.memories(run(workspace, preview))} == {"k", "k-2", "k-3"}
    bullets = [
        Imported(1, {"content": "Goats eat oats", "category": "farm"}),
        Imported(2, {"content": "Trams leave hourly", "category": "town"}),
    ]
    assert len(run(workspace, workspace.import_preview(bullets, MCP))) == 2
    assert counts(workspace.import_preview(bullets, MCP)) == {"same": 2}


def test_a_stop_between_parts_keeps_what_was_added_and_the_next_run_adds_the_rest(
    workspace: Workspace, demo_workspace: DemoWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "FIRST", 2)
    monkeypatch.setattr(parts, "GOAL", 0.0)
    path = demo_workspace.store_paths[CLAUDE]
    before = contents(path)
    found = texts(*(f"Fact {word}." for word in "alpha beta gamma delta epsilon zeta eta".split()))
    reached: list[int] = []
    control = JobControl(stop=lambda: bool(reached), report=lambda done, left: reached.append(done))
    preview = workspace.import_preview(found, CLAUDE)
    change = workspace.import_memories(preview.items, CLAUDE, control)
    assert (len(change.ids), change.unreached) == (2, 5)
    assert item_states(workspace, change.journal_id) == {("done", ""), ("failed", wording.NOT_REACHED)}
    rest = workspace.import_preview(found, CLAUDE)
    assert counts(rest) == {"new": 5, "same": 2}
    second = workspace.import_memories([each for each in rest.items if each.is_taken(())], CLAUDE)
    assert len(second.ids) == 5
    assert {each.kind for each in workspace.journal()[:2]} == {"imported"}
    workspace.undo()
    workspace.undo()
    assert contents(path) == before
    stopped = JobControl(stop=lambda: True)
    with pytest.raises(Refused, match="stopped"):
        workspace.import_memories(rest.items, CLAUDE, stopped)
    with pytest.raises(Refused, match="stopped"):
        workspace.import_preview(found, CLAUDE, stopped)
    assert contents(path) == before


def test_a_locked_store_takes_nothing(workspace: Workspace) -> None:
    workspace.lock_store(FOUNDER, True)
    with pytest.raises(Refused):
        workspace.import_preview(texts("x"), FOUNDER)


@pytest.mark.parametrize("format", [each.format for each in registry.formats()])
def test_a_second_import_adds_nothing_from_another_workspace_either(
    empty: Workspace, tmp_path: Path, format: str
) -> None:
    """Whatever the format numbers, has no place for, cuts, or writes in its own way."""
    store = create_store(empty, tmp_path, format)
    texts = ("Goats eat oats.", "Trams leave hourly.", "Bees sleep\rat night.", "Sheep graze uphill.")
    found = [
        Imported(number, {"content": each, "key": "k" * 70, "title": f"Note {number}", "owner": "scout"})
        for number, each in enumerate(texts, 1)
    ]
    ids = run(empty, empty.import_preview(found, store), ALL)
    assert sorted(each.content.replace("\r", "\n") for each in empty.memories(ids)) == sorted(
        each.replace("\r", "\n") for each in texts
    )
    assert counts(empty.import_preview(found, store)) == {"same": len(texts)}
    path = next(Path(each.path) for each in empty.stores() if each.name == store)
    with closing(Workspace.open(tmp_path / "other.db")) as other:
        (twin,) = other.attach(path)
        assert counts(other.import_preview(found, twin.name)) == {"same": len(texts)}


def test_what_memtui_keeps_for_a_store_tells_equal_texts_apart(empty: Workspace, tmp_path: Path) -> None:
    store = create_store(empty, tmp_path, "founder-os")
    found = [
        Imported(n, {"content": "Works four days.", "subject": who}) for n, who in ((1, "Bo"), (2, "Ines"))
    ]
    assert len(run(empty, empty.import_preview(found, store), ALL)) == 2
    more = [Imported(1, {"content": "Works four days.", "subject": "Tomas"})]
    assert empty.import_preview(more, store).counts[Verdict.SAME] == 0


def test_two_imports_at_once_add_each_memory_once(demo_workspace: DemoWorkspace) -> None:
    """The second begins when the first has read what is there, and is about to write."""
    found = texts("The tram leaves at ten past", "Goats eat oats", category="town")
    seconds: list[tuple[int, ...]] = []

    def import_too() -> None:
        with demo_workspace.opened() as second:
            seconds.append(run(second, previews.pop()))

    def on_step(name: str) -> None:
        if name == "before the foreign write" and not others:
            others.append(threading.Thread(target=import_too))
            others[0].start()
            others[0].join(0.5)  # nobody lets it in earlier, however long this is

    others: list[threading.Thread] = []
    with demo_workspace.opened(on_step=on_step) as first:
        previews = [first.import_preview(found, FOUNDER)]
        added = run(first, previews[0])
        others[0].join()
        assert (len(added), seconds) == (2, [()])
        first.pull()
        live = [each.content for each in first.memories(list(first.search("").ids))]
        assert [live.count(each.fields["content"]) for each in found] == [1, 1]
