"""The fake workspace has the same verbs as the real one, with the same parameters and types."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, get_type_hints

import pytest

import memtui.tui
from memtui.memory.agents.figures import AllFigures, Overtaken
from memtui.memory.contradictions.pairs import PairDetail
from memtui.memory.contradictions.queue import QueueCounts
from memtui.memory.journal import Event, EventItem
from memtui.memory.relations import RelationSpec
from memtui.memory.results import Change
from memtui.memory.rules.file.trusting import TrustedFile
from memtui.memory.rules.trial import RuleCounts, Trial
from memtui.memory.secrets.masking import Masking
from memtui.memory.stores import Counts
from memtui.workspace.agents.listing import ListedAgent
from memtui.workspace.background import JobControl
from memtui.workspace.policies.breaches import Refusals
from memtui.workspace.relations.clusters import Report
from memtui.workspace.remember.checking import Breaching
from memtui.workspace.workspace import Workspace
from tests.support.fake_workspace import FakeWorkspace, clock, sample
from tests.support.fake_workspace.base import unsupported_calls
from tests.support.fake_workspace.controls import Controls, Memories

# Names that the real modules import only for type checkers.
NAMES = {
    **{"Masking": Masking, "JobControl": JobControl, "Report": Report, "RelationSpec": RelationSpec},
    **{"RuleCounts": RuleCounts, "Trial": Trial, "Refusals": Refusals, "Breaching": Breaching},
    **{"TrustedFile": TrustedFile, "ListedAgent": ListedAgent, "Overtaken": Overtaken},
    "AllFigures": AllFigures,
}
# A real workspace is opened, a fake one is made of memories.
CONSTRUCTOR = "open"
# A control that is also a verb.
SHARED = "memories"
MANAGER = contextmanager(lambda: iter(())).__code__


def public(names: Iterable[str]) -> set[str]:
    return {name for name in names if not name.startswith("_")}


VERBS = sorted(public(dir(Workspace)) - {CONSTRUCTOR, "model_opener"})
# These raise NotImplementedError; `wraps` gives them the signature of the real ones.
UNSUPPORTED = {
    *(
        "preview_transfer",
        "preview_transfer_stores",
        "copy",
        "create_store",
        "due",
        "forecast",
        "forecasts",
        "move",
        "rebuild",
    ),
    *("shown_memories", "redact", "redact_preview", "import_rules", "trust_plan"),
    *("trust_rules", "distrust_rules", "rule_matches", "policy_misfits"),
    *("recall", "recall_by", "relate", "relation", "update_relation", "run_decay", "soonest"),
    *(
        "replace",
        "replace_preview",
        "supersede",
        "set_lifecycle_options",
        "match_reasons",
        "stats",
        "retries",
        "report",
    ),
    *("refused_today", "remember", "agent_figures", "store_for"),
    *(
        "calling",
        "list_for",
        "find_for",
        "readable_for",
        "changeable_for",
        "agent_named",
        "hidden_from",
        "pairs_for",
        "forget_for",
        "edit_for",
        "confirm_for",
    ),
    *("connections", "connect_plans", "connect"),
    *("disconnect_plans", "disconnect"),
}


@pytest.fixture
def real(tmp_path: Path) -> Iterator[Workspace]:
    workspace = Workspace.open(tmp_path / "w.db", clock=clock)
    yield workspace
    workspace.close()


def used_by_screens() -> set[str]:
    """Return every attribute that the screens use of what they call a workspace."""
    used = set()
    for file in Path(memtui.tui.__path__[0]).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Attribute):
                owner = node.value
                name = ""
                if isinstance(owner, ast.Attribute | ast.Name):
                    name = owner.attr if isinstance(owner, ast.Attribute) else owner.id
                if name in ("workspace", "_workspace", "work"):
                    used.add(node.attr)
    return used


def verb_of(kind: type[Workspace], name: str) -> Any:
    """Return a verb as the attribute of its class."""
    if kind is FakeWorkspace and name == SHARED:
        return Memories.__call__
    return inspect.getattr_static(kind, name)


def shape(verb: Any) -> dict[str, object]:
    """Return what kind of callable a verb is."""
    return {
        "type": type(verb).__name__,
        "coroutine": inspect.iscoroutinefunction(verb),
        "asynchronous generator": inspect.isasyncgenfunction(verb),
        "context manager": getattr(verb, "__code__", None) is MANAGER,
    }


def parameters(verb: Any) -> list[tuple[object, ...]]:
    """Return each parameter with its kind and default; for a function as default, only that it has one."""
    return [
        (each.name, each.kind.name, "…" if callable(each.default) else each.default)
        if each.default is not each.empty
        else (each.name, each.kind.name)
        for each in inspect.signature(verb).parameters.values()
    ]


def differences(real: type[Workspace], fake: type[Workspace], name: str) -> list[str]:
    """Return how a verb of the fake differs from the real one."""
    expected, actual = verb_of(real, name), verb_of(fake, name)
    if expected is actual:
        return [f"{name} is missing"]
    found = []
    for aspect, read in (("shape", shape), ("parameters", parameters), ("types", types)):
        if read(expected) != read(actual):
            found.append(f"{aspect} of {name}: {read(actual)}, not {read(expected)}")
    return found


def types(verb: Any) -> dict[str, Any]:
    """Return the types of the parameters and of the result."""
    return get_type_hints(verb, localns=NAMES)


@pytest.mark.parametrize("name", [name for name in VERBS if name not in UNSUPPORTED])
def test_each_verb_has_the_signature_of_the_real_one(name: str) -> None:
    assert differences(Workspace, FakeWorkspace, name) == []


def test_screens_use_only_what_both_workspaces_have(real: Workspace) -> None:
    used = used_by_screens()
    assert used >= {"search", "settle", "update_consequence", "read_only", "watched"}
    assert sorted(used - public(dir(real))) == []
    assert sorted(used - public(dir(sample()))) == []


def test_the_fake_adds_only_the_controls(real: Workspace) -> None:
    controls = public(vars(Controls()))
    assert public(dir(sample())) - public(dir(real)) == controls - {SHARED}
    assert controls & public(dir(real)) == {SHARED}


def test_public_attributes_have_the_same_types(real: Workspace) -> None:
    names = public(vars(real))
    assert names == {"path", "read_only", "watched", "reconciled"}
    assert {n: type(getattr(sample(), n)) for n in names} == {n: type(getattr(real, n)) for n in names}


@pytest.mark.parametrize("name", sorted(UNSUPPORTED))
def test_an_unsupported_verb_raises_and_is_noted(name: str) -> None:
    with pytest.raises(NotImplementedError, match=name):
        getattr(sample(), name)()
    assert unsupported_calls == [name]
    unsupported_calls.clear()


def test_a_fake_workspace_cannot_be_opened() -> None:
    with pytest.raises(NotImplementedError):
        FakeWorkspace.open(Path("w.db"))


class Renamed(FakeWorkspace):
    def journal_items(self, journal_id: int) -> list[EventItem]: ...  # type: ignore[empty-body]


class Positional(FakeWorkspace):
    def pair(self, id: int, /) -> PairDetail | None: ...


class WithoutDefault(FakeWorkspace):
    def undo(self, entry_id: int | None, *, warn: bool = False) -> Change: ...  # type: ignore[override, empty-body]


class OtherDefault(FakeWorkspace):
    def journal(  # type: ignore[empty-body]
        self, limit: int = 20, before: int | None = None, who: str = "", session: str = ""
    ) -> list[Event]: ...


class Asynchronous(FakeWorkspace):
    async def counts(self) -> Counts: ...  # type: ignore[override, empty-body]


class OtherResult(FakeWorkspace):
    def saved_searches(self) -> list[str]: ...  # type: ignore[override, empty-body]


class Static(FakeWorkspace):
    @staticmethod
    def queue_counts() -> QueueCounts: ...  # type: ignore[empty-body]


class NoManager(FakeWorkspace):
    def interruptible(self, stop: Callable[[], bool]) -> Iterator[None]: ...  # type: ignore[override, empty-body]


class Missing(FakeWorkspace):
    recall = Workspace.recall


@pytest.mark.parametrize(
    ("fake", "name", "aspect"),
    [
        (Renamed, "journal_items", "parameters"),
        (Positional, "pair", "parameters"),
        (WithoutDefault, "undo", "parameters"),
        (OtherDefault, "journal", "parameters"),
        (Asynchronous, "counts", "shape"),
        (Static, "queue_counts", "shape"),
        (NoManager, "interruptible", "shape"),
        (OtherResult, "saved_searches", "types"),
        (Missing, "recall", "missing"),
    ],
)
def test_a_difference_is_found(fake: type[Workspace], name: str, aspect: str) -> None:
    assert aspect in " ".join(differences(Workspace, fake, name))
