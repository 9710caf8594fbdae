"""What has a secret in another form, as a key that was made of it, is redacted or named (S-62)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from memtui.memory.secrets.redaction import Replacements
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import Clock
from tests.support.empty_workspace import create_empty
from tests.support.stores import founder_os
from tests.support.stores.databases import query
from tests.workspace.secrets.test_redact import REDACTED, SECRET

SMALL = SECRET.lower()
KEY, NEW_KEY = f"deploy-{SMALL}-night", "deploy-redacted-aws-key-night"


def row(id: str, key: str, content: str) -> dict[str, Any]:
    return {**founder_os.MEMORIES[0], "id": id, "key": key, "content": content}


def test_what_refers_to_a_redacted_key_has_the_new_one_and_the_rest_is_named(tmp_path: Path) -> None:
    rows = row("1", KEY, f"Uses {SECRET}; see {KEY}."), row("2", "other", f"As {KEY} says.")
    adaptation = {**founder_os.ADAPTATION, "memory_id": "1", "description": f"Made from {KEY}."}
    path = founder_os.make(tmp_path / "memory.db", rows, adaptations=(adaptation,))
    workspace = Workspace.open(create_empty(tmp_path / "own" / "w.db"), clock=Clock())
    workspace.attach(path, "notes")
    ids = workspace.search("store:notes", live=False).ids
    uids = {each.key: (id, each.uid) for id, each in zip(ids, workspace.memories(ids), strict=True)}
    id, other = uids[KEY][0], uids["other"][1]
    workspace.edit([id], {"content": f"Has {SECRET}; see {KEY}."})
    redacted = workspace.redact([id])
    assert any("a name that was made of it" in note and other in note for note in redacted.notes)
    assert any(note.startswith("memory.db still has the value in small letters") for note in redacted.notes)
    stored = query(path, "SELECT key, content FROM memories ORDER BY rowid")
    assert stored == [(NEW_KEY, f"Has {REDACTED}; see {NEW_KEY}."), ("other", f"As {KEY} says.")]
    assert query(path, "SELECT description FROM adaptations") == [(f"Made from {NEW_KEY}.",)]
    workspace.undo()
    assert workspace.memories([id])[0].content == f"Uses {REDACTED}; see {NEW_KEY}."
    assert workspace.pull().total == 0
    workspace.close()


def test_what_is_made_of_a_value_is_found_unless_it_is_an_ordinary_word() -> None:
    redacted = Replacements({SECRET: REDACTED, "Summer": "[redacted: password]"})
    assert redacted.traced_in(f"in keys/{SMALL}.md")
    assert not redacted.traced_in("a summer day")
    assert not redacted.found_in(SMALL)
    derived = redacted.also({SMALL: "redacted-aws-key"})
    assert derived.text(f"{SECRET}, {SMALL}, x{SMALL}") == f"{REDACTED}, redacted-aws-key, x{SMALL}"
    assert derived.plain.text(SMALL) == SMALL


def test_a_value_of_several_lines_is_found_with_line_ends_of_both_kinds() -> None:
    redacted = Replacements({"BEGIN\nabc\nEND": REDACTED})
    for text in ("BEGIN\nabc\nEND", "BEGIN\r\nabc\r\nEND", r"BEGIN\nabc\nEND", r"BEGIN\r\nabc\r\nEND"):
        assert redacted.text(f"({text})") == f"({REDACTED})"
        assert redacted.held_by(text.encode())
    assert not Replacements({}).found_in("text")
