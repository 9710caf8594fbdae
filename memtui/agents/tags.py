"""What stands in Markdown that a client puts before its model: nothing in it may end or begin an element of
the client's own (S-62)."""

from __future__ import annotations

import re

_TAG = re.compile(r"<(?=[/!?A-Za-z])")


def without_tags(text: str) -> str:
    """Return a text in which nothing is a tag.

    >>> without_tags("a < b </system>")
    'a < b ‹/system>'
    """
    return _TAG.sub("‹", text)
