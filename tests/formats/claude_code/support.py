"""Files of a Claude Code folder in tests."""

from __future__ import annotations

from collections.abc import Mapping

from memtui.formats.claude_code import ClaudeCode
from tests.support.stores.claude_code import (
    FILES,
)
from tests.support.stores.files import (
    read_tree,
)


def files(store: ClaudeCode) -> dict[str, str]:
    return {name: data.decode() for name, data in read_tree(store.root).items()}


def changed_files(store: ClaudeCode, before: Mapping[str, str] = FILES) -> dict[str, str]:
    """Return the files that differ from `before`; "" for a deleted one."""
    after = files(store)
    return {
        name: after.get(name, "")
        for name in after.keys() | before.keys()
        if after.get(name) != before.get(name)
    }
