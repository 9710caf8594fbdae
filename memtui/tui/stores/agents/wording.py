"""Every sentence about connected agents on the Stores screen."""

from __future__ import annotations

from memtui.memory.agents.figures import AgentFigures, Overtaken
from memtui.memory.agents.wording import OVERTAKEN
from memtui.text import counted
from memtui.workspace.connections.connection import Connection, ConnectionState

# What could not be done.
AGENTS_UNREADABLE = "Could not read the connections"
AGENT_UNREADABLE = "Could not read what the agent did"
NOT_PLANNED = "Could not read the settings file"
NOT_CONNECTED = "Could not connect"

HOOKS = "hooks"  # the key of a program's settings below which its hooks are

# The list.
CONNECTIONS = "Connections"
NO_AGENTS = "No agent is connected. In a shell: memtui connect claude-code --as NAME"
STATES = {
    ConnectionState.CONNECTED: "✓ connected",
    ConnectionState.CHANGED: "! changed",
    ConnectionState.GONE: "✗ entry gone",
    ConnectionState.UNREADABLE: "✗ unreadable",
}
NO_CONNECTION = "· no connection"

# The text.
AGENT = "Agent"
ENTRY = "Its entry"
WHAT_IT_DID = "What it did"
NO_LONGER_HOLDS = "Given by recall, and no longer true"
NO_ENTRY = "Calls without a connection of memtui's: by memtui add --as, or by an entry made by hand."
NOTES = {
    ConnectionState.CHANGED: "Somebody changed the entry since memtui wrote it.",
    ConnectionState.GONE: "The file no longer has the entry: the agent can't call.",
    ConnectionState.UNREADABLE: "The file can't be read, or is no longer what it was.",
}

# Keys.
READ_ONLY = "The workspace is read-only: agents can't be connected or disconnected."
NO_AGENT_SELECTED = "No agent selected"
NOT_A_STORE = "This is an agent, not a store; select a store first."
NOTHING_TO_DISCONNECT = "memtui has no entry for this agent, so there is nothing to disconnect."
OVERTAKEN_BY = "Something else was opened; press the key again."


# The dialogs.
CONNECT = "Connect an agent"
SAME_BYTES = "The entry is in the file already; it is only noted as memtui's."
GONE_ALREADY = "The file no longer has the entry; memtui forgets the connection."
AGENT_LABEL = "Agent"
YOUR_SETTINGS, THIS_FOLDER = "your settings", "this folder"
READING_SETTINGS = "Reading the settings files …"
NOT_SHOWN_YET = "Still reading the settings file: look at the change first, then press ⏎."
CONNECT_HELP = "What changes in the file; nothing is written before ⏎."


def state(of: ConnectionState | None) -> str:
    """Return the state of a connection with its sign; None for an agent that calls without one."""
    return NO_CONNECTION if of is None else STATES[of]


def client(connection: Connection) -> str:
    """Return whose settings a connection is in, and that it is about hooks if it is."""
    return f"{connection.client} {HOOKS}" if _has_hooks(connection) else connection.client


def place(connection: Connection | None) -> str:
    """Return the same in one word."""
    if connection is None:
        return ""
    return HOOKS if _has_hooks(connection) else connection.client


def _has_hooks(connection: Connection) -> bool:
    return any(each.path[0] == HOOKS for each in connection.entries.insertions)


def connected_already(agent: str) -> str:
    return f"Connected as {agent} already: choose other settings, or type another name."


def connected_as(agent: str) -> str:
    return f"✓ {agent}"


def no_agents(connect: str) -> str:
    return f"{connect}  connect an agent's program"


def position(number: int, total: int) -> str:
    return f"{number:,} of {total:,}" if total else ""


def no_agent(connect: str) -> str:
    return f"{NO_AGENT_SELECTED}; press {connect} to connect one."


def store_gone(store: str) -> str:
    return f"{store}, which it writes to, is not attached: its writes are refused."


def not_called(store: str) -> str:
    return f"It has not called yet; it does once its program starts again. It writes to {store}."


def writes(figures: AgentFigures, store: str) -> str:
    """`store` is where it writes to now."""
    refused = f", {counted(figures.refusals, 'refusal')}" if figures.refusals else ""
    return f"{figures.writes:,}{refused}; into {store}"


def recalls(figures: AgentFigures) -> str:
    if figures.hit_rate is None:
        return f"{figures.recalls:,}"
    return f"{figures.recalls:,}, {figures.answered:,} answered ({figures.hit_rate:.0%})"


def overtaken(found: Overtaken) -> str:
    other = f": “{found.other_label}”" if found.other_label else ""
    return f"“{found.label}” {OVERTAKEN[found.cause]}{other}"


def more_overtaken(count: int, agent: str) -> str:
    return f"and {count:,} more: memtui stats --as {agent}"


def disconnect_title(client: str, agent: str) -> str:
    return f"Disconnect {client} ({agent})" if client and client != agent else f"Disconnect {agent}"
