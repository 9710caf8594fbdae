"""A write is queued where its key is handled: a coroutine may be cancelled before it begins, and with it the
change that the user asked for."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

TUI = Path(__file__).parents[2] / "memtui" / "tui"


def calls_of(method: str, node: ast.AST) -> Iterator[ast.Call]:
    """Yield the calls of a method by its name and, after a dot, that of its object: "lanes.write"."""
    for each in ast.walk(node):
        if isinstance(each, ast.Call) and ast.unparse(each.func).endswith(f".{method}"):
            yield each


def modules() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(TUI.rglob("*.py")):
        yield str(path.relative_to(TUI)), ast.parse(path.read_text("utf-8"))


def test_no_coroutine_queues_a_write() -> None:
    found = [
        f"{name}:{call.lineno}"
        for name, module in modules()
        for function in ast.walk(module)
        if isinstance(function, ast.AsyncFunctionDef)
        for call in calls_of("lanes.write", function)
    ]
    assert found == []


def test_a_worker_is_given_a_function_not_a_coroutine() -> None:
    """A coroutine that never begins is reported when the program ends."""
    found = [name for name, module in modules() for _ in calls_of("run_worker", module)]
    assert found == ["changes.py"]


def test_the_writes_are_found() -> None:
    assert any(list(calls_of("lanes.write", module)) for _, module in modules())
