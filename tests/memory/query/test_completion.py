"""What is being typed at the cursor, and what could stand there (S-31). `|` is the cursor."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.memory.query.completion import Completing, at, choices, spelled
from memtui.memory.query.language import FILTERS, FilterSpec, parse
from tests.support.sizes import examples


def typed(text: str) -> tuple[str, Completing | None]:
    cursor = text.index("|")
    text = text.replace("|", "")
    return text, at(text, cursor)


@pytest.mark.parametrize(
    ("text", "kind", "name", "beginning", "replaced"),
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
        ('subject:"Acme C|', "value", "subject", "Acme C", '"Acme C'),
        ('subject:"Acme| Corp" x', "value", "subject", "Acme", '"Acme Corp"'),
        ('subject:"Acme"|', "value", "subject", "Acme", '"Acme"'),
        ('subject:"|', "value", "subject", "", '"'),
        ("is:|x", "value", "is", "", "x"),
        ("conf:>|", "value", "conf", ">", ">"),
        ("created:2026-0|", "value", "created", "2026-0", "2026-0"),
    ],
)
def test_a_name_or_a_value(text: str, kind: str, name: str, beginning: str, replaced: str) -> None:
    text, what = typed(text)
    assert what is not None
    assert (what.kind, what.name, what.beginning) == (kind, name, beginning)
    assert text[what.start : what.end] == replaced


@pytest.mark.parametrize(
    "text",
    [
        *["|", "s|", "coffee|", "|store:x", "tag:x |", '"st|', '"tag:wo|"', "unknown:x|", "-|", "-|st"],
        *["http://st|", "tag::wo|", "12:3|0", "store: |x"],
    ],
)
def test_nothing_where_nothing_can_be_offered(text: str) -> None:
    assert typed(text)[1] is None


@pytest.mark.parametrize(
    ("text", "offered"),
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
def test_what_is_fixed_is_offered(text: str, offered: list[str]) -> None:
    what = typed(text)[1]
    assert what is not None
    assert choices(what) == offered


@pytest.mark.parametrize("spec", FILTERS.values(), ids=FILTERS)
def test_what_is_offered_is_a_query(spec: FilterSpec) -> None:
    what = at(f"{spec.name}:", len(spec.name) + 1)
    assert what is not None
    for value in choices(what):
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
def test_a_value_is_spelled_so_that_it_can_be_typed(value: str, text: str) -> None:
    assert spelled(value) == text


@given(st.text(min_size=1).filter(str.strip))
def test_any_value_comes_back(value: str) -> None:
    (one,) = parse(f"x -tag:{spelled(value)} y").filters
    assert (one.name, one.negated) == ("tag", True)
    assert len(one.value) == len(value)
    assert all(mine in (theirs, "*") for mine, theirs in zip(one.value, value, strict=True))


@examples(50)
@given(
    st.text() | st.lists(st.sampled_from(["tag:", "-", '"', "st", " ", "is:", ":", "x"])).map("".join),
    st.data(),
)
def test_any_cursor_in_any_text_has_an_answer(text: str, data: st.DataObject) -> None:
    cursor = data.draw(st.integers(0, len(text)))
    what = at(text, cursor)
    if what is not None:
        assert 0 <= what.start <= cursor <= len(text)
        assert what.start <= what.end <= len(text)
        assert what.beginning in text[:cursor]
        assert isinstance(choices(what), list)
