"""Changing single lines of a memory's file, and no byte beside them (FORMATS 5)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from memtui.errors import NotSaved
from memtui.formats.syntax.markdown import strip_blank_lines
from memtui.formats.claude_code.writer import set_body
from memtui.formats.cognitive import document, relation_list
from memtui.formats.cognitive.relation_list import Told, spelled, writable
from memtui.formats.cognitive.state_file import NEW_TIME
from memtui.formats.contract.adapter import clean
from memtui.formats.media.files.draft import Draft
from memtui.formats.syntax import frontmatter
from memtui.formats.syntax.frontmatter import Head, Style, Value
from memtui.formats.syntax.timestamps import in_the_form_of

STEPS = ("steps", "preconditions", "postconditions")
_ORDER = ("id", "type", "title", "tags", "importance", "confidence", *STEPS, "created", "updated")
_LIKE = Value("", Style.DOUBLE, 0, 0, 0, 0)


def set_field(draft: Draft, name: str, field: str, value: Any) -> None:
    """Set one field in a memory's file. Raises Refused where it cannot be done safely."""
    if field == "content":
        text = strip_blank_lines(str(value or ""))
        if not text:
            raise NotSaved("empty", "the content cannot be empty.", "Dismiss the memory instead.")
        set_body(draft, name, text)
    elif field == "title":
        title = one_line(value)
        if not title:
            raise NotSaved("empty", "the title cannot be empty.", "Dismiss the memory instead.")
        _put(draft, name, "title", title, quoted(title))
    elif field == "category":
        _put(draft, name, "type", str(value), str(value))
    elif field in ("importance", "confidence"):
        if value is None:
            raise NotSaved("empty", f"the {field} cannot be empty.")
        number = spelled(min(1.0, max(0.0, float(value))))
        _put(draft, name, field, number, number)
    elif field in ("tags", *STEPS):
        _put_list(draft, name, field, [one_line(each) for each in value or () if one_line(each)])
    else:
        raise NotSaved("no-field", f"a memory's file has no {field}.")


def touch(draft: Draft, name: str, now: float) -> None:
    """Set the time of its last change, where its head has one."""
    head = document.read(draft.files[name]).head
    said = head.text("updated") if head is not None else ""
    if head is not None and said and not head.odd:
        start, end, new = head.put("updated", str(in_the_form_of(now, said)))
        draft.splice(name, start, end, new, soft=True)


def tell(draft: Draft, name: str, told: Told) -> None:
    """Add a relation to a memory's head."""
    for start, end, new in relation_list.add(draft.files[name], _head(draft, name), [told]):
        draft.splice(name, start, end, new)


def untell(draft: Draft, name: str, entries: Sequence[relation_list.Entry], *, soft: bool = False) -> None:
    """Take relations out of a memory's head."""
    for start, end, new in relation_list.cut(draft.files[name], _head(draft, name), entries):
        draft.splice(name, start, end, new, soft=soft)


def whole(id: str, fields: Mapping[str, Any], category: str, title: str, now: float) -> str:
    """The text of a new memory's file."""
    created = fields.get("created_at")
    made = str(in_the_form_of(now if created is None else float(created), NEW_TIME))
    lines = [f"id: {id}", f"type: {category}", f"title: {quoted(title)}"]
    tags = [one_line(each) for each in fields.get("tags") or () if one_line(each)]
    if tags:
        lines.append(f"tags: {inline(tags)}")
    for key, default in (("importance", 0.5), ("confidence", 0.8)):
        value = fields.get(key)
        lines.append(f"{key}: {spelled(default if value is None else min(1.0, max(0.0, float(value))))}")
    for key in STEPS:
        items = [one_line(each) for each in fields.get(key) or () if one_line(each)]
        if items:
            lines += [f"{key}:", *(f"  - {quoted(item)}" for item in items)]
    extra = fields.get("extra")
    for key, text in extra.items() if isinstance(extra, Mapping) else ():
        plain_key = isinstance(key, str) and re.fullmatch(r"[A-Za-z_][\w-]*", key) and key not in _ORDER
        if plain_key and key != relation_list.KEY and isinstance(text, str) and "\n" not in text:
            lines.append(f"{key}: {frontmatter.spell(text)}")
    lines += [f"created: {made}", f"updated: {in_the_form_of(now, NEW_TIME)}"]
    return "\n".join(["---", *lines, "---", "", strip_blank_lines(str(fields.get("content") or "")), ""])


def quoted(text: str) -> str:
    """A text in double quotes."""
    return frontmatter.spell(text, _LIKE)


def inline(items: Sequence[str], like: str = "") -> str:
    """A list in one line, its items quoted where those of `like` are."""
    every = like[1:].lstrip()[:1] == '"'
    return "[" + ", ".join(quoted(item) if every or _needs(item) else item for item in items) + "]"


def one_line(value: Any) -> str:
    """A text without line breaks."""
    return " ".join(clean(str(value or "")).split())


def _needs(item: str) -> bool:
    return frontmatter.spell(item) != item or bool(re.search(r"""[,\[\]{}"']""", item))


def _head(draft: Draft, name: str) -> Head:
    head = document.read(draft.files[name]).head
    if head is None:
        raise NotSaved("no-field", "the file has no head that could hold it.")
    writable(head)
    return head


def _put(draft: Draft, name: str, key: str, text: str, new: str) -> None:
    """Set a value where it stands, quoted as it was; else add its line, spelled as `new`."""
    head = _head(draft, name)
    if key in head.values:
        value = head.values[key]
        start, end, put = head.put(key, text)
        if value.style is Style.EMPTY:
            put = b" " + new.encode()
        draft.splice(name, start, end, put)
    else:
        at = _place(head, key)
        draft.splice(name, at, at, f"{key}: {new}".encode() + head.newline)


def _place(head: Head, key: str) -> int:
    """Where the line of a key belongs that is not there: behind the nearest one before it."""
    before = _ORDER[: _ORDER.index(key)]
    return next((head.values[each].next for each in reversed(before) if each in head.values), head.start)


def _put_list(draft: Draft, name: str, key: str, items: Sequence[str]) -> None:
    head = _head(draft, name)
    value = head.values.get(key)
    listed = key != "tags"
    if value is None:
        if items:
            at = _place(head, key)
            text = _lines(key, items, "  ") if listed else f"{key}: {inline(items)}\n"
            draft.splice(name, at, at, text.encode().replace(b"\n", head.newline))
        return
    data = draft.files[name]
    if value.style in (Style.ODD, Style.MAP, Style.BLOCK):
        raise NotSaved("head", f"{key} is no simple list in the file's head.")
    old = data[value.start : value.end]
    if value.style is Style.LIST and not old.startswith(b"["):
        indent = value.start - (data.rfind(b"\n", 0, value.start) + 1)
        if not items:
            draft.splice(name, value.line, value.next, f"{key}: []".encode() + head.newline)
            return
        every = old[1:].lstrip()[:1] == b'"'
        spell = quoted if every else frontmatter.spell
        text = "".join(f"{' ' * indent}- {spell(item)}\n" for item in items)
        first = data.rfind(b"\n", 0, value.start) + 1
        draft.splice(name, first, value.next, text.encode().replace(b"\n", head.newline))
        return
    gap = b" " if value.style is Style.EMPTY else b""
    like = old.decode(errors="replace") if value.style is Style.LIST else ""
    tail = old[old.rindex(b"]") + 1 :] if like and b"]" in old else b""
    end = value.end - len(tail)
    draft.splice(name, value.start, end, gap + inline(items, like).encode())


def _lines(key: str, items: Sequence[str], indent: str) -> str:
    return f"{key}:\n" + "".join(f"{indent}- {quoted(item)}\n" for item in items)
