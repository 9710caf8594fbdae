"""Whatever fails below the screens, the app stays alive and reports it, and no draft is lost (S-90)."""

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
from tests.support.sizes import FULL, shard

drive = partial(app_driver.drive, size=(80, 24))  # a larger screen costs twice as much

FAULTS = [
    PermissionError(13, "Permission denied", "/nowhere/x\x1b[2J"),
    RuntimeError("broken [/b] below\x1b[2J"),
    Refused("busy", "Permission denied or broken below.", "Try again."),
]


def break_verb(work: FakeWorkspace, verb: str, error: Exception) -> Callable[[MemtuiApp], None]:
    """Return a step that makes a verb fail."""

    def fail(*args: Any, **more: Any) -> Any:
        raise error

    return lambda app: setattr(work, verb, fail)


def is_reported(seen: str) -> bool:
    assert "\x1b" not in seen
    return "Permission denied" in seen or "broken" in seen


# A verb that fails, and the keys that call it.
CASES = [
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
    ("restore", ["space", "R"]),
    ("undo", ["u"]),
    ("redo", ["U"]),
    ("journal", ["7"]),
    ("journal", ["7", "r"]),
    ("journal_items", ["p", "7"]),
    ("undo", ["p", "7", "z"]),
]


def each_fault(*verbs: tuple[str, list[str]]) -> pytest.MarkDecorator:
    """Parametrize with verbs that fail, each with one of the faults in turn, or with all at full size."""
    cases = [
        (*case, error) for number, case in enumerate(verbs) for error in shard(FAULTS, number, len(FAULTS))
    ]
    names = [" ".join([*map(str, case[:-1]), type(case[-1]).__name__]) for case in cases]
    return pytest.mark.parametrize(("verb", "keys", "error"), cases, ids=names)


@each_fault(*(CASES if FULL else {verb: (verb, keys) for verb, keys in CASES}.values()))
def test_a_failing_verb_is_reported_and_the_app_stays_alive(
    verb: str, keys: list[str], error: Exception
) -> None:
    work = sample()
    app = app_on(work)
    assert is_reported(drive(app, break_verb(work, verb, error), *keys))
    assert not app._exit
    assert app.return_code in (None, 0)


@each_fault(*((verb, ["7", "1"]) for verb in ("search", "rows", "detail", "counts", "pull", "journal")))
def test_a_verb_that_fails_from_the_start_is_reported(verb: str, keys: list[str], error: Exception) -> None:
    work = sample()
    app = app_on(work)
    break_verb(work, verb, error)(app)
    seen = drive(app, *keys)
    assert is_reported(seen)
    assert "Opening the workspace" not in seen


def test_a_failed_detail_does_not_show_another_memory() -> None:
    work = sample()
    assert "keyboard-only" not in drive(app_on(work), break_verb(work, "detail", FAULTS[0]), "j", "enter")


def test_r_reloads_after_a_failed_start() -> None:
    work = sample()
    search = work.search
    app = app_on(work)
    break_verb(work, "search", FAULTS[0])(app)
    seen = drive(app, lambda a: setattr(work, "search", search), "r")
    assert "memtui targets" in seen


def test_older_changes_that_cannot_be_read_are_reported() -> None:
    work = sample()
    for _ in range(125):
        work.unpin([1])
        work.pin([1])
    seen = drive(app_on(work), "7", break_verb(work, "journal", FAULTS[1]), "G", "G")
    assert is_reported(seen)


def test_an_error_while_drawing_does_not_end_the_app(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(VirtualList, "refill", lambda *a, **k: 1 / 0)
    app = app_on()
    assert "division by zero" in drive(app)


@each_fault(("edit", ["e"]), ("add", ["a", "enter"]))
def test_a_draft_survives_every_failure(verb: str, keys: list[str], error: Exception) -> None:
    work = sample()
    seen = drive(app_on(work), *keys, *typed("XYZ "), break_verb(work, verb, error), "ctrl+s", "ctrl+s")
    assert is_reported(seen)
    assert "XYZ" in seen
    assert "Edit memory ━" in seen or "New memory in " in seen


@each_fault(("pull", ["y"]), ("detail", ["y"]), ("edit", ["y"]), ("pull", ["t"]))
def test_a_draft_survives_a_failure_after_a_conflict(verb: str, keys: list[str], error: Exception) -> None:
    work = sample()
    work.conflict = Conflict("it changed.", {"content": "mine"}, {"content": "theirs"})
    seen = drive(
        app_on(work), "e", "ctrl+home", *typed("XYZ "), "ctrl+s", break_verb(work, verb, error), *keys
    )
    assert is_reported(seen)
    assert "XYZ Ana wants" in seen
    assert "Edit memory" in seen


def test_the_stored_text_is_not_taken_from_a_store_that_cannot_be_read() -> None:
    work = sample()
    work.conflict = Conflict("it changed.", {"content": "mine"}, {"content": "theirs"})
    unreadable = {"founder-os": "founder-os cannot be read."}
    pulled = PullResult({}, unreadable, names_itself=frozenset(unreadable))
    work.pull = lambda: pulled  # type: ignore[method-assign]
    seen = drive(app_on(work), "e", "ctrl+home", *typed("XYZ "), "ctrl+s", "t")
    assert "founder-os cannot be read." in seen
    assert "XYZ Ana wants" in seen


def record_edits(work: FakeWorkspace) -> list[Mapping[str, Any]]:
    """Return a list that receives the `seen` fields of each edit from now on."""
    sent: list[Mapping[str, Any]] = []
    edit = work.edit

    def record(
        ids: Sequence[int],
        fields: Mapping[str, Any],
        *,
        seen: Mapping[str, Any] | None = None,
        retag: object = None,
        control: object = None,
    ) -> Change:
        assert seen is not None
        assert retag is None
        sent.append(seen)
        return edit(ids, fields, seen=seen)

    work.edit = record  # type: ignore[method-assign]
    return sent


def test_an_edit_includes_the_text_that_was_seen() -> None:
    work = sample()
    sent = record_edits(work)
    drive(app_on(work), "j", "e", *typed("X"), "tab", "tab", "tab", *typed("a, "), "ctrl+s")
    assert sent == [{"content": sample().memories[2].content, "tags": ("python", "release")}]


def test_overwriting_after_a_conflict_includes_the_stored_text() -> None:
    work = sample()
    sent = record_edits(work)
    work.conflict = Conflict("it changed.", {"content": "mine"}, {"content": "theirs"})

    def write_as_agent(app: MemtuiApp) -> None:
        work.memories[1] = memory(1, "theirs")

    drive(app_on(work), "e", "ctrl+home", *typed("X"), "ctrl+s", write_as_agent, "y")
    assert [seen["content"] for seen in sent] == ["Ana wants a keyboard-only review flow", "theirs"]
    assert work.memories[1].content == "XAna wants a keyboard-only review flow"


@pytest.mark.parametrize("after_conflict", [False, True])
def test_the_draft_is_kept_if_its_memory_is_gone(after_conflict: bool) -> None:
    work = sample()

    def delete_memory(app: MemtuiApp) -> None:
        del work.memories[1]

    def refuse(*args: Any, **more: Any) -> Any:
        raise Refused("nothing", "No such memory.")

    if after_conflict:
        work.conflict = Conflict("it changed.", {"content": "mine"}, {"content": "theirs"})
        steps: list[Step] = ["ctrl+s", delete_memory, "y"]
    else:
        work.edit = refuse  # type: ignore[method-assign]
        steps = [delete_memory, "ctrl+s"]
    app = app_on(work)
    seen = drive(app, "e", "ctrl+home", *typed("XYZ "), *steps)
    assert "Not saved: the memory is no longer in its store." in seen
    assert "XYZ Ana wants" in seen


def test_a_kept_draft_becomes_the_next_new_memory() -> None:
    work = sample()
    work.conflict = Conflict("it changed.", {"content": "mine"}, {"content": "theirs"})

    def delete_memory(app: MemtuiApp) -> None:
        del work.memories[1]

    seen = Shots()
    keys: list[Step] = [
        "e",
        "ctrl+home",
        *typed("XYZ "),
        "ctrl+s",
        delete_memory,
        "y",
        "escape",
        "a",
        "enter",
        seen,
        "ctrl+s",
        "a",
        "enter",
        "escape",
    ]
    drive(app_on(work), *keys)
    assert "New memory" in seen[0]
    assert "XYZ Ana wants" in seen[0]
    assert [m.content for m in work.memories.values() if m.content.startswith("XYZ")] == [
        "XYZ Ana wants a keyboard-only review flow"
    ]


def test_ctrl_c_shows_how_to_quit() -> None:
    app = app_on(sample())
    cases = {
        "1": "Press q to quit.",
        "/": "Press esc, then",
        "e": "Press esc, then",
        "7": "Press q to quit.",
        "?": "Press esc, then",
    }
    seen = {key: Shots() for key in cases}
    steps: list[Step] = []
    for key, shots in seen.items():
        steps += [key, lambda app: app.show_status(""), "ctrl+c", shots, "escape"]
    drive(app, *steps, size=(120, 36))
    for key, (shown,) in seen.items():
        assert cases[key] in shown, key


def test_a_workspace_that_cannot_be_opened_shows_the_reason() -> None:
    def fail() -> Any:
        raise PermissionError(13, "Permission denied", "/nowhere")

    assert "Permission denied: /nowhere" in drive(MemtuiApp(fail, clock=clock))


def test_the_stored_text_is_not_taken_from_a_store_that_is_being_changed() -> None:
    work = sample()
    work.conflict = Conflict("it changed.", {"content": "mine"}, {"content": "theirs"})
    work.pull = lambda: PullResult({}, {}, ("founder-os",))  # type: ignore[method-assign]
    seen = drive(app_on(work), "e", "ctrl+home", *typed("XYZ "), "ctrl+s", "t")
    assert "The store is being changed right now. Your text is still here" in seen
    assert "XYZ Ana wants" in seen
