"""Opening the workspace for a command, and the screen (S-1, S-2)."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memtui.cli.runtime.errors import told
from memtui.cli.runtime.output import Output
from memtui.errors import Refused

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace


@contextmanager
def workspace(args: Any, output: Output) -> Iterator[Workspace]:
    """The workspace that the command line names; what an interrupted run left is settled and told."""
    path = _named(args)
    new = not path.exists()
    opened = _open(path, args.read_only)
    try:
        opened.tell_progress(output.progress)
        for sentence in opened.reconciled:
            output.note(sentence)
        yield opened
        if new:  # perhaps a mistyped path
            output.note(f"Made a new workspace: {path}")
    finally:
        opened.close()


@contextmanager
def fresh(args: Any, output: Output) -> Iterator[Workspace]:
    """The same, with what agents changed taken in; a store that cannot be read is told, no more."""
    with workspace(args, output) as opened:
        for store, why in _pulled(opened).items():
            output.note(f"{store} is shown as last read: {why}")
        yield opened


def _pulled(opened: Workspace) -> dict[str, str]:
    """What agents changed is taken in; which stores could not be, and why. Reading goes on all the same."""
    try:
        pulled = opened.pull()
        return pulled.errors | dict.fromkeys(pulled.postponed, "it is being changed by another memtui just now.")
    except Exception as trouble:
        refusal = told(trouble)
        if refusal.code != "busy":
            raise
        return {"Every store": "another program holds the workspace."}


def place(text: str) -> Path:
    """A path that was typed; Refused if it names nothing or is a URL, or no database could hold its name."""
    from memtui.paths import no_url

    if not text:
        raise Refused("path", "An empty path names nothing.", "memtui . attaches the stores in this folder.")
    no_url(text)
    try:
        if "\0" not in text and text.encode():
            return Path(text)
    except UnicodeEncodeError:
        pass
    raise Refused(
        "path", f"memtui cannot hold the path “{text}”: its name must be UTF-8.", "Rename it first."
    )


def exists(args: Any) -> bool:
    """Whether there is a workspace yet where the command line says."""
    return _named(args).exists()


def _named(args: Any) -> Path:
    from memtui.paths import workspace_path

    return place(str(workspace_path(args.workspace)))


def open_tui(args: Any, output: Output) -> int:
    """`memtui` and `memtui PATH…`: all paths are looked at before any is attached."""
    path = _named(args)
    if args.paths:
        try:
            with workspace(args, output) as opened:
                attach_all(opened, args.paths)
        except Refused as refusal:
            raise _or_a_command(refusal, args.paths) from None
    _needs_terminal()
    from memtui.tui.app import run

    run(lambda: _open(path, args.read_only))
    return 0


def open_demo(args: Any, output: Output) -> int:
    """`memtui demo`: five stores in a folder that goes away again."""
    _needs_terminal()
    from memtui.demo import build
    from memtui.tui.app import run

    with tempfile.TemporaryDirectory(prefix="memtui-demo-") as folder:
        path = build(Path(folder))
        run(lambda: _open(path, args.read_only))
    return 0


def _open(path: Path, read_only: bool) -> Workspace:
    from memtui.memory.ranking import DEFAULT, SEED, Leaning
    from memtui.settings import load
    from memtui.workspace.workspace import Workspace

    settings = load().settings
    return Workspace.open(
        path,
        read_only=read_only,
        opener=Workspace.model_opener(settings.model),
        weights=SEED if settings.ranking == "seed" else DEFAULT,
        top_k=settings.top_k,
        leaning=Leaning(settings.recall_confidence, settings.recall_recency, settings.recall_reinforcement),
        projects=settings.projects,
        half_lives=settings.half_lives,
        founder_os_daily=settings.founder_os_decay == "daily",
    )


def _needs_terminal() -> None:
    """Refused where nobody would see the screen; Textual draws it on standard error."""
    if not (sys.__stdin__ and sys.__stdin__.isatty() and sys.__stderr__ and sys.__stderr__.isatty()):
        raise Refused(
            "no-terminal",
            "The screen needs a terminal, and this is none.",
            "memtui list prints memories; memtui --help tells the rest.",
        )


def _or_a_command(refusal: Refused, paths: Sequence[str]) -> Refused:
    """A missing path that may have been meant as a command."""
    word = paths[0]
    if refusal.code != "missing" or "/" in word or Path(word).exists():
        return refusal
    from difflib import get_close_matches

    from memtui.cli.parser.table import COMMANDS, GROUPS

    near = get_close_matches(word, [*COMMANDS, *GROUPS], 1)
    meant = f" Did you mean memtui {near[0]}?" if near else ""
    hint = f"{word} is no command either.{meant} memtui --help lists them."
    return Refused(refusal.code, refusal.message, hint)


def attach_all(opened: Workspace, paths: Sequence[str]) -> None:
    """Attach all or, where one path holds no store, none: the screen would hide what was refused."""
    for path in paths:
        opened.recognise(place(path))
    for path in paths:
        opened.attach(path)
