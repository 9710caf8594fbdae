"""Findings about all minions of a store together: indexes, dangling ids, keys with several values."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from memtui.formats.contract.records import Reading, Record, clean
from memtui.formats.minions import paths, wording
from memtui.memory.stores import Finding

_LIMIT = 20  # findings of one code
_LIMITS = {"no-index": 3, "stale-index": 3}  # writers without indexes leave as many as there are memories
_TOLERANCE = 60  # seconds by which an index may be older than its memory


def survey(names: Collection[str], out: Reading) -> None:
    """Add findings about the files of these names together, and shorten the list of findings."""
    memories = {record.anchor for record in out.records}
    known = memories | {clean(paths.id_in_name(name)) for name in names}
    indexed: dict[str, float | None] = {}
    # What was forgotten has an expiry; a query tells what was found at its time.
    gone = {each.about for each in out.side_records if each.kind == "expiry" and each.settled}
    for record in out.side_records:
        if record.kind == "index":
            indexed[record.about] = max(record.at or 0.0, indexed.get(record.about) or 0.0) or None
            if record.about not in memories:
                text = wording.DANGLING_INDEX.format(id=record.about)
                out.add_finding("dangling-index", record.unit, text, "", record.about)
        elif record.kind == "query" or record.about in gone:
            continue
        elif not record.via and record.about not in known:
            text = wording.DANGLING.format(kind=record.kind.capitalize(), id=record.about)
            out.add_finding("dangling", record.unit, text, "", record.about)
    live = [record for record in out.records if record.fields["status"] != "dismissed"]
    _check_indexes(live, indexed, out)
    _check_keys(live, out)
    out.findings[:] = _shortened(out.findings)


def _check_indexes(live: Iterable[Record], indexed: Mapping[str, float | None], out: Reading) -> None:
    for record in live:
        if record.anchor not in indexed:
            out.add_finding("no-index", record.place, wording.NO_INDEX)
            continue
        at, changed = indexed[record.anchor], record.fields["updated_at"]
        if at is not None and changed is not None and at + _TOLERANCE < changed:
            out.add_finding("stale-index", record.place, wording.STALE_INDEX)


def _check_keys(live: Iterable[Record], out: Reading) -> None:
    """Note live items of one owner with one key and different texts."""
    found: dict[tuple[str, str], dict[str, list[Record]]] = defaultdict(lambda: defaultdict(list))
    for record in live:
        if record.fields.get("key"):
            text = " ".join(record.fields["content"].split()).casefold()
            found[record.fields["owner"], record.fields["key"]][text].append(record)
    for (_, key), by_text in found.items():
        for records in list(by_text.values())[1:]:
            for record in records:
                out.add_finding("doubled-key", record.place, wording.DOUBLED_KEY.format(key=key))


def _shortened(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings with one for each type of another toolbox, and at most so many of other codes."""
    types = Counter(each.names for each in findings if each.code == "unknown-type")
    codes: Counter[str] = Counter()
    out: dict[tuple[str, ...], Finding] = {}
    for each in findings:
        if each.code == "unknown-type":
            text = wording.for_files(each.text, types[each.names])
            out.setdefault((each.code, *each.names), replace(each, text=text))
            continue
        codes[each.code] += 1
        if codes[each.code] <= _limit(each.code):
            out[each.code, f"{codes[each.code]}"] = each
    for code, count in codes.items():
        if count > (limit := _limit(code)):
            last = out[code, f"{limit}"]
            text = wording.and_more(last.text, count - limit)
            out[code, f"{limit}"] = replace(last, text=text, and_more=True)
    return list(out.values())


def _limit(code: str) -> int:
    return _LIMITS.get(code, _LIMIT)
