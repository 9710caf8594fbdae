"""Texts that try to act on a terminal, in every field that a screen shows; and what of them acts."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import cycle

from memtui.errors import Conflict
from memtui.memory.journal import Event, EventItem
from memtui.memory.relations import Relation
from memtui.text import is_clean
from tests.support.fake_workspace import NOW, FakeWorkspace, clock, memory

HOSTILE = [
    "\x1b[31mred\x1b]52;c;aGk=\x07\x9b2J\x00\x7f",
    "[/foo] [b]bold[/b] [@click=app.quit]x[/] [link=https://x.y]z[/link] $accent",
    "\u202etxet desrever\u202c \u2066iso\u2069 zero\u200bwidth\ufeff\u2060 soft\u00adhyphen \U000e0041tag",
    "日本語のとても長い記憶テキスト 👩‍💻 🇩🇪 ❤️ 👍🏽 é\u0301\u0301 ｆｕｌｌ",
    "tab\tand\r\nlines\rand\nmore\u2028sep\u2029",
    "\ud800 lone surrogate \udfff",
    "n" * 1_000_000,
    "",
]


def hostile(*texts: str) -> FakeWorkspace:
    """The texts in turn in every field that is shown: one text in all, or each next to others."""
    each: Iterator[str] = cycle(texts)
    title, subject, category, tag, key, store = (next(each) for _ in range(6))
    one = memory(
        1, next(each), title=title or None, subject=subject, category=category or None, key=key,
        tags=(tag, next(each)), store=store or "s",
        source_type=next(each), source_ref=next(each), source_excerpt=next(each), session_id=next(each),
        pinned=True, pinned_by=next(each), pinned_why=next(each), owner=next(each), scope=next(each),
        note=next(each), steps=(next(each),), value={"a": next(each)}, ref=next(each), tier=next(each),
    )  # fmt: skip
    work = FakeWorkspace([one, replace(one, uid="u2", store="other", title=None)], clock=clock, name="w.db")
    work.relations[1] = (
        Relation(next(each), next(each), next(each), None, next(each), 1, None),
        Relation(next(each), next(each), next(each), None, next(each), 2, 1),
    )
    kind, why, summary, field = (next(each) for _ in range(4))
    work.events = [
        Event(1, NOW, f"agent:{next(each)}", kind or "edited", why, "failed", summary, None, 1, field, False)
    ]
    before = {"content": next(each), next(each) or "f": next(each)}
    after = {"content": "x" + next(each), "tags": [next(each)]}
    work.items = {1: [EventItem("u1", next(each), next(each), "refused", next(each), before, after)]}
    theirs = {"content": next(each), next(each) or "k": next(each)}
    work.clash = Conflict(f"{next(each)}", {"content": next(each)}, theirs)
    return work


def mixed(number: int) -> Sequence[str]:
    """All hostile texts, beginning with another one for each number."""
    place = number % len(HOSTILE)
    return HOSTILE[place:] + HOSTILE[:place]


def bad(text: str) -> list[str]:
    """Characters that could act on a terminal or are drawn as nothing; a joiner only where no emoji stands
    beside it: the edge of a dialog may cut through one."""
    found = [
        c
        for c in sorted(set(text))
        if c not in "\n\u200d\ufe0f"
        and (unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") or not is_clean(c))
    ]
    joiners = (i for i, c in enumerate(text) if c == "\u200d")
    return found + [
        text[i] for i in joiners if all(ord(c) < 0x2600 for c in text[i - 1 : i + 2] if c != "\u200d")
    ]
