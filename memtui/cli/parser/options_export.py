"""The options of the commands that give memories to agents and take them in."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from memtui.cli.parser import wording, wording_epilogs
from memtui.cli.parser.counts import count
from memtui.cli.parser.options import reveal

if TYPE_CHECKING:
    from memtui.cli.parser.parser import Parser
    from memtui.memory.imported import Verdict


def export(parser: Parser) -> None:
    from memtui.export.new_store import store_kinds
    from memtui.export.registry import all_exporters

    texts, stores = [each.name for each in all_exporters()], list(store_kinds())
    parser.add_argument("query", nargs="*", metavar="QUERY", help="only memories that match (default: all)")
    parser.add_argument(
        "--as",
        dest="as_",
        choices=(*texts, *stores),
        default="prompt",
        metavar="KIND",
        help=f"text: {', '.join(texts)} (default: prompt); a new store at -o PATH: {', '.join(stores)}",
    )
    parser.add_argument("--budget", type=count, metavar="N", help="at most N tokens in all")
    parser.add_argument(
        "--contradictions", choices=("omit", "mark"), default="omit", metavar="HOW",
        help="omit what contradicts an included memory, or mark both (default: omit)",
    )  # fmt: skip
    parser.add_argument("--saved", metavar="NAME", help="export the results of this saved search")
    parser.add_argument("--store", metavar="NAME", help="only this store")
    parser.add_argument(
        "--all", action="store_true", help="include memories that are not live, except removed ones"
    )
    parser.add_argument(
        "-o", "--output", metavar="PATH",
        help="write to this new file or store (default: -, standard output; with a trailing /, the store is "
        "made inside that folder)",
    )  # fmt: skip
    parser.add_argument("--clipboard", action="store_true", help="copy the text, through the terminal too")
    parser.add_argument("--force", action="store_true", help="replace the file if it exists")
    reveal(parser)
    parser.epilog = wording_epilogs.EXPORT


def report(parser: Parser) -> None:
    parser.add_argument("query", nargs="*", metavar="QUERY", help="only memories that match (default: all)")
    parser.add_argument(
        "-o", "--output", required=True, metavar="FILE",
        help="write to this new file, such as report.html (-: standard output)",
    )  # fmt: skip
    parser.add_argument("--force", action="store_true", help="replace the file if it exists")
    parser.epilog = wording_epilogs.REPORT


def see(parser: Parser) -> None:
    parser.add_store(
        "agent", metavar="STORE", help="a store, its program (claude-code), or an agent: what memtui gives it"
    )
    parser.add_argument("--about", default="", metavar="TEXT", help="what the agent is asked to do")
    parser.add_argument("--diff", type=count, metavar="ID", help="what this journal entry changed in it")
    reveal(parser)
    parser.epilog = wording_epilogs.SEE


def import_(parser: Parser) -> None:
    from memtui.importing.sources import kinds
    from memtui.memory.imported import TAKEN_IF_ASKED

    parser.add_path("files", nargs="+", metavar="FILE", help="a file, or a store; - reads standard input")
    parser.add_argument(
        "--as", dest="as_", choices=kinds(), default="", metavar="KIND",
        help=f"one of {', '.join(kinds())} (default: by content)",
    )  # fmt: skip
    parser.add_store("--store", default="native", metavar="NAME", help="the target store (default: native)")
    parser.values["take"] = [each.value for each in TAKEN_IF_ASKED]
    parser.add_argument(
        "--take", type=_taken, default=(), metavar="WHICH",
        help=f"also import these: {', '.join(TAKEN_IF_ASKED)}; several with commas",
    )  # fmt: skip
    parser.add_argument("--yes", action="store_true", help="import; without it, only show what would be")
    parser.epilog = wording_epilogs.IMPORT


def _taken(text: str) -> tuple[Verdict, ...]:
    """Return the verdicts of a list with commas."""
    from memtui.memory.imported import TAKEN_IF_ASKED, Verdict

    names = [name.strip() for name in text.split(",") if name.strip()]
    if unknown := [name for name in names if name not in TAKEN_IF_ASKED]:
        raise argparse.ArgumentTypeError(wording.not_taken(unknown[0], TAKEN_IF_ASKED))
    return tuple(Verdict(name) for name in names)
