"""A fake workspace with texts that try to control a terminal in every field that a screen shows."""

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


def hostile_workspace(*texts: str) -> FakeWorkspace:
    """Return a workspace whose shown fields hold the texts in turn: one text in all, or different ones."""
    text: Iterator[str] = cycle(texts)
    title, subject, category, tag, key, store = (next(text) for _ in range(6))
    first = memory(
        1, next(text), title=title or None, subject=subject, category=category or None, key=key,
        tags=(tag, next(text)), store=store or "s",
        source_type=next(text), source_ref=next(text), source_excerpt=next(text), session_id=next(text),
        pinned=True, pinned_by=next(text), pinned_why=next(text), owner=next(text), scope=next(text),
        note=next(text), steps=(next(text),), value={"a": next(text)}, ref=next(text), tier=next(text),
    )  # fmt: skip
    work = FakeWorkspace(
        [first, replace(first, uid="u2", store="other", title=None)], clock=clock, name="w.db"
    )
    work.relations[1] = (
        Relation(next(text), next(text), next(text), None, next(text), 1, None),
        Relation(next(text), next(text), next(text), None, next(text), 2, 1),
    )
    kind, reason, summary, field = (next(text) for _ in range(4))
    work.events = [
        Event(
            1, NOW, f"agent:{next(text)}", kind or "edited", reason, "failed", summary, None, 1, field, False
        )
    ]
    before = {"content": next(text), next(text) or "f": next(text)}
    after = {"content": "x" + next(text), "tags": [next(text)]}
    work.items = {1: [EventItem("u1", next(text), next(text), "refused", next(text), before, after)]}
    stored = {"content": next(text), next(text) or "k": next(text)}
    work.conflict = Conflict(f"{next(text)}", {"content": next(text)}, stored)
    return work


def rotated(number: int) -> Sequence[str]:
    """Return all hostile texts, rotated by `number`."""
    start = number % len(HOSTILE)
    return HOSTILE[start:] + HOSTILE[:start]


def unsafe_characters(text: str) -> list[str]:
    """Return characters that could control a terminal or are invisible.

    A joiner counts only if no emoji is next to it: the edge of a dialog may cut through an emoji.
    """
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
