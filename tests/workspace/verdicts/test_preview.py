"""What is told of a pair before a verdict: suggestion, outcome, and why not (S-42, S-43)."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.memory.contradictions.pairs import (
    BOTH_TRUE,
    CONTRADICTION,
    DISCARD_BOTH,
    DUPLICATE,
    FALSE_POSITIVE,
    KEEP_A,
    KEEP_B,
    LATER,
    MERGE,
    NEAR,
)
from memtui.workspace.verdicts.preview import merge_draft
from tests.support.contradiction_stores import ContradictionStores, add_pair


def test_a_pair_is_told_with_what_each_verdict_does_where(tmp_path: Path) -> None:
    stores = ContradictionStores(tmp_path, ("founder-os", "native")).create()
    with stores.opened() as workspace:
        one, two, third, _ = stores.sample_ids(workspace, "founder-os")
        workspace.relate(third, "rests on", two)
        workspace.pin([two])
        told = workspace.pair(add_pair(workspace, one, two, topic="meets on"))
        assert told is not None
        assert (told.a.id, told.b.id) == (one, two)
        assert told.dependents == (0, 1)
        assert told.blocked == {}
        assert told.suggestion is not None
        assert (told.suggestion.verdict, told.suggestion.reason) == (KEEP_B, "B is pinned.")
        assert told.merged_text == "Meets on Monday. Meets on Friday."
        assert told.outcomes[KEEP_A] == (
            "B gives way to A: in founder-os its status becomes dismissed in memory.db.",
            "Which one it gave way to is kept in memtui.",
            "1 adaptation is reverted.",
            "B is pinned, and leaves all the same.",
            "1 relation moves from B to A, kept in memtui.",
        )
        assert told.outcomes[MERGE][0] == "A takes the merged text and the tags of both, in founder-os."
        assert "From now on “meets on” may have several values." in told.outcomes[BOTH_TRUE]
        assert told.outcomes[LATER] == ("Both memories stay as they are; it is asked again in 7 days.",)
        assert len(told.outcomes[DISCARD_BOTH]) == 4
        assert workspace.pair(999) is None


def test_a_merge_tells_of_tags_only_where_some_come(tmp_path: Path) -> None:
    stores = ContradictionStores(tmp_path, ("mcp-memory", "native")).create()
    with stores.opened() as workspace:
        one, two, *_ = stores.sample_ids(workspace, "mcp-memory")
        told = workspace.pair(id := add_pair(workspace, one, two))
        assert told is not None
        assert told.outcomes[MERGE][0] == "A takes the merged text, in mcp-memory."
        workspace.edit([two], {"tags": ("work",)})
        told = workspace.pair(id)
        assert told is not None
        assert told.outcomes[MERGE][0] == (
            "A takes the merged text and the tags of both, in mcp-memory; its tags are kept in memtui."
        )


def test_a_locked_store_is_told_before(tmp_path: Path) -> None:
    stores = ContradictionStores(tmp_path, ("founder-os", "native")).create()
    with stores.opened() as workspace:
        foreign, own = (
            stores.sample_ids(workspace, "founder-os")[0],
            stores.sample_ids(workspace, "native")[0],
        )
        id = add_pair(workspace, foreign, own)
        workspace.lock_store("founder-os", True)
        told = workspace.pair(id)
        assert told is not None
        free = {BOTH_TRUE, FALSE_POSITIVE, LATER, KEEP_A if foreign < own else KEEP_B}
        assert told.blocked.keys() == {KEEP_A, KEEP_B, MERGE, DISCARD_BOTH} - free
        workspace.lock_store("founder-os", False)
        workspace.edit([own], {"content": "Meets on Sunday."})
        told = workspace.pair(id)
        assert told is not None
        assert set(told.blocked.values()) == {
            "One of the two says something else since it was found; it is compared again first."
        }


@pytest.mark.parametrize(
    ("a", "b", "merged"),
    [
        ("Likes tea.", "likes  tea", "Likes tea."),
        ("Likes tea", "Likes tea, and coffee.", "Likes tea, and coffee."),
        ("Likes tea. Has a cat.", "Has a cat. Has a dog.", "Likes tea. Has a cat. Has a dog."),
        ("One\nTwo", "Two\nThree", "One\nTwo\nThree"),
        ("", "Likes tea.", "Likes tea."),
    ],
)
def test_a_merge_begins_with_all_that_both_say(a: str, b: str, merged: str) -> None:
    assert merge_draft(a, b) == merged


@pytest.mark.parametrize(
    ("format", "verdict", "family", "told"),
    [
        ("native", KEEP_A, CONTRADICTION, "B gives way to A: in native its status becomes superseded."),
        ("native", DISCARD_BOTH, CONTRADICTION, "A leaves: in native its status becomes dismissed."),
        ("base-coat", KEEP_A, CONTRADICTION, "and says there that the other memory contradicts it."),
        ("base-coat", KEEP_A, DUPLICATE, "to 0 in memory.db, so that agents pass over it."),
        ("minions", KEEP_B, CONTRADICTION, "deleted, resolves their contradiction and writes"),
        ("minions", KEEP_B, DUPLICATE, "memtui marks its file as deleted and writes an expiry minion."),
        ("minions", DISCARD_BOTH, CONTRADICTION, "deleted, resolves their contradiction and writes"),
        ("minions", DISCARD_BOTH, DUPLICATE, "memtui marks its file as deleted and writes an expiry minion."),
        ("claude-code", MERGE, DUPLICATE, "memtui removes its file and its line in MEMORY.md"),
    ],
)
def test_what_is_told_is_what_the_format_does(
    tmp_path: Path, format: str, verdict: str, family: str, told: str
) -> None:
    stores = ContradictionStores(tmp_path, (format,)).create()
    with stores.opened() as workspace:
        one, two, *_ = stores.sample_ids(workspace, format)
        detail = workspace.pair(
            add_pair(workspace, one, two, family, NEAR if family == DUPLICATE else "value")
        )
        assert detail is not None
        assert told in " ".join(detail.outcomes[verdict])
