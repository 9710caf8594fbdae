"""One memory in full, for people and for programs: what `memtui show` prints (S-82)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from memtui.memory.diff.excerpts import lines
from memtui.memory.encoding import iso, plain
from memtui.memory.lifecycles import by_name
from memtui.memory.lifecycles.forecast import in_words
from memtui.memory.memory import label_of
from memtui.memory.provenance import believed, others_beside, tied

if TYPE_CHECKING:
    from memtui.cli.runtime.output import Output
    from memtui.memory.detail import Detail

_PARTS = ("preconditions", "steps", "postconditions", "key_facts")
# Told above the table of fields, or no field of a person's.
_ELSEWHERE = {"content", "title", "extra", "uid", "ref", "superseded_by", *_PARTS}


def tell_all(detail: Detail, output: Output) -> None:
    """The same for a person, in the order in which the detail pane tells it."""
    memory = detail.memory
    label = label_of(memory.title, memory.subject, memory.content)
    if label != memory.content.strip():
        output.line(label)
        output.line()
    output.text(memory.content)
    for name in _PARTS:
        said = getattr(memory, name)
        signs = [f"{number}." if name == "steps" else "·" for number in range(1, len(said) + 1)]
        _listed(output, name.replace("_", " ").capitalize(), map(" ".join, zip(signs, said, strict=True)))
    rows = [(f"  {name}", value) for name, value in believed(detail, lambda at: str(iso(at)))]
    _table(output, "Why it is believed", rows)
    _listed(output, "What it is tied to", [words for words, _ in tied(detail)])
    if (ahead := detail.forecast) is not None:
        aged = in_words(ahead, by_name(ahead.lifecycle).title)
        _table(output, "How it ages", [(f"  {name}", value) for name, value in aged])
    _listed(output, "What is wrong with it", [each.text for each in detail.problems])
    beside = [(f"  {b.kind}", str(iso(b.at) or "-"), b.text) for b in others_beside(detail)]
    _table(output, "Beside it in its store", beside)
    output.line()
    output.table(_details(detail), whole=True)
    changes = [
        (f"  {name}", words)
        for name, words in detail.consequences.items()
        if name not in detail.blocked and " " not in name
    ]
    _table(output, "What a change does", changes)
    _history(detail, output)


def _details(detail: Detail) -> list[tuple[str, str]]:
    memory = detail.memory
    rows = [("uid", memory.uid), ("place", f"{detail.place or memory.ref} in {detail.path}")]
    rows += [
        (name, ", ".join(map(str, value)) if isinstance(value, list) else str(value))
        for name, value in memory.to_json().items()
        if name not in _ELSEWHERE
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
        if each.state in ("done", "undone"):  # what was refused changed nothing
            for name, sign, pieces in lines(each.before, each.after):
                field = "" if name == "content" else f"{name.replace('_', ' ')}: "
                output.line(f"      {sign} {field}{_marked(pieces)}")


def _marked(pieces: Iterable[tuple[str, bool]]) -> str:
    """The words that differ in brackets: what is printed may have no other marks."""
    return "".join(f"[{text}]" if only else text for text, only in pieces)


def _listed(output: Output, title: str, said: Iterable[str]) -> None:
    for place, text in enumerate(said):
        if not place:
            output.line()
            output.line(title)
        output.line(f"  {text}")


def _table(output: Output, title: str, rows: list[Any]) -> None:
    if rows:
        output.line()
        output.line(title)
        output.table(rows, whole=True)
