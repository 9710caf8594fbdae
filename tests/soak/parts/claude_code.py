"""Claude Code sends its model what `memtui see` shows of a MEMORY.md: at the limits, of random indexes, and
of stores that `memtui export --as claude-code` made."""

from __future__ import annotations

import base64
import os
import random
import sys
from pathlib import Path

from memtui.export.new_store import store_kinds, write_store
from memtui.formats.claude_code.session_start import load
from memtui.memory.memory import Memory
from tests.soak.owners.install import npm_package
from tests.soak.owners.json_lines import Child, ChildFailed
from tests.soak.owners.memory_indexes import at_limits, at_random
from tests.soak.owners.texts import Texts
from tests.soak.part import NPM, PRIVATE_NETWORK, Minimum, Report, loopback_only
from tests.support.memory_disk import temp_folder

PACKAGE, VERSION = "@anthropic-ai/claude-code-linux-x64", "2.1.332"
TITLE = f"Claude Code {VERSION} (npm) gives its model what `memtui see` shows"
NEEDS = [NPM, PRIVATE_NETWORK]
SEEDS, EXPORTS = range(5_000, 5_060), range(5_100, 5_120)
MINIMUM = Minimum(rounds=len(SEEDS) + len(EXPORTS) + len(list(at_limits())))
_DRIVER = Path(__file__).parents[1] / "owners" / "claude_driver.py"
_NOW = 1_780_000_000.0


class _Slow(Child):
    timeout = 90.0


def run(report: Report) -> None:
    """Run the program once for each index."""
    package = npm_package(PACKAGE, VERSION)
    with temp_folder() as folder:
        root = Path(folder)
        command = [sys.executable, "-I", str(_DRIVER), str(package / "claude"), str(root / "home")]
        program = _Slow(loopback_only(*command), root / "log", os.environ)
        try:
            indexes = [*at_limits(), *_random_indexes(), *_exported_indexes(root)]
            report.plan(len(indexes))
            for name, index in indexes:
                _compare(report, program, name, index)
        finally:
            program.close()


def _random_indexes() -> list[tuple[str, bytes]]:
    return [(f"seed {seed}", at_random(random.Random(seed))) for seed in SEEDS]


def _exported_indexes(root: Path) -> list[tuple[str, bytes]]:
    """Return the index of an exported store for each seed, some beyond the limits."""
    found = []
    for seed in EXPORTS:
        chance = random.Random(seed)
        texts = Texts(chance)
        memories = [
            Memory(uid=f"m{n}", store="native", ref=f"m{n}", content=texts.text(), title=texts.name())
            for n in range(chance.choice((5, 40, 260)))
        ]
        made = write_store(store_kinds()["claude-code"], root / str(seed), memories, _NOW)
        found.append((f"export of seed {seed}", (made.root / "MEMORY.md").read_bytes()))
    return found


def _compare(report: Report, program: Child, name: str, index: bytes) -> None:
    try:
        program.send(base64.b64encode(index).decode())
        sent = program.receive()
    except ChildFailed as error:
        report.add_loss(f"{name}: {error}")
    else:
        shown = load(index).text
        if (sent or "") != shown:
            report.add_loss(f"{name}: {_difference(sent or '', shown)}")
    report.add_rounds()


def _difference(theirs: str, ours: str) -> str:
    both = zip(theirs, ours, strict=False)
    at = next((n for n, (a, b) in enumerate(both) if a != b), min(len(theirs), len(ours)))
    return f"from {at}: {theirs[at : at + 80]!r}, memtui {ours[at : at + 80]!r}"
