"""Each fault of the catalogue (LIMITS 4) has its test in this folder.

Left out: 2 (power cuts are simulated by `make soak PART=power-cuts`, and the pragmas against them are tested
with the workspace file), 34, 35 and 36 (nothing is written for agents yet: quarantine, MCP), 38 (no
encryption at rest yet).
"""

from __future__ import annotations

import re
from pathlib import Path

LEFT_OUT = {2, 34, 35, 36, 38}


def test_every_fault_has_its_test() -> None:
    folder = Path(__file__).parent
    texts = [file.read_text("utf-8") for file in folder.glob("test_*.py")]
    found = {int(number) for text in texts for number in re.findall(r"^def test_fault_(\d\d)_", text, re.M)}
    assert found == set(range(1, 40)) - LEFT_OUT
