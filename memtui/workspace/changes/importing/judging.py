"""What each memory of an import is to those that are there; changes nothing (S-74).

A memory is the same if the target store has it, whatever its status: importing brings back nothing that was
dismissed. The first MOST_COMPARED are compared with the live memories of all stores, apart from those that
the import itself has: what an interrupted import added is no reason to leave its rest out. The scan compares
all of them once they are added.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from memtui.formats.contract.records import UNSTORABLE
from memtui.memory import secrets
from memtui.memory.contradictions.pairs import CONTRADICTION
from memtui.memory.imported import Imported, ImportItem, ImportPreview, Unreadable, Verdict
from memtui.memory.memory import DEFAULTS, label_of
from memtui.memory.secrets.masking import holds_mask
from memtui.memory.secrets.wording import name_of
from memtui.values import Fields, FieldValue
from memtui.workspace.background import JobControl
from memtui.workspace.changes import full_adds
from memtui.workspace.changes.full_adds import TRANSFERRED
from memtui.workspace.changes.importing import wording_import as wording
from memtui.workspace.changes.importing.identity import Known
from memtui.workspace.changes.wording import stopped_first
from memtui.workspace.contradictions.incoming import Incoming
from memtui.workspace.mirror import memory_rows

if TYPE_CHECKING:
    from memtui.formats.contract.adapter import Adapter
    from memtui.workspace.context import Context
    from memtui.workspace.db.store_rows import StoreRow

MOST_COMPARED = 2_000  # memories of an import that are compared before they are added
MOST_CONTENT, MOST_OTHER = 1_000_000, 100_000  # characters of a text, and of any other field
LABEL = 200  # characters of a label
# Besides TRANSFERRED: what memtui's own store keeps of a restored memory, and what memtui keeps of any.
_OWN = ("updated_at", "heat", "promotion_count", "extra")
_KEPT = ("snoozed_until",)
_MEANT = ("status", "updated_at")  # given even if it is the usual value
_STEP, _SLOW_STEP = 200, 20  # memories between two reports while they are read, and compared


def judge(
    ctx: Context,
    found: Iterable[Imported | Unreadable],
    store: StoreRow,
    adapter: Adapter | None,
    control: JobControl,
) -> ImportPreview:
    """Return what an import into a store would do; raise Refused where `control` stops it."""
    known = Known(ctx, store.id, adapter)
    items: list[ImportItem] = []
    present: set[int] = set()  # rows of the target that the import has, too
    ignored: Counter[str] = Counter()
    for each in found:
        items.append(_item(each, known, present, store, adapter))
        if isinstance(each, Imported):
            ignored.update(each.ignored)
        if len(items) % _STEP == 0:
            control.report(0, len(items))
            _end_if_stopped(control)
    if adapter is not None:
        _refuse_unplanned(ctx, items, store, adapter)
    not_compared = _compare(ctx, items, present, control)
    return ImportPreview(store.name, tuple(items), dict(ignored), not_compared)


def _item(
    each: Imported | Unreadable, known: Known, present: set[int], store: StoreRow, adapter: Adapter | None
) -> ImportItem:
    """Return a memory with what its own text and the target tell of it."""
    if isinstance(each, Unreadable):
        return ImportItem(each.source, each.line, "", {}, Verdict.REFUSED, each.code, each.reason)
    fields = _importable(each.fields, adapter)
    title, subject, content = (_text(fields, name) for name in ("title", "subject", "content"))
    label = label_of(title, subject, content)[:LABEL]
    links = {"uid": each.uid, "superseded_by": each.superseded_by}
    item = ImportItem(each.source, each.line, label, fields, Verdict.NEW, **links)
    if refusal := _refusal(fields):
        return replace(item, verdict=Verdict.REFUSED, code=refusal[0], reason=refusal[1])
    id = known.find(fields)
    if id:
        present.add(id)
        uid, status = known.uid_and_status(id)
        reason = wording.same_in(store.name, status)
        return replace(item, verdict=Verdict.SAME, code=status or "same", reason=reason, other=uid)
    if id == 0:
        return replace(item, verdict=Verdict.SAME, code="repeated", reason=wording.SAME_IN_FILE)
    known.add(fields)
    if any(map(holds_mask, _texts(fields))):
        return replace(item, verdict=Verdict.REFUSED, code="masked", reason=wording.HAS_MASK)
    if secret := next(iter(secrets.find("\n".join(_texts(fields)))), None):
        reason = wording.has_secret(name_of(secret.kind))
        label = label_of(*map(secrets.masked, (title, subject, content)))[:LABEL]
        return replace(item, verdict=Verdict.FLAGGED, code="secret", reason=reason, label=label)
    return item


def _importable(fields: Fields, adapter: Adapter | None) -> Fields:
    names = (*TRANSFERRED, *_KEPT, *(_OWN if adapter is None else ()))
    given = {name: fields[name] for name in names if name in fields}
    return {n: v for n, v in given.items() if v != DEFAULTS[n] or n in _MEANT}


def _text(fields: Fields, name: str) -> str:
    return str(fields.get(name) or "")


def _refusal(fields: Fields) -> tuple[str, str] | None:
    """Return why no store can hold a memory, as code and sentence."""
    if not _text(fields, "content").strip() and not _text(fields, "title").strip():
        return "no-text", wording.NO_TEXT
    for name, value in fields.items():
        for text in _parts(value):
            most = MOST_CONTENT if name == "content" else MOST_OTHER
            if len(text) > most:
                return "too-long", wording.too_long(name, most)
            if (not text.isascii() or "\0" in text) and UNSTORABLE.search(text):
                return "unstorable", wording.unstorable(name)
    return None


def _texts(fields: Fields) -> Iterator[str]:
    for value in fields.values():
        yield from _parts(value)


def _parts(value: FieldValue) -> Iterator[str]:
    """Yield the texts of a field's value, at any depth."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            yield each
        elif isinstance(each, dict):
            waiting += [*each.keys(), *each.values()]
        elif isinstance(each, list | tuple):
            waiting += each


def _refuse_unplanned(ctx: Context, items: list[ImportItem], store: StoreRow, adapter: Adapter) -> None:
    """Refuse what the target's format cannot hold: a key that is taken, a text that is too long."""
    places = [at for at, each in enumerate(items) if each.verdict in (Verdict.NEW, Verdict.FLAGGED)]
    adds = full_adds.items(ctx, (items[at].fields for at in places), store, adapter)
    full_adds.plan(ctx, adapter, adds)
    for at, add in zip(places, adds, strict=True):
        if add.refused is not None:
            refused = add.refused
            items[at] = replace(items[at], verdict=Verdict.REFUSED, code=refused.code, reason=refused.message)


def _compare(ctx: Context, items: list[ImportItem], present: set[int], control: JobControl) -> int:
    """Compare new memories with those that are there; return how many were not."""
    incoming = Incoming(ctx)
    clashes = {}
    for at, each in enumerate(items[:MOST_COMPARED]):
        _end_if_stopped(control)
        if each.verdict is Verdict.NEW and (clash := incoming.clash(each.fields, present)) is not None:
            clashes[at] = clash
        if at % _SLOW_STEP == _SLOW_STEP - 1:
            control.report(at + 1, min(len(items), MOST_COMPARED) - at - 1)
    uids = {row.id: row.memory.uid for row in memory_rows.load(ctx.db, [c.id for c in clashes.values()])}
    for at, clash in clashes.items():
        verdict = Verdict.CONTRADICTING if clash.family == CONTRADICTION else Verdict.NEAR
        other = uids.get(clash.id, "")
        items[at] = replace(items[at], verdict=verdict, code=clash.kind, reason=clash.reason, other=other)
    return _count_new(items[MOST_COMPARED:])


def _end_if_stopped(control: JobControl) -> None:
    if control.stop():
        raise stopped_first()


def _count_new(items: Sequence[ImportItem]) -> int:
    return sum(each.verdict is Verdict.NEW for each in items)
