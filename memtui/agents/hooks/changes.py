"""What an agent changed between a failure and the success after it: what is told as the fix (S-81)."""

from __future__ import annotations

import os
import re

from memtui.agents.hooks import wording
from memtui.agents.hooks.failures import command_of
from memtui.agents.hooks.payload import Payload
from memtui.memory.secrets.masking import hidden

_SHORT = 80  # characters of a text that is told as a whole
_COMMAND = 160
# Commands that change what others find: other commands are taken to look only.
_CHANGING = re.compile(
    r"(?:^|[;&|]\s*)(?:sudo\s+|python3?\s+-m\s+)?(?:"
    r"(?:pip3?|uv(?:\s+pip)?|pipx|poetry|npm|pnpm|yarn|bun|cargo|gem|bundle|go|apt|apt-get|dnf|apk|brew|conda|composer)"
    r"\s+(?:-\S+\s+)*(?:install|add|sync|get|i|ci|update|upgrade|mod|remove|uninstall|lock)\b"
    r"|git\s+(?:checkout|switch|pull|merge|rebase|stash|apply|reset|submodule|fetch)\b"
    r"|(?:docker(?:[ -]compose)?|podman|systemctl|service)\s+(?:\S+\s+)?(?:up|start|restart|build|pull)\b"
    r"|(?:export|source|chmod|chown|mkdir|ln|cp|mv|touch|patch|make\s+(?:install|setup)|sed\s+-i|createdb)\b"
    r")"
)


def change_of(payload: Payload) -> str:
    """Return what a tool that succeeded changed, "" if nothing that is known of."""
    given = payload.part("tool_input")
    if command := command_of(payload):
        told = command[:_COMMAND]
        is_secret = hidden(command)[:_COMMAND] != told  # of one that is cut nobody would recognize the rest
        return wording.ran(told) if _CHANGING.search(command) and not is_secret else ""
    path = given.text("file_path") or given.text("notebook_path")
    if not path or payload.text("tool_name") == "Read":
        return ""
    base = payload.text("cwd")
    inside = bool(base) and path.startswith(base.rstrip("/") + "/")
    file = os.path.relpath(path, base) if inside else path
    old, new = given.text("old_string"), given.text("new_string")
    if old and all(len(each) <= _SHORT and "\n" not in each.strip() for each in (old, new)):
        return wording.replaced(file, old.strip(), new.strip())
    return (
        wording.edited(file)
        if old or given.text("content") or given.parts("edits") or given.text("new_source")
        else ""
    )
