"""The fake workspace answers as the real one would: the same verbs, asked for and answered alike."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, get_type_hints

import pytest

import memtui.tui
from memtui.memory.contradictions.pairs import PairDetail
from memtui.memory.contradictions.queue import QueueCounts
from memtui.memory.journal import Event, EventItem
from memtui.memory.relations import RelationSpec
from memtui.memory.results import Change
from memtui.memory.stores import Counts
from memtui.workspace.background import JobControl
from memtui.workspace.relations.clusters import Tell
from memtui.workspace.workspace import Workspace
from tests.support.fake_workspace import FakeWorkspace, clock, sample
from tests.support.fake_workspace.base import strayed
from tests.support.fake_workspace.controls import Controls, Memories

# What the real modules import for type checkers alone.
NAMES = {"JobControl": JobControl, "Tell": Tell, "RelationSpec": RelationSpec}
# A real workspace is opened, a fake one is made of memories.
MADE_BY = "open"
# The tests' own memories, which answer as the verb, too.
BOTH = "memories"
MANAGER = contextmanager(lambda: iter(())).__code__


def public(names: Iterable[str]) -> set[str]:
    return {name for name in names if not name.startswith("_")}


VERBS = sorted(public(dir(Workspace)) - {MADE_BY, "model_opener"})
# The fake raises at these; `wraps` gives them the signature of the real ones.
UNANSWERED = {
    *("carrying", "copy", "create_store", "due", "forecast", "forecasts", "move", "rebuild", "recall"),
    *("recall_by", "relate", "relation", "retie", "run_decay", "soonest", "supersede", "use_lifecycles"),
    *("whys", "stats", "retries"),
}


@pytest.fixture
def real(tmp_path: Path) -> Iterator[Workspace]:
    workspace = Workspace.open(tmp_path / "w.db", clock=clock)
    yield workspace
    workspace.close()


def asked_by_screens() -> set[str]:
    """Every attribute that the screens take from what they call a workspace."""
    asked = set()
    for file in Path(memtui.tui.__path__[0]).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Attribute):
                of = node.value
                name = of.attr if isinstance(of, ast.Attribute) else of.id if isinstance(of, ast.Name) else ""
                if name in ("workspace", "_workspace", "work"):
                    asked.add(node.attr)
    return asked


def verb_of(kind: type[Workspace], name: str) -> Any:
    """A verb as the class holds it."""
    if kind is FakeWorkspace and name == BOTH:
        return Memories.__call__
    return inspect.getattr_static(kind, name)


def shape(verb: Any) -> dict[str, object]:
    """What sort of callable a verb is."""
    return {
        "held as": type(verb).__name__,
        "coroutine": inspect.iscoroutinefunction(verb),
        "asynchronous generator": inspect.isasyncgenfunction(verb),
        "context manager": getattr(verb, "__code__", None) is MANAGER,
    }


def parameters(verb: Any) -> list[tuple[object, ...]]:
    """Each parameter with its kind and default; of defaults that are functions, only that there is one."""
    return [
        (each.name, each.kind.name, "…" if callable(each.default) else each.default)
        if each.default is not each.empty
        else (each.name, each.kind.name)
        for each in inspect.signature(verb).parameters.values()
    ]


def differences(real: type[Workspace], fake: type[Workspace], name: str) -> list[str]:
    """In what a verb of the fake is other than the real one."""
    one, other = verb_of(real, name), verb_of(fake, name)
    if one is other:
        return [f"{name} is missing"]
    found = []
    for what, of in (("shape", shape), ("parameters", parameters), ("types", types)):
        if of(one) != of(other):
            found.append(f"{what} of {name}: {of(other)}, not {of(one)}")
    return found


def types(verb: Any) -> dict[str, Any]:
    """The types of what goes in and comes out."""
    return get_type_hints(verb, localns=NAMES)


@pytest.mark.parametrize("name", [name for name in VERBS if name not in UNANSWERED])
def test_each_verb_is_asked_for_and_answers_like_the_real_one(name: str) -> None:
    assert differences(Workspace, FakeWorkspace, name) == []


def test_what_screens_ask_of_a_workspace_is_there(real: Workspace) -> None:
    asked = asked_by_screens()
    assert asked >= {"search", "settle", "retie_words", "read_only", "watched"}, "the screens are read"
    assert sorted(asked - public(dir(real))) == []
    assert sorted(asked - public(dir(sample()))) == []


def test_there_is_nothing_beside_the_real_one_but_the_controls(real: Workspace) -> None:
    controls = public(vars(Controls()))
    assert public(dir(sample())) - public(dir(real)) == controls - {BOTH}
    assert controls & public(dir(real)) == {BOTH}


def test_what_it_holds_is_of_the_same_types(real: Workspace) -> None:
    held = public(vars(real))
    assert held == {"path", "read_only", "watched", "reconciled"}
    assert {n: type(getattr(sample(), n)) for n in held} == {n: type(getattr(real, n)) for n in held}


@pytest.mark.parametrize("name", sorted(UNANSWERED))
def test_a_verb_without_an_answer_says_so_and_is_remembered(name: str) -> None:
    with pytest.raises(NotImplementedError, match=name):
        getattr(sample(), name)()
    assert strayed == [name]
    strayed.clear()


def test_a_fake_workspace_is_not_opened() -> None:
    with pytest.raises(NotImplementedError):
        FakeWorkspace.open(Path("w.db"))


class Renamed(FakeWorkspace):
    def journal_items(self, journal_id: int) -> list[EventItem]: ...  # type: ignore[empty-body]


class Positional(FakeWorkspace):
    def pair(self, id: int, /) -> PairDetail | None: ...


class WithoutDefault(FakeWorkspace):
    def undo(self, line: int | None, *, warn: bool = False) -> Change: ...  # type: ignore[override, empty-body]


class OtherDefault(FakeWorkspace):
    def journal(self, limit: int = 20, before: int | None = None, who: str = "") -> list[Event]: ...  # type: ignore[empty-body]


class Asynchronous(FakeWorkspace):
    async def counts(self) -> Counts: ...  # type: ignore[override, empty-body]


class OtherAnswer(FakeWorkspace):
    def saved(self) -> list[str]: ...  # type: ignore[override, empty-body]


class Static(FakeWorkspace):
    @staticmethod
    def review() -> QueueCounts: ...  # type: ignore[empty-body]


class NoManager(FakeWorkspace):
    def interruptible(self, stop: Callable[[], bool]) -> Iterator[None]: ...  # type: ignore[override, empty-body]


class Missing(FakeWorkspace):
    recall = Workspace.recall


@pytest.mark.parametrize(
    ("fake", "name", "what"),
    [
        (Renamed, "journal_items", "parameters"),
        (Positional, "pair", "parameters"),
        (WithoutDefault, "undo", "parameters"),
        (OtherDefault, "journal", "parameters"),
        (Asynchronous, "counts", "shape"),
        (Static, "review", "shape"),
        (NoManager, "interruptible", "shape"),
        (OtherAnswer, "saved", "types"),
        (Missing, "recall", "missing"),
    ],
)
def test_a_difference_is_found(fake: type[Workspace], name: str, what: str) -> None:
    assert what in " ".join(differences(Workspace, fake, name))
