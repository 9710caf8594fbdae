"""`memtui cognitive …`: what a Cognitive Memory tree derives from its memories, rebuilt (S-83)."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memtui.cli.runtime.open_workspace import fresh, workspace
from memtui.cli.runtime.output import Output
from memtui.errors import Refused
from memtui.formats.contract.adapter import clean

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace

_FORMAT = "cognitive"


def show(args: Any, output: Output) -> None:
    """The attached Cognitive Memory trees."""
    with workspace(args, output) as opened:
        infos = [info for info in opened.stores() if info.format == _FORMAT]
    if output.json:
        output.data([{"name": each.name, "path": each.path, "count": each.count} for each in infos])
        return
    output.table([(each.name, f"{each.count:,}", each.path) for each in infos])
    if not infos:
        output.note("No Cognitive Memory tree is attached: memtui stores attach PATH.")


def reindex(args: Any, output: Output) -> None:
    """Rebuild _index.json."""
    _rebuild(args, output, "index")


def core(args: Any, output: Output) -> None:
    """Rebuild CORE.md."""
    _rebuild(args, output, "core")


def reflect(args: Any, output: Output) -> None:
    """Rebuild REFLECTION.md."""
    _rebuild(args, output, "reflection")


def decay(args: Any, output: Output) -> None:
    """Work the scores in _state.json out anew."""
    _rebuild(args, output, "state")


def _rebuild(args: Any, output: Output, what: str) -> None:
    with fresh(args, output) as opened:
        name, path = _store(opened, clean(args.store))
        written = opened.rebuild(name, what)
        if output.json:
            output.data({"store": name, "written": [str(path / each) for each in written]})
            return
        for each in written:
            output.line(f"Written: {path / each}")
        if not written:
            output.line(f"{name} is already up to date.")


def _store(opened: Workspace, said: str) -> tuple[str, Path]:
    """The tree that is meant, by its name or its path; the only one, where nothing is said."""
    trees = {info.name: Path(info.path) for info in opened.stores() if info.format == _FORMAT}
    if not said:
        if len(trees) == 1:
            return next(iter(trees.items()))
        if not trees:
            raise Refused(
                "no-store", "No Cognitive Memory tree is attached.", "memtui stores attach PATH attaches one."
            )
        raise Refused("which", f"Which one? There are {', '.join(trees)}.", "Name it behind the command.")
    if said in trees:
        return said, trees[said]
    real = os.path.realpath(os.path.expanduser(said))
    for name, path in trees.items():
        if os.path.realpath(path) == real:
            return name, path
    if any(info.name == said for info in opened.stores()):
        raise Refused("format", f"{said} is no Cognitive Memory tree.", "Nothing was changed.")
    if os.path.exists(real):
        raise Refused(
            "not-attached",
            f"{said} is not attached.",
            f"Nothing was changed. Attach it first: memtui stores attach {shlex.quote(said)}",
        )
    known = f"There are: {', '.join(trees)}." if trees else "memtui stores attach PATH attaches one."
    raise Refused("no-store", f"There is no store named {said}.", known)
