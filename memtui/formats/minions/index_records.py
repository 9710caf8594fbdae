"""Index minions: what a recall goes by. Every write of a memory's words renews its own (FORMATS 2)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from memtui.errors import Refused
from memtui.formats.contract.adapter import Record
from memtui.formats.media.files.draft import Draft, FileEdit, undo_edit
from memtui.formats.minions import factory
from memtui.formats.minions.document import Sheet
from memtui.formats.minions.json_decode import decoded, text_of
from memtui.formats.minions.references import known
from memtui.formats.minions.schema import INDEXED, MEMBERS, SLUG_OF_KIND, type_id
from memtui.formats.minions.side_records import keywords
from memtui.memory.memory import TIMES

SLUG = "memory-index"
Said = tuple[Mapping[str, Any], Mapping[str, Any]]  # a memory's fields before and after
_TIMES = {theirs for names in MEMBERS.values() for name, theirs in names.items() if name in TIMES}
_MOST = 24  # keywords of a new index
_DULL = frozenset(
    "about after again also and any are because been before being but can could did does for from had has"
    " have her here him his how into its just more most not now off only other our out over she should some"
    " such than that the their them then there these they this those too under very was were what when"
    " where which while who why will with would you your".split()
)


def renew(
    draft: Draft, folder: Path, record: Record, before: Mapping[str, Any], type_like: str, now: float
) -> None:
    """Bring the index of a memory up to what it says now (`record`), where it said `before`; make one
    where there is none."""
    names = known(draft).indexes_of(record.anchor)
    if not names:
        create(draft, record, type_like, now)
    for name in names:
        try:
            sheet = Sheet(draft, folder, name)
        except Refused:  # one that must stay as it is never keeps a person from mending the memory
            continue
        _set_keywords(sheet, before, record.fields)
        if record.fields["content"] != before["content"]:
            _empty(sheet)
        factory.stamp(sheet, "indexedAt", now, inside=True)
        factory.stamp(sheet, "updatedAt", now)
        sheet.done()


def create(draft: Draft, record: Record, type_like: str, now: float) -> None:
    """A new index minion of a memory, without a vector."""
    words = ", ".join(words_of(record.fields)[:_MOST])
    title = f"Index of {record.fields.get('title') or record.fields.get('key') or record.anchor}"
    fields = {
        "memoryId": record.anchor,
        "memoryType": SLUG_OF_KIND[record.fields["kind"]],
        "keywords": words,
        "embedding": "",
        "indexedAt": factory.moment(now),
    }
    factory.create(draft, factory.minion(type_id(SLUG, type_like), title, fields, now))


def take_back(draft: Draft, folder: Path, edit: FileEdit, said: Mapping[str, Said]) -> None:
    """Undo what was done to an index. It follows from its memory, so what others made of it meanwhile
    never stands in the way. `said` is what memories say before and after the rest was undone."""
    data = draft.files.get(edit.name)
    if edit.before is None:
        if data is not None:
            draft.remove(edit.name)
    elif edit.after is None:
        if data is None:
            draft.create(edit.name, edit.whole, edit.mode)
    elif data is not None:
        exact = draft.holds(edit)
        undo_edit(draft, edit)
        sheet = Sheet(draft, folder, edit.name)
        about = said.get(text_of(sheet.says("memoryId")))
        if about is not None and not exact:
            _set_keywords(sheet, *about)
            span = sheet.fields.get("embedding")
            back = [hunk.old.decode() for hunk in edit.hunks if hunk.new in _NOTHING]
            if back and span is not None and sheet.text[span.start : span.end] not in back:
                _empty(sheet)
            sheet.done()


def is_index(edit: FileEdit) -> bool:
    """Whether an edit is of an index minion."""
    return edit.of.startswith(f"{SLUG} ")


def words_of(fields: Mapping[str, Any]) -> list[str]:
    """The telling words of a memory, in their order, each once."""
    found = re.findall(r"[^\W_]{2,}(?:[.'’-][^\W_]+)*", _said(fields).casefold())
    return list(dict.fromkeys(word for word in found if len(word) > 2 and word not in _DULL))


def _said(fields: Mapping[str, Any]) -> str:
    parts: list[str] = []
    for name in ("key", "title", "category", "tags", "content", "key_facts"):
        value = fields.get(name) or ""
        parts += [value] if isinstance(value, str) else value
    return "\n".join(parts)


_NOTHING = (b'""', b"[]", b"null")


def _empty(sheet: Sheet) -> None:
    """A vector of another text is worse than none."""
    value = sheet.says("embedding")
    if value:
        empty: Any = "" if isinstance(value, str) else [] if isinstance(value, list) else None
        sheet.set("embedding", empty, soft=True)


def _set_keywords(sheet: Sheet, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    """Words that the memory no longer says go, those that it says now come; others are its writer's."""
    if all(before.get(name) == after.get(name) for name in INDEXED):
        return
    span = sheet.fields.get("keywords")
    value = None if span is None else span.value
    old, new = _said(before).casefold(), _said(after).casefold()
    there = keywords(value)
    gone = [word for word in there if word.casefold() in old and word.casefold() not in new]
    had, has = words_of(before), {word.casefold() for word in there}
    come = [word for word in words_of(after) if word not in had and word not in has]
    come = come[: max(0, _MOST - len(there) + len(gone))]
    between = re.search(r"\s*[,;\n]\s*", value) if isinstance(value, str) else None
    gap = between.group() if between else " " if len(there) > 1 else ", "
    if span is None or not isinstance(value, str) or not sheet.is_plain(span) or not there:
        left = [word for word in there if word not in gone] + come
        sheet.set("keywords", left if isinstance(value, list) else gap.join(left), soft=True)
        return
    spots = _spots(value, gap)
    stay = [number for number, (start, end) in enumerate(spots) if value[start:end] not in gone]
    for start, end in _cuts(spots, stay):
        sheet.splice(span, start, end, "")
    if come:
        sheet.splice(span, spots[-1][1], spots[-1][1], (gap if stay else "") + gap.join(come))


def _spots(value: str, gap: str) -> list[tuple[int, int]]:
    """Where each keyword of a text stands."""
    inner = r"[^,;\n\s](?:[^,;\n]*[^,;\n\s])?" if gap.strip() or gap == "\n" else r"\S+"
    return [match.span() for match in re.finditer(inner, value)]


def _cuts(spots: list[tuple[int, int]], stay: list[int]) -> list[tuple[int, int]]:
    """What is cut out so that only some keywords stay, each cut with the gap towards one that stays."""
    if not stay:
        return [(spots[0][0], spots[-1][1])]
    return [
        (spots[number][0], spots[number + 1][0])
        if number < stay[0]
        else (spots[number - 1][1], spots[number][1])
        for number in range(len(spots))
        if number not in stay
    ]


def searchable(minion: Mapping[str, Any]) -> str:
    """The text that the SDK searches, built by the SDK's own rule."""
    return " ".join(filter(None, _texts(minion).values()))


def follow(draft: Draft, folder: Path, name: str, before: Mapping[str, Any]) -> None:
    """Update `searchableText` after an edit of a minion that was `before`. In one without, the SDK searches
    the title alone: every edit adds it, as the SDK's own do."""
    sheet = Sheet(draft, folder, name)
    text = sheet.says("searchableText", inside=False)
    old, new = _texts(before), _texts(sheet.minion)
    if not isinstance(text, str | None) or (text and old == new):
        return
    updated = searchable(sheet.minion)
    if text and text != searchable(before):
        updated = _replaced(text, old, new) or updated
    sheet.set("searchableText", updated, inside=False, soft=True)
    sheet.done()


def follow_back(draft: Draft, folder: Path, name: str, before: bytes) -> None:
    """The same after an undo in a file that was `before` and had changed since: there the old text finds no
    place where a later one stands."""
    old, new = decoded(before)[0], decoded(draft.files[name])[0]
    texts = [each.get("searchableText") for each in (old, new) if isinstance(each, dict)]
    if len(texts) == 2 and texts[0] and texts[0] == texts[1]:
        with suppress(Refused):  # a file that must stay as it is never keeps a person from an undo
            follow(draft, folder, name, old)


def _texts(minion: Mapping[str, Any]) -> dict[str, str]:
    """The lower-case text of each searchable member, by its path; members that hold no text are left out."""
    values = {"title": minion.get("title"), "description": minion.get("description")}
    inner = minion.get("fields")
    inner = inner if isinstance(inner, dict) else {}
    values |= {f"fields.{name}": value for name, value in inner.items() if name not in _TIMES}
    return {path: value.lower() for path, value in values.items() if isinstance(value, str)}


def _replaced(text: str, old: Mapping[str, str], new: Mapping[str, str]) -> str:
    """`text`, as its writer laid it out, with old values replaced by new ones; "" if a new value has no
    place in it."""
    included = [path for path, value in old.items() if value and value in text]
    if any(old.get(path) != value and path not in included for path, value in new.items()):
        return ""
    for path in included:
        if old[path] != new.get(path):
            text = text.replace(old[path], new.get(path, ""), 1)
    return text if all(new.get(path, "") in text for path in included) else ""


def identity(data: bytes) -> str:
    """What a minion is, whatever its file is called."""
    minion = decoded(data)[0]
    if not isinstance(minion, dict):
        return ""
    slug = text_of(minion.get("minionTypeId")).removeprefix("memory-")
    slug = slug if slug.startswith("memory-") else f"memory-{slug}"
    return f"{slug} {text_of(minion.get('id'))}"
