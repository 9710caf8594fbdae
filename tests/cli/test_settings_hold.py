"""What the settings say of searching reaches the engine (S-30, S-34, S-35)."""

from __future__ import annotations

from pathlib import Path

from memtui.cli.runtime.open_workspace import _open
from memtui.memory.ranking import DEFAULT, LEANING, SEED, Leaning


def test_model_ranking_candidates_and_leaning_are_those_of_the_file(here: Path) -> None:
    file = here.parent / "settings.toml"
    file.write_text(
        'model = "off"\nranking = "seed"\ntop_k = 20\n'
        "recall_confidence = 1\nrecall_recency = 0\nrecall_reinforcement = 0.75\n"
    )
    opened = _open(here / "w.db", False)
    ctx = opened._ctx
    assert (opened.meaning().phase, ctx.weights, ctx.top_k) == ("off", SEED, 20)
    assert ctx.leaning == Leaning(1, 0, 0.75)
    opened.close()
    file.write_text("")
    opened = _open(here / "w.db", False)
    assert (opened.meaning().phase, opened._ctx.weights) == ("waiting", DEFAULT)
    assert opened._ctx.leaning == LEANING
    opened.close()
