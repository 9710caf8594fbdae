"""The Inbox: worst first, one key for each decision, and the next item follows by itself (S-52)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from memtui.memory.contradictions.pairs import EXACT
from memtui.memory.inbox.items import LEAVING, SECRET, STORE, InboxItem
from memtui.memory.inbox.listing import listing_of
from memtui.memory.stores import Issue
from memtui.tui.app import MemtuiApp
from memtui.tui.inbox.screen import InboxScreen
from memtui.tui.review import verdict_keys
from tests.support.app_driver import Probe, Shots, Step, app_on, drive, line_with
from tests.support.fake_workspace import (
    DAY,
    NOW,
    FakeWorkspace,
    memory,
    new_workspace,
    with_pairs,
    with_stores,
)
from tests.support.verdicts import states
from tests.support.waiting.threads import wait_until


def waiting() -> FakeWorkspace:
    """Return a workspace with something of each kind."""
    work = with_pairs()
    stores = with_stores().attached or []
    work.attached = [replace(each, findings=each.findings[:1], error="") for each in stores]
    work.inbox_items = [
        InboxItem(
            SECRET, "native", "Deploys with ghp_••••", "secret", NOW - DAY, 7, uids=("u7",),
            data={"kinds": ["github-token"]},
        ),
        InboxItem(
            LEAVING, "founder-os", "planning call with Bo, 2 Nov", "important", NOW + 3 * DAY, 5,
            uids=("u5",), data={"rule": "half-life: below 0.1", "helps": ["pin", "confirm"]},
        ),
    ]  # fmt: skip
    for n in (21, 22):
        text = f"Seen on day {n} of the fair"
        work.memories[n] = memory(n, text, status="candidate", store="base-coat")
    return work


@Probe
def wait_for_item(app: MemtuiApp) -> object:
    """A step that waits until the pair under the cursor is drawn."""
    return wait_until(lambda: not isinstance(app.screen, InboxScreen) or app.screen.is_drawn, app)


def at_inbox(*steps: Step) -> list[Step]:
    """Return the steps on the Inbox, each followed by a wait until its item is drawn."""
    found: list[Step] = ["2", wait_for_item]
    for step in steps:
        found += [step] if isinstance(step, Probe | Shots) else [step, wait_for_item]
    return found


def to_kind(kind: str) -> Probe:
    """A step that puts the cursor on the first item of a kind."""

    def move(app: MemtuiApp) -> object:
        assert isinstance(app.screen, InboxScreen)
        found = app.screen.memories
        found.move_to([each.kind for each in found.items].index(kind))
        return wait_until(lambda: isinstance(app.screen, InboxScreen) and app.screen.is_drawn, app)

    return Probe(move)


class Seen(list[str]):
    """What is under the cursor each time that `step` comes."""

    @property
    def step(self) -> Probe:
        return Probe(self._note)

    def _note(self, app: MemtuiApp) -> None:
        assert isinstance(app.screen, InboxScreen)
        item = app.screen.memories.item
        self.append(f"{item.kind} {item.label or item.store}" if item is not None else "nothing")


def test_full_half_done_and_empty(golden: Callable[[str, str], None]) -> None:
    shots, seen, work = Shots(), Seen(), waiting()
    sizes: list[Step] = [shots, (80, 24), shots, (120, 36)]
    half: list[Step] = [
        "d",
        seen.step,
        "s",
        "enter",
        seen.step,
        "a",
        seen.step,
        "v",
        seen.step,
        "a",
        "a",
        seen.step,
    ]
    rest: list[Step] = [
        "p",
        seen.step,
        "s",
        "enter",
        "enter",
        "j",
        "d",
        "enter",
        "j",
        "d",
        "d",
        seen.step,
        "n",
        seen.step,
    ]
    drive(app_on(work), *at_inbox(seen.step, *sizes, *half, *sizes, *rest, *sizes))
    for number, name in enumerate(("full", "half", "empty")):
        golden(f"inbox-{name}-120x36", shots[2 * number])
        golden(f"inbox-{name}-80x24", shots[2 * number + 1])
    assert "[2 Inbox 10]" in shots[0].splitlines()[0]
    assert "1 of 10 · about 1 min" in shots[0]
    assert "Contains a GitHub token." in shots[0]
    assert [each.split()[0] for each in seen] == [
        "secret", "secret", "escalated", "pending", "contradiction", "leaving", "store", "duplicate",
        "nothing",
    ]  # fmt: skip
    assert "6 of 10 · 5 done" in shots[2]
    assert "Nothing needs you." in shots[4]
    assert "Next:" in shots[4]
    assert "[2 Inbox]" in shots[4].splitlines()[0]


def test_undo_brings_an_item_back_under_the_cursor() -> None:
    work, seen = waiting(), Seen()
    before = dict(work.memories)
    drive(
        app_on(work), *at_inbox("s", "enter", "a", seen.step, "u", seen.step, "u", seen.step, "U", seen.step)
    )
    assert [each.split()[0] for each in seen] == ["pending", "escalated", "secret", "escalated"]
    assert work.memories[7].snoozed_until == NOW + DAY
    assert {id: each for id, each in work.memories.items() if id != 7} == {
        id: each for id, each in before.items() if id != 7
    }


def test_keys_that_do_not_fit_say_why() -> None:
    shots = Shots()
    drive(
        app_on(waiting()),
        *at_inbox(
            "a",
            shots,
            to_kind("escalated"),
            "d",
            shots,
            "e",
            shots,
            to_kind(STORE),
            "v",
            shots,
            to_kind("candidates"),
            "p",
            shots,
            "left",
            shots,
            "*",
            shots,
        ),
    )
    expected = (
        "No pair is selected.",
        "This is a pair: a b m t n resolve it, c opens it in Review.",
        "This is a pair: a b m t n resolve it, c opens it in Review.",
        "This is about a store: ⏎ opens it in Stores.",
        "These are several candidates: ⏎ lists them one by one.",
        "Only a list of candidates can be folded.",
        "There is nothing else like it to mark.",
    )
    for text, shot in zip(expected, shots, strict=True):
        assert text in shot.splitlines()[-2], text


def test_candidates_open_below_their_store_and_all_can_be_marked() -> None:
    work, shots, seen = waiting(), Shots(), Seen()
    drive(
        app_on(work),
        *at_inbox(
            to_kind("candidates"),
            "j",
            "enter",
            shots,
            "j",
            "j",
            "left",
            seen.step,
            shots,
            "enter",
            "j",
            "*",
            shots,
            "v",
            "enter",
            seen.step,
            shots,
            "u",
            seen.step,
            shots,
        ),
    )
    opened, folded, marked, confirmed, undone = shots
    assert " · 2 done" in confirmed
    assert " done" not in undone
    assert seen[2] == "candidates Seen on day 22 of the fair"
    assert "▾◌ candidate     2 candidates in base-coat" in opened
    lines = opened.splitlines()
    at = next(n for n, line in enumerate(lines) if "2 candidates in base-coat" in line)
    assert "  ◌ candidate   Seen on day 22 of the fair" in lines[at + 1]
    assert seen[0] == "candidates base-coat"
    assert "▸◌ candidate     2 candidates in base-coat" in folded
    assert "Marked 2 memories: v confirms, d dismisses, s snoozes them." in marked
    assert seen[1].startswith("duplicate")
    assert {work.memories[n].status for n in (21, 22)} == {"candidate"}


def test_all_exact_copies_but_one_are_marked() -> None:
    work, shots = waiting(), Shots()
    work.memories |= {n: memory(n, "The office cat is called Mimi.") for n in (31, 32, 33, 34)}
    pair = work.pairs_by_id[3]
    for id, a, b in ((11, 31, 32), (12, 32, 33), (13, 31, 33), (14, 33, 34)):
        other = "base-coat" if b == 34 else "native"  # what another agent knows is no spare copy
        stores, labels = ("native", other), ("The office cat", "The office cat")
        work.pairs_by_id[id] = replace(pair, id=id, a=a, b=b, kind=EXACT, stores=stores, labels=labels)
    drive(app_on(work), *at_inbox("G", "*", "enter", shots, "d", shots, "enter", shots))
    assert "Marked 2 exact copies, all but one of each: d dismisses them." in shots[0]
    assert "Dismiss 2 memories" in shots[1]
    statuses = [work.memories[n].status for n in (31, 32, 33, 34)]
    assert statuses == ["confirmed", "dismissed", "dismissed", "confirmed"]
    assert line_with(shots[0], "Marked").strip()
    assert " · 3 done" in shots[2]


def test_kinds_are_switched_off_and_on() -> None:
    shots = Shots()
    drive(
        app_on(waiting()),
        *at_inbox(
            "f", shots, "space", "enter", shots, "1", "2", shots, "f", "a", "a", "enter", shots, "*", shots
        ),
    )
    dialog, without, again, none, mute = shots
    assert "esc cancel ━┛" in dialog
    assert "✓ ◆ secrets" in dialog
    assert "◆ 1 off" in without
    assert "Deploys with" not in without
    assert "Deploys with" not in again
    assert "Nothing in the kinds shown." in none
    assert "10 items hidden by kind: f shows them" in none
    assert "d dismiss" not in none
    assert "Nothing to mark: what is left is hidden by kind" in mute


def test_snoozing_hides_a_memory_a_pair_and_a_finding() -> None:
    work, seen = waiting(), Seen()
    drive(
        app_on(work),
        *at_inbox(
            to_kind("pending"),
            "s",
            "enter",
            seen.step,
            "s",
            "enter",
            seen.step,
            to_kind(STORE),
            "s",
            "down",
            "enter",
        ),
    )
    assert work.memories[3].snoozed_until == NOW + DAY
    assert [each.split()[0] for each in seen] == ["contradiction", "contradiction"]
    assert states(work).count("later") == 1
    assert list(work.put_off.values()) == [NOW + 7 * DAY]


def test_keys_lead_to_other_screens_and_back() -> None:
    shots = Shots()
    drive(
        app_on(waiting()),
        *at_inbox(
            to_kind("contradiction"),
            "j",
            "c",
            shots,
            "2",
            "o",
            shots,
            "2",
            to_kind(STORE),
            "enter",
            "2",
            "enter",  # while the list of stores is read again
            shots,
            "2",
            to_kind("escalated"),
            "enter",
            shots,
            "escape",
            shots,
        ),
    )
    review, graph, stores, full, back = shots
    assert "CI takes [14] minutes" in review
    assert "[4 Graph]" in graph
    assert "[8 Stores]" in stores
    assert "/srv/base-coat/memory.jsonl" in stores
    assert "┏━ Pair" in full
    assert "“we can drop 3.11 now”" in full
    assert "┏━ Needs you" in back


def test_a_finding_is_opened_on_its_line() -> None:
    work = waiting()
    item = next(each for each in work.inbox().items if each.kind == STORE)
    work.issues = [
        *(Issue(item.store, "other", f"notes/{n}.md", "No date.") for n in range(3)),
        Issue(item.store, item.code, "notes/here.md", item.label, repair="Writes it anew."),
    ]
    shots = Shots()
    drive(app_on(work), *at_inbox(to_kind(STORE), "enter", shots, "F", shots))
    opened, repaired = shots
    assert "┏━ Findings" in opened
    assert "4 of 4" in opened
    assert [each.place for each in work.repaired] == ["notes/here.md"]
    assert "Repaired: " in repaired


def test_a_key_for_the_last_pair_settles_nothing_of_the_next() -> None:
    work = waiting()

    def twice(app: MemtuiApp) -> None:
        assert isinstance(app.screen, InboxScreen)
        app.screen.action_keep_a()
        app.screen.action_keep_a()

    drive(app_on(work), *at_inbox(to_kind("contradiction"), twice, Probe(lambda app: None)))
    assert states(work).count("settled") == 1


def test_a_key_for_an_item_that_just_went_does_nothing_to_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdict_keys, "MIN_VISIBLE_SECONDS", 60.0)
    work, shots = waiting(), Shots()
    work.memories[41] = memory(41, "Was told in passing", status="pending")

    def cause_goes(app: MemtuiApp) -> None:
        assert isinstance(app.screen, InboxScreen)
        item = app.screen.memories.item
        assert item is not None
        assert item.id is not None
        del work.memories[item.id]
        app.inbox = listing_of(work.inbox())
        app.screen.action_confirm()

    drive(app_on(work), *at_inbox(to_kind("pending"), cause_goes, shots))
    (left,) = {3, 41} & work.memories.keys()
    assert work.memories[left].status == "pending"
    assert "this item just appeared" in shots[0]


def test_the_cursor_stays_on_its_item_when_others_come_and_go() -> None:
    work, seen = waiting(), Seen()

    def agents_write(app: MemtuiApp) -> None:
        del work.pairs_by_id[1]
        work.memories[41] = memory(99, "Was told in passing", status="pending")
        app.inbox_reader.refresh()

    def cause_goes(app: MemtuiApp) -> None:
        del work.pairs_by_id[2]
        app.inbox_reader.refresh()

    drive(
        app_on(work),
        *at_inbox(to_kind("contradiction"), seen.step, agents_write, seen.step, cause_goes, seen.step),
    )
    assert (
        seen[0]
        == seen[1]
        == "contradiction editor is neovim, terminal is kitty / editor is helix, terminal is kitty"
    )
    assert seen[2].startswith("contradiction CI takes")


def test_a_change_that_fails_brings_its_item_back() -> None:
    work, shots = waiting(), Shots()
    lock = Probe(lambda app: work.locked.add(3))
    drive(app_on(work), *at_inbox(to_kind("pending"), lock, "v", shots))
    assert "was changed." in shots[0]
    assert "? pending       memtui is a web app (React)" in shots[0]


def test_an_empty_workspace_and_one_that_cannot_be_read() -> None:
    work = new_workspace()
    assert "Nothing needs you." in drive(app_on(work), "2", "d", "a", "s", "enter", "*", "c", "o")
    work = waiting()
    work.errors["inbox"] = OSError("disk I/O error")
    seen = drive(app_on(work), "2", "d")
    assert "Needs you" in seen
