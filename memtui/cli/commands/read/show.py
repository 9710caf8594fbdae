"""One memory in full, as `memtui show` prints it (S-82)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from memtui.cli.commands.read import wording
from memtui.memory.diff.excerpts import change_excerpts
from memtui.memory.encoding import iso, plain
from memtui.memory.lifecycles import by_name
from memtui.memory.lifecycles.forecast import describe
from memtui.memory.memory import raw_label_of
from memtui.memory.provenance import origin_rows, other_related_records
from memtui.memory.related import related_memories

if TYPE_CHECKING:
    from memtui.cli.runtime.output import Output
    from memtui.memory.detail import Detail

_PARTS = ("preconditions", "steps", "postconditions", "key_facts")
# Printed above the table of fields, or of no interest to the user.
_NOT_IN_TABLE = {"content", "title", "extra", "uid", "ref", "superseded_by", *_PARTS}


def print_detail(detail: Detail, output: Output) -> None:
    """Print everything about a memory, in the order of the detail pane."""
    memory = detail.memory
    label = raw_label_of(memory.title, memory.subject, memory.content)
    if label != memory.content.strip():
        output.line(label)
        output.line()
    output.text(memory.content)
    for name in _PARTS:
        items = getattr(memory, name)
        signs = [f"{number}." if name == "steps" else "·" for number in range(1, len(items) + 1)]
        _list(output, name.replace("_", " ").capitalize(), map(" ".join, zip(signs, items, strict=True)))
    rows = [(f"  {name}", value) for name, value in origin_rows(detail, lambda at: str(iso(at)))]
    _table(output, wording.ORIGIN, rows)
    _list(output, wording.RELATIONS, [each.line for each in related_memories(detail)])
    if (forecast := detail.forecast) is not None:
        described = describe(forecast, by_name(forecast.lifecycle).title)
        _table(output, wording.FORECAST, [(f"  {name}", value) for name, value in described])
    _list(output, wording.PROBLEMS, [each.text for each in detail.problems])
    related = [
        (f"  {each.kind}", str(iso(each.at) or "-"), each.text) for each in other_related_records(detail)
    ]
    _table(output, wording.RELATED_RECORDS, related)
    output.line()
    output.table(_details(detail), whole=True)
    changes = [
        (f"  {action}", each.text)
        for action, each in detail.consequences.items()
        if action not in detail.blocked and " " not in action
    ]
    _table(output, wording.CONSEQUENCES, changes)
    _history(detail, output)


def _details(detail: Detail) -> list[tuple[str, str]]:
    memory = detail.memory
    rows = [("uid", memory.uid), ("place", wording.place_in_store(detail.place or memory.ref, detail.path))]
    rows += [
        (name, ", ".join(map(str, value)) if isinstance(value, list) else str(value))
        for name, value in memory.to_json().items()
        if name not in _NOT_IN_TABLE
        and (value not in (None, [], "", 0) or (name == "confidence" and value is not None))
    ]
    rows += [(name, str(value)) for name, value in plain(memory.extra).items()]
    if detail.removed_at is not None:
        rows.append(("removed_at", str(iso(detail.removed_at))))
    return rows


def _history(detail: Detail, output: Output) -> None:
    if detail.history:
        output.line()
        output.line("History")
    for each in detail.history:
        output.table([(f"  {each.id}", str(iso(each.at)), each.actor, each.summary, each.state)], whole=True)
        if each.state in ("done", "undone"):  # a refused entry changed nothing
            for name, sign, segments in change_excerpts(each.before, each.after):
                field = "" if name == "content" else f"{name.replace('_', ' ')}: "
                output.line(f"      {sign} {field}{_marked(segments)}")


def _marked(segments: Iterable[tuple[str, bool]]) -> str:
    """Return the text with differing words in brackets, the only marks that plain output has."""
    return "".join(f"[{text}]" if differs else text for text, differs in segments)


def _list(output: Output, title: str, lines: Iterable[str]) -> None:
    for index, line in enumerate(lines):
        if not index:
            output.line()
            output.line(title)
        output.line(f"  {line}")


def _table(output: Output, title: str, rows: Sequence[tuple[str, ...]]) -> None:
    if rows:
        output.line()
        output.line(title)
        output.table(rows, whole=True)
