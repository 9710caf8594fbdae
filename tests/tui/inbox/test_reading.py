"""What is read for the Inbox: all once, and after a change what it touched (S-52)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from types import SimpleNamespace
from typing import Any, cast

import pytest

from memtui.memory.inbox.items import Inbox, Touched
from memtui.tui.app import MemtuiApp
from memtui.tui.workers import inbox_reader
from memtui.tui.workers.inbox_reader import InboxReader
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

    keys = ("j", "a", seen.step, "v", seen.step, "u", seen.step, to_kind("candidates"), "enter", "j", "d")
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


def test_what_was_touched_does_not_wait_until_all_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inbox_reader, "PAUSE_PER_CPU", 1e12)
    asked: list[Touched | None] = []

    def inbox(opened: Iterable[str] = (), touched: Touched | None = None) -> Inbox:
        asked.append(touched)
        return Inbox((), only=frozenset() if touched else None)

    async def called(fn: Callable[..., object], *args: object) -> object:
        return fn(*args)

    def start_work(group: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        tasks.append(asyncio.ensure_future(work()))

    async def read() -> None:
        reader = InboxReader(cast(MemtuiApp, app))
        reader.refresh()
        await tasks[-1]
        reader.refresh()
        opened = Touched(stores=frozenset({"native"}))
        number = reader.refresh(opened, at_once=True)
        while reader.answered < number:
            await asyncio.sleep(0.01)
        assert asked == [None, opened]
        assert not tasks[-1].done()  # all is read after a pause
        reader.refresh(at_once=True)
        await tasks[-1]
        assert asked == [None, opened, None]

    tasks: list[asyncio.Future[None]] = []
    app = SimpleNamespace(
        inbox=None, last_key_at=0.0, lanes=SimpleNamespace(background_raw=called), start_work=start_work,
        workspace=SimpleNamespace(inbox=inbox),
    )  # fmt: skip
    asyncio.run(read())
