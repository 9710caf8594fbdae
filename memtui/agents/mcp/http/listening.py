"""The socket on which the server listens: on this machine's own address, and nowhere else."""

from __future__ import annotations

import errno
import socket

from memtui.agents.mcp import wording_http

HOST = "127.0.0.1"


def listen(port: int) -> socket.socket:
    """Return a socket that listens on a port, on any that is free for 0; raise Refused if that cannot be."""
    # With the protocol named, asyncio turns off the delay of small packets: 40 ms for each answer.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((HOST, port))
        listening.listen()
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRINUSE:
            raise wording_http.port_in_use(port) from error
        if error.errno == errno.EACCES:
            raise wording_http.port_not_allowed(port) from error
        raise wording_http.port_not_opened(port, error.strerror) from error
    return listening
