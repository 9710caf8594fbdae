"""`@` on Stores: what the agent of a store is given at the start of a session (S-72)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from memtui.formats.contract.session_view import SessionView
from memtui.memory.contradictions.pairs import CONTRADICTION, Pair
from memtui.tui.app import MemtuiApp
from memtui.tui.stores.agent_view_text import agent_view_text
from memtui.workspace.session.view import StoreView
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import Shots, app_on, drive
from tests.support.fake_workspace import clock, with_stores
from tests.support.stores import claude_code
from tests.support.stores.claude_code import flat
from tests.support.stores.files import read_tree
from tests.support.waiting.stores import wait_for_stores

HOSTILE = "\x1b[31m\u202e[bold]x[/] \u200b" + "long " * 40


def test_the_text_and_below_it_what_is_not_loaded(golden: Callable[[str, str], None], tmp_path: Path) -> None:
    names = [f"m{number:03}.md" for number in range(205)]
    index = "".join(f"- [{name}]({name}) — hook {HOSTILE if name == 'm001.md' else ''}\n" for name in names)
    files = {name: flat(name, "project", f"Text of {name}.") for name in [*names, "unlisted.md"]}
    claude_code.make(tmp_path / "memory", {"MEMORY.md": f"<!-- for people -->\n{index}", **files})
    with closing(Workspace.open(tmp_path / "w.db", clock=clock)) as workspace:
        workspace.attach(tmp_path / "memory", "notes")
    before, shots = read_tree(tmp_path / "memory"), Shots()
    drive(
        MemtuiApp(lambda: Workspace.open(tmp_path / "w.db", clock=clock), clock=clock),
        *(
            "8",
            wait_for_stores,
            "g",
            "@",
            shots,
            "j",
            "@",
            shots,
            "G",
            shots,
            (60, 20),
            shots,
            "escape",
            shots,
        ),
        size=(80, 24),
    )
    own, top, bottom, narrow, closed = shots
    assert "No agent loads memtui's own store." in own
    golden("agent-view-80x24", top)
    assert "Lines 202–206 with 5 memories not loaded: beyond the first 200 lines" in bottom
    assert "1 memory not loaded: no line in MEMORY.md" in bottom
    assert "Claude Code sees 3,458 tokens of notes · 6 memories" in narrow
    assert "╭─ Findings" in closed
    assert read_tree(tmp_path / "memory") == before


def test_what_is_wrong_in_the_text_is_below_a_rule_and_cut_short() -> None:
    pairs = [
        Pair(n, n, n + 1, CONTRADICTION, "value", 0.9, ("", ""), "", "", 0, "open", labels=(f"A{n}", f"B{n}"))
        for n in range(14)
    ]
    view = SessionView("claude-code", "All of the text", {}, stale=("CORE.md",))
    text = agent_view_text(StoreView("notes", "Claude Code", view, "", {}, pairs), 60).plain
    shown, rule, rest = text.partition("── Wrong in this text")
    assert shown.strip() == "All of the text"
    assert rule
    assert "! CORE.md is out of date" in rest
    assert "“A9” contradicts “B9”." in rest
    assert "A10" not in rest
    assert "and 4 more pairs; Review (3) has all" in rest


def test_a_store_without_a_client_says_what_its_agent_does_and_a_missing_one_why(tmp_path: Path) -> None:
    graph = tmp_path / "memory.jsonl"
    graph.write_bytes(b'{"type":"entity","name":"A","entityType":"t","observations":["x"]}')
    with closing(Workspace.open(tmp_path / "w.db", clock=clock)) as workspace:
        workspace.attach(graph, "graph")
    shots = Shots()
    drive(
        MemtuiApp(lambda: Workspace.open(tmp_path / "w.db", clock=clock), clock=clock),
        *("8", wait_for_stores, "g", "j", "@", shots, "@", lambda app: graph.unlink(), "@", shots),
    )
    assert "search_nodes" in shots[0]
    assert "Could not read what the agent sees: " in shots[1]


def test_what_was_found_but_not_attached_has_no_agent_yet() -> None:
    seen = drive(app_on(with_stores()), "8", wait_for_stores, "G", "@")
    assert "attach" in seen.splitlines()[-2]
