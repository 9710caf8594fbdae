"""Recall for agents: which memories, in which order, and the counting of uses (S-34)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memtui.embedding.hashed import HashEmbedder
from memtui.errors import Refused
from memtui.formats.contract.records import Record
from memtui.workspace.mirror import memory_rows
from memtui.workspace.search.recall import Caller, strategy_of
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import CLAUDE, FOUNDER, MCP, NATIVE, DemoWorkspace
from tests.support.empty_workspace import create_empty
from tests.support.stores import rows_in

NOW = 1_760_000_000.0
DAY = 86_400.0


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    workspace = Workspace.open(create_empty(tmp_path / "w.db"), clock=lambda: NOW, opener=HashEmbedder)
    yield workspace
    workspace.close()


def fill(workspace: Workspace, *memories: dict[str, Any]) -> list[int]:
    """Insert memories with any fields into the own store and embed them; return their ids."""
    ctx = workspace._ctx
    own = ctx.db.one("SELECT id FROM stores WHERE format = 'native'")
    first = int(ctx.db.one("SELECT count(*) FROM memories"))
    records = [
        Record(ref=f"m{first + n}", fields={"status": "confirmed", "created_at": NOW, **fields})
        for n, fields in enumerate(memories)
    ]
    with ctx.db.atomic():
        memory_rows.insert(ctx.db, own, "native", "", records, NOW)
    workspace.embed()
    return [ctx.db.one("SELECT id FROM memories WHERE ref = ?", (record.ref,)) for record in records]


def recalled(workspace: Workspace, text: str, caller: Caller | None = None, **options: Any) -> list[str]:
    found = workspace.recall(text, caller or Caller("ada"), **options)
    return [memory.content for memory in found.memories]


def test_confirmed_applied_and_unexpired_memories_are_recalled(workspace: Workspace) -> None:
    fill(
        workspace,
        {"content": "The port is 8080 for staging."},
        {"content": "The port is 9090 for production.", "status": "applied"},
        {"content": "The port is 1 perhaps.", "status": "candidate"},
        {"content": "The port was 2 once.", "status": "dismissed"},
        {"content": "The port is 3 until yesterday.", "expires_at": NOW - DAY},
    )
    assert set(recalled(workspace, "which port")) == {
        "The port is 8080 for staging.",
        "The port is 9090 for production.",
    }
    assert "The port is 1 perhaps." in recalled(workspace, "which port", statuses=("candidate", "confirmed"))


def test_an_agent_recalls_its_own_unowned_and_fleet_memories(workspace: Workspace) -> None:
    fill(
        workspace,
        {"content": "tea for ada", "owner": "ada", "scope": "private"},
        {"content": "tea for bob", "owner": "bob", "scope": "private"},
        {"content": "tea in bob's session", "owner": "bob", "scope": "session"},
        {"content": "tea for the fleet", "owner": "bob", "scope": "fleet"},
        {"content": "tea for anybody"},
    )
    ada = {"tea for ada", "tea for the fleet", "tea for anybody"}
    for strategy in ("keyword", "semantic", "hybrid"):
        assert set(recalled(workspace, "tea", strategy=strategy)) == ada
    assert len(recalled(workspace, "tea", Caller())) == 5
    bounded = Caller("ada", ("private",))
    assert set(recalled(workspace, "tea", bounded)) == {"tea for ada", "tea for anybody"}


def test_the_given_subject_comes_first_then_the_category(workspace: Workspace) -> None:
    fill(
        workspace,
        {"content": "deploy deploy deploy on Fridays"},
        {"content": "never on Fridays", "category": "Deploys"},
        {"content": "ask Mo", "subject": "deploys"},
    )
    found = recalled(workspace, "deploy on Fridays", subject="Deploys")
    assert found == ["ask Mo", "never on Fridays", "deploy deploy deploy on Fridays"]


def test_confidence_recency_and_use_break_ties(workspace: Workspace) -> None:
    fill(
        workspace,
        {"content": "likes green tea", "confidence": 0.2},
        {"content": "likes green tea", "confidence": 0.9},
        {"content": "likes green tea", "confidence": 0.9, "times_used": 9},
        {"content": "likes green tea", "confidence": 0.9, "created_at": NOW - 400 * DAY},
    )
    found = workspace.recall("green tea", Caller("ada")).memories
    assert [(m.confidence, m.times_used, m.created_at == NOW) for m in found] == [
        (0.9, 9, True),
        (0.9, 0, True),
        (0.9, 0, False),
        (0.2, 0, True),
    ]


@pytest.mark.parametrize(
    ("text", "strategy"),
    [
        ("OPS-2213", "keyword"),
        ("fct_orders_daily", "keyword"),
        ("src/app.py", "keyword"),
        ("setUp", "keyword"),
        ('"as it stands"', "keyword"),
        ("where does Bo live?", "hybrid"),
        ("tea", "hybrid"),
        ("", "hybrid"),
    ],
)
def test_the_strategy_depends_on_the_query(text: str, strategy: str) -> None:
    assert strategy_of(text) == strategy


def test_a_quoted_phrase_must_match_exactly(workspace: Workspace) -> None:
    fill(workspace, {"content": "green tea in the morning"}, {"content": "tea that is green"})
    assert recalled(workspace, '"green tea"') == ["green tea in the morning"]


def test_uses_are_counted_and_the_query_is_logged(workspace: Workspace) -> None:
    first_id, second_id = fill(workspace, {"content": "green tea"}, {"content": "an old bicycle"})
    found = workspace.recall("green tea", Caller("ada"), limit=1)
    first, second = workspace.memories([first_id, second_id])
    assert (first.times_used, first.last_used_at) == (1, NOW)
    assert (second.times_used, second.last_used_at) == (0, None)
    ((at, actor, text, strategy, results),) = workspace._ctx.db.rows(
        "SELECT at, actor, text, strategy, results FROM recall_log WHERE id = ?", (found.log_id,)
    )
    assert (at, actor, text, strategy) == (NOW, "agent:ada", "green tea", "hybrid")
    assert json.loads(results) == [first_id]
    assert workspace.embedding_state().pending == 0, "a use is no reason to read a memory again"
    assert not workspace.journal(), "a use is no change"


def test_a_secret_is_no_part_of_the_log_though_the_question_is_cut_in_it(workspace: Workspace) -> None:
    token = "ghp_" + "k9Xq2mPz7RtLw4Vb8Nc3Hd6Fs1Jy5Ga0Qe2W"
    for end in (5, 20, 39):
        workspace.recall(f"{'tea ' * 500}"[: 1_999 - end] + f" {token}", Caller("ada"))
    logged = [text for (text,) in workspace._ctx.db.rows("SELECT text FROM recall_log")]
    assert [len(each) for each in logged] == [2_000] * 3
    assert not any("ghp_" in each for each in logged)


def test_without_a_model_recall_falls_back_to_words(tmp_path: Path) -> None:
    workspace = Workspace.open(create_empty(tmp_path / "w.db"), clock=lambda: NOW)
    fill(workspace, {"content": "green tea"})
    found = workspace.recall("green tea?", Caller("ada"))
    assert ([m.content for m in found.memories], found.strategy, found.how) == (
        ["green tea"],
        "hybrid",
        "keyword",
    )
    assert workspace.recall("nothing of the kind", Caller("ada")).memories == ()
    workspace.close()


def test_many_memories_of_others_do_not_hide_own_ones(workspace: Workspace) -> None:
    own = [{"content": f"deploy note {n} of ada", "owner": "ada"} for n in range(5)]
    others = [{"content": f"deploy rollback {n}", "owner": "bob", "scope": "private"} for n in range(700)]
    fill(workspace, *own, *others)
    for query in ("deploy", "deploy rollback"):
        for strategy in ("keyword", "hybrid"):
            found = workspace.recall(query, Caller("ada"), strategy=strategy).memories
            assert len(found) >= 5
            assert {memory.owner for memory in found} == {"ada"}


def test_a_rare_word_outweighs_common_ones(workspace: Workspace) -> None:
    fill(workspace, *({"content": f"quokka {n} was seen"} for n in range(300)))
    fill(workspace, *({"content": f"report {n} is due" if n % 2 else f"note {n}"} for n in range(3_000)))
    found = recalled(workspace, "quokka report", strategy="keyword")
    assert all("quokka" in text for text in found)


@pytest.mark.parametrize(
    "query",
    [
        'acme "deploy-key" note',
        'acme"deploy-key"note',
        'note "title:acme" deploy',
        '"""',
        '"',
        "\ud83d",
        "* OR",
    ],
)
@pytest.mark.parametrize("strategy", ["", "keyword", "semantic", "hybrid"])
def test_queries_are_not_parsed_as_syntax(workspace: Workspace, query: str, strategy: str) -> None:
    fill(workspace, {"content": "acme keeps its deploy-key in a note"})
    workspace.recall(query, Caller("ada"), strategy=strategy)


def test_keyword_recall_returns_only_matches(workspace: Workspace) -> None:
    fill(workspace, {"content": "alpha one"}, {"content": "beta OPS-2213"}, {"content": "gamma three"})
    assert recalled(workspace, "OPS-2213") == ["beta OPS-2213"]


def test_accents_and_case_are_folded_as_in_the_word_index(workspace: Workspace) -> None:
    fill(workspace, {"content": "The office in Zürich, Hauptstraße 3"}, {"content": "Another office"})
    for word in ("Zurich", "zürich", "Hauptstraße"):
        found = workspace.recall(word, Caller("ada"), strategy="keyword")
        assert [memory.content for memory in found.memories] == ["The office in Zürich, Hauptstraße 3"]
        assert found.reasons[0].terms


def test_without_vectors_recall_falls_back_to_words(tmp_path: Path) -> None:
    workspace = Workspace.open(create_empty(tmp_path / "w.db"), clock=lambda: NOW, opener=HashEmbedder)
    ctx = workspace._ctx
    own = ctx.db.one("SELECT id FROM stores WHERE format = 'native'")
    with ctx.db.atomic():
        fields = {"content": "green tea", "status": "confirmed"}
        memory_rows.insert(ctx.db, own, "native", "", [Record(ref="m", fields=fields)], NOW)
    assert workspace.load_model()
    for strategy in ("semantic", "hybrid"):
        found = workspace.recall("green tea", Caller("ada"), strategy=strategy)
        assert ([memory.content for memory in found.memories], found.how) == (["green tea"], "keyword")
    workspace.close()


def test_an_unknown_strategy_is_refused(workspace: Workspace) -> None:
    with pytest.raises(Refused, match="Unknown strategy luck"):
        workspace.recall("tea", Caller("ada"), strategy="luck")


def test_recall_by_field_follows_founder_os(workspace: Workspace) -> None:
    fill(
        workspace,
        {"content": "a", "company_id": "acme", "confidence": 0.5, "key": "one"},
        {"content": "b", "company_id": "acme", "confidence": 0.9, "key": "two"},
        {"content": "c", "company_id": "acme", "confidence": 1.0, "status": "dismissed", "key": "three"},
        {"content": "d", "confidence": 1.0, "key": "one", "owner": "bob", "scope": "fleet"},
        {"content": "e", "confidence": 0.1, "key": "one", "owner": "ada"},
    )
    ada = Caller("ada")
    assert [m.content for m in workspace.recall_by("key", "one", ada).memories] == ["e"], "its own first"
    assert [m.content for m in workspace.recall_by("company_id", "acme", ada).memories] == ["b", "a"]
    assert [m.status for m in workspace.recall_by("key", "three", ada).memories] == ["dismissed"]
    assert workspace.recall_by("key", "none", ada).memories == ()
    with pytest.raises(Refused):
        workspace.recall_by("content", "a", ada)


def test_uses_are_counted_in_the_store_where_it_can_and_else_in_memtui(demo_workspace: DemoWorkspace) -> None:
    paths = demo_workspace.store_paths
    graph = paths[MCP].read_bytes()
    with demo_workspace.opened() as workspace:
        entries = len(workspace.journal())
        all_ids = workspace.search("").ids
        before = {memory.uid: memory for memory in workspace.memories(all_ids)}
        found = workspace.recall("migration allergic francs host", Caller("ada"), limit=50, statuses=())
        used = {memory.uid for memory in found.memories}
        assert {FOUNDER, CLAUDE, MCP, NATIVE} == {memory.store for memory in found.memories}
        assert not workspace.pull().total, "use counts are no news"
        after = {memory.uid: memory for memory in workspace.memories(all_ids)}
        for uid, memory in before.items():
            assert after[uid].times_used == memory.times_used + (uid in used)
        assert len(workspace.journal()) == entries
        assert len(workspace.backups(FOUNDER)) == 1, "the day's first write, as any other"
        assert not workspace.backups(MCP)
        founder_memories = [memory for memory in found.memories if memory.store == FOUNDER]
        counts = {memory.ref: memory.times_used + 1 for memory in founder_memories}
    assert paths[MCP].read_bytes() == graph
    table = rows_in(paths[FOUNDER])["memories"].values()
    assert {row["id"][1]: row["times_used"][1] for row in table if row["id"][1] in counts} == counts
