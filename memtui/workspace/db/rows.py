"""Rows of the workspace's tables, as the code that reads them sees them."""

from __future__ import annotations

from typing import Protocol


class StoreRow(Protocol):
    """A row of `stores`: an attached store, or one that was (S-2a). Times: Unix seconds; `findings`: JSON."""

    @property
    def id(self) -> int: ...

    @property
    def name(self) -> str: ...

    @property
    def format(self) -> str: ...

    @property
    def path(self) -> str: ...

    @property
    def attached_at(self) -> float: ...

    @property
    def detached_at(self) -> float | None: ...

    @property
    def pulled_at(self) -> float | None: ...

    @property
    def epoch(self) -> int: ...

    @property
    def error(self) -> str: ...

    @property
    def findings(self) -> str: ...

    @property
    def stamp(self) -> str: ...

    @property
    def locked(self) -> bool: ...

    @property
    def changed_at(self) -> float | None: ...
