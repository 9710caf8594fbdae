"""Every sentence about front matter and timestamps."""

from __future__ import annotations

from memtui.errors import NotSaved

# What is wrong with front matter; each also begins a sentence: "…, so it is left as it is."
UNCLOSED = "the head has no end"
TOO_LONG = "the head is longer than 64 KiB"
TABS = "the head is indented with tabs"
IS_A_LIST = "the head is a list"
LINE_WITHOUT_KEY = "a line of the head is no key"
DUPLICATE_KEY = "{key} stands twice in the head"
ALIAS = "{key} has an anchor or an alias in the head"
UNBALANCED_QUOTES = "the quotes of {key} in the head do not fit"


def not_a_scalar(key: str) -> NotSaved:
    return NotSaved("head", f"{key} is no simple text in the file's head.")


def unusable(problem: str) -> NotSaved:
    return NotSaved("head", f"{problem}, so it is left as it is.")
