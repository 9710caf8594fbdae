"""Every sentence about serving over HTTP, and its token."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

from memtui.errors import Refused

# -- answers to requests that are turned away

WRONG_TOKEN = "Give the server's token as a bearer token. To print it: memtui mcp --show-token\n"
WRONG_HOST = "This server answers to its own address alone.\n"
WRONG_ORIGIN = "This server answers no web pages.\n"
WRONG_PATH = "The server is at {path}.\n"

# -- the log

TOKEN_UNUSABLE = "No request is answered: %s"


def serving(agent: str, url: str, workspace: Path) -> tuple[str, ...]:
    """Return what a person is told when the server listens, a line each: where, and what goes into a client's
    settings."""
    entry = {"type": "http", "url": url, "headers": {"Authorization": "Bearer TOKEN"}}
    return (
        f"Serving {agent} at {url}",
        f"In a client's settings: {json.dumps(entry)}",
        f"To print the token: memtui mcp --show-token --workspace {shlex.quote(str(workspace))}",
    )


# -- refusals


def token_not_read(file: Path, reason: object) -> Refused:
    return Refused("token", f"Could not read the token {file}: {reason}.", "Remove it: a new one is made.")


def token_not_a_file(file: Path) -> Refused:
    return Refused("token", f"{file} is not a regular file.", "Remove it: a new token is made.")


def token_of_another(file: Path) -> Refused:
    return Refused("token", f"{file} belongs to another user.", "Choose a workspace of your own.")


def token_readable(file: Path) -> Refused:
    return Refused(
        "token",
        f"Others can read or change {file}.",
        f"Make it private and replace the token: chmod 600 {file}; memtui mcp --new-token",
    )


def no_token_in(file: Path) -> Refused:
    return Refused("token", f"{file} has no token.", "Remove it: a new one is made.")


def token_not_written(file: Path, reason: object) -> Refused:
    return Refused("token", f"Could not write {file}: {reason}.", "Nothing was changed.")


def port_in_use(port: int) -> Refused:
    return Refused(
        "port", f"Port {port} is in use.", "Choose another, or 0 for any that is free: memtui mcp --http 0"
    )


def port_not_allowed(port: int) -> Refused:
    return Refused("port", f"Only the system's administrator may use port {port}.", "Choose one from 1024.")


def port_not_opened(port: int, reason: object) -> Refused:
    return Refused("port", f"Could not listen on port {port}: {reason}.", "Choose another port.")
