"""The queue of texts that wait for their vectors (S-35)."""

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
from memtui.text import counted
from memtui.workspace.background import JobControl
from memtui.workspace.db.database import in_words
from memtui.workspace.vectors import vector_store
from memtui.workspace.vectors.model import OTHER, OTHER_HINT, OTHER_MODEL, Meaning, backoff, unreadable

if TYPE_CHECKING:
    from memtui.workspace.context import Context

# What of a memory is embedded; the model reads about the first 1,000 characters. As bytes, since a
# disk may have spoiled a text.
TEXT = (
    "CAST(substr(CASE WHEN coalesce(m.title, '') IN ('', m.content) THEN '' ELSE m.title || '. ' END || "
    "CASE WHEN coalesce(m.subject, '') = '' OR instr(m.content, m.subject) THEN '' "
    "ELSE m.subject || ': ' END || m.content, 1, 2000) AS BLOB)"
)
CHUNK, BATCH = 256, 16  # texts that are taken from the queue and sorted by length; and embedded at a time
_TAKE = (
    f"SELECT u.memory_id, {TEXT} FROM embedding_queue u JOIN memories m ON m.id = u.memory_id "
    "WHERE u.due <= ? ORDER BY u.due, u.memory_id DESC LIMIT ?"
)
_STILL = "SELECT u.memory_id FROM json_each(?) e CROSS JOIN embedding_queue u ON u.memory_id = e.value WHERE u.due <= ?"


def state(ctx: Context, meaning: Meaning) -> EmbeddingState:
    """How searching by meaning stands (S-35); what cannot be read of it is said, not raised."""
    try:
        waiting = int(ctx.db.one("SELECT count(*) FROM embedding_queue"))
        known = int(ctx.db.one("SELECT count(*) FROM vector_bits"))
        name = ctx.db.one("SELECT name FROM embedding_model") or ""
        late, last = ctx.db.rows(_LATE)[0] if waiting else (0, "")
    except apsw.Error as trouble:
        return EmbeddingState("failed", "", 0, 0, *unreadable(trouble))
    if name and not meaning.made(name):  # these are made anew once the model is loaded
        known, waiting = 0, known + waiting
    why, hint = meaning.why, meaning.hint
    if late and not why:
        why = f"{counted(late, 'memory')} could not be embedded: {last}."
        hint = "Words find them; memtui tries again later by itself."
    return EmbeddingState(meaning.phase, name, known, waiting, why, hint)


# A text is due at 0 until it fails, so those that failed stand at the end of the index.
_LATE = (
    "SELECT count(*), coalesce((SELECT why FROM embedding_queue WHERE due > 0 ORDER BY due DESC LIMIT 1), '') "
    "FROM embedding_queue WHERE due > 0"
)


def work_off(ctx: Context, meaning: Meaning, manners: JobControl | None = None) -> int:
    """Embed what waits and is due; how many got a vector. A text that fails waits for a later try, and
    where nothing can be embedded or kept, all wait.

    Small transactions, and the model runs outside of them; a batch that a dead process left is simply
    made again."""
    manners = manners or JobControl()
    done = 0
    try:
        with in_words(ctx.path):
            if ctx.read_only or meaning.resting(ctx.clock()) or not _wanted(ctx, meaning):
                return 0
            for part in _parts(ctx, meaning, manners):
                done += part
                meaning.goes()
    except Refused as refusal:
        if refusal.code == OTHER_MODEL:
            meaning.fail(refusal.message, refusal.hint)
        else:
            meaning.rest(ctx.clock(), refusal.message, refusal.hint)
    return done


def _wanted(ctx: Context, meaning: Meaning) -> bool:
    """Whether anything waits, or another model than this one made what there is."""
    made = vector_store.made_by(ctx.db)
    if made is not None and not meaning.made(made[0]):
        return True
    return ctx.db.one("SELECT 1 FROM embedding_queue LIMIT 1") is not None


def _parts(ctx: Context, meaning: Meaning, manners: JobControl) -> Iterator[int]:
    """How many each batch gave."""
    begun, done = ctx.clock(), 0
    while (embedder := meaning.load(ctx)) is not None:
        taken = [(id, bytes(text)) for id, text in ctx.db.rows(_TAKE, (begun, CHUNK))]
        taken.sort(key=lambda row: len(row[1]))
        left = int(ctx.db.one("SELECT count(*) FROM embedding_queue"))
        batches = [taken[start : start + BATCH] for start in range(0, len(taken), BATCH)]
        rest = batches[:-1]
        Random(os.getpid()).shuffle(rest)  # another memtui takes them in another order
        for batch in [*rest, *batches[-1:]]:
            manners.wait()
            if manners.stop() or ctx.closing.is_set():
                return
            of = json.dumps([id for id, _ in batch])
            still = {id for (id,) in ctx.db.rows(_STILL, (of, begun))}
            if not still:
                continue
            part = _batch(ctx, embedder, [row for row in batch if row[0] in still])
            done, left = done + part, left - part
            manners.tell(done, left)
            yield part
        if not taken:
            return


def _batch(ctx: Context, embedder: Embedder, rows: Sequence[tuple[int, bytes]]) -> int:
    """Give these their vectors; how many got one. Refused where none of several did."""
    made, wrong = _made(embedder, rows)
    for id, why in wrong:
        _later(ctx, id, why)
    if made:
        with ctx.writing, ctx.db.atomic():
            if vector_store.made_by(ctx.db) != (embedder.name, embedder.dim):
                raise Refused(OTHER_MODEL, OTHER, OTHER_HINT)
            kept = vector_store.keep(ctx.db, made, TEXT)
    elif len(rows) > 1:
        raise Refused("model", f"The model fails: {wrong[-1][1]}.", "Words still find everything.")
    return kept if made else 0


def _made(
    embedder: Embedder, rows: Sequence[tuple[int, bytes]]
) -> tuple[list[tuple[int, bytes, bytes]], list[tuple[int, str]]]:
    """The vectors of these, and why some have none: one bad text must not stop the others."""
    try:
        made = embedder.embed([text.decode("utf-8", "replace") for _, text in rows])
        if len(made) != len(rows) or not all(vector_store.sound(vector, embedder.dim) for vector in made):
            raise ValueError("the model gave no usable vector")
    except Exception as trouble:  # of many libraries
        if len(rows) == 1:
            return [], [(rows[0][0], repr(trouble))]
        each = [_made(embedder, [row]) for row in rows]
        return [one for good, _ in each for one in good], [one for _, bad in each for one in bad]
    return [(id, text, vector) for (id, text), vector in zip(rows, made, strict=True)], []


def _later(ctx: Context, id: int, why: str) -> None:
    with ctx.writing, ctx.db.atomic():
        tries = int(ctx.db.one("SELECT tries FROM embedding_queue WHERE memory_id = ?", (id,)) or 0)
        ctx.db.run(
            "UPDATE embedding_queue SET tries = tries + 1, due = ?, why = ? WHERE memory_id = ?",
            (ctx.clock() + backoff(tries), why[:500], id),
        )
