"""A client of the server, by the SDK, in this process: it holds answers against their schemas."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from typing import Any

from mcp.client import Client
from mcp.shared.exceptions import MCPError
from mcp_types import TextContent, TextResourceContents

from memtui.agents.mcp.desk import Desk
from memtui.agents.mcp.server import MemoryServer
from memtui.workspace.workspace import Workspace


class Calls:
    """Calls tools of one server, and checks what it says of them."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def __call__(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool, which has to succeed, and return its structured answer."""
        done = await self.client.call_tool(tool, arguments)
        assert not done.is_error, done.content
        assert done.structured_content is not None
        answer: dict[str, Any] = done.structured_content
        return answer

    async def text(self, tool: str, **arguments: Any) -> str:
        """Call a tool and return its answer as text, be it a refusal."""
        (content,) = (await self.client.call_tool(tool, arguments)).content
        assert isinstance(content, TextContent)
        return content.text

    async def refused(self, tool: str, **arguments: Any) -> str:
        """Call a tool, which has to refuse, and return the sentence."""
        done = await self.client.call_tool(tool, arguments)
        assert done.is_error, done.structured_content
        (content,) = done.content
        assert isinstance(content, TextContent)
        assert "Traceback" not in content.text
        assert "Error executing" not in content.text
        return content.text

    async def read(self, uri: str) -> str:
        """Read a resource, or return why it cannot be read."""
        try:
            (content,) = (await self.client.read_resource(uri)).contents
        except MCPError as error:
            return f"{error.error.code} {error.error.message}"
        assert isinstance(content, TextResourceContents)
        return content.text


@asynccontextmanager
async def served(work: Workspace, agent: str, store: str = "native") -> AsyncIterator[Calls]:
    """Serve an agent on a workspace."""
    desk = Desk(nullcontext(work), agent, store)
    try:
        async with Client(MemoryServer(desk)) as client:
            await client.list_tools()  # the client holds answers against the schemas that it knows
            yield Calls(client)
    finally:
        assert desk.close()
