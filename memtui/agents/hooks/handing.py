"""Requests on their way between helpers, and whether anybody still waits for the answer."""

from __future__ import annotations

import os
import select
import socket
from contextlib import suppress

from memtui.agents.hooks import place
from memtui.agents.hooks.requests import length_of

_PART = 1 << 16  # bytes
_LOOK = 0.05  # seconds between two looks whether the hook still waits


def handed_over(request: bytes) -> bool:
    """Give the request on standard input to the helper that listens in the current folder, and its answer to
    standard output; return whether that took it."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        try:
            connection.connect(place.SOCKET)
            connection.sendall(request)
        except OSError:
            return False
        while not is_closed(1):
            if select.select([connection], [], [], _LOOK)[0]:
                with suppress(OSError):
                    if part := connection.recv(_PART):
                        os.write(1, part)
                        continue
                break
    return True


def received(connection: socket.socket) -> bytes:
    """Return a request; raise ValueError if it is none of ours, or was not sent to its end."""
    data = bytearray()
    while len(data) < (whole := length_of(data)):
        part = connection.recv(min(whole - len(data), _PART))
        if not part:
            raise ValueError("cut")
        data += part
    return bytes(data)


def is_closed(handle: int) -> bool:
    """Return whether nobody is at the other end of a pipe or socket any more."""
    poll = select.poll()
    poll.register(handle, select.POLLHUP | select.POLLERR)
    return bool(poll.poll(0))
