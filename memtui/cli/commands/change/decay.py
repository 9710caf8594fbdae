"""`memtui decay preview` and `memtui decay run`: what fades, when, by which rule (S-26, S-27)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from memtui.cli.runtime.open_workspace import fresh
from memtui.cli.runtime.output import Output
from memtui.errors import Refused, Usage
from memtui.memory.encoding import iso
from memtui.memory.lifecycles.base import DAY
from memtui.memory.lifecycles.forecast import when
from memtui.memory.memory import label_of
from memtui.serialization.decay import due_as_json
from memtui.text import counted, plural

if TYPE_CHECKING:
    from memtui.memory.lifecycles.forecast import Forecast
    from memtui.memory.lifecycles.outlook import Outlook
    from memtui.memory.memory import Memory
    from memtui.workspace.decay.forecast import Due
    from memtui.workspace.workspace import Workspace


def preview(args: Any, output: Output) -> None:
    """Who leaves and who changes within so many days; with --json every memory."""
    with fresh(args, output) as opened:
        now = _now(args, opened)
        asked = {"now": now, "days": args.days, "lifecycle": args.lifecycle, "store": args.store}
        if output.json:
            output.data(_whole(args, now, opened.forecasts(**asked)))
            return
        found, outlook = opened.soonest(args.limit, **asked)
        output.table([_line(memory, each, now) for memory, each in found])
        _summed(args, output, outlook, found)


def _whole(args: Any, now: float, told: Iterable[tuple[Memory, Forecast]]) -> dict[str, Any]:
    memories, notes, leave = [], dict[str, None](), 0
    end = now + args.days * DAY
    for memory, each in told:
        notes |= dict.fromkeys(each.notes)
        leave += each.as_is.leaves is not None and each.as_is.leaves.at <= end
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
                **each.to_json(),
            }
        )
    return {
        "now": iso(now),
        "horizon": iso(end),
        "days": args.days,
        "what_if": args.lifecycle or None,
        "notes": list(notes),
        "leaving": leave,
        "memories": memories,
    }


def _line(memory: Memory, each: Forecast, now: float) -> tuple[str, ...]:
    moment = each.as_is.next
    assert moment is not None
    score = "" if each.score is None else f"{each.score:.2f}"
    label = label_of(memory.title, memory.subject, memory.content)
    return memory.uid, memory.store, when(moment, now), score, moment.what, moment.rule, label


def _summed(args: Any, output: Output, outlook: Outlook, found: list[tuple[Memory, Forecast]]) -> None:
    changing, leaving = outlook.until(args.days, leaving=False), outlook.until(args.days)
    if changing > len(found):
        output.note(f"And {changing - len(found):,} more; --limit {changing} shows all.")
    named = [f"{name} {count:,}" for name, count in list(outlook.categories(args.days).items())[:6]]
    output.note(
        f"Within {args.days:g} {plural(args.days, 'day')}: {counted(leaving, 'leaves', 'leave')}, "
        f"{counted(changing, 'changes', 'change')} in all."
        + (f" By category: {', '.join(named)}." if named else "")
    )
    for note in dict.fromkeys(note for _, each in found for note in each.notes):
        output.note(note)
    if changing:
        output.note("Nothing was changed. What is due is done, once a day, by: memtui decay run --yes")


def run(args: Any, output: Output) -> int:
    """What is due is done with --yes; without, it is only told."""
    with fresh(args, output) as opened:
        now = _now(args, opened)
        if not args.yes:
            _told(output, opened.due(now=now), now)
            return 0
        ran = opened.run_decay(now=now)
        ids = ran.change.ids if ran.change is not None else ()
        uids = [memory.uid for memory in opened.memories(ids)]
        if ran.change is not None:
            output.change(ran.change, uids, {"due": [due_as_json(each) for each in ran.due]})
        elif output.json:
            skipped = [{"uid": s.uid, "label": s.label, "code": s.code, "why": s.why} for s in ran.skipped]
            output.data(
                {"kind": "decayed", "summary": "Nothing was changed.", "journal": None, "uids": [],
                 "skipped": skipped, "due": [due_as_json(each) for each in ran.due]}
            )  # fmt: skip
        else:
            output.line(
                "Nothing was changed."
                if ran.skipped
                else "Nothing is due, or it was done today: nothing was changed."
            )
            for each in ran.skipped:
                output.note(f"Left as it was: {each.uid}  {each.label}: {each.why}")
        if ran.skipped and not output.json:
            output.note("What was left is still due: run it again later.")
        failed = [each for each in ran.skipped if each.code != "read-only"]  # that is as a person wants it
    return 1 if failed and ran.change is None else 0


def _told(output: Output, due: list[Due], now: float) -> None:
    if output.json:
        output.data({"now": iso(now), "due": [due_as_json(each) for each in due]})
        return
    output.table([(d.uid, d.store, d.what, d.rule, d.label) for d in due], under=[d.where for d in due])
    if due:
        output.note(f"{len(due):,} due. Nothing was changed; --yes does it, and memtui undo takes it back.")
    else:
        output.note("Nothing is due; a store is run once a day.")


def _now(args: Any, opened: Workspace) -> float:
    if not args.now:
        return opened.now()
    return moment_of(args.now)


def moment_of(text: str) -> float:
    """An ISO time as Unix seconds; a day is its first moment, and without a zone it is UTC."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        message = f"--now {text} is no ISO time, like 2026-12-01 or 2026-12-01T08:00:00Z"
        raise Usage(message, f"memtui: {message}\n") from None
    try:
        return moment.replace(tzinfo=moment.tzinfo or UTC).timestamp()
    except (OverflowError, ValueError):
        raise Refused("now", f"{text} lies beyond what can be reckoned.") from None
