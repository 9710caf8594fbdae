"""The options of the commands about policies, and of what agents are given under them."""

from __future__ import annotations

from memtui.cli.parser import wording_epilogs
from memtui.cli.parser.counts import count, port
from memtui.cli.parser.parser import Parser
from memtui.memory.memory import SCOPES

_SCOPES = f"{', '.join(SCOPES)}; or all, or none"


def set_(parser: Parser) -> None:
    parser.add_argument("agent", metavar="AGENT", help="the agent's name, or * for all agents")
    parser.add_argument("--read", action="append", metavar="SCOPE", help=f"what it may read: {_SCOPES}")
    parser.add_argument("--write", action="append", metavar="SCOPE", help=f"what it may write: {_SCOPES}")
    parser.add_store(
        "--store", metavar="NAME", help="the store that it writes to; native: memtui's own; '': as for *"
    )
    parser.add_argument(
        "--most", action="append", metavar="SCOPE=N",
        help="the most memories in a scope; N:weakest lets the weakest leave, else a write is refused",
    )  # fmt: skip
    parser.add_argument(
        "--expiry", metavar="AGE", help="when what it writes expires at the latest: 30d, or never"
    )
    parser.add_argument(
        "--sensitive",
        action="append",
        metavar="PATTERN",
        help="keys that it may not write, such as 'password:*'",
    )
    parser.add_argument(
        "--categories",
        action="append",
        metavar="CATEGORY",
        help="the only categories that it may write; or all",
    )
    parser.epilog = wording_epilogs.POLICY


def remove(parser: Parser) -> None:
    parser.add_argument("agent", metavar="AGENT", help="the agent's name, or *, as it was set")


def recall(parser: Parser) -> None:
    parser.add_argument("text", metavar="TEXT", help="what the agent asks")
    parser.add_argument("--as", dest="agent", required=True, metavar="AGENT", help="the agent that asks")
    parser.add_argument(
        "--strategy", choices=("keyword", "semantic", "hybrid"), default="", metavar="HOW",
        help="keyword, semantic or hybrid (default: by what TEXT is)",
    )  # fmt: skip
    parser.add_argument("--limit", type=count, default=10, metavar="N", help="show at most N (default: 10)")


def mcp(parser: Parser) -> None:
    parser.add_argument(
        "--as", dest="agent", default="", metavar="AGENT", help="the agent that is served, and no other"
    )
    parser.add_argument(
        "--store",
        metavar="NAME",
        help="where it stores memories (default: as its policy says, or memtui's own)",
    )
    parser.add_argument(
        "--http",
        type=port,
        metavar="PORT",
        help="serve over HTTP on 127.0.0.1; 0 for any free port",
    )
    tokens = parser.add_mutually_exclusive_group()
    tokens.add_argument("--show-token", action="store_true", help="print the token that HTTP clients need")
    tokens.add_argument("--new-token", action="store_true", help="replace that token, and print the new one")
    parser.epilog = wording_epilogs.MCP
