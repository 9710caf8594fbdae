"""mem-skill's `mem.db` (FORMATS 3): one row of `facts` is one memory, and so is one that only stands in"""

from memtui.formats.mem_skill.adapter import MemSkill

__all__ = ["MemSkill"]
