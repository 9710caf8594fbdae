"""What is read again after a change is all that the change could alter in the Inbox (S-52)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memtui.memory.imported import Imported
from memtui.memory.inbox.items import CANDIDATES, DUPLICATE, PENDING, SECRET, Touched
from memtui.memory.inbox.listing import Listing, listing_of
from memtui.memory.results import Change
from memtui.values import FieldValue
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import Clock

DAY = 86_400.0
TOKEN = "gh" + "p_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7aB3dE6gH9"
OPENED = ("native",)


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    clock = Clock()
    workspace = Workspace.open(tmp_path / "w.db", clock=clock)
    memories: list[dict[str, FieldValue]] = [
        {"content": f"Deploys with {TOKEN}"},
        {"content": "Speaks Portuguese", "status": "pending"},
        {"content": f"The build uses {TOKEN}", "status": "pending"},
        *({"content": f"Was seen on day {n} of the fair", "status": "candidate"} for n in range(3)),
        {"content": "Invoices of Brightwater are paid net 30.", "subject": "Brightwater"},
        {"content": "Invoices of Brightwater are never paid net 30.", "subject": "Brightwater"},
        {"content": "The freeze holds until the audit", "importance": 0.9, "expires_at": clock.now + 5 * DAY},
    ]
    found = [Imported(0, each) for each in memories]
    workspace.import_memories(workspace.import_preview(found).items)
    for _ in range(2):
        workspace.add({"content": "The office cat is called Mimi."})
    graph = tmp_path / "memory.jsonl"
    entity = '{"type":"entity","name":"Bo","entityType":"person","observations":["x"]}'
    graph.write_text(f"{entity}\nbroken\n")
    workspace.attach(graph, "graph")
    workspace.sweep_secrets()
    workspace.scan()
    yield workspace
    workspace.close()


def ids_of(listing: Listing, kind: str) -> list[int]:
    return [each.id for each in listing.items if each.kind == kind and each.id is not None]


def test_a_part_makes_the_listing_what_a_whole_read_would(workspace: Workspace) -> None:
    listing = listing_of(workspace.inbox(OPENED))
    (pair, *_) = (each.pair for each in listing.items if each.kind == DUPLICATE)
    (contradiction,) = (each.pair for each in listing.items if each.kind == "contradiction")
    assert pair is not None
    assert contradiction is not None
    secret, (pending, other) = ids_of(listing, SECRET)[0], ids_of(listing, PENDING)
    candidates, leaving = ids_of(listing, CANDIDATES), ids_of(listing, "leaving")
    assert len(candidates) == 3
    assert leaving
    changes: list[Callable[[], Change]] = [
        lambda: workspace.confirm([pending]),
        workspace.undo,
        lambda: workspace.dismiss([secret, other, candidates[1]]),
        lambda: workspace.edit(candidates[:1], {"content": f"Was seen with {TOKEN}"}),
        lambda: workspace.snooze(leaving, workspace.now() + 30 * DAY),
        workspace.undo,
        lambda: workspace.settle(contradiction, "keep-a"),
        lambda: workspace.settle(pair, "both-true"),
        workspace.undo,
        lambda: workspace.edit(leaving, {"expires_at": None}),
        lambda: workspace.add({"content": f"Pushes with {TOKEN}"}),
        lambda: workspace.forget([candidates[2]]),
        *[workspace.undo] * 4,
    ]
    seen = {tuple(each.key for each in listing.items)}
    for change in changes:
        done = change()
        assert done.journal_id is not None
        part = workspace.inbox(OPENED, Touched(entries=frozenset((done.journal_id,))))
        assert len(part.items) < len(listing.items)
        listing = listing.with_part(part, OPENED)
        assert repr(listing) == repr(listing_of(workspace.inbox(OPENED))), done.summary
        seen.add(tuple(each.key for each in listing.items))
    assert len(seen) > 6


def test_candidates_come_with_their_store_and_go_with_it(workspace: Workspace) -> None:
    folded = listing_of(workspace.inbox())
    part = workspace.inbox(OPENED, Touched(stores=frozenset(OPENED)))
    opened = folded.with_part(part, OPENED)
    assert repr(opened) == repr(listing_of(workspace.inbox(OPENED)))
    assert repr(opened.with_part(part, OPENED)) == repr(opened)
    closed = opened.with_part(workspace.inbox((), Touched(stores=frozenset(OPENED))), ())
    assert repr(closed) == repr(folded)


def test_no_label_has_a_secret(workspace: Workspace) -> None:
    text = repr(workspace.inbox(OPENED).items)
    assert "Deploys with •" in text
    assert "The build uses •" in text
    assert TOKEN not in text


def test_the_sweep_tells_whose_secrets_are_others_than_before(workspace: Workspace) -> None:
    told: list[int] = []
    (id,) = workspace.add({"content": f"Pushes with {TOKEN}"}).ids
    workspace.add({"content": "Tea, not coffee"})
    workspace.sweep_secrets(on_found=told.extend)
    assert told == [id]
    for text, expected in ((f"Pushes now with {TOKEN}", []), ("Pushes with the vault", [id])):
        told.clear()
        workspace.edit([id], {"content": text})
        workspace.sweep_secrets(on_found=told.extend)
        assert told == expected
