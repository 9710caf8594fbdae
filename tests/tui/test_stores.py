"""Stores: what is attached, what was found, how each fares, and every key on it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memtui.errors import Refused
from memtui.memory.records import Ailment, Backup, Found, StoreInfo
from memtui.tui.dialogs.attach import candidates
from memtui.tui.widgets.store_text import tail
from tests.support.app_driver import Step, app_on, drive, line_with, screen, typed
from tests.support.fake_workspace import NOW, FakeWorkspace, sample, stored
from tests.support.wait_stores import standing

NATIVE, FOUNDER, COAT, ORDERS, WWW, ASSISTANT = range(6)  # the lines of stored(), the heading left out


def status(seen: str) -> str:
    """The status line."""
    return seen.splitlines()[-2]


OPEN: list[Step] = ["8", standing]


def at(line: int) -> list[Step]:
    """The keys that put the cursor on a store."""
    return [*OPEN, "g", *["j"] * line]


def test_it_shows_the_stores_and_what_ails_them(golden):
    golden("stores-120x36", drive(app_on(stored()), *OPEN))
    golden("stores-80x24", drive(app_on(stored()), *OPEN, "j", size=(80, 24)))
    golden("stores-finding-120x36", drive(app_on(stored()), *OPEN, "tab"))


def test_each_store_says_in_a_word_how_it_fares():
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
    ):
        assert word in line_with(seen, f"┃ {name}")
    for name, word in (("a", "… busy"), ("b", "✗ damaged"), ("c", "⊘ read-only")):
        assert word in line_with(seen, f"┃ {name}  ")


def test_before_a_change_it_says_what_will_happen_where():
    seen = drive(app_on(stored()), *OPEN)
    assert "What a change does here" in seen
    assert "raises confidence in its row" in seen


def test_the_cursor_skips_the_heading_both_ways():
    seen = drive(app_on(stored()), *at(WWW))
    assert "╭─ Found" in seen
    assert "5 of 6" in seen
    assert "4 of 6" in drive(app_on(stored()), *at(WWW), "k")
    assert "6 of 6" in drive(app_on(stored()), *OPEN, "G")


def test_what_is_found_later_moves_no_line():
    work = stored()
    work.found, later = [], work.found

    def arrive(app):
        work.found = later
        app.screen.discover()

    app = app_on(work)
    rows = []
    seen = drive(app, *at(COAT), lambda a: rows.append(screen(a).splitlines()[:6]), arrive)
    assert seen.splitlines()[2:6] == rows[0][2:6]
    assert "Found on this machine" in seen
    assert "3 of 6" in seen


def test_enter_shows_the_memories_of_one_store():
    seen = drive(app_on(stored()), *at(COAT), "enter")
    assert "[1 Browse]" in seen
    assert 'store:"base-coat"' in seen
    assert "1 of 2 ━" in seen


def test_a_name_with_a_quote_is_searched_too():
    work = stored()
    work.rename_store("base-coat", 'base "coat"')
    assert 'store:"base *coat*"' in drive(app_on(work), *at(COAT), "enter")


def test_enter_on_a_found_store_attaches_it_and_shows_its_memories():
    work = stored()
    seen = drive(app_on(work), *at(ASSISTANT), "enter")
    assert "[1 Browse]" in seen
    assert "1 of 8 ━" in seen
    assert "Attached mcp-memory:memory.jsonl: 8 memories" in status(seen)
    seen = drive(app_on(work), *OPEN, "enter", *OPEN)
    assert "Attached" not in seen


def test_a_attaches_what_is_under_the_cursor_and_goes_on_to_the_next():
    work = stored()
    seen = drive(app_on(work), *at(WWW), "a")
    assert "Attached claude-code:memory: 31 memories" in status(seen)
    assert "╭─ Found" in seen
    assert "/srv/assistant/memory.jsonl" in seen
    seen = drive(app_on(work), *OPEN, "G", "a")
    assert len(work.stores()) == 6
    assert "Found on this machine" not in seen


def test_star_attaches_all_that_was_found_but_what_is_no_store():
    work = stored()
    work.found.append(Found("unknown", "SQLite database", "/srv/other.db", None, "Of another kind."))
    seen = drive(app_on(work), *OPEN, "*")
    assert "Attached 2 stores: 39 memories" in status(seen)
    assert "/srv/other.db" in line_with(seen, "Of another k")
    assert "Nothing to attach" in status(drive(app_on(work), *OPEN, "*"))


def test_one_that_cannot_be_attached_does_not_stop_the_others():
    work = stored()
    attach = work.attach

    def some(path, name=""):
        if path.startswith("/srv/www"):
            raise Refused("unreadable", "It may not be read.")
        return attach(path)

    work.attach = some
    said = status(drive(app_on(work), *OPEN, "*", size=(160, 36)))
    assert "Attached mcp-memory:memory.jsonl: 8 memories. Not: It may not be read." in said
    assert "It may not be read." in status(drive(app_on(work), *OPEN, "G", "a"))


def test_detach_says_what_stays():
    work = stored()
    seen = drive(app_on(work), *at(COAT), "d")
    assert "Detached base-coat. Its file is as it was; pins, notes and history stay here" in status(seen)
    assert "a attaches it again" in status(seen)
    assert "base-coat" not in [each.name for each in work.stores()]
    assert "3 of 5" in seen


def test_space_makes_it_read_only_by_your_word_and_takes_that_back():
    work = stored()
    seen = drive(app_on(work), *at(COAT), "space")
    assert "base-coat is read-only now: memtui reads it and refuses every change to it" in status(seen)
    assert "Read-only by your word; space" in seen
    seen = drive(app_on(work), *at(COAT), "space")
    assert "base-coat may be changed again" in status(seen)
    assert "! 2 odd" in line_with(seen, "┃ base-coat")


@pytest.mark.parametrize(
    ("key", "line", "why"),
    [
        ("d", NATIVE, "own store cannot be detached"),
        ("e", NATIVE, "own store keeps its name"),
        ("space", NATIVE, "written by you alone"),
        ("d", WWW, "not attached; ⏎ attaches it"),
        ("e", WWW, "not attached; ⏎ attaches it"),
        ("b", WWW, "not attached; ⏎ attaches it"),
    ],
)
def test_a_key_that_cannot_work_says_why(key, line, why):
    work = stored()
    before = work.stores()
    assert why in status(drive(app_on(work), *at(line), key))
    assert work.stores() == before


@pytest.mark.parametrize("key", ["a", "*", "d", "e", "space"])
def test_a_read_only_workspace_says_so(key):
    work = stored()
    work.read_only = True
    before = work.stores()
    assert "opened read-only" in status(drive(app_on(work), *at(COAT), key))
    assert work.stores() == before


@pytest.mark.parametrize("key", ["d", "space", "c", "m", "a"])
def test_a_failure_below_is_a_line_of_text(key):
    work = stored()
    work.raising = dict.fromkeys(("detach", "lock_store", "mend", "attach"), OSError(5, "Input/output error"))
    keys = {"m": [*OPEN, "tab", "m"], "a": [*at(WWW), "a"]}.get(key, [*at(COAT), key])
    if key == "c":
        keys = [*keys[:-1], lambda a: work.raising.update(doctor=OSError(5, "Input/output error")), "c"]
    assert "Input/output error" in status(drive(app_on(work), *keys))


def test_no_stores_can_be_read():
    work = stored()
    work.raising = {"stores": Refused("busy", "The workspace is busy.", "Try again.")}
    seen = drive(app_on(work), *OPEN, "d", "enter", "b", "m")
    assert "The list of stores could not be read" in seen


# Findings


def test_grave_findings_come_first_and_tab_goes_to_them():
    seen = drive(app_on(stored()), *OPEN, "tab")
    assert "1 of 3 · 1 grave" in seen
    lines = [line for line in seen.splitlines() if "✗ grave " in line or "! odd " in line]
    assert "✗ grave" in lines[0]
    assert "Its 12 memories are shown as last" in seen


def test_m_mends_the_highlighted_finding():
    work = stored()
    seen = drive(app_on(work), *OPEN, "tab", "j", "j", "m")
    assert [each.code for each in work.mended] == ["fts"]
    assert "Mended: build the words index anew." in status(seen)
    assert "2 of 2" in seen


def test_m_says_why_where_a_person_must():
    work = stored()
    said = status(drive(app_on(work), *OPEN, "tab", "j", "m"))
    assert "memtui cannot mend this. The memory is read as plain text" in said
    assert not work.mended


def test_m_on_the_list_goes_to_the_findings_first():
    work = stored()
    seen = drive(app_on(work), *OPEN, "m")
    assert "Choose a finding; m mends it." in status(seen)
    assert "┏━ Findings" in seen
    assert not work.mended


def test_nothing_to_mend():
    work = stored()
    work.ailments = []
    seen = drive(app_on(work), *OPEN, "m")
    assert "✓ Nothing is wrong or odd." in seen
    assert "there is no finding" in status(seen)


def test_keys_on_a_finding_are_about_its_store():
    work = stored()
    drive(app_on(work), *at(FOUNDER), "tab", "j", "d")
    assert "base-coat" not in [each.name for each in work.stores()]
    assert "founder-os" in [each.name for each in work.stores()]
    said = status(drive(app_on(stored()), *at(FOUNDER), "tab", "j", "j", "d"))
    assert "This finding is of the workspace itself" in said


def test_enter_on_a_finding_shows_it_alone():
    seen = drive(app_on(stored()), *OPEN, "tab", "j", "enter", size=(80, 24))
    assert "What it means" in seen
    assert "━ Stores" not in seen
    assert "┏━ Findings" in drive(app_on(stored()), *OPEN, "tab", "j", "enter", "escape", size=(80, 24))


def test_c_lets_the_doctor_look_again_and_the_cursor_stays():
    work = stored()

    def worse(app):
        work.ailments.append(Ailment("founder-os", "x", "", "A memory is doubled.", grave=True))

    seen = drive(app_on(work), *OPEN, "tab", "j", worse, "c")
    assert "The doctor looked: 4 findings, 2 grave." in status(seen)
    assert "3 of 4 · 2 grave" in seen
    assert "The memory is read as plain text" in seen


def test_the_doctor_could_not_look():
    work = stored()
    work.raising = {"doctor": ImportError("no doctor here")}
    seen = drive(app_on(work), *OPEN)
    assert "The doctor could not look" in seen
    assert "no doctor here" in status(seen)
    assert "founder-os" in seen


# Dialogs


def test_a_elsewhere_asks_for_a_path_and_a_refusal_loses_nothing(tmp_path):
    work = stored()
    seen = drive(app_on(work), *at(COAT), "a", *["ctrl+u"], *typed("/srv/nowhere"), "enter")
    assert "/srv/nowhere" in seen
    assert "There is nothing at /srv/nowhere. Nothing was changed." in seen
    seen = drive(app_on(work), *at(COAT), "a", "ctrl+u", *typed("/srv/assistant/memory.jsonl"), "enter")
    assert "Attached mcp-memory:memory.jsonl: 8 memories" in status(seen)
    assert "5 of 6" in seen


def test_an_empty_path_is_asked_for():
    assert "Type the path of a file or a folder." in drive(app_on(stored()), *OPEN, "A", "ctrl+u", "enter")


def test_tab_completes_a_path(tmp_path):
    for name in ("alpha-one", "alpha-two", ".hidden"):
        (tmp_path / name).mkdir()
    (tmp_path / "beta.db").touch()
    values = []

    def value(app):
        values.append(app.screen.query_one("#path").value.removeprefix(str(tmp_path)))

    def begin(app):
        app.screen.query_one("#path").value = f"{tmp_path}/al"

    drive(app_on(stored()), *OPEN, "A", begin, "tab", value, "down", "tab", value)
    assert values == ["/alpha-", "/alpha-two/"]


def test_candidates_are_folders_and_files_hidden_ones_last(tmp_path, monkeypatch):
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


def test_rename_refuses_in_words_and_keeps_what_was_typed():
    work = stored()
    seen = drive(app_on(work), *at(COAT), "e", "ctrl+u", *typed("founder-os"), "enter")
    assert "founder-os is the name of another store. Choose another." in seen
    assert "A store needs a name." in drive(app_on(work), *at(COAT), "e", "ctrl+u", "enter")
    seen = drive(app_on(work), *at(COAT), "e", "ctrl+u", *typed("paint"), "enter")
    assert "Renamed base-coat to paint" in status(seen)
    assert "paint" in [each.name for each in work.stores()]
    assert "Renamed" not in drive(app_on(work), *at(COAT), "e", "escape")


def test_a_backup_is_restored_by_another_key_than_the_one_that_asks(golden):
    work = stored()
    seen = drive(app_on(work), *at(COAT), "b", "enter", "enter", "enter", size=(80, 24))
    golden("backups-80x24", seen)
    assert "What stands there now is backed up first" in " ".join(seen.replace("┃", " ").split())
    assert len(work.kept) == 2
    assert "⏎ chooses" in drive(app_on(work), *at(COAT), "b", "y")
    assert len(work.kept) == 2
    seen = drive(app_on(work), *at(COAT), "b", "j", "enter", "y")
    assert "Restored base-coat from its backup b1" in status(seen)
    assert len(work.kept) == 3


def test_another_line_or_esc_takes_the_question_back():
    work = stored()
    for keys in (["j", "y"], ["escape", "y"]):
        assert "Backups of base-coat" in drive(app_on(work), *at(COAT), "b", "enter", *keys)
    assert len(work.kept) == 2
    assert "Backups of" not in drive(app_on(work), *at(COAT), "b", "enter", "escape", "escape")


def test_no_backups_says_when_they_are_made():
    seen = drive(app_on(stored()), *at(FOUNDER), "b", "enter")
    assert "One is made before the first write of a day;" in seen
    assert "There is nothing to restore." in seen


def test_a_backup_that_cannot_be_restored_says_why():
    work = stored()
    work.raising = {"restore_backup": Refused("busy", "memory.jsonl is busy.", "Try again in a moment.")}
    assert "memory.jsonl is busy. Try again" in drive(app_on(work), *at(COAT), "b", "enter", "y")


# Text that others wrote

EVIL = "\x1b]52;c;aGk=\x07[/foo] [@click=app.quit]x[/]\u202e\u200b\n日本語"


def evil() -> FakeWorkspace:
    work = sample()
    info = StoreInfo(EVIL, EVIL, EVIL, 2, error=EVIL, read_only=EVIL)
    work.attached = [info, replace(info, name="b" + EVIL, error="", locked=True)]
    work.found = [Found(EVIL, EVIL, f"/{EVIL}", 3, EVIL), Found(EVIL, EVIL, f"/x{EVIL}", None, EVIL)]
    work.ailments = [Ailment(EVIL, EVIL, EVIL, EVIL, EVIL, EVIL, True), Ailment("", "x", EVIL, EVIL, EVIL)]
    work.kept = [Backup(EVIL, EVIL, NOW, EVIL, 5)]
    return work


@pytest.mark.parametrize("size", [(120, 36), (80, 24), (40, 10)])
def test_hostile_text_is_only_ever_text(size):
    app = app_on(evil())

    def look(app):
        seen = screen(app)
        assert not any(c in seen for c in "\x1b\x07\u202e\u200b")
        assert not app._exit

    keys = [*OPEN, "j", "j", "j", "tab", "j", "enter", "escape", "escape", "g", "b", "enter", "y"]
    keys += ["escape", "escape", "e", "enter", "escape", "space", "d", "a", "escape", "*", "7", "8", "c"]
    drive(app, *(step for key in keys for step in (key, look)), size=size)


def test_markup_is_shown_as_it_is():
    work = stored()
    work.found = [Found("x", "[b]X[/b]", "/srv/[/foo]", 1)]
    seen = drive(app_on(work), *OPEN, "G")
    assert seen.count("/srv/[/foo]") == 2
    assert "[b]X[/b]" in seen


def test_every_size_draws_it():
    sizes = [(w, h) for w in (40, 60, 80, 99, 100, 200) for h in (8, 12, 24)]
    drive(app_on(stored()), *OPEN, "tab", *(step for size in sizes for step in (size, screen)))


def test_a_path_is_cut_at_its_beginning():
    assert tail("/a/very/long/path", 10) == "…long/path"
    assert tail("/a", 5) == "/a   "
    assert tail("日本語日本語", 6) in ("…本語 ", "…語   ", "… 語  ")
    assert tail("/a", 0) == ""
