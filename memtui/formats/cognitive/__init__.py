"""Cognitive Memory (FORMATS 5): a tree of Markdown files, one a memory, and what is derived from it."""

from memtui.formats.cognitive.adapter import Cognitive

__all__ = ["Cognitive"]
