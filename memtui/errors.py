"""What can go wrong, each with a reason and a hint that a person can act on (S-90, S-91)."""

from __future__ import annotations

from memtui.text import after_colon
from memtui.values import Fields, Json, JsonObject


class Refused(Exception):
    """A change or a request that was not carried out; nothing was changed.

    `code` is one word for scripts, `reason` says why, `message` is the reason after what was not done.
    `advice` says what to do next, `hint` is the advice after `unchanged`, the assurance that nothing was
    changed, if one is given. `subject` is the name of the store that `message` mentions, if it does.
    `detail` has more for JSON output.
    """

    prefix = ""  # what was not done, before the reason

    def __init__(
        self,
        code: str,
        reason: str,
        advice: str = "",
        *,
        unchanged: str = "",
        subject: str = "",
        **detail: Json,
    ) -> None:
        self.code = code
        self.reason = reason
        self.message = f"{self.prefix}: {after_colon(reason)}" if self.prefix else reason
        self.advice = advice
        self.hint = f"{unchanged} {advice}".strip()
        self.subject = subject
        self.detail = detail
        super().__init__(self.message)

    def to_json(self) -> JsonObject:
        """Return the documented shape of a refusal (S-82)."""
        return {"code": self.code, "message": self.message, "hint": self.hint, **self.detail}


def driver_error(error: BaseException) -> str:
    """Return the class name of a database error as the driver names it, without loading the driver: peewee
    wraps its errors."""
    return type(getattr(error, "orig", error)).__name__


class NotSaved(Refused):
    """A change that was not written."""

    prefix = "Not saved"


class PolicyRefused(Refused):
    """What a policy does not let an agent do; `policy` is its name (S-61)."""

    def __init__(self, code: str, policy: str, reason: str, advice: str = "") -> None:
        super().__init__(code, reason, advice, policy=policy)
        self.policy = policy


class NotUndone(Refused):
    """An undo or redo that was not carried out."""

    prefix = "Not undone"


class NotSettled(Refused):
    """A verdict that was not given."""

    prefix = "Not resolved"


class NotReplaced(Refused):
    """A text that was not found and replaced."""

    prefix = "Nothing was replaced"


class NotRestored(Refused):
    """A backup that was not restored."""

    prefix = "Not restored"


class NoStore(Refused):
    """No store was recognised: `reason` says what was found, `expected` what would be a store."""

    def __init__(self, code: str, reason: str, advice: str, expected: str, unchanged: str) -> None:
        super().__init__(code, f"{reason} {expected}", advice, unchanged=unchanged)
        self.reason = reason


class Conflict(NotSaved):
    """The record in the store is no longer the one that was last pulled (S-6).

    `intended` and `stored` map the fields in question to the value that was to be written, and to the one
    in the store now.
    """

    def __init__(self, reason: str, intended: Fields, stored: Fields) -> None:
        hint = "Read the new text, then make your change again if you still want it."
        super().__init__("conflict", reason, hint, yours=intended, theirs=stored)
        self.intended = intended
        self.stored = stored


class NotPurged(Conflict):
    """A purge that found another text than the one that was read."""

    prefix = "Not purged"


class QueryError(Refused):
    """A query that cannot be parsed: `start` and `end` are the span of the part in question (S-31).

    `unfinished`: all that is missing is the value of a filter at the end, as long as it is being typed."""

    unfinished = False

    def __init__(self, message: str, start: int, end: int, hint: str = "") -> None:
        super().__init__("query", message, hint, start=start, end=end)
        self.start = start
        self.end = end


class UsageError(Exception):
    """Wrong use of the command line; `text` is what to print."""

    def __init__(self, message: str, text: str = "") -> None:
        super().__init__(message)
        self.text = text or message
