"""Hostile queries have results or an error that points at a part of the query (S-31)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memtui.errors import QueryError
from memtui.memory.query.language import FILTERS
from memtui.workspace.db.database import Database
from memtui.workspace.search import facets
from memtui.workspace.search.lexical import matching, search
from tests.support.filter_model import ALL_FILTERS, NOW, filled_database, random_rows
from tests.support.sizes import examples, sample_cases


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with filled_database(tmp_path_factory.mktemp("hostile"), random_rows(60)) as db:
        yield db


HOSTILE = [
    *r"""
    " tag:" - -"-" -- * : :: is: -is: has: conf: conf:>>> conf:> conf:.. conf:... conf:1.. conf:nan conf:inf
    conf:-1 conf:1e9 conf:٣ conf:% used:999999999999999 used:-1 used:0x10 used:1_000
    created:99999-99-99 created:0000 created:0001 created:9999-12-31 created:9999 created:2026-00
    created:2026-13-01 created:2026-02-30 created:>2026- created:-7d created:999999y expires:999999y
    updated:0d updated:999999h..999999y expires:today..tomorrow updated:1d.. updated:..1d updated:today..7d
    created:2026..2025 created:<=>2026 🦓 tag:🦓 مرحبا:x owner:مرحبا owner:"'OR'1=1 key:%_%\ key:\ ^tea tea*
    (tea + rowid:1 content:tea
    """.split(),
    *[
        "is: x",
        "updated:7 d",
        "👩‍🔬 is:👩‍🔬",
        "\x00",
        "tag:\x00",
        "\ud800",
        "\u202etag:x\u202c",
        "owner:\udfff",
        "NEAR(a b)",
    ],
    *[
        "a AND b OR NOT c",
        "{title content}: tea",
        "'; DROP TABLE memories; --",
        "tag:'; DELETE FROM memories",
    ],
    *["conf:" + "9" * 5_000, "conf:0." + "9" * 5_000, "used:" + "9" * 5_000, "created:" + "2" * 5_000],
    *["x" * 9_999, "tag:" + "x" * 9_990, "é" * 10_000, "is:live " * 199, "-is:duplicate " * 199],
    " ".join(f"-tag:t{n} label:fading" for n in range(99)),
    " ".join(f"owner:o{n}" for n in range(199)),
    " ".join(f"conf:>0.{n}" for n in range(199)),
    " ".join(f"-{each}" for each in ALL_FILTERS),
]
FRAGMENTS = st.one_of(
    st.text(max_size=8),
    st.sampled_from([f"{minus}{name}:" for name in FILTERS for minus in ("", "-")]),
    st.sampled_from(ALL_FILTERS),
    st.sampled_from(
        ['"', "'", "*", "-", "..", ">", "<=", "7d", "2026-01", "80%", "today", "\x00", "\ud800", "%", "é"]
    ),
)


@examples(200)
@given(fragments=st.lists(FRAGMENTS, max_size=6), glue=st.sampled_from(["", " "]), live=st.booleans())
@example(fragments=["conf:", "0.8", "..", "\x00"], glue="", live=True)
def test_any_query_has_results_or_an_error_with_a_position(
    db: Database, fragments: list[str], glue: str, live: bool
) -> None:
    check_query(db, glue.join(fragments), live)


@pytest.mark.parametrize("text", sample_cases(HOSTILE, 40), ids=lambda text: ascii(text)[:24])
def test_hostile_queries(db: Database, text: str) -> None:
    for query in (text, f"-{text}", f"tea {text} ", f'"{text}', f"is:pinned {text}"):
        check_query(db, query, True)


def check_query(db: Database, text: str, live: bool) -> None:
    query_error = None
    try:
        found = search(db, text, live=live, now=NOW)
        facets.counts(db, text, live=live, now=NOW)
    except QueryError as error:
        query_error = error
    if query_error is None:
        assert len(found.ids) == len(set(found.ids)) == found.total
        assert matching(db, text, list(found.ids), live=live, now=NOW) == set(found.ids)
    else:
        assert 0 <= query_error.start <= query_error.end <= len(text)
        assert query_error.message
