"""A write that an agent asks for: who, where, what, and the policies that hold there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memtui.formats.contract.incoming import Incoming
from memtui.memory.memory import ADDABLE, KINDS
from memtui.memory.policies import judging
from memtui.memory.policies.policy import Policy, agent_name, scope_of
from memtui.values import Fields, FieldValue
from memtui.workspace.changes import field_values
from memtui.workspace.changes.planning import adapter_class_of
from memtui.workspace.policies import holding
from memtui.workspace.stores import catalog

if TYPE_CHECKING:
    from memtui.workspace.context import Context
    from memtui.workspace.db.store_rows import StoreRow


class _Own(Incoming):
    """The rules of memtui's own store."""

    owned_kinds = KINDS


_OWN = _Own()


@dataclass(frozen=True, slots=True)
class Asked:
    """A write that is asked for; `fields` has the agent as owner unless it named another, `key` is the one
    that its format would give it if it named none, and `rules` are those of the format."""

    agent: str
    store: StoreRow
    fields: Fields
    policies: tuple[Policy, ...]
    key: str
    rules: Incoming

    @property
    def scope(self) -> str:
        """The scope that the memory would count as."""
        return scope_of(self.text("scope"), self.agent)

    @property
    def kind(self) -> str:
        """The kind of the memory."""
        return self.text("kind") or "item"

    def text(self, name: str) -> str:
        """Return a field as text, "" without one."""
        return str(self.fields.get(name) or "")

    def texts(self) -> Iterator[str]:
        """Yield every text that would be written."""
        for value in self.fields.values():
            yield from value if isinstance(value, tuple) else (value,) if isinstance(value, str) else ()


def asked(ctx: Context, agent: str, fields: Mapping[str, FieldValue], store: str) -> Asked:
    """Return what an agent asks for; raise Refused for what could not be written by anybody."""
    name, place = agent_name(agent), catalog.find_attached(ctx, store)
    wanted = field_values.cleaned(fields, ADDABLE)
    wanted["owner"] = wanted.get("owner") or name
    policies = judging.in_store(holding.of(ctx, name), place.name)
    adapter = adapter_class_of(place)
    key = adapter.key_for(wanted) if adapter is not None else str(wanted.get("key") or "")
    return Asked(name, place, wanted, tuple(policies), key, rules_of(place))


def rules_of(store: StoreRow) -> Incoming:
    """Return what an agent's write is to the memories of a store, by its format."""
    adapter = adapter_class_of(store)
    return _OWN if adapter is None else adapter.incoming
