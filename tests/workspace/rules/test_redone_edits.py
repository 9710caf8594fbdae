"""A text that is redone stays when rules take back what they set of it (S-51, S-60)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.contradiction_stores import FORMATS, ContradictionStores
from tests.support.sizes import sample_cases, shard

NEW = "Entirely other zebra text."
ACTIONS = (["tag=governed", "pin"], ["pin", "tag=governed"], ["pin", "importance=0.75"])
CASES = [(format, actions) for format in FORMATS for actions in ACTIONS]


@pytest.mark.parametrize(
    ("format", "actions"), [("cognitive", ACTIONS[0]), *shard(CASES, 0, 3)], ids=lambda each: str(each)
)
def test_a_redone_text_outlives_what_rules_set_before(
    tmp_path: Path, format: str, actions: list[str]
) -> None:
    stores = ContradictionStores(tmp_path, (format,)).create()
    with stores.opened() as work:
        ids = list(work.search(f"store:{format} is:live -kind:episode").ids)
        before = {memory.uid: memory.pinned for memory in work.memories(ids)}
        work.add_rule("Until edited", f"store:{format} -zebra", actions)
        work.turn_rule("Until edited", on=True)
        work.apply_rules()
        for id in sample_cases(ids, 3):
            (memory,) = work.memories([id])
            text, pinned = memory.content, before[memory.uid]
            assert memory.pinned
            edited = work.edit([id], {"content": NEW})
            assert work.memories([id])[0].content == NEW
            work.undo(edited.journal_id)
            assert work.memories([id])[0].content == text
            work.redo()
            work.apply_rules()
            work.pull()
            (memory,) = work.memories([id])
            assert (memory.content, memory.pinned, "governed" in memory.tags) == (NEW, pinned, False)
            work.undo()
            assert work.memories([id])[0].content == text
