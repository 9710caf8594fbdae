"""A workspace in memory for the screens' tests, for what a real one cannot be made to do on demand."""

from __future__ import annotations

from tests.support.fake_workspace.samples import DAY, NOW, clock, fresh, memory, paired, sample, stored
from tests.support.fake_workspace.workspace import FakeWorkspace

__all__ = ["DAY", "NOW", "FakeWorkspace", "clock", "fresh", "memory", "paired", "sample", "stored"]
