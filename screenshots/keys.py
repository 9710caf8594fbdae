"""Writes the tables of keys into docs/keys.md and the README: python screenshots/keys.py."""

from __future__ import annotations

import re
import sys
from pathlib import Path

TOP = Path(__file__).parents[1]
sys.path.insert(0, str(TOP))

from memtui.tui.key_tables import all_keys, main_keys  # noqa: E402

MARKS = re.compile(r"(<!-- keys[^>]*-->\n).*?(<!-- /keys -->)", re.DOTALL)


def main() -> None:
    """Put the tables between their marks."""
    for path, keys in ((TOP / "docs" / "keys.md", all_keys()), (TOP / "README.md", main_keys())):
        text = path.read_text("utf-8")
        path.write_text(MARKS.sub(lambda found, keys=keys: f"{found[1]}{keys}{found[2]}", text), "utf-8")


if __name__ == "__main__":
    main()
