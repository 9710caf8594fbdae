"""Every sentence of `memtui connect`, `disconnect` and `connections`."""

from __future__ import annotations

from memtui.workspace.connections.connection import ConnectionState

NO_CONNECTIONS = "Nothing is connected yet. To connect a client: memtui connect claude-code"
SAME_BYTES = {
    "connect": "The entry is in the file already; it is only noted as memtui's.",
    "disconnect": "The file no longer has the entry.",
}
HOW_TO = {
    "connect": "Nothing was changed. To connect it, add --yes.",
    "disconnect": "Nothing was changed. To disconnect it, add --yes.",
}
STATES = {
    ConnectionState.CONNECTED: "connected",
    ConnectionState.CHANGED: "changed since",
    ConnectionState.GONE: "gone",
    ConnectionState.UNREADABLE: "unreadable",
}


def ask(verb: str) -> str:
    return f"To write the file, type {verb}:"
