"""What is wrong with a store: that it cannot be read, and its reader's findings, one line a kind (S-52)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from memtui.formats import registry
from memtui.memory.inbox.items import STORE, InboxItem
from memtui.memory.secrets.masking import hidden
from memtui.memory.stores import Finding
from memtui.workspace.context import NATIVE
from memtui.workspace.maintenance import finding_help
from memtui.workspace.stores import catalog

if TYPE_CHECKING:
    from memtui.workspace.context import Context


def items(ctx: Context, now: float) -> Iterator[InboxItem]:
    """Yield the items."""
    for store in catalog.attached(ctx):
        info = catalog.info(ctx, store)
        if info.error:
            code = info.error_code or "unreadable"
            yield InboxItem(STORE, info.name, hidden(info.error), code, info.pulled_at)
        by_code: dict[str, list[Finding]] = defaultdict(list)
        for finding in info.findings:
            by_code[finding.code].append(finding)
        for code, found in by_code.items():
            help = (
                finding_help.meaning(registry.by_name(store.format), code) if store.format != NATIVE else ""
            )
            data = {"place": hidden(found[0].place), "meaning": help}
            yield InboxItem(STORE, info.name, hidden(found[0].text), code, count=len(found), data=data)
