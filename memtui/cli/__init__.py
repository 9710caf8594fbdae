"""The command line (S-82): prints what Workspace returns.

Exit codes: 0 done, 1 refused (the reason is printed; nothing was changed), 2 wrong use,
130 interrupted. With --json a refusal is {"error": {"code", "message", "hint"}}.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence


def run(argv: Sequence[str]) -> int:
    """Carry one command line out and return its exit code."""
    from memtui.cli.arguments import parse
    from memtui.cli.output import Output
    from memtui.errors import Refused, Usage

    output = Output(json="--json" in argv)
    try:
        args = parse(argv)
        module, _, name = args.command.partition(":")
        command = getattr(importlib.import_module(f"memtui.cli.{module}"), name)
        return command(args, output) or 0
    except Usage as usage:
        return output.usage(usage)
    except Refused as refusal:
        return output.refused(refusal)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader left (`| head`): keep Python from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
