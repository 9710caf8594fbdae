"""What can go wrong in words that a person can act on (S-90, S-91)."""

from __future__ import annotations

from typing import Any


class Refused(Exception):
    """A change or a request that was not carried out; nothing was changed.

    `code` is one word for scripts, `why` the reason, `message` the reason behind what was not done,
    `advice` what to do next, `hint` the same behind the assurance that nothing was changed, where one is
    given. `detail` holds more for JSON output.
    """

    lead = ""  # what was not done, in front of the reason

    def __init__(self, code: str, why: str, advice: str = "", *, unchanged: str = "", **detail: Any) -> None:
        self.code = code
        self.why = why
        self.message = f"{self.lead}: {why}" if self.lead else why
        self.advice = advice
        self.hint = f"{unchanged} {advice}".strip()
        self.detail = detail
        super().__init__(self.message)

    def to_json(self) -> dict[str, Any]:
        """The documented shape of a refusal (S-82)."""
        return {"code": self.code, "message": self.message, "hint": self.hint, **self.detail}


def driver_error(error: BaseException) -> str:
    """The name of a database driver's class: peewee wraps its errors, and few places load the driver."""
    return type(getattr(error, "orig", error)).__name__


class NotSaved(Refused):
    """A change that was not written."""

    lead = "Not saved"


class NotUndone(Refused):
    """An undo or redo that was not carried out."""

    lead = "Not undone"


class NotSettled(Refused):
    """A verdict that was not given."""

    lead = "Not settled"


class NotRestored(Refused):
    """A backup that was not put back."""

    lead = "Not restored"


class NoStore(Refused):
    """There is no store that memtui knows: `why` says what is there, `looked_for` what would be one."""

    def __init__(self, code: str, why: str, advice: str, looked_for: str, unchanged: str) -> None:
        super().__init__(code, why, advice, unchanged=unchanged)
        self.message = f"{why} {looked_for}"


class Conflict(NotSaved):
    """The record in the store is no longer what was last pulled (S-6).

    `yours` and `theirs` map the fields in question to the text that was to be
    written and the text that stands in the store now.
    """

    def __init__(self, why: str, yours: dict[str, Any], theirs: dict[str, Any]) -> None:
        hint = "Read the new text, then make the change again if it is still wanted."
        super().__init__("conflict", why, hint, yours=yours, theirs=theirs)
        self.yours = yours
        self.theirs = theirs


class NotErased(Conflict):
    """A purge that met another text than the one that was read."""

    lead = "Not erased"


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
