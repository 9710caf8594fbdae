"""The token file: made once, private, never through a link, never another's."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from memtui.agents.mcp.http import listening, token
from memtui.errors import Refused


def test_the_token_is_made_once_and_replaced_when_asked(tmp_path: Path) -> None:
    file = token.file_of(tmp_path / "own" / "w.db")
    assert token.read(file) is None
    made = token.existing_or_new(file)
    assert (len(made), token.existing_or_new(file), token.read(file)) == (43, made, made)
    assert file.stat().st_mode & 0o777 == 0o600
    assert token.renew(file) != made
    assert sorted(each.name for each in file.parent.iterdir()) == ["w.db.token"]


def test_a_file_that_others_could_have_made_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, elsewhere = tmp_path / "w.db.token", tmp_path / "elsewhere"
    made = token.existing_or_new(elsewhere)

    def refused() -> str:
        with pytest.raises(Refused) as refusal:
            token.renew(file)
        with pytest.raises(Refused, match=refusal.value.message[:20]):
            token.existing_or_new(file)
        return refusal.value.message

    file.symlink_to(elsewhere)
    assert "Could not read" in refused()
    file.unlink()
    os.link(elsewhere, file)
    assert "regular file" in refused()
    file.unlink()
    file.mkdir()
    assert "regular file" in refused()
    file.rmdir()
    for text, sentence in (("", "no token"), ("x" * 43 + "\n\n", "no token"), (made, "")):
        file.write_text(text)
        file.chmod(0o600)
        if sentence:
            assert sentence in refused()
    file.chmod(0o640)
    assert "Others can read" in refused()
    file.chmod(0o600)
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert "another user" in refused()
    assert elsewhere.read_text().strip() == made


def test_the_server_listens_on_this_machine_alone() -> None:
    opened = listening.listen(0)
    try:
        host, port = opened.getsockname()
        assert host == "127.0.0.1"
        with pytest.raises(Refused, match=f"Port {port} is in use"):
            listening.listen(port)
        with socket.create_connection((host, port), 5):
            pass
    finally:
        opened.close()
