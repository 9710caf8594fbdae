"""Finding and replacing a text in one memory: hits, case, refusals (S-54)."""

from __future__ import annotations

import re
from typing import Any

import pytest

from memtui.errors import Refused
from memtui.memory.memory import Memory
from memtui.memory.replacement import (
    FIELDS,
    Hit,
    Replacement,
    Span,
    check,
    find_hits,
    in_case_of,
    replaced_fields,
    text_matcher,
)
from memtui.values import Fields
from tests.support.planted.plants import SECRET

TOKEN = SECRET.split()[-1]


def memory(content: str = "Bo likes tea.", **fields: Any) -> Memory:
    return Memory(uid="u1", store="native", ref="1", content=content, **fields)


def hits_in(found: Memory, find: str, new: str = "NEW", **options: Any) -> tuple[Hit, ...]:
    replacement = Replacement(find, new, **options)
    check(replacement)

    def match_pattern(texts: Any) -> list[list[Span]]:
        pattern = re.compile(find, replacement.flags)
        return [[(*m.span(), m.expand(new)) for m in pattern.finditer(text)] for text in texts]

    hits = find_hits(found, replacement, match_pattern if replacement.regex else text_matcher(replacement))
    assert hits is not None
    return hits


def replaced(found: Memory, find: str, new: str = "NEW", **options: Any) -> Fields:
    return replaced_fields(found, hits_in(found, find, new, **options))


def refused(found: Memory, find: str, new: str = "NEW", **options: Any) -> Refused:
    with pytest.raises(Refused) as error:
        replaced(found, find, new, **options)
    return error.value


def test_every_field_is_searched() -> None:
    found = memory("tea, tea", title="Tea and tea", subject="tea", key="tea-time", tags=("a", "tea", "steam"))
    assert replaced(found, "tea", "coffee") == {
        "content": "coffee, coffee",
        "title": "Tea and coffee",
        "subject": "coffee",
        "key": "coffee-time",
        "tags": ("a", "coffee", "scoffeem"),
    }


@pytest.mark.parametrize("field", FIELDS)
def test_only_the_named_field_is_searched(field: str) -> None:
    found = memory("tea", title="tea", subject="tea", key="tea", tags=("tea",))
    assert replaced(found, "tea", "x", fields=(field,)).keys() == {field}


def test_a_text_is_no_pattern() -> None:
    assert replaced(memory("1.5 or 115"), "1.5", r"\1") == {"content": r"\1 or 115"}


def test_a_pattern_has_groups() -> None:
    found = memory("on 24.12.2026\nand 1.1.2027")
    pattern = r"(\d+)\.(\d+)\.(?P<year>\d+)$"
    assert replaced(found, pattern, r"\g<year>-\2-\1", regex=True) == {
        "content": "on 2026-12-24\nand 2027-1-1"
    }


def test_case_is_ignored_only_on_request() -> None:
    found = memory("Tea TEA tea")
    assert replaced(found, "tea", "mate") == {"content": "Tea TEA mate"}
    assert replaced(found, "tea", "mate", ignore_case=True) == {"content": "mate mate mate"}
    kept = replaced(found, "tea", "mate", ignore_case=True, keep_case=True)
    assert kept == {"content": "Mate MATE mate"}


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("acme", "Globex", "globex"),
        ("ACME", "Globex", "GLOBEX"),
        ("Acme", "globex", "Globex"),
        ("Acme", "globex GmbH", "Globex GmbH"),
        ("A", "globex", "Globex"),
        ("aCME", "Globex", "Globex"),
        ("42", "Globex", "Globex"),
        ("Ärger", "öl", "Öl"),
        ("Acme", "", ""),
    ],
)
def test_the_case_of_what_is_replaced_is_kept(before: str, after: str, expected: str) -> None:
    assert in_case_of(before, after) == expected


def test_a_hit_that_changes_nothing_is_none() -> None:
    assert hits_in(memory("tea"), "TEA", "tea", ignore_case=True) == ()


def test_a_hit_has_its_line() -> None:
    (hit,) = hits_in(memory(f"first\n{'x' * 200} tea {'y' * 200}\nlast"), "tea")
    assert (hit.left, hit.right) == (f"…{'x' * 89} ", f" {'y' * 89}…")
    (hit,) = hits_in(memory("first\nBo likes tea.\nlast"), "tea")
    assert (hit.left, hit.before, hit.after, hit.right) == ("Bo likes ", "tea", "NEW", ".")


def test_secrets_are_neither_matched_nor_shown() -> None:
    found = memory(f"{SECRET}, says a1B2")
    (hit,) = hits_in(found, "a1B2")
    assert hit.start > len(SECRET)
    assert "a1B2" not in hit.left
    assert replaced_fields(found, [hit]) == {"content": f"{SECRET}, says NEW"}, "an old secret is no obstacle"


@pytest.mark.parametrize(
    ("replacement", "code", "message"),
    [
        (Replacement("", "x"), "empty", "the text to find is empty"),
        (Replacement("", "x", regex=True), "empty", "the text to find is empty"),
        (Replacement("a(b", "x", regex=True), "pattern", "at position 1"),
        (Replacement("(a)", r"\2", regex=True), "replacement", "at position 1"),
        (Replacement("(?P<word>a)", r"\g<name>", regex=True), "replacement", "names a group"),
        (Replacement("a", "\\", regex=True), "replacement", "at position 0"),
        (Replacement("a{4294967296}", "x", regex=True), "pattern", "too large"),
        (Replacement("a", "x", fields=("note",)), "no-field", "note can't be searched"),
    ],
)
def test_what_cannot_be_found_or_replaced_is_refused(
    replacement: Replacement, code: str, message: str
) -> None:
    with pytest.raises(Refused, match=message) as error:
        check(replacement)
    assert error.value.code == code


@pytest.mark.parametrize("pattern", [r"\b", "(?=tea)", "(?<=t)", "x|(?=t)"])
def test_a_match_without_width_is_refused(pattern: str) -> None:
    assert refused(memory(), pattern, regex=True).code == "no-width"


@pytest.mark.parametrize("found", [memory("tea"), memory("x", title="tea"), memory("x", tags=("a", "tea"))])
@pytest.mark.parametrize("new", ["", " \n"])
def test_a_result_without_text_is_refused(found: Memory, new: str) -> None:
    assert refused(found, "tea", new).code == "empty"


@pytest.mark.parametrize("new", ["\0", "\ud800"])
def test_a_result_that_cannot_be_stored_is_refused(new: str) -> None:
    assert refused(memory(), "tea", new).code == "text"


def test_a_nul_from_a_pattern_is_refused() -> None:
    assert refused(memory(), "tea", r"\0", regex=True).code == "text"


def test_a_result_that_is_a_secret_is_refused_and_not_shown() -> None:
    refusal = refused(memory("The deploy token is KEY"), "KEY", TOKEN)
    assert refusal.code == "secret"
    assert "GitHub token" in refusal.message
    assert TOKEN not in f"{refusal.message}{refusal.hint}{refusal.to_json()}"


def test_a_secret_made_of_old_and_new_text_is_refused() -> None:
    assert refused(memory(TOKEN.replace("ghp_", "xyz_")), "xyz_", "ghp_").code == "secret"
