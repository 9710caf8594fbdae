"""The scan that compares queued memories with others and stores the pairs found (S-40).

Storing the findings of a batch and taking it off the queue is one transaction; judging happens outside of
it. A scan can therefore stop anywhere and continue later, and two may run at once.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain
from random import Random
from typing import TYPE_CHECKING

from memtui.memory.contradictions import reasons, templates
from memtui.memory.contradictions.judgement import judge
from memtui.memory.contradictions.pairs import (
    BOTH_TRUE,
    CONTRADICTION,
    DUPLICATE,
    EXACT,
    Judgement,
    ScanResult,
)
from memtui.values import SqlRow
from memtui.workspace.background import JobControl
from memtui.workspace.contradictions import for_rules, stated, wording
from memtui.workspace.contradictions.candidates import Candidates, equal_texts
from memtui.workspace.contradictions.compared import Compared, current_digests
from memtui.workspace.contradictions.queue import QUEUED_LIVE, queued
from memtui.workspace.contradictions.stated import RecordedContradiction
from memtui.workspace.db.database import translate_errors
from memtui.workspace.db.models import Pair, Scanned, ScanQueue

if TYPE_CHECKING:
    from memtui.workspace.context import Context

BATCH = 16  # memories per transaction
WINDOW = 1_024  # memories taken from the queue at a time
_NOT_RECORDED = RecordedContradiction(False, None)
_LENGTH = 400  # characters stored of a finding's values and reason
_FOUND = (
    "INSERT INTO pairs "
    "(a, b, family, kind, score, words_a, words_b, reason, topic, clause_a, clause_b, digest_a, digest_b, "
    "found_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (a, b) DO UPDATE SET "
    # A finding that was found before keeps its age, or its store's: an edit that does not settle it must not
    # restart the week until it escalates.
    "found_at = iif(family = excluded.family AND kind = excluded.kind AND (is_current OR "
    "(digest_a, digest_b) = (excluded.digest_a, excluded.digest_b)), min(found_at, excluded.found_at), "
    "excluded.found_at), "
    "family = excluded.family, kind = excluded.kind, score = excluded.score, words_a = excluded.words_a, "
    "words_b = excluded.words_b, reason = excluded.reason, "
    "clause_a = excluded.clause_a, clause_b = excluded.clause_b, "
    # The topic is kept so that the pair is judged again if "may have several values" is undone.
    "topic = iif(excluded.topic = '' AND (digest_a, digest_b) = (excluded.digest_a, excluded.digest_b), "
    "topic, excluded.topic), digest_a = excluded.digest_a, digest_b = excluded.digest_b, is_current = 1"
)


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two memories that were judged, a < b; `memory_id` is the one from the batch."""

    memory_id: int
    a: Compared
    b: Compared
    judgement: Judgement
    since: float | None = None  # as its store records it


def run(ctx: Context, control: JobControl | None = None, ids: Sequence[int] | None = None) -> ScanResult:
    """Compare the queued memories, only those of `ids` if given; raise Refused if the workspace is
    read-only."""
    ctx.writable()
    with translate_errors(ctx.path):
        return _Scan(ctx, control or JobControl(), ids).run()


def multi_valued(ctx: Context) -> frozenset[tuple[str, str]]:
    """Return the (topic, subject) pairs that "both true" verdicts made multi-valued.

    Two subjects of a topic make it multi-valued for all, as subject "". It stays so when the texts change.
    """
    subjects_of: dict[str, set[str]] = {}
    sql = "SELECT DISTINCT topic, subject FROM verdicts WHERE verdict = ? AND topic <> ''"
    for topic, subject in ctx.db.rows(sql, (BOTH_TRUE,)):
        subjects_of.setdefault(topic, set()).add(subject.strip().casefold())
    known = {(topic, subject) for topic, subjects in subjects_of.items() for subject in subjects if subject}
    return frozenset(known | {(topic, "") for topic, subjects in subjects_of.items() if len(subjects) > 1})


class _Scan:
    """One run over the queue."""

    def __init__(self, ctx: Context, control: JobControl, ids: Sequence[int] | None) -> None:
        self._ctx, self._control = ctx, control
        self._only = "" if ids is None else " AND memory_id IN (SELECT value FROM json_each(?))"
        self._values = () if ids is None else (json.dumps(list(ids)),)
        self._memories = self._judged = self._found = self._gone = self._by_text = 0
        self._failed: set[tuple[int, int]] = set()  # pairs that could not be judged
        # The window's memories still to be compared, and its last one; later ones may be queued, too.
        self._waiting: set[int] = set()
        self._last = 0
        # What a queued memory was already judged against from the other end, with its key at that time.
        self._seen: dict[int, tuple[object, set[int]]] = {}

    def run(self) -> ScanResult:
        self._drop_removed()
        waiting = self._queued()
        if waiting:
            candidates = Candidates(self._ctx, waiting)
            while self._window(candidates):
                pass
        return ScanResult(
            self._memories, self._judged, self._found, self._gone, queued(self._ctx), self._limitation()
        )

    def _limitation(self) -> str:
        remarks = []
        if self._by_text:
            remarks.append(wording.by_text_only(self._by_text, self._memories))
        if self._failed:
            remarks.append(wording.not_judged(len(self._failed)))
        return "; ".join(remarks)

    def _queued(self) -> int:
        sql = f"SELECT count(*) FROM scan_queue WHERE {QUEUED_LIVE}{self._only}"
        return int(self._ctx.db.one(sql, self._values))

    def _drop_removed(self) -> None:
        """Take memories that are no longer live off the queue, and queue what was only equal to them."""
        db = self._ctx.db
        gone = f"SELECT memory_id FROM scan_queue WHERE NOT ({QUEUED_LIVE})"
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
            db.run(f"DELETE FROM scan_queue WHERE NOT ({QUEUED_LIVE})")

    def _window(self, candidates: Candidates) -> bool:
        """Compare the next part of the queue; return whether there was one and the scan should continue."""
        waiting = self._queued()
        sql = f"SELECT memory_id FROM scan_queue WHERE {QUEUED_LIVE}{self._only} ORDER BY memory_id LIMIT ?"
        taken = [int(id) for (id,) in self._ctx.db.rows(sql, (*self._values, WINDOW))]
        self._waiting, self._last = set(taken), max(taken, default=0)
        batches = [taken[start : start + BATCH] for start in range(0, len(taken), BATCH)]
        Random(os.getpid()).shuffle(batches)  # so that two memtuis take different batches
        before = self._memories
        for batch in batches:
            self._control.wait()
            if self._stopped():
                return False
            self._run_batch(candidates, batch)
            self._control.report(self._memories, max(0, before + waiting - self._memories))
            self._control.judged(self._judged)
        return self._memories > before

    def _stopped(self) -> bool:
        return self._control.stop() or self._ctx.closing.is_set()

    def _run_batch(self, candidates: Candidates, ids: Sequence[int]) -> None:
        these = json.dumps(list(ids))
        sql = "SELECT memory_id, revision FROM scan_queue WHERE memory_id IN (SELECT value FROM json_each(?))"
        revisions: dict[int, int] = dict(self._ctx.db.rows(sql, (these,)))
        batch = {
            id: each for id, each in candidates.memories.read(revisions, fresh=True).items() if each.live
        }
        if not batch:
            return
        # Candidates first: a vector that arrives after this queues its memory again.
        compared_with = candidates.find(batch)
        without_vectors = candidates.without_vectors(batch)
        marks, recorded = stated.marked(self._ctx, these), stated.recorded(self._ctx, these)
        known = multi_valued(self._ctx)
        done, judged = dict[int, Compared](), list[_Pair]()
        for id, memory in batch.items():
            if self._stopped():
                break
            others = candidates.memories.read(compared_with[id])
            judged += self._judge(memory, others, marks.get(id, set()), recorded, known)
            done[id] = memory
        self._store(done, revisions, judged)
        self._by_text += without_vectors if len(done) == len(batch) else 0

    def _judge(
        self,
        memory: Compared,
        others: Mapping[int, Compared],
        marks: Set[int],
        recorded: Mapping[tuple[int, int], RecordedContradiction],
        known: Set[tuple[str, str]],
    ) -> Iterator[_Pair]:
        seen_as, seen = self._seen.pop(memory.id, (None, set[int]()))
        self._waiting.discard(memory.id)
        common = _template_phrases(memory, others.values())
        for other in others.values():
            marked = other.id in marks
            if not other.live or (other.id in seen and seen_as == memory.comparison_key and not marked):
                continue
            a, b = (memory, other) if memory.id < other.id else (other, memory)
            record = recorded.get((a.id, b.id), _NOT_RECORDED)
            if record.settled and not marked:
                yield _Pair(memory.id, a, b, Judgement())  # the store settled it
                continue
            try:
                judged = judge(a.parsed, b.parsed, marked=marked, multi_valued=known, common=common)
            except Exception:  # one unusual text must not stop the scan
                self._failed.add((a.id, b.id))
                continue
            yield _Pair(memory.id, a, b, judged, record.since)
            if other.id in self._waiting or other.id > self._last:
                self._seen.setdefault(other.id, (other.comparison_key, set()))[1].add(memory.id)

    def _store(
        self, done: Mapping[int, Compared], revisions: Mapping[int, int], judged: Sequence[_Pair]
    ) -> None:
        """Store the findings and take memories off the queue, except those queued again meanwhile."""
        ctx, db = self._ctx, self._ctx.db
        these = json.dumps(list(done))
        sql = "SELECT memory_id, revision FROM scan_queue WHERE memory_id IN (SELECT value FROM json_each(?))"
        with ctx.writing, db.atomic():
            still = {id for id, revision in db.rows(sql, (these,)) if revisions.get(id) == revision}
            pairs = {(pair.a.id, pair.b.id): pair for pair in judged if pair.memory_id in still}
            current = self._current(these)
            missed = self._missed([done[id] for id in still], current, judged)
            rows = [row for pair in pairs.values() if (row := _row(pair, ctx.clock())) is not None]
            # A memory that changed meanwhile is judged by the scan that sees the new text.
            now = current_digests(ctx, {id for row in rows for id in row[:2]})
            rows = [row for row in rows if (now.get(row[0]), now.get(row[1])) == row[11:13]]
            found = {row[:2]: row[3] for row in rows}
            gone = [ids for ids in pairs if ids in current and _row(pairs[ids], 0.0) is None]
            db.run_many(_FOUND, rows)  # an upsert that keeps the age of known findings
            for_rules.queue(db, [row[:2] for row in rows if row[2] == CONTRADICTION])
            db.update_many(Pair, ("is_current",), ("a", "b"), [(False, *ids) for ids in gone])
            prints = [(id, done[id].fingerprint) for id in still]
            db.insert_many(Scanned, ("memory_id", "fingerprint"), prints, replace=True)
            db.delete_many(ScanQueue, ("memory_id",), [(id,) for id in still - missed])
            # A memory whose only equal one has changed has to find another.
            freed = [ids for ids in pairs if current.get(ids) == EXACT and found.get(ids) != EXACT]
            db.run_many(
                "INSERT OR REPLACE INTO scan_queue (memory_id) "
                "SELECT id FROM memories WHERE id = ? AND live = 1",
                [(b if pairs[a, b].memory_id == a else a,) for a, b in freed],
            )
        self._memories += len(still - missed)
        self._judged += len(judged)
        self._found += len(found.keys() - current.keys())
        self._gone += len(gone)
        ctx.on_step("after a batch of the scan")

    def _missed(
        self, memories: Sequence[Compared], current: Mapping[tuple[int, int], str], judged: Sequence[_Pair]
    ) -> set[int]:
        """Return the memories with an equal one that another scan compared at the same time, so that neither
        saw the other."""
        met = {(pair.a.id, pair.b.id) for pair in judged} | {ids for ids in current if current[ids] == EXACT}
        sides: dict[int, set[int]] = {}
        for a, b in met:
            sides.setdefault(a, set()).add(b)
            sides.setdefault(b, set()).add(a)
        found: set[int] = set()
        for memory in memories:
            same = equal_texts(self._ctx, memory) if memory.fingerprint is not None else []
            if same and sides.get(memory.id, set()).isdisjoint(same):
                found.add(memory.id)
        return found

    def _current(self, ids: str) -> dict[tuple[int, int], str]:
        """Return the kinds of the current findings about these, by pair."""
        these = "(SELECT value FROM json_each(?))"
        rows = (
            self._ctx.db.rows(f"SELECT a, b, kind FROM pairs WHERE is_current AND {end} IN {these}", (ids,))
            for end in ("a", "b")
        )
        return {(int(a), int(b)): str(kind) for a, b, kind in chain.from_iterable(rows)}


def _template_phrases(memory: Compared, others: Iterable[Compared]) -> templates.Phrases:
    """Return the phrases that a memory shares with many about other subjects."""
    try:
        return templates.shared_phrases(memory.parsed, (other.parsed for other in others))
    except Exception:  # the unusual text is left out when judged one by one
        return frozenset()


def _row(pair: _Pair, now: float) -> SqlRow | None:
    """Return a finding as a row of `pairs`; None if there is none."""
    judged = pair.judgement
    if judged.conflicts:
        conflict = judged.conflicts[0]
        values = (
            CONTRADICTION,
            conflict.kind,
            conflict.score,
            *conflict.words,
            reasons.conflict_reason(conflict),
            conflict.topic,
            *conflict.clauses,
        )
    elif judged.duplicate_kind:
        score = 1.0 if judged.duplicate_kind == EXACT else judged.overlap
        values = (
            DUPLICATE,
            judged.duplicate_kind,
            score,
            "",
            "",
            reasons.duplicate_reason(judged),
            "",
            "",
            "",
        )
    else:
        return None
    texts = (text[:_LENGTH] if isinstance(text, str) else text for text in values)
    return (pair.a.id, pair.b.id, *texts, pair.a.digest, pair.b.digest, min(now, pair.since or now))
