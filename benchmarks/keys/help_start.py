"""`memtui --help`, compared with a Python that does nothing."""

from __future__ import annotations

import subprocess
from statistics import median

from benchmarks.measure import PYTHON, Result, alternate, environment


def measure(times: int) -> list[Result]:
    """Measure the medians of both."""
    env = environment()

    def run(*words: str) -> None:
        subprocess.run([PYTHON, *words], stdout=subprocess.DEVNULL, check=True, env=env)

    # As the installed script does it.
    script = "import sys; sys.argv = ['memtui', '--help']; from memtui.__main__ import main; sys.exit(main())"
    run("-c", script)  # compiles modules that are not compiled yet
    memtui, baseline = alternate(lambda: run("-c", script), lambda: run("-c", "pass"), times)
    return [Result("memtui --help", median(memtui), median(baseline), 4)]
