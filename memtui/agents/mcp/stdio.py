"""Messages over standard input and output, a line each. Unlike the SDK's transport it answers a line that is
no message, and bounds its length: a client whose request is malformed would wait for ever."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import BinaryIO, Literal

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError, RequestId
from mcp_types.jsonrpc import jsonrpc_message_adapter

from memtui.agents.mcp import wording

_LONGEST = 16 << 20  # bytes of a line: the longest memory, escaped, several times over

Reading = MemoryObjectReceiveStream[SessionMessage | Exception]
Writing = MemoryObjectSendStream[SessionMessage]


@asynccontextmanager
async def wire() -> AsyncIterator[tuple[Reading, Writing]]:
    """Give what the client sends, until it closes standard input, and where to send what it receives. What
    else reads standard input finds it empty; what else is printed goes to standard error."""
    incoming, outgoing = _claimed(0, os.devnull, "rb"), _claimed(1, None, "wb")
    received, reading = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    writing, sent = anyio.create_memory_object_stream[SessionMessage](0)
    answers = writing.clone()
    # No thread of anyio's: nobody can end it while it waits for a line.
    loop = asyncio.get_running_loop()
    reader = threading.Thread(target=_read, args=(incoming, loop, received, answers), daemon=True)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_write, outgoing, sent)
        reader.start()
        yield reading, writing
        tasks.cancel_scope.cancel()


def _claimed(fd: int, instead: str | None, mode: Literal["rb", "wb"]) -> BinaryIO:
    """Return a stream of our own for a descriptor, in place of which stands another file, by default standard
    error."""
    own = os.dup(fd)
    other = os.open(instead, os.O_RDONLY) if instead else os.dup(2)
    os.dup2(other, fd)
    os.close(other)
    return os.fdopen(own, mode)


def _read(
    incoming: BinaryIO,
    loop: asyncio.AbstractEventLoop,
    received: MemoryObjectSendStream[SessionMessage | Exception],
    answers: Writing,
) -> None:
    """Read lines, one after the server has taken the one before."""

    async def hand_over(line: bytes) -> None:
        try:
            message = SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
        except ValueError:
            if error := _error(line):
                await answers.send(SessionMessage(error))
        else:
            await received.send(message)

    async def end() -> None:
        received.close()
        answers.close()

    with suppress(RuntimeError, anyio.BrokenResourceError, anyio.ClosedResourceError):  # the server ended
        while line := _line(incoming):
            if line.strip():
                asyncio.run_coroutine_threadsafe(hand_over(line), loop).result()
        asyncio.run_coroutine_threadsafe(end(), loop).result()


def _line(incoming: BinaryIO) -> bytes:
    """Return the next line; of one that is too long, as much as tells."""
    line = rest = incoming.readline(_LONGEST)
    while _is_cut(rest):
        rest = incoming.readline(_LONGEST)
    return line


def _is_cut(line: bytes) -> bool:
    return len(line) == _LONGEST and not line.endswith(b"\n")


def _error(line: bytes) -> JSONRPCError | None:
    """Return the answer to a line that is no message; None for a malformed notification, which has none."""
    if _is_cut(line):
        return _refusal(None, INVALID_REQUEST, wording.TOO_LONG)
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return _refusal(None, PARSE_ERROR, wording.NO_JSON)
    if isinstance(value, dict) and "method" in value and "id" not in value:
        return None
    id = value.get("id") if isinstance(value, dict) else None
    known = isinstance(id, int | str) and not isinstance(id, bool)
    return _refusal(id if known else None, INVALID_REQUEST, wording.NO_MESSAGE)


def _refusal(id: RequestId | None, code: int, text: str) -> JSONRPCError:
    return JSONRPCError(jsonrpc="2.0", id=id, error=ErrorData(code=code, message=text))


async def _write(outgoing: BinaryIO, sent: MemoryObjectReceiveStream[SessionMessage]) -> None:
    def write(line: bytes) -> None:
        with suppress(BrokenPipeError):  # standard input ends, too
            outgoing.write(line)
            outgoing.flush()

    async for each in sent:
        text = each.message.model_dump_json(by_alias=True, exclude_unset=True)
        await anyio.to_thread.run_sync(write, text.encode() + b"\n")
