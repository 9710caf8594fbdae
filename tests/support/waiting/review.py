"""Steps for Review that wait until the pair under the cursor is drawn; before that, no key settles it."""

from __future__ import annotations

from memtui.tui.app import MemtuiApp
from memtui.tui.review.screen import ReviewScreen
from tests.support.app_driver import Probe, Shots, Step, app_on, drive
from tests.support.fake_workspace import FakeWorkspace
from tests.support.waiting.threads import wait_until


def drive_review(work: FakeWorkspace, *steps: Step, size: tuple[int, int] = (120, 36)) -> str:
    """Open Review on a workspace, run some steps there, and return the screen at the end."""
    return drive(app_on(work), *waiting_for_pairs("3", *steps), size=size)


def waiting_for_pairs(*steps: Step) -> list[Step]:
    """Return the steps, each followed by a wait for its pair; steps that change nothing are not."""
    return [
        each
        for step in steps
        for each in ((step,) if isinstance(step, Probe | Shots) else (step, wait_for_pair))
    ]


@Probe
def wait_for_pair(app: MemtuiApp) -> object:
    """A step that waits until the pair is drawn."""

    def is_drawn() -> bool:
        return not isinstance(app.screen, ReviewScreen) or app.screen.is_drawn

    return None if is_drawn() else wait_until(is_drawn, app)


def reload(app: MemtuiApp) -> None:
    """A step that has Review read its queue again, as after a change by another program."""
    assert isinstance(app.screen, ReviewScreen)
    app.screen.load()


def clear_status(app: MemtuiApp) -> None:
    """A step that removes the last message, so that the next one is known to be new."""
    app.show_status("")
