"""The table of commands: what each calls, its place in the help, its operands, help, options and an example.

`memtui --help`, the help of each command and the completion of shells are generated from it.
"""

from __future__ import annotations

from memtui.cli.parser.command import Command, GlobalOption
from memtui.cli.parser.table_change import CHANGE
from memtui.cli.parser.table_connect import CONNECT
from memtui.cli.parser.table_read import READ
from memtui.cli.parser.table_rules import RULES
from memtui.cli.parser.table_stores import STORES

# Commands that take a query.
QUERIES = ("list", "search", "saved add", "clusters", "replace", "export", "report")

EVERYWHERE = (
    GlobalOption(
        "--workspace",
        "the workspace to use",
        "PATH",
        "(default: $MEMTUI_WORKSPACE, else the nearest\n"
        ".memtui/workspace.db in this folder or above, else the\n"
        "one in your user data folder)",
    ),
    GlobalOption("--json", "print JSON"),
    GlobalOption("--read-only", "refuse every change"),
    GlobalOption("--help", "show help"),
)
VERSION = GlobalOption("--version", "print the version")  # only before a command

_START = {
    "demo": Command(
        "runtime.open_workspace:open_demo",
        "",
        "Try memtui in a temporary workspace with five stores.",
        "none",
        "demo",
    ),
}
# The commands under the headings of `memtui --help`.
SECTIONS = {
    "Start": _START,
    "Read": READ,
    "Change (in the agent's own store; all but purge and redact can be undone)": CHANGE,
    "Rules (what shall hold for the memories that match a query)": RULES,
    "Agents' programs": CONNECT,
    "Stores": STORES,
}
RENAMED = {"retie": "edit-relation"}  # former names, accepted until 1.0
COMMANDS = {name: command for section in SECTIONS.values() for name, command in section.items()}
# Groups of commands, each with the command that it stands for alone.
GROUPS = {
    "stores": "list",
    "backup": "list",
    "saved": "list",
    "eval": "retrieval",
    "contradictions": "list",
    "secrets": "list",
    "duplicates": "list",
    "decay": "preview",
    "rules": "list",
    "cognitive": "list",
    "policies": "list",
}


def meant_by(word: str) -> dict[str, str]:
    """Return what an unknown first word may mean: the verb of a group, or a mistyped command."""
    verbs = {name.partition(" ")[2]: name for name in COMMANDS if " " in name}
    if word in verbs:
        return {word: verbs[word]}
    return {each: each for each in (*(name for name in COMMANDS if " " not in name), *GROUPS, "help")}
