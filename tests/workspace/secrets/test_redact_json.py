"""Redacting numbers in JSON, and refusing what cannot be parsed, lines and heads (S-62)."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import Clock, refusal
from tests.support.empty_workspace import create_empty
from tests.support.stores import claude_code
from tests.workspace.secrets.test_redact import SECRET
from tests.workspace.secrets.test_redact_names import assert_gone, id_of

CARD = "4111111111111111"
LINE = (
    '{{"type":"entity","card":{0},"name":"Bo","entityType":"person",'
    '"observations":["Tea.","Pays by {0}."]}}\n'
)
OTHER = '{{"type":"note","text":"{0}","n":{0}}}\n'


def attached(tmp_path: Path, text: str) -> Workspace:
    path = tmp_path / "s" / "memory.jsonl"
    path.parent.mkdir()
    path.write_text(text)
    workspace = Workspace.open(create_empty(tmp_path / "w" / "workspace.db"), clock=Clock())
    workspace.attach(path, "graph")
    return workspace


def test_numbers_of_a_line_become_texts_and_are_told_first(tmp_path: Path) -> None:
    workspace = attached(tmp_path, LINE.format(CARD) + OTHER.format(CARD))
    tea, pays = id_of(workspace, "Tea"), id_of(workspace, "Pays")
    workspace.edit([pays], {"content": f"Paid by {CARD}."})
    ((told,), _) = workspace.redact_preview([pays])
    assert told.numbers == ("extra",)
    redacted = workspace.redact([pays])
    new = "[redacted: card number]"
    expected = LINE.format(CARD).replace(CARD, f'"{new}"').replace(f'by "{new}"', f"by {new}")
    expected += OTHER.format(CARD).replace(f'"{CARD}"', f'"{new}"').replace(CARD, f'"{new}"')
    assert (tmp_path / "s" / "memory.jsonl").read_text() == expected.replace("Pays", "Paid")
    assert workspace.memories([tea])[0].extra == {"card": new}
    assert workspace.pull().total == 0
    assert_gone(tmp_path, redacted.backups, (CARD,))
    workspace.undo()
    assert (tmp_path / "s" / "memory.jsonl").read_text() == expected
    assert_gone(tmp_path, redacted.backups, (CARD,))
    workspace.close()


def test_a_line_that_is_no_json_refuses_with_the_place(tmp_path: Path) -> None:
    text = LINE.format(CARD) + '{"type":"entity","name":"Bo 2","observations":["' + CARD + "\n"
    workspace = attached(tmp_path, text)
    refused = refusal(lambda: workspace.redact([id_of(workspace, "Pays")]))
    assert refused.code == "unparsable"
    assert "memory.jsonl, line 2, column 49" in refused.hint
    assert (tmp_path / "s" / "memory.jsonl").read_text() == text
    workspace.close()


@pytest.mark.parametrize(
    ("head", "place"),
    [
        (f"name: Key\ndescription: [a, 'odd {SECRET}\n", "line 3, column 23"),
        (f"name: Key\n  broken here\n{SECRET}\n", "line 4, column 1"),
        (f"name: Key\ndescription: *{SECRET}\n", "line 3, column 15"),
    ],
)
def test_a_head_that_cannot_be_parsed_refuses_with_the_place(tmp_path: Path, head: str, place: str) -> None:
    text = f"---\n{head}---\n\nThe key is {SECRET}.\n"
    claude_code.make(tmp_path / "s" / "memory", {"MEMORY.md": "- [Key](key.md)\n", "key.md": text})
    workspace = Workspace.open(create_empty(tmp_path / "w" / "workspace.db"), clock=Clock())
    workspace.attach(tmp_path / "s" / "memory", "claude")
    refused = refusal(lambda: workspace.redact([id_of(workspace, "key is")]))
    assert f"key.md, {place}" in refused.hint
    assert (tmp_path / "s" / "memory" / "key.md").read_text() == text
    workspace.close()
