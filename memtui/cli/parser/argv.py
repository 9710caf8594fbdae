"""Reading the command line: options before or after the operands."""

from __future__ import annotations

import argparse
from typing import Any

from memtui.cli.parser.options import Parser
from memtui.cli.parser.table import COMMANDS, GROUPS, QUERIES
from memtui.errors import Usage

_GLOBAL = ("--json", "--read-only")
_HELP = ("-h", "--help")


def parse(argv: list[str]) -> Any:
    """The arguments as a namespace; `command` names the function to call. Raises Usage."""
    words, common = _common(argv)
    at = next((n for n, word in enumerate(words) if word == "--" or not word.startswith("-")), len(words))
    before, name, rest = words[:at], "".join(words[at : at + 1]), words[at + 1 :]
    if name == "help":
        before, name, rest = ["--help"], "".join(rest[:1]), rest[1:]
    if name in GROUPS:
        name, rest = _of_group(name, rest)
    if unknown := [word for word in before if word not in (*_HELP, "--version")]:
        raise _no_option("memtui", unknown[0])
    if "--version" in before:
        return argparse.Namespace(command="parser.help:version", **common)
    if name in COMMANDS:
        return _command(name, [*before, *rest], common)
    paths = rest if name == "--" else _operands(words[at:])
    if before or paths is None:
        return argparse.Namespace(command="parser.help:show", **common)
    return argparse.Namespace(command="runtime.open_workspace:open_tui", paths=paths, **common)


def _common(words: list[str]) -> tuple[list[str], dict[str, Any]]:
    """Take the options out that may stand anywhere."""
    common: dict[str, Any] = {"workspace": None, "json": False, "read_only": False}
    rest: list[str] = []
    left = iter(words)
    for word in left:
        if word == "--":
            rest += [word, *left]
        elif word in _GLOBAL:
            common[word[2:].replace("-", "_")] = True
        elif word == "--workspace" or word.startswith("--workspace="):
            path = word.partition("=")[2] if "=" in word else next(left, "")
            if not path or path in (*_GLOBAL, "--"):
                raise Usage("--workspace needs a path", "memtui: --workspace needs a path\n")
            common["workspace"] = path
        else:
            rest.append(word)
    return rest, common


def _of_group(group: str, rest: list[str]) -> tuple[str, list[str]]:
    """`stores attach …` is the command "stores attach"; `stores` alone lists them."""
    if not rest or rest[0].startswith("-"):
        return f"{group} {GROUPS[group]}", rest
    if f"{group} {rest[0]}" not in COMMANDS:
        names = [name.partition(" ")[2] for name in COMMANDS if name.startswith(f"{group} ")]
        known = " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))
        message = f"there is no command {group} {rest[0]}: it is {known}"
        raise Usage(message, f"memtui: {message}\n")
    return f"{group} {rest[0]}", rest[1:]


def _operands(words: list[str]) -> list[str] | None:
    """The paths to open; None where help is asked for."""
    paths: list[str] = []
    left = iter(words)
    for word in left:
        if word == "--":
            paths += left
        elif word in _HELP:
            return None
        elif word.startswith("-"):
            raise _no_option("memtui", word)
        else:
            paths.append(word)
    return paths


def _command(name: str, words: list[str], common: dict[str, Any]) -> Any:
    command = COMMANDS[name]
    parser = Parser(
        prog=f"memtui {name}",
        description=command.help,
        allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.arguments(parser)
    args = argparse.Namespace(command=command.calls, verb=name, **common)
    parser.parse_args(_sorted(words, parser, negations=name in QUERIES), args)
    if name in QUERIES:
        args.query = " ".join(args.query)
    return args


def _sorted(words: list[str], parser: Parser, *, negations: bool) -> list[str]:
    """Options first, each with its value, then the rest: argparse takes neither `a --limit 3 b`
    nor a value that begins with `-`. In a query an unknown `-word` is a negation (S-2)."""
    actions = parser._option_string_actions
    options: list[str] = []
    operands: list[str] = []
    left = iter(words)
    for word in left:
        if word == "--":
            operands += left
        elif word in actions:
            value = next(left, None) if actions[word].nargs is None else None
            options.append(word if value is None else f"{word}={value}")
        elif word.startswith("--"):
            if word.partition("=")[0] not in actions:
                raise _no_option(parser.prog, word)
            options.append(word)
        elif word.startswith("-") and word != "-" and not negations:
            raise _no_option(parser.prog, word)
        else:
            operands.append(word)
    return [*options, "--", *operands] if operands else options


def _no_option(prog: str, word: str) -> Usage:
    message = f"there is no option {word.partition('=')[0]}"
    hint = f"{prog} --help lists the options; what is no option stands after --."
    return Usage(message, f"{prog}: {message}\n{hint}\n")
