"""The options and operands of the commands that connect agents' programs."""

from __future__ import annotations

from memtui.cli.parser import wording_epilogs
from memtui.cli.parser.parser import Parser


def connect(parser: Parser) -> None:
    disconnect(parser)
    parser.add_argument(
        "--as",
        dest="agent",
        metavar="AGENT",
        help="the agent that it speaks for (default: the client's name)",
    )
    parser.epilog = wording_epilogs.CONNECT


def disconnect(parser: Parser) -> None:
    from memtui.agents.connect.clients import CLIENTS

    parser.values["target"] = list(CLIENTS)
    parser.add_path("target", metavar="CLIENT", help=f"{', '.join(CLIENTS)}; or a JSON file with mcpServers")
    parser.add_argument("--project", action="store_true", help="its settings in this folder, not your own")
    parser.add_argument("--no-mcp", dest="mcp", action="store_false", help="only the hooks (claude-code)")
    parser.add_argument("--no-hooks", dest="hooks", action="store_false", help="only the MCP server")
    parser.add_argument("--yes", action="store_true", help="write without asking")
    parser.epilog = wording_epilogs.DISCONNECT


def hook(parser: Parser) -> None:
    from memtui.agents.hooks.names import NAMES

    parser.values["event"] = list(NAMES)
    parser.add_argument("event", choices=list(NAMES), metavar="EVENT", help=", ".join(NAMES))
    parser.add_argument(
        "--as", dest="agent", default="claude-code", metavar="AGENT", help="the agent (default: claude-code)"
    )
    parser.add_argument(
        "--store",
        default="",
        metavar="NAME",
        help="where it stores memories (default: as its policy says, or memtui's own)",
    )
    parser.epilog = wording_epilogs.HOOK
