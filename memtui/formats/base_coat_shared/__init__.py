"""Base Coat's shared memory (FORMATS 4): a folder for each domain, in it a Markdown file for each subject."""

from memtui.formats.base_coat_shared.adapter import BaseCoatShared

__all__ = ["BaseCoatShared"]
