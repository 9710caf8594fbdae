"""The Inbox has each thing that needs the person once, worst first, as long as its cause is there (S-52)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memtui.errors import NotUndone
from memtui.memory.encoding import iso
from memtui.memory.imported import Imported
from memtui.memory.inbox.items import (
    CANDIDATES,
    CONTRADICTION,
    DUPLICATE,
    ESCALATED,
    KINDS,
    LEAVING,
    PENDING,
    SECRET,
    STORE,
    InboxItem,
)
from memtui.memory.inbox.wording import reason
from memtui.values import FieldValue
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import Clock
from tests.support.stores import base_coat

DAY = 86_400.0
TOKEN = "gh" + "p_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7aB3dE6gH9"


class Waiting:
    """A workspace with one thing of each kind, and its clock."""

    def __init__(self, path: Path) -> None:
        self.clock = Clock()
        self.workspace = Workspace.open(path, clock=self.clock)

    def add(self, content: str, **fields: FieldValue) -> int:
        found = [Imported(0, {"content": content, **fields})]
        return self.workspace.import_memories(self.workspace.import_preview(found).items).ids[0]

    def items(self, kind: str = "") -> list[InboxItem]:
        self.workspace.sweep_secrets()
        self.workspace.scan()
        return [each for each in self.workspace.inbox().items if not kind or each.kind == kind]


@pytest.fixture
def waiting(tmp_path: Path) -> Iterator[Waiting]:
    waiting = Waiting(tmp_path / "w.db")
    now = waiting.clock.now
    waiting.add(f"Deploys with {TOKEN}")
    waiting.add("Speaks Portuguese", status="pending")
    for n in range(3):
        waiting.add(f"Was seen on day {n} of the fair", status="candidate")
    waiting.add("Invoices of Brightwater are paid net 30.", subject="Brightwater")
    waiting.add("Invoices of Brightwater are never paid net 30.", subject="Brightwater")
    for _ in range(2):
        waiting.workspace.add({"content": "The office cat is called Mimi."})
    waiting.add("The freeze holds until the audit", importance=0.9, expires_at=now + 5 * DAY)
    waiting.add("Lunch is at noon", importance=0.1, expires_at=now + 5 * DAY)
    graph = tmp_path / "memory.jsonl"
    entity = '{"type":"entity","name":"%s","entityType":"person","observations":["x"]}\n'
    graph.write_text("".join(entity % name for name in ("Bo", "Ana", "Jan")) + "broken\n")
    waiting.workspace.attach(graph, "graph")
    yield waiting
    waiting.workspace.close()


def test_each_kind_is_there_once_in_order(waiting: Waiting) -> None:
    items = waiting.items()
    kinds = [each.kind for each in items]
    assert kinds == [SECRET, PENDING, CONTRADICTION, LEAVING, STORE, CANDIDATES, DUPLICATE]
    assert kinds == [kind for kind in KINDS if kind in kinds]
    assert len({each.key for each in items}) == len(items)
    by_kind = {each.kind: each for each in items}
    assert TOKEN not in by_kind[SECRET].label
    assert reason(by_kind[SECRET]) == "contains a GitHub token"
    assert (by_kind[CANDIDATES].count, by_kind[CANDIDATES].store) == (3, "native")
    assert by_kind[LEAVING].code == "important"
    assert by_kind[STORE].store == "graph"
    assert by_kind[CONTRADICTION].label == (
        "Brightwater: Invoices of Brightwater are paid net 30. / "
        "Invoices of Brightwater are never paid net 30."
    )


def test_no_text_of_an_item_has_a_secret_even_before_it_is_searched(waiting: Waiting, tmp_path: Path) -> None:
    now = waiting.clock.now
    waiting.add(f"Knows {TOKEN}", status="pending")
    waiting.add(f"Guesses {TOKEN}", status="candidate")
    waiting.add(f"Leaves with {TOKEN}", importance=0.9, expires_at=now + DAY)
    for word in ("always", "never"):
        waiting.add(f"Deploys {word} run on Friday.", subject=f"job {TOKEN}")
    bad = tmp_path / "bad.jsonl"
    relation = {"type": "relation", "from": f"gone {TOKEN}", "to": f"gone {TOKEN}", "relationType": "knows"}
    bad.write_text(json.dumps(relation))
    waiting.workspace.attach(bad, "bad")
    waiting.workspace.scan()
    inbox = waiting.workspace.inbox(["native"])
    shown = [str(item) for item in inbox.items]
    assert TOKEN not in str(shown)
    for text in ("Knows", "Guesses", "Leaves", "job", "“gone"):
        assert any(text in each and "•" * len(TOKEN) in each for each in shown), text
    assert any(each.label.startswith("job •") and each.label.count("job") == 1 for each in inbox.items)


def test_an_item_goes_with_its_cause_and_returns_with_undo(waiting: Waiting) -> None:
    workspace = waiting.workspace
    decisions: tuple[tuple[str, Callable[[Any], object]], ...] = (
        (SECRET, lambda each: workspace.edit([each.id], {"content": "Deploys with the vault"})),
        (PENDING, lambda each: workspace.confirm([each.id])),
        (CONTRADICTION, lambda each: workspace.settle(each.pair, "keep-a")),
        (LEAVING, lambda each: workspace.edit([each.id], {"expires_at": None})),
        (DUPLICATE, lambda each: workspace.settle(each.pair, "both-true")),
    )
    for kind, settle in decisions:
        (item,) = waiting.items(kind)
        settle(item)
        assert waiting.items(kind) == []
        workspace.undo()
        assert [each.key for each in waiting.items(kind)] == [item.key]


def test_what_is_snoozed_returns_when_its_time_comes(waiting: Waiting) -> None:
    workspace, until = waiting.workspace, waiting.clock.now + 2 * DAY
    (pending,), (secret,), (store,) = (waiting.items(kind) for kind in (PENDING, SECRET, STORE))
    assert pending.id is not None
    assert secret.id is not None
    workspace.snooze([pending.id, secret.id], until)
    workspace.snooze_findings(store.store, store.code, until)
    assert not {PENDING, SECRET, STORE} & workspace.inbox().counts.keys()
    assert workspace.inbox().next_due == until
    workspace.snooze([pending.id, secret.id], until + DAY)
    assert workspace.inbox().next_due == until  # the first of them
    workspace.snooze([pending.id, secret.id], until)
    workspace.rename_store(store.store, "renamed")
    assert STORE not in workspace.inbox().counts
    waiting.clock.now = until
    assert {PENDING, SECRET, STORE} <= workspace.inbox().counts.keys()


def test_a_snoozed_finding_is_undone_and_redone(waiting: Waiting) -> None:
    workspace, until = waiting.workspace, waiting.clock.now + 2 * DAY
    (store,) = waiting.items(STORE)
    change = workspace.snooze_findings(store.store, store.code, until)
    event = workspace.journal()[0]
    about = event.id, event.kind, event.undoable, event.count, event.label
    assert about == (change.journal_id, "snoozed", True, 0, "")
    assert "Hidden from the Inbox until" in event.summary
    for _ in range(2):
        workspace.undo()
        assert [each.key for each in waiting.items(STORE)] == [store.key]
        assert workspace.inbox().next_due is None
        workspace.redo()
        assert waiting.items(STORE) == []
    workspace.snooze_findings(store.store, store.code, until + DAY)
    with pytest.raises(NotUndone):
        workspace.undo(change.journal_id)
    workspace.undo()
    assert waiting.items(STORE) == []
    assert workspace.inbox().next_due == until


def test_snoozed_candidates_and_leaving_memories_are_not_counted(waiting: Waiting) -> None:
    workspace, later = waiting.workspace, waiting.clock.now + DAY
    one = next(each for each in workspace.inbox(["native"]).items if each.kind == CANDIDATES and each.id)
    (leaving,) = waiting.items(LEAVING)
    assert one.id is not None
    assert leaving.id is not None
    workspace.snooze([one.id, leaving.id], later)
    assert waiting.items(LEAVING) == []
    assert [each.count for each in waiting.items(CANDIDATES)] == [2]
    assert len([each for each in workspace.inbox(["native"]).items if each.kind == CANDIDATES]) == 3


def test_a_secret_goes_at_once_with_its_cause(waiting: Waiting) -> None:
    workspace = waiting.workspace
    (item,) = waiting.items(SECRET)
    assert item.id is not None
    id = item.id
    gone: tuple[Callable[[], object], ...] = (
        lambda: workspace.edit([id], {"content": "Deploys with the vault"}),
        lambda: workspace.forget([id]),
    )
    for remove in gone:
        remove()
        assert SECRET not in workspace.inbox().counts  # not only after the next sweep
        workspace.undo()
        assert workspace.inbox().counts[SECRET] == 1


def test_contradictions_escalate_after_a_week(waiting: Waiting) -> None:
    (before,) = waiting.items(CONTRADICTION)
    waiting.clock.now += 8 * DAY
    (after,) = waiting.items(ESCALATED)
    assert (after.pair, after.key) == (before.pair, before.key)
    assert waiting.items(DUPLICATE)


def test_candidates_are_listed_one_by_one_when_opened(waiting: Waiting) -> None:
    assert len([e for e in waiting.workspace.inbox(["native"]).items if e.kind == CANDIDATES and e.id]) == 3


def test_important_is_what_was_pinned_or_is_used_most(waiting: Waiting) -> None:
    workspace, soon = waiting.workspace, waiting.clock.now + 3 * DAY
    pinned = waiting.add("Rent is due on the first", expires_at=soon)
    used = waiting.add("Tea, not coffee", expires_at=soon, times_used=40)
    assert {each.id for each in waiting.items(LEAVING)}.isdisjoint({pinned})
    workspace.pin([pinned])
    workspace.unpin([pinned])
    codes = {each.id: each.code for each in waiting.items(LEAVING)}
    assert (codes[pinned], codes[used]) == ("was-pinned", "much-used")


def test_a_pin_that_was_undone_makes_nothing_important(waiting: Waiting) -> None:
    (item,) = waiting.items(LEAVING)
    assert item.id is not None
    waiting.workspace.pin([item.id])
    waiting.workspace.undo()
    assert [each.code for each in waiting.items(LEAVING)] == [item.code] == ["important"]


def test_a_leaving_memory_tells_which_verbs_keep_it(waiting: Waiting, tmp_path: Path) -> None:
    workspace, soon = waiting.workspace, iso(waiting.clock.now + 3 * DAY)
    coat = {**base_coat.many(1)[0], "expires_at": soon, "access_count": 90}
    workspace.attach(base_coat.make(tmp_path / "coat.db", [coat], relations=None), "coat")
    found = {each.store: each for each in waiting.items(LEAVING)}
    assert [found[store].data["helps"] for store in ("native", "coat")] == [["pin"], []]
    for item in found.values():
        for verb in ("pin", "confirm"):
            changed = getattr(workspace, verb)([item.id])
            left = {each.id for each in waiting.items(LEAVING)}
            helps = item.data["helps"]
            assert isinstance(helps, list)
            assert (item.id in left) is (verb not in helps), (item.store, verb)
            workspace.undo(changed.journal_id)


def test_a_secret_waits_until_it_is_out_of_its_store(waiting: Waiting) -> None:
    (item,) = waiting.items(SECRET)
    assert item.id is not None
    waiting.workspace.dismiss([item.id])
    assert waiting.items(SECRET) == [item]
    waiting.workspace.redact([item.id])
    assert waiting.items(SECRET) == []


def test_the_top_tenth_of_a_store_by_use_is_important(waiting: Waiting) -> None:
    soon = waiting.clock.now + 3 * DAY
    rare = {f"Fact {n} of the house": n for n in range(1, 40)}
    ids = {
        used: waiting.add(text, expires_at=soon if used in (20, 36, 39) else None, times_used=used)
        for text, used in rare.items()
    }
    left = {each.id for each in waiting.items(LEAVING)}
    assert {used for used in (20, 36, 39) if ids[used] in left} == {36, 39}


def test_what_was_done_today_is_counted(waiting: Waiting) -> None:
    workspace = waiting.workspace
    waiting.clock.now += DAY
    assert workspace.inbox().done_today == 0
    (pending,) = waiting.items(PENDING)
    assert pending.id is not None
    workspace.confirm([pending.id])
    assert workspace.inbox().done_today == 1
    workspace.undo()
    assert workspace.inbox().done_today == 0
    workspace._ctx.actor = "agent:bot"
    workspace.confirm([pending.id])
    assert workspace.inbox().done_today == 0
