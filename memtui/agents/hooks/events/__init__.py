"""The events of a session, one a file: each has an EVENT."""

from __future__ import annotations

from memtui.agents.hooks.events import (
    post_tool_use,
    post_tool_use_failure,
    pre_compact,
    pre_tool_use,
    session_end,
    session_start,
    stop,
    user_prompt_submit,
)

EVENTS = {
    each.EVENT.name: each.EVENT
    for each in (
        session_start,
        user_prompt_submit,
        pre_tool_use,
        post_tool_use,
        post_tool_use_failure,
        pre_compact,
        stop,
        session_end,
    )
}
