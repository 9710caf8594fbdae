"""Every sentence about files that are imported."""

from __future__ import annotations

from memtui.errors import Refused
from memtui.text import counted, size_text

NOTHING_IMPORTED = "Nothing was imported."
EMPTY_PATH = "The path is empty."

NOT_AN_OBJECT = "It isn't a JSON object."
NOT_JSON = "It isn't valid JSON."
TOO_DEEP = "Its JSON is nested too deeply."
LINE_TOO_LONG = "The line is too long."
NO_ARRAY = "The file isn't a JSON array of memories."
ARRAY_CUT_OFF = "The JSON ends here in the middle of the array."
BAD_CSV = "It isn't valid CSV."
BAD_XML = "It isn't a <memory> tag with text alone."
NO_MEMORIES = "The file has no <memory> tags."
NO_HEADER = "The first line must name the columns; one of them must be content."


def more_cells(cells: int, columns: int) -> str:
    return f"It has {counted(cells, 'cell')}, but the header has {counted(columns, 'column')}."


def too_many_columns(most: int) -> str:
    return f"The header has more than {most:,} columns."


def wrong_value(field: str, wanted: str) -> str:
    return f"{field} must be {wanted}."


A_TEXT = "a text"
A_LIST = "a list of texts"
A_SHARE = "a number from 0 to 1"
A_COUNT = "a whole number of 0 or more"
TRUE_OR_FALSE = "true or false"
A_DATE = "a date (2026-01-31T12:00:00Z)"
AN_OBJECT = "a JSON object"


def nested_less(most: int) -> str:
    return f"nested at most {most} levels deep"


def one_of(values: tuple[str, ...]) -> str:
    return f"one of {', '.join(values)}"


def unreadable(name: str, why: str) -> Refused:
    return Refused("unreadable", f"{name} can't be read: {why}.", unchanged=NOTHING_IMPORTED)


def not_a_file(name: str) -> Refused:
    return Refused("not-a-file", f"{name} is neither a file nor a store.", unchanged=NOTHING_IMPORTED)


def no_store(name: str) -> Refused:
    advice = "Name the files, or the folder of a store."
    return Refused("no-store", f"{name} is a folder without a store.", advice, unchanged=NOTHING_IMPORTED)


def too_big(name: str, most: int) -> Refused:
    reason = f"{name} is larger than {size_text(most)}."
    return Refused("too-big", reason, "Split it, and import the parts.", unchanged=NOTHING_IMPORTED)


def changed(name: str) -> Refused:
    reason = f"{name} was changed while it was read."
    return Refused("changed", reason, "Import it again.", unchanged=NOTHING_IMPORTED)


def not_utf8(name: str, line: int) -> Refused:
    reason = f"{name}:{line:,}: the text isn't valid UTF-8."
    advice = "Save the file as UTF-8."
    return Refused("not-utf8", reason, advice, unchanged=NOTHING_IMPORTED, line=line)
