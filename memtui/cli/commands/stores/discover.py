"""`memtui stores discover` (S-3): stores in the known places that are not attached; attaches nothing.

With --json: [{"format", "title", "path", "count", "trouble"}]; "count" is null where it was not counted, and
"trouble" then says why.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from memtui.cli.commands.stores import wording
from memtui.cli.runtime.open_workspace import exists, workspace
from memtui.cli.runtime.output import Output
from memtui.memory.stores import DiscoveredStore
from memtui.serialization.stores import discovered_as_json

if TYPE_CHECKING:
    from argparse import Namespace


def discover(args: Namespace, output: Output) -> None:
    """Print the discovered stores, and how one is attached."""
    if exists(args):
        with workspace(args, output) as opened:
            found = opened.discover()
            attached = len(opened.stores()) - 1
    else:  # nothing is attached, and discovering creates no workspace
        from memtui.formats import discovery

        found, attached = discovery.discover(), 0
    if output.json:
        output.data([discovered_as_json(each) for each in found])
        return
    output.table([_row(each) for each in found], whole=True)
    attachable = next((each for each in found if each.format != "unknown"), None)
    if attachable is not None:
        output.note(wording.attach_by(shlex.quote(attachable.path)))
    if found:
        return
    from memtui.formats.discovery import places

    output.note(wording.nothing_discovered(attached, places()))
    output.note(wording.ATTACH_ELSEWHERE)


def _row(store: DiscoveredStore) -> tuple[str, ...]:
    count = "?" if store.count is None else f"{store.count:,}"
    return store.title, count, store.path, store.problem
