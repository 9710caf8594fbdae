"""What the doctor checks in minions beyond what their reader notes: values, policies, indexes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase

from memtui.formats.checkup import make_finding, timestamps
from memtui.formats.contract.records import Reading, Record, clean
from memtui.formats.media.files import raw_checks
from memtui.formats.media.sqlite import table_checks
from memtui.formats.minions import wording
from memtui.formats.minions.json_decode import decode, text_of, time_of
from memtui.formats.minions.schema import MAX_CONFIDENCE, RESOLUTIONS, slug_of
from memtui.formats.minions.side_records import ids
from memtui.memory.memory import LIVE
from memtui.memory.stores import Finding
from memtui.values import Json, JsonObject

_STATUSES = ("active", "todo", "in_progress", "completed", "cancelled")
_TIME_MEMBERS = frozenset(
    "createdAt updatedAt deletedAt expiresAt lastAccessedAt lastReinforcedAt indexedAt reinforcedAt".split()
)
_SCOPES = ("private", "fleet", "session")
_RESOLUTIONS = (*RESOLUTIONS, "unresolved")


def check(files: Mapping[str, bytes], reading: Reading) -> Iterator[Finding]:
    """Yield findings about each file, then about all of them together."""
    noted = {finding.place for finding in reading.findings if finding.code == "odd-confidence"}
    indexes: Counter[str] = Counter()
    vectors: list[tuple[str, int, str]] = []
    policies: dict[str, list[JsonObject]] = defaultdict(list)
    times: list[tuple[str, str, Json]] = []
    for name, data in sorted(files.items()):
        place = clean(name)
        yield from raw_checks.plain(place, data, longest_line=len(data))  # an embedding is one long line
        text = data.removeprefix(raw_checks.BOM).decode(errors="replace")
        yield from raw_checks.json_text(place, text, keys=False)
        minion = decode(data)[0]
        fields = minion.get("fields") if isinstance(minion, dict) else None
        if not isinstance(fields, dict) or not isinstance(minion, dict):
            continue
        for members in (minion, fields):
            times += [(place, key, value) for key, value in members.items() if key in _TIME_MEMBERS]
        slug = slug_of(minion.get("minionTypeId"))
        yield from _check_envelope(place, minion)
        if minion.get("deletedAt") or not slug:
            continue
        yield from _check_values(place, slug, fields, noted)
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
            yield make_finding("double-index", record.place, count=indexes[record.anchor])
    yield from _policy_breaches(reading.records, policies)


def _check_envelope(place: str, minion: JsonObject) -> Iterator[Finding]:
    status = minion.get("status")
    if status is not None and status not in _STATUSES:
        yield make_finding("odd-status", place, value=clean(text_of(status)))
    for key in ("deletedAt", "dueDate"):
        value = minion.get(key)
        if value and time_of(value) is None:
            yield make_finding("odd-time", place, name=key, value=clean(text_of(value)))


def _check_values(place: str, slug: str, fields: JsonObject, noted: set[str]) -> Iterator[Finding]:
    """Check values by type of minion; `noted` are places with a finding about confidence already."""
    confidence = fields.get("confidence")
    if isinstance(confidence, int | float) and MAX_CONFIDENCE < confidence <= 1 and place not in noted:
        yield make_finding("high-confidence", place, value=str(confidence), limit=MAX_CONFIDENCE)
    scope = fields.get("scope")
    if slug == "memory-item" and scope is not None and scope not in _SCOPES:
        yield make_finding("odd-scope", place, value=clean(text_of(scope)))
    if slug == "memory-reinforcement":
        for key in ("previousConfidence", "newConfidence"):
            value = fields.get(key)
            if value is not None and not (type(value) in (int, float) and 0 <= value <= 1):
                yield make_finding("odd-confidence", place, name=key, value=clean(text_of(value)))
    resolution = fields.get("resolution")
    if slug == "memory-contradiction" and resolution and resolution not in _RESOLUTIONS:
        yield make_finding("odd-resolution", place, value=clean(text_of(resolution)))


def _policy_breaches(records: list[Record], policies: Mapping[str, list[JsonObject]]) -> Iterator[Finding]:
    """Yield a finding for each item that a scope policy of its owner does not allow."""
    by_owner: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        owner = str(record.fields.get("owner") or "")
        if owner in policies and record.fields["kind"] == "item" and record.fields["status"] in LIVE:
            by_owner[owner].append(record)
    for owner, items in by_owner.items():
        for policy in policies[owner]:
            for place, reason in _breaches(items, policy):
                yield make_finding("policy", place, name=owner, why=reason)


def _breaches(items: list[Record], policy: JsonObject) -> Iterator[tuple[str, str]]:
    """Yield (place, reason) for each breach of one policy."""
    allowed = set(ids(policy.get("allowedScopes")))
    patterns = ids(policy.get("sensitiveKeyPatterns"))
    limit = policy.get("maxItemsPerScope")
    scopes = Counter(record.fields.get("scope") for record in items)
    for record in items:
        scope, key = record.fields.get("scope"), str(record.fields.get("key") or "")
        if allowed and scope in _SCOPES and scope not in allowed:
            yield record.place, wording.SCOPE_NOT_ALLOWED.format(scope=scope)
        if any(fnmatchcase(key, pattern) for pattern in patterns):
            yield record.place, wording.KEY_NOT_ALLOWED.format(key=key)
    for scope, count in scopes.items():
        if type(limit) is int and 0 < limit < count:
            yield "", wording.TOO_MANY_IN_SCOPE.format(count=count, scope=scope, limit=limit)
