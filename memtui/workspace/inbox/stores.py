"""What is wrong with a store, one line a kind: that it cannot be read, what its reader met, and what the
doctor found (S-52)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from memtui.formats import registry
from memtui.memory.inbox.items import STORE, InboxItem
from memtui.memory.secrets.masking import hidden, masked_deep
from memtui.memory.stores import Finding, StoreInfo
from memtui.workspace.context import NATIVE
from memtui.workspace.maintenance import checkup, finding_help
from memtui.workspace.stores import catalog

if TYPE_CHECKING:
    from memtui.workspace.context import Context
    from memtui.workspace.db.store_rows import StoreRow


_ITEMS_OF_THEIR_OWN = frozenset({"secret"})  # codes of what each memory is listed for
_NONE: frozenset[str] = frozenset()


def items(ctx: Context, now: float, only: Collection[int] | None) -> Iterator[InboxItem]:
    """Yield the items, those by which memories are at risk first; they are about whole stores whatever
    memories are asked for."""
    found = [each for store in catalog.attached(ctx) for each in _items(ctx, store)]
    yield from sorted(found, key=lambda each: not each.data["severe"])


def _items(ctx: Context, store: StoreRow) -> Iterator[InboxItem]:
    info = catalog.info(ctx, store)
    examined = checkup.found_in(ctx, store)
    if info.error:
        code = info.error_code or "unreadable"
        yield InboxItem(STORE, info.name, hidden(info.error), code, info.pulled_at, data={"severe": True})
    harmless = registry.by_name(info.format).harmless_findings if info.format != NATIVE else _NONE
    met: dict[str, list[Finding]] = defaultdict(list)
    for finding in info.findings:
        if finding.code not in harmless:
            met[finding.code].append(finding)
    for code, found in met.items():
        known = examined.get(code)
        text, place = masked_deep((found[0].text, found[0].place))
        data = {
            "place": place,
            "meaning": _meaning(info, code),
            "repairable": min(known.repairable, len(found)) if known is not None else 0,
            "severe": known is not None and known.severe,
        }
        yield InboxItem(STORE, info.name, text, code, count=len(found), data=data)
    for code, each in examined.items():
        if each.own and code not in met and code not in (_ITEMS_OF_THEIR_OWN | harmless | {info.error_code}):
            text, place = masked_deep((each.text, each.place))
            data = {
                "place": place,
                "meaning": each.meaning,
                "repairable": each.repairable,
                "severe": each.severe,
            }
            yield InboxItem(STORE, info.name, text, code, count=each.count, data=data)


def _meaning(info: StoreInfo, code: str) -> str:
    return finding_help.meaning(registry.by_name(info.format), code) if info.format != NATIVE else ""
