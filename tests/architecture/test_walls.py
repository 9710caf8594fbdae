"""The walls between the packages (ARCHITECTURE, 'What may not happen'; LIMITS 1).

That imports go one way is import-linter's to say (`lint-imports`, pyproject.toml); here is what it
cannot see: what is loaded at run time, and SQL in places that must not have any.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import apsw

from tests.support.sizes import FULL, sample_cases

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "memtui"
CORE = ("memory", "formats", "workspace")
SCREENS = {"textual", "rich", "pyperclip"}
HEAVY = {
    "textual",
    "peewee",
    "playhouse",
    "apsw",
    "numpy",
    "fastembed",
    "onnxruntime",
    "textual_plot",
    "tomlkit",
}
SQL = {"execute", "executemany", "execute_sql", "raw_execute"}

LOADED = "import json, sys; print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))"


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def files_of(*packages: str) -> list[Path]:
    return sorted(path for name in packages for path in (PACKAGE / name).rglob("*.py"))


def run(*arguments: str) -> str:
    done = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, timeout=900 if FULL else 120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def loaded_after(program: str) -> set[str]:
    """The top-level modules that a fresh Python holds after `program`."""
    return set(json.loads(run(sys.executable, "-c", f"{program}\n{LOADED}").splitlines()[-1]))


def imports(path: Path) -> Iterator[str]:
    """The modules that a file names in its import statements, inside functions too."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_no_module_of_the_core_imports_a_screen_library() -> None:
    modules = [module_name(path) for path in files_of(*CORE)]
    program = f"""
import importlib, sys
for name in {modules!r}:
    importlib.import_module(name)
    loaded = {{each.partition(".")[0] for each in sys.modules}} & {SCREENS!r}
    if loaded:
        sys.exit(f"{{name}} imports {{', '.join(sorted(loaded))}}")
print(sum(name in sys.modules for name in {modules!r}))
"""
    assert modules
    assert int(run(sys.executable, "-c", program)) == len(modules)


def test_modules_of_the_core_can_be_imported_first() -> None:
    """A circular import shows only where one of its modules is the first."""
    modules = sample_cases([module_name(path) for path in files_of(*CORE)], 6)
    program = f"""
import importlib, os
for name in {modules!r}:
    child = os.fork()
    if child == 0:
        code = 1
        try:
            importlib.import_module(name)
            code = 0
        finally:
            os._exit(code)
    if os.waitpid(child, 0)[1]:
        print(name)
"""
    assert modules
    assert run(sys.executable, "-c", program) == ""


def test_help_loads_nothing_heavy() -> None:
    program = """
import runpy, sys
sys.argv = ["memtui", "--help"]
try:
    runpy.run_module("memtui", run_name="__main__")
except SystemExit as end:
    assert not end.code
"""
    assert loaded_after(program) & HEAVY == set()


def test_only_one_sqlite_library_is_in_use() -> None:
    offenders = [
        module_name(path)
        for path in files_of(".")
        if b"sqlite3" in path.read_bytes()
        and any(name.partition(".")[0] in ("sqlite3", "_sqlite3", "pysqlite3") for name in imports(path))
    ]
    assert offenders == []


def test_the_linked_sqlite_loses_no_acknowledged_write() -> None:
    assert tuple(map(int, apsw.sqlite_lib_version().split("."))) >= (3, 51, 3)


def test_screens_and_commands_never_run_sql() -> None:
    drivers = {"apsw", "peewee", "playhouse", "sqlite_vec", "memtui.workspace.db.models"}
    offenders = set()
    for path in files_of("tui", "cli"):
        tree = ast.parse(path.read_bytes())
        calls = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)} & SQL
        named = {name for each in imports(path) for name in (each, each.partition(".")[0])}
        offenders |= {(module_name(path), name) for name in calls | named & drivers}
    assert offenders == set()
