"""Minions that are no memories: what they say of the memories that they belong to, in words."""

from __future__ import annotations

import re
from typing import Any

from memtui.formats.contract.adapter import Link, Reading, SideRecord, clean
from memtui.formats.minions.json_decode import text_of, time_of

CONTRADICTS = "contradicts"
_RESOLVED = {
    "keep-a": ("this one was kept", "the other one was kept"),
    "keep-b": ("the other one was kept", "this one was kept"),
    "merge": ("they were merged",) * 2,
    "discard-both": ("both were discarded",) * 2,
}


def tell(slug: str, minion: dict[str, Any], fields: dict[str, Any], unit: str, out: Reading) -> None:
    """Add what a minion of this type says to `out`; one that is soft-deleted says nothing."""
    if minion.get("deletedAt"):
        return

    def said(name: str) -> str:
        return " ".join(clean(text_of(fields.get(name))).split())

    def add(
        kind: str, about: str, words: str, when: str, via: str = "", other: str = "", settled: bool = False
    ) -> None:
        at = time_of(fields.get(when) or minion.get("createdAt"))
        if about:
            out.asides.append(SideRecord(kind, about, words, at, via, unit, other, settled))

    about = said("memoryId")
    if slug == "memory-index":
        words = ", ".join(keywords(fields.get("keywords")))
        add("index", about, f"keywords: {words or 'none'}", "indexedAt")
    elif slug == "memory-reinforcement":
        change = f"{_number(fields.get('previousConfidence'))} → {_number(fields.get('newConfidence'))}"
        words = f"{change}{_by(said('reinforcedBy'))}{_because(said('reason'))}"
        add("reinforcement", about, words, "reinforcedAt")
    elif slug == "memory-expiry":
        add("expiry", about, f"{said('reason') or 'expired'}{_by(said('expiredBy'))}", "expiredAt")
    elif slug == "memory-contradiction":
        ends = said("memoryIdA"), said("memoryIdB")
        resolved = _RESOLVED.get(said("resolution"))
        context = clean(text_of(fields.get("description")))
        for side, about in enumerate(ends):
            state = resolved[side] if resolved else "unresolved"
            words = f"contradicted{_because(said('description'))} ({state})"
            add("contradiction", about, words, "detectedAt", other=ends[1 - side], settled=bool(resolved))
        if all(ends) and not resolved:
            out.links.append(Link(ends[0], CONTRADICTS, ends[1], context=context, unit=unit))
    elif slug == "memory-query":
        how = f" ({said('strategy')})" if said("strategy") else ""
        for about in dict.fromkeys(ids(fields.get("topResultIds"))):
            add("query", about, f"asked: {said('query')}{how}", "executedAt")
    elif slug == "memory-scope-policy":
        add("policy", said("agentId"), _policy(fields), "createdAt", via="owner")


def keywords(value: Any) -> list[str]:
    """The keywords of an index: a list, words with commas, or words with blanks."""
    if isinstance(value, list):
        return [clean(text_of(each)).strip() for each in value]
    text = clean(text_of(value))
    between = r"\s*[,;\n]\s*" if re.search("[,;\n]", text) else r"\s+"
    return [word for word in re.split(between, text.strip()) if word]


def ids(value: Any) -> list[str]:
    """The ids that a list holds, or a text of them, or a list spelled as text."""
    if isinstance(value, list):
        return [clean(each) for each in value if isinstance(each, str)]
    return re.findall(r"[^\s,;\[\]\"']+", clean(text_of(value)))


def _policy(fields: dict[str, Any]) -> str:
    def said(name: str) -> str:
        value = fields.get(name)
        found = value if isinstance(value, list) else [value]
        return ", ".join(" ".join(clean(text_of(each)).split()) for each in found if each is not None)

    parts = [f"may use {said('allowedScopes') or 'no scopes'}"]
    if said("maxItemsPerScope"):
        parts.append(f"at most {said('maxItemsPerScope')} a scope")
    if said("defaultExpiry"):
        parts.append(f"expires: {said('defaultExpiry')}")
    if said("sensitiveKeyPatterns"):
        parts.append(f"never keys like {said('sensitiveKeyPatterns')}")
    return "; ".join(parts)


def _number(value: Any) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 100:
        return f"{value:.2f}"
    return " ".join(clean(text_of(value)).split()) or "?"


def _by(who: str) -> str:
    return f", by {who}" if who else ""


def _because(why: str) -> str:
    return f": {why}" if why else ""
