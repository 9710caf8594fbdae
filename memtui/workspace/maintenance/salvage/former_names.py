"""Names of tables and columns in workspaces made before schema 14."""

from __future__ import annotations

FORMER_TABLES = {
    "side_records": "asides",
    "local_relations": "ties",
    "relation_overrides": "relation_notes",
    "checkpoints": "looked",
    "decay_runs": "ageing",
    "item_states": "standings",
    "saved_searches": "saved",
    "recall_log": "queries",
}
FORMER_COLUMNS = {
    ("checkpoints", "entry_id"): "line",
    ("decay_runs", "entry_id"): "line",
    ("verdicts", "entry_id"): "line",
    ("item_states", "effective_item"): "carried_by",
    ("pairs", "digest_a"): "said_a",
    ("pairs", "digest_b"): "said_b",
    ("pairs", "is_current"): "stands",
    ("verdicts", "digest_a"): "said_a",
    ("verdicts", "digest_b"): "said_b",
}
