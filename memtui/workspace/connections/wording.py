"""Every sentence about connections to agents' programs."""

from __future__ import annotations

from memtui.errors import Refused

NOT_CHANGED = "Nothing was changed."


def connected(client: str, agent: str, file: str) -> str:
    return f"Connected {agent if client in ('', agent) else f'{client} as {agent}'}: {file}"


def disconnected(client: str, file: str) -> str:
    return f"Disconnected {client}: {file}" if client else f"Disconnected {file}"


def connected_already(file: str, agent: str) -> Refused:
    return Refused("no-change", f"{file} is connected as {agent} already.", NOT_CHANGED)


def not_connected(file: str) -> Refused:
    return Refused("not-connected", f"{file} is not connected to memtui.", NOT_CHANGED)
