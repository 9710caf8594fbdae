"""How the journal names memories, also purged ones (S-50)."""

from __future__ import annotations

from pathlib import Path

from memtui.memory.field_text import value_text
from memtui.workspace.workspace import Workspace


def test_the_target_of_a_relation_is_named_until_it_is_purged(tmp_path: Path) -> None:
    workspace = Workspace.open(tmp_path / "workspace.db")
    source, target, empty = (workspace.add({"content": text}).ids[0] for text in ("Alpha", "Beta", "x"))
    workspace.relate(source, "supports", target)
    entry_id = workspace.journal()[0].id

    def item_texts() -> list[str]:
        (item,) = workspace.journal_items(entry_id)
        return [value_text("relation", (item.after or {})["relation"], item.names), item.label]

    assert item_texts() == ["supports → “Beta”", "Alpha"]
    workspace.purge([target])
    assert item_texts() == ["supports → a purged memory", "Alpha"]
    purged = workspace.journal()[0]
    assert (purged.kind, purged.label) == ("purged", "a purged memory")
    assert [item.label for item in workspace.journal_items(purged.id)] == ["a purged memory"]
    workspace.edit([empty], {"content": "y"})
    assert workspace.journal()[0].label == "y"
    workspace.close()
