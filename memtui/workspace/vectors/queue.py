"""The queue of texts to be embedded (S-35)."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING

import apsw

from memtui.embedding.base import Embedder
from memtui.errors import Refused
from memtui.memory.results import EmbeddingState
from memtui.workspace.background import JobControl
from memtui.workspace.db.database import translate_errors
from memtui.workspace.db.models import EmbeddingQueue
from memtui.workspace.vectors import vector_store, wording
from memtui.workspace.vectors.model import SemanticModel, backoff

if TYPE_CHECKING:
    from memtui.workspace.context import Context

# The text of a memory that is embedded; the model reads about its first 1,000 characters. As bytes, since the
# disk may have damaged its encoding.
TEXT = (
    "CAST(substr(CASE WHEN coalesce(m.title, '') IN ('', m.content) THEN '' ELSE m.title || '. ' END || "
    "CASE WHEN coalesce(m.subject, '') = '' OR instr(m.content, m.subject) THEN '' "
    "ELSE m.subject || ': ' END || m.content, 1, 2000) AS BLOB)"
)
CHUNK = 256  # texts taken from the queue at a time and sorted by length
BATCH = 16  # texts embedded at a time
_MAX_REASON = 500  # characters of a reason
_TAKE = (
    f"SELECT u.memory_id, {TEXT} FROM embedding_queue u JOIN memories m ON m.id = u.memory_id "
    "WHERE u.due <= ? ORDER BY u.due, u.memory_id DESC LIMIT ?"
)
_STILL_DUE = (
    "SELECT q.memory_id FROM json_each(?) e CROSS JOIN embedding_queue q ON q.memory_id = e.value "
    "WHERE q.due <= ?"
)


def state(ctx: Context, model: SemanticModel) -> EmbeddingState:
    """Return the state of semantic search (S-35); a read error is reported in it, not raised."""
    try:
        waiting = int(ctx.db.one("SELECT count(*) FROM embedding_queue"))
        known = int(ctx.db.one("SELECT count(*) FROM vector_bits"))
        name = ctx.db.one("SELECT name FROM embedding_model") or ""
        late, last = ctx.db.rows(_LATE)[0] if waiting else (0, "")
    except apsw.Error as error:
        return EmbeddingState("failed", "", 0, 0, *wording.unreadable(error))
    if name and not model.may_have_made(name):  # all are embedded again once the model is loaded
        known, waiting = 0, known + waiting
    why, hint = model.why, model.hint
    if late and not why:
        why, hint = wording.not_embedded(late, last), wording.RETRIED
    return EmbeddingState(model.phase, name, known, waiting, why, hint)


# A text is due at 0 until it fails, so failed ones are at the end of the index.
_LATE = (
    "SELECT count(*), "
    "coalesce((SELECT why FROM embedding_queue WHERE due > 0 ORDER BY due DESC LIMIT 1), '') "
    "FROM embedding_queue WHERE due > 0"
)


def process(ctx: Context, model: SemanticModel, control: JobControl | None = None) -> int:
    """Embed the texts that are due and return how many got a vector.

    A text that fails is retried later; if nothing can be embedded or stored, all are. Transactions are small
    and the model runs outside of them, so a batch left by a dead process is simply embedded again.
    """
    control = control or JobControl()
    done = 0
    try:
        with translate_errors(ctx.path):
            if ctx.read_only or model.is_backing_off(ctx.clock()) or not _has_work(ctx, model):
                return 0
            for count in _batches(ctx, model, control):
                done += count
                model.reset_back_off()
    except Refused as refusal:
        if refusal.code == "other-model":
            model.fail(refusal.message, refusal.hint)
        else:
            model.back_off(ctx.clock(), refusal.message, refusal.hint)
    return done


def _has_work(ctx: Context, model: SemanticModel) -> bool:
    """Return whether texts are queued, or another model made the vectors."""
    made = vector_store.made_by(ctx.db)
    if made is not None and not model.may_have_made(made[0]):
        return True
    return ctx.db.one("SELECT 1 FROM embedding_queue LIMIT 1") is not None


def _batches(ctx: Context, model: SemanticModel, control: JobControl) -> Iterator[int]:
    """Embed batch by batch, yielding how many vectors each gave."""
    begun, done = ctx.clock(), 0
    while (embedder := model.load(ctx)) is not None:
        taken = [(id, bytes(text)) for id, text in ctx.db.rows(_TAKE, (begun, CHUNK))]
        taken.sort(key=lambda row: len(row[1]))
        left = int(ctx.db.one("SELECT count(*) FROM embedding_queue"))
        batches = [taken[start : start + BATCH] for start in range(0, len(taken), BATCH)]
        rest = batches[:-1]
        Random(os.getpid()).shuffle(rest)  # so that two memtuis take different batches
        for batch in [*rest, *batches[-1:]]:
            control.wait()
            if control.stop() or ctx.closing.is_set():
                return
            ids = json.dumps([id for id, _ in batch])
            still = {id for (id,) in ctx.db.rows(_STILL_DUE, (ids, begun))}
            if not still:
                continue
            count = _embed_batch(ctx, embedder, [row for row in batch if row[0] in still])
            done, left = done + count, left - count
            control.report(done, left)
            yield count
        if not taken:
            return


def _embed_batch(ctx: Context, embedder: Embedder, rows: Sequence[tuple[int, bytes]]) -> int:
    """Embed and store these texts; return how many got a vector. Raise Refused if none of several did."""
    made, failed = _embed(embedder, rows)
    for id, why in failed:
        _retry_later(ctx, id, why)
    if made:
        with ctx.writing, ctx.db.atomic():
            if vector_store.made_by(ctx.db) != (embedder.name, embedder.dim):
                raise wording.other_model()
            kept = vector_store.keep(ctx.db, made, TEXT)
    elif len(rows) > 1:
        raise wording.model_fails(failed[-1][1])
    return kept if made else 0


def _embed(
    embedder: Embedder, rows: Sequence[tuple[int, bytes]]
) -> tuple[list[tuple[int, bytes, bytes]], list[tuple[int, str]]]:
    """Return the vectors, and the texts that failed with the reason; one bad text must not stop the
    others."""
    try:
        made = embedder.embed([text.decode("utf-8", "replace") for _, text in rows])
        if len(made) != len(rows) or not all(vector_store.is_valid(vector, embedder.dim) for vector in made):
            raise ValueError(wording.NO_USABLE_VECTOR)
    except Exception as error:  # of several libraries
        if len(rows) == 1:
            return [], [(rows[0][0], repr(error))]
        singly = [_embed(embedder, [row]) for row in rows]
        return [each for good, _ in singly for each in good], [each for _, bad in singly for each in bad]
    return [(id, text, vector) for (id, text), vector in zip(rows, made, strict=True)], []


def _retry_later(ctx: Context, id: int, why: str) -> None:
    with ctx.writing, ctx.db.atomic():
        queued = ctx.db.find(EmbeddingQueue, id)
        tries = queued.tries if queued is not None else 0
        retry = EmbeddingQueue.update(
            tries=tries + 1, due=ctx.clock() + backoff(tries), why=why[:_MAX_REASON]
        )
        ctx.db.write(retry.where(EmbeddingQueue.memory_id == id))
