"""The sweep: each memory that waits is held against those that it may conflict with or repeat (S-40).

In small batches: what is found and that they wait no more is one transaction, and judging goes on outside
of it. So a sweep can be cut off anywhere and goes on from there, and two may go on at once.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain
from random import Random
from typing import TYPE_CHECKING, Any

from memtui.memory import contradictions
from memtui.memory.contradictions import reasons
from memtui.memory.contradictions.pairs import (
    BOTH_TRUE,
    CONTRADICTION,
    DUPLICATE,
    EXACT,
    Judgement,
    ScanResult,
)
from memtui.text import counted
from memtui.workspace.background import JobControl
from memtui.workspace.contradictions.candidates import Candidates, Compared, Word, echoes, said_now
from memtui.workspace.db.database import in_words

if TYPE_CHECKING:
    from memtui.workspace.context import Context

BATCH, WINDOW = 16, 1_024  # memories of a transaction, and that are taken from the queue at a time
_NO_WORD = Word(False, None)
_LENGTH = 400  # characters of what is kept of a finding's words and reason
_LIVE = "memory_id IN (SELECT id FROM memories WHERE live = 1)"
_FOUND = (
    "INSERT INTO pairs "
    "(a, b, family, kind, score, words_a, words_b, reason, topic, clause_a, clause_b, digest_a, digest_b, "
    "found_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (a, b) DO UPDATE SET "
    # The same finding as before is as old as before, or as its store says: an edit that does not settle it
    # starts no new week.
    "found_at = iif(family = excluded.family AND kind = excluded.kind AND (stands OR "
    "(digest_a, digest_b) = (excluded.digest_a, excluded.digest_b)), min(found_at, excluded.found_at), "
    "excluded.found_at), "
    "family = excluded.family, kind = excluded.kind, score = excluded.score, words_a = excluded.words_a, "
    "words_b = excluded.words_b, reason = excluded.reason, "
    "clause_a = excluded.clause_a, clause_b = excluded.clause_b, "
    # What was taught to have several values may be untaught: these two are then judged again.
    "topic = iif(excluded.topic = '' AND (digest_a, digest_b) = (excluded.digest_a, excluded.digest_b), topic, "
    "excluded.topic), digest_a = excluded.digest_a, digest_b = excluded.digest_b, is_current = 1"
)


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two memories that were judged, a < b; of the batch is `of`."""

    of: int
    a: Compared
    b: Compared
    judgement: Judgement
    since: float | None = None  # by its store


def work_off(ctx: Context, manners: JobControl | None = None, ids: Sequence[int] | None = None) -> ScanResult:
    """Compare what waits, or of these memories those that do; Refused where nothing may be kept."""
    ctx.writable()
    with in_words(ctx.path):
        return _Sweep(ctx, manners or JobControl(), ids).run()


def left(ctx: Context) -> int:
    """How many live memories wait to be compared."""
    return int(ctx.db.one(f"SELECT count(*) FROM scan_queue WHERE {_LIVE}"))


def taught(ctx: Context) -> frozenset[tuple[str, str]]:
    """What a person said may have several values, as (topic, subject): of whom it was said; and of
    anybody, subject "", once it was said of two. It stays taught when the texts change."""
    said: dict[str, set[str]] = {}
    sql = "SELECT DISTINCT topic, subject FROM verdicts WHERE verdict = ? AND topic <> ''"
    for topic, subject in ctx.db.rows(sql, (BOTH_TRUE,)):
        said.setdefault(topic, set()).add(subject.strip().casefold())
    known = {(topic, subject) for topic, subjects in said.items() for subject in subjects if subject}
    return frozenset(known | {(topic, "") for topic, subjects in said.items() if len(subjects) > 1})


class _Sweep:
    """One run over the queue."""

    def __init__(self, ctx: Context, manners: JobControl, ids: Sequence[int] | None) -> None:
        self._ctx, self._manners = ctx, manners
        self._only = "" if ids is None else " AND memory_id IN (SELECT value FROM json_each(?))"
        self._values = () if ids is None else (json.dumps(list(ids)),)
        self._memories = self._judged = self._found = self._gone = self._wordy = 0
        self._odd: set[tuple[int, int]] = set()  # pairs that could not be judged
        # The window's memories that still wait, and its last one; those behind it may wait, too.
        self._waiting: set[int] = set()
        self._last = 0
        # With whom a memory that still waits was judged from the other end, and what it said then.
        self._seen: dict[int, tuple[Any, set[int]]] = {}

    def run(self) -> ScanResult:
        self._forget_gone()
        waiting = self._queued()
        if waiting:
            candidates = Candidates(self._ctx, waiting)
            while self._window(candidates):
                pass
        return ScanResult(self._memories, self._judged, self._found, self._gone, left(self._ctx), self._how())

    def _how(self) -> str:
        how = []
        if self._wordy:
            which = "all" if self._wordy == self._memories else f"{self._wordy:,} of {self._memories:,}"
            how.append(f"{which} by words only, until they are read by meaning")
        if self._odd:
            how.append(f"{_pairs(len(self._odd))} left out that could not be judged")
        return "; ".join(how)

    def _queued(self) -> int:
        sql = f"SELECT count(*) FROM scan_queue WHERE {_LIVE}{self._only}"
        return int(self._ctx.db.one(sql, self._values))

    def _forget_gone(self) -> None:
        """What is no longer live is compared with nothing; what only said the same as it looks for
        another one."""
        db = self._ctx.db
        gone = f"SELECT memory_id FROM scan_queue WHERE NOT ({_LIVE})"
        if db.one(f"{gone} LIMIT 1") is None:
            return
        with self._ctx.writing, db.atomic():
            for one, other in (("a", "b"), ("b", "a")):
                db.run(
                    f"INSERT OR REPLACE INTO scan_queue (memory_id) SELECT p.{other} FROM pairs p "
                    f"JOIN memories m ON m.id = p.{other} AND m.live = 1 "
                    f"WHERE p.{one} IN ({gone}) AND p.kind = ? AND p.is_current",
                    (EXACT,),
                )
            db.run(f"DELETE FROM scan_queue WHERE NOT ({_LIVE})")

    def _window(self, candidates: Candidates) -> bool:
        """Take the next part of the queue and compare it; whether there was any, and work on it goes on."""
        waiting = self._queued()
        sql = f"SELECT memory_id FROM scan_queue WHERE {_LIVE}{self._only} ORDER BY memory_id LIMIT ?"
        taken = [int(id) for (id,) in self._ctx.db.rows(sql, (*self._values, WINDOW))]
        self._waiting, self._last = set(taken), max(taken, default=0)
        batches = [taken[start : start + BATCH] for start in range(0, len(taken), BATCH)]
        Random(os.getpid()).shuffle(batches)  # another memtui takes them in another order
        before = self._memories
        for batch in batches:
            self._manners.wait()
            if self._stopped():
                return False
            self._batch(candidates, batch)
            self._manners.tell(self._memories, max(0, before + waiting - self._memories))
            self._manners.judged(self._judged)
        return self._memories > before

    def _stopped(self) -> bool:
        return self._manners.stop() or self._ctx.closing.is_set()

    def _batch(self, candidates: Candidates, ids: Sequence[int]) -> None:
        these = json.dumps(list(ids))
        sql = "SELECT memory_id, revision FROM scan_queue WHERE memory_id IN (SELECT value FROM json_each(?))"
        turns: dict[int, int] = dict(self._ctx.db.rows(sql, (these,)))
        told = {id: one for id, one in candidates.read(turns, anew=True).items() if one.live}
        if not told:
            return
        # Before the vectors are read: one that comes meanwhile has it wait again.
        held = candidates.of(told)
        wordy = candidates.without_vectors(told)
        marks, words = candidates.marked(these), candidates.told(these)
        known = taught(self._ctx)
        done, judged = dict[int, Compared](), list[_Pair]()
        for id, one in told.items():
            if self._stopped():
                break
            others = candidates.read(held[id])
            judged += self._judge(one, others, marks.get(id, set()), words, known)
            done[id] = one
        self._keep(done, turns, judged)
        self._wordy += wordy if len(done) == len(told) else 0

    def _judge(
        self,
        one: Compared,
        others: Mapping[int, Compared],
        marks: Set[int],
        words: Mapping[tuple[int, int], Word],
        known: Set[tuple[str, str]],
    ) -> Iterator[_Pair]:
        said, seen = self._seen.pop(one.id, (None, set[int]()))
        self._waiting.discard(one.id)
        common = _of_template(one, others.values())
        for other in others.values():
            marked = other.id in marks
            if not other.live or (other.id in seen and said == one.as_compared and not marked):
                continue
            a, b = (one, other) if one.id < other.id else (other, one)
            word = words.get((a.id, b.id), _NO_WORD)
            if word.settled and not marked:
                yield _Pair(one.id, a, b, Judgement())  # by its store: it stays so
                continue
            try:
                judgement = contradictions.judge(a.side, b.side, marked=marked, taught=known, common=common)
            except Exception:  # one odd text must not keep all others waiting
                self._odd.add((a.id, b.id))
                continue
            yield _Pair(one.id, a, b, judgement, word.since)
            if other.id in self._waiting or other.id > self._last:
                self._seen.setdefault(other.id, (other.as_compared, set()))[1].add(one.id)

    def _keep(self, done: Mapping[int, Compared], turns: Mapping[int, int], judged: Sequence[_Pair]) -> None:
        """What was found of these; those that were queued anew meanwhile wait on."""
        ctx, db = self._ctx, self._ctx.db
        these = json.dumps(list(done))
        sql = "SELECT memory_id, revision FROM scan_queue WHERE memory_id IN (SELECT value FROM json_each(?))"
        with ctx.writing, db.atomic():
            still = {id for id, turn in db.rows(sql, (these,)) if turns.get(id) == turn}
            pairs = {(pair.a.id, pair.b.id): pair for pair in judged if pair.of in still}
            stand = self._standing(these)
            unmet = self._unmet([done[id] for id in still], stand, judged)
            rows = [row for pair in pairs.values() if (row := _row(pair, ctx.clock())) is not None]
            # One that another sweep saw in other words is judged by that one.
            now = said_now(ctx, {id for row in rows for id in row[:2]})
            rows = [row for row in rows if (now.get(row[0]), now.get(row[1])) == row[11:13]]
            found = {row[:2]: row[3] for row in rows}
            gone = [ids for ids in pairs if ids in stand and _row(pairs[ids], 0.0) is None]
            db.run_many(_FOUND, rows)
            db.run_many("UPDATE pairs SET is_current = 0 WHERE a = ? AND b = ?", gone)
            db.run_many(
                "INSERT OR REPLACE INTO scanned (memory_id, fingerprint) VALUES (?, ?)",
                [(id, done[id].gist) for id in still],
            )
            db.run_many("DELETE FROM scan_queue WHERE memory_id = ?", [(id,) for id in still - unmet])
            # What only said the same as one that says something else now looks for another one.
            freed = [ids for ids in pairs if stand.get(ids) == EXACT and found.get(ids) != EXACT]
            db.run_many(
                "INSERT OR REPLACE INTO scan_queue (memory_id) "
                "SELECT id FROM memories WHERE id = ? AND live = 1",
                [(b if pairs[a, b].of == a else a,) for a, b in freed],
            )
        self._memories += len(still - unmet)
        self._judged += len(judged)
        self._found += len(found.keys() - stand.keys())
        self._gone += len(gone)
        ctx.on_step("after a batch of the sweep")

    def _unmet(
        self, told: Sequence[Compared], stand: Mapping[tuple[int, int], str], judged: Sequence[_Pair]
    ) -> set[int]:
        """Those of which another sweep took in an equal text meanwhile, so that neither saw the other."""
        met = {(pair.a.id, pair.b.id) for pair in judged} | {ids for ids in stand if stand[ids] == EXACT}
        sides: dict[int, set[int]] = {}
        for a, b in met:
            sides.setdefault(a, set()).add(b)
            sides.setdefault(b, set()).add(a)
        found: set[int] = set()
        for one in told:
            same = echoes(self._ctx, one) if one.gist is not None else []
            if same and sides.get(one.id, set()).isdisjoint(same):
                found.add(one.id)
        return found

    def _standing(self, ids: str) -> dict[tuple[int, int], str]:
        """The findings that stand of these, with their kinds."""
        these = "(SELECT value FROM json_each(?))"
        rows = (
            self._ctx.db.rows(f"SELECT a, b, kind FROM pairs WHERE is_current AND {end} IN {these}", (ids,))
            for end in ("a", "b")
        )
        return {(int(a), int(b)): str(kind) for a, b, kind in chain.from_iterable(rows)}


def _of_template(one: Compared, others: Iterable[Compared]) -> contradictions.Phrases:
    """The phrases that a memory shares with many about other things, as far as they can be read."""
    try:
        return contradictions.shared(one.side, (other.side for other in others))
    except Exception:  # judged one by one, the odd one is left out
        return frozenset()


def _pairs(count: int) -> str:
    return counted(count, "pair")


def _row(pair: _Pair, now: float) -> tuple[Any, ...] | None:
    """A finding as `pairs` holds it; None where the two are nothing to each other."""
    judgement = pair.judgement
    if judgement.conflicts:
        conflict = judgement.conflicts[0]
        said = (
            CONTRADICTION,
            conflict.kind,
            conflict.score,
            *conflict.words,
            reasons.conflict_reason(conflict),
            conflict.topic,
            *conflict.clauses,
        )
    elif judgement.duplicate_kind:
        score = 1.0 if judgement.duplicate_kind == EXACT else judgement.overlap
        said = (
            DUPLICATE,
            judgement.duplicate_kind,
            score,
            "",
            "",
            reasons.duplicate_reason(judgement),
            "",
            "",
            "",
        )
    else:
        return None
    texts = (text[:_LENGTH] if isinstance(text, str) else text for text in said)
    return (pair.a.id, pair.b.id, *texts, pair.a.said, pair.b.said, min(now, pair.since or now))
