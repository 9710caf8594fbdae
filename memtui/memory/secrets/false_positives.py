"""Values that a person said are no secrets: they are not found again (S-62).

Only digests of them are kept. They hold for this process: those of the workspace that it opened last.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

_kept: dict[str, frozenset[str]] = {"digests": frozenset()}


def digest(value: str) -> str:
    """Return what a value is known by."""
    return blake2b(value.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def use(digests: Iterable[str]) -> bool:
    """Use these from now on; return whether they are others than before."""
    before, _kept["digests"] = _kept["digests"], frozenset(digests)
    return before != _kept["digests"]


def any_known() -> bool:
    """Return whether there are any."""
    return bool(_kept["digests"])


def is_one(value: str) -> bool:
    """Return whether a value is one of them."""
    return digest(value) in _kept["digests"]
