"""Every sentence of the command palette."""

from __future__ import annotations

TITLE = "Command palette"
PLACEHOLDER = "Search commands, memories, stores, themes"
FEWER_LETTERS = "Try fewer letters, or press esc to close."

# What could not be done; an error's own text follows.
SAVED_SEARCHES_NOT_READ = "Could not read the saved searches"
NOT_SEARCHED = "Search failed"


def nothing_found(query: str) -> str:
    return f"No command or memory matches “{query}”."


def count(keys: str, found: int) -> str:
    return f"{keys} · {found}"


def command_on(keys: str, tab: str, help: str) -> str:
    return f"{keys} in {tab}: {help}."


def theme(name: str) -> str:
    return f"{name} theme"


def go_to(screen: str) -> str:
    return f"go to {screen}"
