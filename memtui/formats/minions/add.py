"""Adding a memory: its minion and its index (FORMATS 2)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import islice

from memtui.formats.contract.plans import Write
from memtui.formats.media.files.draft import Draft
from memtui.formats.minions import contradictions, factory, index_records, paths, searchable_text, wording
from memtui.formats.minions.json_decode import decode, member
from memtui.formats.minions.reader import read_file
from memtui.formats.minions.schema import (
    ENVELOPE,
    INITIAL_CONFIDENCE,
    KINDS,
    MAX_CONFIDENCE,
    MEMBERS,
    SLUG_OF_KIND,
    slug_of,
    type_id,
)
from memtui.memory.memory import TIMES, first_line
from memtui.values import FieldValue, Json, JsonObject

_SAMPLE = 500  # files that show how a store names types, and its main agent
_CONVENTIONS = "conventions"  # of a store, for all additions of a batch
_RUN = "agent-run"  # what an agent's memory comes from, if nothing else is said
_MAX_TITLE = 60  # characters of a title that is made of the text


def add(draft: Draft, write: Write) -> None:
    """Add a new memory and its index to the draft. Raise Refused where a value is not allowed."""
    if not str(write.fields.get("content") or "").strip():
        raise wording.empty_memory()
    kind = str(write.fields.get("kind") or "item")
    if kind not in MEMBERS:
        raise wording.unknown_kind(kind, MEMBERS)
    minion = _new_minion(draft, write, kind)
    name = factory.create_file(draft, minion)
    (record,) = read_file(name, draft.files[name]).records
    type_like, named = minion["minionTypeId"], str(minion["title"])
    index_records.create_index(draft, record, type_like, write.now, write.vector)
    for link in write.against:
        ends = link.target, minion["id"]
        contradictions.create(draft, write, ends, link.context, named, type_like)


def _new_minion(draft: Draft, write: Write, kind: str) -> JsonObject:
    fields = write.fields
    type_like, owner = _conventions(draft)
    title = fields.get("title") or fields.get("key") or first_words(str(fields.get("content") or ""))
    values = {
        "owner": owner or write.who.removeprefix("agent:"),
        "scope": "private",
        "key": key_of(fields),
        "confidence": INITIAL_CONFIDENCE.get(kind),
        "times_confirmed": 0,
        "created_at": write.now,
    }
    if write.session and kind == "item":  # a lesson comes from an outcome, a score, an event or a metric
        values |= {"source_type": _RUN, "source_ref": write.session}
    values |= {name: value for name, value in fields.items() if value is not None}
    if values["confidence"] is not None and "ref" not in fields:
        values["confidence"] = min(MAX_CONFIDENCE, float(values["confidence"]))
    members: JsonObject = {}
    for name, member_name in MEMBERS[kind].items():
        value = values.get(name)
        if value is not None or name == "expires_at":  # null: it never expires
            members[member_name] = _member_value(name, value)
    type = type_id(SLUG_OF_KIND[kind], type_like)
    minion = factory.new_minion(type, " ".join(str(title).split()), members, write.now)
    ref = str(fields.get("ref") or "")
    if paths.is_id(ref) and ref not in draft.tally(_id_of):
        minion["id"] = ref
    if fields.get("created_at") is not None:
        minion["createdAt"] = factory.format_time(float(fields["created_at"]))
    if fields.get("tags"):
        minion["tags"] = list(fields["tags"])
    _add_extra(minion, fields.get("extra"))
    minion["searchableText"] = searchable_text.build(minion)
    return minion


def _id_of(name: str, data: bytes, mode: int) -> str:
    return paths.id_in_name(name)


def key_of(fields: Mapping[str, FieldValue]) -> str:
    """Return the key of an item, its own or one made of its subject, title or text."""
    if fields.get("key"):
        return str(fields["key"])
    about = str(fields.get("subject") or fields.get("title") or first_words(str(fields.get("content") or "")))
    return "_".join(re.findall(r"[^\W_]+", about.casefold()))[:_MAX_TITLE].strip("_") or "note"


def first_words(text: str) -> str:
    """Return the beginning of a text, cut between words."""
    line = " ".join(first_line(text).split())
    return line if len(line) <= _MAX_TITLE else line[:_MAX_TITLE].rsplit(" ", 1)[0] + "…"


def _member_value(name: str, value: FieldValue) -> Json:
    if value is not None and name in TIMES:
        return factory.format_time(float(value))
    return "\n".join(value) if name == "key_facts" else value


def _conventions(draft: Draft) -> tuple[str, str]:
    """Return the most frequent type id of memories and the agent that most of them belong to."""
    sample = [*islice(draft.files.values(), _SAMPLE)]
    found: tuple[str, str]
    known, found = draft.caches.get(_CONVENTIONS, (b"", ([], ("", ""))))[1]
    if known != sample:
        named = [each for each in map(_type_and_owner, sample) if each is not None]
        types, owners = Counter(type for type, _ in named), Counter(owner for _, owner in named if owner)
        found = _first(types.most_common(1)), _first(owners.most_common(1))
        draft.caches[_CONVENTIONS] = b"", (sample, found)
    return found


def _first(most_common: Sequence[tuple[str, int]]) -> str:
    return most_common[0][0] if most_common else ""


@lru_cache(2 * _SAMPLE)
def _type_and_owner(data: bytes) -> tuple[str, str] | None:
    """Return the type id of a memory and the agent that it belongs to, "" without one; None for others."""
    minion = decode(data)[0]
    if not isinstance(minion, dict) or slug_of(minion.get("minionTypeId")) not in KINDS:
        return None
    owner = member(minion, "agentId")
    return minion["minionTypeId"], owner if isinstance(owner, str) else ""


def _add_extra(minion: JsonObject, extra: FieldValue) -> None:
    """Add members that memtui does not interpret, at their old place."""
    if not isinstance(extra, Mapping):
        return
    for name, value in extra.items():
        if name == "fields" and isinstance(value, Mapping):
            minion["fields"] |= {k: v for k, v in value.items() if k not in minion["fields"]}
        elif name not in ENVELOPE:
            minion[name] = value
