"""Sentences about a scan for contradictions."""

from __future__ import annotations

from memtui.text import counted


def by_text_only(count: int, total: int) -> str:
    which = "all" if count == total else f"{count:,} of {total:,}"
    return f"{which} compared by text only; not yet indexed for semantic search"


def not_judged(pairs: int) -> str:
    return f"{counted(pairs, 'pair')} could not be checked"
