"""minions in a workspace: every command, its undo, and agents at work."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memtui.errors import Conflict, Refused
from memtui.formats.contract.records import Reading
from memtui.formats.minions import Minions
from memtui.memory.results import Change
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import Clock, refusal
from tests.support.empty_workspace import create_empty
from tests.support.stores.files import read_tree
from tests.support.stores.minions import (
    DELETED,
    DETAIL,
    EMOJI,
    LESSON,
    PROPOSALS,
    SUMMARY,
    index,
    item,
    make,
    of_type,
    put,
    read_minion,
    relative_path,
    uid,
)

NAME = "minions:fleet"


@pytest.fixture
def store(tmp_path: Path) -> Minions:
    return make(tmp_path / "fleet")


@pytest.fixture
def workspace(store: Minions, tmp_path: Path) -> Iterator[Workspace]:
    workspace = Workspace.open(create_empty(tmp_path / "own" / "w.db"), clock=Clock())
    workspace.attach(store.root)
    yield workspace
    workspace.close()


def id_of(workspace: Workspace, number: int) -> int:
    """Return the workspace's id of a numbered minion."""
    return int(workspace._ctx.db.one("SELECT id FROM memories WHERE ref = ?", (uid(number),)))


def memory(workspace: Workspace, number: int) -> Any:
    return workspace.memories([id_of(workspace, number)])[0]


def assert_mirror_is_complete(workspace: Workspace, store: Minions) -> None:
    """Check that the mirror equals a fresh reading."""
    rows = workspace._ctx.db.rows(
        "SELECT m.ref, m.digest FROM memories m JOIN stores s ON s.id = m.store_id "
        "WHERE s.format = 'minions' AND m.removed_at IS NULL AND m.ref IS NOT NULL"
    )
    reading = Minions(store.root).read()
    assert dict(rows) == {record.ref: record.digest for record in reading.records}
    links = workspace._ctx.db.rows("SELECT source, kind, target, context FROM relations")
    assert sorted(links) == sorted((x.source, x.kind, x.target, x.context) for x in reading.links)
    asides = workspace._ctx.db.rows("SELECT kind, about, words FROM side_records ORDER BY 1, 2, 3")
    assert asides == sorted((x.kind, x.about, x.text) for x in reading.side_records)


def test_attaching_and_pulling_changes_no_byte(workspace: Workspace, store: Minions) -> None:
    before = read_tree(store.root)
    workspace.pull()
    assert [(info.name, info.format, info.count) for info in workspace.stores()][1:] == [(NAME, "minions", 6)]
    assert read_tree(store.root) == before
    assert_mirror_is_complete(workspace, store)


def test_the_detail_of_a_memory_has_its_side_records(workspace: Workspace) -> None:
    detail = workspace.detail(id_of(workspace, PROPOSALS))
    assert detail is not None
    assert {record.kind for record in detail.related_records} == {
        *("index", "reinforcement", "contradiction", "query", "policy")
    }
    assert [(record.kind, record.target_id) for record in detail.relations] == [
        ("contradicts", id_of(workspace, DETAIL))
    ]


@pytest.mark.parametrize("number", [PROPOSALS, LESSON, EMOJI])
def test_each_command_is_undone_and_redone(workspace: Workspace, store: Minions, number: int) -> None:
    before = read_tree(store.root)
    id = id_of(workspace, number)
    commands: tuple[Callable[[], Change], ...] = (
        lambda: workspace.edit([id], {"content": "Something else\nby a person ✍"}),
        lambda: workspace.edit([id], {"title": "Another title", "tags": ("x", "y")}),
        lambda: workspace.confirm([id]),
        lambda: workspace.dismiss([id]),
        lambda: workspace.supersede([id], id_of(workspace, SUMMARY)),
        lambda: workspace.relate(id, "contradicts", id_of(workspace, SUMMARY)),
    )
    for command in commands:
        command()
        assert_mirror_is_complete(workspace, store)
        assert read_tree(store.root) != before
        workspace.undo()
        assert_mirror_is_complete(workspace, store)
        assert read_tree(store.root) == before
        workspace.redo()
        assert read_tree(store.root) != before
        workspace.undo()
        assert read_tree(store.root) == before


def test_confirming_writes_reinforcements(workspace: Workspace, store: Minions) -> None:
    workspace.confirm([id_of(workspace, PROPOSALS), id_of(workspace, DETAIL), id_of(workspace, LESSON)])
    assert read_minion(store.root, PROPOSALS)["fields"]["confidence"] == 0.8
    assert read_minion(store.root, DETAIL)["fields"]["confidence"] == 0.95
    assert read_minion(store.root, LESSON)["fields"]["reinforcedCount"] == 3
    added = [
        m["fields"] for m in of_type(store.root, "reinforcement") if m["fields"]["reason"] == "confirmed"
    ]
    assert {record["memoryId"] for record in added} == {uid(PROPOSALS), uid(DETAIL), uid(LESSON)}
    detail = workspace.detail(id_of(workspace, DETAIL))
    assert detail is not None
    assert any(record.text.startswith("0.90 → 0.95, by person") for record in detail.related_records)


def test_a_dismissed_memory_is_restored(workspace: Workspace, store: Minions) -> None:
    id = id_of(workspace, DETAIL)
    workspace.dismiss([id])
    assert read_minion(store.root, DETAIL)["deletedBy"] == "person"
    assert memory(workspace, DETAIL).status == "dismissed"
    workspace.restore([id])
    assert memory(workspace, DETAIL).status == "confirmed"
    assert not {"deletedAt", "deletedBy"} & read_minion(store.root, DETAIL).keys()
    assert_mirror_is_complete(workspace, store)


def test_a_memory_dismissed_by_another_program_is_restored(workspace: Workspace, store: Minions) -> None:
    before = read_tree(store.root)
    assert memory(workspace, DELETED).status == "dismissed"
    workspace.restore([id_of(workspace, DELETED)])
    assert memory(workspace, DELETED).status == "confirmed"
    assert "deletedAt" not in read_minion(store.root, DELETED)
    workspace.undo()
    assert read_tree(store.root) == before


def test_a_memory_with_a_low_confidence_is_restored(workspace: Workspace, store: Minions) -> None:
    put(store.root, item(9, "weak", "Hardly sure.", confidence=0.2, deletedAt="2026-03-03T00:00:00Z"))
    workspace.pull()
    workspace.restore([id_of(workspace, 9)])
    assert memory(workspace, 9).status == "confirmed"
    assert_mirror_is_complete(workspace, store)


def test_a_memory_is_superseded_by_another(workspace: Workspace, store: Minions) -> None:
    workspace.supersede([id_of(workspace, DETAIL)], id_of(workspace, PROPOSALS))
    superseded = memory(workspace, DETAIL)
    assert (superseded.status, superseded.superseded_by) == ("dismissed", memory(workspace, PROPOSALS).uid)
    assert of_type(store.root, "contradiction")[0]["fields"]["resolution"] == "keep-a"
    workspace.restore([id_of(workspace, DETAIL)])
    assert memory(workspace, DETAIL).superseded_by is None
    assert_mirror_is_complete(workspace, store)


def test_relations_that_minions_lacks_are_kept_in_memtui(workspace: Workspace, store: Minions) -> None:
    before = read_tree(store.root)
    workspace.relate(id_of(workspace, EMOJI), "supports", id_of(workspace, LESSON))
    assert read_tree(store.root) == before
    workspace.relate(id_of(workspace, EMOJI), "contradicts", id_of(workspace, LESSON), context="jokes or not")
    assert len(of_type(store.root, "contradiction")) == 2
    said_so = read_tree(store.root)
    workspace.unrelate(id_of(workspace, EMOJI), "contradicts", id_of(workspace, LESSON))
    assert read_tree(store.root).keys() == said_so.keys()
    assert [found.get("deletedBy") for found in of_type(store.root, "contradiction")].count("person") == 1
    detail = workspace.detail(id_of(workspace, EMOJI))
    assert detail is not None
    assert [found.kind for found in detail.relations] == ["supports"]
    assert [found for found in detail.related_records if found.kind == "contradiction"] == []
    workspace.undo()
    assert read_tree(store.root) == said_so
    workspace.undo()
    assert read_tree(store.root) == before


def test_a_purged_memory_leaves_no_text(workspace: Workspace, store: Minions) -> None:
    workspace.purge([id_of(workspace, EMOJI)])
    remaining = b"".join(read_tree(store.root).values())
    assert "naïve".encode() not in remaining
    assert relative_path(uid(106)) not in read_tree(store.root)


def test_adding_a_memory_is_undone(workspace: Workspace, store: Minions) -> None:
    before = read_tree(store.root)
    workspace.add({"content": "Bo drinks tea.", "key": "bo:drinks"}, NAME)
    assert_mirror_is_complete(workspace, store)
    assert (
        any(issue.code for issue in workspace.doctor() if issue.store == NAME and issue.code == "no-index")
        is False
    )
    workspace.undo()
    assert read_tree(store.root) == before


@pytest.mark.parametrize("move", [False, True])
def test_a_memory_is_copied_or_moved_from_the_native_store(
    workspace: Workspace, store: Minions, move: bool
) -> None:
    workspace.add({"content": "Ada works at Acme.", "category": "contact", "title": "Ada"})
    (id,) = workspace.search("acme").ids
    transfer = workspace.move([id], NAME) if move else workspace.copy([id], NAME)
    (preview,) = transfer.previews
    assert preview.kept == ("category",)
    added = next(m for m in of_type(store.root, "item") if m["fields"]["value"] == "Ada works at Acme.")
    assert (added["title"], added["fields"]["key"], added["fields"]["confidence"]) == ("Ada", "ada", 0.5)
    workspace.undo()
    assert_mirror_is_complete(workspace, store)


def test_a_memory_changed_by_an_agent_is_a_conflict(workspace: Workspace, store: Minions) -> None:
    stored = read_minion(store.root, PROPOSALS)
    stored["fields"]["value"] = "Client xyz has changed its mind."
    put(store.root, stored)
    before = read_tree(store.root)
    with pytest.raises(Conflict) as conflict:
        workspace.edit([id_of(workspace, PROPOSALS)], {"content": "Mine."})
    assert conflict.value.stored == {"content": "Client xyz has changed its mind."}
    assert read_tree(store.root) == before
    assert memory(workspace, PROPOSALS).content == "Client xyz has changed its mind."


def test_a_use_by_an_agent_is_not_a_conflict(workspace: Workspace, store: Minions) -> None:
    stored = read_minion(store.root, PROPOSALS)
    stored["fields"]["lastAccessedAt"] = stored["updatedAt"] = "2026-08-08T08:08:08.000Z"
    put(store.root, stored)
    workspace.edit([id_of(workspace, PROPOSALS)], {"content": "Mine."})
    fields = read_minion(store.root, PROPOSALS)["fields"]
    assert (fields["value"], fields["lastAccessedAt"]) == ("Mine.", "2026-08-08T08:08:08.000Z")


def test_a_deleted_file_is_noticed_and_restored(workspace: Workspace, store: Minions) -> None:
    before = read_minion(store.root, EMOJI)
    (store.root / relative_path(uid(EMOJI))).unlink()
    (store.root / relative_path(uid(106))).unlink()
    id = id_of(workspace, EMOJI)
    assert workspace.pull().changes == {NAME: (0, 0, 1)}
    workspace.restore([id])
    after = read_minion(store.root, EMOJI)
    assert {
        name: after[name] for name in ("id", "title", "minionTypeId", "priority", "status", "_legacy")
    } == {name: before[name] for name in ("id", "title", "minionTypeId", "priority", "status", "_legacy")}
    assert after["fields"] == before["fields"]
    assert_mirror_is_complete(workspace, store)
    workspace.undo()
    assert not (store.root / relative_path(uid(EMOJI))).exists()


def test_only_the_files_written_by_agents_are_parsed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = range(1, 331)
    store = make(
        tmp_path / "fleet",
        *(item(n, f"k{n}", f"text {n}") for n in numbers),
        *(index(1000 + n, n, f"text, {n}") for n in numbers),
    )
    workspace = Workspace.open(create_empty(tmp_path / "own" / "w.db"), clock=Clock())
    workspace.attach(store.root)
    assert_mirror_is_complete(workspace, store)
    _wait_until_settled(store.root)
    workspace.pull()
    read: list[str] = []
    part = Minions.parse_file

    def counting(self: Minions, name: str, data: bytes, files: Any) -> Reading:
        read.append(name)
        return part(self, name, data, files)

    monkeypatch.setattr(Minions, "parse_file", counting)
    put(store.root, item(7, "k7", "changed by an agent"))
    put(store.root, item(900, "new", "made by an agent"))
    (store.root / relative_path(uid(9))).unlink()
    assert workspace.pull().changes == {NAME: (1, 1, 1)}
    assert set(read) == {relative_path(uid(7)), relative_path(uid(900))}
    monkeypatch.undo()
    assert memory(workspace, 7).content == "changed by an agent"
    assert_mirror_is_complete(workspace, store)
    put(store.root, index(1007, 7, "quite, other, words"))
    assert workspace.pull().total == 0
    detail = workspace.detail(id_of(workspace, 7))
    assert detail is not None
    assert [record.text for record in detail.related_records if record.kind == "index"] == [
        "keywords: quite, other, words"
    ]
    workspace.close()


def _wait_until_settled(root: Path) -> None:
    """Wait until no file was written so recently that it is read again."""
    import time

    from memtui.formats.contract.incremental import file_fingerprint

    end = time.monotonic() + 10
    while any(not file_fingerprint(path.stat()) for path in root.rglob("*.json")):
        assert time.monotonic() < end
        time.sleep(0.01)


def test_the_doctor_reports_problems(workspace: Workspace, store: Minions) -> None:
    path = store.root / relative_path(uid(EMOJI))
    path.write_bytes(path.read_bytes()[:-30])
    put(store.root, item(11, "client:xyz:detail", "Client xyz hates detail.", confidence=1.3))
    workspace.pull()
    by_code = {issue.code: issue for issue in workspace.doctor() if issue.store == NAME}
    assert {"bad-json", "odd-confidence", "no-index", "doubled-key", "dangling-index"} <= by_code.keys()
    assert by_code["bad-json"].severe
    assert all(issue.meaning for issue in by_code.values())


def test_a_batch_is_one_journal_entry_and_one_undo(workspace: Workspace, store: Minions) -> None:
    before = read_tree(store.root)
    ids = [id_of(workspace, n) for n in (PROPOSALS, DETAIL, LESSON, SUMMARY, EMOJI)]
    assert len(workspace.dismiss(ids).ids) == 5
    assert all(
        json.loads(data).get("deletedAt") or b"deletedAt" not in data
        for data in read_tree(store.root).values()
    )
    workspace.undo()
    assert read_tree(store.root) == before


def test_two_journal_entries_are_undone_in_either_order(workspace: Workspace, store: Minions) -> None:
    before = read_minion(store.root, PROPOSALS)["fields"]
    first = workspace.edit([id_of(workspace, PROPOSALS)], {"content": "Long letters, please."})
    second = workspace.edit([id_of(workspace, PROPOSALS)], {"key": "xyz:letters"})
    workspace.undo(first.journal_id)
    workspace.undo(second.journal_id)
    assert read_minion(store.root, PROPOSALS)["fields"] == before
    assert_mirror_is_complete(workspace, store)


def test_a_contradiction_is_undone_after_the_memory_it_names(workspace: Workspace, store: Minions) -> None:
    before = read_tree(store.root)
    added = workspace.add({"content": "Jokes are out.", "key": "jokes"}, NAME)
    workspace.relate(added.ids[0], "contradicts", id_of(workspace, LESSON))
    workspace.undo(added.journal_id)
    workspace.undo()
    assert_mirror_is_complete(workspace, store)
    assert read_tree(store.root) == before


def test_a_read_only_store_refuses_changes_with_the_reason(workspace: Workspace, store: Minions) -> None:
    workspace.lock_store(NAME, True)
    before = read_tree(store.root)
    assert isinstance(refusal(lambda: workspace.dismiss([id_of(workspace, DETAIL)])), Refused)
    assert read_tree(store.root) == before


def test_a_store_is_created(tmp_path: Path) -> None:
    workspace = Workspace.open(create_empty(tmp_path / "own" / "w.db"), clock=Clock())
    info = workspace.create_store("minions", tmp_path / "project")
    workspace.add({"content": "The first thing."}, info.name)
    (stored,) = of_type(tmp_path / "project" / ".minions", "item")
    assert stored["fields"]["value"] == "The first thing."
    workspace.close()


def test_undoing_a_dismissal_keeps_another_memory_that_was_restored(
    workspace: Workspace, store: Minions
) -> None:
    """A superseded memory that was restored stays restored when a later dismissal is undone."""
    before = read_tree(store.root)
    workspace.supersede([id_of(workspace, 2)], id_of(workspace, 1))
    workspace.restore([id_of(workspace, 2)])
    after_restore = read_tree(store.root)
    workspace.dismiss([id_of(workspace, 1)])
    workspace.undo()
    assert read_tree(store.root) == after_restore
    workspace.undo()
    workspace.undo()
    assert read_tree(store.root) == before
