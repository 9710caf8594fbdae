"""The detectors on sets of texts that are made at run time: what they find, what they leave alone (S-62)."""

from __future__ import annotations

import apsw
import pytest

from memtui.workspace.db.sql_functions import FUNCTIONS, SECRET
from memtui.workspace.search.filters import has_secret
from tests.support.secret_texts.cases import Case, score
from tests.support.secret_texts.held_out import held_out
from tests.support.secret_texts.look_alikes import look_alikes
from tests.support.secret_texts.planted import planted

LEAST = 0.97


def own_set(seed: int) -> list[Case]:
    return planted(seed) + look_alikes(seed)


@pytest.mark.parametrize(
    "cases", [own_set(1), own_set(2), held_out(1)], ids=["own", "other seed", "held out"]
)
def test_secrets_are_found_and_look_alikes_are_not(cases: list[Case]) -> None:
    found = score(cases)
    problems = "\n".join(
        f"{what} {kind}: {text[:120]!r}"
        for what, texts in (("missed", found.missed), ("false alarm", found.false))
        for kind, each in texts.items()
        for text in each
    )
    assert found.recall >= LEAST, f"{found.recall:.3f}\n{problems}"
    assert found.precision >= LEAST, f"{found.precision:.3f}\n{problems}"


def test_the_sets_are_large_and_of_many_kinds() -> None:
    cases = own_set(1)
    kinds = {case.kind for case in cases if case.secret}, {case.kind for case in cases if not case.secret}
    assert len(kinds[0]) >= 30
    assert len(kinds[1]) >= 25
    assert sum(case.secret is not None for case in cases) >= 400
    assert sum(case.secret is None for case in cases) >= 400


def test_the_filter_of_searches_finds_the_same() -> None:
    """Its quick check in the database rules no secret out."""
    cases = own_set(3)
    db = apsw.Connection(":memory:")
    db.create_scalar_function(SECRET, FUNCTIONS[SECRET], 1)
    db.execute("CREATE TABLE memories(id INTEGER PRIMARY KEY, content, title, value, note, source_excerpt)")
    db.executemany(
        "INSERT INTO memories(id, content) VALUES(?, ?)", list(enumerate(case.text for case in cases))
    )
    db.execute("CREATE TABLE secrets(memory_id); CREATE TABLE secret_queue(memory_id)")
    db.execute("INSERT INTO secret_queue SELECT id FROM memories")  # the sweep has reached none
    found = {id for (id,) in db.execute(f"SELECT id FROM memories m WHERE {has_secret()}")}
    missed = {case.kind for number, case in enumerate(cases) if case.secret and number not in found}
    false = {case.kind for number, case in enumerate(cases) if not case.secret and number in found}
    assert len(missed) <= 3, missed
    assert len(false) <= 3, false
