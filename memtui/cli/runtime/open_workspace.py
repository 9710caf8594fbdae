"""Opening the workspace for a command or for the screen (S-1, S-2)."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.cli.runtime import wording
from memtui.cli.runtime.errors import refusal_of
from memtui.cli.runtime.output import Output

if TYPE_CHECKING:
    from argparse import Namespace

    from memtui.settings import Settings
    from memtui.workspace.workspace import Workspace


@contextmanager
def workspace(args: Namespace, output: Output) -> Iterator[Workspace]:
    """Open the workspace of the command line, and report what was settled after an interrupted run."""
    path = workspace_file(args)
    new = not path.exists()
    opened = open_with(path, settings(output), read_only=args.read_only)
    try:
        opened.report_progress(output.progress)
        for sentence in opened.reconciled:
            output.note(sentence)
        yield opened
        if new:  # the path may be mistyped
            output.note(wording.new_workspace(path))
    finally:
        opened.close()


def settings(output: Output) -> Settings:
    """Return the user's settings, and report what is wrong in their file."""
    from memtui.settings import load

    loaded = load()
    for problem in loaded.problems:
        output.note(wording.settings_problem(problem))
    return loaded.settings


@contextmanager
def fresh(args: Namespace, output: Output) -> Iterator[Workspace]:
    """Open the workspace and pull; a store that cannot be read is only reported."""
    with workspace(args, output) as opened:
        for store, reason in _pull(opened).items():
            output.note(wording.not_pulled(store, reason))
        yield opened


def _pull(opened: Workspace) -> dict[str, str]:
    """Pull what agents changed; return the reason for each store that could not be pulled."""
    try:
        pulled = opened.pull()
        return pulled.errors | dict.fromkeys(pulled.postponed, wording.ANOTHER_MEMTUI_WRITES)
    except Exception as error:
        refusal = refusal_of(error)
        if refusal.code != "busy":
            raise
        return {wording.EVERY_STORE: wording.WORKSPACE_BUSY}


def path_of(text: str) -> Path:
    """Return a path that was typed; raise Refused if it is empty or a URL, or cannot be stored as UTF-8."""
    from memtui.paths import refuse_url

    if not text:
        raise wording.empty_path()
    refuse_url(text)
    try:
        if "\0" not in text and text.encode():
            return Path(text)
    except UnicodeEncodeError:
        pass
    raise wording.path_not_utf8(text)


def exists(args: Namespace) -> bool:
    """Return whether the workspace that the command line names exists."""
    return workspace_file(args).exists()


def workspace_file(args: Namespace) -> Path:
    """Return the workspace that the command line names, which need not exist."""
    from memtui.paths import workspace_path

    return path_of(str(workspace_path(args.workspace)))


def open_tui(args: Namespace, output: Output) -> int:
    """`memtui` and `memtui PATH…`: open the screen; all paths are checked before any is attached."""
    path = workspace_file(args)
    if args.paths:
        _refuse_mistyped(args.paths[0])
        with workspace(args, output) as opened:
            attach_all(opened, args.paths)
    _needs_terminal()
    from memtui.settings import load
    from memtui.tui.app import run

    loaded = load()
    run(lambda: open_with(path, loaded.settings, read_only=args.read_only), loaded, saves_theme=True)
    return 0


def open_demo(args: Namespace, output: Output) -> int:
    """`memtui demo`: open the screen on five stores in a temporary folder."""
    _needs_terminal()
    from memtui.demo import build
    from memtui.settings import load
    from memtui.tui.app import run

    loaded = load()
    with tempfile.TemporaryDirectory(prefix="memtui-demo-") as folder:
        path = build(Path(folder))
        run(lambda: open_with(path, loaded.settings, read_only=args.read_only), loaded, saves_theme=False)
    return 0


def open_with(path: Path, settings: Settings, *, read_only: bool = False) -> Workspace:
    """Open a workspace as the user's settings say."""
    from memtui.memory.ranking import DEFAULT, SEED, RecallWeights
    from memtui.memory.secrets import personal_data
    from memtui.workspace.workspace import Workspace

    personal_data.include(on=settings.personal_data == "flag")
    return Workspace.open(
        path,
        read_only=read_only,
        opener=Workspace.model_opener(settings.model),
        weights=SEED if settings.ranking == "seed" else DEFAULT,
        top_k=settings.top_k,
        recall_weights=RecallWeights(
            settings.recall_confidence,
            settings.recall_recency,
            settings.recall_reinforcement,
            settings.recall_contradicted,
        ),
        projects=settings.projects,
        half_lives=settings.half_lives,
        founder_os_daily=settings.founder_os_decay == "daily",
    )


def _needs_terminal() -> None:
    """Raise Refused without a terminal; Textual draws the screen on standard error."""
    if not (sys.__stdin__ and sys.__stdin__.isatty() and sys.__stderr__ and sys.__stderr__.isatty()):
        raise wording.no_terminal()


def _refuse_mistyped(word: str) -> None:
    """Raise UsageError for a word that is no path and may have been meant as a command."""
    if not word or "/" in word or os.path.exists(path_of(word)):
        return
    from memtui.cli.parser.table import meant_by
    from memtui.cli.parser.wording import neither_command_nor_path

    raise neither_command_nor_path(word, meant_by(word))


def attach_all(opened: Workspace, paths: Sequence[str]) -> None:
    """Attach all paths or, if one has no store, none: the screen would hide the refusal."""
    for path in paths:
        opened.require_store(path_of(path))
    for path in paths:
        opened.attach(path)
