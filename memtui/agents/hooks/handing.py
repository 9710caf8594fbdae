"""Requests on their way to a helper and between helpers, the answers, and whether anybody waits for them."""

from __future__ import annotations

import os
import select
import socket
from contextlib import suppress

from memtui.agents.hooks import place
from memtui.agents.hooks.requests import ANSWERED, length_of

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


def send_accepted(connection: socket.socket) -> None:
    """Tell that a request is accepted; the answer follows once what it gives is kept."""
    with suppress(OSError):
        connection.sendall(ANSWERED)


def print_accepted() -> None:
    """Do the same on standard output."""
    with suppress(OSError):
        os.write(1, ANSWERED)


def send_and_end(connection: socket.socket, answer: bytes) -> None:
    """Send an answer, if anybody waits for it, who need not wait for more."""
    with suppress(OSError):
        connection.sendall(ANSWERED + answer)
        connection.shutdown(socket.SHUT_RDWR)


def print_and_end(answer: bytes) -> None:
    """Do the same on standard output, which nothing is written to from then on."""
    with suppress(OSError):
        os.write(1, ANSWERED + answer)
    nothing = os.open(os.devnull, os.O_RDWR)
    for handle in (0, 1):
        os.dup2(nothing, handle)
    os.close(nothing)


def is_closed(handle: int) -> bool:
    """Return whether nobody is at the other end of a pipe or socket any more."""
    poll = select.poll()
    poll.register(handle, select.POLLHUP | select.POLLERR)
    return bool(poll.poll(0))
