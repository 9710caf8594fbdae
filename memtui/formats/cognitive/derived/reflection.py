"""REFLECTION.md: what the memories have in common, and which are used most (FORMATS 5)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from memtui.formats.cognitive import episodes
from memtui.formats.cognitive.derived.core import link
from memtui.formats.cognitive.derived.scores import ScoredMemory
from memtui.formats.cognitive.paths import is_episodes
from memtui.formats.cognitive.reader import Tree

# The projects that the format's own client knows; the settings may name others.
PROJECTS = (
    "major-domo",
    "paper-dynasty",
    "homelab",
    "vagabond-rpg",
    "foundryvtt",
    "strat-gameplay-webapp",
)
# How many a section lists.
MAX_THEMES, MAX_TITLES, MAX_PATTERNS, MAX_ACCESSED, MAX_INSIGHTS = 8, 3, 15, 10, 10
_MAX_TITLE, _MAX_PREVIEW = 40, 80  # characters
_MERGED = re.compile(r"\bmerged?\b", re.IGNORECASE)


def count_in(old: str) -> int:
    """Return the number of reflections that an existing file states; 0 if it states none."""
    before = re.search(r"Total reflections: (\d{1,9})", old)
    return int(before[1]) if before else 0


def render(
    memories: Sequence[ScoredMemory], projects: Sequence[str], day: str, *, total: int, merges: int
) -> str:
    """Return the text of the file.

    `projects` are tags, those of the format's client if empty; `day` is in the form YYYY-MM-DD; `total` is
    the number of reflections, with this one; `merges` is that of `count_merges`."""
    stamp = f"> Last updated: {day} | Last reflection: {day} | Total reflections: {total}"
    sections = [
        ("Themes", "Top tag co-occurrences revealing recurring themes:", _themes(memories)),
        (
            "Cross-Project Patterns",
            "Tags that span multiple projects:",
            _patterns(memories, projects or PROJECTS),
        ),
        ("Most Accessed", "Top 10 memories by access count:", _most_accessed(memories)),
        ("Recent Insights", "Insight-type memories:", _insights(memories)),
        ("Consolidation History", "", iter([f"- Total merges performed: {merges}"])),
    ]
    out = f"# Reflection Summary (auto-generated)\n{stamp}\n"
    for title, intro, items in sections:
        lines = list(items)
        out += f"\n## {title}\n"
        out += f"\n{intro}\n" if intro else ""
        out += "\n" + "\n".join(lines) + "\n" if lines else ""
    return out


def _themes(memories: Sequence[ScoredMemory]) -> Iterator[str]:
    for (a, b), count, named in themes(memories):
        shown = ", ".join(f'"{_cut(each.title, _MAX_TITLE)}"' for each in named)
        yield f"- **{a} + {b}**: {count} memories ({shown})"


def themes(memories: Sequence[ScoredMemory]) -> Iterator[tuple[tuple[str, str], int, list[ScoredMemory]]]:
    """Yield the most frequent pairs of tags, the number of memories with each, and those that are named."""
    pairs: Counter[tuple[str, str]] = Counter()
    for each in memories:
        pairs.update(combinations(sorted(set(each.tags)), 2))
    best = sorted((pair for pair in pairs.items() if pair[1] > 1), key=lambda pair: (-pair[1], pair[0]))
    for pair, count in best[:MAX_THEMES]:
        yield pair, count, [each for each in memories if set(pair) <= set(each.tags)][:MAX_TITLES]


def _patterns(memories: Sequence[ScoredMemory], projects: Sequence[str]) -> Iterator[str]:
    by_tag: dict[str, Counter[str]] = {}
    for each in memories:
        tags = set(each.tags)
        for tag in tags - set(projects):
            by_tag.setdefault(tag, Counter()).update(tags & set(projects))
    spanning = [(tag, counts) for tag, counts in by_tag.items() if len(counts) > 1]
    spanning.sort(key=lambda each: (-len(each[1]), -each[1].total(), each[0]))
    for tag, counts in spanning[:MAX_PATTERNS]:
        ordered = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
        yield f"- **{tag}**: appears in {', '.join(f'{name} ({count})' for name, count in ordered)}"


def _most_accessed(memories: Sequence[ScoredMemory]) -> Iterator[str]:
    for number, each in enumerate(most_accessed(memories), 1):
        yield f"{number}. {link(each)} - {each.uses} accesses"


def most_accessed(memories: Sequence[ScoredMemory]) -> list[ScoredMemory]:
    """Return the memories that were used most, the most used first."""
    used = sorted((each for each in memories if each.uses), key=lambda each: (-each.uses, each.path))
    return used[:MAX_ACCESSED]


def _insights(memories: Sequence[ScoredMemory]) -> Iterator[str]:
    for each in recent_insights(memories):
        yield f"- {link(each)} - {_cut(' '.join(each.content.split()), _MAX_PREVIEW)}"


def recent_insights(memories: Sequence[ScoredMemory]) -> list[ScoredMemory]:
    """Return the latest insights, the newest first."""
    insights = [each for each in memories if each.type == "insight"]
    return sorted(insights, key=lambda each: (-each.created, each.path))[:MAX_INSIGHTS]


def count_merges(tree: Tree) -> int:
    """Return the number of episodes whose title mentions a merge."""
    days = [episodes.read(name, tree[name]) for name in tree if is_episodes(name)]
    return sum(bool(_MERGED.search(each.title)) for day in days for each in day)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[:longest].rstrip() + "..."
