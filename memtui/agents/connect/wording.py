"""Every sentence about finding the settings of agents' programs."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.errors import Refused

NOT_CHANGED = "Nothing was changed."


def no_client(word: str, clients: Sequence[str]) -> Refused:
    return Refused(
        "no-client",
        f"{word} is neither a client nor a file.",
        f"Clients: {', '.join(clients)}; or the path of a JSON file.",
        unchanged=NOT_CHANGED,
    )


def no_agent(file: str) -> Refused:
    return Refused(
        "no-agent",
        f"Which agent uses {file} is not known.",
        "Name the agent: memtui connect FILE --as AGENT",
        unchanged=NOT_CHANGED,
    )


def no_project_settings(client: str) -> Refused:
    return Refused(
        "no-settings",
        f"{client} has no settings in a project.",
        f"To connect it everywhere: memtui connect {client}",
        unchanged=NOT_CHANGED,
    )


def no_user_settings(client: str) -> Refused:
    return Refused(
        "no-settings",
        f"{client} has settings in projects only.",
        f"In the folder of a project: memtui connect {client} --project",
        unchanged=NOT_CHANGED,
    )
