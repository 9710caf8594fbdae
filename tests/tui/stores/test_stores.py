"""Stores: what is attached, what was found, how each fares, and every key on it."""

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
from memtui.tui.stores.attach import candidates
from memtui.tui.stores.screen import StoresScreen
from memtui.tui.stores.store_text import health, tail
from tests.support.app_driver import Look, Shots, Step, app_on, drive, line_with, screen, typed
from tests.support.fake_workspace import NOW, FakeWorkspace, sample, stored
from tests.support.sizes import FULL, share, turn
from tests.support.waiting.stores import stores_are_read

Golden = Callable[[str, str], None]

NATIVE, FOUNDER, COAT, ORDERS, WWW, ASSISTANT = range(6)  # the lines of stored(), the heading left out
OPEN: list[Step] = ["8", stores_are_read]


def at(line: int) -> list[Step]:
    """The keys that open the screen with the cursor on a store."""
    return [*OPEN, *to(line)]


def to(line: int) -> list[Step]:
    """The keys that put the cursor on a store."""
    return ["g", *["j"] * line]


def status(seen: str) -> str:
    """The status line."""
    return seen.splitlines()[-2]


def unwrapped(seen: str) -> str:
    """The screen without the frames of dialogs and line breaks."""
    return " ".join(seen.replace("┃", " ").split())


def say_nothing(app: MemtuiApp) -> None:
    """A step that empties the status line, so that only what comes next can be on it."""
    app.show_status("")


def names(work: FakeWorkspace) -> list[str]:
    """The attached stores."""
    return [each.name for each in work.stores()]


def path_field(app: MemtuiApp) -> Input:
    return app.screen.query_one("#path", Input)


def test_it_shows_the_stores_and_what_a_change_does_in_one_and_the_cursor_skips_the_heading(
    golden: Golden,
) -> None:
    shots = Shots()
    drive(app_on(stored()), *OPEN, shots, (80, 24), "j", shots, *to(WWW), shots, "k", shots, "G", shots)
    assert "What a change does here" in shots[0]
    assert "raises confidence in its row" in shots[0]
    golden("stores-120x36", shots[0])
    golden("stores-80x24", shots[1])
    assert "╭─ Found" in shots[2]
    assert "5 of 6" in shots[2]
    assert "4 of 6" in shots[3]
    assert "6 of 6" in shots[4]


def test_each_store_says_in_a_word_how_it_fares() -> None:
    work = stored()
    work.attached = [
        *work.stores(),
        StoreInfo("a", "mcp-memory", "/a", 1, error="a.db is busy: another program is writing to it."),
        StoreInfo("b", "mcp-memory", "/b", 1, error="b.db cannot be read as a database: file is not one."),
        StoreInfo("c", "mcp-memory", "/c", 1, read_only="c may not be written by this user."),
    ]
    seen = drive(app_on(work), *OPEN)
    for name, word in (
        ("founder-os ", "✓ ok"),
        ("base-coat", "! 2 odd"),
        ("claude-code:order", "✗ not reachable"),
        ("a  ", "… busy"),
        ("b  ", "✗ damaged"),
        ("c  ", "⊘ read-only"),
    ):
        assert word in line_with(seen, f"┃ {name}"), name


def test_what_is_found_later_moves_no_line() -> None:
    work = stored()
    work.found, later = [], work.found

    def arrive(app: MemtuiApp) -> None:
        work.found = later
        assert isinstance(app.screen, StoresScreen)
        app.screen.discover()

    shots = Shots()
    drive(app_on(work), *at(COAT), shots, arrive, shots)
    before, after = shots
    assert after.splitlines()[2:6] == before.splitlines()[2:6]
    assert "Found on this machine" not in before
    assert "Found on this machine" in after
    assert "3 of 6" in after


def test_enter_shows_the_memories_of_one_store() -> None:
    work = stored()
    shots = Shots()

    def rename(app: MemtuiApp) -> None:
        work.rename_store("base-coat", 'base "coat"')

    drive(app_on(work), *at(COAT), "enter", shots, rename, *at(COAT), "enter", shots)
    assert "[1 Browse]" in shots[0]
    assert 'store:"base-coat"' in shots[0]
    assert "1 of 2 ━" in shots[0]
    assert 'store:"base *coat*"' in shots[1]


def test_enter_on_a_found_store_attaches_it_and_shows_its_memories() -> None:
    shots = Shots()
    again = [*at(NATIVE), say_nothing, "enter", *OPEN]
    drive(app_on(stored()), *at(ASSISTANT), "enter", shots, *again, shots)
    assert "[1 Browse]" in shots[0]
    assert "1 of 8 ━" in shots[0]
    assert "Attached mcp-memory:memory.jsonl: 8 memories" in status(shots[0])
    assert "Attached" not in shots[1]  # what is attached is only shown


def test_a_attaches_what_is_under_the_cursor_and_goes_on_to_the_next() -> None:
    work = stored()
    shots = Shots()
    drive(app_on(work), *at(WWW), "a", shots, "a", shots)
    assert "Attached claude-code:memory: 31 memories" in status(shots[0])
    assert "╭─ Found" in shots[0]
    assert "/srv/assistant/memory.jsonl" in shots[0]
    assert len(work.stores()) == 6
    assert "Found on this machine" not in shots[1]


def test_star_attaches_all_that_was_found_but_what_is_no_store() -> None:
    work = stored()
    work.found.append(DiscoveredStore("unknown", "SQLite database", "/srv/other.db", None, "Of another kind."))
    shots = Shots()
    drive(app_on(work), *OPEN, "*", shots, "*", shots)
    assert "Attached 2 stores: 39 memories" in status(shots[0])
    assert "/srv/other.db" in line_with(shots[0], "Of another k")
    assert "Nothing to attach" in status(shots[1])


def test_one_that_cannot_be_attached_does_not_stop_the_others() -> None:
    class Picky(FakeWorkspace):
        def attach(self, path: str | os.PathLike[str], name: str = "") -> list[StoreInfo]:
            if str(path).startswith("/srv/www"):
                raise Refused("unreadable", "It may not be read.")
            return super().attach(path, name)

    work, shown = Picky([]), stored()
    work.attached, work.found = shown.attached, shown.found
    shots = Shots()
    drive(app_on(work), *OPEN, "*", shots, say_nothing, "G", "a", shots, size=(160, 36))
    assert "Attached mcp-memory:memory.jsonl: 8 memories. Not: It may not be read." in status(shots[0])
    assert "It may not be read." in status(shots[1])


def test_space_makes_a_store_read_only_and_takes_that_back_and_detach_says_what_stays() -> None:
    work = stored()
    shots = Shots()
    seen = drive(app_on(work), *at(COAT), "space", shots, "space", shots, "d")
    assert "base-coat is read-only now: memtui reads it and refuses every change to it" in status(shots[0])
    assert "Read-only by your word; space" in shots[0]
    assert "base-coat may be changed again" in status(shots[1])
    assert "! 2 odd" in line_with(shots[1], "┃ base-coat")
    assert "Detached base-coat. Its file is as it was; pins, notes and history stay here" in status(seen)
    assert "a attaches it again" in status(seen)
    assert "base-coat" not in names(work)
    assert "3 of 5" in seen


def test_a_key_that_cannot_work_says_why() -> None:
    cases = [
        ("d", NATIVE, "memtui's own store cannot be detached."),
        ("e", NATIVE, "memtui's own store keeps its name."),
        ("space", NATIVE, "written by you alone"),
        ("d", WWW, "not attached; ⏎ attaches it"),
        ("e", WWW, "not attached; ⏎ attaches it"),
        ("b", WWW, "not attached; ⏎ attaches it"),
    ]
    work = stored()
    before = work.stores()
    shots = Shots()
    drive(app_on(work), *OPEN, *(s for key, line, _ in cases for s in (say_nothing, *to(line), key, shots)))
    for (key, line, why), seen in zip(cases, shots, strict=True):
        assert why in status(seen), (key, line)
    assert work.stores() == before


def test_a_read_only_workspace_says_so() -> None:
    work = stored()
    work.read_only = True
    before = work.stores()
    keys = ["a", "*", "d", "e", "space", "m"]
    shots = Shots()
    drive(app_on(work), *at(COAT), *(step for key in keys for step in (say_nothing, key, shots)))
    for key, seen in zip(keys, shots, strict=True):
        assert "opened read-only: nothing is attached, detached or changed." in status(seen), key
    assert work.stores() == before


def test_a_failure_below_is_a_line_of_text() -> None:
    work = stored()
    shots = Shots()

    def failing(verb: str) -> Step:
        return lambda app: work.raising.update({verb: OSError(5, f"{verb}: input/output error")})

    steps: list[Step] = []
    cases: list[tuple[str, list[Step]]] = [
        ("detach", ["d"]),
        ("lock_store", ["space"]),
        ("mend", ["m", "m"]),
        ("attach", ["escape", *to(WWW), "a"]),
        ("doctor", ["c"]),
    ]
    for verb, keys in cases:
        steps += [failing(verb), say_nothing, *keys, shots]
    drive(app_on(work), *at(COAT), *steps)
    for (verb, _), seen in zip(cases, shots, strict=True):
        assert f"{verb}: input/output error" in status(seen), verb


def test_the_list_of_stores_cannot_be_read() -> None:
    work = stored()
    work.raising = {"stores": Refused("busy", "The workspace is busy.", "Try again.")}
    seen = drive(app_on(work), *OPEN, "d", "enter", "b", "m")
    assert "The list of stores could not be read" in seen


# Findings


def test_what_only_the_doctor_finds_counts_beside_what_the_reader_met() -> None:
    info = StoreInfo("memory.jsonl", "mcp-memory", "/tmp/memory.jsonl", 3)
    assert health(info) == ("✓ ok", "quiet")
    assert (
        health(info, [Issue("memory.jsonl", "secret", "", "Looks like it contains a secret.")])[0]
        == "! 1 odd"
    )


def test_grave_findings_come_first_and_tab_goes_to_them(golden: Golden) -> None:
    seen = drive(app_on(stored()), *OPEN, "tab")
    assert "1 of 3 · 1 grave" in seen
    lines = [line for line in seen.splitlines() if "✗ grave " in line or "! odd " in line]
    assert "✗ grave" in lines[0]
    assert "Its 12 memories are shown as last" in seen
    golden("stores-finding-120x36", seen)


def test_m_mends_the_chosen_finding_or_says_why_it_cannot() -> None:
    work = stored()
    shots = Shots()
    mended: list[list[str]] = []

    @Look
    def note(app: MemtuiApp) -> None:
        mended.append([each.code for each in work.mended])

    drive(app_on(work), *OPEN, "m", shots, note, "j", "m", shots, note, "j", "m", shots, note)
    assert mended == [[], [], ["fts"]]
    assert "Choose a finding; m mends it." in status(shots[0])
    assert "┏━ Findings" in shots[0]
    assert "memtui cannot mend this. The memory is read as plain text" in status(shots[1])
    assert "Mended: build the words index anew." in status(shots[2])
    assert "2 of 2" in shots[2]


def test_nothing_to_mend() -> None:
    work = stored()
    work.ailments = []
    seen = drive(app_on(work), *OPEN, "m")
    assert "✓ Nothing is wrong or odd." in seen
    assert "there is no finding" in status(seen)


def test_keys_on_a_finding_are_about_its_store() -> None:
    work = stored()
    shots = Shots()
    drive(app_on(work), *at(FOUNDER), "tab", "j", "j", "d", shots, "k", "d")
    assert "This finding is of the workspace itself" in status(shots[0])
    assert "base-coat" not in names(work)
    assert "founder-os" in names(work)


def test_enter_on_a_finding_shows_it_alone() -> None:
    shots = Shots()
    drive(app_on(stored()), *OPEN, "tab", "j", "enter", shots, "escape", shots, size=(80, 24))
    assert "What it means" in shots[0]
    assert "━ Stores" not in shots[0]
    assert "┏━ Findings" not in shots[0]
    assert "┏━ Findings" in shots[1]


def test_c_lets_the_doctor_look_again_and_the_cursor_stays() -> None:
    work = stored()

    def worse(app: MemtuiApp) -> None:
        work.ailments.append(Issue("founder-os", "x", "", "A memory is doubled.", severe=True))

    seen = drive(app_on(work), *OPEN, "tab", "j", worse, "c")
    assert "The doctor looked: 4 findings, 2 grave." in status(seen)
    assert "3 of 4 · 2 grave" in seen
    assert "The memory is read as plain text" in seen


def test_a_doctor_that_cannot_look_hides_no_store() -> None:
    work = stored()
    work.raising = {"doctor": ImportError("no doctor here")}
    seen = drive(app_on(work), *OPEN)
    assert "The doctor could not look" in seen
    assert "no doctor here" in status(seen)
    assert "founder-os" in seen


# Dialogs


def test_a_elsewhere_asks_for_a_path_and_a_refusal_loses_nothing() -> None:
    shots = Shots()

    def type_path(app: MemtuiApp) -> None:
        path_field(app).value = "/srv/assistant/memory.jsonl"

    refused: list[Step] = ["a", "ctrl+u", "enter", shots, *typed("/srv/no"), "enter", shots]
    drive(app_on(stored()), *at(COAT), *refused, type_path, "enter", shots)
    assert "Type the path of a file or a folder." in shots[0]
    assert "/srv/no " in shots[1]
    assert "There is nothing at /srv/no. Nothing was changed." in shots[1]
    assert "Attached mcp-memory:memory.jsonl: 8 memories" in status(shots[2])
    assert "5 of 6" in shots[2]


@pytest.mark.parametrize(
    ("keys", "path"), [("/srv", "/srv"), ("notes", "~/notes"), ("~ana/", "~ana/"), ("a//b", "~/a//b")]
)
def test_a_path_typed_from_the_root_takes_the_place_of_the_home(keys: str, path: str) -> None:
    values: list[str] = []

    @Look
    def value(app: MemtuiApp) -> None:
        values.append(app.screen.query_one("#path", Input).value)

    drive(app_on(stored()), *OPEN, "A", *typed(keys), value)
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

    drive(app_on(stored()), *OPEN, "A", begin, "tab", value, "down", "tab", value)
    assert values == ["/alpha-", "/alpha-two/"]


def test_candidates_are_folders_and_files_hidden_ones_last(
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
    for odd in ("/nowhere/at/all", "~nobody-here/", "/\0/", f"{tmp_path}/a.db/"):
        assert candidates(odd) == []


def test_rename_refuses_in_words_and_keeps_what_was_typed() -> None:
    work = stored()
    before = names(work)
    values: list[str] = []
    shots = Shots()

    def kept(app: MemtuiApp) -> None:
        assert names(work) == before
        assert isinstance(app.focused, Input)
        values.append(app.focused.value)

    drive(
        app_on(work),
        *at(COAT),
        "e", "escape", shots,
        "e", "ctrl+u", *typed("founder-os"), "enter", shots, kept,
        "ctrl+u", "enter", shots, kept,
        *typed("paint"), "enter", shots,
    )  # fmt: skip
    assert "Renamed" not in shots[0]
    assert "founder-os is the name of another store. Choose another." in unwrapped(shots[1])
    assert values == ["founder-os", ""]
    assert "A store needs a name." in shots[2]
    assert "Renamed base-coat to paint" in status(shots[3])
    assert "paint" in names(work)


def test_a_backup_is_restored_by_another_key_than_the_one_that_asks(golden: Golden) -> None:
    work = stored()
    kept: list[int] = []
    shots = Shots()

    @Look
    def note(app: MemtuiApp) -> None:
        kept.append(len(work.kept))

    asks: list[Step] = ["b", "y", shots, note, "enter", "enter", "enter", shots, note]
    drive(app_on(work), *at(COAT), *asks, "j", "y", shots, note, "enter", "y", shots, note, size=(80, 24))
    not_asked, asked, asked_no_more, restored = shots
    assert "⏎ chooses" in not_asked
    assert "What stands there now is backed up first" in unwrapped(asked)
    assert "Backups of base-coat" in asked_no_more  # another line takes the question back
    assert "Restored base-coat from its backup b1" in status(restored)
    assert kept == [2, 2, 2, 3]
    golden("backups-80x24", asked)


def test_esc_takes_the_question_back_and_what_cannot_be_restored_says_why() -> None:
    work = stored()
    shots = Shots()

    def busy(app: MemtuiApp) -> None:
        assert len(work.kept) == 2
        work.raising = {"restore_backup": Refused("busy", "memory.jsonl is busy.", "Try again in a moment.")}

    last = drive(
        app_on(work),
        *at(COAT), "b", "enter", "escape", "y", shots, "enter", "escape", "escape", shots,
        *to(FOUNDER), "b", "enter", shots, "escape", *to(COAT), busy, "b", "enter", "y",
    )  # fmt: skip
    asked_no_more, left, none = shots
    assert "Backups of base-coat" in asked_no_more
    assert "Backups of" not in left
    assert "One is made before the first write of a day;" in none
    assert "There is nothing to restore." in none
    assert "memory.jsonl is busy. Try again" in last


# Text that others wrote

EVIL = "\x1b]52;c;aGk=\x07[/foo] [@click=app.quit]x[/]\u202e\u200b\n日本語"


def evil() -> FakeWorkspace:
    work = sample()
    info = StoreInfo(EVIL, EVIL, EVIL, 2, error=EVIL, read_only=EVIL)
    work.attached = [info, replace(info, name="b" + EVIL, error="", locked=True)]
    work.found = [DiscoveredStore(EVIL, EVIL, f"/{EVIL}", 3, EVIL), DiscoveredStore(EVIL, EVIL, f"/x{EVIL}", None, EVIL)]
    work.ailments = [Issue(EVIL, EVIL, EVIL, EVIL, EVIL, EVIL, True), Issue("", "x", EVIL, EVIL, EVIL)]
    work.kept = [Backup(EVIL, EVIL, NOW, EVIL, 5)]
    return work


def test_hostile_text_is_only_ever_text() -> None:
    @Look
    def look(app: MemtuiApp) -> None:
        seen = screen(app)
        assert not any(c in seen for c in "\x1b\x07\u202e\u200b")
        assert not app._exit

    smaller = [(80, 24), (40, 10)]
    stages: list[list[Step]] = [
        [*OPEN, "j"],
        ["j", "j"],  # what was found
        ["tab", "j"],
        ["enter"],  # a finding in full
        ["escape", "escape", "g", "b"],
        ["enter"],  # the question before a backup is restored
        ["y", "escape", "escape", "e"],
        ["enter", "escape", "space", "d", "a"],
        ["escape", "*", "7"],
        ["8", "c"],
    ]
    steps: list[Step] = []
    for number, keys in enumerate(stages):
        for key in keys:
            steps += [key, look]
        if FULL or number % 2:
            steps += [*(step for size in turn(smaller, number // 2, 2) for step in (size, look)), (100, 30)]
    drive(app_on(evil()), *steps, size=(100, 30))


def test_markup_is_shown_as_it_is() -> None:
    work = stored()
    work.found = [DiscoveredStore("x", "[b]X[/b]", "/srv/[/foo]", 1)]
    seen = drive(app_on(work), *OPEN, "G")
    assert seen.count("/srv/[/foo]") == 2
    assert "[b]X[/b]" in seen


def test_every_size_draws_it() -> None:
    sizes = [(w, h) for w in (40, 60, 80, 99, 100, 200) for h in (8, 12, 24)]
    steps = (step for size in share(sizes, 4) for step in (size, Look(screen)))
    drive(app_on(stored()), *OPEN, "tab", *steps, size=(80, 24))


def test_a_path_is_cut_at_its_beginning() -> None:
    assert tail("/a/very/long/path", 10) == "…long/path"
    assert tail("/a", 5) == "/a   "
    assert tail("日本語日本語", 6) == "…本語 "
    assert tail("/a", 0) == ""
