"""Settling contradictions and duplicates: scan, resolve, merge."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from memtui.cli.commands.read.contradictions import _list, no_pair, of_pairs
from memtui.cli.commands.stores.embed import stopping, work_off
from memtui.cli.runtime.open_workspace import fresh, workspace
from memtui.cli.runtime.output import Output
from memtui.errors import Refused, Usage
from memtui.formats.contract.adapter import clean
from memtui.memory.contradictions.pairs import CONTRADICTION, DUPLICATE, EXACT, FALSE_POSITIVE, LATER, MERGE
from memtui.serialization.scan import scan_as_json
from memtui.text import counted

if TYPE_CHECKING:
    from memtui.memory.contradictions.pairs import Pair, ScanResult
    from memtui.workspace.workspace import Workspace

NOT_A_CONTRADICTION = "not-a-contradiction"  # the same verdict in SPEC's words

_ROUNDS = 40  # of merging what is the same as what was merged before


def scan(args: Any, output: Output) -> int:
    """Read by meaning what waits for it, if there is a model, and compare what waits with all others."""
    from memtui.workspace.background import JobControl

    with fresh(args, output) as opened, stopping() as stopped:
        if opened.read_only:
            raise Refused("read-only", "Nothing was compared: the workspace is only read.")
        read = _read_by_meaning(opened, stopped, output)
        judged = 0

        def count(pairs: int) -> None:
            nonlocal judged
            judged = pairs

        def tell(done: int, left: int) -> None:
            output.progress(f"comparing, {counted(judged, 'pair')}", done / max(1, done + left))

        try:
            swept = opened.sweep(JobControl(stop=stopped, tell=tell, judged=count))
        finally:
            output.progress("comparing", 1.0)
        state = opened.review()
        cut = stopped() and swept.remaining > 0
    if output.json:
        output.data({**scan_as_json(swept), "read": read, "stopped": cut})
        return 130 if cut else 0
    if cut:
        output.line(
            f"Stopped. {_compared(swept)} {counted(swept.remaining, 'memory')} left; "
            "memtui contradictions scan goes on from here."
        )
    elif swept.memories:
        output.line(_compared(swept))
    else:
        output.line("Nothing waits to be compared.")
    if swept.limitation:
        output.note(f"Compared: {swept.limitation}.")
    late = f", {state.escalated:,} for more than 7 days" if state.escalated else ""
    output.line(f"Open: {state.open:,}{late}.  See them: memtui contradictions list, memtui duplicates list")
    return 130 if cut else 0


def _read_by_meaning(opened: Workspace, stopped: Any, output: Output) -> int:
    """What lies near in meaning is found by vectors; without a model, words have to do."""
    return work_off(opened, output, stopped) if opened.meaning().pending and opened.load_model() else 0


def _compared(swept: ScanResult) -> str:
    gone = f", {swept.gone:,} no longer stand{'s' * (swept.gone == 1)}" if swept.gone else ""
    pairs = counted(swept.judged, "pair")
    return f"{counted(swept.memories, 'memory')} compared in {pairs}: {swept.found:,} new{gone}."


# -- the queue


# -- verdicts


def resolve(args: Any, output: Output) -> None:
    """Give a verdict on a pair, in the stores of both; undo takes it back."""
    verdict = FALSE_POSITIVE if args.verdict == NOT_A_CONTRADICTION else args.verdict
    until = None if not args.until else _moment(args.until)
    text = None if args.text is None else clean(args.text)
    for option, given, belongs in (("--text", text, MERGE), ("--until", until, LATER)):
        if given is not None and verdict != belongs:
            message = f"{option} is for {belongs} alone"
            raise Usage(message, f"memtui contradictions resolve: {message}\n")
    with workspace(args, output) as opened:
        change = opened.settle(args.id, verdict, text=text, note=clean(args.note), until=until)
        output.change(change, [memory.uid for memory in opened.memories(change.ids)])


def _moment(text: str) -> float:
    try:
        moment = datetime.fromisoformat(text)
        return moment.replace(tzinfo=moment.tzinfo or UTC).timestamp()
    except (ValueError, OverflowError):
        message = f"--until {text} is no ISO time, like 2026-12-01 or 2026-12-01T08:00:00Z"
        raise Usage(message, f"memtui: {message}\n") from None


def merge(args: Any, output: Output) -> int:
    """`duplicates merge`: one pair, or all that say the same word for word."""
    if (args.id is None) == (not args.all_exact):
        message = "give a pair's ID, or --all-exact"
        raise Usage(message, f"memtui duplicates merge: {message}\n")
    if args.all_exact:
        return _merge_all(args, output)
    text = None if args.text is None else clean(args.text)
    with workspace(args, output) as opened:
        detail = opened.pair(args.id)
        if detail is None:
            raise no_pair(args.id)
        if detail.pair.family != DUPLICATE:
            hint = f"memtui contradictions resolve {args.id} merge --text TEXT"
            raise Refused("contradiction", "Not merged: the two contradict each other.", hint)
        joined = text is None and detail.pair.kind != EXACT
        change = opened.settle(args.id, MERGE, text=detail.merged_text if joined else text)
        output.change(change, [memory.uid for memory in opened.memories(change.ids)])
    if joined and not output.json:
        output.note("A says what both said, put together, as no --text was given; memtui undo takes it back.")
    return 0


def _merge_all(args: Any, output: Output) -> int:
    with fresh(args, output) as opened:
        found = opened.pairs(family=DUPLICATE, kind=EXACT)
        if not args.yes:
            if output.json:
                output.data({"merged": [], "skipped": [], "pairs": of_pairs(opened, found)})
            else:
                _list(opened, found, output)
                many = f"{len(found):,} to merge. Nothing was changed; --yes does it, undo takes each back."
                output.note(many if found else "There are no exact duplicates.")
            return 0
        merged, skipped = _merged(opened, found)
    if output.json:
        output.data({"merged": merged, "skipped": [{"id": id, "why": why} for id, why in skipped]})
    else:
        output.line(f"Merged {len(merged):,} of what says the same.  Take each back: memtui undo")
        for id, why in skipped:
            output.note(f"Left as it was: {id}: {why}")
    return 1 if skipped and not merged else 0


def _merged(opened: Workspace, found: Sequence[Pair]) -> tuple[list[int], list[tuple[int, str]]]:
    """Merge these and what then is the same as what stayed; which were, and why others were not."""
    merged: list[int] = []
    skipped: dict[int, str] = {}
    for _ in range(_ROUNDS):
        gone = set[int]()
        before = len(merged)
        for pair in found:
            if pair.id in skipped or not gone.isdisjoint((pair.a, pair.b)):
                continue
            try:
                opened.settle(pair.id, MERGE)
            except Refused as refusal:
                skipped[pair.id] = refusal.message
                continue
            merged.append(pair.id)
            gone.add(pair.b)
        if len(merged) == before:
            break
        # What was the same as one that is gone looks for another one.
        opened.sweep(ids=sorted({id for pair in found for id in (pair.a, pair.b)}))
        found = opened.pairs(family=DUPLICATE, kind=EXACT)
    return merged, list(skipped.items())


def tell(opened: Workspace, ids: Sequence[int], output: Output) -> None:
    """After a change, what of these clashes or repeats something now; no model is loaded for it."""
    from memtui.workspace.db.database import in_words

    try:
        with in_words(opened.path):
            opened.sweep(ids=ids)
            found = {pair.id: pair for id in ids for pair in opened.pairs(memory=id)}
    except (Refused, OSError):  # the change itself is done, and they wait on
        return
    wanted = set(ids)
    for family, noun in ((CONTRADICTION, "contradiction"), (DUPLICATE, "duplicate")):
        of_it = [pair for pair in found.values() if pair.family == family]
        if not of_it:
            continue
        first = of_it[0]
        other = first.labels[first.a in wanted]
        many = f"{len(of_it):,} {noun}{'s' if len(of_it) > 1 else ''}"
        output.note(f"{many} with “{other}”{' …' if len(of_it) > 1 else ''}: "
                    f"memtui contradictions show {first.id}")  # fmt: skip
