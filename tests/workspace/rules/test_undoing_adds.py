"""What rules did to a memory by themselves gives way to a person's undo, and comes again with the redo
(S-51, S-60)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memtui.errors import Refused
from memtui.memory.contradictions.pairs import MERGE
from memtui.memory.imported import Imported
from memtui.workspace.workspace import Workspace
from tests.support.contradiction_stores import FORMATS, ContradictionStores, add_pair
from tests.support.sizes import sample_cases
from tests.workspace.rules.test_formats import action, mirrored

TEXT = "A zebra lives here.\n\nIt eats grass."
NEW = {"title": "Zebra", "key": "zebra", "subject": "zebra:zebra", "owner": "zebra"}
SETTINGS = ("tag", "pin", "category", "scope", "importance", "expire")
WORD = {"cognitive": "domo"}  # of the memory that is moved out of a store

Do = Callable[[Workspace, ContradictionStores, str], object]


def fields(work: Workspace, format: str) -> dict[str, Any]:
    """Return a new memory as those in a store of a format are."""
    sample = work.memories(work.search(f"store:{format}").ids)[0]
    more = {name: value for name, value in NEW.items() if getattr(sample, name) is not None}
    if "title" in more:  # which names it
        more.pop("key", None)
    return {**more, "category": sample.category, "content": TEXT}


def add(work: Workspace, stores: ContradictionStores, format: str) -> object:
    return work.add(fields(work, format), format)


def import_(work: Workspace, stores: ContradictionStores, format: str) -> object:
    found = [Imported(n, {**fields(work, format), "content": f"{TEXT} {n}"}) for n in (1, 2)]
    return work.import_memories(list(work.import_preview(found, format).items), format)


def copy(work: Workspace, stores: ContradictionStores, format: str) -> object:
    return work.copy(work.search("store:native zebra").ids, format)


def move(work: Workspace, stores: ContradictionStores, format: str) -> object:
    return work.move(work.search("store:native zebra").ids, format)


def move_out(work: Workspace, stores: ContradictionStores, format: str) -> object:
    return work.move([stores.sample_ids(work, format)[3]], "native")


def split(work: Workspace, stores: ContradictionStores, format: str) -> object:
    id = stores.sample_ids(work, format)[3]
    return work.split(id, ["A zebra lives here.", "The zebra eats grass."])


def merge(work: Workspace, stores: ContradictionStores, format: str) -> object:
    first, second, *_ = stores.sample_ids(work, format)
    return work.settle(add_pair(work, first, second), MERGE, text=TEXT)


CASES = [
    (format, do)
    for format in FORMATS
    for do in (add, import_, copy, move, move_out, split, merge)
    if format != "native" or do not in (copy, move, move_out)
]


def opened_with(tmp_path: Path, *formats: str) -> ContradictionStores:
    return ContradictionStores(tmp_path, tuple(dict.fromkeys(("native", *formats)))).create()


def rule(work: Workspace, *actions: str, when: str = "zebra") -> None:
    work.add_rule("Each", when, actions)
    work.turn_rule("Each", on=True)


@pytest.mark.parametrize(("format", "do"), sample_cases(CASES, 14))
def test_one_undo_takes_a_memory_out_that_rules_set_something_of(tmp_path: Path, format: str, do: Do) -> None:
    stores = opened_with(tmp_path, format)
    with stores.opened() as work:
        if do in (copy, move):
            work.add({"content": TEXT, **NEW})
        when = f"{WORD.get(format, 'outsider')} store:native -home" if do is move_out else "zebra"
        rule(work, *(action(format, kind) for kind in SETTINGS), when=when)
        before = stores.snapshot(), mirrored(work)
        do(work, stores, format)
        done = mirrored(work)
        assert any(row[3] == "rule:Each" for row in set(done) - set(before[1]))
        for _ in range(2):
            work.undo()
            assert (stores.snapshot(), mirrored(work)) == before
            assert work.pull().total == 0
            work.redo()
            assert mirrored(work) == done
            assert work.pull().total == 0
        work.undo()
        assert (stores.snapshot(), mirrored(work)) == before
        assert not [each for each in work.journal() if each.kind == "rule-left"]


def live(work: Workspace) -> list[tuple[Any, ...]]:
    """Return what the workspace has of memories in use: an entity that lost its last observation had become
    one, which stays dismissed."""
    return [row for row in mirrored(work) if row[1] != "dismissed"]


@pytest.mark.parametrize("format", sample_cases(FORMATS, 4))
def test_what_a_rule_dismissed_is_taken_back_with_it(tmp_path: Path, format: str) -> None:
    stores = opened_with(tmp_path, format)
    with stores.opened() as work:
        rule(work, "tag=governed", "dismiss")
        before = stores.snapshot(), live(work)
        (id,) = work.add(fields(work, format), format).ids
        assert id not in work.search("zebra").ids
        for _ in range(2):
            work.undo()
            assert (stores.snapshot(), live(work)) == before
            work.redo()
            assert id not in work.search("zebra").ids  # dismissed once more
        each_time = 1 + (format == "mcp-memory")  # its entity, too
        kinds = [each.kind for each in work.journal() if each.actor == "rule:Each"]
        assert kinds.count("dismissed") == 3 * each_time


def test_what_left_for_a_memory_is_back_once_that_is_taken_out(tmp_path: Path) -> None:
    stores = opened_with(tmp_path)
    with stores.opened() as work:
        work.add({"content": "The host of the service is db-1."})
        rule(work, "settle=newer", "tag=governed", when="host")
        before = mirrored(work)
        stores.clock.now += 86_400
        (new,) = work.add({"content": "The host of the service is db-9."}).ids
        work.scan()
        work.apply_rules()
        assert list(work.search("host").ids) == [new]
        work.undo()
        assert mirrored(work) == before
        work.redo()
        work.scan()
        work.apply_rules()
        assert list(work.search("host").ids) == [new]
        work.undo()
        assert mirrored(work) == before


@pytest.mark.parametrize("format", ["native", "claude-code", "founder-os"])
def test_an_edit_that_a_rule_added_to_is_undone_and_redone(tmp_path: Path, format: str) -> None:
    stores = opened_with(tmp_path, format)
    with stores.opened() as work:
        id = stores.sample_ids(work, format)[3]
        rule(work, "tag=governed", "importance=0.75")
        before = stores.snapshot(), mirrored(work)
        work.edit([id], {"content": "A zebra.", "tags": ("mine",), "importance": 0.5})
        done = mirrored(work)
        assert work.memories([id])[0].tags == ("mine", "governed")
        work.undo()
        assert (stores.snapshot(), mirrored(work)) == before
        work.redo()
        assert mirrored(work) == done
        work.undo()
        assert (stores.snapshot(), mirrored(work)) == before


@pytest.mark.parametrize("format", ["native", "claude-code", "mcp-memory"])
def test_a_memory_that_came_back_is_taken_out_again(tmp_path: Path, format: str) -> None:
    stores = opened_with(tmp_path, format)
    with stores.opened() as work:
        id = stores.sample_ids(work, format)[3]
        work.forget([id])
        before = stores.snapshot(), mirrored(work)
        undone = work.undo()
        rule(work, "tag=governed", "pin", when=f"store:{format} outsider")
        assert work.memories([id])[0].tags[-1] == "governed"
        work.undo(undone.journal_id)
        assert (stores.snapshot(), mirrored(work)) == before


def test_what_somebody_wrote_since_is_kept_and_the_rule_sets_its_own_again(tmp_path: Path) -> None:
    stores = opened_with(tmp_path)
    with stores.opened() as work:
        rule(work, "tag=governed", "pin")
        added = work.add({"content": TEXT})
        work.edit(added.ids, {"content": "My own zebra."})
        done = mirrored(work)
        with pytest.raises(Refused, match="its content has changed since"):
            work.undo(added.journal_id)
        assert mirrored(work) == done
        assert [each.actor for each in work.journal()][:2] == ["rule:Each"] * 2
        work.undo(work.journal(who="you")[0].id)
        work.undo(added.journal_id)
        assert not work.search("zebra", live=False).ids


def test_what_a_rule_redacted_stays(tmp_path: Path) -> None:
    stores = opened_with(tmp_path)
    with stores.opened() as work:
        rule(work, "redact")
        added = work.add({"content": "The zebra's key is AKIA" + "IOSFODNN7EXAMPLQ."})
        assert "AKIA" not in work.memories(added.ids)[0].content
        work.undo()
        work.redo()
        assert "AKIA" not in work.memories(added.ids)[0].content


@pytest.mark.parametrize("format", ["native", "cognitive"])
def test_what_a_rule_took_back_since_is_no_hindrance(tmp_path: Path, format: str) -> None:
    stores = opened_with(tmp_path, format)
    with stores.opened() as work:
        rule(work, "tag=governed", "pin", "importance=0.75", when="-zebra")
        work.apply_rules()
        before = mirrored(work)
        merge(work, stores, format)
        done = mirrored(work)
        assert [each.actor for each in work.journal()[:3]] == ["rule:Each"] * 3
        for _ in range(2):
            work.undo()
            assert mirrored(work) == before
            work.redo()
            assert mirrored(work) == done
        work.undo()
        work.remove_rule("Each")
        assert all(row[3] is None for row in mirrored(work))  # held like all it set
