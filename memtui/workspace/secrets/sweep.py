"""The sweep that searches queued memories for secrets (S-62).

Every change of a text queues its memory again. A batch is read, searched and taken off the queue in one
transaction, so that a text that changes meanwhile is never missed. After an update of the detectors all
memories are searched again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.memory import secrets
from memtui.memory.secrets.registry import with_personal_data
from memtui.workspace.background import JobControl
from memtui.workspace.db.database import translate_errors
from memtui.workspace.db.models import SecretFound, SecretQueue, ViewState

if TYPE_CHECKING:
    from memtui.workspace.context import Context

BATCH = 200  # memories of a transaction
TEXTS = (
    *("title", "key", "subject", "category", "content", "value", "note", "tags", "source_ref"),
    *("source_excerpt", "steps", "preconditions", "postconditions", "key_facts", "tone", "extra"),
)
_BATCH = (
    f"SELECT q.memory_id, {', '.join(TEXTS)} FROM secret_queue q LEFT JOIN memories m ON m.id = q.memory_id "
    "LIMIT ?"
)
_RULES = "secret rules"  # under which the digest of the detectors is kept


def run(
    ctx: Context,
    control: JobControl | None = None,
    on_found: Callable[[Iterable[int]], object] = lambda ids: None,
) -> int:
    """Search the queued memories until `control` stops it; return how many were searched. `on_found` is told
    the memories whose secrets are others than those known before. Raise Refused if the workspace is
    read-only."""
    ctx.writable()
    control, done = control or JobControl(), 0
    with translate_errors(ctx.path):
        _queue_all_if_outdated(ctx)
        while not control.stop() and queued(ctx) and (searched := _batch(ctx, on_found)):
            done += searched
            control.report(done, queued(ctx))
            control.wait()
    return done


def queued(ctx: Context) -> int:
    """Return how many memories are not searched yet."""
    return int(ctx.db.one("SELECT count(*) FROM secret_queue") or 0)


def _batch(ctx: Context, on_found: Callable[[Iterable[int]], object]) -> int:
    now, db = ctx.clock(), ctx.db
    with ctx.writing, db.atomic():
        rows = db.rows(_BATCH, (BATCH,))
        found = {id: kinds for id, *texts in rows if (kinds := [*kinds_of(texts)])}
        ids = [(id,) for id, *_ in rows]
        db.delete_many(SecretQueue, ("memory_id",), ids)
        known: dict[int, str] = dict(db.rows(_KNOWN, (json.dumps([id for (id,) in ids]),)))
        db.delete_many(
            SecretFound, ("memory_id",), [(id,) for (id,) in ids if id in known.keys() - found.keys()]
        )
        db.update_many(
            SecretFound,
            ("kinds",),
            ("memory_id",),
            [(json.dumps(k), id) for id, k in found.items() if id in known],
        )
        new = [(id, json.dumps(kinds), now) for id, kinds in found.items() if id not in known]
        db.insert_many(SecretFound, ("memory_id", "kinds", "found_at"), new)
    changed = [id for (id,) in ids if json.loads(known.get(id, "[]")) != found.get(id, [])]
    if changed:
        on_found(changed)
    return len(rows)


_KNOWN = "SELECT memory_id, kinds FROM secrets WHERE memory_id IN (SELECT value FROM json_each(?))"


def kinds_of(texts: Iterable[str | None]) -> Iterator[str]:
    """Yield the kind of each secret, text by text: parts of two texts are no secret."""
    for text in texts:
        if text and text not in ("[]", "{}"):
            for each in secrets.find(text):
                yield each.kind


def _queue_all_if_outdated(ctx: Context) -> None:
    row, rules = ctx.db.find(ViewState, _RULES), f"{_rules()}{' and personal data' * with_personal_data()}"
    if row is not None and row.value == rules:
        return
    with ctx.writing, ctx.db.atomic():
        ctx.db.run("INSERT OR IGNORE INTO secret_queue (memory_id) SELECT id FROM memories")
        ctx.db.write(ViewState.insert(name=_RULES, value=rules).on_conflict_replace())


@cache
def _rules() -> str:
    """Return a digest of the detectors' code."""
    folder = Path(secrets.__file__).parent
    code = b"".join(path.read_bytes() for path in sorted(folder.rglob("*.py")))
    return blake2b(code, digest_size=16).hexdigest()
