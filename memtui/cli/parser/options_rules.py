"""The options and operands of `memtui rules`, with their help."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from memtui.cli.parser import wording, wording_epilogs
from memtui.cli.parser.counts import count
from memtui.cli.parser.options import reveal

if TYPE_CHECKING:
    from memtui.cli.parser.parser import Parser

STEPS = ("up", "down")


def rule(parser: Parser) -> None:
    parser.add_rule("name", metavar="NAME", help="the rule's name, from memtui rules list")


def on(parser: Parser) -> None:
    rule(parser)
    _yes(parser)


def add(parser: Parser) -> None:
    parser.add_argument("name", metavar="NAME", help="the rule's name")
    _query(parser, "the query that memories must match", required=True)
    _actions(parser, required=True)
    parser.add_argument("--note", default="", metavar="TEXT", help="why; the reason of its pins")
    parser.epilog = wording_epilogs.rules_add()


def edit(parser: Parser) -> None:
    rule(parser)
    parser.add_argument("--name", dest="new_name", metavar="NEW", help="its new name")
    _query(parser, "the new query")
    _actions(parser, "; replaces all")
    parser.add_argument("--note", metavar="TEXT", help='the new note; "" removes it')
    _yes(parser)
    parser.epilog = wording_epilogs.rules_add()


def test(parser: Parser) -> None:
    parser.add_rule(
        "name", nargs="?", metavar="NAME", help="a rule; with --when or --do, as it would be then"
    )
    _query(parser, "the query, of the rule or of one that is not saved")
    _actions(parser)
    parser.add_argument(
        "--limit", type=count, default=40, metavar="N", help="show at most N memories (default: 40)"
    )
    parser.epilog = wording_epilogs.RULES_TEST


def move(parser: Parser) -> None:
    rule(parser)
    parser.values["place"] = STEPS
    parser.add_argument("place", type=_place, metavar="PLACE", help="its new place, such as 1, or up or down")


def export(parser: Parser) -> None:
    parser.add_path(
        "-o", "--output", metavar="FILE", help="write to this new file (default: -, standard output)"
    )
    parser.add_argument(
        "--force", action="store_true", help="update the file if it exists; its comments are kept"
    )
    reveal(parser)


def check(parser: Parser) -> None:
    _file(parser, "a TOML file with rules; - reads standard input (default: the project's file)", nargs="?")


def import_(parser: Parser) -> None:
    _file(parser, "a TOML file with rules and policies; - reads standard input")
    parser.add_argument("--yes", action="store_true", help="import; without it, only show what would be")
    parser.epilog = wording_epilogs.RULES_IMPORT


def trust(parser: Parser) -> None:
    distrust(parser)
    parser.add_argument("--yes", action="store_true", help="trust it without asking")
    parser.epilog = wording_epilogs.RULES_TRUST


def distrust(parser: Parser) -> None:
    _file(parser, "a project's .memtui/rules.toml (default: in this folder or above)", nargs="?")


def _file(parser: Parser, help: str, **more: Any) -> None:
    parser.add_path("file", metavar="FILE", help=help, **more)


def _yes(parser: Parser) -> None:
    parser.add_argument(
        "--yes", action="store_true", help="don't ask before secrets are permanently redacted (do: redact)"
    )


def _query(parser: Parser, help: str, *, required: bool = False) -> None:
    parser.sources["when"] = "query"
    parser.add_argument("--when", required=required, metavar="QUERY", help=help)


def _actions(parser: Parser, more: str = "", *, required: bool = False) -> None:
    from memtui.memory.rules.rule import ACTIONS

    parser.values["do"] = [f"{each.name}=" if each.example else each.name for each in ACTIONS.values()]
    parser.add_argument(
        "--do", action="append", required=required, metavar="ACTION", help=f"what is done; repeatable{more}"
    )


def _place(text: str) -> str:
    """Return a place as it was typed: a number from 1, or a step."""
    if text not in STEPS:
        try:
            count(text)
        except argparse.ArgumentTypeError:
            raise argparse.ArgumentTypeError(wording.not_a_place(text)) from None
    return text
