"""Rules, policies and limits are decided by one memtui at a time (S-60, S-61)."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from memtui.errors import PolicyRefused, Refused
from memtui.memory.policies import editing
from memtui.workspace.policies import rows
from memtui.workspace.remember import limits
from memtui.workspace.rules import keeping as rule_keeping
from memtui.workspace.workspace import Workspace
from tests.support.empty_workspace import create_empty

Act = Callable[[Workspace, str], object]


def remembers(work: Workspace, name: str) -> None:
    with suppress(PolicyRefused):
        work.remember("scout", {"content": f"The kettle is {name}."})


def repeats(work: Workspace, name: str) -> None:
    work.remember("free", {"content": "The kettle is new."})


def adds_a_rule(work: Workspace, name: str) -> None:
    work.add_rule(name, "tea", ["pin"])


def sets_a_part(work: Workspace, name: str) -> None:
    work.set_policy(
        "scout", read=["fleet"] if name == "first" else None, write=["fleet"] if name == "second" else None
    )


def outcome(work: Workspace) -> tuple[Any, ...]:
    """Return what the verbs leave, in an order of their own."""
    contents = sorted(each.owner or "" for each in work.memories(list(work.search("").ids)))
    policy = rows.kept(work._ctx)[0]
    return contents, sorted(each.name for each in work.rules()), policy.read, policy.write


@pytest.mark.parametrize(
    ("act", "module", "step", "expected"),
    [
        (remembers, limits, "room", (["scout"], [], None, None)),
        (repeats, limits, "room", (["free"], [], None, None)),
        (adds_a_rule, rule_keeping, "draft", ([], ["first", "second"], None, None)),
        (sets_a_part, editing, "put", ([], [], ("fleet",), ("fleet",))),
    ],
)
def test_another_memtui_waits_until_what_was_decided_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, act: Act, module: ModuleType, step: str, expected: Any
) -> None:
    path = create_empty(tmp_path / "own" / "w.db")
    decide = getattr(module, step)
    meanwhile: list[threading.Thread] = []

    def act_in_another() -> None:
        with ExitStack() as stack:
            other = Workspace.open(path)
            stack.callback(other.close)
            act(other, "second")

    def decided(*values: Any, **more: Any) -> Any:
        found = decide(*values, **more)
        if not meanwhile:
            meanwhile.append(threading.Thread(target=act_in_another))
            meanwhile[0].start()
            meanwhile[0].join(0.3)  # it would be done by then
        return found

    work = Workspace.open(path)
    work.set_policy("scout", most=["private=1"])
    monkeypatch.setattr(module, step, decided)
    act(work, "first")
    meanwhile[0].join()
    try:
        assert outcome(work) == expected
    finally:
        work.close()


def test_who_leaves_first_does_not_let_others_in(tmp_path: Path) -> None:
    path = create_empty(tmp_path / "own" / "w.db")
    with ExitStack() as stack:
        work, other = (Workspace.open(path) for _ in range(2))
        stack.callback(work.close)
        stack.callback(other.close)
        first, second = work._ctx.leases.alone(), work._ctx.leases.alone()
        first.__enter__()
        second.__enter__()
        first.__exit__(None, None, None)
        with pytest.raises(Refused), other._ctx.leases.alone(0):
            pass
        second.__exit__(None, None, None)
        with other._ctx.leases.alone(0):
            pass
