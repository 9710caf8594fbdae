"""Every sentence about front matter and timestamps."""

from __future__ import annotations

from memtui.errors import NotSaved

# What is wrong with front matter; each also begins a sentence: "…, so memtui won't change it."
UNCLOSED = "the front matter is never closed"
TOO_LONG = "the front matter is longer than 64 KiB"
TABS = "the front matter is indented with tabs"
IS_A_LIST = "the front matter is a list"
LINE_WITHOUT_KEY = "the front matter has a line without a key"
DUPLICATE_KEY = "the front matter has {key} twice"
ALIAS = "the front matter has an anchor or alias in {key}"
UNBALANCED_QUOTES = "the front matter has unbalanced quotes in {key}"


def not_a_scalar(key: str) -> NotSaved:
    return NotSaved("head", f"{key} in the front matter is not plain text.")


def unusable(problem: str) -> NotSaved:
    return NotSaved("head", f"{problem}, so memtui won't change it.")
