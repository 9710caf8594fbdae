"""What an agent stated is kept once, as its own memory, under its policies (S-81, S-104)."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from memtui.agents.hooks.stated import statements
from tests.agents.hooks.conftest import Session
from tests.agents.hooks.test_telling import TOKEN
from tests.support.demo_workspace import NOW
from tests.support.stores import mem_skill, minions

SAID = "All done.\n\n- **Decision:** Tea stays at four\nBlocker: the kettle is broken\n"


def transcript(folder: Path, *texts: str) -> dict[str, Any]:
    """Write a transcript as Claude Code does; what the person and the tools say counts for nothing."""
    file = folder / "transcript.jsonl"
    lines = [
        json.dumps(
            {"type": "user", "message": {"role": "user", "content": "Decision: what the person typed"}}
        ),
        "{cut",
        *(
            json.dumps({"type": "assistant", "message": {"content": [{"type": "text", "text": each}]}})
            for each in texts
        ),
        json.dumps({"type": "assistant", "message": {"content": [{"type": "tool_use", "input": {}}]}}),
    ]
    file.write_text("\n".join(lines), "utf-8")
    return {"transcript_path": str(file)}


def test_what_was_stated_is_kept_once_however_many_events_tell_of_it(
    session: Session, tmp_path: Path
) -> None:
    whole = transcript(tmp_path, SAID, "Discovered: the jug holds two litres", "Blocker: no milk is left")
    for _ in range(2):
        assert session.answer("stop", last_assistant_message=SAID, **whole) == b""
        assert session.kept() == ["Tea stays at four"], "a blocker may be gone before the session ends"
    assert session.answer("pre-compact", trigger="auto", **whole) == b""
    for _ in range(2):
        assert session.answer("session-end", reason="exit", **whole) == b""
    assert session.kept() == [
        "Tea stays at four", "Discovered: the jug holds two litres", "Blocker: no milk is left",
    ]  # fmt: skip
    for each in session.work.memories(session.work.ids_in()):
        found = (each.category, each.subject, each.owner, each.source_ref, each.times_confirmed)
        assert found == ("decision", "tea", "scout", "session_end", 0)
    called = session.work._ctx.db.rows("SELECT tool, session FROM journal ORDER BY id")
    assert called == [("hook:stop", "s1"), ("hook:pre-compact", "s1"), ("hook:session-end", "s1")]
    session.work.undo(session.work.journal()[0].id)
    assert len(session.kept()) == 2
    session.answer("stop", last_assistant_message=SAID, session_id="s2")
    (again,) = (each for each in session.work.memories(session.work.ids_in()) if "four" in each.content)
    assert again.times_confirmed == 1, "another session says it again"


def test_a_store_that_cannot_have_the_category_or_two_of_a_key(session: Session, tmp_path: Path) -> None:
    session.work.attach(minions.make(tmp_path / ".minions").root, "minions")
    session.work.attach(mem_skill.make(tmp_path / "mem.db"), "skill")
    said: dict[str, Any] = {
        "last_assistant_message": "Decision: keep the blue cups\nDecided: sell the red cups"
    }
    for store, place in (("minions", "minions"), ("skill", "native")):
        before = len(session.work.ids_in(store=place))
        session.answer("stop", store=store, session_id=store, **said)
        assert len(session.work.ids_in(store=place)) == before + 2
    session.work.set_policy("scout", writes_to="minions")
    before = len(session.work.ids_in(store="minions"))
    session.answer("stop", last_assistant_message="Decision: buy some green cups", session_id="s4")
    assert len(session.work.ids_in(store="minions")) == before + 1


def test_what_is_known_of_a_session_is_forgotten_after_a_week(session: Session) -> None:
    folder = session.answering.folder / "sessions"
    for id, age in (("old", 8), ("new", 6)):
        session.answer("stop", last_assistant_message=f"Decision: {id} cups are blue", session_id=id)
        (made,) = (each for each in folder.iterdir() if each.stat().st_mtime > NOW)
        assert (made.stat().st_mode & 0o777, "cups" in made.read_text()) == (0o600, False)
        os.utime(made, (NOW - age * 86_400, NOW - age * 86_400))
    session.answer("session-start")
    assert len(list(folder.iterdir())) == 1


def test_what_is_refused_or_secret_is_left_out(session: Session, tmp_path: Path) -> None:
    said = f"Decision: the token is {TOKEN}\nDecision: never drink zebra tea\nDecided: cups are blue now"
    session.work.add_rule("No zebras", "zebra", ["refuse"])
    session.work.turn_rule("No zebras", on=True)
    session.answer("stop", last_assistant_message=said)
    assert session.kept() == ["cups are blue now"]
    for path in (tmp_path, tmp_path / "missing", "relative.jsonl", "/dev/zero"):
        assert session.answer("session-end", transcript_path=str(path)) == b""
    session.answer("stop", last_assistant_message="Decision: no project is known here", cwd="")
    assert session.kept() == ["cups are blue now", "no project is known here"]


def test_what_could_not_be_written_is_kept_at_the_next_event(session: Session) -> None:
    said: dict[str, Any] = {"last_assistant_message": "Decision: tea stays at four"}
    session.answer("stop", store="gone", **said)
    assert session.kept() == []
    session.answer("stop", **said)
    assert session.kept() == ["tea stays at four"]


def test_only_plain_statements_count() -> None:
    text = (
        "## Decision: use blue cups here\n1. Learned: kettles need descaling\n```\nDecision: this is code\n"
        "```\n> Decision: this is quoted\nThe decision: it is only mentioned\nDecision: short\n"
        f"Decision: {'long ' * 200}\nOpen blocker: the milk is gone\n~~~\nDecided: still code\n```\n"
    )
    assert [(each.kind, each.text) for each in statements(text)] == [
        ("decision", "use blue cups here"),
        ("discovery", "kettles need descaling"),
        ("blocker", "the milk is gone"),
    ]
