"""The embedding model of an open workspace: loaded on first use, in the background (S-35)."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import apsw
from peewee import PeeweeException

from memtui.embedding.base import Embedder, ModelMissing, Opener
from memtui.errors import Refused
from memtui.workspace.db.database import translate_errors
from memtui.workspace.vectors import vector_store, wording
from memtui.workspace.vectors.binary_index import BinaryIndex

if TYPE_CHECKING:
    from memtui.workspace.context import Context
    from memtui.workspace.db.database import Database


RETRY, LATEST = 30.0, 86_400.0  # seconds until the first retry, doubled each time; and at most
_TRANSIENT = ("busy", "disk-full", "io")  # codes of refusals that a later try may not meet


class SemanticModel:
    """The model of one open workspace; may be used from several threads.

    `phase` is off, waiting, loading, ready or failed, `why` and `hint` say what is wrong.
    """

    def __init__(self, opener: Opener | None) -> None:
        self._opener = opener
        self._loading = threading.Lock()
        self._opened: Embedder | None = None  # once loaded
        self._embedder: Embedder | None = None  # once the workspace's vectors are its own
        self._db: Database | None = None
        self._vector = lru_cache(256)(self._embed)
        self._failures, self._until = 0, 0.0  # failures in a row, and the time of the next try
        self.bits = BinaryIndex()
        self.phase = "off" if opener is None else "waiting"
        self.why = wording.SWITCHED_OFF if opener is None else ""
        self.hint = ""
        self._question_failed = False  # `why` is about one question, until the next one succeeds

    @property
    def ready(self) -> bool:
        """Return whether a question can be embedded at once."""
        return self._embedder is not None

    def may_have_made(self, name: str) -> bool:
        """Return whether vectors under this name may be this model's, as far as known without loading it."""
        made = getattr(self._opener, "matches", None)
        return made is None or bool(made(name))

    def load(self, ctx: Context) -> Embedder | None:
        """Return the model, loading it if needed (a second or more); None, with the reason in `why`, if it
        cannot be used."""
        if self._opener is None or self.phase == "failed":
            return None
        with self._loading:
            # Another thread may have failed to load it meanwhile.
            if self._embedder is None and self._open(ctx) is not None and self.phase != "failed":
                self._adopt(ctx)
            return self._embedder

    def try_loading(self, ctx: Context) -> None:
        """Load the model if that was not tried yet, without writing to the workspace (for the doctor)."""
        if self._opener is not None and self._embedder is None:
            with self._loading:
                self._open(ctx)

    def _open(self, ctx: Context) -> Embedder | None:
        if self._opened is not None or self.phase == "failed" or self._opener is None:
            return self._opened
        self.phase = "loading"
        try:
            ctx.db.connection()
            if ctx.db.vector_search_error:
                raise ModelMissing(wording.vec_missing(ctx.db.vector_search_error), wording.REINSTALL)
            self._opened = self._opener()
        except ModelMissing as missing:
            self.fail(str(missing), missing.hint)
        except Exception as error:  # of several libraries; search by words still works
            self.fail(wording.not_loaded(error), wording.REINSTALL)
        else:
            self.phase = "waiting"
        return self._opened

    def _adopt(self, ctx: Context) -> None:
        """Make the workspace's vectors this model's, discarding those of another one."""
        embedder = self._opened
        assert embedder is not None
        try:
            with translate_errors(ctx.path):
                if not ctx.read_only:
                    with ctx.writing:
                        vector_store.begin(ctx.db, embedder.name, embedder.dim)
                elif vector_store.made_by(ctx.db) != (embedder.name, embedder.dim):
                    self.fail(wording.NO_VECTORS_READ_ONLY, wording.OPEN_WRITABLE)
                    return
        except Refused as refusal:
            self.fail(refusal.message, refusal.hint)
            if refusal.code in _TRANSIENT:
                self.phase = "waiting"
        except (apsw.Error, PeeweeException) as error:
            self.fail(*wording.unreadable(getattr(error, "orig", error)))  # peewee wraps the driver's errors
        else:
            self._db, self._embedder = ctx.db, embedder
            self.phase, self.why, self.hint = "ready", "", ""

    def fail(self, why: str, hint: str = "") -> None:
        """Switch this process to search by words only."""
        self.phase, self.why, self.hint, self._embedder = "failed", why, hint, None

    def vector(self, text: str) -> bytes | None:
        """Return the vector of a question; None while no model is loaded, if it fails, or if the vectors are
        no longer this model's."""
        embedder, db = self._embedder, self._db
        if embedder is None or db is None:
            return None
        try:
            if vector_store.made_by(db) != (embedder.name, embedder.dim):
                self.fail(wording.OTHER_MODEL, wording.OTHER_MODEL_HINT)
                return None
            vector = self._vector(text)
        except Exception as error:  # of several libraries; search by words still works
            self.why, self._question_failed = wording.question_failed(error), True
            return None
        if self._question_failed:
            self.why, self._question_failed = "", False
        return vector

    def _embed(self, text: str) -> bytes:
        assert self._opened is not None
        (vector,) = self._opened.embed([text])
        if not vector_store.is_valid(vector, self._opened.dim):
            raise ValueError(wording.NO_USABLE_VECTOR)
        return vector

    def tokens_per_word(self, words: Sequence[str]) -> float:
        """Return how many subword tokens the model splits these words into on average; 1 if unknown."""
        try:
            return 1.0 if self._embedder is None else self._embedder.tokens_per_word(words)
        except Exception:  # of several libraries
            return 1.0

    def is_backing_off(self, now: float) -> bool:
        """Return whether embedding pauses after a failure that concerned all texts."""
        return now < self._until

    def back_off(self, now: float, why: str, hint: str = "") -> None:
        """Pause embedding after a failure that concerns all texts, longer each time."""
        self._until = now + backoff(self._failures)
        self._failures += 1
        self.why, self.hint = why, hint

    def reset_back_off(self) -> None:
        """End the pause after a batch that succeeded."""
        if self._failures:
            self._failures, self._until, self.why, self.hint = 0, 0.0, "", ""


def backoff(tries: int) -> float:
    """Return the seconds until the next try after `tries` failures."""
    return min(LATEST, RETRY * 2.0 ** min(tries, 20))
