"""Search settings reach the search engine (S-30, S-34, S-35)."""

from __future__ import annotations

from pathlib import Path

from memtui.cli.runtime.open_workspace import open_with
from memtui.memory.ranking import DEFAULT, DEFAULT_RECALL, SEED, RecallWeights
from memtui.settings import load


def test_search_settings_of_the_file_are_used(here: Path) -> None:
    file = here.parent / "settings.toml"
    file.write_text(
        'model = "off"\nranking = "seed"\ntop_k = 20\n'
        "recall_confidence = 1\nrecall_recency = 0\nrecall_reinforcement = 0.75\n"
    )
    opened = open_with(here / "w.db", load().settings)
    ctx = opened._ctx
    assert (opened.embedding_state().phase, ctx.weights, ctx.top_k) == ("off", SEED, 20)
    assert ctx.recall_weights == RecallWeights(1, 0, 0.75)
    opened.close()
    file.write_text("")
    opened = open_with(here / "w.db", load().settings)
    assert (opened.embedding_state().phase, opened._ctx.weights) == ("waiting", DEFAULT)
    assert opened._ctx.recall_weights == DEFAULT_RECALL
    opened.close()
