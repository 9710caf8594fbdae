"""The commands that connect agents' programs: a part of the table."""

from __future__ import annotations

from memtui.cli.parser.command import Command

CONNECT = {
    "connect": Command(
        "commands.change.connecting:connect",
        "CLIENT",
        "Add memtui to an agent's settings file (asks first).",
        "options_connect:connect",
        "connect claude-code --yes",
    ),
    "disconnect": Command(
        "commands.change.connecting:disconnect",
        "CLIENT",
        "Take memtui out of an agent's settings file.",
        "options_connect:disconnect",
        "disconnect claude-code --yes",
    ),
    "connections": Command(
        "commands.change.connecting:connections",
        "",
        "List connected programs, and what each agent did.",
        "none",
        "connections --json",
    ),
    "mcp": Command(
        "commands.stores.mcp:mcp",
        "",
        "Serve an agent its memory over MCP.",
        "options_policies:mcp",
        "mcp --as scout --store founder-os:acme",
    ),
    "hook": Command(
        "commands.stores.hook:hook",
        "EVENT",
        "Answer an agent's program at an event of a session.",
        "options_connect:hook",
        "hook session-start --as scout",
    ),
}
