"""Every sentence about connections to agents' programs."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.errors import Refused
from memtui.text import listed, plural

NOT_CHANGED = "Nothing was changed."


def connected(client: str, agent: str, files: Sequence[str]) -> str:
    return f"Connected {agent if client in ('', agent) else f'{client} as {agent}'}: {listed(files)}"


def disconnected(client: str, files: Sequence[str]) -> str:
    return f"Disconnected {client}: {listed(files)}" if client else f"Disconnected {listed(files)}"


def connected_already(agent: str, *files: str) -> Refused:
    are = plural(len(files), "is", "are")
    return Refused("no-change", f"{listed(files)} {are} connected as {agent} already.", NOT_CHANGED)


def not_connected(*files: str) -> Refused:
    are = plural(len(files), "is", "are")
    return Refused("not-connected", f"{listed(files)} {are} not connected to memtui.", NOT_CHANGED)
