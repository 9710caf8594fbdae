"""REFLECTION.md: what the memories have in common, and which are used most (FORMATS 5)."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.export import wording
from memtui.export.exporter import Entry, Exporter, Rendered
from memtui.export.scored import newest_day, scored
from memtui.formats.cognitive.derived import reflection


def render(entries: Sequence[Entry]) -> Rendered:
    """Return the file, as the first reflection on these memories; nothing without memories. Its day is that
    of the newest memory."""
    memories = scored(entries)
    if not memories:
        return Rendered("")
    text = reflection.render(memories, (), newest_day(entries), total=1, merges=0)
    named = {each.id for each in (*reflection.most_accessed(memories), *reflection.recent_insights(memories))}
    named.update(each.id for _, _, members in reflection.themes(memories) for each in members)
    return Rendered(text, {each.id: wording.IS_SUMMARY for each in memories if each.id not in named})


EXPORTER = Exporter("reflection", "REFLECTION.md", "text/markdown", ".md", render, wording.REFLECTION_LIMITS)
