"""Drives the real app without a terminal."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from inspect import isawaitable
from typing import Any

from rich.cells import cell_len
from textual.pilot import Pilot

from memtui.tui.app import MemtuiApp
from tests.support.fake_workspace import FakeWorkspace, clock, sample
from tests.support.fast_textual import paint
from tests.support.sizes import FULL

PATIENCE = 60.0  # seconds; a busy machine is no failure


class Shots(list[str]):
    """A step that takes the screen as text, for as often as it stands among the steps of `drive`."""


class Typed(str):
    """A step that types a text, letter after letter without a pause; at full size it rests at each."""


class Look:
    """A step that only looks at the app, so that nothing is to be waited for after it; or that gives back
    what is to be awaited first."""

    def __init__(self, look: Callable[[MemtuiApp], object]) -> None:
        self._look = look

    def __call__(self, app: MemtuiApp) -> object:
        return self._look(app)


Step = str | Callable[[MemtuiApp], object] | tuple[int, int] | Shots


def app_on(workspace: FakeWorkspace | None = None) -> MemtuiApp:
    """The app on a workspace, by default the sample's."""
    held = workspace if workspace is not None else sample()
    return MemtuiApp(lambda: held, clock=clock)


def drive(app: MemtuiApp, *steps: Step, size: tuple[int, int] = (120, 36)) -> str:
    """Press keys (or call a function with the app, resize to (w, h), or take a shot), and give the screen
    as text."""
    return asyncio.run(_drive(app, steps, size))


async def _drive(app: MemtuiApp, steps: tuple[Step, ...], size: tuple[int, int]) -> str:
    async with app.run_test(size=size) as pilot:
        await settle(app)
        for step in steps:
            if isinstance(step, Typed):
                for keys in [[key] for key in keys_of(step)] if FULL else [keys_of(step)]:
                    await app._press_keys(keys)
                    await settle(app)
            elif isinstance(step, str):
                await app._press_keys([step])
            elif isinstance(step, tuple):
                await pilot.resize_terminal(*step)
            elif isinstance(step, Shots):
                step.append(await still(app))
                assert not app._exit, "an app that has quit shows nothing"
                continue
            elif isinstance(step, Look):
                if not isawaitable(waits := step(app)):
                    continue
                await waits
            else:
                step(app)
            await settle(app)
        return await still(app)


async def settle(app: MemtuiApp) -> bool:
    """Until nothing is read, written or about to be; whether anything was left to paint then."""
    calm, deadline = 0, time.monotonic() + PATIENCE
    while calm < 3:
        await asyncio.sleep(0.005)
        opening = app.workspace is None and app.failure is None
        at_work = [worker for worker in app.workers if not worker.is_finished]
        calm = 0 if opening or at_work or not app.lanes.idle else calm + 1
        if time.monotonic() > deadline:
            raise AssertionError(f"the app has not come to rest: {opening=}, {app.lanes.idle=}, {at_work=}")
    await Pilot(app).pause()
    return paint(app)


async def still(app: MemtuiApp) -> str:
    """The screen once it has stopped changing: a layout may be drawn a moment after the last message. An
    app that quits has none."""
    shown: str | None = None
    of: object = None
    for _ in range(50):
        if app._exit:
            return ""
        before, of, drawn = shown, app.screen, strips(app)
        shown = _text(drawn, app.size.width) if len(drawn) == app.size.height else None  # not laid out yet
        if shown is not None and shown == before:  # painted anew, as it was
            return shown
        await Pilot(app).pause(0.03)
        painted = await settle(app)
        if shown is not None and not painted and of is app.screen and not app._exit:
            return shown
    raise AssertionError("the screen never came to rest")


def keys_of(text: str) -> list[str]:
    """A text as key presses."""
    return [{" ": "space"}.get(letter, letter) for letter in text]


def typed(text: str) -> list[Step]:
    """A text that is typed, as steps."""
    return [Typed(text)]


def strips(app: MemtuiApp) -> list[Any]:
    """What is drawn, the screens below a dialog too."""
    update = app.screen._compositor.render_update(full=True, screen_stack=app._background_screens)
    return list(update.strips)  # type: ignore[union-attr]


def screen(app: MemtuiApp) -> str:
    """The lines on the screen; each must fill its width exactly."""
    return _text(strips(app), app.size.width)


def _text(drawn: list[Any], width: int) -> str:
    lines = []
    for strip in drawn:
        text = "".join(segment.text for segment in strip)
        assert cell_len(text) == width, text
        lines.append(text.rstrip())
    return "\n".join(lines)


def line_with(text: str, part: str) -> str:
    """The first line of a screen that holds a text."""
    return next((line for line in text.splitlines() if part in line), "")
