"""What can go wrong in words that a person can act on (S-90, S-91)."""

from __future__ import annotations

from typing import Any


class Refused(Exception):
    """A change or a request that was not carried out; nothing was changed.

    `code` is one word for scripts, `message` says what happened and what was not
    changed, `hint` what to do next. `detail` holds more for JSON output.
    """

    def __init__(self, code: str, message: str, hint: str = "", **detail: Any) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.detail = detail

    def to_json(self) -> dict[str, Any]:
        """The documented shape of a refusal (S-82)."""
        return {"code": self.code, "message": self.message, "hint": self.hint, **self.detail}


class Conflict(Refused):
    """The record in the store is no longer what was last pulled (S-6).

    `yours` and `theirs` map the fields in question to the text that was to be
    written and the text that stands in the store now.
    """

    def __init__(self, message: str, yours: dict[str, Any], theirs: dict[str, Any]) -> None:
        hint = "Read the new text, then make the change again if it is still wanted."
        super().__init__("conflict", message, hint, yours=yours, theirs=theirs)
        self.yours = yours
        self.theirs = theirs


class QueryError(Refused):
    """A query that cannot be read: `start` and `end` point at the part (S-31)."""

    def __init__(self, message: str, start: int, end: int, hint: str = "") -> None:
        super().__init__("query", message, hint, start=start, end=end)
        self.start = start
        self.end = end


class Usage(Exception):
    """Wrong use of the command line: `text` is what to print."""

    def __init__(self, message: str, text: str = "") -> None:
        super().__init__(message)
        self.text = text or message
