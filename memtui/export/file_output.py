"""Writing an export to a file: whole or not at all, readable by its owner only (S-73)."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from memtui.export import wording


def write_new(path: Path, text: str, *, replace: bool = False) -> None:
    """Write the text as UTF-8 with mode 0600; raise Refused if the file exists, unless `replace`, or if it
    cannot be written. A file that is replaced keeps its content until the new one is complete."""
    if not replace and os.path.lexists(path):
        raise wording.file_exists(path)
    temporary = ""
    try:
        handle, temporary = tempfile.mkstemp(prefix=".memtui-", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode("utf-8", "backslashreplace"))
            file.flush()
            os.fsync(file.fileno())
        if replace:
            os.replace(temporary, path)
        else:
            os.link(temporary, path)  # fails where another program made the file meanwhile
    except FileExistsError:
        raise wording.file_exists(path) from None
    except OSError as error:
        raise wording.not_written(path, (error.strerror or str(error)).lower()) from error
    finally:
        with suppress(OSError):
            os.unlink(temporary)
