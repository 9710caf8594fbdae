"""How answers and refusals leave the server: without secrets, without what acts on a terminal or hides from a
reader, and marked as data (S-62, S-80, S-92)."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mcp_types import CallToolResult, TextContent
from pydantic import BaseModel, ValidationError

from memtui.agents.mcp import wording
from memtui.agents.tags import without_tags
from memtui.errors import Refused, driver_error
from memtui.memory.secrets.masking import masked_deep
from memtui.text import one_after_another, safe_text

if TYPE_CHECKING:
    from memtui.values import Json

_LONGEST = 100_000  # characters of one text
_READ_ONLY = "read-only"  # the code of what may not be written
_BUSY = ("BusyError", "LockedError")  # of the driver
_INTERRUPTED = "InterruptError"  # of the driver, in a read that nobody waits for
_log = logging.getLogger(__name__)


def answer(content: BaseModel) -> CallToolResult:
    """Return an answer, structured and as text. In the text, JSON keeps a memory from leaving its string."""
    value = shown(content.model_dump(mode="json"))
    text = json.dumps(value, ensure_ascii=False, indent=1)
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=value)


def shown(value: Json) -> Json:
    """Return a value with secrets masked and unsafe characters escaped."""
    return _safe(masked_deep(value))


def markdown(text: str) -> str:
    """Return a text of memories as it stands in a prompt, where nothing else keeps it in its place."""
    return without_tags(str(shown(text)))


def named(names: Sequence[str]) -> list[str]:
    """Return names that a client gave, without secrets, for a refusal that may cut them."""
    return [masked_deep(each) for each in names]


def refused(text: str) -> CallToolResult:
    """Return a refusal: a sentence that says what to do next."""
    return CallToolResult(content=[TextContent(type="text", text=_line(text))], is_error=True)


def sentence_of(error: BaseException) -> str:
    """Return an error as a sentence, whatever it is; the log on standard error names what is unexpected."""
    if isinstance(error, Refused):
        if error.code == _READ_ONLY:
            return wording.READ_ONLY
        return _line(one_after_another(error.message, error.hint or wording.ADVICE.get(error.code, "")))
    if isinstance(error, ValidationError):
        wrong = [(".".join(map(str, each["loc"])), each["msg"]) for each in error.errors()]
        return _line(wording.wrong_arguments(wrong))
    if driver_error(error) in _BUSY:
        return wording.BUSY
    if driver_error(error) == _INTERRUPTED:
        return sentence_of(wording.stopped())
    _log.error(wording.UNEXPECTED, type(error).__name__)
    return wording.internal(type(error).__name__)


def _line(text: str) -> str:
    return safe_text(masked_deep(text), one_line=True, limit=2_000).strip()


def _safe(value: Json) -> Json:
    if isinstance(value, str):
        return safe_text(value, limit=_LONGEST)
    if isinstance(value, dict):
        return {name: _safe(each) for name, each in value.items()}
    return [_safe(each) for each in value] if isinstance(value, list) else value
