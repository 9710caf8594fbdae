"""Every setting in every format: undone by the line of the rule, taken back with the rule (S-60)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memtui.formats import registry
from memtui.memory.rules.rule import ACTIONS, DISMISS, HALF_LIFE, INBOX, REDACT, REFUSE, SETTLE
from memtui.workspace.workspace import Workspace
from tests.support.contradiction_stores import FORMATS, ContradictionStores
from tests.support.sizes import shard

VALUES = {"tag": "=governed", "scope": "=private", "importance": "=0.75", "expire": "=400d"}
CATEGORY = {
    "native": "decision",
    "minions": "decision",
    "founder-os": "workflow",
    "base-coat": "decision",
    "mcp-memory": "x",
}
OTHERS = (INBOX, HALF_LIFE, SETTLE, REDACT, REFUSE)  # that set no field, and have tests of their own
CASES = [(format, kind) for format in FORMATS for kind in ACTIONS if kind not in OTHERS]


def action(format: str, kind: str) -> str:
    """Return an action as it can be done in a format."""
    if (format, kind) == ("minions", "scope"):
        return "scope=fleet"
    if kind != "category":
        return kind + VALUES.get(kind, "")
    return f"category={CATEGORY.get(format) or registry.by_name(format).categories[0]}"


def mirrored(work: Workspace) -> list[tuple[Any, ...]]:
    """Return what the workspace has of each memory that is in its store, but when it changed."""
    ids = [
        row[0] for row in work._ctx.db.rows("SELECT id FROM memories WHERE removed_at IS NULL ORDER BY id")
    ]
    return [
        (
            m.uid,
            m.status,
            m.pinned,
            m.pinned_by,
            m.pinned_why,
            m.tags,
            m.scope,
            m.category,
            m.importance,
            m.expires_at,
        )
        for m in work.memories(ids)
    ]


@pytest.mark.parametrize(("format", "kind"), shard(CASES, 0, 4))
def test_a_rule_s_line_is_undone_and_its_settings_go_with_it(tmp_path: Path, format: str, kind: str) -> None:
    stores = ContradictionStores(tmp_path, (format,)).create()
    with stores.opened() as work:
        before = stores.snapshot(), mirrored(work)
        done = action(format, kind)
        work.add_rule("Each", f"store:{format} -tag:none", [done], "why")
        work.turn_rule("Each", on=True)
        work.apply_rules()
        lines = [each for each in work.journal() if each.actor == "rule:Each"]
        if kind == "category" and format == "mcp-memory":
            assert (lines, mirrored(work)) == ([], before[1])
            return
        assert lines
        assert mirrored(work) != before[1]
        for line in lines:  # an entity without memories comes up as one, which is dismissed, too
            work.undo(line.id)
        assert mirrored(work) == before[1]
        assert stores.snapshot() == before[0]
        work.apply_rules()
        assert mirrored(work) == before[1]  # not done again
        for _ in lines:
            work.redo()
        assert mirrored(work) != before[1]
        work.turn_rule("Each", on=False)
        work.apply_rules()
        if kind == DISMISS:
            assert mirrored(work) != before[1]  # an act stays
            return
        assert mirrored(work) == before[1]
        assert stores.snapshot() == before[0]
        assert not work._ctx.db.one("SELECT count(*) FROM rule_settings")
        assert work.pull().total == 0
