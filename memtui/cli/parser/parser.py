"""The parser of one command's options and operands, and the layout of its help."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any, NoReturn

from memtui.cli.parser import wording, wording_epilogs


class Parser(argparse.ArgumentParser):
    """The options of one command; errors are raised, not printed. For shells, `sources` says which arguments
    take a path, a query, or the name of a store or rule, and `values` which values others take besides their
    `choices`."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.synopsis = ""
        self.sources: dict[str, str] = {}
        self.values: dict[str, Sequence[str]] = {}

    def add_path(self, *names: str, **more: Any) -> None:
        """Add an argument that takes a path, which shells complete."""
        self.sources[self.add_argument(*names, **more).dest] = "paths"

    def add_store(self, *names: str, **more: Any) -> None:
        """Add an argument that takes the name of an attached store, which shells complete."""
        self.sources[self.add_argument(*names, **more).dest] = "stores"

    def add_rule(self, *names: str, **more: Any) -> None:
        """Add an argument that takes the name of a rule, which shells complete."""
        self.sources[self.add_argument(*names, **more).dest] = "rules"

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> object:
        """Do as argparse does, which before Python 3.13 takes the value of `--title=--` for no value."""
        if action.option_strings and action.nargs is None and arg_strings == ["--"]:
            value = self._get_value(action, "--")
            self._check_value(action, value)
            return value
        return super()._get_values(action, arg_strings)

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is not None and value not in action.choices:
            raise argparse.ArgumentError(action, wording.not_a_choice(value, action.choices))

    def parse(self, words: Sequence[str], args: argparse.Namespace) -> None:
        """Parse words into `args`; argparse itself would name a `--` that was not typed."""
        _, more = self.parse_known_args(words, args)
        if more:
            self.error(wording.unrecognized(more[1:] if more[0] == "--" else more))

    def error(self, message: str) -> NoReturn:
        raise wording.usage(self.prog, message, wording.synopsis(self.prog, self.synopsis))


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Help of at most 80 columns, in which no word is broken; lines that fit remain as they are."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=wording_epilogs.WIDTH)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        lines = []
        for line in text.splitlines():
            start = indent + line[: len(line) - len(line.lstrip())]
            more = start if not start else start + "  "
            lines += _wrapped(line.lstrip(), wording_epilogs.WIDTH, start, more) or [""]
        return "\n".join(lines)

    def _split_lines(self, text: str, width: int) -> list[str]:
        return _wrapped(text, width)


def _wrapped(text: str, width: int, start: str = "", more: str = "") -> list[str]:
    from textwrap import wrap

    if len(start + text) <= width:
        return [start + text]
    return wrap(
        text, width, initial_indent=start, subsequent_indent=more,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
