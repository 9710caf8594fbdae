"""The program that matches a regular expression, as a process of its own.

It is run as a file, with the standard library alone, so that it starts in a moment. Its first line of input
is {"pattern", "flags", "replacement", "seconds"}. Each further line is a JSON array of texts, answered with a
line: for each text its matches as [start, end, replacement]. A line that takes more processor time than
`seconds` ends the process, even if memtui itself is gone by then.
"""

from __future__ import annotations

import json
import re
import signal
import sys


def main() -> None:
    """Answer lines until the input ends."""
    request = json.loads(sys.stdin.readline())
    pattern = re.compile(request["pattern"], request["flags"])
    signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
    for line in sys.stdin:
        signal.setitimer(signal.ITIMER_VIRTUAL, request["seconds"])
        answer = json.dumps(
            [
                [(*match.span(), match.expand(request["replacement"])) for match in pattern.finditer(text)]
                for text in json.loads(line)
            ]
        )
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        sys.stdout.write(answer + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
