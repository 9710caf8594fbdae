"""What `memtui --help` prints, generated from the table of commands; argparse is not loaded for it."""

from __future__ import annotations

import sys

from memtui.cli.parser.command import Command
from memtui.cli.parser.table import EVERYWHERE, GROUPS, SECTIONS, VERSION

TYPE_CHECKING = False  # not from typing, for a fast start
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator

    from memtui.cli.runtime.output import Output

_COLUMN = 26  # where the explanations begin

_HEAD = """\
memtui: see, correct and govern what your AI agents remember.

Usage: memtui [PATH...]
       memtui COMMAND [ARGUMENTS]
"""
_OPENING = (
    ("memtui", "Open the workspace."),
    ("memtui PATH...", "Attach the stores at PATH and open the workspace."),
)
_FOOT = """\
A UID can be shortened; - reads uids, or a text, from standard input.
memtui COMMAND --help shows more; memtui list --help has the query language.
"""
_EXIT_CODES = """\
Exit codes: 0 success; 1 refused (the reason is printed, nothing was changed);
2 usage error; 3 refused by a policy; 130 interrupted.
"""


def show(args: Namespace, output: Output) -> None:
    """Print the help of `memtui --help`."""
    sys.stdout.write(text())


def text() -> str:
    """Return the help: all commands under their headings, and the options that every command has."""
    parts = [_HEAD]
    for heading, commands in SECTIONS.items():
        lines = list(_OPENING) if heading == "Start" else []
        program = "memtui " if heading == "Start" else ""
        lines += [
            (f"{program}{_synopsis(name, command)}", command.help) for name, command in commands.items()
        ]
        parts.append(_block(heading, lines))
    parts.append(_FOOT)
    options = [
        (f"{option.name} {option.metavar}".rstrip(), "\n".join(filter(None, (option.help, option.details))))
        for option in (*EVERYWHERE, VERSION)
    ]
    parts += [_block("Options, before or after any command", options), _EXIT_CODES]
    return "\n".join(parts)


def _synopsis(name: str, command: Command) -> str:
    """Return a command with its operands; `list` is left out where the group alone lists."""
    group, _, verb = name.partition(" ")
    name = group if verb == "list" == GROUPS.get(group) else name
    return f"{name} {command.operands}".rstrip()


def _block(heading: str, lines: list[tuple[str, str]]) -> str:
    return "\n".join([heading, *(line for left, right in lines for line in _rows(left, right))]) + "\n"


def _rows(left: str, right: str) -> Iterator[str]:
    """Yield the lines of one entry; a left part that is too wide has a line of its own."""
    first, *more = right.removesuffix(".").split("\n")
    if len(left) > _COLUMN - 4:
        yield f"  {left}"
        left = ""
    yield f"  {left:<{_COLUMN - 2}}{first}"
    for line in more:
        yield f"{'':<{_COLUMN}}{line}"


def version(args: Namespace, output: Output) -> None:
    """Print the version."""
    from memtui import __version__

    output.line(f"memtui {__version__}")
