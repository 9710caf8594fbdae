"""Every sentence about erased texts in unused parts of files."""

from __future__ import annotations

from memtui.text import after_colon

OTHER_PROCESS_WRITES = "another memtui process is writing to it"
_LATER = "memtui removes it at its next start."


def unused_parts(file: str, reason: str) -> str:
    return f"The text may remain in unused space in {file}: {after_colon(reason)}; {_LATER}"


def workspace_open_elsewhere(file: str) -> str:
    return (
        f"Another process is reading the workspace: the text may remain in {file} and {file}-wal until it "
        f"ends; {_LATER}"
    )


def store_read_elsewhere(store: str) -> str:
    return f"Another program is reading {store}: its file may have the text until it ends; {_LATER}"


def finished(file: str) -> str:
    """What a start says that did what an earlier purge or redaction could not."""
    return f"The text that was erased earlier is now gone from the unused space in {file}, too."
