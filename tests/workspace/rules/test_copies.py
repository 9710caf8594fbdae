"""What a rule has set of a memory is not the memory's own: copies, parts and merges do without (S-60)."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.memory.contradictions.pairs import MERGE
from memtui.workspace.workspace import Workspace
from tests.support.contradiction_stores import FORMATS, ContradictionStores, add_pair
from tests.support.sizes import sample_cases

OTHERS = [format for format in FORMATS if format != "native"]


def opened_with(tmp_path: Path, *formats: str) -> ContradictionStores:
    return ContradictionStores(tmp_path, ("native", *formats)).create()


def governed(work: Workspace, id: int) -> bool:
    (memory,) = work.memories([id])
    return "governed" in memory.tags or memory.pinned or memory.importance == 0.75


def rule(work: Workspace, when: str) -> None:
    work.add_rule("Each", when, ["tag=governed", "pin", "importance=0.75"])
    work.turn_rule("Each", on=True)
    work.apply_rules()


@pytest.mark.parametrize("move", [False, True])
@pytest.mark.parametrize("format", sample_cases(OTHERS, 3))
def test_a_copy_has_what_is_the_memory_s_own(tmp_path: Path, format: str, move: bool) -> None:
    stores = opened_with(tmp_path, format)
    with stores.opened() as work:
        (id,) = work.add({"content": "A zebra.", "tags": ("mine",), "title": "Z", "subject": "z:z"}).ids
        rule(work, "zebra store:native")
        assert governed(work, id)
        before = stores.snapshot(), work.memories([id])
        assert not {"pinned", "importance"} & set(work.preview_transfer([id], format)[0].kept)
        result = (work.move if move else work.copy)([id], format)
        (copy,) = result.change.ids
        assert not governed(work, copy)
        assert work.memories([copy])[0].tags == ("mine",)
        undone = work.undo()
        assert (stores.snapshot(), work.memories([id])) == before
        work.edit_rule("Each", when="zebra")
        work.undo(undone.journal_id)
        work.apply_rules()
        assert governed(work, copy)
        work.remove_rule("Each")
        assert work.memories([copy])[0].tags == ("mine",)  # the rule's own goes with it


def test_a_merge_takes_over_no_tag_or_pin_of_a_rule(tmp_path: Path) -> None:
    stores = opened_with(tmp_path)
    with stores.opened() as work:
        first, second, *_ = stores.sample_ids(work, "native")
        work.edit([second], {"tags": ("mine",)})
        rule(work, "friday")
        assert governed(work, second)
        pair = add_pair(work, first, second)
        work.settle(pair, MERGE, text="Meets on some day.")
        assert work.memories([first])[0].tags == ("mine",)
        assert not governed(work, first)


def test_parts_take_over_no_tag_of_a_rule(tmp_path: Path) -> None:
    stores = opened_with(tmp_path)
    with stores.opened() as work:
        (id,) = work.add({"content": "A zebra.\n\nAn ape.", "tags": ("mine",)}).ids
        rule(work, "zebra")
        parts = work.split(id, ["A zebra.", "An ape."]).ids
        assert [(each.tags, each.importance) for each in work.memories(sorted(parts))] == [
            (("mine", "governed"), 0.75),
            (("mine",), None),
        ]
