"""Contradictions and duplicates as the command line prints them: list, show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from memtui.cli.runtime.open_workspace import fresh
from memtui.cli.runtime.output import Output
from memtui.errors import Refused, Usage
from memtui.formats.contract.adapter import clean
from memtui.memory.contradictions.pairs import CONTRADICTION, DUPLICATE, KINDS
from memtui.memory.encoding import iso
from memtui.memory.memory import label_of
from memtui.serialization.pairs import pair_as_json, pair_detail_as_json
from memtui.text import counted

if TYPE_CHECKING:
    from memtui.memory.contradictions.pairs import Pair, PairDetail
    from memtui.workspace.workspace import Workspace


_SIDES = ("A", "B")


def show_list(args: Any, output: Output) -> None:
    """`contradictions list` and `duplicates list`: what is open, or with --all everything."""
    duplicates = args.verb.startswith("duplicates")
    family = DUPLICATE if duplicates else CONTRADICTION
    with fresh(args, output) as opened:
        state = "" if args.all else "open"
        if args.store and not any(
            args.store in (each.name, each.format) or each.name.endswith(f":{args.store}")
            for each in opened.stores()
        ):
            raise Refused("no-store", f"No store is named {args.store}.", "memtui stores list shows them.")
        if args.kind and args.kind not in KINDS:
            message = f"--kind {args.kind} is none of {', '.join(KINDS)}"
            raise Usage(message, f"memtui: {message}\n")
        found = opened.pairs(family=family, kind=clean(args.kind), store=clean(args.store), state=state)
        if output.json:
            output.array(of_pairs(opened, found))
            return
        _list(opened, found, output)
        left = opened.review().unscanned
    if not found:
        known = "are no" if args.all else "are no open"
        output.note(f"There {known} {'duplicates' if duplicates else 'contradictions'}.")
    if left:
        output.note(f"{counted(left, 'memory')} not compared yet: memtui contradictions scan")


def _list(opened: Workspace, found: Sequence[Pair], output: Output) -> None:
    rows = []
    under = []
    for pair in found:
        state = "escalated" if pair.escalated else pair.state
        said = f"{state}: {pair.decision.verdict}" if pair.decision is not None else state
        labels = " ↔ ".join(pair.labels)
        rows.append((str(pair.id), pair.kind, f"{pair.score:.2f}", said, " ↔ ".join(pair.stores), labels))
        under.append(pair.reason)
    output.table(rows, under=under)


def show_one(args: Any, output: Output) -> None:
    """`contradictions show ID`: both sides, why, what memtui suggests, and what each verdict would do."""
    with fresh(args, output) as opened:
        detail = opened.pair(args.id)
        if detail is None:
            raise no_pair(args.id)
        if output.json:
            output.data(pair_detail_as_json(detail))
        else:
            _print(detail, output)


def no_pair(id: int) -> Refused:
    return Refused("no-pair", f"There is no pair {id}.", "memtui contradictions list --all shows them.")


def of_pairs(opened: Workspace, found: Sequence[Pair]) -> list[dict[str, Any]]:
    from memtui.cli.commands.read.memories import pages

    ids = list(dict.fromkeys(id for pair in found for id in (pair.a, pair.b)))
    memories = zip(ids, pages(opened, ids), strict=False) if ids else ()
    uids = {id: memory.uid for id, memory in memories}
    return [pair_as_json(pair, (uids.get(pair.a, ""), uids.get(pair.b, ""))) for pair in found]


def _print(detail: PairDetail, output: Output) -> None:
    pair = detail.pair
    output.line(f"{pair.id}  {pair.family}, {pair.kind}, {pair.score:.2f}, {pair.state}")
    output.line(pair.reason)
    for name, side, words, relies in zip(
        _SIDES, (detail.a, detail.b), pair.words, detail.dependents, strict=True
    ):
        memory = side.memory
        output.line()
        output.line(f"{name}  {label_of(memory.title, memory.subject, memory.content)}")
        output.text(memory.content)
        rows = [
            ("uid", memory.uid),
            ("place", f"{side.place or memory.ref} in {memory.store}"),
            ("status", f"{memory.status}{', pinned' if memory.pinned else ''}"),
            ("confidence", "" if memory.confidence is None else f"{memory.confidence:.2f}"),
            ("updated", iso(memory.updated_at or memory.created_at) or ""),
            ("clashes", words),
            ("rests on it", f"{relies:,}" if relies else ""),
        ]
        output.table([(f"   {name}", value) for name, value in rows if value], whole=True)
    output.line()
    if pair.decision is not None:
        note = f": {pair.decision.note}" if pair.decision.note else ""
        output.line(f"Said: {pair.decision.verdict} by {pair.decision.actor}, {iso(pair.decision.at)}{note}")
    if detail.suggestion is not None:
        output.line(f"Suggested: {detail.suggestion.verdict or 'nothing'}. {detail.suggestion.reason}")
    output.line("What each verdict does")
    rows = []
    for verdict in dict.fromkeys((*detail.outcomes, *detail.blocked)):
        why_not = detail.blocked.get(verdict)
        does = " ".join(detail.outcomes.get(verdict, ())) if why_not is None else f"not now: {why_not}"
        rows.append((f"  {verdict}", does))
    output.table(rows, whole=True)
    output.note(f"Say which: memtui contradictions resolve {pair.id} VERDICT")
