"""The links in a text that may lead to another memory: [[name]], [[name|label]] and [label](file)."""

from __future__ import annotations

import re

MAX_MENTIONS = 100  # links of one text that are looked up
# Bounded, so that no text makes the search slow. What `name` captures is looked up.
WIKI_LINK = re.compile(
    r"\[\[(?P<name>[^\s\[\]|#][^\[\]|#\n]{0,200})"
    r"(?P<rest>(?:#[^\[\]|\n]{0,200})?(?:\|[^\[\]\n]{0,200})?)\]\]"
)
LINK = re.compile(r"(?<![!\\])\[(?P<label>[^\[\]\n]{1,300})\]\((?P<target>[^\s()<>]{1,500})\)")


def mentioned_names(text: str) -> tuple[str, ...]:
    """Return what the links of a text name, each once, in their order.

    >>> mentioned_names("See [[rollback|how]] and [the plan](plans/may.md).")
    ('rollback', 'plans/may.md')
    """
    if "[" not in text:
        return ()
    found = [(match.start(), match["name"].strip()) for match in WIKI_LINK.finditer(text)]
    found += [(match.start(), match["target"]) for match in LINK.finditer(text)]
    return tuple(dict.fromkeys(name for _, name in sorted(found)))[:MAX_MENTIONS]
