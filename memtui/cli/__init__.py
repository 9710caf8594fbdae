"""The command line (S-82): prints what Workspace returns.

Exit codes: 0 done, 1 refused (the reason is printed; nothing was changed), 2 wrong use,
130 interrupted. With --json a refusal is {"error": {"code", "message", "hint"}}.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memtui.cli.runtime.output import Output


def run(argv: Sequence[str]) -> int:
    """Carry one command line out and return its exit code. No traceback is ever printed,
    unless $MEMTUI_DEBUG is set."""
    words = list(argv)
    if sys.stdout is None or sys.stderr is None:  # closed by the caller (`>&-`)
        nowhere = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - lives as long as the process
        sys.stdout, sys.stderr = sys.stdout or nowhere, sys.stderr or nowhere
    try:
        code = _help() if words in (["--help"], ["-h"]) else _carry_out(words)
        sys.stdout.flush()  # a reader that left is noticed here, not when Python ends
        return code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        _silence()  # `| head`
        return 0
    except OSError as trouble:
        _silence()
        sys.stderr.write(f"memtui: the output cannot be written: {trouble.strerror}\n")
        return 1


def _help() -> int:
    from memtui.cli.parser.help import HELP

    sys.stdout.write(HELP)
    return 0


def _carry_out(words: list[str]) -> int:
    from memtui.cli.runtime.output import Output
    from memtui.errors import Refused, Usage

    output = Output(json="--json" in words[: words.index("--") if "--" in words else None])
    try:
        return _call(words, output)
    except SystemExit as end:  # argparse after --help
        return int(end.code or 0)
    except Usage as usage:
        return output.usage(usage)
    except Refused as refusal:
        return output.refused(refusal)
    except BrokenPipeError:
        raise
    except Exception as error:
        if os.environ.get("MEMTUI_DEBUG"):
            raise
        from memtui.cli.runtime.errors import told

        return output.refused(told(error))


def _call(words: list[str], output: Output) -> int:
    import importlib

    from memtui.cli.parser.argv import parse

    args = parse(words)
    module, _, name = args.command.partition(":")
    command = getattr(importlib.import_module(f"memtui.cli.{module}"), name)
    return command(args, output) or 0


def _silence() -> None:
    """Keep Python from complaining about standard output when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
