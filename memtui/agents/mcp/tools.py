"""The tools: the methods of the groups, with the schemas of what they take and give, which follow from their
types."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from mcp_types import Tool
from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from memtui.agents.mcp import wording
from memtui.agents.mcp.base_coat import BaseCoat
from memtui.agents.mcp.curation import Curation
from memtui.agents.mcp.founder_os import FounderOs
from memtui.agents.mcp.recalling import Recalling
from memtui.agents.mcp.remembering import Remembering
from memtui.agents.mcp.session import Session

if TYPE_CHECKING:
    from memtui.agents.mcp.desk import Desk

_GROUPS = (Remembering, Recalling, BaseCoat, FounderOs, Curation, Session)


@dataclass(frozen=True, slots=True)
class AgentTool:
    """A tool: how clients see it, what it takes, and what it does on the desk's thread."""

    published: Tool
    takes: type[BaseModel]
    work: Callable[..., BaseModel]

    def asked(self, arguments: Mapping[str, Any]) -> Callable[[], BaseModel]:
        """Return the work that a call asks for; raise ValidationError for arguments of wrong types."""
        try:
            given = self.takes.model_validate(arguments)
        except ValidationError:
            given = self.takes.model_validate({name: _parsed(each) for name, each in arguments.items()})
        return partial(self.work, **{name: getattr(given, name) for name in given.model_fields_set})


def made(desk: Desk) -> dict[str, AgentTool]:
    """Return the tools of an agent by name. Raise Refused if its store is not attached."""
    target = desk.target()
    tools = {}
    for group in (each(desk) for each in _GROUPS):
        for name, effects in group.TOOLS.items():
            work = getattr(group, name)
            takes, gives = _schemas(name, work)
            published = Tool(
                name=name,
                title=wording.TITLES[name],
                description=wording.described(name, target.store, target.categories),
                input_schema=takes.model_json_schema(),
                output_schema=gives.model_json_schema(mode="serialization"),
                annotations=effects,
            )
            tools[name] = AgentTool(published, takes, work)
    return tools


def _schemas(name: str, work: Callable[..., BaseModel]) -> tuple[type[BaseModel], type[BaseModel]]:
    signature = inspect.signature(work, eval_str=True)
    fields: dict[str, Any] = {
        each.name: (each.annotation, ... if each.default is each.empty else each.default)
        for each in signature.parameters.values()
    }
    takes = create_model(f"{name}_arguments", __config__=ConfigDict(extra="forbid"), **fields)
    return takes, signature.return_annotation


def _parsed(value: Any) -> Any:
    """Return a list that a client gives as its JSON text, as some do; any other value as it is."""
    if not isinstance(value, str) or not value.startswith("["):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value
