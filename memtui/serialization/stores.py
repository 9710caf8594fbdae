"""Attached, discovered and checked stores, as JSON (S-82)."""

from __future__ import annotations

from memtui.memory.encoding import iso
from memtui.memory.stores import DiscoveredStore, Finding, Issue, StoreInfo
from memtui.values import JsonObject


def store_as_json(info: StoreInfo) -> JsonObject:
    """An attached store, with its findings; times are ISO UTC text."""
    return {
        "name": info.name,
        "format": info.format,
        "path": info.path,
        "count": info.count,
        "read_only": info.read_only,
        "pulled_at": iso(info.pulled_at),
        "error": info.error,
        "findings": [_finding_as_json(finding) for finding in info.findings],
        "locked": info.locked,
        "changed_at": iso(info.changed_at),
        "attached_at": iso(info.attached_at),
    }


def _finding_as_json(finding: Finding) -> JsonObject:
    return {
        "code": finding.code,
        "place": finding.place,
        "words": finding.text,
        "about": finding.about,
    }


def discovered_as_json(store: DiscoveredStore) -> JsonObject:
    """A store that is not attached; "count" is null where it was not counted, and "trouble" says why."""
    return {
        "format": store.format,
        "title": store.title,
        "path": store.path,
        "count": store.count,
        "trouble": store.problem,
    }


def issue_as_json(issue: Issue) -> JsonObject:
    """An issue that the doctor reports; "mend" is what --fix would do."""
    return {
        "store": issue.store,
        "code": issue.code,
        "place": issue.place,
        "words": issue.text,
        "meaning": issue.meaning,
        "mend": issue.repair,
        "grave": issue.severe,
    }
