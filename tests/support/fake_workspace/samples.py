"""Fake workspaces to start from, each with some memories, stores or pairs."""

from __future__ import annotations

from typing import Any

from memtui.memory.contradictions.pairs import CONTRADICTION, DUPLICATE, KEEP_A, Pair, Suggestion
from memtui.memory.memory import Memory
from memtui.memory.relations import Relation
from memtui.memory.stores import Backup, DiscoveredStore, Finding, Issue, StoreInfo
from tests.support.fake_workspace.base import label
from tests.support.fake_workspace.workspace import FakeWorkspace

NOW = 1_795_300_000.0
DAY = 86400.0


def clock() -> float:
    return NOW


def memory(n: int, content: str, **more: Any) -> Memory:
    """Return a memory with the fields that a screen shows."""
    fields: dict[str, Any] = {
        "uid": f"u{n}",
        "store": "native",
        "ref": f"r{n}",
        "category": "fact",
        "confidence": 0.8,
        "updated_at": NOW - n * DAY,
        "created_at": NOW - n * 2 * DAY,
    }
    return Memory(**{**fields, "content": content, **more})


def sample() -> FakeWorkspace:
    """Return a workspace with seven live memories of three stores, and a dismissed one."""
    fake = FakeWorkspace(
        [
            memory(
                1,
                "Ana wants a keyboard-only review flow",
                category="pref",
                confidence=1.0,
                pinned=True,
                pinned_by="person",
                store="founder-os",
            ),
            memory(
                2,
                "The project supports CPython 3.12 and newer. 3.11 was dropped on 2 Nov so that type "
                "aliases can be used in the store.",
                title="memtui targets Python 3.12",
                store="base-coat",
                times_used=7,
                last_used_at=NOW - DAY,
                source_type="claude-code",
                session_id="session 7f3a",
                source_excerpt="we can drop 3.11 now",
                tags=("python", "release"),
                subject="memtui",
            ),
            memory(3, "memtui is a web app (React)", status="pending", confidence=0.6, store="base-coat"),
            memory(4, "CI takes 14 minutes on the slow runner", confidence=0.6),
            memory(5, "planning call with Bo, 2 Nov", category="episode", confidence=0.4, store="founder-os"),
            memory(
                31, "editor is neovim, terminal is kitty", category="pref", status="candidate", confidence=0.2
            ),
            memory(7, "releases ship to PyPI on tag", category="rule", confidence=1.0),
            memory(8, "staging host is db-2", status="dismissed", confidence=None),
        ],
        clock=clock,
    )
    fake.relations[2] = (
        Relation("memtui", "written_in", "Python", 0.9, "", 2, None),
        Relation("Ana", "works_on", "memtui", None, "", 1, 2),
    )
    return fake


def with_stores() -> FakeWorkspace:
    """Return the sample in four stores in different states, with two more to discover."""
    fake = sample()
    findings = (
        Finding("yaml", "notes/a.md", "Front matter is not valid YAML."),
        Finding("date", "notes/b.md", "No date."),
    )
    fake.attached = [
        StoreInfo("native", "native", "/data/work.db", 3, changed_at=NOW - 3600, pulled_at=NOW),
        StoreInfo(
            "founder-os", "founder-os", "/srv/larkfield/.memory/memory.db", 2,
            changed_at=NOW - 7200, pulled_at=NOW - 60,
        ),
        StoreInfo(
            "base-coat", "mcp-memory", "/srv/base-coat/memory.jsonl", 2,
            changed_at=NOW - DAY, pulled_at=NOW - 60, findings=findings,
        ),
        StoreInfo(
            "claude-code:order-service", "claude-code", "/srv/order-service", 12,
            error="/srv/order-service does not exist.", pulled_at=NOW - 9 * DAY,
        ),
    ]  # fmt: skip
    fake.discovered = [
        DiscoveredStore("claude-code", "Claude Code", "/srv/www/.claude/projects/-srv-www/memory", 31),
        DiscoveredStore("mcp-memory", "MCP memory", "/srv/assistant/memory.jsonl", 8, "3 warnings"),
    ]
    fake.issues = [
        Issue(
            "base-coat", "yaml", "notes/a.md", "Front matter is not valid YAML.",
            "The memory is shown as plain text and can't be edited here.",
        ),
        Issue(
            "claude-code:order-service", "away", "", "Its folder does not exist.",
            "Its 12 memories are shown as last loaded.", "detaches it; its pins and notes stay", True,
        ),
        Issue(
            "", "fts", "", "The text search index is missing 2 memories.", "A search may miss them.",
            "rebuilds the text search index",
        ),
    ]  # fmt: skip
    fake.stored_backups = [
        Backup("b2", "base-coat", NOW - 5 * 3600, "/data/backups/b2", 12_345),
        Backup("b1", "base-coat", NOW - 3 * DAY, "/data/backups/b1", 1_234_567),
    ]
    return fake


def with_pairs() -> FakeWorkspace:
    """Return the sample with four open pairs, the first of them open for long."""
    fake = sample()
    fake.memories |= {
        9: memory(
            19,
            "The project supports CPython 3.11 and newer because the CI image has 3.11.",
            title="memtui targets Python 3.11",
            store="founder-os",
            confidence=0.61,
            times_used=2,
            last_used_at=NOW - 19 * DAY,
            source_type="codex",
            session_id="session 02bc",
            source_excerpt="CI image is 3.11",
        ),
        10: memory(12, "editor is helix, terminal is kitty", category="pref"),
        11: memory(13, "CI takes 14 minutes on the slow runner.", store="base-coat"),
        12: memory(14, "CI takes 9 minutes on the slow runner"),
    }
    different_numbers = "Both say which Python memtui needs, with different numbers."
    pairs = (
        (1, 2, 9, CONTRADICTION, "number", 0.91, ("3.12", "3.11"), different_numbers, 9 * DAY),
        (2, 6, 10, CONTRADICTION, "value", 0.82, ("neovim", "helix"), "The same editor has two names.", DAY),
        (3, 4, 11, DUPLICATE, "near", 0.80, ("", ""), "They differ by punctuation alone.", DAY),
        (
            4,
            4,
            12,
            CONTRADICTION,
            "number",
            0.74,
            ("14", "9"),
            "One run takes two lengths of time.",
            DAY,
        ),
    )
    for id, a, b, family, kind, score, words, why, age in pairs:
        first, second = fake.memories[a], fake.memories[b]
        fake.pairs_by_id[id] = Pair(
            id, a, b, family, kind, score, words, why, "", NOW - age, "open", age > 7 * DAY,
            None, (label(first), label(second)), (first.store, second.store),
        )  # fmt: skip
    fake.suggestions[1] = Suggestion(KEEP_A, "Newer by 17 days, used more.")
    return fake


def new_workspace(*discovered: DiscoveredStore) -> FakeWorkspace:
    """Return a workspace just created, on a machine with these stores."""
    fake = FakeWorkspace([], clock=clock)
    fake.attached = [StoreInfo("native", "native", "/data/work.db", 0)]
    fake.discovered = list(discovered)
    return fake
