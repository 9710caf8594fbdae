"""Search by words and filters; every query has results or an error with a position (S-30, S-31)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.errors import QueryError
from memtui.memory.query.language import FILTERS
from memtui.workspace.search import lexical as search_module
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import (
    CLAUDE,
    FOUNDER,
    MCP,
    NATIVE,
    SAMPLE,
    STORES,
    DemoWorkspace,
    agent_replaces,
    copy_demo_workspace,
    find_id,
    memory,
    rows,
)
from tests.support.sizes import examples


@pytest.fixture(scope="module")
def shared_workspace(
    template: DemoWorkspace, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Workspace]:
    """A workspace for tests that only read."""
    with copy_demo_workspace(template, tmp_path_factory.mktemp("unchanged")).opened() as workspace:
        yield workspace


def first_words(workspace: Workspace, query: str, *, live: bool = True, sort: str = "") -> list[str]:
    """Return the first three words of each result, in order."""
    ids = workspace.search(query, live=live, sort=sort).ids
    return [" ".join(each.content.split()[:3]) for each in workspace.memories(list(ids))]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("francs", ["Offers to Swiss"]),
        ("FRANCS swiss", ["Offers to Swiss"]),
        ("fran", ["Offers to Swiss"]),  # an unfinished word is a prefix
        ("fran ", []),  # a finished word is not
        ('"Swiss clients"', ["Offers to Swiss"]),
        ('"clients Swiss"', []),
        ('"Swiss cli"', []),
        ("newsletters -suppliers", []),
        ("allergic", ["Is allergic to"]),
        ("allergic -nuts", []),
        ("-nuts allergic", []),
        ('allergic -"to nuts"', []),
        ("allergic -cats", ["Is allergic to"]),
        ("ines signal", ["Ines at Brightwater"]),
        ("offer-currency", ["Offers to Swiss"]),  # its key
        ('"Real database in tests"', ["Tests of the"]),  # its title
        ("francs store:founder-os:larkfield", ["Offers to Swiss"]),
        ("francs store:mcp*", []),
        ("db-2", ["The staging host"]),
    ],
)
def test_words_phrases_and_exclusions(shared_workspace: Workspace, query: str, found: list[str]) -> None:
    assert first_words(shared_workspace, query) == found


def test_accents_and_case_make_no_difference(workspace: Workspace) -> None:
    workspace.add({"content": "Le CAFÉ ouvre à Zürich."})
    for query in ("cafe", "CAFÉ", "zurich", "zür"):
        assert first_words(workspace, query) == ["Le CAFÉ ouvre"], query


@pytest.mark.parametrize(
    ("query", "count"),
    [
        (f"store:{NATIVE}", 5),
        (f"store:{FOUNDER}", 10),
        ("store:founder-os", 10),
        ("store:FOUNDER-OS", 10),
        ("store:founder*", 10),
        ("store:*larkfield", 10),
        ("-store:native", 32),
        ("store:nowhere", 0),
        ("category:workflow", 2),
        ("category:WORK*", 2),
        ("category:work", 0),
        ("-category:workflow", 35),
        ("status:candidate", 2),
        ("status:dismissed", 1),
        ("-status:dismissed", 37),
        ("tag:brightwater", 2),
        ("tag:bright*", 2),
        ("tag:bright", 0),
        ("tag:*water", 2),
        ("-tag:brightwater", 35),
        ("key:*-lead", 1),
        ("key:offer-currency", 1),
        ('subject:"Bo Janssen"', 3),
        ("subject:bo*", 3),
        ("subject:*", 14),
        ("is:pinned", 0),
        ("is:live", 37),
        ("-is:live", 1),
        ("is:removed", 0),
        ("-is:removed", 38),
        ("store:founder-os category:fact -tag:offers", 2),
    ],
)
def test_filters(shared_workspace: Workspace, query: str, count: int) -> None:
    found = shared_workspace.search(query)
    assert (len(found.ids), found.total) == (count, count)


def test_sql_wildcards_are_literal(workspace: Workspace) -> None:
    workspace.add({"content": "Tagged.", "tags": ("50%", "a_b", "back\\slash"), "key": "x_y"})
    for query, count in (
        ("tag:50%", 1),
        ("tag:%", 0),
        ("tag:a_b", 1),
        ("tag:a?b", 0),
        ("tag:axb", 0),
        ("key:x_y", 1),
    ):
        assert len(workspace.search(query).ids) == count, query
    assert len(workspace.search("tag:back\\slash").ids) == 1
    assert len(workspace.search("key:x*y").ids) == 1


def test_dismissed_and_removed_memories_are_found_only_on_request(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    dismissed, removed = find_id(workspace, SAMPLE[MCP]), find_id(workspace, "Runs the warehouse")
    workspace.dismiss([dismissed])
    path = demo_workspace.store_paths[MCP]
    agent_replaces(path, '"Runs the warehouse",', "")
    workspace.pull()
    assert dismissed not in workspace.search("").ids
    assert dismissed in workspace.search("", live=False).ids
    assert list(workspace.search("allergic status:dismissed").ids) == [dismissed]
    assert removed not in workspace.search("", live=False).ids
    assert list(workspace.search("is:removed").ids) == [removed]
    assert list(workspace.search("warehouse is:removed").ids) == [removed]
    counts = workspace.counts()
    assert counts.live == len(workspace.search("").ids)
    assert counts.all == len(workspace.search("", live=False).ids)


def test_sort_orders(workspace: Workspace) -> None:
    live_rows = {id: row for id, row in rows(workspace).items() if row["live"]}

    def by(sort: str, column: str) -> list[Any]:
        return [live_rows[id][column] for id in workspace.search("", sort=sort).ids]

    newest = by("newest", "recency")
    assert newest == sorted(newest, reverse=True)
    assert by("", "recency") == newest
    assert by("oldest", "recency") == newest[::-1]
    confidences = [value for value in by("confidence", "confidence") if value is not None]
    assert confidences == sorted(confidences, reverse=True)
    assert by("confidence", "confidence")[: len(confidences)] == confidences  # those without one come last
    assert by("used", "times_used") == sorted(by("used", "times_used"), reverse=True)
    assert by("store", "store_id") == sorted(by("store", "store_id"))
    titles = [
        (row["title"] or row["key"] or row["subject"] or row["content"]).lower() for row in live_rows.values()
    ]
    assert [
        (row["title"] or row["key"] or row["subject"] or row["content"]).lower()
        for row in (live_rows[id] for id in workspace.search("", sort="title").ids)
    ] == sorted(titles)
    assert [memory(workspace, id).content for id in workspace.search("invoices", sort="oldest").ids] == [
        memory(workspace, id).content for id in reversed(workspace.search("invoices", sort="newest").ids)
    ]


def test_results_say_how_they_were_found(workspace: Workspace) -> None:
    assert workspace.search("").how == "newest first"
    assert workspace.search("francs").how == "by text"
    assert workspace.search("francs", sort="title").how == "by text, by title"
    assert not workspace.search("francs").capped


def test_a_match_in_the_title_comes_first(workspace: Workspace) -> None:
    (body,) = workspace.add({"content": "A word about the platypus, in passing, among many others."}).ids
    (title,) = workspace.add({"content": "About an animal.", "title": "Platypus"}).ids
    assert list(workspace.search("platypus").ids) == [title, body]


def test_a_very_frequent_word_is_searched_among_the_newest(
    demo_workspace: DemoWorkspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_module, "MAX_RANKED", 50)
    path = demo_workspace.store_paths[MCP]
    lines = [
        json.dumps(
            {"type": "entity", "name": f"Zebra {n}", "entityType": "z", "observations": [f"striped {n}"]}
        )
        for n in range(120)
    ]
    path.write_text(path.read_text() + "\n" + "\n".join(lines))
    workspace.pull()
    found = workspace.search("striped")
    assert found.capped
    assert len(found.ids) == found.total == 50
    assert found.how == "by text, newest 50 matches only"
    assert set(found.ids) == set(sorted(rows(workspace))[-50:])
    specific = workspace.search("striped 7")
    assert not specific.capped
    assert first_words(workspace, "striped 77") == ["striped 77"]
    assert len(workspace.search("store:mcp*").ids) == 134  # a list without words is complete


# -- arbitrary queries

FRAGMENTS = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        [
            *(f"{name}:" for name in FILTERS),
            *(f"-{name}:" for name in FILTERS),
            "is:pinned",
            "status:dismissed",
        ]
    ),
    st.sampled_from(
        ['"', "'", "*", "-", "--", "(", ")", "^", "AND", "OR", "NOT", "NEAR(", ":", "{", "}", "+", "\\"]
    ),
    st.sampled_from(
        ["%", "_", "\x00", "\ud800", "🦓", "'; DROP TABLE memories; --", "content:", "rowid:1", "zebra"]
    ),
)


@examples(300)
@given(fragments=st.lists(FRAGMENTS, max_size=8), glue=st.sampled_from(["", " "]), live=st.booleans())
def test_any_query_has_results_or_an_error_with_a_position(
    workspace: Workspace, fragments: list[str], glue: str, live: bool
) -> None:
    query = glue.join(fragments)
    query_error = None
    try:
        found = workspace.search(query, live=live)
    except QueryError as error:
        query_error = error
    if query_error is None:
        assert len(found.ids) == len(set(found.ids)) == found.total
    else:
        assert 0 <= query_error.start <= query_error.end <= len(query)
        assert query_error.message


@pytest.mark.parametrize(
    "query",
    [
        " ".join(f"word{n}" for n in range(5_000)),
        " ".join(f"-word{n}" for n in range(5_000)),
        " ".join(f"tag:t{n}" for n in range(3_000)),
        "is:live " * 2_000,
        "key:" + "a" * 100_000,
        "a" * 1_000_000,
        '"' + "a " * 200_000,
        "key:" + "*" * 60_000,
        "tag:" + "%" * 40_000,
    ],
    ids=lambda query: f"{query[:12]}… {len(query):,}",
)
def test_a_query_that_is_too_long_is_refused(workspace: Workspace, query: str) -> None:
    with pytest.raises(QueryError, match="at most"):
        workspace.search(query)


@pytest.mark.parametrize(
    "query",
    [
        " ".join(f"word{n}" for n in range(200)),
        " ".join(f"-word{n}" for n in range(200)),
        " ".join(f"tag:t{n}" for n in range(200)),
        "-key:" + "*a" * 4_000,
        "tag:" + "%" * 9_000,
        "é" * 9_990,
        '"' + "a " * 4_900,
    ],
    ids=lambda query: f"{query[:12]}… {len(query):,}",
)
def test_a_long_query_within_the_limit_has_results(workspace: Workspace, query: str) -> None:
    assert workspace.search(query).total in (0, 37)


def test_memories_of_each_store_are_found(workspace: Workspace) -> None:
    for store in STORES:
        (row,) = workspace.rows([find_id(workspace, SAMPLE[store])])
        assert row.store == store
    assert CLAUDE in {row.store for row in workspace.rows(list(workspace.search("").ids))}
