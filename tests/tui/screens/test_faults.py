"""Whatever fails below, the screen lives, says so, and no draft is lost (S-90)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import pytest

from memtui.errors import Conflict, Refused
from memtui.memory.results import Change
from memtui.memory.stores import PullResult
from memtui.tui.app import MemtuiApp
from memtui.tui.common.virtual_list import VirtualList
from tests.support import app_driver
from tests.support.app_driver import Shots, Step, app_on, typed
from tests.support.fake_workspace import FakeWorkspace, clock, memory, sample
from tests.support.sizes import turn

drive = partial(app_driver.drive, size=(80, 24))  # a larger screen costs twice as much

FAULTS = [
    PermissionError(13, "Permission denied", "/nowhere/x\x1b[2J"),
    RuntimeError("broken [/b] below\x1b[2J"),
    Refused("busy", "Permission denied or broken below.", "Try again."),
]


def breaks(work: FakeWorkspace, verb: str, error: Exception) -> Callable[[MemtuiApp], None]:
    """From this step on the verb fails."""

    def broken(*args: Any, **more: Any) -> Any:
        raise error

    return lambda app: setattr(work, verb, broken)


def told(seen: str) -> bool:
    assert "\x1b" not in seen
    return "Permission denied" in seen or "broken" in seen


# A verb that fails from the start, or once the screen stands, and the keys that ask for it.
WAYS = [
    ("detail", ["j"]),
    ("detail", ["enter"]),
    ("detail", ["e"]),
    ("detail", ["y"]),
    ("rows", ["r"]),
    ("rows", ["v"]),
    ("search", ["/", "c"]),
    ("search", [","]),
    ("search", ["p"]),
    ("counts", ["p"]),
    ("pull", ["r"]),
    ("pin", ["j", "p"]),
    ("unpin", ["p"]),
    ("rows", ["p"]),
    ("confirm", ["v"]),
    ("dismiss", ["d"]),
    ("restore", ["*", "R"]),
    ("undo", ["u"]),
    ("redo", ["U"]),
    ("journal", ["7"]),
    ("journal", ["7", "r"]),
    ("journal_items", ["p", "7"]),
    ("undo", ["p", "7", "z"]),
]


def each_fault(*ways: tuple[str, list[str]]) -> pytest.MarkDecorator:
    """Parametrize with the ways to fail, each with one of the faults in turn, and in the soak with all."""
    cases = [(*way, error) for number, way in enumerate(ways) for error in turn(FAULTS, number, len(FAULTS))]
    names = [" ".join([*map(str, case[:-1]), type(case[-1]).__name__]) for case in cases]
    return pytest.mark.parametrize(("verb", "keys", "error"), cases, ids=names)


@each_fault(*WAYS)
def test_what_fails_is_said_and_the_app_lives(verb: str, keys: list[str], error: Exception) -> None:
    work = sample()
    app = app_on(work)
    assert told(drive(app, breaks(work, verb, error), *keys))
    assert not app._exit
    assert app.return_code in (None, 0)


@each_fault(*((verb, ["7", "1"]) for verb in ("search", "rows", "detail", "counts", "pull", "journal")))
def test_what_fails_from_the_start_is_said_too(verb: str, keys: list[str], error: Exception) -> None:
    work = sample()
    app = app_on(work)
    breaks(work, verb, error)(app)
    seen = drive(app, *keys)
    assert told(seen)
    assert "Opening the workspace" not in seen


def test_the_text_of_another_memory_does_not_stay() -> None:
    work = sample()
    assert "keyboard-only" not in drive(app_on(work), breaks(work, "detail", FAULTS[0]), "j", "enter")


def test_after_a_failed_start_r_reads_again() -> None:
    work = sample()
    search = work.search
    app = app_on(work)
    breaks(work, "search", FAULTS[0])(app)
    seen = drive(app, lambda a: setattr(work, "search", search), "r")
    assert "memtui targets" in seen


def test_older_changes_that_cannot_be_read() -> None:
    work = sample()
    for _ in range(125):
        work.unpin([1])
        work.pin([1])
    seen = drive(app_on(work), "7", breaks(work, "journal", FAULTS[1]), "G", "G")
    assert told(seen)


def test_drawing_that_fails_in_a_worker_does_not_kill(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(VirtualList, "refill", lambda *a, **k: 1 / 0)
    app = app_on()
    assert "division by zero" in drive(app)


@each_fault(("edit", ["e"]), ("add", ["a"]))
def test_a_draft_outlives_any_failure(verb: str, keys: list[str], error: Exception) -> None:
    work = sample()
    seen = drive(app_on(work), *keys, *typed("XYZ "), breaks(work, verb, error), "ctrl+s", "ctrl+s")
    assert told(seen)
    assert "XYZ" in seen
    assert "memory ━" in seen


@each_fault(("pull", ["y"]), ("detail", ["y"]), ("edit", ["y"]), ("pull", ["t"]))
def test_a_draft_outlives_a_failure_after_a_conflict(verb: str, keys: list[str], error: Exception) -> None:
    work = sample()
    work.clash = Conflict("it changed.", {"content": "mine"}, {"content": "theirs"})
    seen = drive(app_on(work), "e", *typed("XYZ "), "ctrl+s", breaks(work, verb, error), *keys)
    assert told(seen)
    assert "XYZ Ana wants" in seen
    assert "Edit memory" in seen


def test_theirs_is_not_taken_from_a_store_that_cannot_be_read() -> None:
    work = sample()
    work.clash = Conflict("it changed.", {"content": "mine"}, {"content": "theirs"})
    work.pull = lambda: PullResult({}, {"founder-os": "founder-os cannot be read."})  # type: ignore[method-assign]
    seen = drive(app_on(work), "e", *typed("XYZ "), "ctrl+s", "t")
    assert "founder-os cannot be read." in seen
    assert "XYZ Ana wants" in seen


def recorded(work: FakeWorkspace) -> list[Mapping[str, Any]]:
    sent: list[Mapping[str, Any]] = []
    edit = work.edit

    def keep(
        ids: Sequence[int],
        fields: Mapping[str, Any],
        *,
        seen: Mapping[str, Any] | None = None,
        retag: object = None,
    ) -> Change:
        assert seen is not None
        assert retag is None
        sent.append(seen)
        return edit(ids, fields, seen=seen)

    work.edit = keep  # type: ignore[method-assign]
    return sent


def test_what_the_person_saw_is_sent_along() -> None:
    work = sample()
    sent = recorded(work)
    drive(app_on(work), "j", "e", *typed("X"), "tab", "tab", "tab", *typed("a, "), "ctrl+s")
    assert sent == [{"content": sample().memories[2].content, "tags": ("python", "release")}]


def test_after_mine_what_stands_there_now_is_sent_along() -> None:
    work = sample()
    sent = recorded(work)
    work.clash = Conflict("it changed.", {"content": "mine"}, {"content": "theirs"})

    def agent(app: MemtuiApp) -> None:
        work.memories[1] = memory(1, "theirs")

    drive(app_on(work), "e", *typed("X"), "ctrl+s", agent, "y")
    assert [seen["content"] for seen in sent] == ["Ana wants a keyboard-only review flow", "theirs"]
    assert work.memories[1].content == "XAna wants a keyboard-only review flow"


@pytest.mark.parametrize("over", [False, True])
def test_a_memory_that_is_gone_keeps_the_draft_for_a_new_one(over: bool) -> None:
    work = sample()

    def gone(app: MemtuiApp) -> None:
        del work.memories[1]

    def refuses(*args: Any, **more: Any) -> Any:
        raise Refused("nothing", "There is no such memory.")

    if over:
        work.clash = Conflict("it changed.", {"content": "mine"}, {"content": "theirs"})
        ways: list[Step] = ["ctrl+s", gone, "y"]
    else:
        work.edit = refuses  # type: ignore[method-assign]
        ways = [gone, "ctrl+s"]
    app = app_on(work)
    seen = drive(app, "e", *typed("XYZ "), *ways)
    assert "The store no longer has this memory" in seen
    assert "XYZ Ana wants" in seen


def test_the_kept_draft_begins_the_next_new_memory_and_is_saved_as_one() -> None:
    work = sample()
    work.clash = Conflict("it changed.", {"content": "mine"}, {"content": "theirs"})

    def gone(app: MemtuiApp) -> None:
        del work.memories[1]

    seen = Shots()
    keys: list[Step] = [
        "e",
        *typed("XYZ "),
        "ctrl+s",
        gone,
        "y",
        "escape",
        "a",
        seen,
        "ctrl+s",
        "a",
        "escape",
    ]
    drive(app_on(work), *keys)
    assert "New memory" in seen[0]
    assert "XYZ Ana wants" in seen[0]
    assert [m.content for m in work.memories.values() if m.content.startswith("XYZ")] == [
        "XYZ Ana wants a keyboard-only review flow"
    ]


def test_ctrl_c_says_how_to_quit() -> None:
    app = app_on(sample())
    cases = {
        "1": "q quits.",
        "/": "esc leaves this",
        "e": "esc leaves this",
        "7": "q quits.",
        "?": "esc leaves this",
    }
    seen = {key: Shots() for key in cases}
    steps: list[Step] = []
    for key, shots in seen.items():
        steps += [key, lambda app: app.show_status(""), "ctrl+c", shots, "escape"]
    drive(app, *steps, size=(120, 36))
    for key, (shown,) in seen.items():
        assert cases[key] in shown, key


def test_an_open_that_fails_in_words() -> None:
    def broken() -> Any:
        raise PermissionError(13, "Permission denied", "/nowhere")

    assert "Permission denied: /nowhere" in drive(MemtuiApp(broken, clock=clock))


def test_theirs_is_not_taken_from_a_store_that_is_being_changed() -> None:
    work = sample()
    work.clash = Conflict("it changed.", {"content": "mine"}, {"content": "theirs"})
    work.pull = lambda: PullResult({}, {}, ("founder-os",))  # type: ignore[method-assign]
    seen = drive(app_on(work), "e", *typed("XYZ "), "ctrl+s", "t")
    assert "being changed just now. Your text is still here" in seen
    assert "XYZ Ana wants" in seen
