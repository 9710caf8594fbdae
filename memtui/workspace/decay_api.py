"""The decay verbs of `Workspace`: what leaves when, and running it (S-20 … S-27)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from math import isfinite
from typing import TYPE_CHECKING

from memtui.memory.encoding import iso
from memtui.memory.lifecycles.forecast import Forecast
from memtui.memory.lifecycles.outlook import Outlook
from memtui.memory.memory import Memory
from memtui.workspace import wording
from memtui.workspace.decay import forecast, run
from memtui.workspace.decay.forecast import DueStep
from memtui.workspace.decay.inputs import Strengths
from memtui.workspace.decay.run import DecayResult

if TYPE_CHECKING:
    from memtui.workspace.context import Context


class DecayApi:
    """Forecasts and decay runs; `now` is in Unix seconds, the workspace's clock unless given."""

    _ctx: Context
    _changing: Callable[[], AbstractContextManager[None]]

    def outlook(
        self, *, now: float | None = None, lifecycle: str = "", store: str = "", live: bool = True
    ) -> Outlook:
        """Return what decay removes and when, in all or in one store (S-26); `lifecycle` tries another one
        than the stores' own."""
        return forecast.outlook(self._ctx, self._at(now), lifecycle, store=store, live=live)

    def forecast(
        self, id: int, *, now: float | None = None, days: float = 30, lifecycle: str = ""
    ) -> Forecast | None:
        """Return the forecast of one memory; None if there is no such row."""
        return forecast.forecast_of(self._ctx, id, self._at(now), days, lifecycle)

    def forecasts(
        self, *, now: float | None = None, days: float = 30, lifecycle: str = "", store: str = ""
    ) -> Iterator[tuple[Memory, Forecast]]:
        """Yield each memory with its forecast, except those removed by other programs."""
        return forecast.forecasts(self._ctx, self._at(now), forecast.checked_days(days), lifecycle, store)

    def set_lifecycle_options(self, half_lives: Mapping[str, float], founder_os_daily: bool) -> None:
        """Set the half-lives and the reading of Founder OS's decay from now on."""
        ctx = self._ctx
        ctx.half_lives, ctx.founder_os_daily = dict(half_lives), founder_os_daily
        ctx.db.label = Strengths(ctx).label

    def soonest(
        self, most: int, *, now: float | None = None, days: float = 30, lifecycle: str = "", store: str = ""
    ) -> tuple[list[tuple[Memory, Forecast]], Outlook]:
        """Return the first `most` memories to which something happens within `days`, and the whole
        outlook."""
        return forecast.soonest(self._ctx, self._at(now), forecast.checked_days(days), lifecycle, store, most)

    def due(self, *, now: float | None = None) -> list[DueStep]:
        """Return what a decay run would do now; changes nothing (S-27)."""
        return forecast.due_steps(self._ctx, self._at(now))

    def run_decay(self, *, now: float | None = None) -> DecayResult:
        """Do what is due as one batch with one undo (S-27)."""
        with self._changing():
            return run.run(self._ctx, self._at(now))

    def now(self) -> float:
        """Return the time of the workspace's clock in Unix seconds."""
        return self._ctx.clock()

    def _at(self, now: float | None) -> float:
        moment = self._ctx.clock() if now is None else now
        if iso(moment) is None or not isfinite(moment):
            raise wording.bad_time()
        return moment
