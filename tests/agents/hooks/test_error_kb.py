"""A failure is one memory however often it comes, and learns its fix (S-81, S-104)."""

from __future__ import annotations

import json
from pathlib import Path

from memtui.agents.hooks.failures import normalized
from memtui.memory.memory import Memory
from tests.agents.hooks.conftest import Session, bash
from tests.agents.hooks.test_telling import TOKEN

NO_YAML = """Exit code 1
Traceback (most recent call last):
  File "/tmp/run{}/a.py", line {}
ModuleNotFoundError: No module named 'yaml'"""
PRIVATE = "\n".join(
    ["-----BEGIN RSA PRIVATE KEY-----", *(n * 60 + "Qx9z" for n in "MNOP"), "-----END RSA PRIVATE KEY-----"]
)


def failures(session: Session) -> list[Memory]:
    return [each for each in session.work.memories(session.work.ids_in()) if each.subject == "error-kb"]


def test_a_failure_is_counted_and_learns_what_fixed_it(session: Session) -> None:
    assert session.fails("pytest -q", NO_YAML.format(1, 20)) == ""
    assert session.fails("pytest -q", NO_YAML.format(2, 31)) == "", "no fix is known yet"
    (known,) = failures(session)
    told = "`pytest -q` failed with exit code 1: ModuleNotFoundError: No module named 'yaml'"
    assert (known.content, known.times_confirmed) == (told, 1)
    assert (known.category, known.owner, known.source_ref) == ("fact", "scout", "PostToolUse:Bash")
    assert (
        session.succeeds("pip install pyyaml"),
        session.edits("a.py", old_string="x", new_string="y"),
    ) == ("", "")
    assert session.succeeds("pytest -q") == ""
    fix = "Fix: run `pip install pyyaml`; edit a.py, “x” to “y”"
    assert failures(session)[0].content == f"{told}\n{fix}"
    session.given["session_id"] = "s2"
    again = session.fails("pytest -q", NO_YAML.format(3, 5))
    assert again == f"## This failed before\n- [fact] {told} {fix} (confidence: 80)"
    assert [each.kind for each in session.work.journal()] == ["confirmed", "edited", "confirmed", "added"]
    session.work.undo(session.work.journal()[1].id)
    assert failures(session)[0].content == told


def test_a_success_teaches_nothing_without_a_change(session: Session) -> None:
    session.fails("make", "Exit code 2\nmake: *** No rule to make target 'x'")
    session.succeeds("ls")
    session.succeeds("make")
    session.succeeds("pip install x")
    session.succeeds("make")
    assert [each.content for each in failures(session)] == [
        "`make` failed with exit code 2: make: *** No rule to make target 'x'"
    ]
    assert len(session.work.journal()) == 1


def test_other_failures_are_other_memories_and_some_are_none(session: Session) -> None:
    session.fails("make a", "Exit code 2\nerror: boom")
    session.fails("make b", "Exit code 2\nerror: boom")
    session.fails("make a", "Exit code 1\nerror: boom")
    session.fails("make a", "Exit code 2\nerror: bang")
    session.fails("cd src && make a", "Exit code 2\nerror: bang")
    assert len(failures(session)) == 5
    session.fails("make c", "Exit code 130\nerror: boom")
    session.fails("make c", "error: boom", is_interrupt=True)
    session.fails("ls x && git log y", "Exit code 2\nls: cannot access 'x'")
    session.fails("make c", "Exit code 2\n---\n")
    session.fails(f"deploy --token {TOKEN}", "Exit code 2\nerror: boom")
    session.told("post-tool-use-failure", tool_name="Edit", tool_input={"file_path": "a"}, error="not found")
    assert len(failures(session)) == 5
    for answer in ({"exit_code": 3, "stderr": "error: bad"}, {"success": False, "stdout": "error: worse"}):
        session.told("post-tool-use", **bash("make d"), tool_response=answer)
    assert [each.content for each in failures(session)][5:] == [
        "`make d` failed with exit code 3: error: bad", "`make d` failed: error: worse",
    ]  # fmt: skip


def test_anothers_failure_is_told_and_left_alone(session: Session) -> None:
    session.fails("make", "Exit code 2\nerror: boom")
    (mine,) = failures(session)
    session.work.edit_for("scout", session.work.ids_in()[0], f"{mine.content}\nFix: run `make clean`")
    session.work.edit(session.work.ids_in(), {"scope": "fleet"})
    before = session.work.memories(session.work.ids_in())
    event = {**bash("make"), "error": "Exit code 2\nerror: boom"}
    assert "Fix: run `make clean`" in session.told("post-tool-use-failure", "ada", **event)
    after = session.work.memories(session.work.ids_in())
    assert [each.content for each in after] == [each.content for each in before]
    session.work.set_policy("ada", write=["none"])
    assert "Fix" in session.told("post-tool-use-failure", "ada", **event)
    gone = session.answer("post-tool-use-failure", "ada", store="gone", **bash("m"), error="error: x")
    assert json.loads(gone) == {"memory_status": "unavailable", "suppressOutput": True}


def test_what_is_cut_keeps_no_part_of_a_secret(session: Session, tmp_path: Path) -> None:
    for end in (4, 12, 30):
        session.fails(f"make {'x' * (293 - end)} {TOKEN}", "Exit code 2\nerror: boom")
        session.fails(f"make {end}", f"Exit code 2\nerror: {'y' * (191 - end)} {TOKEN}")
        session.fails(f"make k{end}", f"Exit code 2\n\x1b[1m{PRIVATE}")
    assert failures(session) == []
    session.given["session_id"] = TOKEN
    session.fails("make", "Exit code 2\nerror: boom")
    for end in (4, 12, 30):
        session.succeeds(f"pip install {'x' * (147 - end)} {TOKEN}")
    session.succeeds("pip install tea")
    session.succeeds("make")
    (known,) = failures(session)
    assert known.content.endswith("Fix: run `pip install tea`")
    assert TOKEN not in str(session.work._ctx.db.rows("SELECT session FROM journal"))
    assert not any(TOKEN[:8] in each.read_text("utf-8") for each in tmp_path.rglob("hooks/*/*"))


def test_two_agents_of_a_session_keep_apart_what_they_know(session: Session) -> None:
    for agent in ("scout", "ada"):
        session.answer("stop", agent, last_assistant_message="Decision: cups are blue now")
    assert session.kept() == ["cups are blue now"] * 2


def test_what_differs_from_run_to_run_is_taken_out() -> None:
    for one, other in (
        ("/tmp/a/b.py:12: error", "/home/me/c.py:7: error"),
        ("at 2026-11-26T10:00:00Z in 1.2s", "at 2025-01-02 11:22:33 in 44s"),
        ("commit deadbeef12 at 0x7ffe", "commit 0123456789abcdef at 0x1"),
        ("id 6f1e1b9a-0000-4000-8000-1234567890ab", "id 00000000-1111-4222-8333-abcdefabcdef"),
    ):
        assert normalized(one) == normalized(other)
    assert normalized("No module named 'yaml'") != normalized("No module named 'toml'")
    assert normalized("defaced facade") == "defaced facade", "words are no digits"
