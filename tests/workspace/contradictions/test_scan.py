"""The scan for contradictions and duplicates across stores (S-9, S-31, S-40, S-41)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memtui.errors import Refused
from memtui.memory.contradictions.comparison import parsed_memory
from memtui.memory.contradictions.judgement import judge
from memtui.memory.contradictions.pairs import CONTRADICTION, DUPLICATE, EXACT, Pair
from memtui.workspace.background import JobControl
from memtui.workspace.contradictions import candidates
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import (
    CLAUDE,
    FOUNDER,
    MCP,
    SAMPLE,
    DemoWorkspace,
    agent_executes,
    find_id,
    memory,
)
from tests.support.empty_workspace import create_empty
from tests.support.fake_models import FakeModel, open_with_model
from tests.support.hostile.texts import TEXTS
from tests.support.stores import base_coat

PAYS = "Brightwater pays invoices net 30; reminders go to Ines in accounts."
NEVER = "Brightwater never pays invoices net 30; reminders go to Ines in accounts."


def open_pairs(workspace: Workspace, **more: Any) -> set[tuple[int, int, str]]:
    return {(pair.a, pair.b, pair.family) for pair in workspace.pairs(**more)}


def pair_of(workspace: Workspace, a: int, b: int) -> Pair | None:
    return next((pair for pair in workspace.pairs(state="", memory=a) if {pair.a, pair.b} == {a, b}), None)


def state_of(workspace: Workspace, a: int, b: int) -> str:
    pair = pair_of(workspace, a, b)
    assert pair is not None
    return pair.state


def add(workspace: Workspace, content: str, **more: Any) -> int:
    return workspace.add({"content": content, **more}).ids[0]


@pytest.fixture
def model(workspace: Workspace, demo_workspace: DemoWorkspace) -> FakeModel:
    """Embed and scan all memories of the demo workspace."""
    model = FakeModel()
    with demo_workspace.opened(opener=lambda: model) as opened:
        opened.load_model()
        opened.embed()
        opened.scan()
    return model


def test_a_contradiction_between_two_stores_is_found(workspace: Workspace, model: FakeModel) -> None:
    assert workspace.queue_counts().unscanned == 0
    paying = find_id(workspace, "invoices net")
    other = add(workspace, NEVER)
    assert workspace.queue_counts().unscanned == 1
    result = workspace.scan()
    assert (result.memories, result.remaining) == (1, 0)
    pair = pair_of(workspace, paying, other)
    assert pair is not None
    assert (pair.family, pair.state) == (CONTRADICTION, "open")
    assert pair.stores == (FOUNDER, "native")
    assert pair.labels == (PAYS, NEVER)
    assert pair.reason
    assert "never" in pair.words[1].casefold()
    assert set(workspace.search("is:contradicted").ids) >= {paying, other}


def test_a_pair_is_over_once_an_agent_changes_its_text(
    demo_workspace: DemoWorkspace, workspace: Workspace, model: FakeModel
) -> None:
    paying, other = find_id(workspace, "invoices net"), add(workspace, NEVER)
    workspace.scan()
    pair = pair_of(workspace, paying, other)
    assert pair is not None
    agent_executes(
        demo_workspace.store_paths[FOUNDER], "UPDATE memories SET content = 'Zebras.' WHERE content = ?", PAYS
    )
    workspace.pull()
    # The pair is over before the next scan.
    assert state_of(workspace, paying, other) == "over"
    assert workspace.scan().gone == 1
    assert state_of(workspace, paying, other) == "over"
    agent_executes(
        demo_workspace.store_paths[FOUNDER], "UPDATE memories SET content = ? WHERE content = 'Zebras.'", PAYS
    )
    workspace.pull()
    assert workspace.scan().found == 1
    found_again = pair_of(workspace, paying, other)
    assert found_again is not None
    assert (found_again.id, found_again.state) == (pair.id, "open")


def test_only_changed_memories_are_compared(
    workspace: Workspace, model: FakeModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged: list[tuple[str, str]] = []

    def recording_judge(a: parsed_memory.ParsedMemory, b: parsed_memory.ParsedMemory, **more: Any) -> Any:
        judged.append((str(a), str(b)))
        return judge(a, b, **more)

    monkeypatch.setattr("memtui.workspace.contradictions.scan.judge", recording_judge)
    assert workspace.scan().memories == 0
    id = find_id(workspace, SAMPLE[CLAUDE])
    for action in (workspace.pin, workspace.confirm, lambda ids: workspace.edit(ids, {"tags": ["zebra"]})):
        action([id])
        assert workspace.scan().memories == 0
    assert judged == []
    first, second = add(workspace, "The kiln is lit."), add(workspace, "The kiln is never lit.")
    assert workspace.scan(ids=[first]).memories == 1
    assert workspace.scan(ids=[first]).memories == 0
    assert workspace.queue_counts().unscanned == 1
    assert workspace.scan().memories == 1
    assert pair_of(workspace, first, second) is not None
    assert 0 < len(judged) < 80


def test_each_pair_is_judged_once_per_scan(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(60):
        add(workspace, f"The {number}th kiln of Ana is lit on Monday.", subject="Kilns")
    seen: list[frozenset[str]] = []

    def recording_judge(a: parsed_memory.ParsedMemory, b: parsed_memory.ParsedMemory, **more: Any) -> Any:
        seen.append(frozenset((str(a), str(b))))
        return judge(a, b, **more)

    monkeypatch.setattr("memtui.workspace.contradictions.scan.judge", recording_judge)
    result = workspace.scan()
    assert result.judged == len(seen)
    kilns = [pair for pair in seen if all("kiln" in side for side in pair)]
    assert len(kilns) == len(set(kilns)) > 60


def test_memories_scanned_without_vectors_are_scanned_again(demo_workspace: DemoWorkspace) -> None:
    model = FakeModel()
    with demo_workspace.opened(opener=lambda: model) as workspace:
        result = workspace.scan()
        assert result.memories > 30
        assert "by text only" in result.limitation
        assert workspace.queue_counts().unscanned == 0
        workspace.load_model()
        workspace.embed()
        assert workspace.queue_counts().unscanned == result.memories - 1  # one memory has no text
        rescan = workspace.scan()
        assert (rescan.memories, rescan.limitation, rescan.remaining) == (result.memories - 1, "", 0)


def test_memories_with_near_vectors_are_compared(tmp_path: Path) -> None:
    workspace = open_with_model(tmp_path / "w.db", FakeModel(dim=256))
    first = add(workspace, "The staging host of the billing service runs on port 8080 since spring.")
    for number in range(2_100):  # more than are compared exactly
        workspace._ctx.db.run(
            "INSERT INTO memories (uid, store_id, ref, content, seen_at) VALUES (?1, 1, ?1, ?2, 1)",
            (f"own{number}", f"Walnut {number} grows {number % 7} leaves {number % 11} years."),
        )
    workspace.embed()
    workspace._ctx.db.run("DELETE FROM scan_queue WHERE memory_id <> ?", (first,))
    workspace.scan()
    other = add(workspace, "The staging host of the billing service runs on port 9090 since spring.")
    workspace.embed()
    assert workspace.scan().limitation == ""
    pair = pair_of(workspace, first, other)
    assert pair is not None
    assert pair.family == CONTRADICTION
    workspace.close()


def test_equal_keys_with_different_values_contradict(tmp_path: Path) -> None:
    workspace = Workspace.open(create_empty(tmp_path / "w.db"))
    one = add(workspace, "solarized", key="editor.theme")
    workspace.scan()
    other = add(workspace, "gruvbox", key="editor.theme")
    workspace.scan()
    pair = pair_of(workspace, one, other)
    assert pair is not None
    assert pair.family == CONTRADICTION
    workspace.close()


@pytest.mark.parametrize("local", [True, False])
def test_a_contradicts_relation_is_a_pair_until_it_is_undone(
    tmp_path: Path, demo_workspace: DemoWorkspace, local: bool
) -> None:
    with demo_workspace.opened() as workspace:
        if local:
            one, other = find_id(workspace, SAMPLE[MCP]), find_id(workspace, SAMPLE[CLAUDE])
        else:
            path = base_coat.make(tmp_path / "base-coat.db")
            workspace.attach(path)
            one, other = (
                workspace._ctx.db.one("SELECT id FROM memories WHERE ref = ?", (ref,))
                for ref in (base_coat.TESTS, base_coat.SQLITE)
            )
        workspace.scan()
        assert pair_of(workspace, one, other) is None
        workspace.relate(one, "contradicts", other)
        assert {one, other} <= set(workspace.search("is:contradicted").ids)
        assert workspace.scan().found == 1
        pair = pair_of(workspace, one, other)
        assert pair is not None
        assert (pair.family, pair.state) == (CONTRADICTION, "open")
        workspace.undo()
        workspace.scan()
        assert state_of(workspace, one, other) == "over"
        assert not {one, other} & set(workspace.search("is:contradicted").ids)


def test_equal_texts_are_paired_in_a_chain(tmp_path: Path) -> None:
    workspace = Workspace.open(create_empty(tmp_path / "w.db"))
    workspace._ctx.db.run(
        "INSERT INTO memories (uid, store_id, ref, content, seen_at) SELECT 'u' || value, 1, 'r' || value, "
        "iif(value % 2, 'The kiln is lit on Monday.', 'the  kiln is lit on monday'), 1 FROM json_each(?)",
        (json.dumps(list(range(300))),),
    )
    result = workspace.scan()
    assert result.memories == 300
    assert result.judged < 600
    pairs = workspace.pairs()
    assert {pair.family for pair in pairs} == {DUPLICATE}
    assert {pair.kind for pair in pairs} == {EXACT}
    assert 299 <= len(pairs) < 600
    # When some are dismissed, the others still have an equal one.
    ids = sorted({id for pair in pairs for id in (pair.a, pair.b)})
    assert len(ids) == 300
    dismissed = {pair.a for pair in pairs[:3]}
    workspace.dismiss(sorted(dismissed))
    workspace.scan()
    assert {id for pair in workspace.pairs() for id in (pair.a, pair.b)} == set(ids) - dismissed
    assert set(workspace.search("is:duplicate").ids) == set(ids) - dismissed
    # A contradicting memory is compared only with the first of them.
    other = add(workspace, "The kiln is never lit on Monday.")
    workspace.scan()
    assert 1 <= len(workspace.pairs(family=CONTRADICTION, memory=other)) <= candidates.MANY_EQUAL
    workspace.close()


def test_detached_and_dismissed_memories_are_not_compared(workspace: Workspace, model: FakeModel) -> None:
    paying, other = find_id(workspace, "invoices net"), add(workspace, NEVER)
    workspace.scan()
    workspace.detach(FOUNDER)
    assert state_of(workspace, paying, other) == "over"
    assert not workspace.search("is:contradicted").ids
    workspace.scan()
    contradicting = add(workspace, f"{NEVER} Always.")
    workspace.scan()
    assert pair_of(workspace, paying, contradicting) is None
    workspace.dismiss([other])
    assert workspace.scan().remaining == 0
    assert workspace.queue_counts().open == len(workspace.pairs())


def test_a_read_only_workspace_is_not_scanned(demo_workspace: DemoWorkspace) -> None:
    with demo_workspace.opened(read_only=True) as workspace:
        assert workspace.queue_counts().unscanned > 30
        with pytest.raises(Refused) as refused:
            workspace.scan()
        assert refused.value.code == "read-only"
        assert workspace.pairs(state="") == []


def test_a_stopped_scan_continues_later(tmp_path: Path) -> None:
    workspace = Workspace.open(create_empty(tmp_path / "w.db"))
    for number in range(50):
        add(workspace, f"The kiln of Ana is lit at {number % 24}:{number:02}.")
    progress: list[tuple[int, int]] = []
    judged: list[int] = []
    control = JobControl(
        stop=lambda: bool(progress),
        report=lambda done, left: progress.append((done, left)),
        judged=judged.append,
    )
    result = workspace.scan(control)
    assert 0 < result.memories < 50
    assert result.remaining == 50 - result.memories == workspace.queue_counts().unscanned
    assert progress == [(result.memories, result.remaining)]
    assert judged == [result.judged]
    rest = workspace.scan()
    assert (rest.memories, rest.remaining) == (50 - result.memories, 0)
    uninterrupted = Workspace.open(create_empty(tmp_path / "other.db"))
    for row in workspace.memories(workspace.search("").ids[::-1]):
        add(uninterrupted, row.content)
    uninterrupted.scan()

    def labels(opened: Workspace) -> set[frozenset[str]]:
        return {frozenset(pair.labels) for pair in opened.pairs()}

    assert labels(uninterrupted) == labels(workspace)
    uninterrupted.close()
    workspace.close()


def test_a_scan_yields_to_a_busy_user(workspace: Workspace) -> None:
    naps: list[float] = []
    workspace.scan(JobControl(busy=lambda: len(naps) < 7, nap=naps.append))
    assert len(naps) == 7
    assert workspace.queue_counts().unscanned == 0


def test_a_memory_changed_during_a_scan_stays_queued(
    demo_workspace: DemoWorkspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = add(workspace, "The kiln is lit on Monday.")
    add(workspace, "The kiln is never lit on Monday.")
    changed: list[int] = []
    with demo_workspace.opened() as other:

        def editing_judge(a: parsed_memory.ParsedMemory, b: parsed_memory.ParsedMemory, **more: Any) -> Any:
            if not changed:
                changed.append(other.edit([one], {"content": "Walnuts are brown."}).ids[0])
            return judge(a, b, **more)

        monkeypatch.setattr("memtui.workspace.contradictions.scan.judge", editing_judge)
        workspace.scan()
    workspace.scan()
    assert changed == [one]
    assert workspace.queue_counts().unscanned == 0
    assert memory(workspace, one).content == "Walnuts are brown."
    assert not [pair for pair in workspace.pairs(memory=one) if pair.family == CONTRADICTION]


def test_hostile_texts_are_compared_like_any_other(tmp_path: Path) -> None:
    workspace = Workspace.open(create_empty(tmp_path / "w.db"))
    for text in (*TEXTS.values(), "x" * 100_000, "¿" * 3_000, "a " * 30_000, ".", "!!!"):
        text = text.encode("utf-8", "replace").decode().replace("\0", "")
        for content in (text, f"{text} not"):
            add(workspace, content, subject=text[:60], title=text[:40], key="k" if len(text) % 2 else "")
    # Text that is not UTF-8, as after a disk error.
    workspace._ctx.db.run("UPDATE memories SET content = CAST(x'ff41fe42' AS TEXT) WHERE id IN (1, 2)")
    workspace.scan()
    assert workspace.queue_counts().unscanned == 0
    workspace._ctx.db.run("UPDATE memories SET content = 'sound' WHERE id IN (1, 2)")
    workspace.scan()
    assert workspace.pairs()
    assert workspace.search("is:duplicate -is:contradicted").ids is not None
    workspace.close()


def test_a_purge_erases_pairs_and_verdicts(workspace: Workspace, model: FakeModel) -> None:
    paying, other = find_id(workspace, "invoices net"), add(workspace, "Zwetschgen are never bought.")
    workspace.relate(paying, "contradicts", other)
    workspace.scan()
    pair = pair_of(workspace, paying, other)
    assert pair is not None
    third, fourth = find_id(workspace, SAMPLE[MCP]), find_id(workspace, SAMPLE[CLAUDE])
    db = workspace._ctx.db
    for a, b, note in ((paying, other, "Both."), (third, fourth, "As: Zwetschgen are never bought.")):
        db.run(
            "INSERT INTO verdicts (a, b, digest_a, digest_b, verdict, note, at, actor) "
            "VALUES (min(?1, ?2), max(?1, ?2), '', '', 'not-so', ?3, 1, 'person')",
            (a, b, note),
        )
    workspace.purge([other])
    assert workspace.pairs(state="", memory=paying) == []
    assert db.rows("SELECT note FROM verdicts") == [("",)]
    assert db.rows("SELECT 1 FROM scanned WHERE memory_id = ?", (other,)) == []
    for table in ("pairs", "verdicts"):
        for row in db.rows(f"SELECT * FROM {table}"):
            assert "Zwetschgen" not in str(row)
