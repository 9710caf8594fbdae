"""Digests of files, computed incrementally where the bytes begin alike."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hashlib import _Hash

_BLOCK = 1 << 14  # bytes


def digest(data: bytes) -> str:
    """Return the sha256 of `data` in hex."""
    return hashlib.sha256(data).hexdigest()


def digest_of(data: bytes | None) -> str | None:
    """Return the digest of a file's bytes; None for no file."""
    return None if data is None else digest(data)


class BlockDigest:
    """Bytes with their digest. Each change of a batch needs the digest of the whole file: hash states after
    each block are reused for bytes with the same beginning."""

    def __init__(self, data: bytes, previous: BlockDigest | None = None, same: int = 0) -> None:
        """`data` may begin with the first `same` bytes of `previous.data`."""
        self.data = data
        blocks = same // _BLOCK if previous is not None and data.startswith(previous.data[:same]) else 0
        self._states: list[_Hash] = previous._states[:blocks] if previous is not None else []
        state = self._states[-1].copy() if self._states else hashlib.sha256()
        view = memoryview(data)
        for start in range(len(self._states) * _BLOCK, len(data), _BLOCK):
            state.update(view[start : start + _BLOCK])
            if start + _BLOCK <= len(data):
                self._states.append(state.copy())
        self.digest = state.hexdigest()
