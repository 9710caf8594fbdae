"""What only the doctor looks for in a store, in any format: `records` in what was read, `raw` in the bytes of
files, `tables` in the columns of databases. Nothing here changes anything; `telling.py` says it in words."""

from __future__ import annotations

from memtui.formats.checkup.findings import found, told

__all__ = ["found", "told"]
