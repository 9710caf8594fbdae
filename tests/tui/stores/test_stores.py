"""The Stores screen: attached and discovered stores, their health, findings, and every key."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from textual.widgets import Input

from memtui.errors import Refused
from memtui.memory.stores import Backup, DiscoveredStore, Issue, StoreInfo
from memtui.tui.app import MemtuiApp
from memtui.tui.stores.path_dialog import candidates
from memtui.tui.stores.screen import StoresScreen
from memtui.tui.stores.store_text import fit_end, health
from memtui.workspace.stores.catalog import NAME_LENGTH
from tests.support.app_driver import Probe, Shots, Step, app_on, drive, line_with, screen_text, typed
from tests.support.fake_workspace import NOW, FakeWorkspace, sample, with_stores
from tests.support.sizes import FULL, sample_cases, shard
from tests.support.waiting.stores import wait_for_stores

Golden = Callable[[str, str], None]

NATIVE, FOUNDER, COAT, ORDERS, WWW, ASSISTANT = range(6)  # the lines of with_stores(), without the heading
OPEN: list[Step] = ["8", wait_for_stores]


def at(line: int) -> list[Step]:
    """Return the steps that open the screen and move the cursor to a store."""
    return [*OPEN, *to(line)]


def to(line: int) -> list[Step]:
    """Return the steps that move the cursor to a store."""
    return ["g", *["j"] * line]


def status_line(seen: str) -> str:
    """Return the status line."""
    return seen.splitlines()[-2]


def unwrapped(seen: str) -> str:
    """Return the screen without the frames of dialogs and line breaks."""
    return " ".join(seen.replace("┃", " ").split())


def clear_status(app: MemtuiApp) -> None:
    """A step that clears the status line, so that the next message is known to be new."""
    app.show_status("")


def names(work: FakeWorkspace) -> list[str]:
    """Return the names of the attached stores."""
    return [store.name for store in work.stores()]


def path_field(app: MemtuiApp) -> Input:
    return app.screen.query_one("#path", Input)


def test_stores_are_listed_with_what_a_change_does_and_the_cursor_skips_the_heading(
    golden: Golden,
) -> None:
    shots = Shots()
    drive(app_on(with_stores()), *OPEN, shots, (80, 24), "j", shots, *to(WWW), shots, "k", shots, "G", shots)
    assert "What each action does here" in shots[0]
    assert "raises confidence in its row" in shots[0]
    golden("stores-120x36", shots[0])
    golden("stores-80x24", shots[1])
    assert "╭─ Found" in shots[2]
    assert "5 of 6" in shots[2]
    assert "4 of 6" in shots[3]
    assert "6 of 6" in shots[4]


def test_each_store_shows_its_health_in_a_word() -> None:
    work = with_stores()
    work.attached = [
        *work.stores(),
        StoreInfo("a", "mcp-memory", "/a", 1, error="a.db is busy.", error_code="busy"),
        StoreInfo("b", "mcp-memory", "/b", 1, error="b.db is no database.", error_code="damaged"),
        StoreInfo("c", "mcp-memory", "/c", 1, read_only="No write permission for c."),
    ]
    seen = drive(app_on(work), *OPEN)
    for name, word in (
        ("founder-os ", "✓ ok"),
        ("base-coat", "! 2 warnings"),
        ("claude-code:order", "✗ not reachable"),
        ("a  ", "… busy"),
        ("b  ", "✗ damaged"),
        ("c  ", "⊘ read-only"),
    ):
        assert word in line_with(seen, f"┃ {name}"), name


def test_stores_discovered_later_move_no_line() -> None:
    work = with_stores()
    work.discovered, later = [], work.discovered

    def discover_more(app: MemtuiApp) -> None:
        work.discovered = later
        assert isinstance(app.screen, StoresScreen)
        app.screen.discover()

    shots = Shots()
    drive(app_on(work), *at(COAT), shots, discover_more, shots)
    before, after = shots
    assert after.splitlines()[2:6] == before.splitlines()[2:6]
    assert "Found on this machine" not in before
    assert "Found on this machine" in after
    assert "3 of 6" in after


def test_enter_shows_the_memories_of_a_store() -> None:
    work = with_stores()
    shots = Shots()

    def rename(app: MemtuiApp) -> None:
        work.rename_store("base-coat", 'base "coat"')

    drive(app_on(work), *at(COAT), "enter", shots, rename, *at(COAT), "enter", shots)
    assert "[1 Browse]" in shots[0]
    assert 'store:"base-coat"' in shots[0]
    assert "1 of 2 ━" in shots[0]
    assert 'store:"base *coat*"' in shots[1]


def test_enter_on_a_discovered_store_attaches_it_and_shows_its_memories() -> None:
    shots = Shots()
    open_native = [*at(NATIVE), clear_status, "enter", *OPEN]
    drive(app_on(with_stores()), *at(ASSISTANT), "enter", shots, *open_native, shots)
    assert "[1 Browse]" in shots[0]
    assert "1 of 8 ━" in shots[0]
    assert "Attached mcp-memory:memory.jsonl: 8 memories" in status_line(shots[0])
    assert "Attached" not in shots[1]  # it was attached already


def test_a_attaches_the_highlighted_store_and_moves_to_the_next() -> None:
    work = with_stores()
    shots = Shots()
    drive(app_on(work), *at(WWW), "a", shots, "a", shots)
    assert "Attached claude-code:memory: 31 memories" in status_line(shots[0])
    assert "╭─ Found" in shots[0]
    assert "/srv/assistant/memory.jsonl" in shots[0]
    assert len(work.stores()) == 6
    assert "Found on this machine" not in shots[1]


def test_star_attaches_all_discovered_stores_of_known_formats() -> None:
    work = with_stores()
    work.discovered.append(
        DiscoveredStore("unknown", "SQLite database", "/srv/other.db", None, "Of another kind.")
    )
    shots = Shots()
    drive(app_on(work), *OPEN, "*", shots, "*", shots)
    assert "Attached 2 stores: 39 memories" in status_line(shots[0])
    assert "/srv/other.db" in line_with(shots[0], "Of another k")
    assert "Nothing to attach" in status_line(shots[1])


def test_a_store_that_cannot_be_attached_does_not_stop_the_others() -> None:
    class Picky(FakeWorkspace):
        def attach(self, path: str | os.PathLike[str], name: str = "") -> list[StoreInfo]:
            if str(path).startswith("/srv/www"):
                raise Refused("unreadable", "Could not read it.")
            return super().attach(path, name)

    work, shown = Picky([]), with_stores()
    work.attached, work.discovered = shown.attached, shown.discovered
    shots = Shots()
    drive(app_on(work), *OPEN, "*", shots, clear_status, "G", "a", shots, size=(160, 36))
    assert "Attached mcp-memory:memory.jsonl: 8 memories. Not attached: Could not read it." in status_line(
        shots[0]
    )
    assert "Could not read it." in status_line(shots[1])


def test_exclamation_mark_toggles_read_only_and_detach_says_what_is_kept() -> None:
    work = with_stores()
    shots = Shots()
    seen = drive(app_on(work), *at(COAT), "!", shots, "!", shots, "delete")
    assert "Made base-coat read-only: memtui refuses every change to it" in status_line(shots[0])
    assert "You made this store read-only; press !" in shots[0]
    assert "Made base-coat writable again" in status_line(shots[1])
    assert "! 2 warnings" in line_with(shots[1], "┃ base-coat")
    assert "Detached base-coat. Its file is unchanged; pins, notes and history stay in memtui" in status_line(
        seen
    )
    assert "a attach again" in status_line(seen)
    assert "base-coat" not in names(work)
    assert "3 of 5" in seen


def test_a_key_that_cannot_work_shows_the_reason() -> None:
    cases = [
        ("delete", NATIVE, "memtui's own store can't be detached."),
        ("e", NATIVE, "memtui's own store can't be renamed."),
        ("!", NATIVE, "own store can't be made read-only: only you write to it."),
        ("delete", WWW, "This store is not attached; press ⏎ to attach it."),
        ("e", WWW, "This store is not attached; press ⏎ to attach it."),
        ("b", WWW, "This store is not attached; press ⏎ to attach it."),
    ]
    work = with_stores()
    before = work.stores()
    shots = Shots()
    drive(app_on(work), *OPEN, *(s for key, line, _ in cases for s in (clear_status, *to(line), key, shots)))
    for (key, line, why), seen in zip(cases, shots, strict=True):
        assert why in status_line(seen), (key, line)
    assert work.stores() == before


def test_a_read_only_workspace_refuses_every_change() -> None:
    work = with_stores()
    work.read_only = True
    before = work.stores()
    keys = ["a", "*", "delete", "e", "!", "F"]
    shots = Shots()
    drive(app_on(work), *at(COAT), *(step for key in keys for step in (clear_status, key, shots)))
    for key, seen in zip(keys, shots, strict=True):
        assert "read-only: stores can't be attached, detached or changed." in status_line(seen), key
    assert work.stores() == before


def test_a_failing_verb_is_reported_in_the_status_line() -> None:
    work = with_stores()
    shots = Shots()

    def break_verb(verb: str) -> Step:
        return lambda app: work.errors.update({verb: OSError(5, f"{verb}: input/output error")})

    steps: list[Step] = []
    cases: list[tuple[str, list[Step]]] = [
        ("detach", ["delete"]),
        ("lock_store", ["!"]),
        ("repair", ["F", "F"]),
        ("attach", ["escape", *to(WWW), "a"]),
        ("doctor", ["r"]),
    ]
    for verb, keys in cases:
        steps += [break_verb(verb), clear_status, *keys, shots]
    drive(app_on(work), *at(COAT), *steps)
    for (verb, _), seen in zip(cases, shots, strict=True):
        assert f"{verb}: input/output error" in status_line(seen), verb


def test_a_list_of_stores_that_cannot_be_read_says_so() -> None:
    work = with_stores()
    work.errors = {"stores": Refused("busy", "The workspace is busy.", "Try again.")}
    seen = drive(app_on(work), *OPEN, "delete", "enter", "b", "F")
    assert "The list of stores could not be read" in seen


# Findings


def test_issues_of_the_doctor_count_towards_the_health_of_a_store() -> None:
    info = StoreInfo("memory.jsonl", "mcp-memory", "/tmp/memory.jsonl", 3)
    assert health(info) == ("✓ ok", "quiet")
    assert (
        health(info, [Issue("memory.jsonl", "secret", "", "Looks like it contains a secret.")])[0]
        == "! 1 warning"
    )


def test_severe_findings_come_first_and_tab_focuses_them(golden: Golden) -> None:
    seen = drive(app_on(with_stores()), *OPEN, "tab")
    assert "1 of 3 · 1 error" in seen
    lines = [line for line in seen.splitlines() if "✗ error " in line or "! warning " in line]
    assert "✗ error" in lines[0]
    assert "Its 12 memories are shown as last" in seen
    golden("stores-finding-120x36", seen)


def test_f_repairs_the_chosen_finding_or_shows_why_it_cannot() -> None:
    work = with_stores()
    shots = Shots()
    repaired: list[list[str]] = []

    @Probe
    def note(app: MemtuiApp) -> None:
        repaired.append([issue.code for issue in work.repaired])

    drive(app_on(work), *OPEN, "F", shots, note, "j", "F", shots, note, "j", "F", shots, note)
    assert repaired == [[], [], ["fts"]]
    assert "Select a finding, then press F to repair it." in status_line(shots[0])
    assert "┏━ Findings" in shots[0]
    assert "memtui can't repair this. The memory is shown as plain text" in status_line(shots[1])
    assert "Repaired: The text search index is missing 2 memories." in status_line(shots[2])
    assert "2 of 2" in shots[2]


def test_without_findings_there_is_nothing_to_repair() -> None:
    work = with_stores()
    work.issues = []
    seen = drive(app_on(work), *OPEN, "F")
    assert "✓ No problems found." in seen
    assert "there are no findings" in status_line(seen)


def test_keys_on_a_finding_apply_to_its_store() -> None:
    work = with_stores()
    shots = Shots()
    drive(app_on(work), *at(FOUNDER), "tab", "j", "j", "delete", shots, "k", "delete")
    assert "This finding is about the workspace itself" in status_line(shots[0])
    assert "base-coat" not in names(work)
    assert "founder-os" in names(work)


def test_enter_on_a_finding_shows_it_in_full() -> None:
    shots = Shots()
    drive(app_on(with_stores()), *OPEN, "tab", "j", "enter", shots, "escape", shots, size=(80, 24))
    assert "What it means" in shots[0]
    assert "━ Stores" not in shots[0]
    assert "┏━ Findings" not in shots[0]
    assert "┏━ Findings" in shots[1]


def test_r_runs_the_doctor_again_and_the_cursor_stays() -> None:
    work = with_stores()

    def add_issue(app: MemtuiApp) -> None:
        work.issues.append(Issue("founder-os", "x", "", "A memory is doubled.", severe=True))

    seen = drive(app_on(work), *OPEN, "tab", "j", add_issue, "r")
    assert "Checks finished: 4 findings, 2 errors." in status_line(seen)
    assert "3 of 4 · 2 errors" in seen
    assert "The memory is shown as plain text" in seen


def test_a_failing_doctor_hides_no_store() -> None:
    work = with_stores()
    work.errors = {"doctor": ImportError("no doctor here")}
    seen = drive(app_on(work), *OPEN)
    assert "Could not run the checks" in seen
    assert "no doctor here" in status_line(seen)
    assert "founder-os" in seen


# Dialogs


def test_a_on_an_attached_store_asks_for_a_path_and_a_refusal_keeps_it() -> None:
    shots = Shots()

    def type_path(app: MemtuiApp) -> None:
        path_field(app).value = "/srv/assistant/memory.jsonl"

    refused: list[Step] = ["a", "ctrl+u", "enter", shots, *typed("/srv/no"), "enter", shots]
    drive(app_on(with_stores()), *at(COAT), *refused, type_path, "enter", shots)
    assert "Type the path of a file or folder." in shots[0]
    assert "/srv/no " in shots[1]
    assert "/srv/no does not exist. Nothing was changed." in shots[1]
    assert "Attached mcp-memory:memory.jsonl: 8 memories" in status_line(shots[2])
    assert "5 of 6" in shots[2]


@pytest.mark.parametrize(
    ("keys", "path"), [("/srv", "/srv"), ("notes", "~/notes"), ("~ana/", "~ana/"), ("a//b", "~/a//b")]
)
def test_an_absolute_path_replaces_the_home_prefix(keys: str, path: str) -> None:
    values: list[str] = []

    @Probe
    def value(app: MemtuiApp) -> None:
        values.append(app.screen.query_one("#path", Input).value)

    drive(app_on(with_stores()), *OPEN, "A", *typed(keys), value)
    assert values == [path]


def test_tab_completes_a_path(tmp_path: Path) -> None:
    for name in ("alpha-one", "alpha-two", ".hidden"):
        (tmp_path / name).mkdir()
    (tmp_path / "beta.db").touch()
    values: list[str] = []

    def value(app: MemtuiApp) -> None:
        values.append(path_field(app).value.removeprefix(str(tmp_path)))

    def begin(app: MemtuiApp) -> None:
        path_field(app).value = f"{tmp_path}/al"

    drive(app_on(with_stores()), *OPEN, "A", begin, "tab", value, "down", "tab", value)
    assert values == ["/alpha-", "/alpha-two/"]


def test_path_candidates_are_files_and_folders_with_hidden_ones_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".claude").mkdir()
    (tmp_path / "notes").mkdir()
    (tmp_path / "a.db").touch()
    assert candidates(f"{tmp_path}/") == [f"{tmp_path}/{name}" for name in ("a.db", "notes/", ".claude/")]
    assert candidates(f"{tmp_path}/.c") == [f"{tmp_path}/.claude/"]
    assert candidates("~") == ["~/"]
    monkeypatch.setenv("HOME", str(tmp_path))
    assert "~/notes/" in candidates("~/")
    monkeypatch.chdir(tmp_path)
    assert candidates("n") == ["notes/"]
    for missing in ("/nowhere/at/all", "~nobody-here/", "/\0/", f"{tmp_path}/a.db/"):
        assert candidates(missing) == []


def test_a_refused_rename_shows_the_reason_and_keeps_the_text() -> None:
    work = with_stores()
    before = names(work)
    values: list[str] = []
    shots = Shots()

    def check_unchanged(app: MemtuiApp) -> None:
        assert names(work) == before
        assert isinstance(app.focused, Input)
        values.append(app.focused.value)

    drive(
        app_on(work),
        *at(COAT),
        "e", "escape", shots,
        "e", "ctrl+u", *typed("founder-os"), "enter", shots, check_unchanged,
        "ctrl+u", "enter", shots, check_unchanged,
        *typed("paint"), "enter", shots,
    )  # fmt: skip
    assert "Renamed" not in shots[0]
    assert "A store named founder-os already exists. Its name was not" in shots[1]
    assert "┃  changed." in shots[1]
    assert values == ["founder-os", ""]
    assert f"A store name must be 1 to {NAME_LENGTH} characters long." in shots[2]
    assert "Renamed base-coat to paint" in status_line(shots[3])
    assert "paint" in names(work)


def test_restoring_a_backup_is_confirmed_with_another_key(golden: Golden) -> None:
    work = with_stores()
    counts: list[int] = []
    shots = Shots()

    @Probe
    def note(app: MemtuiApp) -> None:
        counts.append(len(work.stored_backups))

    ask: list[Step] = ["b", "y", shots, note, "enter", "enter", "enter", shots, note]
    drive(app_on(work), *at(COAT), *ask, "j", "y", shots, note, "enter", "y", shots, note, size=(80, 24))
    unasked, asked, cancelled, restored = shots
    assert "Press ⏎, then y" in unasked
    assert "current state is backed up first" in unwrapped(asked)
    assert "Backups of base-coat" in cancelled  # moving to another line cancels the question
    assert "Restored base-coat from its backup b1" in status_line(restored)
    assert counts == [2, 2, 2, 3]
    golden("backups-80x24", asked)


def test_esc_cancels_the_question_and_a_failed_restore_shows_the_reason() -> None:
    work = with_stores()
    shots = Shots()

    def busy(app: MemtuiApp) -> None:
        assert len(work.stored_backups) == 2
        work.errors = {"restore_backup": Refused("busy", "memory.jsonl is busy.", "Try again in a moment.")}

    last = drive(
        app_on(work),
        *at(COAT), "b", "enter", "escape", "y", shots, "enter", "escape", "escape", shots,
        *to(FOUNDER), "b", "enter", shots, "escape", *to(COAT), busy, "b", "enter", "y",
    )  # fmt: skip
    cancelled, closed, none = shots
    assert "Backups of base-coat" in cancelled
    assert "Backups of" not in closed
    assert "One is made before the first write of each day;" in none
    assert "There is no backup to restore." in none
    assert "memory.jsonl is busy. Try again" in last


# Hostile text

HOSTILE = "\x1b]52;c;aGk=\x07[/foo] [@click=app.quit]x[/]\u202e\u200b\n日本語"


def hostile_stores() -> FakeWorkspace:
    work = sample()
    info = StoreInfo(HOSTILE, HOSTILE, HOSTILE, 2, error=HOSTILE, read_only=HOSTILE)
    work.attached = [info, replace(info, name="b" + HOSTILE, error="", locked=True)]
    work.discovered = [
        DiscoveredStore(HOSTILE, HOSTILE, f"/{HOSTILE}", 3, HOSTILE),
        DiscoveredStore(HOSTILE, HOSTILE, f"/x{HOSTILE}", None, HOSTILE),
    ]
    work.issues = [
        Issue(HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE, True),
        Issue("", "x", HOSTILE, HOSTILE, HOSTILE),
    ]
    work.stored_backups = [Backup(HOSTILE, HOSTILE, NOW, HOSTILE, 5)]
    return work


def test_hostile_text_is_shown_as_plain_text() -> None:
    @Probe
    def check_safe(app: MemtuiApp) -> None:
        seen = screen_text(app)
        assert not any(c in seen for c in "\x1b\x07\u202e\u200b")
        assert not app._exit

    smaller = [(80, 24), (40, 10)]
    stages: list[list[Step]] = [
        [*OPEN, "j"],
        ["j", "j"],  # discovered stores
        ["tab", "j"],
        ["enter"],  # a finding in full
        ["escape", "escape", "g", "b"],
        ["enter"],  # the question before a backup is restored
        ["y", "escape", "escape", "e"],
        ["enter", "escape", "!", "delete", "a"],
        ["escape", "*", "7"],
        ["8", "r"],
    ]
    steps: list[Step] = []
    for number, keys in enumerate(stages):
        for key in keys:
            steps += [key, check_safe]
        if FULL or number % 2:
            steps += [
                *(step for size in shard(smaller, number // 2, 2) for step in (size, check_safe)),
                (100, 30),
            ]
    drive(app_on(hostile_stores()), *steps, size=(100, 30))


def test_markup_is_shown_literally() -> None:
    work = with_stores()
    work.discovered = [DiscoveredStore("x", "[b]X[/b]", "/srv/[/foo]", 1)]
    seen = drive(app_on(work), *OPEN, "G")
    assert seen.count("/srv/[/foo]") == 2
    assert "[b]X[/b]" in seen


def test_the_screen_is_drawn_at_every_size() -> None:
    sizes = [(w, h) for w in (40, 60, 80, 99, 100, 200) for h in (8, 12, 24)]
    steps = (step for size in sample_cases(sizes, 3) for step in (size, Probe(screen_text)))
    drive(app_on(with_stores()), *OPEN, "tab", *steps, size=(80, 24))


def test_a_long_path_is_cut_at_the_start() -> None:
    assert fit_end("/a/very/long/path", 10) == "…long/path"
    assert fit_end("/a", 5) == "/a   "
    assert fit_end("日本語日本語", 6) == "…本語 "
    assert fit_end("/a", 0) == ""
