"""A new memory: its minion and its index (FORMATS 2)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from itertools import islice
from typing import Any

from memtui.errors import NotSaved
from memtui.formats.contract.adapter import Write
from memtui.formats.media.files.draft import Draft
from memtui.formats.minions import factory, index_records, paths
from memtui.formats.minions.json_decode import decoded, member
from memtui.formats.minions.reader import part
from memtui.formats.minions.schema import (
    ENVELOPE,
    HIGHEST,
    KINDS,
    MEMBERS,
    SLUG_OF_KIND,
    START,
    slug_of,
    type_id,
)
from memtui.memory.memory import TIMES, first_line

_SOME = 500  # files that tell how a store names types and whose it is
_TITLE = 60  # characters of a title that is made of the text


def add(draft: Draft, write: Write) -> None:
    """Put a new memory and its index into the draft."""
    fields = write.fields
    text = str(fields.get("content") or "")
    if not text.strip():
        raise NotSaved("empty", "a memory without a text is none.")
    kind = str(fields.get("kind") or "item")
    if kind not in MEMBERS:
        raise NotSaved("kind", f"minions has {', '.join(MEMBERS)}, and no {kind}.")
    like, owner = _customs(draft)
    title = " ".join(str(fields.get("title") or fields.get("key") or first_words(text)).split())
    given = {
        "owner": owner or write.who.removeprefix("agent:"),
        "scope": "private",
        "key": key_of(fields),
        "confidence": START.get(kind),
        "times_confirmed": 0,
        "created_at": write.now,
    }
    given |= {name: value for name, value in fields.items() if value is not None}
    if given["confidence"] is not None and "ref" not in fields:
        given["confidence"] = min(HIGHEST, float(given["confidence"]))
    said: dict[str, Any] = {}
    for name, theirs in MEMBERS[kind].items():
        value = given.get(name)
        if value is not None or name == "expires_at":  # null is: never
            said[theirs] = _spelled(name, value)
    minion = factory.minion(type_id(SLUG_OF_KIND[kind], like), title, said, write.now)
    ref = str(fields.get("ref") or "")
    if paths.is_id(ref) and not any(paths.stem_of(name) == ref for name in draft.files):
        minion["id"] = ref
    if fields.get("created_at") is not None:
        minion["createdAt"] = factory.moment(float(fields["created_at"]))
    if fields.get("tags"):
        minion["tags"] = list(fields["tags"])
    _put_extra(minion, fields.get("extra"))
    minion["searchableText"] = index_records.searchable(minion)
    name = factory.create(draft, minion)
    (record,) = part(name, draft.files[name]).records
    index_records.create(draft, record, minion["minionTypeId"], write.now)


def key_of(fields: Mapping[str, Any]) -> str:
    """The key of an item: its own, else made of what it is about."""
    if fields.get("key"):
        return str(fields["key"])
    about = str(fields.get("subject") or fields.get("title") or first_words(str(fields.get("content") or "")))
    return "_".join(re.findall(r"[^\W_]+", about.casefold()))[:_TITLE].strip("_") or "note"


def first_words(text: str) -> str:
    """The beginning of a text, cut between words."""
    line = " ".join(first_line(text).split())
    return line if len(line) <= _TITLE else line[:_TITLE].rsplit(" ", 1)[0] + "…"


def _spelled(name: str, value: Any) -> Any:
    if value is not None and name in TIMES:
        return factory.moment(float(value))
    return "\n".join(value) if name == "key_facts" else value


def _customs(draft: Draft) -> tuple[str, str]:
    """How the store names its types, and the agent that most of its memories belong to."""
    likes: Counter[str] = Counter()
    owners: Counter[str] = Counter()
    for data in islice(draft.files.values(), _SOME):
        minion = decoded(data)[0]
        if isinstance(minion, dict) and slug_of(minion.get("minionTypeId")) in KINDS:
            likes[minion["minionTypeId"]] += 1
            owner = member(minion, "agentId")
            if isinstance(owner, str) and owner:
                owners[owner] += 1
    return (
        likes.most_common(1)[0][0] if likes else "",
        owners.most_common(1)[0][0] if owners else "",
    )


def _put_extra(minion: dict[str, Any], extra: Any) -> None:
    """Members that memtui does not know, where they stood."""
    if not isinstance(extra, Mapping):
        return
    for name, value in extra.items():
        if name == "fields" and isinstance(value, Mapping):
            minion["fields"] |= {k: v for k, v in value.items() if k not in minion["fields"]}
        elif name not in ENVELOPE:
            minion[name] = value
