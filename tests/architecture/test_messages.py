"""Messages keep to the terms of the glossary (docs/glossary.md)."""

from __future__ import annotations

import re

import pytest

from tests.messages import messages

# What a message must not say, and what it says instead.
AVOIDED = {
    r"\bgiv(?:es?|ing|en) way\b|\bgave way\b": "replace",
    r"\bties?\b|\btied\b": "relation",
    r"\bodd(?:ly)?\b": "warning",
    r"\bgrave\b": "error",
    r"\bmend(?:s|ed|ing)?\b": "repair",
    r"\bclash(?:es|ed)?\b": "contradict",
    r"\bfor good\b": "permanently",
    r"\bby (?:your|its|a person's) word\b": "by you",
    r"\b(?:was|were|is|are) told\b|\btells\b": "say, state",
    r"\bbeside\b": "next to, in addition to",
    r"\bby itself\b|\bof its own\b": "automatically",
    r"\blooks? again\b|\blooked again\b": "check again",
    r"\bleft as it (?:is|was)\b|\bleft as they (?:are|were)\b": "not changed",
    r"\bstands? (?:there|nowhere|beside|still)\b": "is",
    r"\bjournal lines?\b": "journal entry",
    r"\((?:s|es)\)": "a plural by `counted`",
    r"\b1 memories\b": "a plural by `counted`",
}


@pytest.mark.parametrize("avoided", AVOIDED)
def test_messages_use_the_usual_terms(avoided: str) -> None:
    pattern = re.compile(avoided, re.IGNORECASE)
    found = [
        f"memtui/{message.file}:{message.line} {message.text[:90]!r}"
        for message in messages()
        if pattern.search(message.text)
    ]
    assert not found, f"say “{AVOIDED[avoided]}”:\n" + "\n".join(found)


def test_messages_name_no_key() -> None:
    """The user's settings may give a command another key, so messages get it from the table of commands."""
    pattern = re.compile(r"\bpress (?:[a-zA-Z!*]|space|del) |^[a-zA-Z0-9]  [a-z]", re.IGNORECASE)
    found = [
        f"memtui/{each.file}:{each.line} {each.text[:90]!r}"
        for each in messages()
        if pattern.search(each.text)
    ]
    assert not found


def test_messages_are_found() -> None:
    found = {message.text for message in messages()}
    assert len(found) > 2_000
    assert "undo your last change" in found
