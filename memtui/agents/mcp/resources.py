"""What a client can read without a tool: one memory, what to know when a session starts, and what waits for
the person (S-80)."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import unquote

from mcp_types import Resource, ResourceTemplate, TextResourceContents

from memtui.agents.mcp import results, wording
from memtui.agents.mcp.answers import MemoryAnswer
from memtui.agents.mcp.arguments import given
from memtui.agents.mcp.desk import Desk
from memtui.agents.wording import DATA
from memtui.errors import Refused
from memtui.memory.policies import wording as policies
from memtui.serialization.inbox import item_as_json

if TYPE_CHECKING:
    from memtui.values import Json

_SCHEME, _JSON, _MARKDOWN = "memory", "application/json", "text/markdown"
RESOURCES = [
    Resource(
        uri="memory://context", name="context", description=wording.CONTEXT_RESOURCE, mime_type=_MARKDOWN
    ),
    Resource(uri="memory://inbox", name="inbox", description=wording.INBOX_RESOURCE, mime_type=_JSON),
]
TEMPLATES = [
    ResourceTemplate(
        uri_template="memory://{uid}", name="memory", description=wording.MEMORY_RESOURCE, mime_type=_JSON
    )
]


def asked(desk: Desk, uri: str) -> Callable[[], TextResourceContents]:
    """Return the work that reads a resource."""
    return partial(_contents, desk, uri)


def is_missing(error: BaseException) -> bool:
    """Return whether an error says that there is no such resource."""
    return isinstance(error, Refused) and error.code in (policies.not_there().code, wording.NO_RESOURCE)


def context_of(desk: Desk) -> str:
    """Return the memories that the agent may read and most needs, as Markdown that is marked as data."""
    from memtui.agents.session_context import session_context  # exports: not before a client is greeted

    found = session_context(desk.opened, desk.agent, desk.tokenizer)
    return f"{DATA}\n\n{results.markdown(found.text or wording.NOTHING_YET)}"


def _contents(desk: Desk, uri: str) -> TextResourceContents:
    scheme, _, name = uri.partition("://")
    if scheme != _SCHEME or not name:
        raise wording.no_resource(
            [*(each.uri for each in RESOURCES), *(each.uri_template for each in TEMPLATES)]
        )
    if name == "context":
        return TextResourceContents(uri=uri, mime_type=_MARKDOWN, text=context_of(desk))
    text = _inbox(desk) if name == "inbox" else _memory(desk, unquote(name))
    return TextResourceContents(uri=uri, mime_type=_JSON, text=text)


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
    return json.dumps(results.shown({"notice": DATA, **value}), ensure_ascii=False, indent=1)
