"""What is odd about all minions of a store together: indexes, dangling ids, keys that stand twice."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

from memtui.formats.contract.adapter import Reading, Record, clean
from memtui.formats.minions import paths
from memtui.memory.stores import Finding

_MOST = 20  # findings of one code that are told one by one
_MOST_OF = {"no-index": 3, "stale-index": 3}  # where writers without an index leave as many as memories
_MEANWHILE = 60  # seconds by which an index may be older than its memory


def survey(names: Collection[str], out: Reading) -> None:
    """Note in `out` what is odd about these files together."""
    memories = {record.anchor for record in out.records}
    there = memories | {clean(paths.stem_of(name)) for name in names}
    indexed: dict[str, float | None] = {}
    for aside in out.asides:
        if aside.kind == "index":
            indexed[aside.about] = max(aside.at or 0.0, indexed.get(aside.about) or 0.0) or None
            if aside.about not in memories:
                out.odd(
                    "dangling-index", aside.unit, f"It indexes {aside.about}, which is gone.", "", aside.about
                )
        elif not aside.via and aside.about not in there:
            words = f"{aside.kind.capitalize()} of {aside.about}, which is gone."
            out.odd("dangling", aside.unit, words, "", aside.about)
    live = [record for record in out.records if record.fields["status"] != "dismissed"]
    _indexes(live, indexed, out)
    _keys(live, out)
    out.findings[:] = _told_together(out.findings)


def _indexes(live: Iterable[Record], indexed: Mapping[str, float | None], out: Reading) -> None:
    for record in live:
        if record.anchor not in indexed:
            out.odd("no-index", record.place, "It has no index minion.")
            continue
        at, changed = indexed[record.anchor], record.fields["updated_at"]
        if at is not None and changed is not None and at + _MEANWHILE < changed:
            out.odd("stale-index", record.place, "Its index is older than it.")


def _keys(live: Iterable[Record], out: Reading) -> None:
    """Live items of one owner under one key that say different things."""
    found: dict[tuple[Any, Any], dict[str, list[Record]]] = defaultdict(lambda: defaultdict(list))
    for record in live:
        if record.fields.get("key"):
            said = " ".join(record.fields["content"].split()).casefold()
            found[record.fields["owner"], record.fields["key"]][said].append(record)
    for (_, key), texts in found.items():
        for others in list(texts.values())[1:]:
            for record in others:
                out.odd("doubled-key", record.place, f"Another memory of its owner says “{key}”, too.")


def _told_together(findings: Iterable[Finding]) -> list[Finding]:
    """The findings, of which the types of other toolboxes are told once, and others not too often."""
    types = Counter(each.names for each in findings if each.code == "unknown-type")
    codes: Counter[str] = Counter()
    out: dict[tuple[str, ...], Finding] = {}
    for each in findings:
        if each.code == "unknown-type":
            count = types[each.names]
            more = f" Files like it: {count:,}." if count > 1 else ""
            out.setdefault((each.code, *each.names), replace(each, text=each.text + more))
            continue
        codes[each.code] += 1
        if codes[each.code] <= _most(each.code):
            out[each.code, f"{codes[each.code]}"] = each
    for code, count in codes.items():
        if count > (most := _most(code)):
            last = out[code, f"{most}"]
            out[code, f"{most}"] = replace(
                last, text=f"{last.text} {count - most:,} more like it.", and_more=True
            )
    return list(out.values())


def _most(code: str) -> int:
    return _MOST_OF.get(code, _MOST)
