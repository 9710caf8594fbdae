"""CORE.md: the memories that count most, which agents load at session start (FORMATS 5)."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.formats.cognitive.derived.scores import Standing

BUDGET = 12_000  # characters, about 3,000 tokens
MOST = 15  # memories of a section
LEAST = 0.2  # the score from which a memory is in it
TAGS = 3  # that a line shows
SECTIONS = (
    ("Critical Solutions", ("solution",)),
    ("Active Decisions", ("decision",)),
    ("Key Fixes", ("fix",)),
    ("Configurations", ("configuration",)),
    ("Patterns & Workflows", ("code_pattern", "workflow", "procedure")),
)


def text(standings: Sequence[Standing], day: str) -> str:
    """The whole file; `standings` come best first."""
    live = [each for each in standings if each.score >= LEAST]
    counts = f"Active memories: {len(live)}/{len(standings)}"
    out = "# Memory Core (auto-generated)\n"
    out += f"> Last updated: {day} | {counts} | Next refresh: daily (systemd timer)\n"
    for title, types in SECTIONS:
        section = f"\n## {title}\n"
        for each in [each for each in live if each.type in types][:MOST]:
            line = link(each) + (f" ({', '.join(each.tags[:TAGS])})" if each.tags else "")
            if len(out) + len(section) + len(line) + 3 > BUDGET:
                return out
            out, section = f"{out}{section}- {line}\n", ""
    return out


def link(each: Standing) -> str:
    """A memory as a link from the tree's root."""
    title = each.title.replace("[", "(").replace("]", ")")
    return f"[{title}]({each.path.replace(' ', '%20')})"
