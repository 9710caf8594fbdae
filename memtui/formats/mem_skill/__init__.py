"""mem-skill's `mem.db` (FORMATS 3): a row of `facts` is one memory."""

from memtui.formats.mem_skill.adapter import MemSkill

__all__ = ["MemSkill"]
