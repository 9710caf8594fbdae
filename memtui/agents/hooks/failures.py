"""Recognising a failed command, and that it is the same failure as before (S-81).

The same failure has the same signature: the command, its exit code, and its message without what differs
from run to run. A tool that runs no command has none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memtui.agents.hooks.notes import digest
from memtui.agents.hooks.payload import Payload
from memtui.memory.secrets.masking import hidden

_LONGEST_COMMAND, _LONGEST_LINE, _LINES = 4_000, 200, 3
_LONGEST_NAME = 100  # characters of the name of a tool
_INTERRUPTED = (130, 137, 143)  # exit codes of a command that was ended
# Programs that look: that they find nothing is no failure of anything.
_LOOKING = re.compile(
    r"\s*(?:ls|cat|head|tail|less|grep|egrep|rg|ag|find|fd|which|type|command|test|\[|stat|file|wc|diff|cmp|cd|pwd"
    r"|echo|printf|pgrep|ps|true|false|sleep|tree|du|jq|git\s+(?:status|log|diff|show|grep|branch|rev-parse))(?:\s|\Z)"
)
_AND_THEN = re.compile(r"&&|\|\||[;|&]")
_CODE = re.compile(r"\A\s*(?:Error:\s*)?Exit code:?\s+(\d+)\s*", re.IGNORECASE)
_TELLING = re.compile(
    r"error|exception|fail|fatal|cannot|can't|could not|not found|no such|denied|refused|undefined|unknown"
    r"|missing|invalid|unexpected|unable|panic|expected|conflict|timed? ?out|not permitted|not a ",
    re.IGNORECASE,
)
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
_VARYING = (
    (re.compile(r"\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?"), "TIME"),
    (re.compile(r"\b\d\d?:\d\d(?::\d\d(?:\.\d+)?)?\b"), "TIME"),
    (re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", re.IGNORECASE), "HEX"),
    (re.compile(r"\b0x[0-9a-f]+\b|\b(?=[a-f]*\d)[0-9a-f]{7,64}\b", re.IGNORECASE), "HEX"),
    (re.compile(r"(?<![\w.])(?:[A-Za-z]:\\|~?/|\.{1,2}/)[^\s'\"`:,;()<>]*"), "PATH"),
    (re.compile(r"\d+(?:[.,]\d+)*"), "N"),
)


@dataclass(frozen=True, slots=True)
class Failure:
    """A failed command; `message` is what its output says of it, `code` its exit code if that is known.
    `is_secret` if the message has a part of a secret, which nobody would recognize in it."""

    tool: str
    command: str
    code: int | None
    message: str
    is_secret: bool = False

    @property
    def signature(self) -> str:
        """What is the same whenever it fails in this way."""
        return digest("\0".join((self.command, str(self.code), normalized(self.message))))


def command_of(payload: Payload) -> str:
    """Return the command that a tool ran, on one line; "" if it ran none."""
    return " ".join(payload.part("tool_input").text("command")[:_LONGEST_COMMAND].split())


def failure_of(payload: Payload) -> Failure | None:
    """Return the failure that an event tells of; None if there is none, or a person ended the command."""
    command, answer = command_of(payload), payload.part("tool_response")
    if not command or _only_looks(command) or payload.flag("is_interrupt") or answer.flag("interrupted"):
        return None
    error, code = payload.text("error"), answer.number("exit_code") or answer.number("exitCode")
    if not (error or code or answer.flag("is_error") or answer.is_false("success")):
        return None
    text = error or answer.text("stderr") or answer.text("stdout") or answer.text("error")
    if found := _CODE.match(text):
        code, text = int(found[1][:6]), text[found.end() :]
    text = _ESCAPES.sub("", text)
    message = _essence(text)
    if not message or code in _INTERRUPTED:
        return None
    is_secret = _essence(hidden(text)) != message
    return Failure(payload.text("tool_name")[:_LONGEST_NAME], command, code, message, is_secret)


def _only_looks(command: str) -> bool:
    return all(_LOOKING.match(each) for each in _AND_THEN.split(command) if each.strip())


def normalized(output: str) -> str:
    """Return an output without the paths, numbers, times and hexadecimal digits in it.

    >>> normalized("/tmp/a.py:12: error at 0x7f3a in 1.24s")
    'PATH:N: error at HEX in Ns'
    """
    for pattern, name in _VARYING:
        output = pattern.sub(name, output)
    return output


def _essence(text: str) -> str:
    """Return the lines that say what went wrong: the last ones that sound like it, else the last ones."""
    lines = [" ".join(line.split())[:_LONGEST_LINE] for line in text.splitlines()]
    lines = [line for line in lines if any(map(str.isalnum, line))]
    telling = [line for line in lines if _TELLING.search(line)] or lines[-1:]
    return " / ".join(dict.fromkeys(telling[-_LINES:]))
