"""The model at work: loaded when first wanted, never in anybody's way, and the queue of texts that
wait for their vectors (S-35)."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING

import apsw

from memtui.embedding.base import Embedder, ModelMissing, Opener
from memtui.errors import Refused
from memtui.memory.records import MeaningState
from memtui.text import counted
from memtui.workspace.background import Manners
from memtui.workspace.db.database import in_words
from memtui.workspace.vectors import vector_store
from memtui.workspace.vectors.binary_index import Bits

if TYPE_CHECKING:
    from memtui.workspace.context import Core
    from memtui.workspace.db.database import Database

# What of a memory is embedded; the model reads about the first 1,000 characters. As bytes, since a
# disk may have spoiled a text.
TEXT = (
    "CAST(substr(CASE WHEN coalesce(m.title, '') IN ('', m.content) THEN '' ELSE m.title || '. ' END || "
    "CASE WHEN coalesce(m.subject, '') = '' OR instr(m.content, m.subject) THEN '' "
    "ELSE m.subject || ': ' END || m.content, 1, 2000) AS BLOB)"
)
CHUNK, BATCH = 256, 16  # texts that are taken from the queue and sorted by length; and embedded at a time
RETRY, LATEST = 30.0, 86_400.0  # seconds until the first retry, doubled each time; and at most
_OTHER = "other-model"
OTHER = "Another memtui uses another model in this workspace."
OTHER_HINT = "Set the same model for both, then start this one again."
_PASSING = ("busy", "disk-full", "io")  # a later try may do
_UNASKED = "The question could not be embedded"
_TAKE = (
    f"SELECT u.memory_id, {TEXT} FROM unembedded u JOIN memories m ON m.id = u.memory_id "
    "WHERE u.due <= ? ORDER BY u.due, u.memory_id DESC LIMIT ?"
)
_STILL = (
    "SELECT u.memory_id FROM json_each(?) e CROSS JOIN unembedded u ON u.memory_id = e.value WHERE u.due <= ?"
)


class Meaning:
    """The model of one open workspace; may be used from several threads."""

    def __init__(self, opener: Opener | None) -> None:
        self._opener = opener
        self._loading = threading.Lock()
        self._opened: Embedder | None = None  # loaded
        self._embedder: Embedder | None = None  # and the one whose vectors the workspace holds
        self._db: Database | None = None
        self._vector = lru_cache(256)(self._embed)
        self._rests, self._until = 0, 0.0  # failures in a row, and when the next try may be
        self.bits = Bits()
        self.phase = "off" if opener is None else "waiting"
        self.why = "Searching by meaning is switched off (setting: model)." if opener is None else ""
        self.hint = ""

    @property
    def ready(self) -> bool:
        """Whether a question can be embedded at once."""
        return self._embedder is not None

    def made(self, name: str) -> bool:
        """Whether vectors under this name may be of this model, as far as that is known without loading."""
        tell = getattr(self._opener, "made", None)
        return tell is None or bool(tell(name))

    def load(self, core: Core) -> Embedder | None:
        """The model, loaded by the first who wants it (a second or more); None if it cannot be used,
        with the reason in `why`."""
        if self._opener is None or self.phase == "failed":
            return None
        with self._loading:
            # Another thread may have found meanwhile that it is of no use.
            if self._embedder is None and self._open(core) is not None and self.phase != "failed":
                self._take_up(core)
            return self._embedder

    def look(self, core: Core) -> None:
        """Load the model if that was not tried yet, without a word in the workspace (the doctor)."""
        if self._opener is not None and self._embedder is None:
            with self._loading:
                self._open(core)

    def _open(self, core: Core) -> Embedder | None:
        if self._opened is not None or self.phase == "failed" or self._opener is None:
            return self._opened
        self.phase = "loading"
        try:
            core.db.connection()
            if core.db.no_meaning:
                raise ModelMissing(
                    f"sqlite-vec cannot be loaded: {core.db.no_meaning}.", "Install memtui again."
                )
            self._opened = self._opener()
        except ModelMissing as missing:
            self.fail(str(missing), missing.hint)
        except Exception as trouble:  # of many libraries; words still work
            self.fail(f"The model cannot be loaded: {trouble!r}.", "Install memtui again.")
        else:
            self.phase = "waiting"
        return self._opened

    def _take_up(self, core: Core) -> None:
        """From now on the vectors of the workspace are this model's."""
        embedder = self._opened
        assert embedder is not None
        try:
            with in_words(core.path):
                if not core.read_only:
                    with core.writing:
                        vector_store.begin(core.db, embedder.name, embedder.dim)
                elif vector_store.made_by(core.db) != (embedder.name, embedder.dim):
                    self.fail(
                        "The workspace is only read, and holds no vectors of this model.",
                        "Open it once where it may be written.",
                    )
                    return
        except Refused as refusal:
            self.fail(refusal.message, refusal.hint)
            if refusal.code in _PASSING:
                self.phase = "waiting"
        except apsw.Error as trouble:
            self.fail(*_unreadable(trouble))
        else:
            self._db, self._embedder = core.db, embedder
            self.phase, self.why, self.hint = "ready", "", ""

    def fail(self, why: str, hint: str = "") -> None:
        """Only words are searched from now on, in this process."""
        self.phase, self.why, self.hint, self._embedder = "failed", why, hint, None

    def vector(self, text: str) -> bytes | None:
        """What a question means; None while no model is loaded, where the model cannot say, and where
        the vectors are no longer this model's."""
        embedder, db = self._embedder, self._db
        if embedder is None or db is None:
            return None
        try:
            if vector_store.made_by(db) != (embedder.name, embedder.dim):
                self.fail(OTHER, OTHER_HINT)
                return None
            vector = self._vector(text)
        except Exception as trouble:  # of many libraries; words still work
            self.why = f"{_UNASKED}: {trouble!r}."
            return None
        if self.why.startswith(_UNASKED):
            self.why = ""
        return vector

    def _embed(self, text: str) -> bytes:
        assert self._opened is not None
        (vector,) = self._opened.embed([text])
        if not vector_store.sound(vector, self._opened.dim):
            raise ValueError("the model gave no usable vector")
        return vector

    def pieces(self, words: Sequence[str]) -> float:
        """Into how many pieces the model breaks a word of these, on average; 1 where it cannot say."""
        try:
            return 1.0 if self._embedder is None else self._embedder.pieces(words)
        except Exception:  # of many libraries; then nothing is held against the words
            return 1.0

    def resting(self, now: float) -> bool:
        """Whether the work waits after a failure that was no single text's."""
        return now < self._until

    def rest(self, now: float, why: str, hint: str = "") -> None:
        """Something is in the way of all texts: the next try comes later, and later each time."""
        self._until = now + backoff(self._rests)
        self._rests += 1
        self.why, self.hint = why, hint

    def goes(self) -> None:
        """A batch went well: nothing is in the way any more."""
        if self._rests:
            self._rests, self._until, self.why, self.hint = 0, 0.0, "", ""


def _unreadable(trouble: apsw.Error) -> tuple[str, str]:
    return f"What memories mean cannot be read: {trouble}.", "memtui doctor says what is wrong."


def backoff(tries: int) -> float:
    """Seconds until the next try after so many that failed before."""
    return min(LATEST, RETRY * 2.0 ** min(tries, 20))


def state(core: Core, meaning: Meaning) -> MeaningState:
    """How searching by meaning stands (S-35); what cannot be read of it is said, not raised."""
    try:
        waiting = int(core.db.one("SELECT count(*) FROM unembedded"))
        known = int(core.db.one("SELECT count(*) FROM vector_bits"))
        name = core.db.one("SELECT name FROM model") or ""
        late, last = core.db.rows(_LATE)[0] if waiting else (0, "")
    except apsw.Error as trouble:
        return MeaningState("failed", "", 0, 0, *_unreadable(trouble))
    if name and not meaning.made(name):  # these are made anew once the model is loaded
        known, waiting = 0, known + waiting
    why, hint = meaning.why, meaning.hint
    if late and not why:
        why = f"{counted(late, 'memory')} could not be embedded: {last}."
        hint = "Words find them; memtui tries again later by itself."
    return MeaningState(meaning.phase, name, known, waiting, why, hint)


# A text is due at 0 until it fails, so those that failed stand at the end of the index.
_LATE = (
    "SELECT count(*), coalesce((SELECT why FROM unembedded WHERE due > 0 ORDER BY due DESC LIMIT 1), '') "
    "FROM unembedded WHERE due > 0"
)


def work_off(core: Core, meaning: Meaning, manners: Manners | None = None) -> int:
    """Embed what waits and is due; how many got a vector. A text that fails waits for a later try, and
    where nothing can be embedded or kept, all wait.

    Small transactions, and the model runs outside of them; a batch that a dead process left is simply
    made again."""
    manners = manners or Manners()
    done = 0
    try:
        with in_words(core.path):
            if core.read_only or meaning.resting(core.clock()) or not _wanted(core, meaning):
                return 0
            for part in _parts(core, meaning, manners):
                done += part
                meaning.goes()
    except Refused as refusal:
        if refusal.code == _OTHER:
            meaning.fail(refusal.message, refusal.hint)
        else:
            meaning.rest(core.clock(), refusal.message, refusal.hint)
    return done


def _wanted(core: Core, meaning: Meaning) -> bool:
    """Whether anything waits, or another model than this one made what there is."""
    made = vector_store.made_by(core.db)
    if made is not None and not meaning.made(made[0]):
        return True
    return core.db.one("SELECT 1 FROM unembedded LIMIT 1") is not None


def _parts(core: Core, meaning: Meaning, manners: Manners) -> Iterator[int]:
    """How many each batch gave."""
    begun, done = core.clock(), 0
    while (embedder := meaning.load(core)) is not None:
        taken = [(id, bytes(text)) for id, text in core.db.rows(_TAKE, (begun, CHUNK))]
        taken.sort(key=lambda row: len(row[1]))
        left = int(core.db.one("SELECT count(*) FROM unembedded"))
        batches = [taken[start : start + BATCH] for start in range(0, len(taken), BATCH)]
        rest = batches[:-1]
        Random(os.getpid()).shuffle(rest)  # another memtui takes them in another order
        for batch in [*rest, *batches[-1:]]:
            manners.wait()
            if manners.stop() or core.closing.is_set():
                return
            of = json.dumps([id for id, _ in batch])
            still = {id for (id,) in core.db.rows(_STILL, (of, begun))}
            if not still:
                continue
            part = _batch(core, embedder, [row for row in batch if row[0] in still])
            done, left = done + part, left - part
            manners.tell(done, left)
            yield part
        if not taken:
            return


def _batch(core: Core, embedder: Embedder, rows: Sequence[tuple[int, bytes]]) -> int:
    """Give these their vectors; how many got one. Refused where none of several did."""
    made, wrong = _made(embedder, rows)
    for id, why in wrong:
        _later(core, id, why)
    if made:
        with core.writing, core.db.atomic():
            if vector_store.made_by(core.db) != (embedder.name, embedder.dim):
                raise Refused(_OTHER, OTHER, OTHER_HINT)
            kept = vector_store.keep(core.db, made, TEXT)
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


def _later(core: Core, id: int, why: str) -> None:
    with core.writing, core.db.atomic():
        tries = int(core.db.one("SELECT tries FROM unembedded WHERE memory_id = ?", (id,)) or 0)
        core.db.run(
            "UPDATE unembedded SET tries = tries + 1, due = ?, why = ? WHERE memory_id = ?",
            (core.clock() + backoff(tries), why[:500], id),
        )
