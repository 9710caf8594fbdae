"""Values of fields as the journal shows them: readable, never as they are stored (S-50)."""

from __future__ import annotations

from typing import Any

import pytest

from memtui.memory.field_text import referenced_memories, value_text

NAMES = {"u1": "Ana", "u2": "", "#1": "Ana", "#2": "Bo"}
RELATION = {"kind": "supports", "to": "u1", "strength": 0.5, "context": "said so", "body": ""}
OVERRIDE = {"source": "Ana", "kind": "supports", "target": "Bo", "ends": ["u1", None]}
VERDICT = {"verdict": "keep-a", "judged": ["x", "y"], "a": 1, "b": 2, "note": "newer", "actor": "person"}


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("relation", RELATION, "supports → “Ana” · strength: 0.5 · reason: said so"),
        (
            "relation",
            {**RELATION, "to": "u2"},
            "supports → a purged memory · strength: 0.5 · reason: said so",
        ),
        ("relation", {"kind": "fixes", "to": "u1", "from": "u2"}, "a purged memory fixes → “Ana”"),
        ("relations", [{"kind": "fixes", "to": "u1"}, {"kind": "is", "to": "u9"}], "fixes → “Ana”; is → u9"),
        ("beside", [OVERRIDE], ""),
        ("beside", [OVERRIDE | {"context": "old"}], "“Ana” supports → “Bo” · reason: old"),
        ("verdict", VERDICT, "kept A · newer · “Ana” / “Bo”"),
        ("superseded_by", "u1", "“Ana”"),
        ("pinned", False, "no"),
        ("confidence", 0.30000000000000004, "0.3"),
        ("tags", ("a", "b"), "a, b"),
        (
            "value",
            {"city": "Delft", "since": {"year": 2020}, "gone": None},
            "city: Delft · since: year: 2020",
        ),
        ("extra", {"seen_by": [1, {"who": "codex"}]}, "seen by: 1; who: codex"),
        ("expires_at", 1e20, "1e+20"),
        ("content", "", ""),
    ],
)
def test_a_value_is_shown_as_text(name: str, value: Any, text: str) -> None:
    assert value_text(name, value, NAMES) == text


def test_referenced_memories_are_found_in_all_values() -> None:
    fields = {
        "relation": RELATION,
        "relations": [{"kind": "is", "to": "u2"}],
        "verdict": VERDICT,
        "superseded_by": "u3",
    }
    assert set(referenced_memories(fields)) == {"u1", "u2", "u3", "#1", "#2"}
    assert not set(referenced_memories({"content": "u1", "tags": ("u1",), "superseded_by": None}))
