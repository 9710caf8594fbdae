"""What shells complete, from the table of commands and the query language.

Generators for argparse do not complete what follows the colon of a filter (`status:pe`), the options of a
group that stands for one of its commands, the names of stores, or paths where a command is possible, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from memtui.cli.parser import table
from memtui.cli.parser.command import Command
from memtui.cli.parser.parser import Parser
from memtui.memory.query.language import FILTERS

PATHS, STORES, RULES, QUERY = "paths", "stores", "rules", "query"  # what a shell finds when it completes
NAMED = (STORES, RULES)  # the groups whose list has their names
ANY = "*"  # the place of an operand that may be repeated


@dataclass(frozen=True, slots=True)
class Offer:
    """What is offered at one place: words with their help, and PATHS, STORES, RULES, QUERY or ""."""

    words: Mapping[str, str] = field(default_factory=dict)
    source: str = ""


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a command: whether it takes a value, and what is offered for it."""

    name: str
    help: str = ""
    takes_value: bool = False
    offer: Offer = Offer()


@dataclass(frozen=True, slots=True)
class CompletedCommand:
    """A command as a completion script needs it; `operands` are by their place: "0", "1", …, or ANY."""

    name: str
    help: str
    options: tuple[Option, ...]
    operands: Mapping[str, Offer]


EVERYWHERE = tuple(
    Option(each.name, each.help, bool(each.metavar), Offer(source=PATHS if each.metavar else ""))
    for each in table.EVERYWHERE
)
VERSION = Option(table.VERSION.name, table.VERSION.help)


def commands() -> list[CompletedCommand]:
    """Return all commands, and the groups that stand for one of theirs alone."""
    found = {name: _completed(name, command) for name, command in table.COMMANDS.items()}
    groups = [
        CompletedCommand(group, found[default].help, found[default].options, {"0": Offer(in_group(group))})
        for group, default in ((each, f"{each} {verb}") for each, verb in table.GROUPS.items())
    ]
    return [*found.values(), *groups]


def _completed(name: str, command: Command) -> CompletedCommand:
    parser = Parser(add_help=False)
    command.arguments(parser)
    options: list[Option] = []
    operands: dict[str, Offer] = {}
    for action in parser._actions:
        words = [each for each in action.choices or parser.values.get(action.dest, ()) if each]
        offer = Offer(dict.fromkeys(map(str, words), ""), parser.sources.get(action.dest, ""))
        if action.option_strings:
            takes_value = action.nargs is None
            options += [
                Option(each, str(action.help or ""), takes_value, offer) for each in action.option_strings
            ]
        else:
            if name in table.QUERIES and action.dest == "query":
                offer = Offer(source=QUERY)
            operands[ANY if action.nargs in ("*", "+") else str(len(operands))] = offer
    return CompletedCommand(name, command.help, (*options, *EVERYWHERE), operands)


def first_words() -> dict[str, str]:
    """Return the possible first words with their help."""
    return helped_words() | {"help": "Show the help of a command."}


def helped_words() -> dict[str, str]:
    """Return the words that may follow `help`, with their help; a group stands for its commands."""
    words = {name: each.help for name, each in table.COMMANDS.items() if " " not in name}
    for group, default in table.GROUPS.items():
        words[group] = table.COMMANDS[f"{group} {default}"].help
    return words


def in_group(group: str) -> dict[str, str]:
    """Return the commands of a group, without its name, with their help."""
    return {
        name.partition(" ")[2]: each.help
        for name, each in table.COMMANDS.items()
        if name.startswith(f"{group} ")
    }


def operands() -> Iterator[tuple[str, Offer]]:
    """Yield what is offered for each operand, by command and place: "stores create 0"."""
    for each in commands():
        for place, offer in each.operands.items():
            yield f"{each.name} {place}", offer


def valued() -> Iterator[tuple[str, Option]]:
    """Yield the options of single commands that take a value, with the command."""
    for each in commands():
        for option in each.options:
            if option.takes_value and option not in EVERYWHERE:
                yield each.name, option


def filter_values() -> dict[str, tuple[str, ...]]:
    """Return the values of each filter that has few."""
    return {spec.name: spec.allowed for spec in FILTERS.values() if spec.allowed}


def filter_names() -> dict[str, str]:
    """Return the filters, with the colon, and their help."""
    return {f"{spec.name}:": spec.help for spec in FILTERS.values()}


def joined(words: Iterable[str]) -> str:
    return " ".join(words)
