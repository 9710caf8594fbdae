"""To an agent, another's private memory is as one that is not there: the same answers and traces (S-61)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memtui.errors import Refused
from memtui.memory.results import RecallResult
from memtui.workspace.search.recall import Caller
from memtui.workspace.workspace import Workspace
from tests.support.empty_workspace import create_empty

NOW = 1_760_000_000.0
ADA = Caller("ada")
HIDDEN, MISSING = "vaultkeeper", "zebrakeeper"


@pytest.fixture
def work(tmp_path: Path) -> Iterator[Workspace]:
    workspace = Workspace.open(create_empty(tmp_path / "w.db"), clock=lambda: NOW)
    for number in range(3):
        shared = {"owner": "bob", "scope": "private", "confidence": 0.9}
        names = dict.fromkeys(("subject", "category", "company_id", "source_ref", "title"), HIDDEN)
        workspace.add({"content": f"The {HIDDEN} pours tea {number}.", "key": HIDDEN, **names, **shared})
    for text in ("Tea is poured at four.", "Coffee is poured at ten.", "The keeper is away."):
        workspace.add({"content": text, "scope": "fleet"})
    yield workspace
    workspace.close()


def log_of(work: Workspace) -> list[tuple[object, ...]]:
    sql = "SELECT actor, strategy, how, results FROM recall_log ORDER BY id DESC LIMIT 1"
    return list(work._ctx.db.rows(sql))


def told(found: RecallResult) -> tuple[object, ...]:
    why = [(each.coverage, each.terms) for each in found.reasons]  # scores change with each use
    return [each.uid for each in found.memories], why, found.how, found.related, found.contradicted


def test_what_is_hidden_answers_as_what_is_missing(work: Workspace) -> None:
    assert len(work.recall(HIDDEN, Caller("bob")).memories) == 3
    asked: list[Callable[[str], RecallResult]] = [
        *(
            lambda name, strategy=strategy: work.recall(f"who pours tea, {name}", ADA, strategy=strategy)
            for strategy in ("keyword", "semantic", "hybrid")
        ),
        lambda name: work.recall(name, ADA, strategy="keyword"),
        lambda name: work.recall(f'"{name}" tea', ADA, strategy="keyword"),
        lambda name: work.recall("tea", ADA, subject=name),
        lambda name: work.recall(name, ADA, subject=name, category=name),
        lambda name: work.list_for(ADA, name),
        *(
            lambda name, field=field: work.recall_by(field, name, ADA)
            for field in ("key", "uid", "company_id", "source_ref")
        ),
    ]
    before = len(work.journal())
    for ask in asked:
        assert (told(ask(HIDDEN)), log_of(work)) == (told(ask(MISSING)), log_of(work))
    assert len(work.journal()) == before
    assert {each.times_used for each in work.memories(work.ids_in(key=HIDDEN))} == {1}, "bob's own use"


def test_a_hidden_word_weighs_as_much_as_one_that_nothing_has(work: Workspace) -> None:
    question = "who pours tea {}"
    hidden, missing = (
        work.recall(question.format(name), ADA, strategy="keyword") for name in (HIDDEN, MISSING)
    )
    assert [each.coverage for each in hidden.reasons] == [each.coverage for each in missing.reasons]
    # To bob it is a word like others.
    of_bob = work.recall(question.format(HIDDEN), Caller("bob"), strategy="keyword")
    assert set(of_bob.reasons[0].terms) == {"pours", "tea", HIDDEN}


def test_refusals_are_the_same(work: Workspace) -> None:
    (uid, *_) = [each.uid for each in work.memories(work.ids_in(key=HIDDEN))]
    for field, names in {"key": (HIDDEN, MISSING), "uid": (uid, "nothing", uid[:8])}.items():
        refusals = set()
        for name in names:
            with pytest.raises(Refused) as caught:
                work.find_for("ada", field, name)
            refusals.add((caught.value.code, caught.value.message, caught.value.hint))
        assert len(refusals) == 1
