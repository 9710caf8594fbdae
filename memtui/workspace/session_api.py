"""The verbs of `Workspace` for what agents see when a session starts (S-72); all only read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.workspace.db.database import translate_errors
from memtui.workspace.session import difference, find, view
from memtui.workspace.session.difference import ViewDifference
from memtui.workspace.session.view import StoreView

if TYPE_CHECKING:
    from memtui.workspace.context import Context


class SessionApi:
    """What an agent is given of a store."""

    _ctx: Context

    def agent_view(self, name: str, about: str = "") -> StoreView:
        """Return what an agent sees of the store that `name` means: a store, a client of a format, an owner.

        `about` is what it is asked to do, where the text depends on that. Raise Refused if the name means no
        store or several, or the store cannot be read.
        """
        with translate_errors(self._ctx.path):
            return view.store_view(self._ctx, find.store_of(self._ctx, name), about)

    def agent_view_difference(self, name: str, entry_id: int, about: str = "") -> ViewDifference:
        """Return what a journal entry changed in what the agent sees; raise Refused where that cannot be
        told."""
        with translate_errors(self._ctx.path):
            store = find.store_of(self._ctx, name)
            return difference.difference(self._ctx, store, entry_id, about)
