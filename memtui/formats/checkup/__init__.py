"""What only the doctor checks in a store, in any format; it changes nothing.

`records` checks what was read, `media/files/raw_checks.py` the bytes of files, `media/sqlite/table_checks.py`
the columns of databases; `findings.py` has the sentences.
"""

from __future__ import annotations

from memtui.formats.checkup.findings import capped, make_finding

__all__ = ["capped", "make_finding"]
