"""The server, put together: the groups of tools, the resources and the prompt, over one desk."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

from mcp.server import MCPServer
from mcp.server.mcpserver.context import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolResult,
    GetPromptResult,
    InputRequiredResult,
    ToolAnnotations,
)
from pydantic import BaseModel

from memtui import __version__
from memtui.agents.mcp import prompt, resources, results, wording
from memtui.agents.mcp.base_coat import BaseCoat
from memtui.agents.mcp.curation import Curation
from memtui.agents.mcp.desk import Desk
from memtui.agents.mcp.founder_os import FounderOs
from memtui.agents.mcp.recalling import Recalling
from memtui.agents.mcp.remembering import Remembering
from memtui.agents.mcp.session import Session

_GROUPS = (Remembering, Recalling, BaseCoat, FounderOs, Curation, Session)


class MemoryServer(MCPServer[Any]):
    """The SDK's server, but it refuses unknown arguments, and says what went wrong in our words alone."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool; every failure is an answer."""
        tools = {each.name: each.input_schema["properties"] for each in await self.list_tools()}
        if name not in tools:
            return results.refused(wording.unknown_tool(sorted(tools)))
        if unknown := [each for each in arguments if each not in tools[name]]:
            return results.refused(wording.unknown_arguments(name, unknown, list(tools[name])))
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            return results.refused(results.sentence_of(error.__cause__ or error))

    async def get_prompt(
        self,
        name: str,
        arguments: dict[str, Any] | None = None,
        context: Context[Any, Any] | None = None,
    ) -> GetPromptResult | InputRequiredResult:
        """Return a prompt; raise MCPError, with a sentence, for another name or argument."""
        prompts = {each.name: [a.name for a in each.arguments or ()] for each in await self.list_prompts()}
        if name not in prompts:
            raise MCPError(INVALID_PARAMS, wording.unknown_prompt(sorted(prompts)))
        if unknown := [each for each in arguments or () if each not in prompts[name]]:
            raise MCPError(INVALID_PARAMS, wording.unknown_arguments(name, unknown, prompts[name]))
        return await super().get_prompt(name, arguments, context)


def build(desk: Desk) -> MemoryServer:
    """Return the server of an agent. Raise Refused if its store is not attached."""
    target = desk.target()
    server = MemoryServer(
        "memtui",
        title="memtui",
        version=__version__,
        instructions=wording.instructions(desk.agent, desk.store),
        log_level="WARNING",
        subscriptions=False,
    )
    for group in (each(desk) for each in _GROUPS):
        for name, effects in group.TOOLS.items():
            description = wording.described(name, target.store, target.categories)
            _add(server, desk, getattr(group, name), description, effects)
    resources.add(server, desk)
    prompt.add(server, desk)
    return server


def _add(
    server: MemoryServer,
    desk: Desk,
    tool: Callable[..., BaseModel],
    description: str,
    effects: ToolAnnotations,
) -> None:
    """Add a tool, with the schemas of its arguments and of its answer; it runs on the desk's thread."""
    signature = inspect.signature(tool, eval_str=True)

    async def call(**arguments: Any) -> CallToolResult:
        return results.answer(await desk.run(partial(tool, **arguments)))

    answers = signature.return_annotation
    call.__signature__ = signature.replace(  # type: ignore[attr-defined]
        return_annotation=Annotated[CallToolResult, answers]
    )
    name = tool.__name__
    server.add_tool(call, name=name, title=wording.TITLES[name], description=description, annotations=effects)
    published = server._tool_manager.get_tool(name)
    assert published is not None
    published.parameters["additionalProperties"] = False
