"""The model at work: loaded when it is first wanted, never in anybody's way (S-35)."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import apsw

from memtui.embedding.base import Embedder, ModelMissing, Opener
from memtui.errors import Refused
from memtui.workspace.db.database import in_words
from memtui.workspace.vectors import vector_store
from memtui.workspace.vectors.binary_index import BinaryIndex

if TYPE_CHECKING:
    from memtui.workspace.context import Context
    from memtui.workspace.db.database import Database


RETRY, LATEST = 30.0, 86_400.0  # seconds until the first retry, doubled each time; and at most


OTHER_MODEL = "other-model"


OTHER = "Another memtui uses another model in this workspace."


OTHER_HINT = "Set the same model for both, then start this one again."


_PASSING = ("busy", "disk-full", "io")  # a later try may do


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
        self.bits = BinaryIndex()
        self.phase = "off" if opener is None else "waiting"
        self.why = "Searching by meaning is switched off (setting: model)." if opener is None else ""
        self.hint = ""
        self._unasked = False  # `why` is of one question, and goes with the next one that is answered

    @property
    def ready(self) -> bool:
        """Whether a question can be embedded at once."""
        return self._embedder is not None

    def made(self, name: str) -> bool:
        """Whether vectors under this name may be of this model, as far as that is known without loading."""
        tell = getattr(self._opener, "made", None)
        return tell is None or bool(tell(name))

    def load(self, ctx: Context) -> Embedder | None:
        """The model, loaded by the first who wants it (a second or more); None if it cannot be used,
        with the reason in `why`."""
        if self._opener is None or self.phase == "failed":
            return None
        with self._loading:
            # Another thread may have found meanwhile that it is of no use.
            if self._embedder is None and self._open(ctx) is not None and self.phase != "failed":
                self._take_up(ctx)
            return self._embedder

    def look(self, ctx: Context) -> None:
        """Load the model if that was not tried yet, without a word in the workspace (the doctor)."""
        if self._opener is not None and self._embedder is None:
            with self._loading:
                self._open(ctx)

    def _open(self, ctx: Context) -> Embedder | None:
        if self._opened is not None or self.phase == "failed" or self._opener is None:
            return self._opened
        self.phase = "loading"
        try:
            ctx.db.connection()
            if ctx.db.no_meaning:
                raise ModelMissing(
                    f"sqlite-vec cannot be loaded: {ctx.db.no_meaning}.", "Install memtui again."
                )
            self._opened = self._opener()
        except ModelMissing as missing:
            self.fail(str(missing), missing.hint)
        except Exception as trouble:  # of many libraries; words still work
            self.fail(f"The model cannot be loaded: {trouble!r}.", "Install memtui again.")
        else:
            self.phase = "waiting"
        return self._opened

    def _take_up(self, ctx: Context) -> None:
        """From now on the vectors of the workspace are this model's."""
        embedder = self._opened
        assert embedder is not None
        try:
            with in_words(ctx.path):
                if not ctx.read_only:
                    with ctx.writing:
                        vector_store.begin(ctx.db, embedder.name, embedder.dim)
                elif vector_store.made_by(ctx.db) != (embedder.name, embedder.dim):
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
            self.fail(*unreadable(trouble))
        else:
            self._db, self._embedder = ctx.db, embedder
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
            self.why, self._unasked = f"The question could not be embedded: {trouble!r}.", True
            return None
        if self._unasked:
            self.why, self._unasked = "", False
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


def unreadable(trouble: apsw.Error) -> tuple[str, str]:
    return f"What memories mean cannot be read: {trouble}.", "memtui doctor says what is wrong."


def backoff(tries: int) -> float:
    """Seconds until the next try after so many that failed before."""
    return min(LATEST, RETRY * 2.0 ** min(tries, 20))
