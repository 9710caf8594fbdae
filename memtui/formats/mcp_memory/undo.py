"""Undo in an MCP memory file where the old places of a change are gone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from memtui.formats.contract.plans import Plan
from memtui.formats.contract.records import Link, Record, clean
from memtui.formats.mcp_memory.lines import (
    Line,
    observation_text,
    observations,
    parse_json,
    parse_line,
    parse_lines,
)
from memtui.formats.mcp_memory.writer import GraphWriter
from memtui.formats.media.files.hunks import Hunk
from memtui.formats.media.files.wording import changed_at_place
from memtui.formats.syntax.json_spans import encode_like


def put_back_observation(writer: GraphWriter, plan: Plan) -> bool:
    """Add a removed observation to its entity as it was spelled; False where the entity is gone."""
    removed = plan.removed_fields or {}
    entities = [
        line
        for line in parse_lines(writer.data)
        if line.kind == "entity" and clean(line.string("name")) == removed.get("subject")
    ]
    for hunk in (hunk for edit in plan.edits for hunk in edit.hunks):
        token = hunk.old.decode(errors="replace").strip().strip(",").strip()
        text = observation_text(parse_json(token.encode()))
        array = entities[-1].members.get("observations") if entities else None
        if text is None or clean(text) != removed.get("content") or array is None:
            continue
        if isinstance(array.value, list):
            writer.append_token(entities[-1], token)
            return True
    return False


def put_back_relations(writer: GraphWriter, plan: Plan) -> None:
    """Append the relations that the plan removed with an entity, where both ends are there and the file does
    not have them again."""
    names = {line.string("name") for line in parse_lines(writer.data) if line.kind == "entity"}
    for hunk in (hunk for edit in plan.edits for hunk in edit.hunks):
        line, _ = parse_line(0, hunk.old.strip())
        if line is None or hunk.new or line.kind != "relation":
            continue
        if {line.string("from"), line.string("to")} <= names and not writer.relation_lines(_link(line)):
            writer.append_raw_line(line.text.encode())


def undo_by_text(writer: GraphWriter, plan: Plan, added: Record | None) -> None:
    """Remove the lines that the plan added, found by their text, and append those that it removed; an added
    observation (`added` is its record) is removed from its list, whatever its neighbors are now."""
    for hunk in (hunk for edit in reversed(plan.edits) for hunk in reversed(edit.hunks)):
        old, new = hunk.old.strip(), hunk.new.strip()
        removed, _ = parse_line(0, old)
        if removed is not None and not new:
            _put_back_relation(writer, removed)
            continue
        if old or not new:
            raise changed_at_place(writer.name)
        same = [line for line in parse_lines(writer.data) if line.text.encode() == new]
        if same:
            writer.cut_line(same[-1])
            continue
        line, span = writer.find(added) if added is not None else (None, None)
        # An entity that the plan added stays only where it has observations of others.
        alone = parse_line(0, new)[0] is not None and line is not None and len(observations(line)) < 2
        if line is None or span is None or alone:
            raise changed_at_place(writer.name)
        written = observation_text(parse_json(new.strip(b", ")))
        if plan.ref is not None and written != observation_text(span.value):
            raise changed_at_place(writer.name)  # it was reworded since
        writer.remove_observation(line, span)


def _put_back_relation(writer: GraphWriter, line: Line) -> None:
    """Append a removed relation again, with its original spelling."""
    if line.kind != "relation" or writer.relation_lines(_link(line)):
        raise changed_at_place(writer.name)
    writer.append_raw_line(line.text.encode())


def _link(line: Line) -> Link:
    source, kind, target = (clean(line.string(key)) for key in ("from", "relationType", "to"))
    return Link(source, kind, target)


def with_current_names(plan: Plan, current_name: Callable[[str], str]) -> Plan:
    """Return the plan, with the relations that it removed leading to what their entities are called now; the
    name of the plan's own entity stays."""
    own = (plan.removed_fields or {}).get("subject")

    def renamed(hunk: Hunk) -> Hunk:
        text = hunk.old.strip()
        line, _ = parse_line(hunk.old.find(text), text)
        if line is None or line.kind != "relation":
            return hunk
        old = hunk.old
        for key in sorted(("from", "to"), key=lambda key: -line.members[key].start):
            name, span = clean(line.string(key)), line.members[key]
            if name != own and (new := current_name(name)) != name:
                token = encode_like(new, line.text).encode()
                old = old[: line.byte_offset(span.start)] + token + old[line.byte_offset(span.end) :]
        return replace(hunk, old=old)

    edits = (replace(edit, hunks=tuple(map(renamed, edit.hunks))) for edit in plan.edits)
    return replace(plan, edits=tuple(edits))
