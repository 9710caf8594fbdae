"""Settling contradictions and duplicates: scan, resolve, merge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from memtui.cli.commands.change import wording
from memtui.cli.commands.change.applying import apply
from memtui.cli.commands.read.contradictions import pairs_as_json, print_pairs
from memtui.cli.commands.stores.embed import embed_pending
from memtui.cli.parser import wording as usage
from memtui.cli.parser.verdicts import verdict_of
from memtui.cli.runtime.long_work import interruptible
from memtui.cli.runtime.moments import moment_of
from memtui.cli.runtime.open_workspace import fresh, workspace
from memtui.cli.runtime.output import Output
from memtui.errors import Refused
from memtui.formats.contract.records import clean
from memtui.memory.contradictions import wording as pair_wording
from memtui.memory.contradictions.pairs import CONTRADICTION, DUPLICATE, EXACT, LATER, MERGE
from memtui.serialization.scan import scan_as_json

if TYPE_CHECKING:
    from argparse import Namespace

    from memtui.memory.contradictions.pairs import Pair, ScanResult
    from memtui.workspace.workspace import Workspace

_MAX_ROUNDS = 40  # of merging duplicates of what was merged before


def scan(args: Namespace, output: Output) -> int:
    """Embed what is pending, if there is a model, and compare what is new or changed with everything else."""
    from memtui.workspace.background import JobControl

    with fresh(args, output) as opened, interruptible() as stopped:
        if opened.read_only:
            raise wording.scan_read_only()
        read = _embed(opened, stopped, output)
        judged = 0

        def count(pairs: int) -> None:
            nonlocal judged
            judged = pairs

        def report(done: int, left: int) -> None:
            output.progress(wording.comparing(judged), done / max(1, done + left))

        try:
            result = opened.scan(JobControl(stop=stopped, report=report, judged=count))
        finally:
            output.progress("comparing", 1.0)
        if not opened.read_only and not stopped():
            apply(opened, output)  # rules settle what was found
        state = opened.queue_counts()
        cut = stopped() and result.remaining > 0
    if output.json:
        output.data({**scan_as_json(result), "read": read, "stopped": cut})
        return 130 if cut else 0
    if cut:
        output.line(wording.scan_stopped(_compared(result), result.remaining))
    elif result.memories:
        output.line(_compared(result))
    else:
        output.line(wording.NOTHING_TO_COMPARE)
    if result.limitation:
        output.note(wording.limited(result.limitation))
    output.line(wording.open_pairs(state.open, state.escalated))
    return 130 if cut else 0


def _embed(opened: Workspace, stopped: Callable[[], bool], output: Output) -> int:
    """Embed what is pending: candidates are found by vectors, or by words alone without a model."""
    if opened.embedding_state().pending and opened.load_model():
        return embed_pending(opened, output, stopped)
    return 0


def _compared(result: ScanResult) -> str:
    return wording.compared(result.memories, result.judged, result.found, result.gone)


def resolve(args: Namespace, output: Output) -> None:
    """Settle a pair by a verdict, in the stores of both memories."""
    verdict = verdict_of(args.verdict)
    text = None if args.text is None else clean(args.text)
    for option, given, belongs in (("--text", text, MERGE), ("--until", args.until or None, LATER)):
        if given is not None and verdict != belongs:
            raise usage.option_not_for_verdict(option, belongs)
    with workspace(args, output) as opened:
        until = moment_of("--until", args.until, opened.now()) if args.until else None
        change = opened.settle(args.id, verdict, text=text, note=clean(args.note), until=until)
        output.change(opened, change, [memory.uid for memory in opened.memories(change.ids)])


def merge(args: Namespace, output: Output) -> int:
    """`memtui duplicates merge`: merge one pair, or all with exactly the same text."""
    if (args.id is None) == (not args.all_exact):
        raise usage.no_pair_given()
    if args.all_exact:
        return _merge_all(args, output)
    text = None if args.text is None else clean(args.text)
    with workspace(args, output) as opened:
        detail = opened.pair(args.id)
        if detail is None:
            raise pair_wording.no_pair(args.id)
        if detail.pair.family != DUPLICATE:
            raise wording.not_a_duplicate(args.id)
        joined = text is None and detail.pair.kind != EXACT
        change = opened.settle(args.id, MERGE, text=detail.merged_text if joined else text)
        output.change(opened, change, [memory.uid for memory in opened.memories(change.ids)])
    if joined and not output.json:
        output.note(wording.MERGED_WITHOUT_TEXT)
    return 0


def _merge_all(args: Namespace, output: Output) -> int:
    with fresh(args, output) as opened:
        found = opened.pairs(family=DUPLICATE, kind=EXACT)
        if not args.yes:
            if output.json:
                output.data({"merged": [], "skipped": [], "pairs": pairs_as_json(opened, found)})
            else:
                print_pairs(found, output)
                output.note(wording.to_merge(len(found)) if found else wording.NO_EXACT_DUPLICATES)
            return 0
        merged, skipped = _merge_pairs(opened, found)
    if output.json:
        output.data({"merged": merged, "skipped": [{"id": id, "why": reason} for id, reason in skipped]})
    else:
        output.line(wording.merged(len(merged)))
        for id, reason in skipped:
            output.note(wording.pair_left(id, reason))
    return 1 if skipped and not merged else 0


def _merge_pairs(opened: Workspace, found: Sequence[Pair]) -> tuple[list[int], list[tuple[int, str]]]:
    """Merge these pairs and new exact duplicates of what stays; return which were merged, and why the others
    were not."""
    merged: list[int] = []
    skipped: dict[int, str] = {}
    for _ in range(_MAX_ROUNDS):
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
        # A duplicate of a memory that is gone has to be paired with another one.
        opened.scan(ids=sorted({id for pair in found for id in (pair.a, pair.b)}))
        found = opened.pairs(family=DUPLICATE, kind=EXACT)
    return merged, list(skipped.items())


def note_new_pairs(opened: Workspace, ids: Sequence[int], output: Output) -> None:
    """Report which of the changed memories now contradict or repeat others; no model is loaded for it."""
    from memtui.workspace.db.database import translate_errors

    try:
        with translate_errors(opened.path):
            opened.scan(ids=ids)
            found = {pair.id: pair for id in ids for pair in opened.pairs(memory=id)}
    except (Refused, OSError):  # the change itself is done, and the scan remains pending
        return
    changed = set(ids)
    for family, noun in ((CONTRADICTION, "contradiction"), (DUPLICATE, "duplicate")):
        pairs = [pair for pair in found.values() if pair.family == family]
        if pairs:
            first = pairs[0]
            output.note(wording.new_pairs(len(pairs), noun, first.labels[first.a in changed], first.id))
