"""What the table of commands is made of: commands and global options."""

from __future__ import annotations

# Not from typing, and plain classes below: typing and dataclasses take longer to load than --help takes.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtui.cli.parser.parser import Parser


class Command:
    """A command: the function it calls ("module:function" in memtui.cli), its operands as `memtui --help`
    shows them, what it does, the function of `options` (or of the module before its
    colon) that adds its arguments, and an example.
    """

    def __init__(self, function: str, operands: str, help: str, options: str, example: str) -> None:
        self.function = function
        self.operands = operands
        self.help = help
        self.options = options
        self.example = example

    def arguments(self, parser: Parser) -> None:
        """Add the options and operands to a parser; argparse is loaded only for it."""
        from importlib import import_module

        module, _, name = self.options.rpartition(":")
        getattr(import_module(f"memtui.cli.parser.{module or 'options'}"), name)(parser)


class GlobalOption:
    """An option that may stand before or after any command; with a `metavar` it takes a path. `details` are
    more lines for `memtui --help`."""

    def __init__(self, name: str, help: str, metavar: str = "", details: str = "") -> None:
        self.name = name
        self.help = help
        self.metavar = metavar
        self.details = details
