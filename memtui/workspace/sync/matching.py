"""Matching memories whose identity in the store is their text (an observation, a bullet) across a pull.

Rewording such a memory looks like a removal and an addition. If it is clearly the same one, its row follows
it, so that uid, pins, notes and history are kept. The same goes for a change of memtui's that the agent's
program overwrote (it had read the store before and wrote after), and for a dismissed or forgotten memory that
an agent adds again.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TypeVar

from memtui.formats.contract.records import Record
from memtui.memory.memory import TIMES
from memtui.values import Fields, FieldValue
from memtui.workspace.context import Context
from memtui.workspace.journal.items import decode_body
from memtui.workspace.journal.removals import FORGOTTEN

_MIN_SIMILARITY = 0.65  # of two texts that are taken for the same memory, 0 to 1
_MIN_LEAD = 0.1  # over the similarity of any other candidate
_MOST_PAIRS = 400  # compared in one entity or file
_SHORT = 200  # characters of a text that is compared letter by letter
_MOST_WORDS = 100  # compared of any text
_READ = 4_000  # characters in which these words are looked for
_WORDS = re.compile(r"\w+")
_OWNER_FIELDS = ("subject", "category")


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Row:
    """A row whose memory is no longer where the mirror has it."""

    id: int
    home: str
    fields: Mapping[str, FieldValue]  # content, subject, category

    @property
    def text(self) -> str:
        return str(self.fields["content"])


def matches(
    ctx: Context,
    store_id: int,
    named_by_text: Callable[[str], bool],
    fresh: Sequence[Record],
    gone: Collection[int],
    busy: Collection[int],
) -> dict[int, Record]:
    """Match rows to `fresh` records: rows `gone` from the store, and those that memtui had taken out.

    `busy` rows, which a change of memtui's is about, are never matched.
    """
    new = [record for record in fresh if named_by_text(record.ref)]
    rows = list(_gone_rows(ctx, store_id, named_by_text, gone)) if new else []
    found = _reverted(ctx, rows, new)
    found |= _added_again(ctx, store_id, _unmatched(fresh, found), busy)
    for match in (_reworded, _renamed):
        found |= match([row for row in rows if row.id not in found], _unmatched(new, found))
    return found


def _unmatched(records: Sequence[Record], found: Mapping[int, Record]) -> list[Record]:
    taken = {record.ref for record in found.values()}
    return [record for record in records if record.ref not in taken]


@dataclass(frozen=True, slots=True)
class OwnChange:
    """A change that memtui wrote into a store: journal item, entry, kind, fields before and after."""

    item_id: int
    entry_id: int
    kind: str
    before: Fields
    after: Fields

    def is_reversed_by(self, before: Mapping[str, FieldValue], after: Mapping[str, FieldValue]) -> bool:
        """Return whether a change by another program, from `before` to `after`, exactly reverses this one."""
        names = after.keys() - TIMES
        return bool(names) and all(
            name in self.before
            and (self.after.get(name), self.before[name]) == (before.get(name), after[name])
            for name in names
        )


def newest_own_changes(ctx: Context, fields: Mapping[int, Set[str]]) -> dict[int, OwnChange]:
    """Return, by row id, the newest change to one of these fields if memtui wrote it."""
    found: dict[int, OwnChange] = {}
    rows = ctx.db.rows(_CHANGES, (json.dumps(list(fields)),))
    for id, item_id, entry_id, kind, by_others, before, after in rows:
        if before is None or not fields[id] & decode_body(after).keys():
            continue
        if by_others:
            found.pop(id, None)
        else:
            found[id] = OwnChange(item_id, entry_id, kind, decode_body(before), decode_body(after))
    return found


_CHANGES = """
SELECT i.memory_id, i.id, j.id, j.kind,
       j.actor GLOB 'sync:*' OR j.actor GLOB 'rule:*' OR j.kind = 'decayed', b.before, b.after
FROM journal_items i JOIN journal j ON j.id = i.journal_id
JOIN item_states st ON st.item_id = i.id AND st.state = 'done'
LEFT JOIN bodies b ON b.item_id = i.id LEFT JOIN outbox o ON o.item_id = i.id
WHERE i.memory_id IN (SELECT value FROM json_each(?)) AND (j.actor GLOB 'sync:*' OR o.state = 'done')
ORDER BY i.id
"""


def _gone_rows(
    ctx: Context, store_id: int, named_by_text: Callable[[str], bool], ids: Collection[int]
) -> Iterator[_Row]:
    sql = (
        "SELECT id, ref, anchor, unit, content, subject, category FROM memories "
        "WHERE store_id = ? AND id IN (SELECT value FROM json_each(?)) ORDER BY id"
    )
    for id, ref, anchor, unit, *values in ctx.db.rows(sql, (store_id, json.dumps(list(ids)))):
        if named_by_text(ref):
            yield _Row(id, anchor or unit, dict(zip(("content", *_OWNER_FIELDS), values, strict=True)))


_TEXTS = ("content", "subject", "title", "key")
# Superseded memories and those dismissed by a verdict are left out: if an agent insists on one, the user
# decides.
_TAKEN_OUT = f"""
SELECT id, anchor, unit, {", ".join(_TEXTS)} FROM memories m
WHERE store_id = ? AND ref IS NULL AND moved IS NOT NULL
AND iif(removed_at IS NULL, status = 'dismissed' AND superseded_by IS NULL, {FORGOTTEN})
AND moved NOT IN (SELECT i.id FROM verdicts v JOIN journal_items i ON i.journal_id = v.entry_id)
"""


def _added_again(
    ctx: Context, store_id: int, fresh: Sequence[Record], busy: Collection[int]
) -> dict[int, Record]:
    """Match dismissed and forgotten memories that are in their place again with the same text; none if
    several would fit."""
    by_text: dict[tuple[str, ...], list[Record]] = {}
    for record in fresh:
        key = (_home(record), *(str(record.fields.get(name) or "") for name in _TEXTS))
        by_text.setdefault(key, []).append(record)
    taken_out: dict[tuple[str, ...], list[int]] = {}
    for id, anchor, unit, *texts in ctx.db.rows(_TAKEN_OUT, (store_id,)) if fresh else ():
        taken_out.setdefault((anchor or unit, *(each or "" for each in texts)), []).append(id)
    return {
        ids[0]: by_text[key][0]
        for key, ids in taken_out.items()
        if len(ids) == len(by_text.get(key, ())) == 1 and ids[0] not in busy and any(key[1:])
    }


def _home(record: Record) -> str:
    """Return what a memory stays in when it is reworded: its entity, or the file it is a line of."""
    return record.anchor or record.unit


def _text(record: Record) -> str:
    return str(record.fields.get("content") or "")


def _reverted(ctx: Context, rows: Sequence[_Row], new: Sequence[Record]) -> dict[int, Record]:
    """Match rows to records with the text from before memtui's newest change of them."""
    newest = newest_own_changes(ctx, {row.id: {"content", *_OWNER_FIELDS} for row in rows})
    by_text: dict[tuple[FieldValue, ...], list[Record]] = {}
    for record in new:
        by_text.setdefault((_text(record), *map(record.fields.get, _OWNER_FIELDS)), []).append(record)
    found = {}
    for row in rows:
        before = newest[row.id].before if row.id in newest else {}
        former = {**row.fields, **{name: before[name] for name in row.fields if name in before}}
        candidates = by_text.get((former["content"], *map(former.get, _OWNER_FIELDS)))
        if former != row.fields and candidates:
            found[row.id] = candidates.pop(0)
    return found


def _reworded(rows: Sequence[_Row], new: Sequence[Record]) -> dict[int, Record]:
    """Match rows to the one record in the same place with nearly the same text."""
    records_at: dict[str, list[Record]] = {}
    for record in new:
        records_at.setdefault(_home(record), []).append(record)
    rows_at: dict[str, list[_Row]] = {}
    for row in rows:
        rows_at.setdefault(row.home, []).append(row)
    found: dict[int, Record] = {}
    for home in rows_at.keys() & records_at.keys():
        if len(rows_at[home]) * len(records_at[home]) > _MOST_PAIRS:
            continue
        scores = {
            (row.id, record.ref): _similarity(row.text, _text(record))
            for row in rows_at[home]
            for record in records_at[home]
        }
        best: dict[int | str, list[float]] = {}
        for pair, score in scores.items():
            for each in pair:
                best[each] = sorted((*best.get(each, ()), score))[-2:]
        by_ref = {record.ref: record for record in records_at[home]}
        for (id, ref), score in scores.items():
            rivals = [*best[id][:-1], *best[ref][:-1]]
            if (
                score >= max(_MIN_SIMILARITY, best[id][-1], best[ref][-1])
                and max(rivals, default=0.0) <= score - _MIN_LEAD
            ):
                found[id] = by_ref[ref]
    return found


def _similarity(text: str, other: str) -> float:
    """Return the similarity of two texts, 0 to 1, by words or, for short ones, by letters."""
    words, others = (_WORDS.findall(each[:_READ].casefold())[:_MOST_WORDS] for each in (text, other))
    most = 2 * (Counter(words) & Counter(others)).total() / max(1, len(words) + len(others))
    by_words = (
        SequenceMatcher(None, words, others, autojunk=False).ratio() if most >= _MIN_SIMILARITY else 0.0
    )
    if by_words >= _MIN_SIMILARITY or max(len(text), len(other)) > _SHORT:
        return by_words
    letters = SequenceMatcher(None, text, other, autojunk=False)
    if (
        letters.real_quick_ratio() - _MIN_LEAD < _MIN_SIMILARITY
        or letters.quick_ratio() - _MIN_LEAD < _MIN_SIMILARITY
    ):
        return by_words
    return max(by_words, letters.ratio() - _MIN_LEAD)


def _renamed(rows: Sequence[_Row], new: Sequence[Record]) -> dict[int, Record]:
    """Match the rows of an entity that was renamed, with all of its texts unchanged; none if several entities
    have the same texts."""
    records_by_texts: dict[tuple[str, ...], list[list[Record]]] = {}
    for records in _grouped(new, _home):
        records_by_texts.setdefault(tuple(sorted(map(_text, records))), []).append(records)
    rows_by_texts: dict[tuple[str, ...], list[list[_Row]]] = {}
    for group in _grouped(rows, lambda row: row.home):
        rows_by_texts.setdefault(tuple(sorted(row.text for row in group)), []).append(group)
    found: dict[int, Record] = {}
    for texts, groups in rows_by_texts.items():
        same = records_by_texts.get(texts, [])
        if len(same) == len(groups) == 1 and groups[0][0].fields["subject"] and any(texts):
            records = sorted(same[0], key=_text)
            ids = [row.id for row in sorted(groups[0], key=lambda row: row.text)]
            found |= dict(zip(ids, records, strict=True))
    return found


def _grouped(items: Sequence[T], key: Callable[[T], str]) -> Iterator[list[T]]:
    groups: dict[str, list[T]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return iter(groups.values())
