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
    parser.add_argument("--yes", action="store_true", help="write the file without asking")
    parser.epilog = wording_epilogs.DISCONNECT
