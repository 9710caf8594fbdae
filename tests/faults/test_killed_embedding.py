"""kill -9 during embedding: no text is lost, and none with a vector is embedded again (S-93)."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from tests.support.demo_workspace import DemoWorkspace, assert_word_index_intact, rows
from tests.support.fake_models import (
    FakeModel,
    assert_vectors_current,
    open_with_model,
    queued_ids,
    stored_vectors,
)
from tests.support.kills.embedding_kill_harness import EmbeddingKillHarness
from tests.support.sizes import log_rounds, rounds

ROUNDS = rounds(4, 80)


@pytest.mark.kills
def test_after_a_kill_each_text_has_a_vector_or_is_queued(
    demo_workspace: DemoWorkspace, tmp_path: Path
) -> None:
    chance = random.Random("minds")
    with demo_workspace.opened() as workspace:
        for number in range(30 * ROUNDS):
            workspace._ctx.db.run(
                "INSERT INTO memories (uid, store_id, ref, content, seen_at) VALUES (?1, 1, ?1, ?2, 1)",
                (f"own{number}", f"Walnut {number} stands in the garden."),
            )
    log = tmp_path / "log"
    harness = EmbeddingKillHarness()
    killed, vectors_before = 0, dict[int, bytes]()
    texts: dict[int, str] = {}
    for number in range(ROUNDS):
        log.write_text("")
        if number % 2:  # while the workspace is opened, a memory added, or the first texts are read
            text_count, seconds = 0, chance.uniform(0.0, 0.15)
        else:
            text_count, seconds = chance.randrange(60), chance.uniform(0.0, 0.02)
        was_killed = harness.run(demo_workspace.path, log, text_count, seconds)
        killed += was_killed
        log_rounds("kills", 1, was_killed)
        embedded_now = [json.loads(line) for line in log.read_text().splitlines() if line.endswith('"')]
        with demo_workspace.opened() as workspace:
            current_texts = {id: row["content"] for id, row in rows(workspace, removed=True).items()}
            assert texts.items() <= current_texts.items()
            assert_vectors_current(workspace, FakeModel())
            vectors = stored_vectors(workspace)
            assert vectors_before.items() <= vectors.items()
            assert not {texts[id] for id in vectors_before if texts[id].startswith("Walnut")} & set(
                embedded_now
            )
            assert workspace._ctx.db.one("PRAGMA integrity_check") == "ok"
            assert_word_index_intact(workspace)
        vectors_before, texts = vectors, current_texts
    harness.close()
    assert killed >= ROUNDS // 4
    assert vectors_before
    workspace = open_with_model(demo_workspace.path, clock=demo_workspace.clock)
    workspace.embed()
    assert not queued_ids(workspace)
    assert_vectors_current(workspace, FakeModel())
    workspace.close()
