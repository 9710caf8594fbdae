"""`python -m memtui` and the `memtui` script: hands over to the command line."""

from __future__ import annotations

import os
import sys


def main() -> int:
    """Run the command line; the exit code is 0, 1 or 3 (refused), 2 (wrong use) or 130 (interrupted)."""
    from memtui.cli import run

    code = run(sys.argv[1:])
    threading = sys.modules.get("threading")  # --help starts faster without it
    if sys.argv[1:2] == ["hook"] or (threading and threading.active_count() > 1):  # an agent waits for a hook
        _leave(code)
    return code


def _leave(code: int) -> None:
    """Exit without finalizing the interpreter: a daemon thread that returns from the model's C++ code during
    finalization aborts the process, and a thread that reads from a terminal that is gone never ends."""
    from contextlib import suppress

    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


if __name__ == "__main__":
    sys.exit(main())
