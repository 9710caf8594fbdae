"""Find and replace on Browse: what to find, match by match, one change with one undo (S-54)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from memtui.formats import registry
from memtui.memory.replacement import Replacement
from memtui.memory.results import ReplacePreview
from memtui.tui.app import MemtuiApp
from memtui.workspace.background import JobControl
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import Probe, Shots, Step, drive, line_with, screen_text, typed
from tests.support.fake_workspace import clock
from tests.support.planted.plants import SECRET
from tests.support.sizes import sample_cases
from tests.support.stores.files import read_tree
from tests.support.stores.mem_skill import rows_in

TEAS = ("Bo likes tea; green tea, not black tea.", "Teatime is at five.", "Ana drinks coffee.")
SMALL = (80, 24)


def make(path: Path, texts: Sequence[str] = TEAS) -> Path:
    """Create a workspace with a memory of each text in memtui's own store."""
    with closing(Workspace.open(path / "w.db", clock=clock)) as workspace:
        for text in texts:
            workspace.add({"content": text})
    return path / "w.db"


def app_at(path: Path, **options: Any) -> MemtuiApp:
    return MemtuiApp(lambda: Workspace.open(path, clock=clock, **options), clock=clock)


def contents(path: Path) -> list[str]:
    with closing(Workspace.open(path, clock=clock)) as workspace:
        ids = workspace.search("", sort="oldest").ids
        return sorted(memory.content for memory in workspace.memories(ids))


def found(find: str, new: str) -> list[Step]:
    """Return the keys that find a text, to be replaced by another one."""
    return ["%", *typed(find), "tab", *typed(new), "enter"]


# -- match by match


def test_only_accepted_matches_are_replaced_and_one_undo_takes_them_back(tmp_path: Path) -> None:
    path, shots = make(tmp_path), Shots()
    before = contents(path)
    seen: list[list[str]] = []
    note = Probe(lambda app: seen.append(contents(path)))
    drive(
        app_at(path),
        *found("tea", "mate"),
        *(shots, "y", shots, "n", shots, "u", shots, "n", note, "y", shots, note, "u", note),
    )
    first, second, third, again, done = shots
    assert "Match 1 of 3 · 1 memory" in first
    assert "- Bo likes tea; green tea, not black tea." in first
    assert "+ Bo likes mate; green tea, not black tea." in first
    assert "Nothing accepted yet." in first
    assert "+ Bo likes tea; green mate, not black tea." in second
    assert "Accepted: 1 match in 1 memory (native 1)." in second
    assert "Match 3 of 3" in third
    assert "Match 2 of 3" in again
    assert "Replaced 2 matches in 1 memory (native 1)" in done
    assert "u undo" in line_with(done, "Replaced")
    unwritten, written, undone = seen
    assert unwritten == before
    assert written == sorted(["Bo likes mate; green tea, not black mate.", *TEAS[1:]])
    assert undone == before


def test_a_accepts_the_rest_and_q_replaces_what_was_accepted(tmp_path: Path) -> None:
    path = make(tmp_path)
    drive(app_at(path), *found("tea", "mate"), "n", "a")
    assert contents(path)[1] == "Bo likes tea; green mate, not black mate."
    drive(app_at(path), *found("mate", "milk"), "y", "q")
    assert contents(path)[1] == "Bo likes tea; green milk, not black mate."


def test_u_takes_a_back_as_one_answer_and_says_if_there_is_none(tmp_path: Path) -> None:
    path, shots = make(tmp_path, [f"Tea {number}" for number in range(12)]), Shots()
    drive(
        app_at(path), *found("Tea", "Mate"), "u", shots, "n", "a", shots, "y", shots, "u", shots, size=SMALL
    )
    assert "No answer to undo." in shots[0]
    assert "Replace 11 of 12 matches in 11 memories?" in shots[1], "more than ten memories: it is asked"
    assert "native  11 memories, 11 matches" in shots[1]
    assert "Press ⏎ to replace" in shots[2]
    assert "Match 2 of 12" in shots[3]
    assert contents(path) == sorted(f"Tea {number}" for number in range(12))


def test_skipping_all_matches_changes_nothing(tmp_path: Path) -> None:
    path = make(tmp_path)
    seen = drive(app_at(path), *found("coffee", "tea"), "n")
    assert "Nothing was replaced." in seen
    assert "Find and replace in all 3 memories" in seen, "what was typed is still there"
    assert contents(path) == sorted(TEAS)


def test_esc_asks_before_it_drops_answers(tmp_path: Path) -> None:
    path, shots = make(tmp_path), Shots()
    drive(app_at(path), *found("tea", "mate"), "y", "escape", shots, "y", "escape", "escape", shots)
    assert "Press esc again to leave without replacing anything." in shots[0]
    assert "Match 3 of 3" not in shots[1]
    assert "Find and replace in all 3 memories" in shots[1]
    assert contents(path) == sorted(TEAS)


def test_a_pattern_with_groups_in_one_field(tmp_path: Path) -> None:
    path = make(tmp_path, ["Due 24.12.2026", "Since 01.02.2020"])
    drive(
        app_at(path),
        *("%", "ctrl+r", *typed(r"(\d+)\.(\d+)\.(\d{4})"), "tab", *typed(r"\3-\2-\1"), "enter", "y", "y"),
    )
    assert contents(path) == ["Due 2026-12-24", "Since 2020-02-01"]


# -- what is searched


def test_the_marked_memories_are_searched_else_the_list(tmp_path: Path) -> None:
    path, shots = make(tmp_path), Shots()
    drive(app_at(path), "g", "space", "%", shots, "escape", "/", *typed("coffee"), "enter", shots)
    assert "Find and replace in 1 marked ━" in shots[0]
    searched = drive(app_at(path), "/", *typed("coffee"), "enter", "%")
    assert "Find and replace in the one result ━" in searched
    assert "coffee" in line_with(searched, "find  ")
    assert "[x] ignore case" in searched, "a search ignores case too"
    many = drive(app_at(path), "/", *typed("bo tea"), "enter", "%")
    assert "tea" not in line_with(many, "find  ")


def test_wrong_patterns_are_explained_in_the_dialog(tmp_path: Path) -> None:
    path, shots = make(tmp_path), Shots()
    drive(
        app_at(path),
        *("%", "enter", shots, "ctrl+r", *typed("(t"), shots, *typed(")*"), "enter", shots),
        *("tab", *typed(r"\2"), shots),
        size=SMALL,
    )
    empty, pattern, no_width, group = shots
    assert "The text to find is empty." in empty
    assert "Invalid regular expression: missing ), unterminated subpattern at" in pattern
    assert "The pattern matches empty text." in no_width
    assert "Invalid replacement: invalid group reference 2 at position 1." in group
    assert all("Find and replace" in shot for shot in shots)


def test_no_match_says_where_it_looked_and_no_field_is_refused(tmp_path: Path) -> None:
    path, shots = make(tmp_path), Shots()
    drive(
        app_at(path),
        *("%", *typed("TEA"), "enter", shots, "tab", "tab", "down", "space", "enter", shots, "escape"),
        *("escape", "%", *typed("tea"), "tab", "tab", "down", "down"),
        *(key for _ in range(5) for key in ("down", "space")),
        *("enter", shots),
        size=SMALL,
    )
    assert "No match in 3 memories. The search was case-sensitive; turn on" in shots[0]
    assert "Match 1 of 4 · 2 memories" in shots[1]
    assert "Select at least one field to search." in shots[2]


def test_esc_stops_a_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(
        _: Workspace, replacement: Replacement, ids: Sequence[int], control: JobControl
    ) -> ReplacePreview:
        control.report(1, 2)
        while not control.stop():
            time.sleep(0.002)
        return ReplacePreview(())

    monkeypatch.setattr(Workspace, "replace_preview", endless)
    seen: list[str] = []

    async def find_and_stop(app: MemtuiApp) -> None:
        await app._press_keys(["enter"])
        for _ in range(1000):
            await asyncio.sleep(0.005)
            if "Searching … 1 of 3 memories" in screen_text(app):
                break
        seen.append(screen_text(app))
        await app._press_keys(["escape"])

    seen.append(drive(app_at(make(tmp_path)), "%", *typed("tea"), Probe(find_and_stop)))
    assert "Searching … 1 of 3 memories" in seen[0]
    assert "Stopped. Nothing was replaced." in seen[1]


@pytest.mark.parametrize(("query", "message"), [("", "read-only"), ("nothing like it", "Nothing to replace")])
def test_why_nothing_can_be_replaced_is_said_at_once(tmp_path: Path, query: str, message: str) -> None:
    search = ["/", *typed(query), "enter"] if query else []
    seen = drive(app_at(make(tmp_path), read_only=not query), *search, "%")
    assert message in seen.splitlines()[-2]
    assert "Find and replace" not in seen


@pytest.mark.parametrize("words", sample_cases(["sed", "rename everywhere"], 1))
def test_the_palette_finds_it_by_other_words(tmp_path: Path, words: str) -> None:
    assert "find and replace" in drive(app_at(make(tmp_path)), "ctrl+p", *typed(words))


# -- what is shown


def test_hostile_text_is_inert_and_secrets_are_never_shown(tmp_path: Path) -> None:
    path = make(tmp_path, [f"tea \x1b[31m [bold]\u202e {'x' * 500}\ntea {SECRET}"])
    shots = Shots()
    drive(app_at(path), *found("tea", "ma[red]te"), shots, "y", shots, size=SMALL)
    assert "+ ma[red]te ␛[31m [bold]⟨202E⟩ xx" in shots[0]
    assert "- tea " in shots[1]
    assert SECRET.split()[-1] not in "".join(shots)
    assert "••••" in shots[1]


def test_the_dialogs_fit_a_small_and_a_low_window(tmp_path: Path, golden: Callable[[str, str], None]) -> None:
    path, shots = make(tmp_path), Shots()
    drive(app_at(path), *found("tea", "mate")[:-1], shots, (80, 12), shots, SMALL, "enter", shots, size=SMALL)
    golden("replace-80x24", shots[0])
    assert "replace with" in shots[1]
    assert "⏎ find" in shots[1]
    golden("matches-80x24", shots[2])
    golden("matches-120x36", drive(app_at(path), *found("tea", "mate"), "y"))


# -- real stores


@pytest.fixture
def stores(tmp_path: Path) -> tuple[Path, dict[str, Path]]:
    """A workspace with a store of each format, and two memories that name Acme in each."""
    paths = {}
    with closing(Workspace.open(tmp_path / "w.db", clock=clock)) as workspace:
        for each in registry.formats():
            folder = tmp_path / "stores" / each.format
            folder.mkdir(parents=True)
            file = {"mcp-memory": "memory.jsonl", "founder-os": "memory.db"}.get(each.format, "")
            paths[each.format] = Path(workspace.create_store(each.format, folder / file, each.format).path)
            for number in range(2):
                text = f"Acme pays late, see {number}."
                workspace.add({"content": text, "subject": f"clients:Terms {number}"}, each.format)
    return tmp_path / "w.db", paths


def stored(paths: dict[str, Path]) -> dict[str, Any]:
    """Return what each store holds: the bytes of files, the rows of databases."""
    out: dict[str, Any] = {}
    for name, path in paths.items():
        if path.is_file():
            out[name] = rows_in(path) if path.suffix == ".db" else path.read_bytes()
        else:
            database = next(iter(path.glob("*.db")), None)
            out[name] = rows_in(database) if database else read_tree(path)
    return out


def test_all_formats_are_changed_by_one_change_and_restored_by_one_undo(
    stores: tuple[Path, dict[str, Path]],
) -> None:
    path, paths = stores
    before, shots = stored(paths), Shots()
    during: list[dict[str, Any]] = []
    note = Probe(lambda app: during.append(stored(paths)))
    drive(app_at(path), *found("Acme", "Globex"), "a", shots, note, "enter", shots, note, "u", note)
    count = 2 * len(paths)
    assert f" matches in {count} memories?" in shots[0]
    assert all("2 memories, " in line_with(shots[0], f"  {name} ") for name in paths)
    assert f" matches in {count} memories (" in line_with(shots[1], "Replaced ")
    assert "and 5 other stores)" in line_with(shots[1], "Replaced ")
    unwritten, written, undone = during
    assert unwritten == before
    assert [name for name in paths if written[name] == before[name]] == []
    assert undone == before


def test_what_an_agent_changed_meanwhile_and_read_only_stores_are_skipped_and_said(
    stores: tuple[Path, dict[str, Path]],
) -> None:
    path, paths = stores
    with closing(Workspace.open(path, clock=clock)) as workspace:
        workspace.lock_store("founder-os", True)
    before, graph, shots = stored(paths), paths["mcp-memory"], Shots()

    def change_as_agent(app: MemtuiApp) -> None:
        graph.write_bytes(graph.read_bytes().replace(b"late, see 0", b"very late, see 0"))

    drive(
        app_at(path),
        *("/", *typed("store:mcp-memory"), "enter", *found("Acme", "Globex")),
        *(change_as_agent, "a", shots, "escape", "/", "escape"),
        *(*found("pays", "paid"), shots, "escape", "escape"),
        *("/", *typed("store:founder-os"), "enter", *found("pays", "paid"), shots),
    )
    assert "Replaced 1 match in 1 memory (mcp-memory 1) · 1 skipped: " in shots[0]
    assert b"Acme pays very late, see 0" in graph.read_bytes()
    assert b"Globex pays late, see 1" in graph.read_bytes()
    assert "Skipped 2 memories: " in shots[1]
    assert "read-only" in line_with(shots[1], "Skipped 2 memories: ")
    assert "The matches in 2 memories can't be replaced: " in shots[2]
    assert stored(paths)["founder-os"] == before["founder-os"]
