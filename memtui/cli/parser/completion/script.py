"""`memtui completion bash|zsh|fish`: print the script of a shell."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from memtui.cli.parser.completion import bash, fish, zsh

if TYPE_CHECKING:
    from argparse import Namespace

    from memtui.cli.runtime.output import Output

SCRIPTS = {"bash": bash.script, "zsh": zsh.script, "fish": fish.script}


def completion(args: Namespace, output: Output) -> None:
    """Print the script for a shell."""
    script = SCRIPTS[args.shell]()
    if output.json:
        output.data({"shell": args.shell, "script": script})
    else:
        sys.stdout.write(script)
