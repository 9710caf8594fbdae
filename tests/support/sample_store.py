"""A store of one format with four memories, and everything that a change could have left in it."""

from __future__ import annotations

from memtui.workspace.workspace import Workspace
from tests.support.contradiction_stores import ContradictionStores, workspace_rows


class SampleStore:
    """A store of a format and the ids of its four memories; the second is related to the third where the
    format has relations."""

    def __init__(self, stores: ContradictionStores, workspace: Workspace, format: str) -> None:
        self.stores, self.workspace, self.format = stores, workspace, format
        self.ids = stores.sample_ids(workspace, format)

    def everything(self) -> object:
        """Return the contents of the store and of the workspace; mem-skill's audit only grows."""
        found, rows = self.stores.snapshot(), workspace_rows(self.workspace)
        if self.format == "mem-skill":
            found[self.format].pop("fact_history", None)
            rows["side_records"] = []
        return found, rows
