"""Minions that are no memories: one line about the memories that they belong to."""

from __future__ import annotations

import re
from collections.abc import Callable

from memtui.formats.contract.records import Link, Reading, SideRecord, clean
from memtui.formats.minions import policies, wording
from memtui.formats.minions.json_decode import text_of, time_of
from memtui.formats.minions.schema import DELETED, RESOLUTIONS
from memtui.values import Json, JsonObject

CONTRADICTS = "contradicts"


def read_minion(slug: str, minion: JsonObject, fields: JsonObject, unit: str, out: Reading) -> None:
    """Add the side records and the relation of a minion to `out`; a soft-deleted one has none."""
    if minion.get("deletedAt"):
        return

    def text(name: str) -> str:
        return " ".join(clean(text_of(fields.get(name))).split())

    def add(
        kind: str,
        about: str,
        line: str,
        time_member: str,
        via: str = "",
        data: str = "",
        *,
        settled: bool = False,
    ) -> None:
        at = time_of(fields.get(time_member) or minion.get("createdAt"))
        if about:
            record = SideRecord(kind, about, line, at, via, unit, settled=settled, data=data)
            out.side_records.append(record)

    about = text("memoryId")
    if slug == "memory-index":
        add("index", about, wording.keywords(keywords(fields.get("keywords"))), "indexedAt")
    elif slug == "memory-reinforcement":
        before, after = _number(fields.get("previousConfidence")), _number(fields.get("newConfidence"))
        line = wording.reinforcement(before, after, text("reinforcedBy"), text("reason"))
        add("reinforcement", about, line, "reinforcedAt")
    elif slug == "memory-expiry":
        line = wording.expiry(text("reason"), text("expiredBy"))
        add("expiry", about, line, "expiredAt", settled=text("reason") == DELETED)
    elif slug == "memory-contradiction":
        at = time_of(fields.get("detectedAt") or minion.get("createdAt"))
        context = clean(text_of(fields.get("description")))
        _read_contradiction(text, context, at, unit, out)
    elif slug == "memory-query":
        for about in dict.fromkeys(ids(fields.get("topResultIds"))):
            add("query", about, wording.query(text("query"), text("strategy")), "executedAt")
    elif slug == "memory-scope-policy":
        add("policy", text("agentId"), _policy(fields), "createdAt", "owner", policies.read(fields))


def _read_contradiction(
    text: Callable[[str], str], context: str, at: float | None, unit: str, out: Reading
) -> None:
    """Add a side record for each memory, and the relation while the contradiction is unresolved."""
    ends = text("memoryIdA"), text("memoryIdB")
    resolution = text("resolution")
    is_settled = resolution in RESOLUTIONS
    for side, about in enumerate(ends):
        line = wording.contradiction(text("description"), resolution if is_settled else "", side)
        record = SideRecord("contradiction", about, line, at, "", unit, ends[1 - side], is_settled)
        if about:
            out.side_records.append(record)
    if all(ends) and not is_settled:
        out.links.append(Link(ends[0], CONTRADICTS, ends[1], context=context, unit=unit))


def keywords(value: Json) -> list[str]:
    """Return the keywords of an index: a list, words with commas, or words with blanks."""
    if isinstance(value, list):
        return [clean(text_of(each)).strip() for each in value]
    text = clean(text_of(value))
    between = r"\s*[,;\n]\s*" if re.search("[,;\n]", text) else r"\s+"
    return [word for word in re.split(between, text.strip()) if word]


def ids(value: Json) -> list[str]:
    """Return the ids in a list, or in a text that may be a list written as text."""
    if isinstance(value, list):
        return [clean(each) for each in value if isinstance(each, str)]
    return re.findall(r"[^\s,;\[\]\"']+", clean(text_of(value)))


def _policy(fields: JsonObject) -> str:
    def text(name: str) -> str:
        value = fields.get(name)
        values = value if isinstance(value, list) else [value]
        return ", ".join(" ".join(clean(text_of(each)).split()) for each in values if each is not None)

    limits = text("allowedScopes"), text("maxItemsPerScope"), text("defaultExpiry")
    return wording.policy(*limits, text("sensitiveKeyPatterns"))


def _number(value: Json) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 100:
        return f"{value:.2f}"
    return " ".join(clean(text_of(value)).split()) or "?"
