"""Steps for Review that wait until the pair under the cursor is drawn: no key settles it before."""

from __future__ import annotations

from memtui.tui.app import MemtuiApp
from memtui.tui.review.screen import ReviewScreen
from tests.support.app_driver import Look, Shots, Step, app_on, drive
from tests.support.fake_workspace import FakeWorkspace
from tests.support.waiting.threads import until


def on_review(work: FakeWorkspace, *steps: Step, size: tuple[int, int] = (120, 36)) -> str:
    """Open Review on a workspace and take some steps there; the screen at the end."""
    return drive(app_on(work), *each_drawn("3", *steps), size=size)


def each_drawn(*steps: Step) -> list[Step]:
    """The steps, each followed by waiting until its pair is drawn; a look changes nothing to wait for."""
    looks = (Look, Shots)
    return [each for step in steps for each in ((step,) if isinstance(step, looks) else (step, drawn))]


@Look
def drawn(app: MemtuiApp) -> object:
    """Hold the next step until the pair is drawn."""

    def stands() -> bool:
        return not isinstance(app.screen, ReviewScreen) or app.screen.stands

    return None if stands() else until(stands, app)


def reload(app: MemtuiApp) -> None:
    """Have Review read its queue again, as after a change by somebody else."""
    assert isinstance(app.screen, ReviewScreen)
    app.screen.load()


def clear_status(app: MemtuiApp) -> None:
    """Remove the last message, so that the next one is known to be new."""
    app.show_status("")
