"""What an agent's write changes in a store, as one change: one journal entry, one write, one undo (S-85)."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from memtui.errors import Refused
from memtui.formats.contract.adapter import Adapter
from memtui.formats.contract.incoming import LOGGED, Incoming
from memtui.formats.contract.plans import Write
from memtui.formats.contract.records import Link
from memtui.memory.results import Change, Skipped
from memtui.values import Fields, FieldValue
from memtui.workspace.changes import outbox, planning, verbs
from memtui.workspace.changes import wording as changes_wording
from memtui.workspace.changes.change_item import ChangeItem, Outcome
from memtui.workspace.changes.relating.supersede import SUPERSEDES
from memtui.workspace.changes.revert.entry import ensure_all_or_nothing
from memtui.workspace.changes.summaries import KINDS, outcome_summary, summary
from memtui.workspace.db import calls
from memtui.workspace.journal.items import IN_STORE
from memtui.workspace.mirror import memory_rows, uids
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.remember import wording
from memtui.workspace.remember.promoting import earning

if TYPE_CHECKING:
    from memtui.workspace.context import Context
    from memtui.workspace.db.store_rows import StoreRow


_WHOSE, CONTRADICTS = ("owner", "scope"), "contradicts"


class Unit:
    """The memory that a write is about, and what changes with it. `ctx` has the agent as its actor."""

    def __init__(self, ctx: Context, store: StoreRow, rules: Incoming) -> None:
        self._ctx = ctx
        self._store = store
        self._rules = rules
        self._main: ChangeItem | None = None
        self._action = ""
        self._note = ""
        self._adapter: Adapter | None = None
        self._along: list[ChangeItem] = []
        self._ended: list[ChangeItem] = []
        self._actions: dict[int, str] = {}  # of memories that are there, by the id() of their items
        self._adds: dict[int, Write] = {}  # likewise what is asked for of memories that are added

    def add(self, fields: Mapping[str, FieldValue], status: str, against: Mapping[str, str]) -> None:
        """Add a memory, which contradicts those of `against`, by their anchors, each with why; raise Refused
        where it cannot be added."""
        ctx = self._ctx
        item, wanted, self._note = verbs.prepared_add(ctx, fields, self._store.name, status)
        self._main, self._action, self._adapter = item, "add", item.adapter
        if item.adapter is None:
            return
        if self._rules.logs_additions:
            wanted["ref"] = ctx.new_id()
            # Whoever may not read the memory may not read of it either.
            whose = {name: item.local_fields[name] for name in _WHOSE if name in item.local_fields}
            after = {IN_STORE: True, "kind": LOGGED, **whose}
            episode = ChangeItem(None, self._store, {IN_STORE: False}, after, adapter=item.adapter)
            episode.local_fields = dict(whose)
            about = Link("", LOGGED, wanted["ref"])
            self._adds[id(episode)] = self._write("add", {"kind": LOGGED}, about)
            self._along.append(episode)
        links = tuple(Link("", CONTRADICTS, anchor, context=why) for anchor, why in against.items())
        write = replace(self._write("add", wanted), against=links)
        self._adds[id(item)] = replace(write, vector=self._vector(str(wanted["content"])))

    def _vector(self, content: str) -> tuple[float, ...]:
        """Return the embedding of a text that the store keeps beside it; () while no model is loaded: a write
        does not wait for one."""
        model = self._ctx.model
        vector = model.vector(content) if self._rules.keeps_vectors and model.ready else None
        return () if vector is None else tuple(array("f", vector))

    def _write(self, action: str, fields: Fields, link: Link | None = None) -> Write:
        return Write(action, "", fields, {}, self._ctx.clock(), link, self._ctx.actor)

    def change(self, row: MirrorRow, action: str, fields: Mapping[str, FieldValue]) -> None:
        """Change the memory that the write is about; raise Refused where that cannot be."""
        item = self._item(row, action, fields)
        if isinstance(item, Skipped):
            raise changes_wording.none_possible(item.code, [item.reason])
        self._main, self._action = item, action
        self._adapter = self._ctx.adapter(self._store)

    def end(self, row: MirrorRow) -> None:
        """Have a memory superseded by the one that is added; raise Refused where that cannot be."""
        adapter_class = planning.adapter_class_of(self._store)
        item = self._item(row, "supersede", adapter_class.supersession if adapter_class is not None else {})
        if isinstance(item, Skipped):
            raise changes_wording.none_possible(item.code, [item.reason])
        item.link = Link("", SUPERSEDES, row.anchor)
        self._ended.append(item)

    def _item(self, row: MirrorRow, action: str, fields: Mapping[str, FieldValue]) -> ChangeItem | Skipped:
        item = verbs.item_of(self._ctx, action, row, self._store, lambda *_: fields)
        if isinstance(item, ChangeItem):
            self._actions[id(item)] = action
        return item

    def carry_out(self) -> Change:
        """Carry all of it out; raise Refused, or Conflict where the store has other values now, with nothing
        changed, if the memory that it is about, or one that it ends, cannot be changed."""
        main = self._main
        assert main is not None
        own = [main, *self._ended]
        for item in own if self._ended else ():
            item.all_or_nothing = True
        if self._rules.promotes:
            self._promote()
        items = [*self._ended, main, *self._along]
        self._plan(items)
        for item in own:
            if item.refused is not None:
                raise item.refused
        self._name_successor(main)
        items = [item for item in items if item.refused is None]
        parts = self._parts([item for item in items if item is not main])
        told = wording.joined(summary(self._action, [main]), parts)
        outcome = outbox.run(self._ctx, KINDS[self._action], told, items, replan=self._plan)
        _ensure_own(self._ctx, outcome, own)
        done = outcome.done
        parts = self._parts([item for item in done if item is not main])
        text = wording.joined(outcome_summary(self._action, [main], 1), parts) + outcome.pending_note
        text = f"{text}; {self._note}" if self._note else text
        ids = tuple(item.memory_id for item in (main, *(each for each in done if each is not main)))
        return Change(KINDS[self._action], ids, text, outcome.entry_id)

    def _name_successor(self, main: ChangeItem) -> None:
        """Have the memories that it ends name the one that is added, whose uid is known from its plan."""
        if not self._ended or main.plan is None:
            return
        store = self._store
        names = [str(main.plan.ref_after)]
        (main.uid,) = uids.free_uids(self._ctx.db, store.format, names, store.path, ())
        for item in self._ended:
            assert item.row is not None
            item.before["superseded_by"] = item.row.memory.superseded_by
            item.after["superseded_by"] = item.local_fields["superseded_by"] = main.uid

    def _promote(self) -> None:
        main = self._main
        own = main.row.id if main is not None and main.row is not None else None
        for row in memory_rows.load(self._ctx.db, earning(self._ctx, self._store.id)):
            memory = row.memory
            status = self._rules.promoted(memory.status, memory.confidence, memory.times_confirmed)
            if row.id == own or status == memory.status:
                continue
            item = self._item(row, "confirm", {"status": status})
            if isinstance(item, ChangeItem):
                self._along.append(item)

    def _plan(self, group: Sequence[ChangeItem]) -> None:
        """Plan these items, each on top of those before it."""
        adapter = self._adapter
        changing = [item for item in group if item.row is not None]
        actions = [self._actions[id(item)] for item in changing]
        written = planning.split_fields(self._ctx, actions, changing) if changing else []
        if adapter is None:
            return
        writes = {
            id(item): planning.build_write(self._ctx, adapter, does, item, {}) for does, item in written
        }
        for item in changing:
            item.adapter = adapter
        writes |= self._adds
        asked = [item for item in group if id(item) in writes]
        session = calls.session()
        asked_for = [replace(writes[id(item)], incoming=True, session=session) for item in asked]
        planning.plan_writes(adapter, asked, asked_for)

    def _parts(self, others: Sequence[ChangeItem]) -> list[str]:
        """Return what was done to the others, and what was not, as parts of a sentence."""
        ended = sum(any(item is each for each in self._ended) for item in others)
        promoted = sum(item.row is not None for item in others) - ended
        parts = [wording.superseded(ended)] if ended else []
        parts += [wording.promoted(promoted)] if promoted else []
        parts += [wording.EPISODE] if any(item.row is None for item in others) else []
        refusals = [item.refused for item in self._along if item.row is None and item.refused is not None]
        return parts + [wording.no_episode(each.reason) for each in refusals]


def _ensure_own(ctx: Context, outcome: Outcome, own: Sequence[ChangeItem]) -> None:
    """Raise Refused if the store refused the memory that a write is about, or one that it ends."""
    refused: Refused | None = next((item.refused for item in own if item.refused is not None), None)
    if refused is None:
        return
    if any(item.all_or_nothing for item in own):
        ensure_all_or_nothing(ctx, outcome)
    raise refused
