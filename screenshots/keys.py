"""Writes the README's table of keys anew from the command table: python screenshots/keys.py."""

from __future__ import annotations

import re
import sys
from pathlib import Path

TOP = Path(__file__).parents[1]
sys.path.insert(0, str(TOP))

from memtui.tui.command_table import keys_markdown  # noqa: E402


def main() -> None:
    """Put the table between the two marks."""
    readme = TOP / "README.md"
    text = readme.read_text("utf-8")
    marks = re.compile(r"(<!-- keys[^>]*-->\n).*?(<!-- /keys -->)", re.DOTALL)
    readme.write_text(
        marks.sub(lambda found: f"{found[1]}{keys_markdown().strip()}\n{found[2]}", text), "utf-8"
    )


if __name__ == "__main__":
    main()
