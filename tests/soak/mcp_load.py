"""Two agents write through MCP servers at a pace: `python -m tests.soak.mcp_load --seconds 60 [--rate 50]
[--workspace PATH]`. One speaks over standard input, one over HTTP. With a workspace of yours, open it in the
screen meanwhile. Prints what each wrote and how long its calls took; exits with 1 if anything was lost or
doubled."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from statistics import quantiles

from tests.support.mcp import load
from tests.support.mcp.program import HttpProgram, Program
from tests.support.memory_disk import temp_folder


def main() -> int:
    """Run the load; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.mcp_load")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--rate", type=float, default=50.0, help="memories a second, of each agent")
    parser.add_argument("--workspace", type=Path)
    options = parser.parse_args()
    with temp_folder() as folder:
        workspace = options.workspace or Path(folder) / "own" / "w.db"
        with Program(workspace, agent="scout") as one, HttpProgram(workspace, agent="rover") as two:
            writers = [load.Writer(one, "scout", options.rate), load.Writer(two, "rover", options.rate)]
            for each in writers:
                each.server.greet()
            load.run(writers, options.seconds)
        wrong = load.lost_or_doubled(workspace, writers)
    for each in writers:
        if len(each.seconds) > 1:
            cuts = quantiles(each.seconds, n=20)
            print(f"{each.agent}: {len(each.acknowledged)} stored, p50 {cuts[9]:.3f} s, p95 {cuts[18]:.3f} s")
    print("\n".join(wrong) or "nothing lost, nothing doubled")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
