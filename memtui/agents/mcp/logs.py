"""The log of the server: a line on standard error for each entry, without tracebacks and without what a
client could smuggle into it."""

from __future__ import annotations

import logging

_LONGEST = 500  # characters of a line


class _OneLine(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        from memtui.memory.secrets.masking import masked_deep
        from memtui.text import safe_text

        error = record.exc_info[0] if record.exc_info else None
        name = f" ({error.__name__})" if error else ""
        text = str(masked_deep(record.getMessage()))
        return f"memtui: {safe_text(text, one_line=True, limit=_LONGEST)}{name}"


def to_standard_error() -> None:
    """Write warnings and errors of the server, and of the libraries it is made of, to standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(_OneLine())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
