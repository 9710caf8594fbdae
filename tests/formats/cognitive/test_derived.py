"""The derived files of a Cognitive Memory tree: index, scores, CORE.md and REFLECTION.md."""

from __future__ import annotations

import json
from math import exp, log2

import pytest

from memtui.errors import Refused
from memtui.formats.cognitive.derived import rebuild
from memtui.formats.cognitive.derived.core import BUDGET
from memtui.memory.lifecycles.cognitive import WEIGHTS, label, score
from tests.support.stores.cognitive import DEPLOY, FILES, INDEX, REDIS, SOCKETS, memory

NOW = 1_771_113_600.0  # 2026-02-15T00:00:00Z
SAMPLE = {name: data.encode() for name, data in FILES.items() if not name.startswith((".", "_c", "_e"))}
DAY = 86_400.0


@pytest.mark.parametrize(
    ("accesses", "days", "type", "expected"),
    [
        (5, 0, "solution", 0.8 * log2(6) * 1.2),
        (0, 0, "procedure", 0.8 * 0.5 * 1.4),
        (1, 23.1049, "fix", 0.8 * 0.5),  # a half-life of about 23 days
        (3, 10, "error", 0.8 * exp(-0.3) * 2 * 0.8),
        (1, -5, "fix", 0.8),  # last used in the future: a wrong clock
    ],
)
def test_scores_follow_the_formula_of_the_format(
    accesses: int, days: float, type: str, expected: float
) -> None:
    assert score(0.8, accesses, days, type) == pytest.approx(expected, rel=1e-4)


def test_labels_follow_the_score_and_a_pin_has_the_highest() -> None:
    assert [label(value) for value in (0.5, 0.49, 0.2, 0.05, 0.01, 0.0)] == [
        "active", "fading", "fading", "dormant", "archived", "archived",
    ]  # fmt: skip
    assert score(0.1, 0, 900, "general", pinned=True) == 999
    assert len(WEIGHTS) == 11


def test_the_index_is_written_as_its_client_writes_it() -> None:
    files = {name: data for name, data in SAMPLE.items() if name != "_index.json"}
    built = json.loads(rebuild.index(files, NOW))
    assert built["updated"] == "2026-02-15T00:00:00+00:00"
    assert {**built, "updated": INDEX["updated"]} == INDEX
    assert list(built) == ["version", "updated", "count", "edges", "entries"]


def test_rebuilding_an_up_to_date_file_changes_no_byte() -> None:
    assert rebuild.index(SAMPLE, NOW) is SAMPLE["_index.json"]
    for file in rebuild.FILES.values():
        built = file.build(SAMPLE, NOW, ())
        rebuilt = file.build({**SAMPLE, file.name: built}, NOW + 3600 * (file.name != "_state.json"), ())
        assert rebuilt == built


def test_rebuilding_scores_keeps_uses() -> None:
    state = json.loads(rebuild.scores(SAMPLE, NOW))
    redis = state["entries"][REDIS]
    days = (NOW - 1_765_620_900) / DAY
    assert redis["decay_score"] == pytest.approx(score(0.8, 5, days, "solution"), abs=1e-4)
    assert {**redis, "decay_score": 0.75} == json.loads(SAMPLE["_state.json"])["entries"][REDIS]
    assert state["entries"][SOCKETS]["decay_score"] == 999.0
    assert state["entries"][DEPLOY] == {
        "access_count": 0,
        "decay_score": pytest.approx(score(0.7, 0, (NOW - 1_770_984_000) / DAY, "procedure"), abs=1e-4),
    }


def test_unknown_state_is_kept_and_a_broken_state_file_never_overwritten() -> None:
    state = {"version": 7, "x": 1, "entries": {"gone": {"access_count": 3, "y": [1]}}}
    rebuilt = json.loads(rebuild.scores({**SAMPLE, "_state.json": json.dumps(state).encode()}, NOW))
    assert (rebuilt["version"], rebuilt["x"], rebuilt["entries"]["gone"]) == (
        7,
        1,
        {"access_count": 3, "y": [1]},
    )
    with pytest.raises(Refused, match="can't be read"):
        rebuild.scores({**SAMPLE, "_state.json": b"{"}, NOW)


def test_core_lists_memories_by_score() -> None:
    text = rebuild.core_file(SAMPLE, NOW).decode()
    assert text.startswith(
        "# Memory Core (auto-generated)\n"
        "> Last updated: 2026-02-15 | Active memories: 4/5 | Next refresh: daily (systemd timer)\n"
    )
    path = "vault/chose-websocket-over-polling-d4e5f6.md"
    assert (
        f"## Active Decisions\n- [Chose websocket over polling]({path}) (major-domo, architecture)\n" in text
    )
    assert "## Patterns & Workflows\n- [Deploy Major Domo to production](graph/procedures/" in text
    assert "Key Fixes" not in text  # a section without memories
    assert "Redis connection drops" not in text  # a problem belongs to no section


def test_core_is_capped_by_section_score_and_length() -> None:
    files = {
        f"graph/fixes/f-{n:06x}.md": memory(f"{n:06x}-1", f"Fix {n}", head=f"confidence: 0.{n % 10}").encode()
        for n in range(40)
    }
    near = rebuild.core_file(files, 1_767_225_600.0).decode()
    assert near.count("\n- ") == 15
    assert "Active memories: 40/40" in near
    far = rebuild.core_file(files, 1_767_225_600.0 + 60 * DAY).decode()
    assert far.count("\n- ") == 0
    assert "Active memories: 0/40" in far
    wide = {
        f"graph/{folder}/f-{n:06x}.md": memory(f"{n:06x}-1", "long " * 90 + str(n), type=type).encode()
        for base, (folder, type) in enumerate(
            (("fixes", "fix"), ("solutions", "solution"), ("decisions", "decision"))
        )
        for n in range(base * 100, base * 100 + 15)
    }
    text = rebuild.core_file(wide, 1_767_225_600.0).decode()
    assert 10_000 < len(text) <= BUDGET
    assert text.endswith(")\n")


def test_reflection_lists_themes_projects_uses_and_insights() -> None:
    more = {
        "graph/fixes/one-aa0001.md": memory("aa0001-1", "One")
        .replace("[a, b]", "[homelab, redis, fix]")
        .encode(),
        "graph/fixes/two-aa0002.md": memory("aa0002-1", "Two " * 20)
        .replace("[a, b]", "[major-domo, fix]")
        .encode(),
        "episodes/2026-01-01.md": b"# 2026-01-01\n\n## 09:00 - Merged two notes\n- **Type:** fix\n",
    }
    text = rebuild.reflection_file({**SAMPLE, **more}, NOW).decode()
    assert "Last reflection: 2026-02-15 | Total reflections: 1\n" in text
    assert '- **homelab + redis**: 3 memories ("' in text
    assert "- **fix**: appears in homelab (1), major-domo (1)\n" in text
    assert "1. [Fixed Redis connection timeouts](graph/solutions/" in text
    assert ".md) - 5 accesses\n2. [Chose" in text
    assert (
        "- [Timeouts hide in defaults](graph/insights/timeouts-hide-in-defaults-beef01.md) - Look at" in text
    )
    assert text.endswith("## Consolidation History\n\n- Total merges performed: 1\n")
    own = rebuild.reflection_file({**SAMPLE, **more}, NOW, ("redis", "fix")).decode()
    assert "- **homelab**: appears in redis (3), fix (1)\n" in own


def test_a_reflection_counts_the_earlier_ones() -> None:
    first = rebuild.reflection_file(SAMPLE, NOW)
    second = rebuild.reflection_file({**SAMPLE, "REFLECTION.md": first}, NOW + DAY)
    assert second == first  # only the timestamps would differ
    more = {"graph/insights/new-aa0003.md": memory("aa0003-1", "New", type="insight").encode()}
    third = rebuild.reflection_file({**SAMPLE, **more, "REFLECTION.md": first}, NOW + DAY).decode()
    assert "Last updated: 2026-02-16 | Last reflection: 2026-02-16 | Total reflections: 2" in third


def test_a_preview_of_an_insight_has_eighty_characters() -> None:
    body = "word " * 40
    more = {"graph/insights/long-aa0004.md": memory("aa0004-1", "Long", body, type="insight").encode()}
    text = rebuild.reflection_file({**SAMPLE, **more}, NOW).decode()
    entry = next(entry for entry in text.splitlines() if "long-aa0004" in entry)
    assert entry.partition(" - ")[2] == ("word " * 16).strip() + "..."


def test_titles_cannot_break_a_link() -> None:
    more = {"graph/fixes/x-aa0005.md": memory("aa0005-1", "a ](evil.md) [b", type="fix").encode()}
    text = rebuild.core_file(more, 1_767_225_600.0).decode()
    assert "- [a )(evil.md) (b](graph/fixes/x-aa0005.md)" in text
