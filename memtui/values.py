"""Types for values whose shape the type checker cannot know.

Each alias says which kind of unknown is meant, so that `Any` itself appears nowhere else but where a
library's own signature demands it.
"""

from __future__ import annotations

from typing import Any, TypeAlias

# The value of a memory's field. Which type it has depends on the field's name (SPEC 3): text, number,
# time, flag, list of texts, or JSON of the store's own.
FieldValue: TypeAlias = Any
Fields: TypeAlias = dict[str, Any]

# Parsed JSON, YAML or TOML that another program wrote: every reader checks the shape as it goes.
Json: TypeAlias = Any
JsonObject: TypeAlias = dict[str, Any]

# A column of an SQLite row: None, int, float, str or bytes. SQLite types values, not columns, so a
# row's types are known only to the statement that selects it.
SqlValue: TypeAlias = Any
SqlRow: TypeAlias = tuple[Any, ...]

# A value that only the module that made it reads: an edit of a plan, a format's cache.
Opaque: TypeAlias = Any
