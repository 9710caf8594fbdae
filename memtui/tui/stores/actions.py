"""What the screen of the stores asks and does, run in the lane: listed, found, attached, locked, mended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memtui.errors import Refused
from memtui.memory.results import Change
from memtui.memory.stores import DiscoveredStore, Issue, StoreInfo
from memtui.tui.stores.store_text import OWN, Facts
from memtui.tui.text.glyphs import counted

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace


def query_for(name: str) -> str:
    """The search for one store; a quote cannot be quoted there, so a star stands for it."""
    wanted = name.replace('"', "*")
    return f'store:"{wanted}"'


def attached(workspace: Workspace) -> tuple[list[StoreInfo], dict[str, str]]:
    """The attached stores, and what their formats are called."""
    from memtui.formats import registry

    titles = {kind.format: kind.title for kind in registry.formats()}
    return workspace.stores(), {**titles, OWN: "memtui"}


def discovered(workspace: Workspace) -> tuple[list[DiscoveredStore], list[str]]:
    """What was found on this machine, and where was looked."""
    from memtui.formats import discovery

    return workspace.discover(), discovery.places()


def facts_of(workspace: Workspace, name: str) -> Facts:
    """What is told of a store beside its line."""
    live = workspace.search(query_for(name)).total
    return Facts(workspace.consequences(name), live, workspace.backups(name))


def attach(workspace: Workspace, paths: list[str]) -> Change:
    """Attach one after the other; one that cannot be read does not stop the others."""
    infos: list[StoreInfo] = []
    refusals: list[Refused] = []
    for path in paths:
        try:
            infos += workspace.attach(path)
        except Refused as refused:
            refusals.append(refused)
    if refusals and not infos:
        raise refusals[0]
    told = told_of(infos)
    if not refusals:
        return told
    return Change("attached", (), f"{told.summary}. Not: {' '.join(each.message for each in refusals)}")


def told_of(infos: Sequence[StoreInfo]) -> Change:
    """That these stores were attached."""
    total = counted(sum(info.count for info in infos), "memory")
    names = infos[0].name if len(infos) == 1 else counted(len(infos), "store")
    return Change("attached", (), f"Attached {names}: {total}")


def detach(workspace: Workspace, name: str) -> Change:
    """Detach a store; its file is left as it is."""
    workspace.detach(name)
    return Change(
        "detached", (), f"Detached {name}. Its file is as it was; pins, notes and history stay here"
    )


def lock(workspace: Workspace, name: str, locked: bool) -> Change:
    """Make a store read-only, or let it be changed again."""
    workspace.lock_store(name, locked)
    if locked:
        return Change(
            "locked", (), f"{name} is read-only now: memtui reads it and refuses every change to it"
        )
    return Change("locked", (), f"{name} may be changed again")


def mend(workspace: Workspace, ailment: Issue) -> Change:
    """Mend one finding."""
    return Change("mended", (), " ".join(workspace.mend([ailment])) or "Nothing was left to mend")
