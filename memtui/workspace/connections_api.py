"""The verbs of `Workspace` for connections to agents' programs (S-87)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from memtui.memory.results import Change

if TYPE_CHECKING:
    from memtui.formats.insertions.files import Edit
    from memtui.workspace.connections.connection import Connection, ConnectionState
    from memtui.workspace.context import Context


class ConnectionsApi:
    """Entries in the settings files of agents' programs."""

    _ctx: Context
    _changing_alone: Callable[[], AbstractContextManager[None]]

    def connections(self) -> list[tuple[Connection, ConnectionState]]:
        """Return what this workspace is connected to, and how each connection stands in its file now."""
        from memtui.workspace.changes.own_records import connecting

        return connecting.states(self._ctx)

    def connect_plans(self, *wanted: Connection) -> list[tuple[Connection, Edit]]:
        """Return what connecting would change in which files; nothing is changed."""
        from memtui.workspace.changes.own_records import connecting

        return connecting.connect_plans(self._ctx, wanted)

    def connect(self, *wanted: Connection) -> Change:
        """Put memtui's entries in settings files of one client, in place of those that it has there; one
        change, of all the files or of none."""
        from memtui.workspace.changes.own_records import connecting

        with self._changing_alone():
            return connecting.connect(self._ctx, wanted)

    def disconnect_plans(self, *wanted: Connection) -> list[tuple[Connection, Edit]]:
        """Return what disconnecting would change in which files; nothing is changed."""
        from memtui.workspace.changes.own_records import connecting

        return connecting.disconnect_plans(self._ctx, wanted)

    def disconnect(self, *wanted: Connection) -> Change:
        """Take memtui's entries out of settings files; nothing else in them changes."""
        from memtui.workspace.changes.own_records import connecting

        with self._changing_alone():
            return connecting.disconnect(self._ctx, wanted)
