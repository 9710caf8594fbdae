"""What exports need of `Workspace`: candidates, and a counter of tokens (S-70, S-71)."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from memtui.memory.relations import RelationAmong
from memtui.memory.selection.candidate import Candidate
from memtui.memory.tokens import TokenCounter
from memtui.workspace.details import candidates
from memtui.workspace.relations import among
from memtui.workspace.stores import places

if TYPE_CHECKING:
    from memtui.memory.secrets.masking import Masking
    from memtui.workspace.context import Context

_NO_QUERY: Mapping[int, float] = MappingProxyType({})


class ExportApi:
    """Memories for exports."""

    _ctx: Context

    def candidates(
        self, ids: Sequence[int], relevance: Mapping[int, float] = _NO_QUERY, masking: Masking | None = None
    ) -> list[Candidate]:
        """Return the memories of these rows for an export, in this order, as `masking` shows them;
        `relevance` (0–1) is by row, if there is a query (see `by_place`)."""
        return candidates.load(self._ctx, ids, relevance, masking)

    def ids_of(self, uids: Collection[str]) -> list[int]:
        """Return the rows of the memories with these uids, as they stand in their stores; unknown uids are
        left out."""
        sql = "SELECT id FROM memories WHERE uid IN (SELECT value FROM json_each(?)) ORDER BY id"
        return [id for (id,) in self._ctx.db.rows(sql, (json.dumps(list(uids)),))]

    def seen_at(self, ids: Sequence[int]) -> float:
        """Return when memtui first saw the newest of these memories (Unix seconds), for a new store of
        memories without a time: it is the same at each export."""
        sql = "SELECT max(seen_at) FROM memories WHERE id IN (SELECT value FROM json_each(?))"
        return float(self._ctx.db.one(sql, (json.dumps(list(ids)),)) or 0.0)

    def relations_among(self, ids: Sequence[int]) -> list[RelationAmong]:
        """Return the relations of which both ends are memories of these rows."""
        return among.among(self._ctx, ids)

    def require_outside_stores(self, path: Path) -> None:
        """Raise Refused if what is written to `path` would be of the workspace or an attached store."""
        places.require_outside_stores(self._ctx, path)

    def token_counter(self, setting: str = "") -> TokenCounter:
        """Return the counter of the setting `tokenizer`: a file or folder, "" for the bundled one."""
        from memtui.embedding.token_counter import token_counter

        return token_counter(setting)
