"""`memtui hook EVENT`: what an agent's program asks at an event of a session (S-81, S-104).

It prints the answer as that program expects it, nothing if there is nothing to tell, and ends as a success
whatever happens: `{"memory_status": "unavailable"}` says that there was no answer in time. `memtui.cli` calls
`quick` before anything else is loaded.
"""

from __future__ import annotations

import os
import sys

from memtui.agents.hooks.client import Hook
from memtui.agents.hooks.names import NAMES
from memtui.agents.hooks.requests import UNAVAILABLE

TYPE_CHECKING = False  # not from typing, as in memtui.cli
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from memtui.cli.runtime.output import Output

_HELPER = "memtui.cli.runtime.hook_helper"
_OPTIONS = {"--as": "agent", "--store": "store", "--workspace": "workspace"}
_DEFAULTS = {"agent": "claude-code", "store": "", "workspace": ""}


def quick(words: Sequence[str]) -> bool:
    """Answer a hook; return whether the words were simply an event and options."""
    given, rest = dict(_DEFAULTS), list(words)
    event = rest.pop(0) if rest else ""
    while rest:
        name, _, value = rest.pop(0).partition("=")
        if name not in _OPTIONS or not (value or rest):
            return False
        given[_OPTIONS[name]] = value or rest.pop(0)
    if event not in NAMES:
        return False
    _print(_answer(event, **given))
    return True


def hook(args: Namespace, output: Output) -> None:
    """Do the same for a command line with other options; the helper might write where nothing may."""
    if args.read_only:
        _print(UNAVAILABLE)
    else:
        _print(_answer(args.event, args.agent, args.store, args.workspace or ""))


def unavailable() -> None:
    """Say that there is no answer."""
    _print(UNAVAILABLE)


def _answer(event: str, agent: str, store: str, workspace: str) -> bytes:
    with Hook() as hook:
        try:
            from memtui import __version__
            from memtui.paths import workspace_path

            project = os.environ.get("CLAUDE_PROJECT_DIR", "")
            path = str(workspace_path(workspace or None))
            return hook.ask(event, agent, store, project, __version__, path, _HELPER)
        except Exception:  # whatever it is, the agent goes on
            return UNAVAILABLE


def _print(answer: bytes) -> None:
    sys.stdout.write(answer.decode("ascii"))
