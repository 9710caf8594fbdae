"""REFLECTION.md: what the memories have in common, and which are used most (FORMATS 5)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from memtui.formats.cognitive import episodes
from memtui.formats.cognitive.derived.core import link
from memtui.formats.cognitive.derived.scores import Standing
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
THEMES, TITLES, PATTERNS, ACCESSED, INSIGHTS = 8, 3, 15, 10, 10
_TITLE, _PREVIEW = 40, 80  # characters
_MERGED = re.compile(r"\bmerged?\b", re.IGNORECASE)


def text(standings: Sequence[Standing], tree: Tree, projects: Sequence[str], day: str, old: str) -> str:
    """The whole file; `old` is the one that is there, which knows how many there were before."""
    before = re.search(r"Total reflections: (\d{1,9})", old)
    total = int(before[1]) + 1 if before else 1
    stamp = f"> Last updated: {day} | Last reflection: {day} | Total reflections: {total}"
    parts = [
        ("Themes", "Top tag co-occurrences revealing recurring themes:", _themes(standings)),
        (
            "Cross-Project Patterns",
            "Tags that span multiple projects:",
            _patterns(standings, projects or PROJECTS),
        ),
        ("Most Accessed", "Top 10 memories by access count:", _accessed(standings)),
        ("Recent Insights", "Insight-type memories:", _insights(standings)),
        ("Consolidation History", "", iter([f"- Total merges performed: {_merges(tree)}"])),
    ]
    out = f"# Reflection Summary (auto-generated)\n{stamp}\n"
    for title, words, found in parts:
        lines = list(found)
        out += f"\n## {title}\n"
        out += f"\n{words}\n" if words else ""
        out += "\n" + "\n".join(lines) + "\n" if lines else ""
    return out


def _themes(standings: Sequence[Standing]) -> Iterator[str]:
    pairs: Counter[tuple[str, str]] = Counter()
    for each in standings:
        pairs.update(combinations(sorted(set(each.tags)), 2))
    best = sorted((pair for pair in pairs.items() if pair[1] > 1), key=lambda pair: (-pair[1], pair[0]))
    for (one, other), count in best[:THEMES]:
        titles = [each.title for each in standings if {one, other} <= set(each.tags)][:TITLES]
        told = ", ".join(f'"{_cut(title, _TITLE)}"' for title in titles)
        yield f"- **{one} + {other}**: {count} memories ({told})"


def _patterns(standings: Sequence[Standing], projects: Sequence[str]) -> Iterator[str]:
    found: dict[str, Counter[str]] = {}
    for each in standings:
        tags = set(each.tags)
        for tag in tags - set(projects):
            found.setdefault(tag, Counter()).update(tags & set(projects))
    wide = [(tag, counts) for tag, counts in found.items() if len(counts) > 1]
    wide.sort(key=lambda each: (-len(each[1]), -each[1].total(), each[0]))
    for tag, counts in wide[:PATTERNS]:
        ordered = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
        yield f"- **{tag}**: appears in {', '.join(f'{name} ({count})' for name, count in ordered)}"


def _accessed(standings: Sequence[Standing]) -> Iterator[str]:
    used = sorted((each for each in standings if each.uses), key=lambda each: (-each.uses, each.path))
    for number, each in enumerate(used[:ACCESSED], 1):
        yield f"{number}. {link(each)} - {each.uses} accesses"


def _insights(standings: Sequence[Standing]) -> Iterator[str]:
    found = [each for each in standings if each.type == "insight"]
    for each in sorted(found, key=lambda each: (-each.created, each.path))[:INSIGHTS]:
        yield f"- {link(each)} - {_cut(' '.join(each.content.split()), _PREVIEW)}"


def _merges(tree: Tree) -> int:
    """How many merges the episodes tell of."""
    days = [episodes.read(name, tree[name]) for name in tree if is_episodes(name)]
    return sum(bool(_MERGED.search(each.title)) for day in days for each in day)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[:longest].rstrip() + "..."
