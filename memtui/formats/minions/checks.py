"""What the doctor looks for in minions beside what is noted as they are read: values, policies, indexes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any

from memtui.formats.checkup import found, timestamps
from memtui.formats.contract.adapter import Reading, Record, clean
from memtui.formats.media.files import raw_checks
from memtui.formats.media.sqlite import table_checks
from memtui.formats.minions.json_decode import decoded, text_of, time_of
from memtui.formats.minions.schema import HIGHEST, slug_of
from memtui.formats.minions.side_records import ids
from memtui.memory.memory import LIVE
from memtui.memory.stores import Finding

_STATUSES = ("active", "todo", "in_progress", "completed", "cancelled")
_TIMES = frozenset(
    "createdAt updatedAt deletedAt expiresAt lastAccessedAt lastReinforcedAt indexedAt reinforcedAt".split()
)
_SCOPES = ("private", "fleet", "session")
_RESOLUTIONS = ("keep-a", "keep-b", "merge", "discard-both", "unresolved")


def look(files: Mapping[str, bytes], reading: Reading) -> Iterator[Finding]:
    """What is odd about each file, and about all of them together."""
    told = {finding.place for finding in reading.findings if finding.code == "odd-confidence"}
    indexes: Counter[str] = Counter()
    vectors: list[tuple[str, int, str]] = []
    policies: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    times: list[tuple[str, str, Any]] = []
    for name, data in sorted(files.items()):
        place = clean(name)
        yield from raw_checks.plain(place, data, long=len(data))  # a vector is one long line
        yield from raw_checks.json_text(
            place, data.removeprefix(raw_checks.BOM).decode(errors="replace"), keys=False
        )
        minion = decoded(data)[0]
        fields = minion.get("fields") if isinstance(minion, dict) else None
        if not isinstance(fields, dict) or not isinstance(minion, dict):
            continue
        times += [
            (place, key, said) for part in (minion, fields) for key, said in part.items() if key in _TIMES
        ]
        slug = slug_of(minion.get("minionTypeId"))
        yield from _envelope(place, minion)
        if minion.get("deletedAt") or not slug:
            continue
        yield from _values(place, slug, fields, told)
        if slug == "memory-index":
            indexes[text_of(fields.get("memoryId"))] += 1
            if (vector := fields.get("embedding")) not in (None, "", []):
                read = table_checks.json_vector if isinstance(vector, str) else table_checks.number_list
                vectors.append((place, *read(vector)))
        elif slug == "memory-scope-policy":
            policies[clean(text_of(fields.get("agentId")))].append(fields)
    yield from timestamps.mixed(times)
    yield from table_checks.lengths(iter(vectors))
    for record in reading.records:
        if indexes[record.anchor] > 1:
            yield found("double-index", record.place, count=indexes[record.anchor])
    yield from _breaches(reading.records, policies)


def _envelope(place: str, minion: Mapping[str, Any]) -> Iterator[Finding]:
    status = minion.get("status")
    if status is not None and status not in _STATUSES:
        yield found("odd-status", place, said=clean(text_of(status)))
    for key in ("deletedAt", "dueDate"):
        said = minion.get(key)
        if said and time_of(said) is None:
            yield found("odd-time", place, name=key, said=clean(text_of(said)))


def _values(place: str, slug: str, fields: Mapping[str, Any], told: set[str]) -> Iterator[Finding]:
    confidence = fields.get("confidence")
    if isinstance(confidence, int | float) and HIGHEST < confidence <= 1 and place not in told:
        yield found("high-confidence", place, said=str(confidence), limit=HIGHEST)
    scope = fields.get("scope")
    if slug == "memory-item" and scope is not None and scope not in _SCOPES:
        yield found("odd-scope", place, said=clean(text_of(scope)))
    if slug == "memory-reinforcement":
        for key in ("previousConfidence", "newConfidence"):
            said = fields.get(key)
            if said is not None and not (type(said) in (int, float) and 0 <= said <= 1):
                yield found("odd-confidence", place, name=key, said=clean(text_of(said)))
    resolution = fields.get("resolution")
    if slug == "memory-contradiction" and resolution and resolution not in _RESOLUTIONS:
        yield found("odd-resolution", place, said=clean(text_of(resolution)))


def _breaches(records: list[Record], policies: Mapping[str, list[Mapping[str, Any]]]) -> Iterator[Finding]:
    """Items that a scope policy of their owner does not allow."""
    by_owner: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        owner = str(record.fields.get("owner") or "")
        if owner in policies and record.fields["kind"] == "item" and record.fields["status"] in LIVE:
            by_owner[owner].append(record)
    for owner, theirs in by_owner.items():
        for policy in policies[owner]:
            allowed = set(ids(policy.get("allowedScopes")))
            patterns = ids(policy.get("sensitiveKeyPatterns"))
            most = policy.get("maxItemsPerScope")
            scopes = Counter(record.fields.get("scope") for record in theirs)
            for record in theirs:
                scope, key = record.fields.get("scope"), str(record.fields.get("key") or "")
                if allowed and scope in _SCOPES and scope not in allowed:
                    yield found("policy", record.place, name=owner, why=f"scope {scope} is not allowed")
                if any(fnmatchcase(key, pattern) for pattern in patterns):
                    yield found("policy", record.place, name=owner, why=f"key {key} is not allowed")
            for scope, count in scopes.items():
                if type(most) is int and 0 < most < count:
                    why = f"{count:,} memories in scope {scope}, at most {most:,} allowed"
                    yield found("policy", "", name=owner, why=why)
