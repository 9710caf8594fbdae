"""Ranges of amounts and times in filters (S-31)."""

from __future__ import annotations

import time
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.memory.query.ranges import EXAMPLES, parse
from memtui.memory.query.wording import FORMS
from tests.support.sizes import examples

NOW = datetime(2026, 3, 29, 14, 30).timestamp()  # the clocks change on this day in much of Europe
DAY, HOUR = 86_400.0, 3_600.0


def at(*day: int) -> float:
    return datetime(*day).timestamp()  # type: ignore[arg-type]


@pytest.fixture(params=["UTC", "Europe/Brussels", "America/St_Johns", "Pacific/Apia"])
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield request.param
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("0.8", (8000, 8001)),
        (".8", (8000, 8001)),
        ("80%", (8000, 8001)),
        ("62.5%", (6250, 6251)),
        (">0.8", (8001, None)),
        (">=0.8", (8000, None)),
        ("<0.8", (None, 8000)),
        ("<=1", (None, 10001)),
        ("0.5..0.8", (5000, 8001)),
        ("0.8..0.5", (5000, 8001)),
        ("50%..0.8", (5000, 8001)),
        ("0.5..", (5000, None)),
        ("..0.5", (None, 5001)),
    ],
)
def test_shares(text: str, span: tuple[float | None, float | None]) -> None:
    assert parse("share", text, NOW) == span


@pytest.mark.parametrize(
    ("text", "span"), [("3", (3, 4)), (">3", (4, None)), ("<=3", (None, 4)), ("3..1", (1, 4)), ("0", (0, 1))]
)
def test_counts(text: str, span: tuple[float | None, float | None]) -> None:
    assert parse("count", text, NOW) == span


def test_days_follow_the_local_time_zone(zone: str) -> None:
    now = datetime(2026, 3, 29, 14, 30).timestamp()
    for form in ("past", "coming"):
        assert parse(form, "2026-03-29", now) == (at(2026, 3, 29), at(2026, 3, 30))
        assert parse(form, "2026-3-9", now) == (at(2026, 3, 9), at(2026, 3, 10))
        assert parse(form, "2026-12", now) == (at(2026, 12, 1), at(2027, 1, 1))
        assert parse(form, "2024-02", now) == (at(2024, 2, 1), at(2024, 3, 1))
        assert parse(form, "2026", now) == (at(2026, 1, 1), at(2027, 1, 1))
        assert parse(form, ">2026-12-31", now) == (at(2027, 1, 1), None)
        assert parse(form, ">=2026", now) == (at(2026, 1, 1), None)
        assert parse(form, "<2026-02", now) == (None, at(2026, 2, 1))
        assert parse(form, "<=2026-02", now) == (None, at(2026, 3, 1))
        assert parse(form, "2026-01..2026-02-03", now) == (at(2026, 1, 1), at(2026, 2, 4))
        assert parse(form, "2027..2026", now) == (at(2026, 1, 1), at(2028, 1, 1))
        assert parse(form, "Today", now) == (at(2026, 3, 29), at(2026, 3, 30))
        assert parse(form, "yesterday..today", now) == (at(2026, 3, 28), at(2026, 3, 30))
        assert parse(form, "<=tomorrow", now) == (None, at(2026, 3, 31))


def test_ages_count_back_or_ahead() -> None:
    assert parse("past", "7d", NOW) == (NOW - 7 * DAY, None)
    assert parse("past", "<12h", NOW) == (NOW - 12 * HOUR, None)
    assert parse("past", ">2w", NOW) == (None, NOW - 14 * DAY)
    assert parse("past", "3mo..1y", NOW) == (NOW - 365 * DAY, NOW - 90 * DAY)
    assert parse("past", "7d..", NOW) == parse("past", ">7d", NOW)
    assert parse("past", "..7d", NOW) == parse("past", "<7d", NOW)
    assert parse("past", "2026-01-01..7d", NOW) == (at(2026, 1, 1), NOW - 7 * DAY)
    assert parse("coming", "30d", NOW) == parse("coming", "<30d", NOW) == (NOW, NOW + 30 * DAY)
    assert parse("coming", ">30d", NOW) == (NOW + 30 * DAY, None)
    assert parse("coming", "1w..2w", NOW) == (NOW + 7 * DAY, NOW + 14 * DAY)


@pytest.mark.parametrize(
    ("form", "text"),
    [
        *[
            ("share", text)
            for text in ("", ">", "1.01", "101%", "-1", "nan", "inf", "1e-3", "0.5..x", "٣", "%", ".")
        ],
        *[("count", text) for text in ("1.5", "-1", "1_0", "7d", "today", "9" * 16, "0x1", "..", ">1..2")],
        *[
            ("past", text)
            for text in ("2026-13", "2026-00", "2026-02-30", "0000", "99999", "7", "d", "7days", "7D7")
        ],
        *[
            ("coming", text)
            for text in ("soon", ">>1d", "1d..2d..3d", "2026-1-1-1", "2026-", "1" * 7 + "d", ">..")
        ],
    ],
)
def test_anything_else_is_an_error(form: str, text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        parse(form, text, NOW)


@pytest.mark.parametrize("form", FORMS)
def test_the_examples_of_each_form_parse(form: str) -> None:
    for text in EXAMPLES[form]:
        low, high = parse(form, text, NOW)
        assert low is not None or high is not None
        assert low is None or high is None or low < high


FRAGMENTS = st.sampled_from(
    [">", "<", "=", "..", ".", "-", "%", "0", "9", "2026", "-01", "7d", "99999y", "today", " ", "é"]
)


@examples(50)
@given(st.sampled_from(sorted(FORMS)), st.text() | st.lists(FRAGMENTS).map("".join), st.floats(-1e10, 1e11))
def test_any_text_is_a_range_or_an_error(form: str, text: str, now: float) -> None:
    try:
        low, high = parse(form, text, now)
    except ValueError:
        return
    assert low is None or high is None or low <= high
