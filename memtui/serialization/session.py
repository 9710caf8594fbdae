"""The JSON of `memtui see` (S-72)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from memtui.formats.contract.session_view import SessionView
from memtui.values import Json, JsonObject
from memtui.workspace.session import wording
from memtui.workspace.session.difference import ViewDifference
from memtui.workspace.session.view import Named, StoreView


def view_json(found: StoreView, tokens: int, unit: str) -> JsonObject:
    """Return what an agent sees; `client` is null and `instead` a sentence if nothing is loaded."""
    if found.view is None:
        return {"client": None, "store": found.store, "text": "", "instead": found.instead}
    return {
        "store": found.store,
        **_view(found.view, found.memories),
        "tokens": tokens,
        "unit": unit,
        "contradictions": [
            {"id": pair.id, "family": pair.family, "kind": pair.kind, "uids": _uids(found, pair.a, pair.b)}
            for pair in found.pairs
        ],
    }


class Context(Protocol):
    """What memtui gives an agent when a session starts."""

    @property
    def text(self) -> str: ...
    @property
    def tokens(self) -> int: ...
    @property
    def unit(self) -> str: ...
    @property
    def uids(self) -> Sequence[str]: ...
    @property
    def contradicted(self) -> Mapping[str, Sequence[str]]: ...


def context_json(agent: str, found: Context, hidden: int) -> JsonObject:
    """Return what memtui gives an agent, and how many memories it may not read."""
    return {
        "client": "memtui",
        "store": None,
        "agent": agent,
        "text": found.text,
        "memories": [
            {"uid": uid, "contradicted_by": list(found.contradicted.get(uid, ()))} for uid in found.uids
        ],
        "hidden": hidden,
        "tokens": found.tokens,
        "unit": found.unit,
    }


def difference_json(found: ViewDifference) -> JsonObject:
    """Return what an agent saw before a change and sees after it."""
    return {
        "store": found.store,
        "summary": found.summary,
        "before": _view(found.before, found.memories),
        "after": _view(found.after, found.memories),
        "lost": [_uid(found.memories, ref) for ref in found.lost],
        "gained": [_uid(found.memories, ref) for ref in found.gained],
        "left_out": list(found.left_out),
    }


def _view(view: SessionView, memories: Mapping[str, Named]) -> JsonObject:
    return {
        "client": view.client,
        "text": view.text,
        "memories": [
            {"uid": _uid(memories, each.ref), "ref": each.ref, "start": each.start, "end": each.end}
            for each in view.passages
        ],
        "cut": [
            {
                "code": each.code,
                "reason": wording.reason(each, view.limits),
                "file": each.file or None,
                "lines": list(each.lines) if each.lines is not None else None,
                "text": each.text,
                "uids": [_uid(memories, ref) for ref in each.refs],
            }
            for each in view.cut
        ],
        "limits": dict(view.limits),
        "stale": list(view.stale),
    }


def _uid(memories: Mapping[str, Named], ref: str) -> Json:
    """Return a memory's uid, None if the workspace does not know it yet."""
    return memories[ref].uid if ref in memories else None


def _uids(found: StoreView, *ids: int) -> list[Json]:
    by_id = {each.id: each.uid for each in found.memories.values()}
    return [by_id[id] for id in ids]
