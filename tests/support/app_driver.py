"""Drives the app without a terminal."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from inspect import isawaitable
from itertools import zip_longest
from typing import Any

from rich.cells import cell_len
from textual.pilot import Pilot

from memtui.tui.app import MemtuiApp
from tests.support.fake_workspace import FakeWorkspace, clock, sample
from tests.support.fast_textual import paint
from tests.support.sizes import FULL

TIMEOUT = 60.0  # seconds; long enough for a busy machine


class Shots(list[str]):
    """A step that appends the screen as text, each time it comes among the steps of `drive`."""


class Typed(str):
    """A step that types a text at once; at full size, the app comes to rest after each letter."""


class Probe:
    """A step that only reads the app, so that nothing is waited for after it, unless it returns an
    awaitable."""

    def __init__(self, function: Callable[[MemtuiApp], object]) -> None:
        self._function = function

    def __call__(self, app: MemtuiApp) -> object:
        return self._function(app)


Step = str | Callable[[MemtuiApp], object] | tuple[int, int] | Shots


def app_on(workspace: FakeWorkspace | None = None) -> MemtuiApp:
    """Return the app on a workspace, by default the sample."""
    opened = workspace if workspace is not None else sample()
    return MemtuiApp(lambda: opened, clock=clock)


def drive(app: MemtuiApp, *steps: Step, size: tuple[int, int] = (120, 36)) -> str:
    """Run the steps and return the screen as text: a string is a key to press, a function is called with the
    app, (width, height) resizes."""
    return asyncio.run(_drive(app, steps, size))


async def _drive(app: MemtuiApp, steps: tuple[Step, ...], size: tuple[int, int]) -> str:
    async with app.run_test(size=size) as pilot:
        await wait_until_idle(app)
        for step, following in zip_longest(steps, steps[1:]):
            if isinstance(step, Typed):
                for keys in [[key] for key in key_presses(step)] if FULL else [key_presses(step)]:
                    await app._press_keys(keys)
                    await wait_until_idle(app)
            elif isinstance(step, str):
                await app._press_keys([step])
            elif isinstance(step, tuple):
                await pilot.resize_terminal(*step)
            elif isinstance(step, Shots):
                step.append(await stable_screen(app))
                assert not app._exit, "an app that has quit shows nothing"
                continue
            elif isinstance(step, Probe):
                if not isawaitable(result := step(app)):
                    continue
                await result
            else:
                step(app)
            # Between keys that are pressed one after another, nobody looks at the screen; one that has just
            # been opened with its digit loads what it shows after it was drawn.
            pressed = type(step) is str and type(following) is str and not (step.isdigit() or FULL)
            await wait_until_idle(app, drawing=not pressed)
        if steps and isinstance(steps[-1], Shots) and not FULL:  # nothing was done since
            return steps[-1][-1]
        return await stable_screen(app)


async def wait_until_idle(app: MemtuiApp, *, drawing: bool = True) -> bool:
    """Wait until nothing is read, written or about to be, and draw the screen then unless told not to; return
    whether anything was drawn."""
    idle_checks, deadline = 0, time.monotonic() + TIMEOUT
    while idle_checks < 4:
        await asyncio.sleep(0.005)
        opening = app.workspace is None and app.failure is None
        running = [worker for worker in app.workers if not worker.is_finished]
        idle_checks = 0 if opening or running or not app.lanes.idle else idle_checks + 1
        if time.monotonic() > deadline:
            raise AssertionError(f"the app has not come to rest: {opening=}, {app.lanes.idle=}, {running=}")
        if idle_checks == 3:  # a message that is still under way may begin more work
            await Pilot(app).pause()
    return drawing and paint(app)


async def stable_screen(app: MemtuiApp) -> str:
    """Return the screen once it has stopped changing, as a layout may be drawn a moment after the last
    message; "" for an app that has quit."""
    shown: str | None = None
    shown_on: object = None
    for _ in range(50):
        if app._exit:
            return ""
        before, shown_on, drawn = shown, app.screen, strips(app)
        shown = _text(drawn, app.size.width) if len(drawn) == app.size.height else None  # not laid out yet
        if shown is not None and shown == before:  # painted again, unchanged
            return shown
        await Pilot(app).pause(0.03)
        painted = await wait_until_idle(app)
        if shown is not None and not painted and shown_on is app.screen and not app._exit:
            return shown
    raise AssertionError("the screen never came to rest")


def key_presses(text: str) -> list[str]:
    """Return a text as key presses."""
    return [{" ": "space"}.get(letter, letter) for letter in text]


def typed(text: str) -> list[Step]:
    """Return the steps that type a text."""
    return [Typed(text)]


def strips(app: MemtuiApp) -> list[Any]:
    """Return what is drawn, with the screens below a dialog."""
    update = app.screen._compositor.render_update(full=True, screen_stack=app._background_screens)
    return list(update.strips)  # type: ignore[union-attr]


def screen_text(app: MemtuiApp) -> str:
    """Return the screen as text; fail unless each line fills the width exactly."""
    return _text(strips(app), app.size.width)


def _text(drawn: list[Any], width: int) -> str:
    lines = []
    for strip in drawn:
        text = "".join(segment.text for segment in strip)
        assert cell_len(text) == width, text
        lines.append(text.rstrip())
    return "\n".join(lines)


def line_with(text: str, part: str) -> str:
    """Return the first line of a screen that contains a text; "" if there is none."""
    return next((line for line in text.splitlines() if part in line), "")
