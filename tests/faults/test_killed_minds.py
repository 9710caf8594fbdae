"""kill -9 while texts are embedded: no text is lost, none that has its vector is embedded again (S-93)."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from tests.support.demo_workspace import DemoWorkspace, rows, words_agree
from tests.support.fake_models import FakeModel, in_step, minded, queued, said
from tests.support.kills.embedding_kill_harness import EmbeddingKillHarness
from tests.support.sizes import count, rounds

ROUNDS = rounds(4, 80)


@pytest.mark.kills
def test_killed_at_any_moment_each_text_has_its_vector_or_waits(
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
    killer = EmbeddingKillHarness()
    killed, had = 0, dict[int, bytes]()
    texts: dict[int, str] = {}
    for number in range(ROUNDS):
        log.write_text("")
        if number % 2:  # while the workspace is opened, a memory added, or the first texts are read
            begun, seconds = 0, chance.uniform(0.0, 0.15)
        else:
            begun, seconds = chance.randrange(60), chance.uniform(0.0, 0.02)
        hit = killer.run(demo_workspace.path, log, begun, seconds)
        killed += hit
        count("kills", 1, hit)
        again = [json.loads(line) for line in log.read_text().splitlines() if line.endswith('"')]
        with demo_workspace.opened() as workspace:
            now = {id: row["content"] for id, row in rows(workspace, removed=True).items()}
            assert texts.items() <= now.items()
            in_step(workspace, FakeModel())
            have = said(workspace)
            assert had.items() <= have.items()
            assert not {texts[id] for id in had if texts[id].startswith("Walnut")} & set(again)
            assert workspace._ctx.db.one("PRAGMA integrity_check") == "ok"
            words_agree(workspace)
        had, texts = have, now
    killer.close()
    assert killed >= ROUNDS // 4
    assert had
    workspace = minded(demo_workspace.path, clock=demo_workspace.clock)
    workspace.embed()
    assert not queued(workspace)
    in_step(workspace, FakeModel())
    workspace.close()
