"""Completion of filters at the cursor (S-31). `|` marks the cursor."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.memory.query.completion import CompletionContext, choices, completion_at, quote_value
from memtui.memory.query.language import FILTERS, FilterSpec, parse
from tests.support.sizes import examples


def at_cursor(text: str) -> tuple[str, CompletionContext | None]:
    cursor = text.index("|")
    text = text.replace("|", "")
    return text, completion_at(text, cursor)


@pytest.mark.parametrize(
    ("text", "kind", "name", "prefix", "replaced"),
    [
        ("st|", "name", "", "st", "st"),
        ("coffee -sta|", "name", "", "sta", "sta"),
        ("ST|", "name", "", "ST", "ST"),
        ("cat|egory:fact x", "name", "", "cat", "category:"),
        ("tag|", "name", "", "tag", "tag"),
        ("tag:|", "value", "tag", "", ""),
        ("x -tag:wo| y", "value", "tag", "wo", "wo"),
        ("tag:wo|rk", "value", "tag", "wo", "work"),
        ("TAG:wo|", "value", "tag", "wo", "wo"),
        ("entity:an|", "value", "subject", "an", "an"),
        ("enti|", "name", "", "enti", "enti"),
        ('subject:"Acme C|', "value", "subject", "Acme C", '"Acme C'),
        ('subject:"Acme| Corp" x', "value", "subject", "Acme", '"Acme Corp"'),
        ('subject:"Acme"|', "value", "subject", "Acme", '"Acme"'),
        ('subject:"|', "value", "subject", "", '"'),
        ("is:|x", "value", "is", "", "x"),
        ("conf:>|", "value", "conf", ">", ">"),
        ("created:2026-0|", "value", "created", "2026-0", "2026-0"),
    ],
)
def test_a_filter_name_or_value_is_recognized(
    text: str, kind: str, name: str, prefix: str, replaced: str
) -> None:
    text, context = at_cursor(text)
    assert context is not None
    assert (context.kind, context.name, context.prefix) == (kind, name, prefix)
    assert text[context.start : context.end] == replaced


@pytest.mark.parametrize(
    "text",
    [
        *["|", "s|", "coffee|", "|store:x", "tag:x |", '"st|', '"tag:wo|"', "unknown:x|", "-|", "-|st"],
        *["http://st|", "tag::wo|", "12:3|0", "store: |x"],
    ],
)
def test_no_completion_where_nothing_fits(text: str) -> None:
    assert at_cursor(text)[1] is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("st|", ["store:", "status:"]),
        ("-co|", ["company:", "conf:"]),
        ("status:|", list(FILTERS["status"].allowed)),
        ("is:P|", ["pinned", "pending"]),
        ('has:"re|', ["relation"]),
        ("conf:>|", [">0.8", ">80%"]),
        ("expires:t|", ["today", "tomorrow"]),
        ("tag:|", []),
        ("is:xyz|", []),
    ],
)
def test_names_and_fixed_values_are_offered(text: str, expected: list[str]) -> None:
    context = at_cursor(text)[1]
    assert context is not None
    assert choices(context) == expected


@pytest.mark.parametrize("spec", FILTERS.values(), ids=FILTERS)
def test_every_offered_value_parses(spec: FilterSpec) -> None:
    context = completion_at(f"{spec.name}:", len(spec.name) + 1)
    assert context is not None
    for value in choices(context):
        assert len(parse(f"{spec.name}:{value}").filters) == 1


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("work", "work"),
        ("Acme Corp", '"Acme Corp"'),
        ("a\nb", '"a\nb"'),
        ('say "hi" now', '"say *hi* now"'),
        ("::x", '"::x"'),
        ("//host", '"//host"'),
        ("c++", "c++"),
        ("مرحبا بك", '"مرحبا بك"'),
    ],
)
def test_a_value_is_quoted_where_needed(value: str, text: str) -> None:
    assert quote_value(value) == text


@given(st.text(min_size=1).filter(str.strip))
def test_any_quoted_value_parses_to_itself(value: str) -> None:
    (filter,) = parse(f"x -tag:{quote_value(value)} y").filters
    assert (filter.name, filter.negated) == ("tag", True)
    assert len(filter.value) == len(value)
    assert all(parsed in (given, "*") for parsed, given in zip(filter.value, value, strict=True))


@examples(50)
@given(
    st.text() | st.lists(st.sampled_from(["tag:", "-", '"', "st", " ", "is:", ":", "x"])).map("".join),
    st.data(),
)
def test_completion_never_fails(text: str, data: st.DataObject) -> None:
    cursor = data.draw(st.integers(0, len(text)))
    context = completion_at(text, cursor)
    if context is not None:
        assert 0 <= context.start <= cursor <= len(text)
        assert context.start <= context.end <= len(text)
        assert context.prefix in text[:cursor]
        assert isinstance(choices(context), list)
