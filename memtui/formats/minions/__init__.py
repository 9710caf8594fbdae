"""minions-memory (FORMATS 2): a folder of shards in which each file is one minion."""

from memtui.formats.minions.adapter import Minions

__all__ = ["Minions"]
