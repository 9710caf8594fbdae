"""Parsing the command line: options may stand before or after the operands."""

from __future__ import annotations

import argparse

from memtui.cli.parser import wording
from memtui.cli.parser.parser import HelpFormatter, Parser
from memtui.cli.parser.table import COMMANDS, EVERYWHERE, GROUPS, QUERIES, RENAMED, VERSION, meant_by
from memtui.values import Fields

_HELP = ("-h", "--help")
_FLAGS = tuple(each.name for each in EVERYWHERE if not each.metavar and each.name not in _HELP)
_BEFORE = (*(each.name for each in EVERYWHERE), VERSION.name)  # options that need no command


def parse(argv: list[str]) -> argparse.Namespace:
    """Return the arguments as a namespace; `command` names the function to call. Raise UsageError."""
    words, common = _common(argv)
    at = next((n for n, word in enumerate(words) if word == "--" or not word.startswith("-")), len(words))
    before, name, rest = words[:at], "".join(words[at : at + 1]), words[at + 1 :]
    if name == "help":
        before, name, rest = ["--help"], "".join(rest[:1]), rest[1:]
        if name and name not in (*COMMANDS, *GROUPS, *RENAMED, *_HELP, "help"):
            raise wording.usage(
                "memtui", wording.unknown_command(name, meant_by(name)), wording.LIST_COMMANDS
            )
    name = RENAMED.get(name, name)
    if name in GROUPS:
        name, rest = _group_command(name, rest)
    if unknown := [word for word in before if word not in (*_HELP, VERSION.name)]:
        raise wording.no_option("memtui", unknown[0].partition("=")[0], _BEFORE)
    if VERSION.name in before:
        return argparse.Namespace(command="parser.help:version", **common)
    if name in COMMANDS:
        return _command(name, [*before, *rest], common)
    paths = rest if name == "--" else _operands(words[at:])
    if before or paths is None:
        return argparse.Namespace(command="parser.help:show", **common)
    return argparse.Namespace(command="runtime.open_workspace:open_tui", paths=paths, **common)


def _common(words: list[str]) -> tuple[list[str], Fields]:
    """Separate the options that may stand anywhere from the other words."""
    common: Fields = {"workspace": None, "json": False, "read_only": False}
    rest: list[str] = []
    remaining = iter(words)
    for word in remaining:
        if word == "--":
            rest += [word, *remaining]
        elif word in _FLAGS:
            common[word[2:].replace("-", "_")] = True
        elif word == "--workspace" or word.startswith("--workspace="):
            path = word.partition("=")[2] if "=" in word else next(remaining, "")
            if not path or path in (*_FLAGS, "--"):
                raise wording.usage("memtui", wording.WORKSPACE_NEEDS_PATH)
            common["workspace"] = path
        else:
            rest.append(word)
    return rest, common


def _group_command(group: str, rest: list[str]) -> tuple[str, list[str]]:
    """Return the command of a group and its words: `stores attach …`, or `stores` alone, which lists them."""
    if not rest or rest[0].startswith("-"):
        return f"{group} {GROUPS[group]}", rest
    if f"{group} {rest[0]}" not in COMMANDS:
        names = [name.partition(" ")[2] for name in COMMANDS if name.startswith(f"{group} ")]
        raise wording.no_command(group, rest[0], names)
    return f"{group} {rest[0]}", rest[1:]


def _operands(words: list[str]) -> list[str] | None:
    """Return the paths to open; None if help is asked for."""
    paths: list[str] = []
    remaining = iter(words)
    for word in remaining:
        if word == "--":
            paths += remaining
        elif word in _HELP:
            return None
        elif word.startswith("-"):
            raise wording.no_option("memtui", word.partition("=")[0], _BEFORE)
        else:
            paths.append(word)
    return paths


def _command(name: str, words: list[str], common: Fields) -> argparse.Namespace:
    command = COMMANDS[name]
    parser = Parser(
        prog=f"memtui {name}",
        description=command.help,
        allow_abbrev=False,
        formatter_class=HelpFormatter,
    )
    parser.synopsis = command.operands
    command.arguments(parser)
    parser.epilog = "\n".join(filter(None, (wording.example(command.example), parser.epilog)))
    args = argparse.Namespace(command=command.function, verb=name, **common)
    parser.parse(_sorted(words, parser, negations=name in QUERIES), args)
    if name in QUERIES:
        args.query = " ".join(args.query)
    return args


def _sorted(words: list[str], parser: Parser, *, negations: bool) -> list[str]:
    """Return options first, each with its value, then the rest: argparse accepts neither `a --limit 3 b` nor
    a value that begins with `-`. With `negations` an unknown `-word` negates a part of a query (S-2)."""
    actions = parser._option_string_actions
    known = [*actions, *(each.name for each in EVERYWHERE)]
    options: list[str] = []
    operands: list[str] = []
    remaining = iter(words)
    for word in remaining:
        if word == "--":
            operands += remaining
        elif word in actions:
            value = next(remaining, None) if actions[word].nargs is None else None
            options.append(word if value is None else f"{word}={value}")
        elif word.startswith("--"):
            if word.partition("=")[0] not in actions:
                raise wording.no_option(parser.prog, word.partition("=")[0], known)
            options.append(word)
        elif word.startswith("-") and word != "-" and not negations:
            raise wording.no_option(parser.prog, word.partition("=")[0], known)
        else:
            operands.append(word)
    return [*options, "--", *operands] if operands else options
