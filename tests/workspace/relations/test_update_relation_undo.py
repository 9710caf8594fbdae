"""Undo of local relations: all or nothing, and not before later changes that depend on it (S-51)."""

from __future__ import annotations

import pytest

from memtui.errors import Refused
from memtui.memory.relations import RelationSpec
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import CLAUDE, FOUNDER, NATIVE, SAMPLE, find_id


def local_relations(workspace: Workspace, *ids: int) -> list[tuple[str, str]]:
    """Return (kind, target uid) of the local relations of these memories."""
    return [(t["kind"], t["to"]) for each in workspace.memories(list(ids)) for t in each.ties]


def sample_pair(workspace: Workspace) -> tuple[int, int, str, str]:
    """Return the ids and the uids of two memories of different stores."""
    one, other = find_id(workspace, SAMPLE[FOUNDER]), find_id(workspace, SAMPLE[CLAUDE])
    a, b = (each.uid for each in workspace.memories([one, other]))
    return one, other, a, b


def test_a_change_is_not_undone_before_one_that_depends_on_it(workspace: Workspace) -> None:
    one, other, _, b = sample_pair(workspace)
    first = workspace.relate(one, "supports", other)
    second = workspace.update_relation(one, "supports", other, RelationSpec("refines"))
    with pytest.raises(Refused, match="changed since"):
        workspace.undo(first.journal_id)
    assert local_relations(workspace, one) == [("refines", b)]
    workspace.undo(second.journal_id)
    assert local_relations(workspace, one) == [("supports", b)]
    workspace.undo(first.journal_id)
    assert local_relations(workspace, one) == []


def test_the_second_of_three_changes_is_not_undone(workspace: Workspace) -> None:
    one, other, _, b = sample_pair(workspace)
    workspace.relate(one, "helps", other)
    middle = workspace.update_relation(one, "helps", other, RelationSpec("aids"))
    workspace.update_relation(one, "aids", other, RelationSpec("saves"))
    with pytest.raises(Refused, match="changed since"):
        workspace.undo(middle.journal_id)
    assert local_relations(workspace, one) == [("saves", b)]


def test_undo_does_not_duplicate_a_relation_made_again(workspace: Workspace) -> None:
    one, other, _, b = sample_pair(workspace)
    workspace.relate(one, "helps", other)
    removal = workspace.unrelate(one, "helps", other)
    workspace.relate(one, "helps", other, strength=0.5)
    with pytest.raises(Refused, match="another change"):
        workspace.undo(removal.journal_id)
    assert local_relations(workspace, one) == [("helps", b)]


@pytest.mark.parametrize("locked", [FOUNDER, CLAUDE])
def test_undo_of_a_reversal_is_all_or_nothing(workspace: Workspace, locked: str) -> None:
    one, other, a, b = sample_pair(workspace)
    workspace.relate(one, "helps", other)
    reversal = workspace.update_relation(one, "helps", other, RelationSpec("helps"), reverse=True)
    assert (local_relations(workspace, one), local_relations(workspace, other)) == ([], [("helps", a)])
    workspace.lock_store(locked, True)
    with pytest.raises(Refused):
        workspace.undo(reversal.journal_id)
    assert (local_relations(workspace, one), local_relations(workspace, other)) == ([], [("helps", a)])
    workspace.lock_store(locked, False)
    workspace.undo(reversal.journal_id)
    assert (local_relations(workspace, one), local_relations(workspace, other)) == ([("helps", b)], [])
    workspace.redo()
    assert (local_relations(workspace, one), local_relations(workspace, other)) == ([], [("helps", a)])


def test_unchanged_fields_are_kept_exactly(workspace: Workspace) -> None:
    one, other = find_id(workspace, SAMPLE[NATIVE]), find_id(workspace, SAMPLE[FOUNDER])
    body = "line one\n\n  - bullet  a\n"
    workspace.relate(one, "helps", other, strength=0.8234567891, context="so   it is", body=body)
    workspace.update_relation(one, "helps", other, RelationSpec("aids", 0.8234567891, "so   it is", body))
    (relation,) = workspace.memories([one])[0].ties
    assert (relation["kind"], relation["strength"], relation["context"], relation["body"]) == (
        "aids",
        0.8234567891,
        "so   it is",
        body,
    )


def test_a_relation_that_changed_since_it_was_shown_is_refused(workspace: Workspace) -> None:
    one, other, _, b = sample_pair(workspace)
    workspace.relate(one, "helps", other, context="first")
    shown = RelationSpec("helps", None, "first", local=True)
    workspace.update_relation(one, "helps", other, RelationSpec("helps", context="second"))
    with pytest.raises(Refused, match="has changed since it was shown"):
        workspace.unrelate(one, "helps", other, was=shown)
    with pytest.raises(Refused, match="has changed since it was shown"):
        workspace.update_relation(one, "helps", other, RelationSpec("aids"), was=shown)
    assert local_relations(workspace, one) == [("helps", b)]
    workspace.unrelate(one, "helps", other, was=RelationSpec("helps", None, "second", local=True))
    assert local_relations(workspace, one) == []
