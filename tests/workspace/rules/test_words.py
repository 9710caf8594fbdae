"""Rules judge the memories of a write by their own texts: as the full-text index would (S-60)."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

import apsw
from hypothesis import assume, given
from hypothesis import strategies as st

from memtui.errors import QueryError
from memtui.paths import data_folder
from memtui.workspace.rules.words import COLUMNS, Texts, Words, tokenizer_of
from memtui.workspace.search.filters import conditions, fts_query
from memtui.workspace.search.lexical import parse_query
from tests.support.sizes import examples

WORDS = (
    "monday", "Montag", "naïve", "NAIVE", "İstanbul", "straße", "日本語", "foo_bar", "é", "e\u0301",
    "´", "🙂", "x1", "1", "ª", "\u200bmonday", "mon\x00day", "ﬁne", "don't",
)  # fmt: skip
LIKE = ("a-b", "a-bc", "bc a")  # often, so that phrases meet their beginnings
SOME = (
    st.sampled_from(LIKE)
    | st.sampled_from(WORDS)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
)
TEXTS = st.lists(SOME, max_size=5).map(" ".join)
PHRASES = st.lists(SOME, max_size=2).map(lambda words: f'"{" ".join(words)}"')
TERMS = st.tuples(st.sampled_from(("", "-")), SOME | PHRASES).map("".join)
QUERIES = st.lists(TERMS, min_size=1, max_size=3).map(" ".join)
ROW = st.tuples(*(TEXTS for _ in COLUMNS))
TABLE = "CREATE VIRTUAL TABLE words USING fts5("


def words_table() -> str:
    """Return the statement that makes the workspace's full-text index, with texts of its own."""
    schema = (data_folder("schema") / "workspace.sql").read_text()
    statement = schema[schema.index(TABLE) :].partition(";")[0]
    return statement.replace("content='memories', content_rowid='id', ", "")


@given(st.lists(ROW, min_size=1, max_size=4), QUERIES)
@examples(200)
def test_a_memory_has_the_words_that_a_search_finds(rows: list[tuple[str, ...]], text: str) -> None:
    try:
        query = replace(parse_query(text), filters=())
    except QueryError:
        assume(False)
    with closing(apsw.Connection(":memory:")) as connection:
        connection.execute(words_table())
        places = ", ".join("?" for _ in COLUMNS)
        connection.executemany(f"INSERT INTO words ({', '.join(COLUMNS)}) VALUES ({places})", rows)
        connection.execute("CREATE VIEW memories AS SELECT rowid AS id, 1 AS live FROM words")
        where, values = conditions(query, True, 0.0)
        if wanted := fts_query(query):
            where, values = (
                f"{where} AND m.id IN (SELECT rowid FROM words WHERE words MATCH ?)",
                [*values, wanted],
            )
        found = {row[0] for row in connection.execute(f"SELECT id FROM memories m WHERE {where}", values)}
        tokenize = tokenizer_of(connection)
        words = Words(query, tokenize)
        assert {id for id, row in enumerate(rows, 1) if words.match(Texts(row, tokenize))} == found
