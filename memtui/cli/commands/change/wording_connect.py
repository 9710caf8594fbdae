"""Every sentence of `memtui connect`, `disconnect` and `connections`."""

from __future__ import annotations

from memtui.cli.parser.wording import usage
from memtui.errors import UsageError
from memtui.workspace.connections.connection import ConnectionState

NO_CONNECTIONS = "Nothing is connected yet. To connect a client: memtui connect claude-code"
SAME_BYTES = {
    "connect": "The entries are there already; they are only noted as memtui's.",
    "disconnect": "The entries are no longer there.",
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


def state(of: ConnectionState | None) -> str:
    """Return the state of a connection; None for an agent that calls without one."""
    return "no connection" if of is None else STATES[of]


def ask(verb: str) -> str:
    return f"To write what is shown, type {verb}:"


def nothing_wanted(*, hooks: bool) -> UsageError:
    if not hooks:
        return usage("memtui", "--no-mcp and --no-hooks together leave nothing to do")
    return usage("memtui", "--no-mcp leaves nothing to do: of the clients only claude-code has hooks")
