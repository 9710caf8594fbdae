"""Taking secrets out of a memory's minion, and out of the minions that repeat it: its indexes, and what was
noted about it or asked for (S-62)."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path

from memtui.errors import Refused
from memtui.formats.contract.plans import Write
from memtui.formats.contract.records import Record
from memtui.formats.media.files.draft import Draft
from memtui.formats.minions import factory, index_records, searchable_text
from memtui.formats.minions.document import MinionEditor
from memtui.formats.minions.json_decode import decode, member, text_of
from memtui.formats.minions.reader import read_file
from memtui.formats.minions.references import references
from memtui.formats.minions.schema import KINDS, MEMBERS, slug_of
from memtui.formats.syntax.json_spans import Span, encode_like, scalars
from memtui.memory.secrets.redaction import Replacements, is_telling
from memtui.values import Json


def spellings(value: str, new: str) -> dict[str, str]:
    """Return how a secret stands in a minion's searchable text and in an index, each with what takes its
    place: the value in small letters, and its words."""
    words = index_records.keywords_of({"content": value})
    found = {value.lower(): new.lower(), **dict.fromkeys(words, "redacted")}
    return {old: replacement for old, replacement in found.items() if is_telling(old)}


def redact(draft: Draft, folder: Path, record: Record, write: Write) -> None:
    """Replace the values in a memory and in what repeats it. Raise Refused where its file cannot be
    written."""
    redacted, name = write.redacted, record.position[0]
    assert redacted is not None
    _redact_memory(draft, folder, record, write, redacted)
    (after,) = read_file(name, draft.files[name]).records
    for each in references(draft).indexes_of(record.anchor) if write.fields else ():
        _redact_index(draft, folder, each, record, after, write.now, redacted)
    for each, data in list(draft.files.items()):
        if repeats(data, record.anchor, redacted):
            _redact_other(draft, folder, each, redacted)


def _redact_memory(draft: Draft, folder: Path, record: Record, write: Write, redacted: Replacements) -> None:
    editor = MinionEditor(draft, folder, record.position[0])
    before = editor.minion
    key = MEMBERS[record.fields["kind"]].get("key", "")
    span = editor.fields.get(key)
    searched = editor.envelope.get("searchableText")
    kept = [searched] if searched is not None and isinstance(searched.value, str) else []
    if "key" in write.fields and span is not None:  # it gets a name that no other has
        editor.set(key, write.fields["key"])
        kept.append(span)
    _replace(editor, redacted, kept)
    if write.fields:
        factory.touch(editor, "updatedAt", write.now)
    editor.apply()
    if searched in kept:
        searchable_text.update(draft, folder, editor.name, before, best_effort=False)
        _replace_all(draft, folder, editor.name, redacted)  # what else its writer put there


def _redact_index(
    draft: Draft, folder: Path, name: str, before: Record, after: Record, now: float, redacted: Replacements
) -> None:
    try:
        editor = MinionEditor(draft, folder, name)
    except Refused:  # as any change of the memory; the file is named afterwards
        return
    index_records.drop_keywords(editor, before.fields, after.fields, redacted)
    index_records.clear_embedding(editor, best_effort=False)
    kept = [span for each in ("keywords", "embedding") if (span := editor.fields.get(each)) is not None]
    _replace(editor, redacted, kept)
    factory.touch(editor, "indexedAt", now, in_fields=True)
    factory.touch(editor, "updatedAt", now)
    editor.apply()


def _redact_other(draft: Draft, folder: Path, name: str, redacted: Replacements) -> None:
    try:
        _replace_all(draft, folder, name, redacted)
    except Refused:  # it does not keep the memory from being redacted, and is named afterwards
        return


def _replace_all(draft: Draft, folder: Path, name: str, redacted: Replacements) -> None:
    editor = MinionEditor(draft, folder, name)
    _replace(editor, redacted, ())
    editor.apply()


def _replace(editor: MinionEditor, redacted: Replacements, kept: Collection[Span]) -> None:
    """Replace the values in all texts and numbers of a minion but those in the spans `kept`."""
    for span in scalars(editor.text):
        new = redacted.value(span.value)
        if new == span.value or any(each.start <= span.start < each.end for each in kept):
            continue
        editor.put(span, _token(editor.text, span, new, redacted))


def _token(text: str, span: Span, new: Json, redacted: Replacements) -> str:
    """Return a new text as JSON that is spelled as the old one."""
    token = redacted.text(text[span.start : span.end])
    if isinstance(span.value, str) and json.loads(token) == new:
        return token
    token = encode_like(new, text)
    return token if token.isprintable() else json.dumps(new)


def repeats(data: bytes, id: str, redacted: Replacements) -> bool:
    """Return whether a file has one of the values and is a minion beside the memories: no index of another
    than that of `id`, since another one may keep the value."""
    if not redacted.held_by(data):
        return False
    minion = decode(data)[0]
    slug = slug_of(minion.get("minionTypeId")) if isinstance(minion, dict) else ""
    if slug == index_records.SLUG:
        return text_of(member(minion, "memoryId")) == id
    return bool(slug) and slug not in KINDS
