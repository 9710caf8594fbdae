"""The Rules screen and projects' files: the line above the list, trusting with `t`, what refuses (S-63)."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from memtui.tui.app import MemtuiApp
from memtui.tui.rules import actions
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import Probe, Shots, drive, line_with
from tests.support.fake_workspace import clock
from tests.support.hostile.texts import TEXTS

KEEP = (
    '[[rule]]\nname = "Keep keys"\nwhen = "security"\ndo = ["pin", "tag=ours"]\nnote = "Ours."\non = true\n'
)
REST = """
[[rule]]
name = "No lunch"
when = "lunch"
do = "refuse"
on = true

[[policy]]
agent = "scout"
write = "none"
sensitive = ["password:*"]
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of the project in the working directory, not trusted yet."""
    folder = tmp_path / "home" / "app"
    (folder / ".memtui").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(folder)
    path = folder / ".memtui" / "rules.toml"
    path.write_text(KEEP + REST)
    return path


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "w.db"
    with closing(Workspace.open(path, clock=clock)) as work:
        for n in range(3):
            work.add({"content": f"Security: rotate key {n}"})
        work.add({"content": "Lunch is at noon"})
    return path


def app_at(path: Path, *, read_only: bool = False) -> MemtuiApp:
    return MemtuiApp(lambda: Workspace.open(path, clock=clock, read_only=read_only), clock=clock)


@pytest.mark.parametrize("key", ["t", "!"])
def test_a_question_that_comes_too_late_is_not_asked(
    file: Path, database: Path, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    """Else the key that closes what was opened meanwhile would trust a file, or redact for good."""
    with closing(Workspace.open(database, clock=clock)) as work:
        work.add_rule("Redact", "security", ["redact"])
        before = work.rules(), work.rule_files()
    app = app_at(database)
    plan, trial = actions.trust_plan, Workspace.try_rule
    opened: list[object] = []

    def open_recipes() -> None:
        if not opened:
            opened.append(app.screen)
            press: Callable[..., Any] = partial(app.screen.run_action, "recipe")
            app.call_from_thread(press)

    def slow_plan(*values: Any) -> Any:
        open_recipes()
        return plan(*values)

    def slow_trial(*values: Any) -> Any:
        open_recipes()
        return trial(*values)

    def slow_down(app: MemtuiApp) -> None:
        monkeypatch.setattr(actions, "trust_plan", slow_plan)
        monkeypatch.setattr(Workspace, "try_rule", slow_trial)

    shots = Shots()
    drive(app, "6", Probe(slow_down), key, shots, "escape", size=(80, 24))
    assert opened
    assert "something else was opened before this could ask" in shots[0]
    with closing(Workspace.open(database, clock=clock)) as work:
        assert (work.rules(), work.rule_files()) == before


def pinned(path: Path) -> int:
    with closing(Workspace.open(path, clock=clock)) as work:
        return work.search("is:pinned").total


def test_a_file_is_shown_trusted_and_taken_back(
    file: Path, database: Path, golden: Callable[[str, str], None]
) -> None:
    shots = Shots()
    drive(
        app_at(database),
        *("6", shots, "t", shots, "escape", shots),
        *("t", "enter", shots, "e", shots, "delete", shots, "<", shots, ">", shots),
        *("end", shots, "e", shots, "delete", shots, "home"),
        *("!", shots, "t", shots, "enter", shots, "u", shots),
        size=(80, 24),
    )
    (
        untrusted,
        asked,
        left,
        trusted,
        edit,
        remove,
        earlier,
        later,
        agent,
        edit_agent,
        remove_agent,
        off,
        distrust,
        gone,
        back,
    ) = shots
    golden("rules-project-80x24", untrusted)
    golden("rules-trust-80x24", asked)
    assert "app/.memtui/rules.toml is not trusted, so not used; t shows what it" in untrusted
    assert "No rules yet." in left
    assert "Trusted the rules of app: 2 rules and 1 policy" in trusted
    assert "not trusted" not in trusted
    assert "3 now" in line_with(trusted, "Keep keys@app")
    for refused in (edit, remove, earlier, later):
        assert "“Keep keys@app” comes from app/.memtui/rules.toml: change it there" in refused
    assert "writes nothing" in line_with(agent, "scout@app")
    assert "From app/.memtui/rules.toml, for every store" in agent
    for refused in (edit_agent, remove_agent):
        assert "“scout@app” comes from app/.memtui/rules.toml: change it there" in refused
    assert "Switched the rule “Keep keys@app” off" in off
    assert "No longer trust app/.memtui/rules.toml" in distrust
    for name in ("Keep keys@app", "No lunch@app", "scout@app"):
        assert name in distrust.partition("Removed")[2]
    assert "No rules yet." in gone
    assert "Undone" in back
    assert "○ off" in line_with(back, "Keep keys@app")
    assert pinned(database) == 0


def test_a_changed_or_missing_file_is_told_and_shows_the_difference(file: Path, database: Path) -> None:
    shots = Shots()

    def change(app: MemtuiApp) -> None:
        file.write_text(KEEP.replace("tag=ours", "tag=theirs"))

    def remove(app: MemtuiApp) -> None:
        file.unlink()

    def spoil(app: MemtuiApp) -> None:
        file.write_text(KEEP.replace('"pin"', '"dismiss"'))

    drive(
        app_at(database),
        *("6", "t", "enter", Probe(change), "1", "6", "!", "!", shots, "t", shots, "enter", shots),
        *(Probe(spoil), "!", "!", "t", shots, Probe(remove), "!", "!", shots, "t", shots, "enter", shots),
        size=(120, 36),
    )
    changed, asked, again, spoiled, missing, distrust, gone = shots
    assert "app/.memtui/rules.toml changed since you trusted it on " in changed
    assert "t shows the difference" in changed
    assert "project app" in line_with(changed, "writes nothing")
    assert "was: security → pin · tag ours" in asked
    assert "security → pin · tag theirs" in asked
    assert "Removed" in asked
    assert "No lunch@app" in asked
    assert "scout@app" in asked
    assert "changed since" not in again
    assert "No lunch" not in again
    assert "Not trusted: " in spoiled
    assert "can't dismiss" in spoiled
    assert "app/.memtui/rules.toml is gone; what you trusted holds until t takes them back" in missing
    assert "Keep keys@app" in missing
    assert "Keep keys@app" in distrust
    assert "No rules yet." in gone


def test_no_file_and_a_read_only_workspace_say_why_t_does_nothing(file: Path, database: Path) -> None:
    shots = Shots()
    drive(app_at(database, read_only=True), "6", shots, "t", shots)
    assert "is not trusted, so not used" in shots[0]
    assert "read-only" in shots[1]
    file.unlink()
    assert "there is no .memtui/rules.toml in this folder" in drive(app_at(database), "6", "t")


def test_hostile_texts_of_a_file_are_shown_safely(
    file: Path, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = file.parents[2] / "[red]a\x1b[31m\u202eb"
    file.parents[1].rename(folder)
    monkeypatch.chdir(folder)
    hostile = [
        json.dumps(text.encode(errors="ignore").decode(), ensure_ascii=False).replace("\x7f", "\\u007f")
        for text in TEXTS.values()
    ]
    rules = "".join(
        f"[[rule]]\nname = 'R{n} [b]'\nwhen = {text}\ndo = 'tag=[/red]'\nnote = '[/]'\n"
        for n, text in enumerate(hostile)
    )
    (folder / ".memtui" / "rules.toml").write_text(rules)
    shots = Shots()
    drive(app_at(database), "6", shots, "t", shots, "enter", shots, size=(80, 24))
    for shot in shots:
        assert not {"\x1b", "\u202e"} & set(shot)
    assert "[red]a" in shots[0]
    assert "R0 [b]@[red]a" in shots[1]
    assert "R0 [b]@[red]a" in shots[2]
