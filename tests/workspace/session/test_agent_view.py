"""What an agent sees of a store, and what a change makes of it; nothing is written (S-72)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from memtui.errors import Refused
from memtui.formats.cognitive.derived import rebuild
from memtui.formats.cognitive.paths import CORE
from memtui.memory.results import Change
from memtui.workspace.session.effects import AgentEffect
from memtui.workspace.workspace import Workspace
from tests.support.stores import claude_code, cognitive, founder_os
from tests.support.stores.claude_code import flat
from tests.support.stores.files import read_tree

NAMES = [f"m{number:03}.md" for number in range(203)]


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with closing(Workspace.open(tmp_path / "w.db")) as workspace:
        yield workspace


@pytest.fixture
def folder(workspace: Workspace, tmp_path: Path) -> Path:
    """A Claude Code memory of three lines more than are loaded."""
    index = "".join(f"- [{name}]({name}) — hook\n" for name in NAMES)
    files = {name: flat(name, "project", f"Text of {name}.") for name in NAMES}
    claude_code.make(tmp_path / "memory", {"MEMORY.md": index, **files})
    workspace.attach(tmp_path / "memory", "notes")
    return tmp_path / "memory"


def refused(call: Callable[[], object]) -> str:
    """Return the code with which a call is refused."""
    with pytest.raises(Refused) as raised:
        call()
    return raised.value.code


def entry_of(change: Change) -> int:
    """Return the journal entry of a change."""
    assert change.journal_id is not None
    return change.journal_id


def id_of(workspace: Workspace, words: str) -> int:
    (id,) = workspace.search(f'"{words}"').ids
    return id


def labels(workspace: Workspace, entry: int, name: str = "claude-code") -> tuple[list[str], list[str]]:
    found = workspace.agent_view_difference(name, entry)
    lost, gained = ([found.memories[ref].label for ref in refs] for refs in (found.lost, found.gained))
    return lost, gained


def test_a_dismissal_lets_a_line_in_that_was_cut_off_and_undo_takes_it_out(
    workspace: Workspace, folder: Path
) -> None:
    change = workspace.dismiss([id_of(workspace, "Text of m007.md")])
    before = read_tree(folder)
    assert labels(workspace, entry_of(change)) == (["m007.md"], ["m200.md"])
    found = workspace.agent_view_difference("notes", entry_of(change))
    assert found.after == workspace.agent_view("notes").view
    assert "203 lines" in found.before.text
    assert "202 lines" in found.after.text
    assert read_tree(folder) == before

    undone = workspace.undo()
    assert refused(lambda: labels(workspace, entry_of(change))) == "undone"
    assert labels(workspace, entry_of(undone)) == (["m200.md"], ["m007.md"])


def test_an_edit_of_a_file_changes_nothing_at_session_start(workspace: Workspace, folder: Path) -> None:
    change = workspace.edit([id_of(workspace, "Text of m007.md")], {"content": "Another text."})
    found = workspace.agent_view_difference("notes", entry_of(change))
    assert found.before == found.after


def test_where_the_difference_cannot_be_told_that_is_said(workspace: Workspace, folder: Path) -> None:
    first = workspace.edit([id_of(workspace, "Text of m001.md")], {"title": "One"})
    workspace.edit([id_of(workspace, "Text of m001.md")], {"title": "Two"})
    assert refused(lambda: labels(workspace, entry_of(first))) == "unknown"
    assert refused(lambda: labels(workspace, 9_999)) == "no-line"
    assert refused(lambda: labels(workspace, 1)) == "unknown"  # the store was attached
    added = workspace.add({"content": "Kept by memtui."})
    assert refused(lambda: labels(workspace, entry_of(added))) == "other-store"
    gone = workspace.dismiss([id_of(workspace, "Text of m002.md")])
    workspace.purge(gone.ids)
    assert refused(lambda: labels(workspace, entry_of(gone))) == "unknown"


def test_what_an_agent_wrote_can_be_compared_too(workspace: Workspace, folder: Path) -> None:
    index = folder / "MEMORY.md"
    index.write_text(index.read_text().replace("[m003.md]", "[Renamed by the agent]"))
    workspace.pull()
    entry = workspace.journal(1)[0].id
    found = workspace.agent_view_difference("notes", entry)
    assert "Renamed by the agent" in found.after.text
    assert "Renamed by the agent" not in found.before.text


def sides(workspace: Workspace, change: Change, about: str = "") -> tuple[bool, bool]:
    """Return whether Acme's terms were in the text before a change, and are after it."""
    found = workspace.agent_view_difference("founder-os", entry_of(change), about)
    return "Acme Corp pays" in found.before.text, "Acme Corp pays" in found.after.text


def test_a_row_is_compared_with_what_it_was(workspace: Workspace, tmp_path: Path) -> None:
    founder_os.make(tmp_path / "memory.db")
    workspace.attach(tmp_path / "memory.db", "founder")
    before = (tmp_path / "memory.db").read_bytes()
    text = workspace.agent_view("founder-os").view
    assert text is not None
    assert "Acme Corp pays invoices on net-30 terms. (confidence: 85)" in text.text
    assert (tmp_path / "memory.db").read_bytes() == before
    id = id_of(workspace, "Acme Corp pays")
    assert sides(workspace, workspace.dismiss([id])) == (True, False)
    assert sides(workspace, workspace.undo()) == (False, True)
    assert sides(workspace, workspace.forget([id])) == (True, False)
    about = workspace.agent_view("founder-os", "invoices of Acme").view
    assert about is not None
    workspace.undo()
    assert workspace.agent_view("founder-os", "invoices of Acme").view != about


def test_a_memory_that_is_gone_answered_the_task_before(workspace: Workspace, tmp_path: Path) -> None:
    founder_os.make(tmp_path / "memory.db")
    workspace.attach(tmp_path / "memory.db", "founder")
    id = id_of(workspace, "Acme Corp pays")
    for verb in (workspace.dismiss, workspace.forget):
        change = verb([id])
        assert sides(workspace, change, "invoices of Acme") == (True, False)
        assert sides(workspace, change, "something else altogether") == (False, False)
        assert sides(workspace, workspace.undo(), "invoices of Acme") == (False, True)


def test_core_is_shown_as_it_is_on_disk(workspace: Workspace, tmp_path: Path) -> None:
    store = cognitive.make(tmp_path / "tree")
    now = workspace.now()
    (tmp_path / "tree" / CORE).write_bytes(rebuild.core_file(store.load()[0], now))
    workspace.attach(tmp_path / "tree", "tree")
    files = read_tree(tmp_path / "tree")
    seen = workspace.agent_view("cognitive")
    assert seen.view is not None
    assert seen.view.text.encode() == files[CORE]
    assert seen.view.stale == ()
    (id,) = [seen.memories[each.ref].id for each in seen.view.passages][:1]
    change = workspace.dismiss([id])
    found = workspace.agent_view_difference("tree", entry_of(change))
    assert (found.before.text, found.before.stale) == (
        found.after.text,
        (),
    )  # the file is rebuilt by its client
    assert found.after.stale == (CORE,)


def test_a_name_is_a_store_a_client_or_an_owner_and_must_mean_one_store(
    workspace: Workspace, folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "memory.jsonl").write_bytes(
        b'{"type":"entity","name":"A","entityType":"t","observations":["x"]}'
    )
    workspace.attach(tmp_path / "memory.jsonl", "graph")
    seen = workspace.agent_view("mcp-memory")
    assert (seen.view, seen.store) == (None, "graph")
    assert "search_nodes" in seen.instead
    claude_code.make(tmp_path / "other" / "memory")
    workspace.attach(tmp_path / "other" / "memory", "more")
    with pytest.raises(Refused, match="notes and more") as raised:
        workspace.agent_view("claude-code")
    assert raised.value.code == "ambiguous"
    assert refused(lambda: workspace.agent_view("nobody")) == "no-agent"
    assert refused(lambda: workspace.agent_view("native")) == "own-store"
    assert refused(lambda: workspace.agent_view_difference("graph", 1)) == "loads-nothing"


def test_the_effects_of_a_change_count_its_own_memories_and_others(
    workspace: Workspace, folder: Path
) -> None:
    id = id_of(workspace, "Text of m007.md")
    dismissed = workspace.dismiss([id])
    effect = AgentEffect("Claude Code", lost=1, let_in=1)
    assert workspace.agent_effects(entry_of(dismissed), [id]) == [effect]
    undone = workspace.undo()
    effect = AgentEffect("Claude Code", gained=1, pushed_out=1)
    assert workspace.agent_effects(entry_of(undone), [id]) == [effect]
    edited = workspace.edit([id], {"content": "Another text."})
    assert workspace.agent_effects(entry_of(edited), [id]) == []
    own = workspace.add({"content": "Kept by memtui."})
    assert workspace.agent_effects(entry_of(own), own.ids) == []
