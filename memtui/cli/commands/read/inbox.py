"""`memtui inbox`, `secrets scan` and `secrets list`: what needs the person (S-52, S-62)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from memtui.cli.commands.read import wording
from memtui.cli.runtime.long_work import interruptible
from memtui.cli.runtime.open_workspace import fresh
from memtui.cli.runtime.output import Output
from memtui.memory.inbox.items import FINDINGS, InboxItem
from memtui.memory.inbox.wording import reason
from memtui.memory.memory import label_of
from memtui.memory.secrets import MASK, masked
from memtui.memory.secrets.wording import name_of
from memtui.serialization.inbox import item_as_json, memory_with_secrets_as_json

if TYPE_CHECKING:
    from argparse import Namespace

    from memtui.memory.memory import Memory
    from memtui.workspace.workspace import Workspace

BEFORE, AROUND = 60, 160  # characters of a line that are printed before a secret, and in all


def inbox(args: Namespace, output: Output) -> None:
    """Print what needs you, the most harmful first."""
    with fresh(args, output) as opened:
        _sweep(opened, output)
        opened.check_stores()
        found = opened.inbox()
        left = opened.queue_counts().unscanned
    if output.json:
        output.array(map(item_as_json, found.items), ready=True)
        return
    rows = [(each.kind, each.store, each.uids[0] if each.uids else "", _line(each)) for each in found.items]
    output.table(rows)
    if not rows:
        output.note(wording.INBOX_EMPTY)
    if left:
        output.note(wording.not_compared(left))


def _line(item: InboxItem) -> str:
    label = "" if item.kind in FINDINGS else item.label  # of these the reason begins with it
    return wording.inbox_item(label, reason(item))


def scan(args: Namespace, output: Output) -> int:
    """Search new and changed memories for secrets; those found are listed by `secrets list`."""
    with fresh(args, output) as opened, interruptible() as stopped:
        searched = _sweep(opened, output, stopped)
        count = len(opened.memories_with_secrets())
    if output.json:
        output.data({"searched": searched, "found": count, "stopped": stopped()})
    else:
        output.line(wording.searched_for_secrets(searched, count))
    return 130 if stopped() else 0


def list_(args: Namespace, output: Output) -> None:
    """Print the memories that contain a secret; no secret is printed."""
    with fresh(args, output) as opened:
        _sweep(opened, output)
        found = opened.memories_with_secrets()
        texts = [_masked_text(each) for each in opened.memories([x.id for x in found])]
    if output.json:
        both = zip(found, texts, strict=True)
        output.array(memory_with_secrets_as_json(each, text) for each, text in both)
        return
    rows = [
        (each.uid, each.store, ", ".join(dict.fromkeys(map(name_of, each.kinds))), text)
        for each, text in zip(found, texts, strict=True)
    ]
    output.table(rows)
    if not rows:
        output.note(wording.NO_SECRETS)


def _masked_text(memory: Memory) -> str:
    """Return a memory's label, with the line of its text around a secret that the label does not have."""
    label = masked(label_of(memory.title, memory.subject, memory.content))
    lines = () if MASK in label else masked(memory.content or "").splitlines()
    line = next((each for each in lines if MASK in each), "")
    start = max(0, line.find(MASK) - BEFORE)
    return f"{label}: {line[start : start + AROUND].strip()}" if line else label


def _sweep(opened: Workspace, output: Output, stopped: Callable[[], bool] = lambda: False) -> int:
    from memtui.workspace.background import JobControl

    if opened.read_only:
        return 0

    def report(done: int, left: int) -> None:
        output.progress(wording.SEARCHING, done / max(1, done + left))

    try:
        return opened.sweep_secrets(JobControl(stop=stopped, report=report))
    finally:
        output.progress(wording.SEARCHING, 1.0)
