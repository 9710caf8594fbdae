"""Previews of verdicts: suggestion, outcomes, and why a verdict is blocked (S-42, S-43)."""

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
from memtui.workspace.details.pair import merge_draft
from tests.support.contradiction_stores import ContradictionStores, add_pair


def test_a_pair_has_the_outcomes_of_each_verdict(tmp_path: Path) -> None:
    stores = ContradictionStores(tmp_path, ("founder-os", "native")).create()
    with stores.opened() as workspace:
        first_id, second_id, third, _ = stores.sample_ids(workspace, "founder-os")
        workspace.relate(third, "based on", second_id)
        workspace.pin([second_id])
        detail = workspace.pair(add_pair(workspace, first_id, second_id, topic="meets on"))
        assert detail is not None
        assert (detail.a.id, detail.b.id) == (first_id, second_id)
        assert detail.dependents == (0, 1)
        assert detail.blocked == {}
        assert detail.suggestion is not None
        assert (detail.suggestion.verdict, detail.suggestion.reason) == (KEEP_B, "B is pinned.")
        assert detail.merged_text == "Meets on Monday. Meets on Friday."
        assert detail.outcomes[KEEP_A] == (
            "A replaces B: in founder-os, B's status becomes dismissed in memory.db.",
            "memtui remembers which one replaced it.",
            "1 adaptation is reverted.",
            "B is pinned, but the pin is ignored here.",
            "1 relation moves from B to A (kept in memtui).",
        )
        assert detail.outcomes[MERGE][0] == "A gets the merged text and both sets of tags in founder-os."
        assert "From now on, “start” may have several values." in detail.outcomes[BOTH_TRUE]
        nameless = workspace.pair(add_pair(workspace, first_id, third, topic="has"))
        assert nameless is not None
        assert "From now on, more than one value is allowed." in nameless.outcomes[BOTH_TRUE]
        assert detail.outcomes[LATER] == ("Both memories stay unchanged. You'll be asked again in 7 days.",)
        assert len(detail.outcomes[DISCARD_BOTH]) == 4
        assert workspace.pair(999) is None


def test_a_merge_mentions_tags_only_if_there_are_any(tmp_path: Path) -> None:
    stores = ContradictionStores(tmp_path, ("mcp-memory", "native")).create()
    with stores.opened() as workspace:
        first_id, second_id, *_ = stores.sample_ids(workspace, "mcp-memory")
        detail = workspace.pair(id := add_pair(workspace, first_id, second_id))
        assert detail is not None
        assert detail.outcomes[MERGE][0] == "A gets the merged text in mcp-memory."
        workspace.edit([second_id], {"tags": ("work",)})
        detail = workspace.pair(id)
        assert detail is not None
        assert detail.outcomes[MERGE][0] == (
            "A gets the merged text in mcp-memory; both sets of tags are kept in memtui."
        )


def test_verdicts_blocked_by_a_locked_store_or_a_changed_text(tmp_path: Path) -> None:
    stores = ContradictionStores(tmp_path, ("founder-os", "native")).create()
    with stores.opened() as workspace:
        foreign, own = (
            stores.sample_ids(workspace, "founder-os")[0],
            stores.sample_ids(workspace, "native")[0],
        )
        id = add_pair(workspace, foreign, own)
        workspace.lock_store("founder-os", True)
        detail = workspace.pair(id)
        assert detail is not None
        allowed = {BOTH_TRUE, FALSE_POSITIVE, LATER, KEEP_A if foreign < own else KEEP_B}
        assert detail.blocked.keys() == {KEEP_A, KEEP_B, MERGE, DISCARD_BOTH} - allowed
        workspace.lock_store("founder-os", False)
        workspace.edit([own], {"content": "Meets on Sunday."})
        detail = workspace.pair(id)
        assert detail is not None
        assert set(detail.blocked.values()) == {
            "This pair is no longer open: one of the memories was changed or removed."
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
def test_the_merge_draft_contains_both_texts(a: str, b: str, merged: str) -> None:
    assert merge_draft(a, b) == merged


@pytest.mark.parametrize(
    ("format", "verdict", "family", "expected"),
    [
        ("native", KEEP_A, CONTRADICTION, "A replaces B: in native, B's status becomes superseded."),
        ("native", DISCARD_BOTH, CONTRADICTION, "A is discarded: in native, A's status becomes dismissed."),
        ("base-coat", KEEP_A, CONTRADICTION, "and records there that the other memory contradicts it."),
        ("base-coat", KEEP_A, DUPLICATE, "to 0 in memory.db, so agents skip it."),
        ("minions", KEEP_B, CONTRADICTION, "deleted, resolves their contradiction and adds"),
        ("minions", KEEP_B, DUPLICATE, "memtui marks its file as deleted and adds an expiry minion."),
        ("minions", DISCARD_BOTH, CONTRADICTION, "deleted, resolves their contradiction and adds"),
        ("minions", DISCARD_BOTH, DUPLICATE, "memtui marks its file as deleted and adds an expiry minion."),
        ("claude-code", MERGE, DUPLICATE, "memtui removes its file and its line in MEMORY.md"),
    ],
)
def test_outcomes_describe_what_the_format_does(
    tmp_path: Path, format: str, verdict: str, family: str, expected: str
) -> None:
    stores = ContradictionStores(tmp_path, (format,)).create()
    with stores.opened() as workspace:
        first_id, second_id, *_ = stores.sample_ids(workspace, format)
        detail = workspace.pair(
            add_pair(workspace, first_id, second_id, family, NEAR if family == DUPLICATE else "value")
        )
        assert detail is not None
        assert expected in " ".join(detail.outcomes[verdict])
