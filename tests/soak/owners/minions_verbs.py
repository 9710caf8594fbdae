"""Verbs of a user in memtui on a minions store, chosen by a seeded generator, each with a check of the
minions afterwards."""

from __future__ import annotations

import random
from dataclasses import replace

from memtui.memory.memory import Memory
from memtui.memory.results import Change, TransferResult
from memtui.workspace.workspace import Workspace
from tests.soak.owners import minions_agent
from tests.soak.owners.contract import STORE, Step
from tests.soak.owners.minions_checks import changed, deleted, search_problem, searchable, unexpected_changes
from tests.soak.owners.minions_owner import (
    TEXT_OF,
    Minion,
    MinionSet,
    is_open,
    shown_memories,
    slug_of,
    text_of,
)
from tests.soak.owners.texts import Texts

Row = tuple[int, Memory]
MinionStep = Step[MinionSet]


class MinionsUser:
    """A user of the store. `state` is what the SDK last read."""

    def __init__(self, chance: random.Random, texts: Texts, workspace: Workspace) -> None:
        self._chance, self._texts, self._workspace = chance, texts, workspace
        self.state = MinionSet()

    def choose(self) -> MinionStep:
        """Choose a verb that is possible now."""
        for _ in range(40):
            kinds = (
                *(
                    self._edit,
                    self._edit,
                    self._edit,
                    self._name,
                    self._name,
                    self._tag,
                    self._add,
                    self._add,
                ),
                *(self._dismiss, self._dismiss, self._restore, self._restore, self._confirm, self._relate),
                *(
                    self._relate,
                    self._unrelate,
                    self._reverse_relation,
                    self._supersede,
                    self._move,
                    self._pin,
                    self._redact,
                    self._state,
                    self._state,
                ),
            )
            step = self._chance.choice(kinds)()
            if step is not None:
                return step
        return self._add()

    def _random_row(self, *kinds: str, dismissed: bool = False) -> Row | None:
        rows = [
            each
            for each in shown_memories(self._workspace)
            if (each[1].status == "dismissed") == dismissed and (not kinds or each[1].kind in kinds)
        ]
        return self._chance.choice(rows) if rows else None

    def _edit(self) -> MinionStep | None:
        row = self._random_row()
        if row is None:
            return None
        (id, memory), text = row, self._texts.text()
        return Step(
            f"edit {_label(memory)} to {text!r}",
            lambda: self._workspace.edit([id], {"content": text}),
            changed(memory.ref, lambda minion: {TEXT_OF[slug_of(minion)]: text}),
            minor_check=searchable(memory.ref),
        )

    def _redact(self) -> MinionStep | None:
        """A secret comes in by an edit and is redacted; undone and redone, it is as if it had never been."""
        row = self._random_row()
        if row is None:
            return None
        (id, memory), text = row, self._texts.text()
        secret = "AKIA" + "".join(self._chance.choices("ABCDEFGHJKLMNPQRSTUVWXYZ234567", k=16))
        said, redacted = f"{text}\nuses {secret} here", f"{text}\nuses [redacted: AWS key] here"

        def act() -> Change:
            change = self._workspace.edit([id], {"content": said})
            if not change.skipped:
                self._workspace.redact([id])
            return change

        def check(before: MinionSet, after: MinionSet, _: object) -> str:
            if secret.lower() in str(after.minions).lower():
                return f"{secret} is still there"
            return changed(memory.ref, lambda each: {TEXT_OF[slug_of(each)]: redacted})(before, after, _)

        return Step(
            f"redact {secret} in {_label(memory)}: {redacted!r}",
            act,
            check,
            minor_check=searchable(memory.ref),
        )

    def _name(self) -> MinionStep | None:
        row = self._random_row()
        if row is None:
            return None
        id, memory = row
        name = self._chance.choice(("title", "key") if memory.kind == "item" else ("title",))
        text = self._texts.text().strip()
        fields = {} if name == "title" else {"key": text}
        return Step(
            f"change the {name} of {_label(memory)} to {text!r}",
            lambda: self._workspace.edit([id], {name: text}),
            changed(memory.ref, lambda _: fields, {"title": text} if name == "title" else {}),
            minor_check=searchable(memory.ref),
        )

    def _tag(self) -> MinionStep | None:
        row = self._random_row()
        if row is None:
            return None
        id, memory = row
        tags = [self._texts.relation().strip(), "new"]
        if tuple(tags) == memory.tags:
            return None
        return Step(
            f"tag {_label(memory)} with {tags}",
            lambda: self._workspace.edit([id], {"tags": tuple(tags)}),
            changed(memory.ref, lambda _: {}, {"tags": tags}),
        )

    def _add(self) -> MinionStep:
        text, title, key = self._texts.text(), self._texts.name(), self._texts.name().strip()
        fields = {"content": text, "title": title, "key": key, "owner": "scout"}  # there are several

        def check(before: MinionSet, after: MinionSet, _: object) -> str:
            new_minions = [each for id, each in after.memories().items() if id not in before.minions]
            if (
                len(new_minions) != 1
                or text_of(new_minions[0]) != text
                or new_minions[0]["fields"].get("key") != key
            ):
                return f"new are {new_minions}"
            if not any(
                slug_of(after.minions[id]) == "memory-index" for id in after.about(new_minions[0]["id"])
            ):
                return "it has no index"
            return unexpected_changes(before, after, {new_minions[0]["id"]})

        def minor_check(before: MinionSet, after: MinionSet, _: object) -> str:
            new_minions = [each for id, each in after.memories().items() if id not in before.minions]
            return search_problem(None, new_minions[0])

        return Step(
            f"add {text!r} ({fields})",
            lambda: self._workspace.add(fields, STORE),
            check,
            minor_check=minor_check,
        )

    def _state(self) -> MinionStep:
        return minions_agent.statement(self._chance, self._texts, self._workspace)

    def _dismiss(self) -> MinionStep | None:
        rows = [each for each in shown_memories(self._workspace) if each[1].status != "dismissed"]
        if not rows:
            return None
        chosen = self._chance.sample(rows, min(len(rows), self._chance.choice((1, 1, 2, 3))))

        def check(before: MinionSet, after: MinionSet, change: Change | TransferResult) -> str:
            assert isinstance(change, Change)
            refs = {memory.ref for id, memory in chosen if id in change.ids}
            remaining = [ref for ref in refs if not after.minions[ref].get("deletedAt")]
            return (
                f"not deleted: {remaining}"
                if remaining
                else unexpected_changes(before, after, refs, touched=False)
            )

        return Step(
            "dismiss " + " and ".join(_label(memory) for _, memory in chosen),
            lambda: self._workspace.dismiss([id for id, _ in chosen]),
            check,
        )

    def _restore(self) -> MinionStep | None:
        row = self._random_row(dismissed=True)
        if row is None:
            return None
        id, memory = row
        return Step(
            f"restore {_label(memory)}",
            lambda: self._workspace.restore([id]),
            changed(memory.ref, lambda _: {}, {"deletedAt": None, "deletedBy": None}),
        )

    def _confirm(self) -> MinionStep | None:
        row = self._random_row("item", "lesson")
        if row is None:
            return None
        id, memory = row

        def check(before: MinionSet, after: MinionSet, _: object) -> str:
            old, new = (each.minions[memory.ref]["fields"]["confidence"] for each in (before, after))
            if not old <= new <= max(0.95, old):
                return f"the confidence went from {old} to {new}"
            new_minions = [slug_of(each) for id, each in after.minions.items() if id not in before.minions]
            if "memory-reinforcement" not in new_minions:
                return f"no reinforcement among {new_minions}"
            return unexpected_changes(before, after, {memory.ref})

        return Step(f"confirm {_label(memory)}", lambda: self._workspace.confirm([id]), check)

    def _relate(self) -> MinionStep | None:
        row, other = self._random_row(), self._random_row()
        if row is None or other is None or row[0] == other[0]:
            return None
        ends, reason = (row[1].ref, other[1].ref), self._chance.choice(("", "one of them is wrong"))
        refusals = ("exists",) if self._open(set(ends)) else ()

        def check(before: MinionSet, after: MinionSet, _: object) -> str:
            new_minions = [each for id, each in after.minions.items() if id not in before.minions]
            pairs = [
                (each["fields"].get("memoryIdA"), each["fields"].get("memoryIdB")) for each in new_minions
            ]
            return (
                unexpected_changes(before, after, set(ends), touched=False)
                if pairs == [ends]
                else f"new are {new_minions}"
            )

        return Step(
            f"relate {_label(row[1])} to {_label(other[1])}",
            lambda: self._workspace.relate(row[0], "contradicts", other[0], context=reason),
            check,
            frozenset(refusals),
        )

    def _unrelate(self) -> MinionStep | None:
        pair = self._pair()
        if pair is None:
            return None
        (row, other), ids = pair, {pair[0][1].ref, pair[1][1].ref}

        def check(before: MinionSet, after: MinionSet, _: object) -> str:
            return unexpected_changes(before, after, ids, touched=False)

        return Step(
            f"unrelate {_label(row[1])} from {_label(other[1])}",
            lambda: self._workspace.unrelate(row[0], "contradicts", other[0]),
            check,
        )

    def _reverse_relation(self) -> MinionStep | None:
        pair = self._pair()
        if pair is None:
            return None
        (row, other), reason = pair, " ".join(self._texts.text().split())
        ids = {row[1].ref, other[1].ref}

        def act() -> Change:
            to = replace(self._workspace.relation(row[0], "contradicts", other[0]), context=reason)
            return self._workspace.update_relation(row[0], "contradicts", other[0], to, reverse=True)

        def check(before: MinionSet, after: MinionSet, _: object) -> str:
            fields = [
                after.minions[id]["fields"] for id in after.about(row[1].ref) & after.about(other[1].ref)
            ]
            ends = [(each["memoryIdA"], each["memoryIdB"], each["description"]) for each in fields]
            if (other[1].ref, row[1].ref, reason) not in ends:
                return f"the contradictions are {ends}"
            return unexpected_changes(before, after, ids, touched=False)

        return Step(f"turn the contradiction of {_label(row[1])} with {_label(other[1])}", act, check)

    def _pair(self) -> tuple[Row, Row] | None:
        """Choose two memories with one contradiction between them."""
        by_ref = {each[1].ref: each for each in shown_memories(self._workspace)}
        pairs = [
            (by_ref[each["fields"]["memoryIdA"]], by_ref[each["fields"]["memoryIdB"]])
            for each in self.state.minions.values()
            if slug_of(each) == "memory-contradiction"
            and is_open(each)
            and {each["fields"]["memoryIdA"], each["fields"]["memoryIdB"]} <= by_ref.keys()
        ]
        pairs = [each for each in pairs if len(self._open({each[0][1].ref, each[1][1].ref})) == 1]
        return self._chance.choice(sorted(pairs, key=lambda each: each[0][1].content)) if pairs else None

    def _open(self, ends: set[str]) -> list[Minion]:
        return [
            each
            for each in self.state.minions.values()
            if slug_of(each) == "memory-contradiction"
            and is_open(each)
            and {each["fields"]["memoryIdA"], each["fields"]["memoryIdB"]} == ends
        ]

    def _supersede(self) -> MinionStep | None:
        loser, winner = self._random_row(), self._random_row()
        if loser is None or winner is None or loser[0] == winner[0]:
            return None
        return Step(
            f"supersede {_label(loser[1])} with {_label(winner[1])}",
            lambda: self._workspace.supersede([loser[0]], winner[0]),
            deleted(loser[1].ref),
        )

    def _move(self) -> MinionStep | None:
        row = self._random_row()
        if row is None:
            return None
        ref = row[1].ref

        def check(before: MinionSet, after: MinionSet, _: object) -> str:
            return (
                "it is still there"
                if ref in after.minions
                else unexpected_changes(before, after, {ref}, touched=False)
            )

        return Step(
            f"move {_label(row[1])} to the native store",
            lambda: self._workspace.move([row[0]], "native"),
            check,
        )

    def _pin(self) -> MinionStep | None:
        row = self._random_row()
        if row is None or row[1].pinned:
            return None
        return Step(
            f"pin {_label(row[1])}",
            lambda: self._workspace.pin([row[0]]),
            lambda before, after, _: "" if before == after else "a pin changed the store",
        )


def _label(memory: Memory) -> str:
    return f"{memory.content[:60]!r} ({memory.kind})"
