"""CORE.md as it is on disk, which agents are given at the start of a session (FORMATS 5, S-72)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from urllib.parse import unquote

from memtui.formats.cognitive.derived import core, rebuild
from memtui.formats.cognitive.derived.scores import scored_memories
from memtui.formats.cognitive.paths import CORE
from memtui.formats.cognitive.reader import Tree
from memtui.formats.contract.session_view import Cut, Passage, SessionView

CLIENT = "cognitive"
_LINE = re.compile(r"^- \[[^\n]*?\]\((?P<path>[^()\n]+)\)[^\n]*", re.MULTILINE)
# Why a memory would not be in the file even if it were rebuilt.
_CODES = {"score": "low-score", "section": "no-section", "full": "section-full", "budget": "over-characters"}
_NOT_WRITTEN = "not-rebuilt"  # it would be


def session_view(files: Mapping[str, bytes], now: float) -> SessionView:
    """Return the file as a session is given it at `now`, and the memories that are not in it."""
    text = files.get(CORE, b"").decode("utf-8", "replace").removeprefix("\ufeff")
    tree = Tree.of(files)
    memories = scored_memories(tree, now)
    by_path = {each.path: each.id for each in memories}
    passages = tuple(
        Passage(by_path[path], *match.span())
        for match in _LINE.finditer(text)
        if (path := unquote(match["path"])) in by_path
    )
    reasons = core.compose(memories, "").left_out
    shown = {each.ref for each in passages}
    left: dict[str, list[str]] = defaultdict(list)
    for memory in memories:
        if memory.id not in shown:
            left[_CODES.get(reasons.get(memory.id, ""), _NOT_WRITTEN)].append(memory.id)
    cut = tuple(Cut(code, tuple(ids)) for code, ids in left.items())
    limits = {"characters": core.BUDGET, "items_in_section": core.MAX_MEMORIES}
    is_stale = bool(memories) and rebuild.core_file(files, now) != files.get(CORE)
    return SessionView(CLIENT, text, limits, passages, cut, (CORE,) if is_stale else ())
