"""What is read for the Inbox: all once, and after a change what it touched (S-52)."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from memtui.memory.inbox.items import Inbox, Touched
from memtui.tui.app import MemtuiApp
from tests.support.app_driver import Probe, app_on, drive
from tests.support.fake_workspace import memory
from tests.tui.inbox.test_inbox import Seen, at_inbox, to_kind, waiting


def test_a_change_has_only_read_again_what_it_touched(monkeypatch: pytest.MonkeyPatch) -> None:
    work, seen, asked = waiting(), Seen(), list[Touched | None]()
    inbox = work.inbox

    def noted(opened: Iterable[str] = (), touched: Touched | None = None) -> Inbox:
        asked.append(touched)
        return inbox(opened, touched)

    monkeypatch.setattr(work, "inbox", noted)
    read: list[list[Touched | None]] = []

    def note(app: MemtuiApp) -> None:
        read.append(list(asked))
        asked.clear()

    def agents_write(app: MemtuiApp) -> None:
        work.memories[41] = memory(41, "Was told in passing", status="pending")
        app.inbox_reader.refresh()

    keys = ("d", "a", seen.step, "v", seen.step, "u", seen.step, to_kind("candidates"), "enter", "j", "d")
    drive(
        app_on(work),
        *at_inbox(Probe(note), *keys, seen.step, Probe(note), agents_write, to_kind("pending"), Probe(note)),
    )
    first, changes, news = read
    assert None in first
    assert changes
    assert None not in changes
    assert None in news
    assert seen == [
        "pending memtui is a web app (React)",
        "contradiction editor is neovim, terminal is kitty / editor is helix, terminal is kitty",
        "pending memtui is a web app (React)",
        "candidates base-coat",
    ]
