"""`memtui stores discover` (S-3): stores in the known places that are not attached; attaches nothing.

With --json: [{"format", "title", "path", "count", "trouble"}]; the count is null where it was not
counted, and the trouble then says why.
"""

from __future__ import annotations

import shlex
from typing import Any

from memtui.cli.runtime.open_workspace import exists, workspace
from memtui.cli.runtime.output import Output
from memtui.memory.stores import DiscoveredStore
from memtui.serialization.stores import discovered_as_json


def discover(args: Any, output: Output) -> None:
    """List them, and say how one is attached."""
    if exists(args):
        with workspace(args, output) as opened:
            found = opened.discover()
            attached = len(opened.stores()) - 1
    else:  # nothing is attached, and looking makes no workspace
        from memtui.formats import discovery

        found, attached = discovery.discover(), 0
    if output.json:
        output.data([discovered_as_json(each) for each in found])
        return
    output.table([_row(each) for each in found], whole=True)
    ready = next((each for each in found if each.format != "unknown"), None)
    if ready is not None:
        output.note(f"Attach one: memtui stores attach {shlex.quote(ready.path)}")
    if found:
        return
    from memtui.formats.discovery import places

    more = f" beside the {attached:,} that are attached" if attached else ""
    output.note(f"No store was found{more}. Looked in {', '.join(places())}.")
    output.note("A store elsewhere: memtui stores attach PATH")


def _row(each: DiscoveredStore) -> tuple[str, ...]:
    count = "?" if each.count is None else f"{each.count:,}"
    return each.title, count, each.path, each.problem
