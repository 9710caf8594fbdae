"""Base Coat's database (FORMATS 4): one row of `memories` is one memory, relations have their own table."""

from memtui.formats.base_coat.adapter import BaseCoat

__all__ = ["BaseCoat"]
