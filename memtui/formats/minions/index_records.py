"""Index minions, which recall uses: every change of a memory's words updates its own (FORMATS 2)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from memtui.errors import Refused
from memtui.formats.contract.records import Record
from memtui.formats.media.files.draft import Draft, undo_edit
from memtui.formats.media.files.hunks import FileEdit
from memtui.formats.minions import factory, wording
from memtui.formats.minions.document import MinionEditor
from memtui.formats.minions.json_decode import text_of
from memtui.formats.minions.references import references
from memtui.formats.minions.schema import INDEXED, SLUG_OF_KIND, type_id
from memtui.formats.minions.side_records import keywords
from memtui.memory.secrets.redaction import Replacements
from memtui.values import FieldValue, Json

SLUG = "memory-index"
MemoryFields = Mapping[str, FieldValue]
_MAX_KEYWORDS = 24  # of a new index
_DIGITS = 6  # of a number of an embedding, behind the point
_STOP_WORDS = frozenset(
    "about after again also and any are because been before being but can could did does for from had has"
    " have her here him his how into its just more most not now off only other our out over she should some"
    " such than that the their them then there these they this those too under very was were what when"
    " where which while who why will with would you your".split()
)
_EMPTY = (b'""', b"[]", b"null")


def update_indexes(
    draft: Draft, folder: Path, record: Record, before: MemoryFields, type_like: str, now: float
) -> None:
    """Update the indexes of a memory that had the fields `before`; create one where there is none."""
    names = references(draft).indexes_of(record.anchor)
    if not names:
        create_index(draft, record, type_like, now)
    for name in names:
        try:
            editor = MinionEditor(draft, folder, name)
        except Refused:  # an index that cannot be written does not prevent a change of the memory
            continue
        _update_keywords(editor, before, record.fields)
        if record.fields["content"] != before["content"]:
            clear_embedding(editor)
        factory.touch(editor, "indexedAt", now, in_fields=True)
        factory.touch(editor, "updatedAt", now)
        editor.apply()


def create_index(
    draft: Draft, record: Record, type_like: str, now: float, vector: Sequence[float] = ()
) -> None:
    """Add an index minion of a memory, with the embedding of its text if there is one."""
    memory = record.fields.get("title") or record.fields.get("key") or record.anchor
    fields = {
        "memoryId": record.anchor,
        "memoryType": SLUG_OF_KIND[record.fields["kind"]],
        "keywords": ", ".join(keywords_of(record.fields)[:_MAX_KEYWORDS]),
        "embedding": json.dumps([round(each, _DIGITS) for each in vector]) if vector else "",
        "indexedAt": factory.format_time(now),
    }
    title = wording.INDEX_TITLE.format(memory=memory)
    factory.create_file(draft, factory.new_minion(type_id(SLUG, type_like), title, fields, now))


def undo_index(
    draft: Draft, folder: Path, edit: FileEdit, memories: Mapping[str, tuple[MemoryFields, MemoryFields]]
) -> None:
    """Undo the change of an index. It derives from its memory, so changes that others made since do not
    prevent it. `memories` maps ids to a memory's fields before and after the rest was undone."""
    data = draft.files.get(edit.name)
    if edit.before is None:
        if data is not None:
            draft.remove(edit.name)
    elif edit.after is None:
        if data is None:
            draft.create(edit.name, edit.content, edit.mode)
    elif data is not None:
        is_exact = draft.matches(edit)
        undo_edit(draft, edit)
        editor = MinionEditor(draft, folder, edit.name)
        fields = memories.get(text_of(editor.value("memoryId")))
        if fields is not None and not is_exact:
            _update_keywords(editor, *fields)
            span = editor.fields.get("embedding")
            restored = [hunk.old.decode() for hunk in edit.hunks if hunk.new in _EMPTY]
            if restored and span is not None and editor.text[span.start : span.end] not in restored:
                clear_embedding(editor)
            editor.apply()


def drop_keywords(
    editor: MinionEditor, before: MemoryFields, after: MemoryFields, redacted: Replacements
) -> None:
    """Remove the keywords that only a redacted value had, of the memory that had the fields `before`."""
    value = editor.value("keywords")
    existing = keywords(value)
    old, new = _indexed_text(before).casefold(), _indexed_text(after).casefold()

    def stays(word: str) -> bool:
        is_gone = word.casefold() in old and word.casefold() not in new
        return not is_gone and not redacted.found_in(word)

    words = [word for word in existing if stays(word)]
    if words != existing:
        editor.set("keywords", words if isinstance(value, list) else _gap(value, existing).join(words))


def is_index(edit: FileEdit) -> bool:
    """Return whether an edit is of an index minion."""
    return edit.identity.startswith(f"{SLUG} ")


def keywords_of(fields: MemoryFields) -> list[str]:
    """Return the words of a memory, without stop words and short ones, in their order, each once."""
    found = re.findall(r"[^\W_]{2,}(?:[.'’-][^\W_]+)*", _indexed_text(fields).casefold())
    return list(dict.fromkeys(word for word in found if len(word) > 2 and word not in _STOP_WORDS))


def _indexed_text(fields: MemoryFields) -> str:
    parts: list[str] = []
    for name in ("key", "title", "category", "tags", "content", "key_facts"):
        value = fields.get(name) or ""
        parts += [value] if isinstance(value, str) else value
    return "\n".join(parts)


def clear_embedding(editor: MinionEditor, *, best_effort: bool = True) -> None:
    """Clear the embedding: one of another text is worse than none."""
    value = editor.value("embedding")
    if value:
        empty: Json = "" if isinstance(value, str) else [] if isinstance(value, list) else None
        editor.set("embedding", empty, best_effort=best_effort)


def _update_keywords(editor: MinionEditor, before: MemoryFields, after: MemoryFields) -> None:
    """Remove keywords that the memory no longer contains and add new ones; others are its writer's."""
    if all(before.get(name) == after.get(name) for name in INDEXED):
        return
    span = editor.fields.get("keywords")
    value = None if span is None else span.value
    old, new = _indexed_text(before).casefold(), _indexed_text(after).casefold()
    existing = keywords(value)
    removed = [word for word in existing if word.casefold() in old and word.casefold() not in new]
    known = {*keywords_of(before), *(word.casefold() for word in existing)}
    added = [word for word in keywords_of(after) if word not in known]
    added = added[: max(0, _MAX_KEYWORDS - len(existing) + len(removed))]
    gap = _gap(value, existing)
    if span is None or not isinstance(value, str) or not editor.is_unescaped(span) or not existing:
        words = [word for word in existing if word not in removed] + added
        editor.set("keywords", words if isinstance(value, list) else gap.join(words), best_effort=True)
        return
    spans = _keyword_spans(value, gap)
    kept = [number for number, (start, end) in enumerate(spans) if value[start:end] not in removed]
    for start, end in _cuts(spans, kept):
        editor.splice_text(span, start, end, "")
    if added:
        editor.splice_text(span, spans[-1][1], spans[-1][1], (gap if kept else "") + gap.join(added))


def _gap(value: Json, existing: list[str]) -> str:
    """Return what is between the keywords of a text."""
    between = re.search(r"\s*[,;\n]\s*", value) if isinstance(value, str) else None
    return between.group() if between else " " if len(existing) > 1 else ", "


def _keyword_spans(value: str, gap: str) -> list[tuple[int, int]]:
    """Return where each keyword of a text is."""
    pattern = r"[^,;\n\s](?:[^,;\n]*[^,;\n\s])?" if gap.strip() or gap == "\n" else r"\S+"
    return [match.span() for match in re.finditer(pattern, value)]


def _cuts(spans: list[tuple[int, int]], kept: list[int]) -> list[tuple[int, int]]:
    """Return what to cut so that only the `kept` keywords remain, each cut with the gap to one of these."""
    if not kept:
        return [(spans[0][0], spans[-1][1])]
    return [
        (spans[number][0], spans[number + 1][0])
        if number < kept[0]
        else (spans[number - 1][1], spans[number][1])
        for number in range(len(spans))
        if number not in kept
    ]
