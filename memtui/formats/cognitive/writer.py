"""Change lines of a memory's file; every other byte stays (FORMATS 5)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from memtui.formats.claude_code.writer import set_body
from memtui.formats.cognitive import document, relation_list, wording
from memtui.formats.cognitive.document import PROCEDURE_KEYS
from memtui.formats.cognitive.index.index_entries import DEFAULT_CONFIDENCE, DEFAULT_IMPORTANCE
from memtui.formats.cognitive.relation_list import Entry, NewEntry, ensure_writable, spell_number
from memtui.formats.cognitive.state_file import TIME_SAMPLE
from memtui.formats.contract.records import clean
from memtui.formats.media.files.draft import Draft
from memtui.formats.syntax import yaml_scalars
from memtui.formats.syntax.frontmatter import FrontMatter
from memtui.formats.syntax.markdown import strip_blank_lines
from memtui.formats.syntax.timestamps import format_like
from memtui.formats.syntax.yaml_scalars import Style, Value
from memtui.values import FieldValue

_ORDER = ("id", "type", "title", "tags", "importance", "confidence", *PROCEDURE_KEYS, "created", "updated")
_DOUBLE_QUOTED = Value("", Style.DOUBLE, 0, 0, 0, 0)


def set_field(draft: Draft, name: str, field: str, value: FieldValue) -> None:
    """Set one field in a memory's file. Raise Refused if the value is not allowed or the head malformed."""
    if field == "content":
        text = strip_blank_lines(str(value or ""))
        if not text:
            raise wording.field_empty(field)
        set_body(draft, name, text)
    elif field == "title":
        title = one_line(value)
        if not title:
            raise wording.field_empty(field)
        _set_value(draft, name, "title", title, quoted(title))
    elif field == "category":
        _set_value(draft, name, "type", str(value), str(value))
    elif field in ("importance", "confidence"):
        if value is None:
            raise wording.number_missing(field)
        number = spell_number(min(1.0, max(0.0, float(value))))
        _set_value(draft, name, field, number, number)
    elif field in ("tags", *PROCEDURE_KEYS):
        set_list(draft, name, field, _lines_of(value))
    else:
        raise wording.no_such_field(field)


def set_list(draft: Draft, name: str, key: str, items: Sequence[str]) -> None:
    """Set a list in a head in the style that it has: one item per line, or all in one line. Raise Refused if
    that cannot be written."""
    head = _head(draft, name)
    value = head.values.get(key)
    if value is None:
        _add_list(draft, name, key, items, head)
        return
    data = draft.files[name]
    if value.style in (Style.OTHER, Style.MAP, Style.BLOCK):
        raise wording.not_a_simple_list(key)
    old = data[value.start : value.end]
    if value.style is Style.LIST and not old.startswith(b"["):
        indent = value.start - (data.rfind(b"\n", 0, value.start) + 1)
        if not items:
            draft.splice(name, value.line_start, value.line_end, f"{key}: []".encode() + head.newline)
            return
        spell = quoted if old[1:].lstrip()[:1] == b'"' else yaml_scalars.format_scalar
        text = "".join(f"{' ' * indent}- {spell(item)}\n" for item in items)
        first = data.rfind(b"\n", 0, value.start) + 1
        draft.splice(name, first, value.line_end, text.encode().replace(b"\n", head.newline))
        return
    gap = b" " if value.style is Style.EMPTY else b""
    like = old.decode(errors="replace") if value.style is Style.LIST else ""
    tail = old[old.rindex(b"]") + 1 :] if like and b"]" in old else b""
    end = value.end - len(tail)
    draft.splice(name, value.start, end, gap + flow_list(items, like).encode())


def touch(draft: Draft, name: str, now: float) -> None:
    """Set the time of its last change to `now` (Unix seconds), if its head has one."""
    head = document.read(draft.files[name]).head
    updated = head.text("updated") if head is not None else ""
    if head is not None and updated and not head.problems:
        start, end, new = head.put("updated", str(format_like(now, updated)))
        draft.splice(name, start, end, new, best_effort=True)


def add_relation(draft: Draft, name: str, entry: NewEntry) -> None:
    """Add a relation to a memory's head. Raise Refused if that cannot be written."""
    for start, end, new in relation_list.add_entry(draft.files[name], _head(draft, name), entry):
        draft.splice(name, start, end, new)


def remove_relations(draft: Draft, name: str, entries: Sequence[Entry], *, best_effort: bool = False) -> None:
    """Remove relations from a memory's head. Raise Refused if that cannot be written."""
    for start, end, new in relation_list.remove_entries(draft.files[name], _head(draft, name), entries):
        draft.splice(name, start, end, new, best_effort=best_effort)


def new_text(id: str, fields: Mapping[str, FieldValue], category: str, title: str, now: float) -> str:
    """Return the text of a new memory's file."""
    created = fields.get("created_at")
    created_at = str(format_like(now if created is None else float(created), TIME_SAMPLE))
    lines = [f"id: {id}", f"type: {category}", f"title: {quoted(title)}"]
    if tags := _lines_of(fields.get("tags")):
        lines.append(f"tags: {flow_list(tags)}")
    for key, default in (("importance", DEFAULT_IMPORTANCE), ("confidence", DEFAULT_CONFIDENCE)):
        value = fields.get(key)
        number = default if value is None else min(1.0, max(0.0, float(value)))
        lines.append(f"{key}: {spell_number(number)}")
    for key in PROCEDURE_KEYS:
        if items := _lines_of(fields.get(key)):
            lines += [f"{key}:", *(f"  - {quoted(item)}" for item in items)]
    extra = fields.get("extra")
    for key, text in extra.items() if isinstance(extra, Mapping) else ():
        plain_key = isinstance(key, str) and re.fullmatch(r"[A-Za-z_][\w-]*", key) and key not in _ORDER
        if plain_key and key != relation_list.KEY and isinstance(text, str) and "\n" not in text:
            lines.append(f"{key}: {yaml_scalars.format_scalar(text)}")
    lines += [f"created: {created_at}", f"updated: {format_like(now, TIME_SAMPLE)}"]
    return "\n".join(["---", *lines, "---", "", strip_blank_lines(str(fields.get("content") or "")), ""])


def quoted(text: str) -> str:
    """Return a text in double quotes."""
    return yaml_scalars.format_scalar(text, _DOUBLE_QUOTED)


def flow_list(items: Sequence[str], like: str = "") -> str:
    """Return a list in one line; all items are quoted if the first one of the list `like` is."""
    all_quoted = like[1:].lstrip()[:1] == '"'
    return (
        "[" + ", ".join(quoted(item) if all_quoted or _needs_quotes(item) else item for item in items) + "]"
    )


def one_line(value: FieldValue) -> str:
    """Return a value as text without line breaks."""
    return " ".join(clean(str(value or "")).split())


def _lines_of(values: FieldValue) -> list[str]:
    return [line for line in map(one_line, values or ()) if line]


def _needs_quotes(item: str) -> bool:
    return yaml_scalars.format_scalar(item) != item or bool(re.search(r"""[,\[\]{}"']""", item))


def _head(draft: Draft, name: str) -> FrontMatter:
    head = document.read(draft.files[name]).head
    if head is None:
        raise wording.no_head()
    ensure_writable(head)
    return head


def _set_value(draft: Draft, name: str, key: str, text: str, new: str) -> None:
    """Set a value in the quotes that it has, or add its line with `new` as the spelling of `text`."""
    head = _head(draft, name)
    if key in head.values:
        value = head.values[key]
        start, end, put = head.put(key, text)
        if value.style is Style.EMPTY:
            put = b" " + new.encode()
        draft.splice(name, start, end, put)
    else:
        at = _position_of(head, key)
        draft.splice(name, at, at, f"{key}: {new}".encode() + head.newline)


def _position_of(head: FrontMatter, key: str) -> int:
    """Return where the line of a missing key belongs: after the nearest existing one before it."""
    before = _ORDER[: _ORDER.index(key)]
    return next((head.values[each].line_end for each in reversed(before) if each in head.values), head.start)


def _add_list(draft: Draft, name: str, key: str, items: Sequence[str], head: FrontMatter) -> None:
    if not items:
        return
    at = _position_of(head, key)
    if key == "tags":
        text = f"{key}: {flow_list(items)}\n"
    else:
        text = f"{key}:\n" + "".join(f"  - {quoted(item)}\n" for item in items)
    draft.splice(name, at, at, text.encode().replace(b"\n", head.newline))
