"""What the Stores screen reads and changes; these functions run in the lanes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memtui.errors import Refused
from memtui.memory.results import Change
from memtui.memory.stores import DiscoveredStore, Issue, StoreInfo
from memtui.tui.stores import wording
from memtui.tui.stores.store_text import OWN, Facts

if TYPE_CHECKING:
    from memtui.workspace.session.view import StoreView
    from memtui.workspace.workspace import Workspace


def query_for(name: str) -> str:
    """Return the query for one store; quotes, which a query cannot contain, become stars."""
    pattern = name.replace('"', "*")
    return f'store:"{pattern}"'


def read_attached(workspace: Workspace) -> tuple[list[StoreInfo], dict[str, str]]:
    """Return the attached stores, and the titles of formats by name."""
    from memtui.formats import registry

    titles = {kind.format: kind.title for kind in registry.formats()}
    return workspace.stores(), {**titles, OWN: "memtui"}


def discover(workspace: Workspace) -> tuple[list[DiscoveredStore], list[str]]:
    """Return the stores found on this machine, and the places searched."""
    from memtui.formats import discovery

    return workspace.discover(), discovery.places()


def read_facts(workspace: Workspace, name: str) -> Facts:
    """Read what the pane shows about a store."""
    live = workspace.search(query_for(name)).total
    return Facts(workspace.consequences(name), live, workspace.backups(name))


@dataclass(frozen=True, slots=True)
class AgentText:
    """What an agent is given of a store, and how long its text is in `unit`s, if there is one."""

    view: StoreView
    tokens: int
    unit: str


def read_agent_text(workspace: Workspace, name: str, tokenizer: str) -> AgentText:
    """Read what an agent is given of a store; `tokenizer` is the setting."""
    found = workspace.agent_view(name)
    if found.view is None:
        return AgentText(found, 0, "")
    counter = workspace.token_counter(tokenizer)
    return AgentText(found, counter.count([found.view.text])[0], counter.unit)


def attach(workspace: Workspace, paths: list[str]) -> Change:
    """Attach stores by path; one that is refused does not stop the others.

    Raise the first refusal if none could be attached.
    """
    infos: list[StoreInfo] = []
    refusals: list[Refused] = []
    for path in paths:
        try:
            infos += workspace.attach(path)
        except Refused as refused:
            refusals.append(refused)
    if refusals and not infos:
        raise refusals[0]
    change = attached_change(infos)
    if not refusals:
        return change
    summary = wording.attached_but(change.summary, [refused.message for refused in refusals])
    return Change("attached", (), summary)


def attached_change(infos: Sequence[StoreInfo]) -> Change:
    """Return the change that announces attached stores."""
    name = infos[0].name if infos else ""
    return Change("attached", (), wording.attached(len(infos), name, sum(info.count for info in infos)))


def detach(workspace: Workspace, name: str) -> Change:
    """Detach a store without touching its file."""
    workspace.detach(name)
    return Change("detached", (), wording.detached(name))


def lock(workspace: Workspace, name: str, locked: bool) -> Change:
    """Make a store read-only, or allow changes again."""
    workspace.lock_store(name, locked)
    return Change("locked", (), wording.locked(name) if locked else wording.unlocked(name))


def repair(workspace: Workspace, issue: Issue) -> Change:
    """Repair one finding."""
    return Change("mended", (), " ".join(workspace.repair([issue])) or wording.NOTHING_REPAIRED)
