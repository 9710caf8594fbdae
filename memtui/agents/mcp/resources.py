"""What a client can read without a tool: one memory, what to know when a session starts, and what waits for
the person (S-80)."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError

from memtui.agents.mcp import results, wording
from memtui.agents.mcp.answers import MemoryAnswer
from memtui.agents.mcp.arguments import given
from memtui.agents.mcp.desk import Desk
from memtui.agents.session_context import session_context
from memtui.errors import Refused
from memtui.memory.policies import wording as policies
from memtui.serialization.inbox import item_as_json

if TYPE_CHECKING:
    from memtui.values import Json

_JSON, _MARKDOWN = "application/json", "text/markdown"


def add(server: MCPServer[Any], desk: Desk) -> None:
    """Add the resources."""

    async def memory(uid: str) -> str:
        return await _read(desk, partial(_memory, desk, uid))

    async def context() -> str:
        return await _read(desk, partial(context_of, desk))

    async def inbox() -> str:
        return await _read(desk, partial(_inbox, desk))

    server.resource(
        "memory://{uid}", name="memory", description=wording.MEMORY_RESOURCE, mime_type=_JSON
    )(memory)  # fmt: skip
    server.resource(
        "memory://context", name="context", description=wording.CONTEXT_RESOURCE, mime_type=_MARKDOWN
    )(context)  # fmt: skip
    server.resource("memory://inbox", name="inbox", description=wording.INBOX_RESOURCE, mime_type=_JSON)(
        inbox
    )


def context_of(desk: Desk) -> str:
    """Return the memories that the agent may read and most needs, as Markdown that is marked as data."""
    found = session_context(desk.opened, desk.agent, desk.tokenizer)
    return f"{wording.DATA}\n\n{results.shown(found.text or wording.NOTHING_YET)}"


def _memory(desk: Desk, uid: str) -> str:
    found = desk.opened.recall_by("uid", given(uid), desk.caller)
    if not found.memories:
        raise policies.not_there()
    (memory,) = MemoryAnswer.all_of(found)
    return _as_json({"memory": memory.model_dump(mode="json")})


def _inbox(desk: Desk) -> str:
    """Return what waits for the person about memories that the agent may read."""
    items = [(each, {each.id, *each.sides} - {None}) for each in desk.opened.inbox().items]
    about = [id for _, ids in items for id in ids if id is not None]
    readable = desk.opened.readable_for(desk.agent, about)
    return _as_json({"items": [item_as_json(each) for each, ids in items if ids and ids <= readable]})


def _as_json(value: dict[str, Json]) -> str:
    return json.dumps(results.shown({"notice": wording.DATA, **value}), ensure_ascii=False, indent=1)


async def _read(desk: Desk, work: Callable[[], str]) -> str:
    try:
        return await desk.run(work)
    except Refused as refusal:
        missing = refusal.code == policies.not_there().code
        kind = ResourceNotFoundError if missing else ResourceError
        raise kind(results.sentence_of(refusal)) from None
    except Exception as error:
        raise ResourceError(results.sentence_of(error)) from None
