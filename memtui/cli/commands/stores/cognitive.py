"""`memtui cognitive …`: rebuild the files that a Cognitive Memory store derives from its memories (S-83)."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.cli.commands.stores import wording
from memtui.cli.runtime.open_workspace import fresh, workspace
from memtui.cli.runtime.output import Output
from memtui.formats.contract.records import clean

if TYPE_CHECKING:
    from argparse import Namespace

    from memtui.workspace.workspace import Workspace

_FORMAT = "cognitive"


def list_(args: Namespace, output: Output) -> None:
    """Print the attached Cognitive Memory trees."""
    with workspace(args, output) as opened:
        infos = [info for info in opened.stores() if info.format == _FORMAT]
    if output.json:
        output.data([{"name": each.name, "path": each.path, "count": each.count} for each in infos])
        return
    output.table([(each.name, f"{each.count:,}", each.path) for each in infos])
    if not infos:
        output.note(wording.NO_COGNITIVE)


def reindex(args: Namespace, output: Output) -> None:
    """Rebuild _index.json."""
    _rebuild(args, output, "index")


def core(args: Namespace, output: Output) -> None:
    """Rebuild CORE.md."""
    _rebuild(args, output, "core")


def reflect(args: Namespace, output: Output) -> None:
    """Rebuild REFLECTION.md."""
    _rebuild(args, output, "reflection")


def decay(args: Namespace, output: Output) -> None:
    """Compute the scores in _state.json again."""
    _rebuild(args, output, "state")


def _rebuild(args: Namespace, output: Output, part: str) -> None:
    with fresh(args, output) as opened:
        name, path = _store(opened, clean(args.store))
        written = opened.rebuild(name, part)
        if output.json:
            output.data({"store": name, "written": [str(path / each) for each in written]})
            return
        for each in written:
            output.line(wording.written(path / each))
        if not written:
            output.line(wording.up_to_date(name))


def _store(opened: Workspace, given: str) -> tuple[str, Path]:
    """Return the store with this name or path; the only one if none is given."""
    trees = {info.name: Path(info.path) for info in opened.stores() if info.format == _FORMAT}
    if not given:
        if len(trees) == 1:
            return next(iter(trees.items()))
        raise wording.which_cognitive(trees) if trees else wording.no_cognitive_attached()
    if given in trees:
        return given, trees[given]
    real = os.path.realpath(os.path.expanduser(given))
    for name, path in trees.items():
        if os.path.realpath(path) == real:
            return name, path
    if any(info.name == given for info in opened.stores()):
        raise wording.not_cognitive(given)
    if os.path.exists(real):
        raise wording.not_attached(given, shlex.quote(given))
    raise wording.unknown_cognitive(given, trees)
