"""Memories as JSON and as a one-line label (S-82)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.memory.encoding import iso, plain
from memtui.memory.memory import LISTS, MEMORY_FIELDS, TIMES, Memory, label_of
from tests.support.sizes import examples

# SPEC section 3, in its order.
KEYS = """
    uid store ref owner scope session_id kind category key subject title content value note snoozed_until
    tags importance confidence status pinned tier heat times_used times_confirmed promotion_count
    source_type source_ref source_excerpt company_id event_time valid_from valid_to expires_at created_at
    updated_at last_used_at last_confirmed_at superseded_by steps preconditions postconditions key_facts
    tone token_count extra
""".split()


def test_json_has_every_key_even_where_nothing_is_known() -> None:
    out = Memory(uid="u", store="native", ref="1").to_json()
    assert set(KEYS) <= set(out)
    assert list(out) == [name for name in MEMORY_FIELDS if name != "ties"]
    assert out["owner"] is None
    assert out["pinned"] is False
    assert out["extra"] == {}
    assert all(out[name] == [] for name in LISTS if name != "ties")


@pytest.mark.parametrize("name", TIMES)
def test_times_are_utc_text(name: str) -> None:
    times: dict[str, Any] = {name: 1_767_225_600.0}
    memory = Memory(uid="u", store="native", ref="1", **times)
    assert memory.to_json()[name] == "2026-01-01T00:00:00Z"


def test_a_fraction_of_a_second_is_kept_in_milliseconds() -> None:
    assert iso(0.25) == "1970-01-01T00:00:00.250Z"
    assert iso(-1) == "1969-12-31T23:59:59Z"


@pytest.mark.parametrize("seconds", [None, 1e18, -1e18, float("nan"), float("inf")])
def test_a_time_outside_the_calendar_is_none(seconds: float | None) -> None:
    assert iso(seconds) is None


def test_values_that_json_cannot_hold_are_converted() -> None:
    extra: dict[Any, Any] = {
        "raw": b"\x00\xff",
        "score": float("nan"),
        "big": float("-inf"),
        3: (1, [b"a"]),
        "n": None,
    }
    out = Memory(uid="u", store="native", ref="1", extra=extra).to_json()["extra"]
    assert out == {"raw": "AP8=", "score": None, "big": None, "3": [1, ["YQ=="]], "n": None}


def test_lists_are_lists() -> None:
    out = Memory(uid="u", store="native", ref="1", tags=("a", "b"), steps=("one",)).to_json()
    assert (out["tags"], out["steps"]) == (["a", "b"], ["one"])


SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.binary())
NESTED = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.one_of(st.text(), st.integers()), inner)),
)


@examples(20)
@given(NESTED)
def test_any_value_becomes_strict_json(value: object) -> None:
    assert json.loads(json.dumps(plain(value), allow_nan=False)) == plain(value)


@pytest.mark.parametrize(
    ("title", "subject", "content", "label"),
    [
        ("Coffee", "Ada", "Ada drinks tea.", "Coffee"),
        (None, "Ada", "drinks tea.", "Ada: drinks tea."),
        (None, "Ada", "Tea is what ada drinks.", "Tea is what ada drinks."),
        (None, None, "\n\n  first line \nsecond", "first line"),
        ("", "Ada", " \n ", "Ada"),
        (None, None, "", "(empty)"),
        (None, "", "text", "text"),
        (None, None, "---\nname: Tea\n---\nGreen.", "name: Tea"),
        (None, None, "\n=====\n```\n🎉\n", "🎉"),
        (None, "Ada", "***\ndrinks tea", "Ada: drinks tea"),
        ("---", None, "* * *\nGreen.", "Green."),
        ("---", None, "", "---"),
        (None, None, "---", "---"),
    ],
)
def test_the_label_of_a_memory_is_one_line(
    title: str | None, subject: str | None, content: str, label: str
) -> None:
    assert label_of(title, subject, content) == label
