"""Folders of Base Coat's shared memories, built from the facts of the format."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from memtui.formats.base_coat_shared import BaseCoatShared


def document(
    subject: str,
    pattern: str,
    *,
    category: str = "convention",
    confidence: str = "0.90",
    front_matter: str = "",
    evidence: str = "- Seen in two retrospectives",
    title: str = "",
) -> str:
    """Return the file of one shared memory; `front_matter` adds lines to its head."""
    return (
        f'---\nsubject: "{subject}"\ncategory: "{category}"        # convention | decision\n'
        f'confidence: {confidence}\ncreated: "2026-01-10"\napplies_to: "all teams"\n{front_matter}---\n\n'
        f"# {title or pattern.split('.')[0]}\n\n## Pattern\n\n{pattern}\n\n## Evidence\n\n{evidence}\n\n"
        "## Does NOT apply to\n\n- One-off scripts\n"
    )


APPROVAL, SQUASH, FENCED, PLAIN = (
    "ci/agent-approval.md",
    "git/squash-merge.md",
    "testing/run-first.md",
    "process/weekly.md",
)
FILES: dict[str, str] = {
    "README.md": "# About\n\nNo memory.\n",
    APPROVAL: document(
        "ci:agent-approval",
        "A maintainer pushes an empty commit, or an agent's changes start no build.",
        front_matter='last_validated: "2026-03-01"\n',
    ),
    SQUASH: document(
        "git:squash-merge",
        "Squash before a merge: one change is one commit. ☕",
        category="decision",
        confidence="0.8",
        front_matter="tags: [git, 'merge']\nowner: platform\n",
    ).replace("\n", "\r\n"),
    FENCED: document(
        "testing:run-first",
        "Run what is there first:\n\n```sh\n## Pattern\nmake test\n```",
        category="pattern",
        title="Run first",
        evidence="Two people lost a day.\n\n### Where\n\nIn the nightly build.",
    ),
    PLAIN: "---\nsubject: process:weekly\ncategory: convention\nconfidence: 1\ncreated: 2026-02-02\n---\n"
    "## Pattern\nPlan on Mondays.\n## Evidence\nAsked.",
}


def make(folder: Path, files: Mapping[str, str | bytes] = FILES) -> BaseCoatShared:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
    return BaseCoatShared(folder)


def many(count: int) -> dict[str, str]:
    """Return `count` plain memories in seven domains."""
    return {
        f"domain-{number % 7}/topic-{number}.md": document(
            f"domain-{number % 7}:topic-{number}", f"Number {number} of what teams agreed on."
        )
        for number in range(count)
    }
