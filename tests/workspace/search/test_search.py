"""Finding memories by words and by what they are; every query has an answer or a pointed no (S-30, S-31)."""

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
def unchanged(template: DemoWorkspace, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """A workspace for tests that only ask."""
    with copy_demo_workspace(template, tmp_path_factory.mktemp("unchanged")).opened() as workspace:
        yield workspace


def says(workspace: Workspace, query: str, *, live: bool = True, sort: str = "") -> list[str]:
    """The beginnings of what a query finds, in order."""
    ids = workspace.search(query, live=live, sort=sort).ids
    return [" ".join(each.content.split()[:3]) for each in workspace.memories(list(ids))]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("francs", ["Offers to Swiss"]),
        ("FRANCS swiss", ["Offers to Swiss"]),
        ("fran", ["Offers to Swiss"]),  # still being typed
        ("fran ", []),  # typed to its end
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
def test_words_phrases_and_what_is_not_wanted(unchanged: Workspace, query: str, found: list[str]) -> None:
    assert says(unchanged, query) == found


def test_accents_and_case_make_no_difference(workspace: Workspace) -> None:
    workspace.add({"content": "Le CAFÉ ouvre à Zürich."})
    for query in ("cafe", "CAFÉ", "zurich", "zür"):
        assert says(workspace, query) == ["Le CAFÉ ouvre"], query


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
def test_filters(unchanged: Workspace, query: str, count: int) -> None:
    found = unchanged.search(query)
    assert (len(found.ids), found.total) == (count, count)


def test_wildcards_of_sql_are_mere_letters(workspace: Workspace) -> None:
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


def test_what_is_dismissed_or_removed_is_found_only_if_asked_for(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    dismissed, gone = find_id(workspace, SAMPLE[MCP]), find_id(workspace, "Runs the warehouse")
    workspace.dismiss([dismissed])
    place = demo_workspace.store_paths[MCP]
    agent_replaces(place, '"Runs the warehouse",', "")
    workspace.pull()
    assert dismissed not in workspace.search("").ids
    assert dismissed in workspace.search("", live=False).ids
    assert list(workspace.search("allergic status:dismissed").ids) == [dismissed]
    assert gone not in workspace.search("", live=False).ids
    assert list(workspace.search("is:removed").ids) == [gone]
    assert list(workspace.search("warehouse is:removed").ids) == [gone]
    counts = workspace.counts()
    assert counts.live == len(workspace.search("").ids)
    assert counts.all == len(workspace.search("", live=False).ids)


def test_orders(workspace: Workspace) -> None:
    everything = {id: row for id, row in rows(workspace).items() if row["live"]}

    def by(sort: str, column: str) -> list[Any]:
        return [everything[id][column] for id in workspace.search("", sort=sort).ids]

    newest = by("newest", "recency")
    assert newest == sorted(newest, reverse=True)
    assert by("", "recency") == newest
    assert by("oldest", "recency") == newest[::-1]
    sure = [value for value in by("confidence", "confidence") if value is not None]
    assert sure == sorted(sure, reverse=True)
    assert by("confidence", "confidence")[: len(sure)] == sure  # what has none comes last
    assert by("used", "times_used") == sorted(by("used", "times_used"), reverse=True)
    assert by("store", "store_id") == sorted(by("store", "store_id"))
    titles = [
        (row["title"] or row["key"] or row["subject"] or row["content"]).lower()
        for row in everything.values()
    ]
    assert [
        (row["title"] or row["key"] or row["subject"] or row["content"]).lower()
        for row in (everything[id] for id in workspace.search("", sort="title").ids)
    ] == sorted(titles)
    assert [memory(workspace, id).content for id in workspace.search("invoices", sort="oldest").ids] == [
        memory(workspace, id).content for id in reversed(workspace.search("invoices", sort="newest").ids)
    ]


def test_how_it_looked_is_told(workspace: Workspace) -> None:
    assert workspace.search("").how == "newest first"
    assert workspace.search("francs").how == "by words"
    assert workspace.search("francs", sort="title").how == "by words, by title"
    assert not workspace.search("francs").capped


def test_what_says_it_in_its_title_comes_first(workspace: Workspace) -> None:
    (body,) = workspace.add({"content": "A word about the platypus, in passing, among many others."}).ids
    (title,) = workspace.add({"content": "About an animal.", "title": "Platypus"}).ids
    assert list(workspace.search("platypus").ids) == [title, body]


def test_a_word_that_is_everywhere_is_looked_for_among_the_newest(
    demo_workspace: DemoWorkspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_module, "MAX_RANKED", 50)
    place = demo_workspace.store_paths[MCP]
    lines = [
        json.dumps(
            {"type": "entity", "name": f"Zebra {n}", "entityType": "z", "observations": [f"striped {n}"]}
        )
        for n in range(120)
    ]
    place.write_text(place.read_text() + "\n" + "\n".join(lines))
    workspace.pull()
    found = workspace.search("striped")
    assert found.capped
    assert len(found.ids) == found.total == 50
    assert found.how == "by words, among the 50 matches taken in last"
    assert set(found.ids) == set(sorted(rows(workspace))[-50:])
    few = workspace.search("striped 7")
    assert not few.capped
    assert says(workspace, "striped 77") == ["striped 77"]
    assert len(workspace.search("store:mcp*").ids) == 134  # a list without words is whole


# -- what is typed by anyone

PIECES = st.one_of(
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
@given(pieces=st.lists(PIECES, max_size=8), glue=st.sampled_from(["", " "]), live=st.booleans())
def test_no_query_fails_but_by_pointing_at_its_fault(
    workspace: Workspace, pieces: list[str], glue: str, live: bool
) -> None:
    query = glue.join(pieces)
    fault = None
    try:
        found = workspace.search(query, live=live)
    except QueryError as error:
        fault = error
    if fault is None:
        assert len(found.ids) == len(set(found.ids)) == found.total
    else:
        assert 0 <= fault.start <= fault.end <= len(query)
        assert fault.message


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
def test_too_long_a_query_is_told_so(workspace: Workspace, query: str) -> None:
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
def test_a_long_one_within_the_bounds_is_answered(workspace: Workspace, query: str) -> None:
    assert workspace.search(query).total in (0, 37)


def test_each_store_answers(workspace: Workspace) -> None:
    for store in STORES:
        (row,) = workspace.rows([find_id(workspace, SAMPLE[store])])
        assert row.store == store
    assert CLAUDE in {row.store for row in workspace.rows(list(workspace.search("").ids))}
