"""The events that `memtui hook` answers, by what the program of an agent calls them (FORMATS 13)."""

from __future__ import annotations

NAMES = {
    "session-start": "SessionStart",
    "user-prompt-submit": "UserPromptSubmit",
    "pre-tool-use": "PreToolUse",
    "post-tool-use": "PostToolUse",
    "post-tool-use-failure": "PostToolUseFailure",
    "pre-compact": "PreCompact",
    "stop": "Stop",
    "session-end": "SessionEnd",
}
SILENT = ("pre-compact", "stop", "session-end")  # at which an agent cannot be told anything without going on
