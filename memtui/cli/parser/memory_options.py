"""The options and operands of the commands that change memories, with their help."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from memtui.cli.parser import wording, wording_epilogs
from memtui.cli.parser.options import dry_run, uids
from memtui.memory.memory import KINDS, SCOPES
from memtui.memory.query import ranges
from memtui.memory.splitting import FIRST, RELATIONS

if TYPE_CHECKING:
    from memtui.cli.parser.parser import Parser


def add(parser: Parser) -> None:
    parser.add_argument("text", nargs="?", metavar="TEXT", help="the text; - reads standard input")
    parser.add_argument("--content", metavar="TEXT", help="same as TEXT")
    parser.add_store(
        "--store",
        metavar="NAME",
        help="the store to add it to (default: native; with --as the one that the agent's policy says)",
    )
    parser.add_argument(
        "--kind", choices=KINDS, metavar="KIND", help=f"{', '.join(KINDS)}, if the store supports it"
    )
    parser.add_argument("--owner", metavar="NAME", help="the agent or user it belongs to")
    parser.add_argument(
        "--as", dest="agent", metavar="AGENT", help="add it for this agent, as far as its policies allow"
    )
    parser.add_argument("--source", dest="source_ref", metavar="TEXT", help="where it comes from")
    _fields(parser)


def verb(parser: Parser) -> None:
    uids(parser)
    dry_run(parser)


def edit(parser: Parser) -> None:
    verb(parser)
    parser.add_argument("--content", metavar="TEXT", help="the text; - reads standard input")
    _fields(parser)
    parser.epilog = 'An empty value ("") clears a field.'


def _fields(parser: Parser) -> None:
    parser.add_argument("--title", metavar="TEXT", help="the title")
    parser.add_argument(
        "--category", metavar="TEXT", help="the category, such as fact; some stores have a fixed set"
    )
    parser.add_argument("--key", metavar="TEXT", help="the key, which identifies the memory in its store")
    parser.add_argument("--subject", metavar="TEXT", help="who or what it is about")
    parser.add_argument(
        "--tag", action="append", metavar="TAG", help="TAG replaces all tags, +TAG adds one, -TAG removes one"
    )
    parser.add_argument("--note", metavar="TEXT", help="your note, kept in memtui")
    parser.add_argument("--scope", choices=(*SCOPES, ""), metavar="SCOPE", help=", ".join(SCOPES))
    parser.add_argument("--importance", type=_share, metavar="0-1", help="such as 0.8 or 80%%")
    parser.add_argument("--confidence", type=_share, metavar="0-1", help="such as 0.8 or 80%%")
    parser.add_argument(
        "--expires", metavar="DATE", help="an ISO date or time, or a time from now such as 30d"
    )
    parser.add_argument("--valid-from", metavar="DATE", help="when it starts being true")
    parser.add_argument("--valid-to", metavar="DATE", help="when it stops being true")


def split(parser: Parser) -> None:
    parser.add_argument("uid", metavar="UID", help="the memory to split; it keeps the first part")
    parser.add_argument(
        "parts", nargs="?", choices=("-",), metavar="PARTS",
        help="- reads the parts from standard input, separated by blank lines",
    )  # fmt: skip
    parser.add_argument(
        "--at", action="append", metavar="TEXT",
        help="cut before TEXT; repeatable, in the order of the text",
    )  # fmt: skip
    parser.add_argument(
        "--relations", choices=RELATIONS, default=FIRST, metavar="WHO",
        help="first: its relations stay with the first part (default); all: the new parts get copies; "
        "none: all are removed, even from the first part",
    )  # fmt: skip
    parser.add_argument("--dry-run", action="store_true", help="only show the parts, and where they would go")
    parser.epilog = wording_epilogs.SPLIT


def pin(parser: Parser) -> None:
    verb(parser)
    parser.add_argument("--why", default="", metavar="TEXT", help="the reason, saved with the pin")


def snooze(parser: Parser) -> None:
    verb(parser)
    parser.add_argument(
        "--until", required=True, metavar="DATE",
        help="an ISO date or time, or a time from now such as 30d; none shows them again",
    )  # fmt: skip


def forget(parser: Parser) -> None:
    parser.add_argument("uids", nargs="*", metavar="UID", help="a uid; - reads uids from standard input")
    parser.add_argument(
        "--owner", metavar="NAME", help="with --key: the memories of this owner with that key"
    )
    parser.add_argument("--key", metavar="KEY", help="with --owner")
    parser.add_store("--store", metavar="NAME", help="all memories of this store")
    parser.add_argument("--yes", action="store_true", help="without it, --store only counts the memories")
    dry_run(parser)


def _share(text: str) -> float | str:
    """Return the number, or "", which clears the field."""
    if not text:
        return ""
    try:
        return ranges.share(text)
    except ValueError:
        raise argparse.ArgumentTypeError(wording.not_a_share(text)) from None
