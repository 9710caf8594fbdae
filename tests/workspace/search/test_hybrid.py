"""Hybrid search by words and vectors, with either part missing (S-30)."""

from __future__ import annotations

import random
from collections.abc import Iterator

import apsw
import pytest

from memtui.memory.ranking import DEFAULT, STOP_WORDS, Candidate, words_of
from memtui.workspace.search.hybrid import MAX_NAMED, Search
from memtui.workspace.search.recall import Caller
from memtui.workspace.search.retrieval import BOTH, WORDS
from memtui.workspace.vectors import vector_store
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import FOUNDER, SAMPLE, DemoWorkspace, find_id
from tests.support.fake_models import FakeModel, open_with_model
from tests.support.sizes import rounds

QUERY = "where is the staging host"


@pytest.fixture
def workspace(demo_workspace: DemoWorkspace) -> Iterator[Workspace]:
    workspace = open_with_model(demo_workspace.path, clock=demo_workspace.clock)
    workspace.embed()
    yield workspace
    workspace.close()


def search(workspace: Workspace, question: str = QUERY, where: str = "m.live") -> Search:
    ctx = workspace._ctx
    return Search(ctx.db, question, (where, ()), ctx.model.vector, ctx.clock(), DEFAULT)


def test_candidates_come_from_words_and_vectors(workspace: Workspace) -> None:
    hybrid = search(workspace)
    bits = workspace._ctx.model.bits
    assert find_id(workspace, "staging host") in hybrid.by_words(50)
    near = hybrid.by_meaning(bits, 50)
    assert near[0][0] == find_id(workspace, "staging host")
    best = hybrid.best(bits, 50)
    assert best[0].id == find_id(workspace, "staging host")
    assert {"staging", "host"} <= set(best[0].matched)
    assert [each.id for each in best] == [each.id for each in search(workspace).best(bits, 50)]


def test_of_many_equal_keys_the_newest_within_the_filter_are_found(workspace: Workspace) -> None:
    ids = [
        workspace.add({"content": f"Wave {number}.", "key": "tide.now"}).ids[0]
        for number in range(MAX_NAMED + 3)
    ]
    assert search(workspace, "tide.now").by_name() == ids[:2:-1]
    assert search(workspace, "tide.now", f"m.id <= {ids[1]}").by_name() == ids[1::-1]
    assert search(workspace, "tide.now", f"m.id > {ids[-2]}").by_name() == ids[-1:]


def test_a_filter_applies_to_words_and_vectors(workspace: Workspace) -> None:
    id = find_id(workspace, SAMPLE[FOUNDER])
    best = search(workspace, where=f"m.id = {id}").best(workspace._ctx.model.bits, 50)
    assert [each.id for each in best] == [id]
    assert search(workspace, where="m.id < 0").best(workspace._ctx.model.bits, 50) == []


def test_a_memory_without_a_vector_is_found_by_words(workspace: Workspace) -> None:
    id = workspace.add({"content": "The zebra host is new."}).ids[0]
    best = {each.id: each for each in search(workspace, "zebra host").best(workspace._ctx.model.bits, 50)}
    assert best[id].cosine is None
    assert best[id].coverage > 0.5


def test_an_empty_query_matches_no_words(workspace: Workspace) -> None:
    assert search(workspace, "").by_words(50) == []
    assert search(workspace, "?!").by_words(50) == []
    search(workspace, "").best(workspace._ctx.model.bits, 50)


@pytest.mark.parametrize("name", ["nearest", "measured", "similarities"])
def test_unreadable_vectors_leave_the_word_matches(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def broken(*_: object) -> None:
        raise apsw.CorruptError("database disk image is malformed")

    monkeypatch.setattr(vector_store, name, broken)
    hybrid = search(workspace)
    best = hybrid.best(workspace._ctx.model.bits, 50)
    assert best[0].id == find_id(workspace, "staging host")
    assert "malformed" in hybrid.error


def test_an_interrupted_search_is_not_taken_for_damage(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise apsw.InterruptError("interrupted")

    monkeypatch.setattr(vector_store, "nearest", interrupt)
    with pytest.raises(apsw.InterruptError):
        search(workspace).best(workspace._ctx.model.bits, 50)


def test_any_letter_can_be_searched(workspace: Workspace) -> None:
    from memtui.memory.ranking import WORD

    letters = [chr(code) for code in range(1, 0x3000) if WORD.fullmatch(chr(code))]
    for start in range(0, len(letters), 16):
        search(workspace, " ".join(letters[start : start + 16])).by_words(5)
        search(workspace, " ".join(letter * 6 for letter in letters[start : start + 16])).by_words(5)


@pytest.mark.parametrize("fields", [{"tags": ("QZXP",)}, {"key": "notes.qzxp"}])
def test_a_name_in_a_tag_or_key_is_found_among_unknown_words(
    workspace: Workspace, fields: dict[str, object]
) -> None:
    id = workspace.add({"content": "Ask Ines before the quarter ends.", **fields}).ids[0]
    workspace.embed()
    hybrid = search(workspace, "what does QZXP unfurl haphazardly beyond marmalade")
    best = hybrid.best(workspace._ctx.model.bits, 50)
    assert (best[0].id, best[0].coverage, best[0].matched) == (id, 1.0, ("qzxp",))


def test_any_query_of_stored_words_works(workspace: Workspace) -> None:
    stored_words = [
        word for memory in workspace.memories(workspace.search("").ids) for word in words_of(memory.content)
    ]
    stop_words = sorted(STOP_WORDS)
    for number in range(rounds(60, 5_000)):
        rng = random.Random(number)
        words = [rng.choice(stored_words) for _ in range(rng.randint(0, 5))]
        last = rng.choice(["", rng.choice(stop_words), rng.choice(stored_words)[: rng.randint(1, 3)]])
        text = " ".join([*words, last]) + rng.choice(["", " ", "?"])
        found = workspace.fused(text, workspace.search(text).ids)
        if found is not None:
            workspace.match_reasons(text, found.ids[:3])


def test_a_uid_is_the_only_result_and_a_key_comes_first(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FakeModel, "tokens_per_word", lambda self, words: 1.0 if "staging" in words else 5.0)
    plain = workspace.add({"content": "The staging host is ready.", "key": "hosts.staging"}).ids[0]
    other = workspace.add({"content": "hosts.staging hosts staging: see the key, hosts staging."}).ids[0]
    workspace.embed()
    (memory,) = workspace.memories([plain])
    for by in (BOTH, WORDS):
        for uid in (memory.uid, memory.uid[:12]):
            hits = workspace.fused(uid, workspace.search(uid).ids, by=by)
            assert hits is not None
            assert (list(hits.ids), hits.related) == ([plain], 0)
        hits = workspace.fused("hosts.staging", workspace.search("hosts.staging").ids, by=by)
        assert hits is not None
        assert list(hits.ids[:2]) == [plain, other]
    recalled = workspace.recall(memory.uid, Caller())
    assert [each.uid for each in recalled.memories] == [memory.uid]


def test_a_quoted_phrase_comes_first(workspace: Workspace) -> None:
    workspace.add({"content": "Cinnamon tea, tea, the bun and another cinnamon tea."})
    exact = workspace.add(
        {"content": "Something long about Ines, who now and then eats a cinnamon bun."}
    ).ids[0]
    workspace.embed()
    hits = workspace.fused('"cinnamon bun" tea', workspace.search('"cinnamon bun" tea').ids)
    assert hits is not None
    assert (list(hits.ids), hits.related) == ([exact], 0)
    recalled = workspace.recall('is tea with a "cinnamon bun" good', Caller(), statuses=())
    first = recalled.memories[0]
    assert [first.uid] == [memory.uid for memory in workspace.memories([exact])]


def test_related_memories_come_last_and_are_counted(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = find_id(workspace, "staging host")
    fused = workspace.fused(QUERY, [])
    assert fused is not None
    near = {each: 0.6 if each == id else 0.1 if each % 2 else 0.25 for each in fused.ids}

    def candidates(self: Search, *_: object, **__: object) -> list[Candidate]:
        return [Candidate(each, "", 0.0, near[each], matched=("host",) * (each == id), relevance=near[each])
                for each in near]  # fmt: skip

    monkeypatch.setattr(Search, "best", candidates)
    related = [each for each in near if near[each] == 0.25]
    hits = workspace.fused(QUERY, [])
    assert hits is not None
    assert (list(hits.ids), hits.related) == ([id, *related], len(related))
    oldest = workspace.fused(QUERY, [], sort="oldest")
    assert oldest is not None
    assert (oldest.ids[0], oldest.related) == (id, len(related))
    recalled = workspace.recall(QUERY, Caller(), statuses=(), limit=1_000)
    assert recalled.related == len(recalled.memories) - 1 > 0
