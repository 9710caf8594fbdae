"""The server of one agent: what a client can ask for, over one desk."""

from __future__ import annotations

import asyncio
import re
import uuid
from typing import TYPE_CHECKING, Any

from mcp.server import Server, ServerRequestContext
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    GetPromptRequestParams,
    GetPromptResult,
    InputRequiredResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
)

from memtui import __version__
from memtui.agents.mcp import wording
from memtui.agents.mcp.call import Call
from memtui.agents.mcp.desk import Desk

if TYPE_CHECKING:
    from memtui.agents.mcp.tools import AgentTool

Context = ServerRequestContext[Any, Any]
_NAME = "memtui"
_SESSION_HEADER, _SESSION = "mcp-session-id", re.compile("[0-9a-f]{32}")


class MemoryServer(Server[Any]):
    """The SDK's server for an agent: every failure of a tool is an answer, in our words alone.

    What needs the workspace is imported when it is asked for: a client is greeted before.
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(
            _NAME,
            title=_NAME,
            version=__version__,
            instructions=wording.instructions(desk.agent, desk.store),
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
        )
        # What a client sends back between the rounds of one call is sealed with a key of this process.
        boundary = RequestStateBoundary(RequestStateSecurity.ephemeral(), default_audience=_NAME)
        self.middleware.append(boundary)
        self._desk = desk
        self._session = uuid.uuid4().hex  # of a client whose transport has no sessions
        self._tools: dict[str, AgentTool] = {}

    async def begin(self) -> None:
        """Open the workspace; raise Refused if it cannot be opened, or the agent's store is not attached."""
        if not self._tools:
            self._tools = await self._desk.run(Call("tools/list", self._session), self._make_tools)

    def _make_tools(self) -> dict[str, AgentTool]:
        from memtui.agents.mcp import tools

        return tools.made(self._desk)

    async def _list_tools(self, context: Context, params: PaginatedRequestParams | None) -> ListToolsResult:
        from memtui.agents.mcp import results

        try:
            await self.begin()
        except Exception as error:
            raise MCPError(INTERNAL_ERROR, results.sentence_of(error)) from None
        return ListToolsResult(tools=[each.published for each in self._tools.values()])

    async def _call_tool(
        self, context: Context, params: CallToolRequestParams
    ) -> CallToolResult | InputRequiredResult:
        from memtui.agents.mcp import asking, results

        arguments = params.arguments or {}
        try:
            await self.begin()
            tool = self._tools.get(params.name)
            if tool is None:
                return results.refused(wording.unknown_tool(sorted(self._tools)))
            known = list(tool.published.input_schema["properties"])
            if unknown := [each for each in arguments if each not in known]:
                return results.refused(wording.unknown_arguments(params.name, results.named(unknown), known))
            call = self._call(context, params.name)
            return await asking.answered(self._desk, call, context, params, tool.asked(arguments))
        except Exception as error:
            return results.refused(results.sentence_of(error))

    async def _list_resources(
        self, context: Context, params: PaginatedRequestParams | None
    ) -> ListResourcesResult:
        from memtui.agents.mcp import resources

        return ListResourcesResult(resources=resources.RESOURCES)

    async def _list_templates(
        self, context: Context, params: PaginatedRequestParams | None
    ) -> ListResourceTemplatesResult:
        from memtui.agents.mcp import resources

        return ListResourceTemplatesResult(resource_templates=resources.TEMPLATES)

    async def _read_resource(self, context: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        from memtui.agents.mcp import resources, results

        try:
            read = resources.asked(self._desk, params.uri)
            content = await self._desk.run(self._call(context, "resources/read"), read)
        except Exception as error:
            code = INVALID_PARAMS if resources.is_missing(error) else INTERNAL_ERROR
            raise MCPError(code, results.sentence_of(error), {"uri": params.uri}) from None
        return ReadResourceResult(contents=[content])

    async def _list_prompts(
        self, context: Context, params: PaginatedRequestParams | None
    ) -> ListPromptsResult:
        from memtui.agents.mcp import prompt

        return ListPromptsResult(prompts=[prompt.PROMPT])

    async def _get_prompt(self, context: Context, params: GetPromptRequestParams) -> GetPromptResult:
        from memtui.agents.mcp import prompt, results

        work = prompt.asked(self._desk, params.name, params.arguments or {})
        try:
            return await self._desk.run(self._call(context, "prompts/get"), work)
        except Exception as error:
            raise MCPError(INTERNAL_ERROR, results.sentence_of(error)) from None

    def _call(self, context: Context, tool: str) -> Call:
        """Return a call, whose reports go to the client from the desk's thread."""
        loop, session = asyncio.get_running_loop(), context.session

        def report(done: float, total: float | None, what: str) -> None:
            asyncio.run_coroutine_threadsafe(session.report_progress(done, total, what), loop)

        # Not every protocol has the transport check it: a client could write anything into the journal.
        given = _SESSION.fullmatch(getattr(context.request, "headers", {}).get(_SESSION_HEADER, ""))
        return Call(tool, given[0] if given else self._session, report)
