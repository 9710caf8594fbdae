"""Every sentence of the command palette."""

from __future__ import annotations

TITLE = "Everything by name"
PLACEHOLDER = "A command, a memory, a store, a theme"
FEWER_LETTERS = "Fewer letters find more; esc leaves."

# What could not be done; an error's own text follows.
SAVED_SEARCHES_NOT_READ = "The saved searches could not be read"
NOT_SEARCHED = "The memories could not be searched"


def nothing_found(query: str) -> str:
    return f"Nothing is called “{query}”, and no memory says it."


def count(keys: str, found: int) -> str:
    return f"{keys} · {found}"


def command_on(keys: str, tab: str, help: str) -> str:
    return f"{keys} on {tab}: {help}."


def theme(name: str) -> str:
    return f"{name} theme"


def go_to(screen: str) -> str:
    return f"go to {screen}"
