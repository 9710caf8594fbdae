"""Words and meaning together, whatever is there of them (S-30)."""

from __future__ import annotations

import random
from collections.abc import Iterator

import apsw
import pytest

from memtui.memory.ranking import DEFAULT, EMPTY, words_of
from memtui.workspace import vectors
from memtui.workspace.hybrid import Search
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import FOUNDER, SAMPLE, DemoWorkspace, the
from tests.support.fake_models import minded
from tests.support.sizes import rounds

QUESTION = "where is the staging host"


@pytest.fixture
def workspace(demo_workspace: DemoWorkspace) -> Iterator[Workspace]:
    workspace = minded(demo_workspace.path, clock=demo_workspace.clock)
    workspace.embed()
    yield workspace
    workspace.close()


def search(workspace: Workspace, question: str = QUESTION, where: str = "m.live") -> Search:
    core = workspace._core
    return Search(core.db, question, (where, ()), core.meaning.vector, core.clock(), DEFAULT)


def test_candidates_come_from_both(workspace: Workspace) -> None:
    one = search(workspace)
    bits = workspace._core.meaning.bits
    assert the(workspace, "staging host") in one.by_words(50)
    near = one.by_meaning(bits, 50)
    assert near[0][0] == the(workspace, "staging host")
    best = one.best(bits, 50)
    assert best[0].id == the(workspace, "staging host")
    assert {"staging", "host"} <= set(best[0].matched)
    assert [each.id for each in best] == [each.id for each in search(workspace).best(bits, 50)]


def test_a_filter_holds_for_both(workspace: Workspace) -> None:
    id = the(workspace, SAMPLE[FOUNDER])
    best = search(workspace, where=f"m.id = {id}").best(workspace._core.meaning.bits, 50)
    assert [each.id for each in best] == [id]
    assert search(workspace, where="m.id < 0").best(workspace._core.meaning.bits, 50) == []


def test_what_has_no_vector_yet_is_found_by_its_words(workspace: Workspace) -> None:
    id = workspace.add({"content": "The zebra host is new."}).ids[0]
    best = {each.id: each for each in search(workspace, "zebra host").best(workspace._core.meaning.bits, 50)}
    assert best[id].cosine is None
    assert best[id].words > 0.5


def test_a_question_of_nothing_finds_nothing_by_words(workspace: Workspace) -> None:
    assert search(workspace, "").by_words(50) == []
    assert search(workspace, "?!").by_words(50) == []
    search(workspace, "").best(workspace._core.meaning.bits, 50)


@pytest.mark.parametrize("name", ["nearest", "measured", "likeness"])
def test_vectors_that_cannot_be_read_leave_the_words(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def broken(*_: object) -> None:
        raise apsw.CorruptError("database disk image is malformed")

    monkeypatch.setattr(vectors, name, broken)
    one = search(workspace)
    best = one.best(workspace._core.meaning.bits, 50)
    assert best[0].id == the(workspace, "staging host")
    assert "malformed" in one.trouble


def test_what_is_interrupted_is_not_taken_for_damage(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut(*_: object) -> None:
        raise apsw.InterruptError("interrupted")

    monkeypatch.setattr(vectors, "nearest", cut)
    with pytest.raises(apsw.InterruptError):
        search(workspace).best(workspace._core.meaning.bits, 50)


def test_any_character_may_be_asked_for(workspace: Workspace) -> None:
    from memtui.memory.ranking import WORD

    letters = [chr(code) for code in range(1, 0x3000) if WORD.fullmatch(chr(code))]
    for start in range(0, len(letters), 16):
        search(workspace, " ".join(letters[start : start + 16])).by_words(5)
        search(workspace, " ".join(letter * 6 for letter in letters[start : start + 16])).by_words(5)


@pytest.mark.parametrize("fields", [{"tags": ("QZXP",)}, {"key": "notes.qzxp"}])
def test_a_name_that_only_a_tag_or_key_has_is_found_among_unknown_words(
    workspace: Workspace, fields: dict[str, object]
) -> None:
    id = workspace.add({"content": "Ask Ines before the quarter ends.", **fields}).ids[0]
    workspace.embed()
    one = search(workspace, "what does QZXP unfurl haphazardly beyond marmalade")
    best = one.best(workspace._core.meaning.bits, 50)
    assert (best[0].id, best[0].words, best[0].matched) == (id, 1.0, ("qzxp",))


def test_any_question_made_of_stored_words_has_an_answer(workspace: Workspace) -> None:
    said = [
        word for memory in workspace.memories(workspace.search("").ids) for word in words_of(memory.content)
    ]
    empty = sorted(EMPTY)
    for number in range(rounds(60, 5_000)):
        chance = random.Random(number)
        words = [chance.choice(said) for _ in range(chance.randint(0, 5))]
        last = chance.choice(["", chance.choice(empty), chance.choice(said)[: chance.randint(1, 3)]])
        text = " ".join([*words, last]) + chance.choice(["", " ", "?"])
        found = workspace.fused(text, workspace.search(text).ids)
        if found is not None:
            workspace.whys(text, found.ids[:3])
