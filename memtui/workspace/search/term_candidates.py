"""Memories that share significant words with a question, the best first: any word may match (S-30).

The cost of bm25 grows with the matching rows, so the commonest words are left out where they would match too
many; they still count when the candidates are ranked.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memtui.memory.ranking import COMMON, FEW, QueryTerms, stem, weigh_terms
from memtui.values import SqlValue

if TYPE_CHECKING:
    from memtui.workspace.db.database import Database

MAX_RANKED = 400  # rows
SAMPLE = 200  # matches of a word from which their number is estimated
RARE = 3  # memories with a word, up to which it may be a name
MAX_WORDS = 16  # of a question that are looked up, the first ones
_WEIGHTS = "8.0, 6.0, 4.0, 1.0, 3.0, 1.0"  # title, key, subject, content, tags, source


def weigh_words(
    db: Database, words: Sequence[str], last: str = "", seen: tuple[str, Sequence[SqlValue]] | None = None
) -> tuple[QueryTerms, dict[str, int]]:
    """Return the weights of words in this workspace, and about how many memories have each of them.

    With `seen`, a condition on `m`, only memories that meet it count: a word that only others have weighs as
    much as one that nothing has, and takes as long.
    """
    words = words[:MAX_WORDS]
    newest = int(db.one("SELECT max(id) FROM memories") or 0)
    counts = {word: _count(db, fts_expression(word, word == last), newest, seen) for word in words}
    share = {word: count / max(1, newest) for word, count in counts.items()}
    ignored = _unknown_beside_name(db, counts, last)
    return weigh_terms(words, share.__getitem__, last, newest >= FEW, ignored), counts


def _unknown_beside_name(db: Database, counts: dict[str, int], last: str) -> list[str]:
    """Return the words that no memory has, if the others are rare and one is in a tag or key.

    Vectors do not cover tags and keys, so unknown words would outweigh what that name finds.
    """
    known = [word for word, count in counts.items() if count]
    if not known or len(known) == len(counts) or any(counts[word] > RARE for word in known):
        return []
    match = " OR ".join(fts_expression(word, word == last) for word in known)
    if db.one("SELECT 1 FROM words WHERE words MATCH ? LIMIT 1", (f"{{key tags}} : ({match})",)) is None:
        return []
    return [word for word, count in counts.items() if not count]


def fts_expression(word: str, unfinished: bool = False) -> str:
    """Return a word as FTS5 takes it: itself or with another ending; any continuation if unfinished."""
    root = stem(word)
    if unfinished:
        return f'"{word}"*'
    # A short stem would match half the dictionary.
    return f'("{word}" OR "{root}"*)' if len(root) >= 4 else f'"{word}"'


def _count(db: Database, match: str, newest: int, seen: tuple[str, Sequence[SqlValue]] | None) -> int:
    """Return about how many memories match; with `seen` those of them that meet it, as they are among the
    first."""
    if seen is None:
        return _count_all(db, match, newest)
    where, bindings = seen
    sql = (
        f"SELECT count(*), coalesce(sum({where}), 0) FROM "
        "(SELECT rowid AS id FROM words WHERE words MATCH ? ORDER BY rowid LIMIT ?) f "
        "CROSS JOIN memories m ON m.id = f.id"
    )
    ((count, passing),) = db.rows(sql, (*bindings, match, SAMPLE + 1))
    if count <= SAMPLE:
        return int(passing)
    return math.ceil(_count_all(db, match, newest) * int(passing) / int(count))


def _count_all(db: Database, match: str, newest: int) -> int:
    """Return about how many memories match: exactly up to SAMPLE, beyond that by how dense the first and the
    last matches are, whichever gives less, since matches of one store are close together."""
    sql = (
        "SELECT count(*), min(rowid), max(rowid) FROM "
        "(SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid {} LIMIT ?)"
    )
    ((count, _, last),) = db.rows(sql.format("ASC"), (match, SAMPLE + 1))
    if count <= SAMPLE:
        return int(count)
    estimate = max(SAMPLE, int(count * newest / max(1, last)))
    if estimate < COMMON * newest / 2:
        return estimate  # rare enough, wherever its matches are
    ((_, first, _),) = db.rows(sql.format("DESC"), (match, SAMPLE + 1))
    return max(SAMPLE, min(estimate, int(count * newest / max(1, newest + 1 - first))))


def best_matches(
    db: Database,
    counts: dict[str, int],
    last: str,
    where: str,
    bindings: Sequence[SqlValue],
    limit: int,
) -> list[int]:
    """Return the `limit` best by bm25 of the memories that meet a condition on `m`."""
    known = sorted((count, word) for word, count in counts.items() if count)
    if not known:
        return []
    match, floor = _ranked_expression(db, known, last)
    ranked = (
        f"SELECT rowid AS id, bm25(words, {_WEIGHTS}) AS score FROM words "
        "WHERE words MATCH ? AND rowid >= ? ORDER BY score, id DESC LIMIT ?"
    )
    sql = (
        f"SELECT f.id, coalesce(({where}), 0) FROM ({ranked}) f CROSS JOIN memories m ON m.id = f.id "
        "ORDER BY f.score, f.id DESC"
    )
    # Most memories meet the condition, so it is evaluated for the best matches only.
    best = db.rows(sql, (*bindings, match, floor, 2 * limit))
    ids = [int(id) for id, passes in best if passes][:limit]
    if len(ids) >= limit or 2 * len(ids) > len(best):
        return ids
    # Too few are left: match all words, among the newest memories that meet the condition.
    match = " OR ".join(fts_expression(word, word == last) for _, word in known)
    passing = f"FROM words CROSS JOIN memories m ON m.id = words.rowid WHERE words MATCH ? AND {where} "
    sql = f"SELECT words.rowid {passing} ORDER BY words.rowid DESC LIMIT 1 OFFSET ?"
    floor = int(db.one(sql, (match, *bindings, MAX_RANKED)) or 0)
    sql = f"SELECT m.id {passing} AND words.rowid >= ? ORDER BY bm25(words, {_WEIGHTS}), m.id DESC LIMIT ?"
    more = (int(row[0]) for row in db.rows(sql, (match, *bindings, floor, limit)))
    return list(dict.fromkeys([*ids, *more]))[:limit]


def _ranked_expression(db: Database, known: list[tuple[int, str]], last: str) -> tuple[str, int]:
    """Return the expression that is ranked, and the row from which on: the rarest words that together match
    at most MAX_RANKED rows. `known` are (count, word), the rarest first."""
    total = 0
    chosen: list[str] = []
    for count, word in known:
        if chosen and total + count > MAX_RANKED:
            break
        chosen.append(word)
        total += count
    match = " OR ".join(fts_expression(word, word == last) for word in chosen)
    if total <= MAX_RANKED:
        return match, 0
    # A single word, and a common one.
    if len(known) > 1:
        every = " AND ".join(fts_expression(word, word == last) for _, word in known)
        sql = "SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)"
        if db.one(sql, (every, MAX_RANKED + 1)):
            match = every
    return match, _floor(db, match)


def _floor(db: Database, match: str) -> int:
    """Return the row from which on matches are ranked: the MAX_RANKEDth newest, 0 if there are fewer."""
    sql = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT 1 OFFSET ?"
    return int(db.one(sql, (match, MAX_RANKED)) or 0)
