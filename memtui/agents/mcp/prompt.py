"""The prompt with which a session starts: how to use the memory, and what is known (S-80)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    GetPromptResult,
    Prompt,
    PromptArgument,
    PromptMessage,
    TextContent,
)

from memtui.agents.mcp import results, wording
from memtui.agents.mcp.arguments import given
from memtui.agents.mcp.desk import Desk
from memtui.agents.mcp.recalling import recalled
from memtui.agents.mcp.resources import context_of

_PROJECT = "project"
PROMPT = Prompt(
    name="session_start",
    description=wording.PROMPT,
    arguments=[PromptArgument(name=_PROJECT, description=wording.PROJECT, required=False)],
)


def asked(desk: Desk, name: str, arguments: Mapping[str, str]) -> Callable[[], GetPromptResult]:
    """Return the work that a client asks for; raise MCPError, with a sentence, for another name or
    argument."""
    if name != PROMPT.name:
        raise MCPError(INVALID_PARAMS, wording.unknown_prompt([PROMPT.name]))
    if unknown := [each for each in arguments if each != _PROJECT]:
        raise MCPError(INVALID_PARAMS, wording.unknown_arguments(name, results.named(unknown), [_PROJECT]))
    return partial(_session_start, desk, given(arguments.get(_PROJECT, "")))


def _session_start(desk: Desk, project: str) -> GetPromptResult:
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
            parts.append(results.markdown("\n".join([wording.PROJECT_HEADING, *lines])))
    text = TextContent(type="text", text="\n\n".join(parts))
    return GetPromptResult(description=wording.PROMPT, messages=[PromptMessage(role="user", content=text)])
