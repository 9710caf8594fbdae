"""A minions store curated in place: each verb, its undo, and what agents do meanwhile."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memtui.errors import Conflict, Refused
from memtui.formats.contract.adapter import Reading
from memtui.formats.minions import Minions
from memtui.memory.results import Change
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import Clock, refusal
from tests.support.empty_workspace import empty
from tests.support.stores.files import tree
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
    place,
    put,
    told,
    uid,
)

NAME = "minions:fleet"


@pytest.fixture
def store(tmp_path: Path) -> Minions:
    return make(tmp_path / "fleet")


@pytest.fixture
def desk(store: Minions, tmp_path: Path) -> Iterator[Workspace]:
    workspace = Workspace.open(empty(tmp_path / "own" / "w.db"), clock=Clock())
    workspace.attach(store.root)
    yield workspace
    workspace.close()


def row(desk: Workspace, number: int) -> int:
    """The workspace's row of this minion."""
    return int(desk._ctx.db.one("SELECT id FROM memories WHERE ref = ?", (uid(number),)))


def memory(desk: Workspace, number: int) -> Any:
    return desk.memories([row(desk, number)])[0]


def agrees(desk: Workspace, store: Minions) -> None:
    """The mirror says what a fresh reading says."""
    rows = desk._ctx.db.rows(
        "SELECT m.ref, m.digest FROM memories m JOIN stores s ON s.id = m.store_id "
        "WHERE s.format = 'minions' AND m.removed_at IS NULL AND m.ref IS NOT NULL"
    )
    reading = Minions(store.root).read()
    assert dict(rows) == {record.ref: record.digest for record in reading.records}
    links = desk._ctx.db.rows("SELECT source, kind, target, context FROM relations")
    assert sorted(links) == sorted((x.source, x.kind, x.target, x.context) for x in reading.links)
    asides = desk._ctx.db.rows("SELECT kind, about, words FROM side_records ORDER BY 1, 2, 3")
    assert asides == sorted((x.kind, x.about, x.words) for x in reading.asides)


def test_attaching_and_pulling_changes_no_byte(desk: Workspace, store: Minions) -> None:
    before = tree(store.root)
    desk.pull()
    assert [(info.name, info.format, info.count) for info in desk.stores()][1:] == [(NAME, "minions", 6)]
    assert tree(store.root) == before
    agrees(desk, store)


def test_what_stands_beside_a_memory_is_in_its_detail(desk: Workspace) -> None:
    detail = desk.detail(row(desk, PROPOSALS))
    assert detail is not None
    assert {each.kind for each in detail.related_records} == {
        *("index", "reinforcement", "contradiction", "query", "policy")
    }
    assert [(each.kind, each.target_id) for each in detail.relations] == [("contradicts", row(desk, DETAIL))]


@pytest.mark.parametrize("number", [PROPOSALS, LESSON, EMOJI])
def test_each_verb_and_its_undo(desk: Workspace, store: Minions, number: int) -> None:
    before = tree(store.root)
    id = row(desk, number)
    acts: tuple[Callable[[], Change], ...] = (
        lambda: desk.edit([id], {"content": "Something else\nby a person ✍"}),
        lambda: desk.edit([id], {"title": "Another title", "tags": ("x", "y")}),
        lambda: desk.confirm([id]),
        lambda: desk.dismiss([id]),
        lambda: desk.supersede([id], row(desk, SUMMARY)),
        lambda: desk.relate(id, "contradicts", row(desk, SUMMARY)),
    )
    for act in acts:
        act()
        agrees(desk, store)
        assert tree(store.root) != before
        desk.undo()
        agrees(desk, store)
        assert tree(store.root) == before
        desk.redo()
        assert tree(store.root) != before
        desk.undo()
        assert tree(store.root) == before


def test_a_person_confirms(desk: Workspace, store: Minions) -> None:
    desk.confirm([row(desk, PROPOSALS), row(desk, DETAIL), row(desk, LESSON)])
    assert told(store.root, PROPOSALS)["fields"]["confidence"] == 0.8
    assert told(store.root, DETAIL)["fields"]["confidence"] == 0.95
    assert told(store.root, LESSON)["fields"]["reinforcedCount"] == 3
    made = [m["fields"] for m in of_type(store.root, "reinforcement") if m["fields"]["reason"] == "confirmed"]
    assert {each["memoryId"] for each in made} == {uid(PROPOSALS), uid(DETAIL), uid(LESSON)}
    detail = desk.detail(row(desk, DETAIL))
    assert detail is not None
    assert any(each.text.startswith("0.90 → 0.95, by person") for each in detail.related_records)


def test_dismissed_by_a_person_and_brought_back(desk: Workspace, store: Minions) -> None:
    id = row(desk, DETAIL)
    desk.dismiss([id])
    assert told(store.root, DETAIL)["deletedBy"] == "person"
    assert memory(desk, DETAIL).status == "dismissed"
    desk.restore([id])
    assert memory(desk, DETAIL).status == "confirmed"
    assert not {"deletedAt", "deletedBy"} & told(store.root, DETAIL).keys()
    agrees(desk, store)


def test_dismissed_by_another_hand_and_brought_back(desk: Workspace, store: Minions) -> None:
    before = tree(store.root)
    assert memory(desk, DELETED).status == "dismissed"
    desk.restore([row(desk, DELETED)])
    assert memory(desk, DELETED).status == "confirmed"
    assert "deletedAt" not in told(store.root, DELETED)
    desk.undo()
    assert tree(store.root) == before


def test_a_weak_one_comes_back_too(desk: Workspace, store: Minions) -> None:
    put(store.root, item(9, "weak", "Hardly sure.", confidence=0.2, deletedAt="2026-03-03T00:00:00Z"))
    desk.pull()
    desk.restore([row(desk, 9)])
    assert memory(desk, 9).status == "confirmed"
    agrees(desk, store)


def test_one_gives_way_to_another(desk: Workspace, store: Minions) -> None:
    desk.supersede([row(desk, DETAIL)], row(desk, PROPOSALS))
    gone = memory(desk, DETAIL)
    assert (gone.status, gone.superseded_by) == ("dismissed", memory(desk, PROPOSALS).uid)
    assert of_type(store.root, "contradiction")[0]["fields"]["resolution"] == "keep-a"
    desk.restore([row(desk, DETAIL)])
    assert memory(desk, DETAIL).superseded_by is None
    agrees(desk, store)


def test_relations_that_minions_lacks_are_kept_in_memtui(desk: Workspace, store: Minions) -> None:
    before = tree(store.root)
    desk.relate(row(desk, EMOJI), "supports", row(desk, LESSON))
    assert tree(store.root) == before
    desk.relate(row(desk, EMOJI), "contradicts", row(desk, LESSON), context="jokes or not")
    assert len(of_type(store.root, "contradiction")) == 2
    said_so = tree(store.root)
    desk.unrelate(row(desk, EMOJI), "contradicts", row(desk, LESSON))
    assert tree(store.root).keys() == said_so.keys()
    assert [each.get("deletedBy") for each in of_type(store.root, "contradiction")].count("person") == 1
    detail = desk.detail(row(desk, EMOJI))
    assert detail is not None
    assert [each.kind for each in detail.relations] == ["supports"]
    assert [each for each in detail.related_records if each.kind == "contradiction"] == []
    desk.undo()
    assert tree(store.root) == said_so
    desk.undo()
    assert tree(store.root) == before


def test_a_purged_one_leaves_no_word(desk: Workspace, store: Minions) -> None:
    desk.purge([row(desk, EMOJI)])
    left = b"".join(tree(store.root).values())
    assert "naïve".encode() not in left
    assert place(uid(106)) not in tree(store.root)


def test_one_is_added_and_taken_back(desk: Workspace, store: Minions) -> None:
    before = tree(store.root)
    desk.add({"content": "Bo drinks tea.", "key": "bo:drinks"}, NAME)
    agrees(desk, store)
    assert any(each.code for each in desk.doctor() if each.store == NAME and each.code == "no-index") is False
    desk.undo()
    assert tree(store.root) == before


@pytest.mark.parametrize("move", [False, True])
def test_one_comes_from_our_own_store(desk: Workspace, store: Minions, move: bool) -> None:
    desk.add({"content": "Ada works at Acme.", "category": "contact", "title": "Ada"})
    (id,) = desk.search("acme").ids
    done = desk.move([id], NAME) if move else desk.copy([id], NAME)
    (carried,) = done.previews
    assert carried.kept == ("category",)
    found = next(m for m in of_type(store.root, "item") if m["fields"]["value"] == "Ada works at Acme.")
    assert (found["title"], found["fields"]["key"], found["fields"]["confidence"]) == ("Ada", "ada", 0.5)
    desk.undo()
    agrees(desk, store)


def test_what_an_agent_changed_first_is_a_conflict(desk: Workspace, store: Minions) -> None:
    found = told(store.root, PROPOSALS)
    found["fields"]["value"] = "Client xyz has changed its mind."
    put(store.root, found)
    before = tree(store.root)
    with pytest.raises(Conflict) as conflict:
        desk.edit([row(desk, PROPOSALS)], {"content": "Mine."})
    assert conflict.value.theirs == {"content": "Client xyz has changed its mind."}
    assert tree(store.root) == before
    assert memory(desk, PROPOSALS).content == "Client xyz has changed its mind."


def test_an_agents_use_is_no_conflict(desk: Workspace, store: Minions) -> None:
    found = told(store.root, PROPOSALS)
    found["fields"]["lastAccessedAt"] = found["updatedAt"] = "2026-08-08T08:08:08.000Z"
    put(store.root, found)
    desk.edit([row(desk, PROPOSALS)], {"content": "Mine."})
    fields = told(store.root, PROPOSALS)["fields"]
    assert (fields["value"], fields["lastAccessedAt"]) == ("Mine.", "2026-08-08T08:08:08.000Z")


def test_a_silent_deletion_is_seen_and_put_back(desk: Workspace, store: Minions) -> None:
    was = told(store.root, EMOJI)
    (store.root / place(uid(EMOJI))).unlink()
    (store.root / place(uid(106))).unlink()
    id = row(desk, EMOJI)
    assert desk.pull().changes == {NAME: (0, 0, 1)}
    desk.restore([id])
    now = told(store.root, EMOJI)
    assert {name: now[name] for name in ("id", "title", "minionTypeId", "priority", "status", "_legacy")} == {
        name: was[name] for name in ("id", "title", "minionTypeId", "priority", "status", "_legacy")
    }
    assert now["fields"] == was["fields"]
    agrees(desk, store)
    desk.undo()
    assert not (store.root / place(uid(EMOJI))).exists()


def test_agents_write_and_only_that_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = range(1, 331)
    store = make(
        tmp_path / "fleet",
        *(item(n, f"k{n}", f"text {n}") for n in numbers),
        *(index(1000 + n, n, f"text, {n}") for n in numbers),
    )
    desk = Workspace.open(empty(tmp_path / "own" / "w.db"), clock=Clock())
    desk.attach(store.root)
    agrees(desk, store)
    _at_rest(store.root)
    desk.pull()
    read: list[str] = []
    part = Minions.part

    def counting(self: Minions, name: str, data: bytes, files: Any) -> Reading:
        read.append(name)
        return part(self, name, data, files)

    monkeypatch.setattr(Minions, "part", counting)
    put(store.root, item(7, "k7", "changed by an agent"))
    put(store.root, item(900, "new", "made by an agent"))
    (store.root / place(uid(9))).unlink()
    assert desk.pull().changes == {NAME: (1, 1, 1)}
    assert set(read) == {place(uid(7)), place(uid(900))}
    monkeypatch.undo()
    assert memory(desk, 7).content == "changed by an agent"
    agrees(desk, store)
    put(store.root, index(1007, 7, "quite, other, words"))
    assert desk.pull().total == 0
    detail = desk.detail(row(desk, 7))
    assert detail is not None
    assert [each.text for each in detail.related_records if each.kind == "index"] == ["keywords: quite, other, words"]
    desk.close()


def _at_rest(root: Path) -> None:
    """Files that were written too lately are read again; wait until none is."""
    import time

    from memtui.formats.contract.incremental import mark_of

    end = time.monotonic() + 10
    while any(not mark_of(path.stat()) for path in root.rglob("*.json")):
        assert time.monotonic() < end
        time.sleep(0.01)


def test_the_doctor_names_what_is_odd(desk: Workspace, store: Minions) -> None:
    path = store.root / place(uid(EMOJI))
    path.write_bytes(path.read_bytes()[:-30])
    put(store.root, item(11, "client:xyz:detail", "Client xyz hates detail.", confidence=1.3))
    desk.pull()
    found = {each.code: each for each in desk.doctor() if each.store == NAME}
    assert {"bad-json", "odd-confidence", "no-index", "doubled-key", "dangling-index"} <= found.keys()
    assert found["bad-json"].severe
    assert all(each.meaning for each in found.values())


def test_a_batch_is_one_line_and_one_undo(desk: Workspace, store: Minions) -> None:
    before = tree(store.root)
    ids = [row(desk, n) for n in (PROPOSALS, DETAIL, LESSON, SUMMARY, EMOJI)]
    assert len(desk.dismiss(ids).ids) == 5
    assert all(
        json.loads(data).get("deletedAt") or b"deletedAt" not in data for data in tree(store.root).values()
    )
    desk.undo()
    assert tree(store.root) == before


def test_two_lines_are_undone_in_either_order(desk: Workspace, store: Minions) -> None:
    before = told(store.root, PROPOSALS)["fields"]
    first = desk.edit([row(desk, PROPOSALS)], {"content": "Long letters, please."})
    second = desk.edit([row(desk, PROPOSALS)], {"key": "xyz:letters"})
    desk.undo(first.journal_id)
    desk.undo(second.journal_id)
    assert told(store.root, PROPOSALS)["fields"] == before
    agrees(desk, store)


def test_a_contradiction_is_taken_back_after_the_memory_that_it_was_told_of(
    desk: Workspace, store: Minions
) -> None:
    before = tree(store.root)
    added = desk.add({"content": "Jokes are out.", "key": "jokes"}, NAME)
    desk.relate(added.ids[0], "contradicts", row(desk, LESSON))
    desk.undo(added.journal_id)
    desk.undo()
    agrees(desk, store)
    assert tree(store.root) == before


def test_a_store_that_may_not_be_written_says_so(desk: Workspace, store: Minions) -> None:
    desk.lock_store(NAME, True)
    before = tree(store.root)
    assert isinstance(refusal(lambda: desk.dismiss([row(desk, DETAIL)])), Refused)
    assert tree(store.root) == before


def test_memtui_makes_a_store(tmp_path: Path) -> None:
    desk = Workspace.open(empty(tmp_path / "own" / "w.db"), clock=Clock())
    info = desk.create_store("minions", tmp_path / "project")
    desk.add({"content": "The first thing."}, info.name)
    (found,) = of_type(tmp_path / "project" / ".minions", "item")
    assert found["fields"]["value"] == "The first thing."
    desk.close()


def test_undo_leaves_the_notes_and_times_of_another_memory_that_came_back(
    desk: Workspace, store: Minions
) -> None:
    """What gave way and was restored stands so: nothing of it goes with a dismissal that is taken back."""
    before = tree(store.root)
    desk.supersede([row(desk, 2)], row(desk, 1))
    desk.restore([row(desk, 2)])
    there = tree(store.root)
    desk.dismiss([row(desk, 1)])
    desk.undo()
    assert tree(store.root) == there
    desk.undo()
    desk.undo()
    assert tree(store.root) == before
