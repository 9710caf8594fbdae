"""Every filter through `list` and `search`: the right memories, and errors with a position (S-31)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memtui.memory.query.language import FILTERS
from memtui.text import is_clean
from tests.support.command_line import CLAUDE, FOUNDER, MCP, Cli
from tests.support.sizes import shard

# A query, and the condition that it must put on each memory of `list --json`.
Condition = Callable[[dict[str, Any]], bool]
DAY = 86_400


def update_memory(demo_database: Path, content: str, sql: str, *values: object) -> None:
    """Set columns of a memory that no command sets, as an agent's store would."""
    import apsw

    connection = apsw.Connection(str(demo_database))
    from memtui.workspace.db.sql_functions import FUNCTIONS

    for name, function in FUNCTIONS.items():
        connection.create_scalar_function(name, function, 1)
    connection.execute(f"UPDATE memories SET {sql} WHERE content LIKE ?", (*values, f"%{content}%"))
    connection.close()


@pytest.fixture
def filled_cli(cli: Cli, demo_database: Path) -> Cli:
    """The demo, with memories in the native store for the filters that it lacks."""
    update_memory(
        demo_database,
        "review flow",
        "owner = 'planner', scope = 'private', kind = 'lesson', tier = 'l1', heat = 'hot'",
    )
    update_memory(
        demo_database, "staging host", "company_id = 'acme', subject = 'Acme Corp', key = 'editor.theme'"
    )
    update_memory(
        demo_database, "staging host", "source_type = 'user', note = 'asked twice', confidence = 0.1"
    )
    update_memory(
        demo_database,
        "Planning call",
        "expires_at = unixepoch() + 10 * 86400, snoozed_until = unixepoch() + 86400",
    )
    return cli


QUERIES: list[tuple[str, Condition]] = [
    ("store:native", lambda m: m["store"] == "native"),
    ("store:claude*", lambda m: m["store"] == CLAUDE),
    ("store:founder-os", lambda m: m["store"] == FOUNDER),
    ("owner:planner", lambda m: m["owner"] == "planner"),
    ("scope:private", lambda m: m["scope"] == "private"),
    ("kind:lesson", lambda m: m["kind"] == "lesson"),
    ("category:preference", lambda m: m["category"] == "preference"),
    ("status:candidate", lambda m: m["status"] == "candidate"),
    ("tag:work* tag:staging", lambda m: False),
    ("tag:staging", lambda m: "staging" in m["tags"]),
    ('subject:"Acme Corp"', lambda m: m["subject"] == "Acme Corp"),
    ("key:editor.*", lambda m: str(m["key"]).startswith("editor.")),
    ("source:user", lambda m: "user" in str(m["source_type"]).lower().split()),
    ("company:acme", lambda m: m["company_id"] == "acme"),
    ("tier:l1", lambda m: m["tier"] == "l1"),
    ("heat:hot", lambda m: m["heat"] == "hot"),
    ("conf:>0.8", lambda m: (m["confidence"] or 0) > 0.8),
    ("conf:<=10%", lambda m: m["confidence"] is not None and m["confidence"] <= 0.1),
    ("used:>10", lambda m: m["times_used"] > 10),
    ("created:>2020", lambda m: m["created_at"] is not None),
    ("updated:>2020-01-01", lambda m: bool(m["updated_at"] or m["created_at"])),
    ("expires:<30d", lambda m: m["expires_at"] is not None),
    ("is:pinned", lambda m: m["pinned"] is True),
    ("is:live", lambda m: m["status"] in ("candidate", "pending", "confirmed", "applied")),
    ("is:snoozed", lambda m: m["snoozed_until"] is not None),
    ("has:note", lambda m: bool(m["note"])),
    ("has:expiry", lambda m: m["expires_at"] is not None),
    ("-has:tag", lambda m: not m["tags"]),
    ("category:fact category:contact -tag:brightwater", lambda m: m["category"] in ("fact", "contact")
     and "brightwater" not in m["tags"]),
    ("store:founder* conf:0.6..0.8 used:<9", lambda m: m["store"] == FOUNDER
     and 0.6 <= m["confidence"] <= 0.8 and m["times_used"] < 9),
    ("warehouse store:mcp* -category:person", lambda m: m["store"] == MCP and m["category"] != "person"
     and "warehouse" in f"{m['subject']} {m['content']}".lower()),
]  # fmt: skip


def test_list_and_search_apply_each_filter(filled_cli: Cli) -> None:
    memories = filled_cli.json("list")
    for number, (query, condition) in enumerate(QUERIES):
        expected = {str(memory["uid"]) for memory in memories if condition(memory)}
        assert expected or "tag:work*" in query
        for words in shard((["list"], ["search", "--all", "--limit", "100"]), number, 2):
            assert {memory["uid"] for memory in filled_cli.json(*words, query)} == expected, (words, query)


def test_every_filter_is_covered(filled_cli: Cli) -> None:
    covered = {part.lstrip("-").partition(":")[0] for query, _ in QUERIES for part in query.split()}
    assert covered.issuperset(set(FILTERS) - {"label"})
    for query in ("label:active", "label:fading", "is:duplicate", "is:contradicted", "is:stale", "is:secret",
                  "is:pending", "is:fading", "is:removed", "has:relation", "has:source"):  # fmt: skip
        found = filled_cli("search", query, "--all", "--limit", "100", "--json")
        listed = filled_cli("list", query, "--json")
        assert (found.code, listed.code) == (0, 0)
        assert {m["uid"] for m in found.json} == {m["uid"] for m in listed.json}
    assert filled_cli.json("list", "label:active")
    assert {m["store"] for m in filled_cli.json("list", "has:relation")} >= {MCP}


def test_search_is_limited_to_live_memories_unless_told_otherwise(cli: Cli) -> None:
    assert cli.json("search", "tagline") == []
    assert [m["status"] for m in cli.json("search", "tagline", "--all")] == ["dismissed"]
    assert [m["status"] for m in cli.json("search", "tagline status:dismissed")] == ["dismissed"]


def test_filters_alone_sort_by_newest(cli: Cli) -> None:
    newest = [m["uid"] for m in cli.json("list", "category:fact is:live", "--sort", "newest")]
    assert [m["uid"] for m in cli.json("search", "category:fact")] == newest
    most_confident = [m["uid"] for m in cli.json("list", "category:fact is:live", "--sort", "confidence")]
    assert [m["uid"] for m in cli.json("search", "category:fact", "--sort", "confidence")] == most_confident


ERRORS = [
    ("conf:>3", (5, 7), "“conf:>3” is not valid."),
    ("coffee used:many", (12, 16), "“used:many” is not valid."),
    ("created:2026-13", (8, 15), "“created:2026-13” is not valid."),
    ("updated:7", (8, 9), "“updated:7” is not valid."),
    ("expires:<soon", (8, 13), "“expires:<soon” is not valid."),
    ("is:odd", (3, 6), "“is:odd” is not valid."),
    ("-has:wings", (5, 10), "“has:wings” is not valid."),
    ("tier:l9", (5, 7), "“tier:l9” is not valid."),
    ("tag:", (0, 4), "tag: needs a value"),
    ("a colour:blue b", (2, 9), "Unknown filter “colour:”."),
]


@pytest.mark.parametrize(("query", "span", "message"), ERRORS)
def test_an_invalid_value_is_an_error_with_its_position(
    cli: Cli, query: str, span: tuple[int, int], message: str
) -> None:
    for words in (["list", query], ["search", query], ["saved", "add", "one", query]):
        result = cli("--json", *words)
        assert (result.code, result.error["code"]) == (1, "query")
        assert (result.error["start"], result.error["end"]) == span
        assert result.error["message"].startswith(message)
        result = cli(*words)
        assert (result.code, result.out) == (1, "")
        assert message in result.err
    assert cli.json("saved") == []


HOSTILE = [
    "",
    " ",
    "-",
    '"',
    '"-"',
    "* OR words MATCH 1",
    "'; DROP TABLE memories; --",
    "NEAR(a b) AND NOT c*",
    "{}[]()^:+~",
    "\x1b[2J\x1b]0;x\x07 red",
    "\u202egnp.exe \u200b\ufeff",
    "\udcff\x00null",
    "%s %(x)s {0} \\N",
    "x" * 9_000,
    "tag:\"' OR 1=1 --",
    "🙂👩‍🚀 ß İ ﷽",
]


def test_hostile_queries_are_harmless(cli: Cli, hashes: None) -> None:
    cli("embed")
    commands = (["search", "--explain", "--facets"], ["search", "--by", "meaning", "--json"], ["list"])
    for number, query in enumerate(HOSTILE):
        for words in shard(commands, number, 3):
            result = cli(*words, "--", query)
            is_blank = words[0] == "search" and not query.strip()
            assert result.code == (2 if is_blank else 0), (query, result.err)
            assert is_clean(result.out + result.err), query
            if "--json" in words and not is_blank:
                json.loads(result.out)
    assert len(cli.json("list")) == 38


def test_a_query_that_is_too_long_is_refused(cli: Cli) -> None:
    for query in ("x" * 20_000, "a " * 300):
        result = cli("search", "--json", query)
        assert (result.code, result.error["code"]) == (1, "query")


@pytest.mark.parametrize("command", ["list", "search"])
def test_the_help_lists_all_filters_and_their_values(bare: Cli, command: str) -> None:
    from memtui.memory.query.wording import FORMS

    help = bare(command, "--help").out
    words = " ".join(help.split())
    for spec in FILTERS.values():
        assert f"  {spec.name}:{spec.example}" in help
        assert all(value in words for value in spec.allowed)
    assert all(form in words for form in FORMS.values())
    assert "special to shells: 'conf:>0.8'" in help
    assert max(map(len, help.splitlines())) <= 110
