"""`B` on the Inbox redacts the secret under the cursor, in its store too, once the word is typed (S-62)."""

from __future__ import annotations

from pathlib import Path
from random import Random

from memtui.memory.results import Redacting
from memtui.tui.app import MemtuiApp
from memtui.tui.memory.redact_dialog import redact_text
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import Shots, drive, typed
from tests.support.fake_workspace import clock
from tests.support.secret_texts.tokens import BASE62, some
from tests.support.stores import claude_code

TOKEN = f"ghp_{some(Random(3), BASE62, 36)}"


def test_a_secret_is_redacted_in_its_store_and_leaves_the_inbox(tmp_path: Path) -> None:
    files = {
        "MEMORY.md": "- [Deploys](deploys.md) — how\n- [Tea](tea.md) — when\n",
        "deploys.md": claude_code.flat("deploys", "project", f"Deploy with {TOKEN} tonight"),
        "tea.md": claude_code.flat("tea", "project", "Tea at four"),
    }
    root = claude_code.make(tmp_path / "notes", files).root
    path = tmp_path / "own" / "w.db"
    workspace = Workspace.open(path, clock=clock)
    workspace.attach(root, "notes")
    workspace.sweep_secrets()
    workspace.close()
    shots = Shots()
    drive(
        MemtuiApp(lambda: Workspace.open(path, clock=clock), clock=clock),
        "2", shots, "B", shots, *typed("no"), "enter", shots, *["backspace"] * 2, "ctrl+b", shots,
        *typed("redact"), "enter", shots,
    )  # fmt: skip
    listed, asked, wrong, backups, done = shots
    assert "a GitHub token" in listed
    assert "GitHub token.  B redacts it" in listed
    assert "the secret in its content becomes [redacted: GitHub token]" in asked
    assert "Nothing was redacted. Type redact to confirm" in wrong
    assert "[ ] delete backups too: today's backup of notes, made first, has the value" in " ".join(
        asked.split()
    )
    assert "[x] delete backups too" in backups
    assert "[redacted: GitHub token]" in (root / "deploys.md").read_text()
    assert "change this key now" in done.casefold()
    assert "a GitHub token" not in done
    assert " 1 done ━┛" in done
    assert "You changed 1 memory today." in done
    assert not any(TOKEN in each for each in shots)
    kept = b"".join(each.read_bytes() for each in path.parent.rglob("*") if each.is_file())
    assert TOKEN.encode() not in kept


def test_many_secrets_leave_room_for_what_becomes_of_them() -> None:
    memories = [
        Redacting(f"u{n}", "notes", f"Deploy {n} with {'•' * 90}", (("content", "[redacted: key]"),))
        for n in range(500)
    ]
    lines = redact_text(memories, (), False, 0.0).plain.splitlines()
    assert max(map(len, lines[:9])) <= 76
    assert lines[8].strip() == "and 496 more"
    assert lines[10].startswith("Will be redacted in notes")
