"""Reading the command line: one table of commands, options before or after them."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from typing import Any, NoReturn

from memtui import __version__
from memtui.errors import Usage

SORTS = ("relevance", "newest", "oldest", "confidence", "used", "title", "store")
_GLOBAL = ("--json", "--read-only")
# A query may hold -words: they are hidden from argparse behind this mark.
_MARK = "\x00"

_EPILOG = """\
memtui PATH...   attaches the stores at PATH and opens them
memtui           opens the workspace: --workspace, $MEMTUI_WORKSPACE, the nearest
                 .memtui/workspace.db upward, or the one in your user data folder

These go before or after any command:
  --workspace PATH   the workspace to use
  --json             print JSON
  --read-only        refuse every change

Exit codes: 0 done, 1 refused (nothing was changed), 2 wrong use.
"""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise Usage(message, f"{self.format_usage()}memtui: {message}\n")


def parse(argv: Sequence[str]) -> Any:
    """The arguments as a namespace; `command` names the function to call. Raises Usage."""
    rest, common = _common(list(argv))
    parser, names = _parser()
    first = next((word for word in rest if not word.startswith("-")), None)
    if first not in names and not {"-h", "--help", "--version"} & set(rest):
        wrong = [word for word in rest if word.startswith("-") and word != "--"]
        if wrong:
            raise Usage(
                f"there is no option {wrong[0]}", f"{parser.format_usage()}memtui: no option {wrong[0]}\n"
            )
        paths = [word for word in rest if word != "--"]
        return argparse.Namespace(command="opening:open_tui", paths=paths, **common)
    args = parser.parse_args(_hidden(rest, first), argparse.Namespace(**common))
    if getattr(args, "query", None) is not None:
        args.query = " ".join(word.removeprefix(_MARK) for word in args.query)
    if not hasattr(args, "command"):
        raise Usage("a command is missing", parser.format_usage())
    return args


def _common(words: list[str]) -> tuple[list[str], dict[str, Any]]:
    """Take the options out that may stand anywhere."""
    common: dict[str, Any] = {"workspace": None, "json": False, "read_only": False}
    rest: list[str] = []
    while words:
        word = words.pop(0)
        if word == "--":
            return [*rest, word, *words], common
        if word in _GLOBAL:
            common[word[2:].replace("-", "_")] = True
        elif word == "--workspace":
            if not words:
                raise Usage("--workspace needs a path", "memtui: --workspace needs a path\n")
            common["workspace"] = words.pop(0)
        elif word.startswith("--workspace="):
            common["workspace"] = word.partition("=")[2]
        elif word == "--tag" and words:
            rest.append(f"--tag={words.pop(0)}")  # a tag may begin with - or +
        else:
            rest.append(word)
    return rest, common


def _hidden(words: list[str], command: str | None) -> list[str]:
    """In a query an unknown `-word` is a negation, not an option (S-2)."""
    if command != "list":
        return words
    return [_MARK + word if re.match(r"-[^-]", word) and word != "-h" else word for word in words]


def _parser() -> tuple[_Parser, set[str]]:
    parser = _Parser(
        prog="memtui",
        description="See, correct and govern what your AI agents remember.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"memtui {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=_Parser)

    def add(name: str, command: str, help: str, to: Any = commands) -> _Parser:
        made: _Parser = to.add_parser(name, help=help, description=help)
        made.set_defaults(command=command)
        return made

    add("demo", "opening:open_demo", "open a throw-away workspace of four stores")

    group = commands.add_parser("stores", help="attach, list and detach stores")
    inner = group.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=_Parser)
    made = add("attach", "stores:attach", "attach the stores at PATH", inner)
    made.add_argument("paths", nargs="+", metavar="PATH")
    made.add_argument("--name", default="", help="what to call it (one store only)")
    add("list", "stores:show", "the attached stores, and what each action does there", inner)
    made = add("detach", "stores:detach", "stop watching a store; pins, notes and history stay", inner)
    made.add_argument("name", metavar="NAME")

    made = add("list", "memories:show_list", "memories that match a query; all but removed ones without one")
    made.add_argument("query", nargs="*", metavar="QUERY")
    made.add_argument("--limit", type=_count, metavar="N", help="at most N")
    made.add_argument("--sort", choices=SORTS, default="", help="relevance with words, else newest")

    made = add("show", "memories:show_one", "everything about one memory")
    made.add_argument("uid", metavar="UID")

    made = add("add", "memories:add", "add a memory")
    made.add_argument("text", nargs="?", metavar="TEXT", help="its text; - reads standard input")
    made.add_argument("--content", metavar="TEXT", help="the same")
    made.add_argument("--store", default="native", metavar="NAME", help="native unless named")
    _fields(made)

    made = add("edit", "memories:edit", "change a memory, in the store that its agent reads")
    made.add_argument("uids", nargs="+", metavar="UID")
    made.add_argument("--content", metavar="TEXT", help="its text; - reads standard input")
    _fields(made)

    for name, help in (
        ("confirm", "say that memories are right"),
        ("pin", "keep memories"),
        ("unpin", "take the pin off"),
        ("dismiss", "take out what is wrong; restorable"),
        ("restore", "bring dismissed memories back"),
    ):
        made = add(name, "memories:verb", help)
        made.set_defaults(verb=name)
        made.add_argument("uids", nargs="+", metavar="UID", help="or - to read them from standard input")
        if name == "pin":
            made.add_argument("--why", default="", metavar="TEXT", help="the reason, kept with the pin")

    made = add("journal", "lines:journal", "who changed what, newest first")
    made.add_argument("--limit", type=_count, default=50, metavar="N", help="at most N (50)")
    made = add("undo", "lines:undo", "take back the newest change by a person, or the journal's line ID")
    made.add_argument("id", nargs="?", type=_count, metavar="ID")
    add("redo", "lines:redo", "do again what the newest undo took back")
    return parser, set(commands.choices)


def _fields(parser: argparse.ArgumentParser) -> None:
    for name in ("title", "category", "key", "subject"):
        parser.add_argument(f"--{name}", metavar="TEXT")
    parser.add_argument(
        "--tag", action="append", metavar="TAG", help="TAG replaces the tags, +TAG adds one, -TAG removes one"
    )


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number
