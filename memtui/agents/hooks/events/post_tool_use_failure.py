"""A tool has failed: the failure is counted, and its known fix told (S-81)."""

from __future__ import annotations

from memtui.agents.hooks.error_kb import note_failure
from memtui.agents.hooks.event import Event

EVENT = Event("post-tool-use-failure", note_failure, writes=True, late=True)
