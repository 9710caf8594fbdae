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
from memtui.errors import Refused
from memtui.export.pack import pack
from memtui.export.registry import by_name
from memtui.memory.policies import wording as policies
from memtui.memory.secrets.masking import Masking
from memtui.memory.selection.budget import MARK
from memtui.serialization.inbox import item_as_json
from memtui.workspace.search.recall import DEFAULT_STATUSES

if TYPE_CHECKING:
    from memtui.values import Json

_CONTEXT_TOKENS = 2_000
_MOST = 500  # memories from which the context is chosen
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
    """Return the memories that the agent may read and most needs, within a budget of tokens, as Markdown that
    is marked as data."""
    found = desk.opened.list_for(desk.caller, limit=_MOST)
    uids = [each.uid for each in found.memories if each.status in DEFAULT_STATUSES]
    chosen = desk.opened.candidates(desk.opened.ids_of(uids), masking=Masking())
    exporter = by_name("prompt")
    assert exporter is not None
    counter = desk.opened.token_counter(desk.tokenizer)
    packed = pack(exporter, chosen, _CONTEXT_TOKENS, counter, desk.opened.now(), contradictions=MARK)
    return f"{wording.DATA}\n\n{results.shown(packed.text or wording.NOTHING_YET)}"


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
    return _as_json({"memory": MemoryAnswer.of(found.memories[0]).model_dump(mode="json")})


def _inbox(desk: Desk) -> str:
    """Return what waits for the person about memories that the agent may read."""
    items = [(each, {each.id, *each.sides} - {None}) for each in desk.opened.inbox().items]
    about = [id for _, ids in items for id in ids if id is not None]
    readable = desk.opened.readable_for(desk.agent, about)
    return _as_json({"items": [item_as_json(each) for each, ids in items if ids and ids <= readable]})


def _as_json(value: dict[str, Json]) -> str:
    return json.dumps(results.shown({"notice": wording.DATA, **value}), ensure_ascii=False, indent=1)
