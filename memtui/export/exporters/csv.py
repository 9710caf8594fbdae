"""CSV with a header: a memory a row, with all its fields. Lists and objects are JSON in their cell."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence

from memtui.export.csv_cells import cell_of
from memtui.export.exporter import Entry, Exporter, Rendered
from memtui.export.json_text import json_text
from memtui.memory.memory import MEMORY_FIELDS
from memtui.values import Json

COLUMNS = MEMORY_FIELDS[:-1]  # those of Memory.to_json


def render(entries: Sequence[Entry]) -> Rendered:
    """Return the header and the rows, which end with CR and LF (RFC 4180)."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for each in entries:
        fields = each.candidate.memory.to_json()
        writer.writerow([_cell(name, fields[name]) for name in COLUMNS])
    return Rendered(out.getvalue())


def _cell(name: str, value: Json) -> str:
    if value is None:
        return ""
    # Quoted, so that a text which looks like a number, list or object is read back as text.
    is_plain = isinstance(value, str) and not (name == "value" and _looks_like_json(value))
    return cell_of(str(value) if is_plain else json_text(value))


def _looks_like_json(text: str) -> bool:
    try:
        json.loads(text)
    except RecursionError:
        return True
    except ValueError:
        return False
    return True


EXPORTER = Exporter("csv", "CSV", "text/csv", ".csv", render, is_data=True)
