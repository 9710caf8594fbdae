"""Commands on the journal: journal, since, undo, redo (S-50, S-51, S-53)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.cli.commands.change import wording
from memtui.cli.runtime.moments import local_time
from memtui.cli.runtime.open_workspace import fresh, workspace
from memtui.cli.runtime.output import Output
from memtui.memory.encoding import iso, plain
from memtui.memory.journal import AgentChange, Event
from memtui.memory.policies.policy import agent_name
from memtui.memory.wording import actor_name, call
from memtui.serialization.journal import entry_as_json

if TYPE_CHECKING:
    from argparse import Namespace

    from memtui.workspace.workspace import Workspace


def journal(args: Namespace, output: Output) -> None:
    """Print the newest entries, with --json also their items."""
    with workspace(args, output) as opened:
        who = "" if args.agent is None else f"agent:{agent_name(args.agent)}"
        events = opened.journal(args.limit, None, who, args.session)
        if output.json:
            output.array(
                {
                    **entry_as_json(event),
                    "items": [
                        {"uid": item.uid, "store": item.store, "state": item.state, "why": item.reason,
                         "before": plain(item.before), "after": plain(item.after)}
                        for item in opened.journal_items(event.id)
                    ],
                }
                for event in events
            )  # fmt: skip
            return
        output.table([_row(event, _uid(opened, event)) for event in events])
        if not events:
            output.note(wording.NO_SUCH_ENTRIES if who or args.session else wording.NO_ENTRIES)


def _uid(opened: Workspace, event: Event) -> str:
    """Return the uid of the memory, if the entry is about one alone."""
    items = opened.journal_items(event.id) if event.count == 1 else ()
    return items[0].uid if items else ""


def _row(event: Event, uid: str) -> tuple[str, ...]:
    state = "" if event.state == "done" else f" [{event.state}{': ' + event.reason if event.reason else ''}]"
    return (
        str(event.id),
        local_time(event.at),
        actor_name(event.actor),
        uid,
        wording.entry(event.summary + state, event.label or event.entity, call(event.tool, event.session)),
    )


def since(args: Namespace, output: Output) -> None:
    """`memtui since [--seen]`: print what agents did since the user last looked, by store (S-53).

    JSON: an array of {uid, store, label, what (added, changed, removed), at, line, before, after,
    content, overwritten (a change made in memtui is gone; `memtui undo LINE` restores it), actor, tool,
    session (of the last step; "" where they are not known)}.
    """
    with fresh(args, output) as opened:
        if args.seen:
            opened.mark_seen(0)  # raises Refused before anything is printed, if nothing can be marked
        activity = opened.agent_activity()
        items = sorted(activity.items, key=lambda item: item.store)
        if output.json:
            output.array(
                {
                    "uid": item.uid, "store": item.store, "label": item.label, "what": item.kind,
                    "at": iso(item.at), "line": item.entry_id,
                    "before": plain(item.before), "after": plain(item.after),
                    "content": item.content, "overwritten": item.overwritten,
                    "actor": item.actor, "tool": item.tool, "session": item.session,
                }
                for item in items
            )  # fmt: skip
        else:
            output.table([_since_row(item) for item in items])
            if not items:
                output.note(wording.NO_AGENT_CHANGES)
        if activity.more:
            output.note(wording.MORE_AGENT_CHANGES)
        if args.seen:
            output.flush()  # if the reader is gone, it was not seen
            opened.mark_seen(activity.last_entry_id)


def _since_row(item: AgentChange) -> tuple[str, ...]:
    """Return the columns of a change; what was found in a store names no agent."""
    agent = actor_name(item.actor) if item.actor.startswith("agent:") else ""
    label = wording.by_call(item.label, call(item.tool, item.session))
    return item.uid, item.store, _kind(item), agent, label


def _kind(item: AgentChange) -> str:
    return "overwritten" if item.overwritten and item.effective_kind == item.kind else item.effective_kind


def undo(args: Namespace, output: Output) -> None:
    """Undo the user's newest change, or one entry."""
    with workspace(args, output) as opened:
        change = opened.undo(args.id)
        output.change(opened, change, [memory.uid for memory in opened.memories(change.ids)])


def redo(args: Namespace, output: Output) -> None:
    """Redo what the newest undo reversed."""
    with workspace(args, output) as opened:
        change = opened.redo()
        output.change(opened, change, [memory.uid for memory in opened.memories(change.ids)])
