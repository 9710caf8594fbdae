"""Memories that share telling words with a question, the best first: any word may match (S-30).

bm25 costs by the matching row, so the commonest words give way where they would match too many; they
still count when the candidates are weighed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from memtui.memory.ranking import COMMON, FEW, Asked, asked, stem

if TYPE_CHECKING:
    from memtui.workspace.db.database import Database

CAP = 400  # rows that are ranked
SAMPLE = 200  # matches of a word from which it is told how many there are
RARE = 3  # memories that say a word, up to which it names something
WORDS = 16  # of a question that are looked up, the first ones
_WEIGHTS = "8.0, 6.0, 4.0, 1.0, 3.0, 1.0"  # title, key, subject, content, tags, source


def weigh(db: Database, words: Sequence[str], last: str = "") -> tuple[Asked, dict[str, int]]:
    """How telling each word is in this workspace, and about how many memories say it."""
    words = words[:WORDS]
    newest = int(db.one("SELECT max(id) FROM memories") or 0)
    counts = {word: _count(db, expression(word, word == last), newest) for word in words}
    share = {word: count / max(1, newest) for word, count in counts.items()}
    ignored = _beside_a_name(db, counts, last)
    return asked(words, share.__getitem__, last, newest >= FEW, ignored), counts


def _beside_a_name(db: Database, counts: dict[str, int], last: str) -> list[str]:
    """The words that no memory says, where a tag or a key has one of the others and few say any of
    these: no vector knows of tags and keys, so what that name finds must not drown in unknown words."""
    heard = [word for word, count in counts.items() if count]
    if not heard or len(heard) == len(counts) or any(counts[word] > RARE for word in heard):
        return []
    match = " OR ".join(expression(word, word == last) for word in heard)
    if db.one("SELECT 1 FROM words WHERE words MATCH ? LIMIT 1", (f"{{key tags}} : ({match})",)) is None:
        return []
    return [word for word, count in counts.items() if not count]


def expression(word: str, begun: bool = False) -> str:
    """A word as FTS5 asks for it: itself, or with another ending."""
    root = stem(word)
    if begun:
        return f'"{word}"*'
    # A short beginning would match half the dictionary.
    return f'("{word}" OR "{root}"*)' if len(root) >= 4 else f'"{word}"'


def _count(db: Database, match: str, newest: int) -> int:
    """About how many memories match: exact up to SAMPLE, beyond that by how dense the first and the last
    ones lie, whichever are fewer: one store's words stand close together."""
    sql = (
        "SELECT count(*), min(rowid), max(rowid) FROM "
        "(SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid {} LIMIT ?)"
    )
    ((count, _, last),) = db.rows(sql.format("ASC"), (match, SAMPLE + 1))
    if count <= SAMPLE:
        return int(count)
    about = max(SAMPLE, int(count * newest / max(1, last)))
    if about < COMMON * newest / 2:
        return about  # telling enough, however it lies
    ((_, first, _),) = db.rows(sql.format("DESC"), (match, SAMPLE + 1))
    return max(SAMPLE, min(about, int(count * newest / max(1, newest + 1 - first))))


def found(
    db: Database,
    counts: dict[str, int],
    last: str,
    where: str,
    values: Sequence[Any],
    limit: int,
) -> list[int]:
    """The `limit` best by bm25 among the memories that pass a condition on `m`."""
    there = sorted((count, word) for word, count in counts.items() if count)
    if not there:
        return []
    total = 0
    chosen: list[str] = []
    for count, word in there:
        if chosen and total + count > CAP:
            break
        chosen.append(word)
        total += count
    match, floor = " OR ".join(expression(word, word == last) for word in chosen), 0
    if total > CAP:  # one word alone, and a common one
        if len(there) > 1:
            every = " AND ".join(expression(word, word == last) for _, word in there)
            sql = "SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)"
            if db.one(sql, (every, CAP + 1)):
                match = every
        floor = _floor(db, match)
    ranked = (
        f"SELECT rowid AS id, bm25(words, {_WEIGHTS}) AS score FROM words "
        "WHERE words MATCH ? AND rowid >= ? ORDER BY score, id DESC LIMIT ?"
    )
    sql = (
        f"SELECT f.id, coalesce(({where}), 0) FROM ({ranked}) f CROSS JOIN memories m ON m.id = f.id "
        "ORDER BY f.score, f.id DESC"
    )
    # Most pass: the condition is asked of the best alone.
    best = db.rows(sql, (*values, match, floor, 2 * limit))
    ids = [int(id) for id, passes in best if passes][:limit]
    if len(ids) >= limit or 2 * len(ids) > len(best):
        return ids
    # Too few are left: all words, in the newest of those that pass, wherever these stand.
    match = " OR ".join(expression(word, word == last) for _, word in there)
    passing = f"FROM words CROSS JOIN memories m ON m.id = words.rowid WHERE words MATCH ? AND {where} "
    sql = f"SELECT words.rowid {passing} ORDER BY words.rowid DESC LIMIT 1 OFFSET ?"
    floor = int(db.one(sql, (match, *values, CAP)) or 0)
    sql = f"SELECT m.id {passing} AND words.rowid >= ? ORDER BY bm25(words, {_WEIGHTS}), m.id DESC LIMIT ?"
    more = (int(row[0]) for row in db.rows(sql, (match, *values, floor, limit)))
    return list(dict.fromkeys([*ids, *more]))[:limit]


def _floor(db: Database, match: str) -> int:
    """The row from which on matches are ranked: the CAPth newest, 0 where there are fewer."""
    sql = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT 1 OFFSET ?"
    return int(db.one(sql, (match, CAP)) or 0)
