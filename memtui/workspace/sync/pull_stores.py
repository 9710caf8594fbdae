"""Pulling all attached stores, one after the other (S-5)."""

from __future__ import annotations

from memtui.errors import Refused
from memtui.memory.stores import PullResult
from memtui.workspace.context import NATIVE, Context
from memtui.workspace.db.database import translate_errors
from memtui.workspace.db.models import Store
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.stores import catalog
from memtui.workspace.sync import wording
from memtui.workspace.sync.pull import pull


def pull_stores(ctx: Context) -> PullResult:
    """Read what agents changed; a store that fails does not stop the others."""
    news: dict[str, tuple[int, int, int]] = {}
    errors: dict[str, str] = {}
    codes: dict[str, str] = {}
    names_itself: set[str] = set()
    relations: dict[str, int] = {}
    later: list[str] = []
    for store in catalog.attached(ctx) if not ctx.read_only else ():
        if store.format == NATIVE:
            continue
        try:
            counts = pull(ctx, store)
        except Refused as refusal:
            if refusal.code in ("overtaken", "closing"):
                later.append(store.name)
            else:
                errors[store.name], codes[store.name] = refusal.message, refusal.code
                if refusal.subject == store.name:
                    names_itself.add(store.name)
        except Exception as error:  # an error that no reader foresaw must not hide the other stores
            errors[store.name] = wording.unreadable(error)
        else:
            if any(counts.memories):
                news[store.name] = counts.memories
            elif counts.relations:
                relations[store.name] = counts.relations
        if store.name in errors:
            known = errors[store.name], codes.get(store.name, "")
            if known != (store.error, store.error_code):
                _record_error(ctx, store, *known)
    return PullResult(news, errors, tuple(later), relations, frozenset(names_itself))


def _record_error(ctx: Context, store: StoreRow, error: str, code: str) -> None:
    with translate_errors(ctx.path):
        ctx.db.write(Store.update(error=error, error_code=code).where(Store.id == store.id))
