"""`memtui hook` at each event, as an agent's program runs it, compared with a Python that does nothing.

Wall time from the start of the process to its end, with the helper of the workspace running; what each event
is given is new every time, so that writes write. `cold` is the first hook, without a helper: it steps aside.
`python -m benchmarks.agent.hooks [COUNT …]` prints milliseconds, and how many answers came too late, beside
doing nothing (`python -c pass`) and the start of /bin/true.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from benchmarks.measure import PYTHON, Result, environment, native, percentile, timed
from memtui.agents.hooks.names import NAMES
from memtui.values import JsonObject

_SCRIPT = "import re, sys; sys.argv = {!r}; from memtui.__main__ import main; sys.exit(main())"
_WARM = 1.0  # seconds that the helper has to load what writes need


class Hooks:
    """The hooks of one session over a workspace."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.late = 0

    def run(self, event: str, given: JsonObject) -> float:
        """Run a hook; return the seconds that it took."""
        words = ["memtui", "hook", event, "--as", "scout", "--workspace", str(self.path)]
        text = json.dumps({"session_id": "bench", "cwd": "/home/me/project", **given}).encode()
        begun = time.perf_counter()
        done = subprocess.run(
            [PYTHON, "-c", _SCRIPT.format(words)],
            input=text,
            env=environment(),
            capture_output=True,
            check=True,
        )
        seconds = time.perf_counter() - begun
        self.late += b"unavailable" in done.stdout
        return seconds

    def start(self) -> float:
        """Run the first hook; return the seconds that it took, once the helper is ready."""
        seconds = self.run("session-start", {"source": "startup"})
        while not (self.path.with_name(f"{self.path.name}.hooks") / "socket").exists():
            time.sleep(0.05)
        time.sleep(_WARM)
        for number in range(3):
            self.run("stop", given("stop", -1 - number))
            time.sleep(_WARM)
        self.late = 0
        return seconds

    def stop(self) -> None:
        """End the helper, which is the process that has this workspace as its last word."""
        for each in Path("/proc").glob("[0-9]*/cmdline"):
            with suppress(OSError):
                if each.read_bytes().rstrip(b"\0").split(b"\0")[-1] == os.fsencode(self.path):
                    os.kill(int(each.parent.name), signal.SIGTERM)


def given(event: str, number: int) -> JsonObject:
    """Return what an event is given."""
    bash = {"tool_name": "Bash", "tool_input": {"command": f"make part-{number}"}}
    failing = {**bash, "tool_input": {"command": f"make part-{number // 2}"}}
    return {
        "session-start": {"source": "startup"},
        "user-prompt-submit": {"prompt": f"What do we know about part {number} of the plan?"},
        "pre-tool-use": {"tool_name": "Bash", "tool_input": {"command": "git push --force origin main"}},
        "post-tool-use": {**bash, "tool_response": {"stdout": "done", "stderr": ""}},
        "post-tool-use-failure": {
            **failing,
            "error": f"Exit code 2\nmake: *** no rule to make part {number}",
        },
        "stop": {"last_assistant_message": f"Done.\n\nDecision: part {number} of the plan comes last."},
    }.get(event, {})


def measure(path: Path, count: int, times: int) -> Iterator[Result]:
    """Measure all events over a workspace with `count` memories."""
    for event, seconds, baseline, late in _measured(path, times):
        which = f"hook {event}, {count:,} memories"
        rate = f"({late} too late)" if late else ""
        for name, share in (("p50", 0.5), ("p95", 0.95)):
            yield Result(f"{which}, {name}", percentile(seconds, share), percentile(baseline, 0.5), rate=rate)


def _measured(path: Path, times: int) -> Iterator[tuple[str, list[float], list[float], int]]:
    hooks = Hooks(path)
    try:
        yield "session-start, cold", [hooks.start()], [_nothing()], 1
        for event in NAMES:
            hooks.late = 0
            pairs = [(hooks.run(event, given(event, number)), _nothing()) for number in range(times)]
            yield event, [each for each, _ in pairs], [each for _, each in pairs], hooks.late
    finally:
        hooks.stop()


def _nothing() -> float:
    return timed(lambda: subprocess.run([PYTHON, "-c", "pass"], check=True, env=environment()))


def main() -> None:
    """Print a table for workspaces of these sizes."""
    times = 100
    print(f"{'':<44} {'p50':>7} {'p95':>7} {'most':>7} {'late':>5}")
    with tempfile.TemporaryDirectory(prefix="memtui-bench-") as name:
        for count in map(int, sys.argv[1:] or ("500", "100000")):
            path = native(Path(name), count)
            nothing: list[float] = []
            for event, seconds, baseline, late in _measured(path, times):
                nothing += baseline
                _print(f"{event}, {count:,} memories", seconds, late)
            _print("python -c pass", nothing, 0)
    true = [timed(lambda: subprocess.run(["/bin/true"], check=True)) for _ in range(times)]
    _print("/bin/true", true, 0)


def _print(name: str, seconds: list[float], late: int) -> None:
    p50, p95 = (percentile(seconds, share) * 1e3 for share in (0.5, 0.95))
    print(f"{name:<44} {p50:7.1f} {p95:7.1f} {max(seconds) * 1e3:7.1f} {late:5}", flush=True)


if __name__ == "__main__":
    main()
