"""The journal names memories, also once they were purged (S-50)."""

from __future__ import annotations

from pathlib import Path

from memtui.memory.change_words import value_words
from memtui.workspace.workspace import Workspace


def test_the_other_end_of_a_relation_is_named_until_it_is_purged(tmp_path: Path) -> None:
    workspace = Workspace.open(tmp_path / "workspace.db")
    one, other, empty = (workspace.add({"content": text}).ids[0] for text in ("Alpha", "Beta", "x"))
    workspace.relate(one, "supports", other)
    line = workspace.journal()[0].id

    def told() -> list[str]:
        (item,) = workspace.journal_items(line)
        return [value_words("relation", (item.after or {})["relation"], item.names), item.label]

    assert told() == ["supports → “Beta”", "Alpha"]
    workspace.purge([other])
    assert told() == ["supports → an erased memory", "Alpha"]
    purged = workspace.journal()[0]
    assert (purged.kind, purged.label) == ("purged", "an erased memory")
    assert [item.label for item in workspace.journal_items(purged.id)] == ["an erased memory"]
    workspace.edit([empty], {"content": "y"})
    assert workspace.journal()[0].label == "y"
    workspace.close()
