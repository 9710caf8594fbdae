"""What the detectors of secrets find: recall and precision for each kind, and the time for a memory.

`python -m benchmarks.secret_sets [SEED]`, without other programs running. The texts are made at run time;
"own" are those that the detectors were made with, "held out" are in other words.
"""

from __future__ import annotations

import sys
import time

from memtui.memory.secrets import find
from tests.support.secret_texts.cases import Case, score
from tests.support.secret_texts.held_out import held_out
from tests.support.secret_texts.look_alikes import look_alikes
from tests.support.secret_texts.planted import planted


def report(name: str, cases: list[Case]) -> None:
    """Print one line for each kind of secret, and one for each kind of look-alike that raises an alarm."""
    found = score(cases)
    secrets = sum(found.cases.values())
    print(f"{name}: {secrets} secrets of {len(found.cases)} kinds, {len(cases) - secrets} look-alikes")
    print(f"  recall {found.recall:.4f}, precision {found.precision:.4f}")
    for kind, wanted in sorted(found.cases.items()):
        missed, false = len(found.missed.get(kind, ())), len(found.false.get(kind, ()))
        right = wanted - missed
        print(f"  {kind:24} {right:3} of {wanted:3}, precision {right / ((right + false) or 1):.3f}")
    for kind in found.false.keys() - found.cases.keys():
        print(f"  {kind:24} {len(found.false[kind])} false alarms")
    begin = time.process_time()
    for case in cases:
        find(case.text)
    taken = time.process_time() - begin
    length = sum(len(case.text) for case in cases)
    print(f"  {taken / len(cases) * 1000:.3f} ms for a text of {length // len(cases)} characters")


if __name__ == "__main__":
    chosen = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    report("own", planted(chosen) + look_alikes(chosen))
    report("held out", held_out(chosen))
