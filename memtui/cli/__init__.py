"""The command line (S-82): it prints what Workspace returns.

Exit codes: 0 done, 1 refused (the reason is printed; nothing was changed) or the output could not be written,
2 wrong use, 3 refused by a policy, 130 interrupted. With --json a refusal is
{"error": {"code", "message", "hint"}}.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # not from typing, which would take a third of the time of --help
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.cli.runtime.output import Output


def run(argv: Sequence[str]) -> int:
    """Run one command line and return its exit code. No traceback is printed, unless $MEMTUI_DEBUG is set."""
    words = list(argv)
    if sys.stdout is None or sys.stderr is None:  # closed by the caller (`>&-`)
        devnull = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - lives as long as the process
        sys.stdout, sys.stderr = sys.stdout or devnull, sys.stderr or devnull
    try:
        is_hook = words[:1] == ["hook"] and not {"--help", "-h"}.intersection(words)
        code = _help() if words in (["--help"], ["-h"]) else _hook(words) if is_hook else _run(words)
        sys.stdout.flush()  # a closed pipe is noticed here, not when Python exits
        return code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        _silence()  # `| head`
        return 0
    except OSError as error:
        from memtui.cli.runtime.wording import output_error

        _silence()
        try:
            sys.stderr.write(output_error(error.strerror))
            sys.stderr.flush()
        except OSError:  # the terminal is gone
            os.dup2(1, 2)
        return 1


def _help() -> int:
    from memtui.cli.parser.help import text

    sys.stdout.write(text())
    return 0


def _hook(words: list[str]) -> int:
    """Answer an agent's program. Even wrong use is a success: to Claude Code, 2 means to stop the agent."""
    from memtui.cli.commands.stores.hook import quick, unavailable

    if not quick(words[1:]) and _run(words):
        unavailable()
    return 0


def _run(words: list[str]) -> int:
    from memtui.cli.runtime.output import Output, OutputError
    from memtui.errors import Refused, UsageError

    output = Output(json="--json" in words[: words.index("--") if "--" in words else None])
    try:
        return _call(words, output)
    except SystemExit as end:  # argparse after --help
        return int(end.code or 0)
    except UsageError as usage:
        return output.usage(usage)
    except Refused as refusal:
        return output.refused(refusal)
    except (BrokenPipeError, OutputError):
        raise
    except Exception as error:
        if os.environ.get("MEMTUI_DEBUG"):
            raise
        from memtui.cli.runtime.errors import refusal_of

        return output.refused(refusal_of(error))


def _call(words: list[str], output: Output) -> int:
    import importlib

    from memtui.cli.parser.argv import parse

    args = parse(words)
    module, _, name = args.command.partition(":")
    command = getattr(importlib.import_module(f"memtui.cli.{module}"), name)
    code: int = command(args, output) or 0
    output.end()
    return code


def _silence() -> None:
    """Keep Python from reporting an error of standard output when it exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
