"""`python -m memtui` and the `memtui` script: hands over to the command line."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line; the exit code is 0, 1 (refused), 2 (wrong use) or 130 (interrupted)."""
    from memtui.cli import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
