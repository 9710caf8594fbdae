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


def render(memories: Sequence[ScoredMemory], tree: Tree, projects: Sequence[str], day: str, old: str) -> str:
    """Return the text of the file.

    `projects` are tags, those of the format's client if empty; `day` is in the form YYYY-MM-DD; `old` is the
    existing file, which has the number of reflections so far."""
    before = re.search(r"Total reflections: (\d{1,9})", old)
    total = int(before[1]) + 1 if before else 1
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
        ("Consolidation History", "", iter([f"- Total merges performed: {_count_merges(tree)}"])),
    ]
    out = f"# Reflection Summary (auto-generated)\n{stamp}\n"
    for title, intro, items in sections:
        lines = list(items)
        out += f"\n## {title}\n"
        out += f"\n{intro}\n" if intro else ""
        out += "\n" + "\n".join(lines) + "\n" if lines else ""
    return out


def _themes(memories: Sequence[ScoredMemory]) -> Iterator[str]:
    pairs: Counter[tuple[str, str]] = Counter()
    for each in memories:
        pairs.update(combinations(sorted(set(each.tags)), 2))
    best = sorted((pair for pair in pairs.items() if pair[1] > 1), key=lambda pair: (-pair[1], pair[0]))
    for (a, b), count in best[:MAX_THEMES]:
        titles = [each.title for each in memories if {a, b} <= set(each.tags)][:MAX_TITLES]
        shown = ", ".join(f'"{_cut(title, _MAX_TITLE)}"' for title in titles)
        yield f"- **{a} + {b}**: {count} memories ({shown})"


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
    used = sorted((each for each in memories if each.uses), key=lambda each: (-each.uses, each.path))
    for number, each in enumerate(used[:MAX_ACCESSED], 1):
        yield f"{number}. {link(each)} - {each.uses} accesses"


def _insights(memories: Sequence[ScoredMemory]) -> Iterator[str]:
    insights = [each for each in memories if each.type == "insight"]
    for each in sorted(insights, key=lambda each: (-each.created, each.path))[:MAX_INSIGHTS]:
        yield f"- {link(each)} - {_cut(' '.join(each.content.split()), _MAX_PREVIEW)}"


def _count_merges(tree: Tree) -> int:
    """Return the number of episodes whose title mentions a merge."""
    days = [episodes.read(name, tree[name]) for name in tree if is_episodes(name)]
    return sum(bool(_MERGED.search(each.title)) for day in days for each in day)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[:longest].rstrip() + "..."
