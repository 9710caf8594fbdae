"""Undo of relations that memtui keeps: whole or not at all, never what a later change stands on (S-51)."""

from __future__ import annotations

import pytest

from memtui.errors import Refused
from memtui.memory.relations import RelationSpec
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import CLAUDE, FOUNDER, NATIVE, SAMPLE, the


def ties(workspace: Workspace, *ids: int) -> list[tuple[str, str]]:
    """The relations that memtui keeps of these memories: kind, and the uid that it leads to."""
    return [(t["kind"], t["to"]) for each in workspace.memories(list(ids)) for t in each.ties]


def two(workspace: Workspace) -> tuple[int, int, str, str]:
    one, other = the(workspace, SAMPLE[FOUNDER]), the(workspace, SAMPLE[CLAUDE])
    a, b = (each.uid for each in workspace.memories([one, other]))
    return one, other, a, b


def test_what_another_change_stands_on_is_not_taken_back(workspace: Workspace) -> None:
    one, other, _, b = two(workspace)
    first = workspace.relate(one, "supports", other)
    second = workspace.retie(one, "supports", other, RelationSpec("refines"))
    with pytest.raises(Refused, match="changed since"):
        workspace.undo(first.journal_id)
    assert ties(workspace, one) == [("refines", b)]
    workspace.undo(second.journal_id)
    assert ties(workspace, one) == [("supports", b)]
    workspace.undo(first.journal_id)
    assert ties(workspace, one) == []


def test_the_middle_one_of_three_stays(workspace: Workspace) -> None:
    one, other, _, b = two(workspace)
    workspace.relate(one, "helps", other)
    middle = workspace.retie(one, "helps", other, RelationSpec("aids"))
    workspace.retie(one, "aids", other, RelationSpec("saves"))
    with pytest.raises(Refused, match="changed since"):
        workspace.undo(middle.journal_id)
    assert ties(workspace, one) == [("saves", b)]


def test_one_that_was_made_again_meanwhile_does_not_come_twice(workspace: Workspace) -> None:
    one, other, _, b = two(workspace)
    workspace.relate(one, "helps", other)
    gone = workspace.unrelate(one, "helps", other)
    workspace.relate(one, "helps", other, strength=0.5)
    with pytest.raises(Refused, match="another change"):
        workspace.undo(gone.journal_id)
    assert ties(workspace, one) == [("helps", b)]


@pytest.mark.parametrize("locked", [FOUNDER, CLAUDE])
def test_one_that_was_turned_round_comes_back_whole_or_not_at_all(workspace: Workspace, locked: str) -> None:
    one, other, a, b = two(workspace)
    workspace.relate(one, "helps", other)
    turned = workspace.retie(one, "helps", other, RelationSpec("helps"), reverse=True)
    assert (ties(workspace, one), ties(workspace, other)) == ([], [("helps", a)])
    workspace.lock_store(locked, True)
    with pytest.raises(Refused):
        workspace.undo(turned.journal_id)
    assert (ties(workspace, one), ties(workspace, other)) == ([], [("helps", a)])
    workspace.lock_store(locked, False)
    workspace.undo(turned.journal_id)
    assert (ties(workspace, one), ties(workspace, other)) == ([("helps", b)], [])
    workspace.redo()
    assert (ties(workspace, one), ties(workspace, other)) == ([], [("helps", a)])


def test_what_nobody_touched_stays_to_the_letter(workspace: Workspace) -> None:
    one, other = the(workspace, SAMPLE[NATIVE]), the(workspace, SAMPLE[FOUNDER])
    body = "line one\n\n  - bullet  a\n"
    workspace.relate(one, "helps", other, strength=0.8234567891, context="so   it is", body=body)
    workspace.retie(one, "helps", other, RelationSpec("aids", 0.8234567891, "so   it is", body))
    (tie,) = workspace.memories([one])[0].ties
    assert (tie["kind"], tie["strength"], tie["context"], tie["body"]) == (
        "aids",
        0.8234567891,
        "so   it is",
        body,
    )


def test_of_two_of_a_kind_the_shown_one_is_meant(workspace: Workspace) -> None:
    one, other, _, b = two(workspace)
    workspace.relate(one, "helps", other, context="first")
    shown = RelationSpec("helps", None, "first", local=True)
    workspace.retie(one, "helps", other, RelationSpec("helps", context="second"))
    with pytest.raises(Refused, match="no longer as it was shown"):
        workspace.unrelate(one, "helps", other, was=shown)
    with pytest.raises(Refused, match="no longer as it was shown"):
        workspace.retie(one, "helps", other, RelationSpec("aids"), was=shown)
    assert ties(workspace, one) == [("helps", b)]
    workspace.unrelate(one, "helps", other, was=RelationSpec("helps", None, "second", local=True))
    assert ties(workspace, one) == []
