"""`memtui contradictions list`, `duplicates list`, and `show` of both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memtui.cli.commands.read import wording
from memtui.cli.parser import wording as usage
from memtui.cli.parser.verdicts import name_of
from memtui.cli.runtime.open_workspace import fresh
from memtui.cli.runtime.output import Output
from memtui.formats.contract.records import clean
from memtui.memory.contradictions import wording as pair_wording
from memtui.memory.contradictions.pairs import CONTRADICTION, DUPLICATE, KINDS
from memtui.memory.encoding import iso
from memtui.memory.memory import label_of
from memtui.memory.wording import actor_name
from memtui.serialization.pairs import pair_as_json, pair_detail_as_json

if TYPE_CHECKING:
    from argparse import Namespace

    from memtui.memory.contradictions.pairs import Pair, PairDetail
    from memtui.values import JsonObject
    from memtui.workspace.workspace import Workspace


_SIDES = ("A", "B")


def list_(args: Namespace, output: Output) -> None:
    """`contradictions list` and `duplicates list`: print open pairs, or with --all every pair."""
    duplicates = args.verb.startswith("duplicates")
    family = DUPLICATE if duplicates else CONTRADICTION
    with fresh(args, output) as opened:
        state = "" if args.all else "open"
        if args.store and not any(
            args.store in (each.name, each.format) or each.name.endswith(f":{args.store}")
            for each in opened.stores()
        ):
            raise wording.no_store(args.store)
        if args.kind and args.kind not in KINDS:
            raise usage.no_kind(args.kind, KINDS)
        found = opened.pairs(family=family, kind=clean(args.kind), store=clean(args.store), state=state)
        if output.json:
            output.array(pairs_as_json(opened, found))
            return
        print_pairs(found, output)
        left = opened.queue_counts().unscanned
    if not found:
        output.note(wording.no_pairs("duplicates" if duplicates else "contradictions", args.all))
    if left:
        output.note(wording.not_compared(left))


def print_pairs(found: Sequence[Pair], output: Output) -> None:
    """Print a line for each pair, and the reason under it."""
    rows = []
    under = []
    for pair in found:
        state = "escalated" if pair.escalated else wording.state(pair.state)
        if pair.decision is not None:
            state = f"{state}: {name_of(pair.decision.verdict, pair.family)}"
        labels = " ↔ ".join(pair.labels)
        rows.append((str(pair.id), pair.kind, f"{pair.score:.2f}", state, " ↔ ".join(pair.stores), labels))
        under.append(pair.reason)
    output.table(rows, under=under)


def show(args: Namespace, output: Output) -> None:
    """`contradictions show ID` and `duplicates show ID`: print both memories and what verdicts do."""
    with fresh(args, output) as opened:
        detail = opened.pair(args.id)
        if detail is None:
            raise pair_wording.no_pair(args.id)
        if output.json:
            output.data(pair_detail_as_json(detail))
        else:
            _print(detail, output)


def pairs_as_json(opened: Workspace, found: Sequence[Pair]) -> list[JsonObject]:
    """Return pairs as JSON, with the uids of their memories."""
    from memtui.cli.commands.read.memories import pages

    ids = list(dict.fromkeys(id for pair in found for id in (pair.a, pair.b)))
    memories = zip(ids, pages(opened, ids), strict=False) if ids else ()
    uids = {id: memory.uid for id, memory in memories}
    return [pair_as_json(pair, (uids.get(pair.a, ""), uids.get(pair.b, ""))) for pair in found]


def _print(detail: PairDetail, output: Output) -> None:
    pair = detail.pair
    output.line(f"{pair.id}  {pair.family}, {pair.kind}, {pair.score:.2f}, {wording.state(pair.state)}")
    output.line(pair.reason)
    sides = zip(_SIDES, (detail.a, detail.b), pair.words, detail.dependents, strict=True)
    for name, side, words, dependents in sides:
        memory = side.memory
        output.line()
        output.line(f"{name}  {label_of(memory.title, memory.subject, memory.content)}")
        output.text(memory.content)
        rows = [
            ("uid", memory.uid),
            ("place", wording.place_in_store(side.place or memory.ref, memory.store)),
            ("status", f"{memory.status}{', pinned' if memory.pinned else ''}"),
            ("confidence", "" if memory.confidence is None else f"{memory.confidence:.2f}"),
            ("updated", iso(memory.updated_at or memory.created_at) or ""),
            ("conflicting", words),
            ("used by", f"{dependents:,}" if dependents else ""),
        ]
        output.table([(f"   {name}", value) for name, value in rows if value], whole=True)
    output.line()
    if (decision := pair.decision) is not None:
        output.line(
            wording.decision(
                name_of(decision.verdict, pair.family),
                actor_name(decision.actor),
                iso(decision.at),
                decision.note,
            )
        )
    if (suggestion := detail.suggestion) is not None:
        output.line(wording.suggestion(name_of(suggestion.verdict, pair.family), suggestion.reason))
    output.line(wording.EFFECTS_HEADING)
    rows = []
    for verdict in dict.fromkeys((*detail.outcomes, *detail.blocked)):
        reason = detail.blocked.get(verdict)
        effect = " ".join(detail.outcomes.get(verdict, ())) if reason is None else wording.blocked(reason)
        rows.append((f"  {name_of(verdict, pair.family)}", effect))
    output.table(rows, whole=True)
    output.note(wording.resolve_by(pair.id))
