"""Which memory is which where a store calls its memories after what they say (an observation, a bullet).

Whoever rewords such a memory seems to remove it and to add another. Where it is clearly the same one, its row
follows it: uid, pins, notes and history stay with it. So it is with a change of ours that the agent's own
program wrote over, because it had read its store before us and wrote after us, and with a dismissed memory
that an agent writes again.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from memtui.formats.contract.adapter import Record
from memtui.memory.memory import TIMES
from memtui.workspace.context import Context
from memtui.workspace.journal.items import unbody

_ALIKE = 0.65  # how much of two texts must be the same, of 1
_APART = 0.1  # by how much less any other may be like either
_MOST = 400  # pairs of texts in one entity or file that are compared
_SHORT, _WORDS_READ = 200, 100  # characters of a text whose letters are compared; words of any
_READ = 4_000  # characters of a text in which these words are looked for
_WORDS = re.compile(r"\w+")
_OF_WHOM = ("subject", "category")


@dataclass(frozen=True, slots=True)
class _Row:
    """A memory that is no longer where the mirror has it."""

    id: int
    home: str
    fields: Mapping[str, Any]  # what it says: content, subject, category

    @property
    def text(self) -> str:
        return str(self.fields["content"])


def followed(
    ctx: Context,
    store_id: int,
    named_by_text: Callable[[str], bool],
    fresh: Sequence[Record],
    gone: Collection[int],
    busy: Collection[int],
) -> dict[int, Record]:
    """The rows that go on as one of the `fresh` records, of those that are `gone` from the store and those
    that memtui took out; never one of the `busy` ones, which a change of ours is about."""
    new = [record for record in fresh if named_by_text(record.ref)]
    rows = list(_gone(ctx, store_id, named_by_text, gone)) if new else []
    found = _as_before_ours(ctx, rows, new)
    found |= _returned(ctx, store_id, _left(fresh, found), busy)
    for pairs in (_alike, _renamed):
        found |= pairs([row for row in rows if row.id not in found], _left(new, found))
    return found


def _left(records: Sequence[Record], found: Mapping[int, Record]) -> list[Record]:
    taken = {record.ref for record in found.values()}
    return [record for record in records if record.ref not in taken]


@dataclass(frozen=True, slots=True)
class Ours:
    """A change that memtui wrote into a store: its item, line and kind, fields before and after."""

    item: int
    line: int
    kind: str
    before: dict[str, Any]
    after: dict[str, Any]

    def is_back(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
        """Whether a change by others, from `before` to `after`, is just this one the other way round."""
        names = after.keys() - TIMES
        return bool(names) and all(
            name in self.before
            and (self.after.get(name), self.before[name]) == (before.get(name), after[name])
            for name in names
        )


def ours(ctx: Context, fields: Mapping[int, Set[str]]) -> dict[int, Ours]:
    """Of each of these memories the newest change that touched one of these fields, where memtui wrote it."""
    found: dict[int, Ours] = {}
    rows = ctx.db.rows(_CHANGES, (json.dumps(list(fields)),))
    for id, item, line, kind, by_others, before, after in rows:
        if before is None or not fields[id] & unbody(after).keys():
            continue
        if by_others:
            found.pop(id, None)
        else:
            found[id] = Ours(item, line, kind, unbody(before), unbody(after))
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


def _gone(
    ctx: Context, store_id: int, named_by_text: Callable[[str], bool], ids: Collection[int]
) -> Iterator[_Row]:
    sql = (
        "SELECT id, ref, anchor, unit, content, subject, category FROM memories "
        "WHERE store_id = ? AND id IN (SELECT value FROM json_each(?)) ORDER BY id"
    )
    for id, ref, anchor, unit, *said in ctx.db.rows(sql, (store_id, json.dumps(list(ids)))):
        if named_by_text(ref):
            yield _Row(id, anchor or unit, dict(zip(("content", *_OF_WHOM), said, strict=True)))


_SAYS = ("content", "subject", "title", "key")
# What gave way to another, or left by a verdict, is not among them: that would hold for what an agent insists
# on, which is for the person to judge.
_OUT = f"""
SELECT id, anchor, unit, {", ".join(_SAYS)} FROM memories
WHERE store_id = ? AND ref IS NULL AND moved IS NOT NULL AND removed_at IS NULL AND status = 'dismissed'
AND superseded_by IS NULL
AND moved NOT IN (SELECT i.id FROM verdicts v JOIN journal_items i ON i.journal_id = v.entry_id)
"""


def _returned(
    ctx: Context, store_id: int, fresh: Sequence[Record], busy: Collection[int]
) -> dict[int, Record]:
    """The dismissed ones that stand in their place again, saying the same; where several would do, none."""
    there: dict[tuple[str, ...], list[Record]] = {}
    for record in fresh:
        said = (_home(record), *(str(record.fields.get(name) or "") for name in _SAYS))
        there.setdefault(said, []).append(record)
    here: dict[tuple[str, ...], list[int]] = {}
    for id, anchor, unit, *says in ctx.db.rows(_OUT, (store_id,)) if fresh else ():
        here.setdefault((anchor or unit, *(each or "" for each in says)), []).append(id)
    return {
        ids[0]: there[said][0]
        for said, ids in here.items()
        if len(ids) == len(there.get(said, ())) == 1 and ids[0] not in busy and any(said[1:])
    }


def _home(record: Record) -> str:
    """Within what a memory stays when it is reworded: its entity, or the file that it is a line of."""
    return record.anchor or record.unit


def _text(record: Record) -> str:
    return str(record.fields.get("content") or "")


def _as_before_ours(ctx: Context, rows: Sequence[_Row], new: Sequence[Record]) -> dict[int, Record]:
    """Those that say again what they said before our newest change of them."""
    newest = ours(ctx, {row.id: {"content", *_OF_WHOM} for row in rows})
    by_text: dict[tuple[Any, ...], list[Record]] = {}
    for record in new:
        by_text.setdefault((_text(record), *map(record.fields.get, _OF_WHOM)), []).append(record)
    found = {}
    for row in rows:
        before = newest[row.id].before if row.id in newest else {}
        was = {**row.fields, **{name: before[name] for name in row.fields if name in before}}
        there = by_text.get((was["content"], *map(was.get, _OF_WHOM)))
        if was != row.fields and there:
            found[row.id] = there.pop(0)
    return found


def _alike(rows: Sequence[_Row], new: Sequence[Record]) -> dict[int, Record]:
    """Those of which one alone in the same place says nearly the same."""
    there: dict[str, list[Record]] = {}
    for record in new:
        there.setdefault(_home(record), []).append(record)
    here: dict[str, list[_Row]] = {}
    for row in rows:
        here.setdefault(row.home, []).append(row)
    found: dict[int, Record] = {}
    for home in here.keys() & there.keys():
        if len(here[home]) * len(there[home]) > _MOST:
            continue
        scores = {
            (row.id, record.ref): _likeness(row.text, _text(record))
            for row in here[home]
            for record in there[home]
        }
        best: dict[int | str, list[float]] = {}
        for pair, score in scores.items():
            for each in pair:
                best[each] = sorted((*best.get(each, ()), score))[-2:]
        by_ref = {record.ref: record for record in there[home]}
        for (id, ref), score in scores.items():
            rivals = [*best[id][:-1], *best[ref][:-1]]
            if (
                score >= max(_ALIKE, best[id][-1], best[ref][-1])
                and max(rivals, default=0.0) <= score - _APART
            ):
                found[id] = by_ref[ref]
    return found


def _likeness(one: str, other: str) -> float:
    """How much of two texts is the same, of 1: of their words or, in short ones, of their letters."""
    words, others = (_WORDS.findall(text[:_READ].casefold())[:_WORDS_READ] for text in (one, other))
    most = 2 * (Counter(words) & Counter(others)).total() / max(1, len(words) + len(others))
    by_words = SequenceMatcher(None, words, others, autojunk=False).ratio() if most >= _ALIKE else 0.0
    if by_words >= _ALIKE or max(len(one), len(other)) > _SHORT:
        return by_words
    letters = SequenceMatcher(None, one, other, autojunk=False)
    if letters.real_quick_ratio() - _APART < _ALIKE or letters.quick_ratio() - _APART < _ALIKE:
        return by_words
    return max(by_words, letters.ratio() - _APART)


def _renamed(rows: Sequence[_Row], new: Sequence[Record]) -> dict[int, Record]:
    """Those of an entity that is there under another name, with all that it said; of several that said the
    same none is known to be the one."""
    there: dict[tuple[str, ...], list[list[Record]]] = {}
    for records in _grouped(new, _home):
        there.setdefault(tuple(sorted(map(_text, records))), []).append(records)
    here: dict[tuple[str, ...], list[list[_Row]]] = {}
    for group in _grouped(rows, lambda row: row.home):
        here.setdefault(tuple(sorted(row.text for row in group)), []).append(group)
    found: dict[int, Record] = {}
    for texts, groups in here.items():
        same = there.get(texts, [])
        if len(same) == len(groups) == 1 and groups[0][0].fields["subject"] and any(texts):
            left = sorted(same[0], key=_text)
            ids = [row.id for row in sorted(groups[0], key=lambda row: row.text)]
            found |= dict(zip(ids, left, strict=True))
    return found


def _grouped(each: Sequence[Any], key: Callable[[Any], str]) -> Iterator[list[Any]]:
    groups: dict[str, list[Any]] = {}
    for one in each:
        groups.setdefault(key(one), []).append(one)
    return iter(groups.values())
