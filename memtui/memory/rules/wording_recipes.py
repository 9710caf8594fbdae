"""Recipes: rules to begin with. Each fills the form of a new rule, where its words can be changed (S-60)."""

from __future__ import annotations

from typing import NamedTuple


class Recipe(NamedTuple):
    """A rule to begin with: its name, its query, its actions as they are typed, and why one would want it."""

    name: str
    when: str
    actions: tuple[str, ...]
    note: str


RECIPES = (
    Recipe("Pin security", "security", ("pin",), "What is about security is never forgotten."),
    Recipe("Pin governance", "governance", ("pin",), "What governs the work is never forgotten."),
    Recipe("Protect decisions", "category:decision", ("pin", "tag=decision"), "Decisions stay."),
    Recipe(
        "Chit-chat leaves",
        "category:chitchat category:smalltalk category:chat",
        ("expire=30d",),
        "Small talk is of no use after a month.",
    ),
    Recipe(
        "Old and unused to the Inbox",
        "updated:>180d used:0 -is:pinned",
        ("inbox",),
        "A person decides whether it is still needed.",
    ),
    Recipe(
        "Doubtful to the Inbox", "conf:<0.4", ("inbox",), "A person decides whether it is true."
    ),
    Recipe(
        "No secrets",
        "is:secret",
        ("inbox", "refuse"),
        "Agents write none, and a person redacts those that are there.",
    ),
    Recipe(
        "No small talk",
        "category:chitchat category:smalltalk category:chat",
        ("refuse",),
        "Agents keep it to themselves.",
    ),
    Recipe(
        "One agent's contacts",
        "category:contact -owner:bot",
        ("refuse",),
        "Only bot writes contacts: put the agent's name in.",
    ),
    Recipe(
        "Personal data is private",
        "category:personal category:contact category:health",
        ("scope=private",),
        "Only its owner reads it.",
    ),
)  # fmt: skip
