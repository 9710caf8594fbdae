"""A helper gives way to that of another version (S-81)."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from memtui import __version__
from memtui.agents.hooks.helper import Helper
from memtui.agents.hooks.requests import ANSWERED, UNAVAILABLE, packed
from memtui.errors import Refused
from memtui.workspace.workspace import Workspace


def test_a_hook_of_another_version_is_left_to_a_new_helper(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MEMTUI_DEBUG", raising=False)

    def locked() -> Workspace:
        raise Refused("locked", "Another program has the workspace.")

    helper = Helper(tmp_path / "w.db", tmp_path / "settings.toml", tmp_path, locked)
    listener = helper._listen()
    assert listener is not None
    told = []
    with listener:
        for version in (__version__, "0.0"):
            ours, theirs = socket.socketpair()
            with ours, theirs:
                theirs.sendall(packed(version, "session-start", "scout", "", "", b"{}"))
                goes_on = helper._one(ours)
                ours.close()
                told.append((goes_on, theirs.recv(1 << 10)))
    assert told == [(True, ANSWERED + UNAVAILABLE), (False, b"")]
    assert not (tmp_path / "socket").exists()
