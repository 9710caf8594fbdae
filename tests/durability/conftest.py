"""A demo workspace for each test, as in tests/workspace."""

from __future__ import annotations

from tests.workspace.conftest import demo_workspace, kill_harness, template, workspace  # noqa: F401
