"""The sweep: what is found across stores, only what changed, and never twice (S-9, S-31, S-40, S-41)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memtui.errors import Refused
from memtui.memory import contradictions
from memtui.memory.contradictions.pairs import CONTRADICTION, DUPLICATE, EXACT, Pair
from memtui.workspace.background import JobControl
from memtui.workspace.contradictions import candidates
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import CLAUDE, FOUNDER, MCP, SAMPLE, DemoWorkspace, agent_sets, memory, the
from tests.support.empty_workspace import empty
from tests.support.fake_models import FakeModel, minded
from tests.support.hostile.texts import TEXTS
from tests.support.stores import base_coat

PAYS = "Brightwater pays invoices net 30; reminders go to Ines in accounts."
NEVER = "Brightwater never pays invoices net 30; reminders go to Ines in accounts."


def found(workspace: Workspace, **more: Any) -> set[tuple[int, int, str]]:
    return {(pair.a, pair.b, pair.family) for pair in workspace.pairs(**more)}


def between(workspace: Workspace, a: int, b: int) -> Pair | None:
    return next((pair for pair in workspace.pairs(state="", memory=a) if {pair.a, pair.b} == {a, b}), None)


def state_of(workspace: Workspace, a: int, b: int) -> str:
    pair = between(workspace, a, b)
    assert pair is not None
    return pair.state


def add(workspace: Workspace, content: str, **more: Any) -> int:
    return workspace.add({"content": content, **more}).ids[0]


@pytest.fixture
def mind(workspace: Workspace, demo_workspace: DemoWorkspace) -> FakeModel:
    """The office is read by meaning, and all that stands there is compared."""
    mind = FakeModel()
    with demo_workspace.opened(opener=lambda: mind) as opened:
        opened.load_model()
        opened.embed()
        opened.sweep()
    return mind


def test_what_clashes_in_two_stores_is_found_from_either_end(workspace: Workspace, mind: FakeModel) -> None:
    assert workspace.review().unscanned == 0
    paying = the(workspace, "invoices net")
    other = add(workspace, NEVER)
    assert workspace.review().unscanned == 1
    swept = workspace.sweep()
    assert (swept.memories, swept.remaining) == (1, 0)
    pair = between(workspace, paying, other)
    assert pair is not None
    assert (pair.family, pair.state) == (CONTRADICTION, "open")
    assert pair.stores == (FOUNDER, "native")
    assert pair.labels == (PAYS, NEVER)
    assert pair.reason
    assert "never" in pair.words[1].casefold()
    assert set(workspace.search("is:contradicted").ids) >= {paying, other}


def test_an_agent_s_change_is_compared_and_a_finding_goes_with_its_reason(
    demo_workspace: DemoWorkspace, workspace: Workspace, mind: FakeModel
) -> None:
    paying, other = the(workspace, "invoices net"), add(workspace, NEVER)
    workspace.sweep()
    pair = between(workspace, paying, other)
    assert pair is not None
    agent_sets(
        demo_workspace.places[FOUNDER], "UPDATE memories SET content = 'Zebras.' WHERE content = ?", PAYS
    )
    workspace.pull()
    # What no longer says so is not asked about, though nobody has looked yet.
    assert state_of(workspace, paying, other) == "over"
    assert workspace.sweep().gone == 1
    assert state_of(workspace, paying, other) == "over"
    agent_sets(
        demo_workspace.places[FOUNDER], "UPDATE memories SET content = ? WHERE content = 'Zebras.'", PAYS
    )
    workspace.pull()
    assert workspace.sweep().found == 1
    again = between(workspace, paying, other)
    assert again is not None
    assert (again.id, again.state) == (pair.id, "open")


def test_only_what_changed_is_compared(
    workspace: Workspace, mind: FakeModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged: list[tuple[str, str]] = []
    judge = contradictions.judge

    def noted(a: contradictions.ParsedMemory, b: contradictions.ParsedMemory, **more: Any) -> Any:
        judged.append((str(a), str(b)))
        return judge(a, b, **more)

    monkeypatch.setattr(contradictions, "judge", noted)
    assert workspace.sweep().memories == 0
    id = the(workspace, SAMPLE[CLAUDE])
    for act in (workspace.pin, workspace.confirm, lambda ids: workspace.edit(ids, {"tags": ["zebra"]})):
        act([id])
        assert workspace.sweep().memories == 0
    assert judged == []
    first, second = add(workspace, "The kiln is lit."), add(workspace, "The kiln is never lit.")
    assert workspace.sweep(ids=[first]).memories == 1
    assert workspace.sweep(ids=[first]).memories == 0
    assert workspace.review().unscanned == 1
    assert workspace.sweep().memories == 1
    assert between(workspace, first, second) is not None
    assert 0 < len(judged) < 80


def test_each_pair_is_judged_once_a_sweep(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(60):
        add(workspace, f"The {number}th kiln of Ana is lit on Monday.", subject="Kilns")
    seen: list[frozenset[str]] = []
    judge = contradictions.judge

    def noted(a: contradictions.ParsedMemory, b: contradictions.ParsedMemory, **more: Any) -> Any:
        seen.append(frozenset((str(a), str(b))))
        return judge(a, b, **more)

    monkeypatch.setattr(contradictions, "judge", noted)
    swept = workspace.sweep()
    assert swept.judged == len(seen)
    kilns = [pair for pair in seen if all("kiln" in side for side in pair)]
    assert len(kilns) == len(set(kilns)) > 60


def test_a_text_that_has_no_vector_yet_is_looked_at_again(demo_workspace: DemoWorkspace) -> None:
    mind = FakeModel()
    with demo_workspace.opened(opener=lambda: mind) as workspace:
        swept = workspace.sweep()
        assert swept.memories > 30
        assert "by words only" in swept.limitation
        assert workspace.review().unscanned == 0
        workspace.load_model()
        workspace.embed()
        assert workspace.review().unscanned == swept.memories - 1  # one has no text
        again = workspace.sweep()
        assert (again.memories, again.limitation, again.remaining) == (swept.memories - 1, "", 0)


def test_what_lies_near_in_meaning_is_held_against_each_other(tmp_path: Path) -> None:
    workspace = minded(tmp_path / "w.db", FakeModel(dim=256))
    first = add(workspace, "The staging host of the billing service runs on port 8080 since spring.")
    for number in range(2_100):  # more than are measured one by one
        workspace._ctx.db.run(
            "INSERT INTO memories (uid, store_id, ref, content, seen_at) VALUES (?1, 1, ?1, ?2, 1)",
            (f"own{number}", f"Walnut {number} grows {number % 7} leaves {number % 11} years."),
        )
    workspace.embed()
    workspace._ctx.db.run("DELETE FROM scan_queue WHERE memory_id <> ?", (first,))
    workspace.sweep()
    other = add(workspace, "The staging host of the billing service runs on port 9090 since spring.")
    workspace.embed()
    assert workspace.sweep().limitation == ""
    pair = between(workspace, first, other)
    assert pair is not None
    assert pair.family == CONTRADICTION
    workspace.close()


def test_one_key_of_one_owner_has_one_value(tmp_path: Path) -> None:
    workspace = Workspace.open(empty(tmp_path / "w.db"))
    one = add(workspace, "solarized", key="editor.theme")
    workspace.sweep()
    other = add(workspace, "gruvbox", key="editor.theme")
    workspace.sweep()
    pair = between(workspace, one, other)
    assert pair is not None
    assert pair.family == CONTRADICTION
    workspace.close()


@pytest.mark.parametrize("kept", [True, False])
def test_what_is_said_to_contradict_is_found_until_that_is_taken_back(
    tmp_path: Path, demo_workspace: DemoWorkspace, kept: bool
) -> None:
    with demo_workspace.opened() as workspace:
        if kept:
            one, other = the(workspace, SAMPLE[MCP]), the(workspace, SAMPLE[CLAUDE])
        else:
            path = base_coat.make(tmp_path / "base-coat.db")
            workspace.attach(path)
            one, other = (
                workspace._ctx.db.one("SELECT id FROM memories WHERE ref = ?", (ref,))
                for ref in (base_coat.TESTS, base_coat.SQLITE)
            )
        workspace.sweep()
        assert between(workspace, one, other) is None
        workspace.relate(one, "contradicts", other)
        assert {one, other} <= set(workspace.search("is:contradicted").ids)
        assert workspace.sweep().found == 1
        pair = between(workspace, one, other)
        assert pair is not None
        assert (pair.family, pair.state) == (CONTRADICTION, "open")
        workspace.undo()
        workspace.sweep()
        assert state_of(workspace, one, other) == "over"
        assert not {one, other} & set(workspace.search("is:contradicted").ids)


def test_three_hundred_equal_texts_are_no_forty_thousand_pairs(tmp_path: Path) -> None:
    workspace = Workspace.open(empty(tmp_path / "w.db"))
    workspace._ctx.db.run(
        "INSERT INTO memories (uid, store_id, ref, content, seen_at) SELECT 'u' || value, 1, 'r' || value, "
        "iif(value % 2, 'The kiln is lit on Monday.', 'the  kiln is lit on monday'), 1 FROM json_each(?)",
        (json.dumps(list(range(300))),),
    )
    swept = workspace.sweep()
    assert swept.memories == 300
    assert swept.judged < 600
    pairs = workspace.pairs()
    assert {pair.family for pair in pairs} == {DUPLICATE}
    assert {pair.kind for pair in pairs} == {EXACT}
    assert 299 <= len(pairs) < 600
    # Whoever goes, the others are still the same as somebody.
    ids = sorted({id for pair in pairs for id in (pair.a, pair.b)})
    assert len(ids) == 300
    gone = {pair.a for pair in pairs[:3]}
    workspace.dismiss(sorted(gone))
    workspace.sweep()
    assert {id for pair in workspace.pairs() for id in (pair.a, pair.b)} == set(ids) - gone
    assert set(workspace.search("is:duplicate").ids) == set(ids) - gone
    # One that says something against it is held against the first of them alone.
    other = add(workspace, "The kiln is never lit on Monday.")
    workspace.sweep()
    assert 1 <= len(workspace.pairs(family=CONTRADICTION, memory=other)) <= candidates.ECHOES
    workspace.close()


def test_a_store_that_is_detached_or_memories_that_are_gone_are_held_against_nothing(
    workspace: Workspace, mind: FakeModel
) -> None:
    paying, other = the(workspace, "invoices net"), add(workspace, NEVER)
    workspace.sweep()
    workspace.detach(FOUNDER)
    assert state_of(workspace, paying, other) == "over"
    assert not workspace.search("is:contradicted").ids
    workspace.sweep()
    again = add(workspace, f"{NEVER} Always.")
    workspace.sweep()
    assert between(workspace, paying, again) is None
    workspace.dismiss([other])
    assert workspace.sweep().remaining == 0
    assert workspace.review().open == len(workspace.pairs())


def test_a_workspace_that_is_only_read_is_not_swept(demo_workspace: DemoWorkspace) -> None:
    with demo_workspace.opened(read_only=True) as workspace:
        assert workspace.review().unscanned > 30
        with pytest.raises(Refused) as refused:
            workspace.sweep()
        assert refused.value.code == "read-only"
        assert workspace.pairs(state="") == []


def test_it_stops_when_it_is_told_and_goes_on_from_there(tmp_path: Path) -> None:
    workspace = Workspace.open(empty(tmp_path / "w.db"))
    for number in range(50):
        add(workspace, f"The kiln of Ana is lit at {number % 24}:{number:02}.")
    told: list[tuple[int, int]] = []
    judged: list[int] = []
    manners = JobControl(
        stop=lambda: bool(told), tell=lambda done, left: told.append((done, left)), judged=judged.append
    )
    swept = workspace.sweep(manners)
    assert 0 < swept.memories < 50
    assert swept.remaining == 50 - swept.memories == workspace.review().unscanned
    assert told == [(swept.memories, swept.remaining)]
    assert judged == [swept.judged]
    rest = workspace.sweep()
    assert (rest.memories, rest.remaining) == (50 - swept.memories, 0)
    whole = Workspace.open(empty(tmp_path / "other.db"))
    for row in workspace.memories(workspace.search("").ids[::-1]):
        add(whole, row.content)
    whole.sweep()

    def said(opened: Workspace) -> set[frozenset[str]]:
        return {frozenset(pair.labels) for pair in opened.pairs()}

    assert said(whole) == said(workspace)
    whole.close()
    workspace.close()


def test_a_person_who_types_goes_first(workspace: Workspace) -> None:
    naps: list[float] = []
    workspace.sweep(JobControl(busy=lambda: len(naps) < 7, nap=naps.append))
    assert len(naps) == 7
    assert workspace.review().unscanned == 0


def test_what_changes_while_it_is_compared_waits_on(
    demo_workspace: DemoWorkspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = add(workspace, "The kiln is lit on Monday.")
    add(workspace, "The kiln is never lit on Monday.")
    judge = contradictions.judge
    changed: list[int] = []
    with demo_workspace.opened() as other:

        def meanwhile(a: contradictions.ParsedMemory, b: contradictions.ParsedMemory, **more: Any) -> Any:
            if not changed:
                changed.append(other.edit([one], {"content": "Walnuts are brown."}).ids[0])
            return judge(a, b, **more)

        monkeypatch.setattr(contradictions, "judge", meanwhile)
        workspace.sweep()
    workspace.sweep()
    assert changed == [one]
    assert workspace.review().unscanned == 0
    assert memory(workspace, one).content == "Walnuts are brown."
    assert not [pair for pair in workspace.pairs(memory=one) if pair.family == CONTRADICTION]


def test_texts_that_try_to_act_are_compared_like_any_other(tmp_path: Path) -> None:
    workspace = Workspace.open(empty(tmp_path / "w.db"))
    for text in (*TEXTS.values(), "x" * 100_000, "¿" * 3_000, "a " * 30_000, ".", "!!!"):
        text = text.encode("utf-8", "replace").decode().replace("\0", "")
        for content in (text, f"{text} not"):
            add(workspace, content, subject=text[:60], title=text[:40], key="k" if len(text) % 2 else "")
    # A disk may have spoiled a text.
    workspace._ctx.db.run("UPDATE memories SET content = CAST(x'ff41fe42' AS TEXT) WHERE id IN (1, 2)")
    workspace.sweep()
    assert workspace.review().unscanned == 0
    workspace._ctx.db.run("UPDATE memories SET content = 'sound' WHERE id IN (1, 2)")
    workspace.sweep()
    assert workspace.pairs()
    assert workspace.search("is:duplicate -is:contradicted").ids is not None
    workspace.close()


def test_a_purge_takes_findings_and_verdicts_along(workspace: Workspace, mind: FakeModel) -> None:
    paying, other = the(workspace, "invoices net"), add(workspace, "Zwetschgen are never bought.")
    workspace.relate(paying, "contradicts", other)
    workspace.sweep()
    pair = between(workspace, paying, other)
    assert pair is not None
    third, fourth = the(workspace, SAMPLE[MCP]), the(workspace, SAMPLE[CLAUDE])
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
