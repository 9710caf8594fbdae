"""The query language as the user types it (S-31)."""

from __future__ import annotations

import apsw
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memtui.errors import QueryError
from memtui.memory.memory import STATUSES
from memtui.memory.query.language import FILTERS, Filter, FilterSpec, Query, Term, parse
from tests.support.sizes import examples


def words(text: str) -> list[str]:
    return [term.text for term in parse(text).terms]


def filters(text: str) -> list[tuple[str, str]]:
    return [(filter.name, filter.value) for filter in parse(text).filters]


def parse_error(text: str) -> tuple[QueryError, str]:
    """Return the error that `text` causes, and the part of `text` that it marks."""
    with pytest.raises(QueryError) as caught:
        parse(text)
    error = caught.value
    return error, text[error.start : error.end]


def try_parse(text: str) -> Query | QueryError:
    try:
        return parse(text)
    except QueryError as error:
        return error


def test_entity_is_another_name_of_subject() -> None:
    assert filters('entity:ana -ENTITY:"Acme Corp"') == [("subject", "ana"), ("subject", "Acme Corp")]
    assert parse_error("entity: tea")[0].message == 'entity: needs a value, for example entity:"Acme Corp"'


@pytest.mark.parametrize(
    ("text", "unfinished"),
    [
        ("tea store:", True),
        ('-entity:"', True),
        ("store: tea", False),
        ("store:x is:", True),
        ("is:zz", False),
    ],
)
def test_only_a_filter_without_a_value_at_the_end_is_unfinished(text: str, unfinished: bool) -> None:
    assert parse_error(text)[0].unfinished == unfinished


# Words and phrases


def test_words_are_separate_terms() -> None:
    assert words("dark  roast coffee") == ["dark", "roast", "coffee"]


def test_a_phrase_is_written_in_quotes() -> None:
    (phrase, word) = parse('"dark roast" coffee ').terms
    assert phrase == Term("dark roast", phrase=True, negated=False, prefix=False, start=0, end=12)
    assert word == Term("coffee", phrase=False, negated=False, prefix=False, start=13, end=19)


def test_an_unclosed_quote_is_a_phrase_up_to_the_end() -> None:
    assert parse('tea "dark roa').terms[1].text == "dark roa"


def test_empty_input_is_an_empty_query() -> None:
    assert parse("").is_empty
    assert parse(" \t\n").is_empty
    assert parse('"').is_empty
    assert not parse("x").is_empty
    assert not parse("tag:x").is_empty


@pytest.mark.parametrize("text", ["coffee", "dark coffee", "store:native coffee", "4"])
def test_the_last_word_is_a_prefix(text: str) -> None:
    assert [term.prefix for term in parse(text).terms][-1]


@pytest.mark.parametrize("text", ["coffee ", '"coffee"', '"coffee', "coffee store:native", "-coffee"])
def test_a_completed_word_is_no_prefix(text: str) -> None:
    assert not any(term.prefix for term in parse(text).terms)


def test_only_the_last_word_is_a_prefix() -> None:
    assert [term.prefix for term in parse("dark roast cof").terms] == [False, False, True]


@pytest.mark.parametrize("text", ["-coffee", '-"coffee"', '-"coffee'])
def test_a_leading_minus_negates_a_word_or_phrase(text: str) -> None:
    (term,) = parse(text).terms
    assert (term.text, term.negated, term.start) == ("coffee", True, 0)


@pytest.mark.parametrize("text", ["well-known", "--json", "- coffee", "3-2"])
def test_a_minus_elsewhere_is_part_of_the_text(text: str) -> None:
    assert not any(term.negated for term in parse(text).terms)


@pytest.mark.parametrize("text", ["-", "--", "...", "?!", '""', '"--"', "-!", ":", "::", "🎉", ":)"])
def test_terms_without_letter_or_digit_are_ignored(text: str) -> None:
    assert parse(text).is_empty
    assert words(f"{text} coffee") == ["coffee"]


def test_words_of_any_script_and_numbers_count() -> None:
    assert words("咖啡 قهوة кофе 42 ½") == ["咖啡", "قهوة", "кофе", "42", "½"]


@pytest.mark.parametrize(
    "text",
    [
        "http://x",
        "https://example.org/a?b=c",
        "12:30",
        "-12:30",
        r"C:\x",
        "a::b",
        "tag::before",
        "std::vector",
        ":smile:",
        "file.py:12",
        "a:b",
        "hello:)",
        "größe:xl",
    ],
)
def test_a_colon_alone_does_not_make_a_filter(text: str) -> None:
    assert words(text) == [text.removeprefix("-")]


def test_prose_with_a_colon_is_words() -> None:
    assert words("note: buy milk") == ["note:", "buy", "milk"]
    assert words("note:") == ["note:"]


# Filters


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("store:native", "native"),
        ("category:preference", "preference"),
        ("status:pending", "pending"),
        ("tag:work", "work"),
        ("key:editor.*", "editor.*"),
        ('subject:"Acme Corp"', "Acme Corp"),
        ('subject:"Acme Co', "Acme Co"),
        ("subject:http://x", "http://x"),
        ("is:pinned", "pinned"),
        ("store:/home/me/.memory", "/home/me/.memory"),
        ("key:*", "*"),
        ("tag:c++", "c++"),
    ],
)
def test_each_filter_takes_its_value(text: str, value: str) -> None:
    assert filters(text) == [(text.partition(":")[0], value)]


@pytest.mark.parametrize("spec", FILTERS.values(), ids=FILTERS)
def test_each_filter_has_a_help_line_and_an_example_that_works(spec: FilterSpec) -> None:
    assert spec.help
    assert len(filters(f"{spec.name}:{spec.example}")) == 1
    for value in spec.allowed:
        assert filters(f"{spec.name}:{value}") == [(spec.name, value)]


def test_filters_and_words_mix_in_any_order() -> None:
    query = parse('tag:a coffee -tag:b "dark roast"')
    assert [(filter.value, filter.negated) for filter in query.filters] == [("a", False), ("b", True)]
    assert [term.text for term in query.terms] == ["coffee", "dark roast"]


def test_case_matters_only_in_free_values() -> None:
    assert filters("STATUS:Pending Tag:Work") == [("status", "pending"), ("tag", "Work")]


def test_terms_and_filters_have_their_position() -> None:
    text = 'a -subject:"Acme Corp"  -"b c" d'
    query = parse(text)
    (filter,) = query.filters
    assert text[filter.start : filter.end] == '-subject:"Acme Corp"'
    assert [text[term.start : term.end] for term in query.terms] == ["a", '-"b c"', "d"]


@pytest.mark.parametrize(
    "text",
    ["is:removed", "status:dismissed", "-status:pending", "is:live x", "is:pending", "label:archived"],
)
def test_a_query_can_name_the_statuses_it_wants(text: str) -> None:
    assert parse(text).mentions_status


@pytest.mark.parametrize(
    "text",
    [
        "",
        "status",
        "is:pinned",
        '"is:removed"',
        "store:native",
        "is:stale",
        "label:fading",
        "-label:archived",
    ],
)
def test_other_queries_do_not_mention_a_status(text: str) -> None:
    assert not parse(text).mentions_status


# Errors


def test_an_unknown_filter_is_an_error_that_lists_all_filters() -> None:
    error, part = parse_error("x catgory:red")
    assert error.message == (
        "Unknown filter “catgory:”. Use one of: store:, owner:, scope:, kind:, category:, status:, tag:, "
        "subject:, key:, source:, company:, tier:, heat:, label:, conf:, used:, created:, updated:, "
        "expires:, is:, has:."
    )
    assert error.hint.startswith("Did you mean category:?")
    assert part == "catgory:"


@pytest.mark.parametrize(
    ("typed", "meant"), [("categry", "category"), ("stat", "status"), ("TAGS", "tag"), ("confidence", "conf")]
)
def test_a_misspelled_filter_gets_a_suggestion(typed: str, meant: str) -> None:
    error, part = parse_error(f"-{typed}:x")
    assert f"Did you mean {meant}:?" in error.hint
    assert part == f"{typed}:"


def test_the_hint_for_an_unknown_filter_is_to_quote_it() -> None:
    error, _ = parse_error("localhost:8080")
    assert error.hint == "To search for the text itself, put it in quotes."
    assert words('"localhost:8080"') == ["localhost:8080"]


@pytest.mark.parametrize("text", ["store:", "store: native", 'store:""', 'store:" "', 'store:"'])
def test_a_filter_needs_a_value(text: str) -> None:
    error, part = parse_error(f"x {text}")
    assert error.message == "store: needs a value, for example store:native"
    assert part.startswith("store:")


def test_an_unknown_status_is_an_error_that_lists_all_statuses() -> None:
    error, part = parse_error("x -status:pendign y")
    assert error.message == f"“status:pendign” is not valid. Use one of: {', '.join(STATUSES)}."
    assert error.hint == "Did you mean status:pending?"
    assert part == "pendign"


@pytest.mark.parametrize(
    ("text", "allowed", "hint"),
    [
        ("conf:>>0.8", "a number from 0 to 1", "For example, conf:>0.8."),
        ("conf:80", "a number from 0 to 1", "Did you mean conf:80%?"),
        ("-conf:101%", "a number from 0 to 1", "For example, conf:>0.8."),
        ("conf:..", "a number from 0 to 1", "For example, conf:>0.8."),
        ("used:1.5", "a whole number", "For example, used:<3."),
        ("used:7d", "a whole number", "For example, used:<3."),
        ("created:99999-99-99", "a date, an age", "For example, created:>2026-01-01."),
        ("created:2026-02-30", "a date, an age", "For example, created:>2026-01-01."),
        ("updated:3m", "a date, an age", "Did you mean updated:3mo?"),
        ("expires:>soon", "a date, a time from now", "For example, expires:<30d."),
        ('updated:"last week"', "a date, an age", "For example, updated:7d."),
    ],
)
def test_a_malformed_amount_or_time_is_an_error_with_a_hint(text: str, allowed: str, hint: str) -> None:
    error, part = parse_error(f"x {text} y")
    name, _, value = text.removeprefix("-").partition(":")
    assert error.message.startswith(f"“{name}:{value.strip(chr(34))}” is not valid. Use {allowed}")
    assert error.hint == hint
    assert part == value


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("is:pin", "Did you mean is:pinned?"),
        ("is:confirmed", "Did you mean status:confirmed?"),
        ("status:live", "Did you mean is:live?"),
        ("is:relation", "Did you mean has:relation?"),
        ("is:xyz", ""),
    ],
)
def test_an_unknown_state_gets_a_suggestion(text: str, hint: str) -> None:
    error, part = parse_error(text)
    assert error.hint == hint
    assert part == text.partition(":")[2]


# Arbitrary input

FRAGMENTS = st.sampled_from(
    [
        *["-", "--", '"', ":", "::", " ", "  ", "*", "(", ")", "'", "\\", "//", "AND", "OR", "NOT", "NEAR("],
        *["store:", "is:", "status:", "pinned", "pending", "coffee", "x", "12", "🎉"],
        *["\x00", "\ud800", "\u202e"],
    ]
)
TYPED = st.one_of(st.text(), st.text(st.characters()), st.lists(FRAGMENTS).map("".join))


@pytest.fixture(scope="module")
def index() -> apsw.Connection:
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE VIRTUAL TABLE words USING fts5(text)")
    return connection


@given(TYPED)
@example("-:\x00\ud800")
def test_any_text_is_a_query_or_a_query_error(index: apsw.Connection, text: str) -> None:
    query = try_parse(text)
    if isinstance(query, QueryError):
        assert 0 <= query.start < query.end <= len(text)
        assert query.message
        return
    parts: list[Term | Filter] = [*query.terms, *query.filters]
    spans = sorted((part.start, part.end) for part in parts)
    ends = [0]
    for start, end in spans:
        assert ends[-1] <= start < end <= len(text)
        ends.append(end)
    assert sum(term.prefix for term in query.terms) <= 1
    for term in query.terms:
        quoted = '"' + term.text.replace('"', '""') + '"'
        index.execute("SELECT 1 FROM words WHERE text MATCH ?", (quoted,)).fetchall()


@examples(50)
@given(st.lists(st.from_regex(r"\A[a-z]{1,8}\Z"), max_size=5), st.sampled_from(sorted(FILTERS)))
def test_quoted_text_is_never_a_filter(typed: list[str], name: str) -> None:
    text = " ".join([f"{name}:", *typed])
    assert words(f'"{text}"') == [text]
