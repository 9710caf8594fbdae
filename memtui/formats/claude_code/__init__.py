"""Claude Code's auto memory (FORMATS 6): Markdown files and the index MEMORY.md."""

from memtui.formats.claude_code.adapter import ClaudeCode

__all__ = ["ClaudeCode"]
