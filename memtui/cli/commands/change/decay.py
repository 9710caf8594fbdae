"""`memtui decay preview` and `memtui decay run`: what fades, when and by which rule (S-26, S-27)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from memtui.cli.commands.change import wording
from memtui.cli.runtime.moments import moment_of
from memtui.cli.runtime.open_workspace import fresh
from memtui.cli.runtime.output import Output
from memtui.memory.encoding import iso
from memtui.memory.lifecycles.base import DAY
from memtui.memory.lifecycles.forecast import format_when
from memtui.memory.memory import label_of
from memtui.serialization.decay import due_as_json

if TYPE_CHECKING:
    from argparse import Namespace

    from memtui.memory.lifecycles.forecast import Forecast
    from memtui.memory.lifecycles.outlook import Outlook
    from memtui.memory.memory import Memory
    from memtui.values import JsonObject
    from memtui.workspace.decay.forecast import DueStep
    from memtui.workspace.workspace import Workspace


def preview(args: Namespace, output: Output) -> None:
    """Print which memories change and leave within --days; with --json all memories."""
    with fresh(args, output) as opened:
        now = _now(args, opened)
        options = {"now": now, "days": args.days, "lifecycle": args.lifecycle, "store": args.store}
        if output.json:
            output.data(_preview_as_json(args, now, opened.forecasts(**options)))
            return
        found, outlook = opened.soonest(args.limit, **options)
        output.table([_row(memory, each, now) for memory, each in found])
        _print_summary(args, output, outlook, found)


def _preview_as_json(args: Namespace, now: float, forecasts: Iterable[tuple[Memory, Forecast]]) -> JsonObject:
    memories, notes, leaving = [], dict[str, None](), 0
    end = now + args.days * DAY
    for memory, forecast in forecasts:
        notes |= dict.fromkeys(forecast.notes)
        leaving += forecast.as_is.removal is not None and forecast.as_is.removal.at <= end
        memories.append(
            {
                "uid": memory.uid,
                "store": memory.store,
                "ref": memory.ref,
                "key": memory.key,
                "label": label_of(memory.title, memory.subject, memory.content),
                "category": memory.category,
                "status": memory.status,
                "pinned": memory.pinned,
                **forecast.to_json(),
            }
        )
    return {
        "now": iso(now),
        "horizon": iso(end),
        "days": args.days,
        "what_if": args.lifecycle or None,
        "notes": list(notes),
        "leaving": leaving,
        "memories": memories,
    }


def _row(memory: Memory, forecast: Forecast, now: float) -> tuple[str, ...]:
    event = forecast.as_is.next_event
    assert event is not None
    score = "" if forecast.score is None else f"{forecast.score:.2f}"
    label = label_of(memory.title, memory.subject, memory.content)
    return memory.uid, memory.store, format_when(event, now), score, event.what, event.rule, label


def _print_summary(
    args: Namespace, output: Output, outlook: Outlook, found: list[tuple[Memory, Forecast]]
) -> None:
    changing, leaving = outlook.count_until(args.days, removals=False), outlook.count_until(args.days)
    if changing > len(found):
        output.note(wording.more_rows(changing - len(found), changing))
    categories = list(outlook.by_category(args.days).items())[:6]
    output.note(wording.decay_summary(args.days, leaving, changing, categories))
    for note in dict.fromkeys(note for _, forecast in found for note in forecast.notes):
        output.note(note)
    if changing:
        output.note(wording.WHAT_IS_DUE)


def run(args: Namespace, output: Output) -> int:
    """Do what is due with --yes; without it, only print what is due."""
    with fresh(args, output) as opened:
        now = _now(args, opened)
        if not args.yes:
            _print_due(output, opened.due(now=now), now)
            return 0
        result = opened.run_decay(now=now)
        ids = result.change.ids if result.change is not None else ()
        uids = [memory.uid for memory in opened.memories(ids)]
        if result.change is not None:
            output.change(opened, result.change, uids, {"due": [due_as_json(each) for each in result.due]})
        elif output.json:
            skipped = [
                {"uid": s.uid, "label": s.label, "code": s.code, "why": s.reason} for s in result.skipped
            ]
            output.data(
                {"kind": "decayed", "summary": wording.NOTHING_CHANGED, "journal": None, "uids": [],
                 "skipped": skipped, "due": [due_as_json(each) for each in result.due]}
            )  # fmt: skip
        else:
            output.line(wording.NOTHING_CHANGED if result.skipped else wording.NOTHING_DUE_TODAY)
            for each in result.skipped:
                output.note(wording.memory_left(each.uid, each.label, each.reason))
        if result.skipped and not output.json:
            output.note(wording.STILL_DUE)
        failed = [
            each for each in result.skipped if each.code != "read-only"
        ]  # a read-only store is left alone on purpose
    return 1 if failed and result.change is None else 0


def _print_due(output: Output, due: list[DueStep], now: float) -> None:
    if output.json:
        output.data({"now": iso(now), "due": [due_as_json(each) for each in due]})
        return
    rows = [(each.uid, each.store, each.what, each.rule, each.label) for each in due]
    output.table(rows, under=[each.where for each in due])
    if due:
        output.note(wording.due(len(due)))
    else:
        output.note(wording.NOTHING_DUE)


def _now(args: Namespace, opened: Workspace) -> float:
    now = opened.now()
    return moment_of("--now", args.now, now) if args.now else now
