"""Founder OS's `memory.db` (FORMATS 1): one row of `memories` is one memory."""

from memtui.formats.founder_os.adapter import FounderOs

__all__ = ["FounderOs"]
