"""Commands on the journal: journal, since, undo, redo (S-50, S-51, S-53)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from memtui.cli.runtime.open_workspace import fresh, workspace
from memtui.cli.runtime.output import Output
from memtui.memory.encoding import iso, plain
from memtui.memory.journal import Event
from memtui.serialization.journal import entry_as_json


def journal(args: Any, output: Output) -> None:
    """The newest lines."""
    with workspace(args, output) as opened:
        events = opened.journal(args.limit)
        if output.json:
            output.array(
                {
                    **entry_as_json(event),
                    "items": [
                        {"uid": i.uid, "store": i.store, "state": i.state, "why": i.why,
                         "before": plain(i.before), "after": plain(i.after)}
                        for i in opened.journal_items(event.id)
                    ],
                }
                for event in events
            )  # fmt: skip
            return
        output.table([_line(event) for event in events])
        if not events:
            output.note("Nothing was changed yet.")


def _line(event: Event) -> tuple[str, ...]:
    state = "" if event.state == "done" else f" [{event.state}{': ' + event.why if event.why else ''}]"
    return str(event.id), _when(event.at), event.actor, event.summary + state


def _when(at: float) -> str:
    try:
        return datetime.fromtimestamp(at).strftime("%Y-%m-%d %H:%M:%S")
    except (OverflowError, ValueError, OSError):
        return "?"


def since(args: Any, output: Output) -> None:
    """`memtui since [--seen]`: what agents did since the person last looked, store by store (S-53).

    JSON: an array of {uid, store, label, what (added, changed, removed), at, line, before, after,
    content, overwritten (a change made in memtui is gone; `memtui undo LINE` makes it again)}."""
    with fresh(args, output) as opened:
        if args.seen:
            opened.looked(0)  # refused where nothing can be marked, before anything is printed
        since = opened.since()
        items = sorted(since.items, key=lambda item: item.store)
        if output.json:
            output.array(
                {
                    "uid": item.uid, "store": item.store, "label": item.label, "what": item.what,
                    "at": iso(item.at), "line": item.entry_id,
                    "before": plain(item.before), "after": plain(item.after),
                    "content": item.content, "overwritten": item.overwritten,
                }
                for item in items
            )  # fmt: skip
        else:
            whats = [
                "overwritten" if item.overwritten and item.word == item.what else item.word for item in items
            ]
            output.table(
                [(item.uid, item.store, what, item.label) for item, what in zip(items, whats, strict=True)]
            )
            if not items:
                output.note("Agents changed nothing since you last looked.")
        if since.more:
            output.note("There is more, which comes once this was marked as seen: memtui since --seen")
        if args.seen:
            output.flush()  # what a reader that left did not get was not seen
            opened.looked(since.last_entry_id)


def undo(args: Any, output: Output) -> None:
    """Take back the newest change by a person, or one line."""
    with workspace(args, output) as opened:
        change = opened.undo(args.id)
        output.change(change, [memory.uid for memory in opened.memories(change.ids)])


def redo(args: Any, output: Output) -> None:
    """Do again what the newest undo took back."""
    with workspace(args, output) as opened:
        change = opened.redo()
        output.change(change, [memory.uid for memory in opened.memories(change.ids)])
