"""The prompt with which a session starts: how to use the memory, and what is known (S-80)."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from mcp.server import MCPServer
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR
from pydantic import Field

from memtui.agents.mcp import results, wording
from memtui.agents.mcp.arguments import given
from memtui.agents.mcp.desk import Desk
from memtui.agents.mcp.recalling import recalled
from memtui.agents.mcp.resources import context_of


def add(server: MCPServer[Any], desk: Desk) -> None:
    """Add the prompt `session_start`."""

    async def session_start(project: Annotated[str, Field(description=wording.PROJECT)] = "") -> str:
        try:
            return await desk.run(partial(_session_start, desk, given(project)))
        except Exception as error:
            raise MCPError(INTERNAL_ERROR, results.sentence_of(error)) from None

    server.prompt("session_start", description=wording.PROMPT)(session_start)


def _session_start(desk: Desk, project: str) -> str:
    parts = [wording.instructions(desk.agent, desk.store), context_of(desk)]
    if project:
        found = recalled(desk, "", subject=project)
        lines = [
            wording.about_project(
                each.uid, each.category or "", each.content, found.contradicted.get(each.uid, ())
            )
            for each in found.memories
        ]
        if lines:
            parts.append(str(results.shown("\n".join([wording.PROJECT_HEADING, *lines]))))
    return "\n\n".join(parts)
