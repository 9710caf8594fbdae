"""A request to the helper, as bytes: who asks what, and the JSON that the agent's program gave.

Imported before anything is answered, as `place`.
"""

from __future__ import annotations

MOST_BYTES = 4 << 20  # of what the agent's program gives
ANSWERED = b"="  # before an answer; without it the helper that was asked has ended
UNAVAILABLE = b'{"memory_status": "unavailable", "suppressOutput": true}\n'
_LENGTHS = 20  # bytes before all: how long the texts are together, and the JSON


def packed(version: str, event: str, agent: str, store: str, project: str, given: bytes) -> bytes:
    """Return a request. `version` is that of the memtui that asks, `project` the folder of the project, "" if
    only the JSON says it. Raise ValueError for a text with NUL."""
    texts = (version, event, agent, store, project)
    if any("\0" in each for each in texts):
        raise ValueError("NUL")
    head = "\0".join(texts).encode("utf-8", "surrogateescape")
    return b"%010d%010d" % (len(head), len(given)) + head + given


def length_of(data: bytes | bytearray) -> int:
    """Return how long a request is that begins so, at least; raise ValueError for what is none."""
    if len(data) < _LENGTHS:
        return _LENGTHS
    head, given = int(data[:10]), int(data[10:_LENGTHS])
    if not (0 <= head <= MOST_BYTES and 0 <= given <= MOST_BYTES):
        raise ValueError("too long")
    return _LENGTHS + head + given


def unpacked(data: bytes) -> tuple[list[str], bytes]:
    """Return version, event, agent, store and project, and the JSON; raise ValueError for what is no
    request."""
    if length_of(data) != len(data):
        raise ValueError("cut")
    end = _LENGTHS + int(data[:10])
    texts = data[_LENGTHS:end].decode("utf-8", "surrogateescape").split("\0")
    if len(texts) != 5:
        raise ValueError("no request")
    return texts, data[end:]
